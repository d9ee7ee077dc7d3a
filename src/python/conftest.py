# SPDX-License-Identifier: MIT
"""What tests and doctests share: a queue on the device whose name, or whose platform's, has CLFOLD_TEST_DEVICE in it;
else on the one that PYOPENCL_CTX names, or the first."""
import importlib.util
import os

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest

import pyclfold as cf

collect_ignore = ["setup.py"]
if importlib.util.find_spec("mako") is None:  # what PyOpenCL's own scans, which the bench compares with, are made by
    collect_ignore.append("pyclfold/bench.py")


def pick_context():
    wanted = os.environ.get("CLFOLD_TEST_DEVICE")
    if not wanted:
        return cl.create_some_context(interactive=False)
    for platform in cl.get_platforms():
        for device in platform.get_devices():
            if wanted.lower() in (device.name + platform.name).lower():
                return cl.Context([device])
    raise SystemExit(f"no device is called {wanted}")


@pytest.fixture(scope="session")
def queue():
    return cl.CommandQueue(pick_context())


@pytest.fixture(autouse=True)
def _names_of_doctests(doctest_namespace, queue):
    doctest_namespace.update(np=np, cl=cl, cla=cla, cf=cf, queue=queue)
