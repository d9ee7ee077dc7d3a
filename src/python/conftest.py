# SPDX-License-Identifier: MIT
"""What tests and doctests share: a queue on the device that PYOPENCL_CTX names, or on the first one."""
import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest

import pyclfold as cf

collect_ignore = ["setup.py"]


@pytest.fixture(scope="session")
def queue():
    return cl.CommandQueue(cl.create_some_context(interactive=False))


@pytest.fixture(autouse=True)
def _names_of_doctests(request, doctest_namespace, queue):
    doctest_namespace.update(np=np, cl=cl, cla=cla, cf=cf, queue=queue)
