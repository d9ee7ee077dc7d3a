# SPDX-License-Identifier: MIT
"""What is no array, where one is wanted, and no number: each is refused by a sentence of ours."""
import pickle
import traceback
from pathlib import Path

import numpy as np
import pytest
from helpers import to

import pyclfold as cf

PACKAGE = Path(cf.__file__).parent
FLOATS, PLACES, OFFSETS = np.array([3, 1, 2, 5], "f4"), np.array([0, 1, 1, 2], "u4"), np.array([0, 2, 4], "u4")
MATRIX, SIZE = np.arange(6, dtype="f4").reshape(2, 3), np.array([3], "u8")
#: What the calls are given; those that are arrays go to the device.
CALLS = [
    (cf.scan, [FLOATS], dict(out=FLOATS, actual=SIZE)), (cf.scan, [FLOATS], dict(offsets=OFFSETS)),
    (cf.reduce, [FLOATS], dict(out=FLOATS[:1], actual=SIZE)), (cf.reduce, [FLOATS], dict(offsets=OFFSETS)),
    (cf.adjacent_difference, [FLOATS], dict(out=FLOATS)), (cf.argmin, [FLOATS], dict(offsets=OFFSETS)),
    (cf.argmax, [FLOATS], {}), (cf.argsort, [FLOATS], dict(out=PLACES)),
    (cf.sort, [FLOATS], dict(out=FLOATS, actual=SIZE)), (cf.sort, [FLOATS], dict(offsets=OFFSETS)),
    (cf.merge_sort, [FLOATS, "a < b"], dict(out=FLOATS)), (cf.is_sorted, [FLOATS], {}),
    (cf.top_k, [FLOATS, 2], dict(out=FLOATS[:2])), (cf.arg_top_k, [FLOATS, 2], {}),
    (cf.filter, [FLOATS, "x > 1"], dict(out=FLOATS, actual=SIZE)), (cf.filter, [FLOATS, "x > 1"], dict(room=2)),
    (cf.partition, [FLOATS, "x > 1"], {}), (cf.unique, [FLOATS], dict(out=FLOATS)),
    (cf.split, [FLOATS, "0", 2], dict(out=FLOATS)), (cf.gather, [FLOATS, PLACES], dict(out=FLOATS)),
    (cf.scatter, [FLOATS, PLACES, FLOATS], {}), (cf.group_by, [PLACES, FLOATS], dict(actual=SIZE)),
    (cf.group_counts, [PLACES], {}), (cf.histogram, [PLACES, 4], dict(weights=FLOATS, out=FLOATS)),
    (cf.histogram, [FLOATS, OFFSETS.astype("f4")], {}), (cf.merge, [FLOATS, FLOATS], {}),
    (cf.reduce_by_index, [PLACES, FLOATS, 4], dict(out=FLOATS, actual=SIZE)),
    (cf.reduce_by_key, [PLACES, FLOATS], dict(room=2, actual=SIZE)), (cf.run_lengths, [PLACES], dict(room=2)),
    (cf.searchsorted, [FLOATS, FLOATS], dict(out=PLACES)), (cf.shuffle, [FLOATS, 7], dict(out=FLOATS)),
    (cf.transpose, [MATRIX], dict(out=MATRIX)), (cf.repeat, [FLOATS, 2], dict(room=2, out=FLOATS[:2], actual=SIZE)),
]
WRONG = [2.5, [1, 2], [[1], [2]], "x", object(), np.array([1, 2], "f4"), {"a": 3}, {}, True]


def refused(function, places, names):
    with pytest.raises((TypeError, ValueError, cf.Error)) as found:
        function(*places, **names)
    last = traceback.extract_tb(found.tb)[-1]
    said = f"{function.__name__}: {found.value!r}, at {last.filename}:{last.lineno}"
    assert Path(last.filename).parent == PACKAGE and last.line.startswith("raise "), said


@pytest.mark.parametrize("function, places, names", CALLS, ids=[
    f"{function.__name__}-{number}" for number, (function, _, _) in enumerate(CALLS)])
def test_wrong_arguments(queue, function, places, names):
    sent = [to(queue, one) if isinstance(one, np.ndarray) else one for one in places]
    options = {name: to(queue, one) if isinstance(one, np.ndarray) else one for name, one in names.items()}
    function(*sent, **options)
    arrays = WRONG + [3, (to(queue, FLOATS), 3)]
    for at, given in enumerate(places):
        for wrong in arrays if isinstance(given, np.ndarray) else WRONG[:7] if isinstance(given, int) else []:
            if function is not cf.histogram or at == 0 or isinstance(wrong, (float, str)):  # lists are edges
                refused(function, sent[:at] + [wrong] + sent[at + 1:], options)
    for name, given in names.items():
        for wrong in arrays if isinstance(given, np.ndarray) else WRONG[:7]:
            refused(function, sent, dict(options, **{name: wrong}))


@pytest.mark.parametrize("wrong", [3, "x", None])
def test_wrong_queue(queue, wrong):
    if wrong is not None:
        for function in (cf.sort, cf.scan):
            refused(function, [to(queue, FLOATS)], dict(queue=wrong))
        refused(cf.ScanPlan, [wrong, cf.operator("sum", "f4")], {})
    refused(cf.permutation, [wrong, 4, 1], {})


def test_initial_names(queue):
    refused(cf.scan, [to(queue, FLOATS)], dict(initial={"a": 3}))


def test_wrong_events(queue):
    x = to(queue, FLOATS)
    for wrong in (3, [3], x.base_data, [x.base_data]):  # a buffer has an address, too
        refused(cf.scan, [x], dict(wait_for=wrong))


def test_what_is_no_expression(queue):
    x = to(queue, FLOATS)
    for function, wrong in ((cf.partition, x), (cf.filter, None), (cf.split, x), (cf.unique, 1)):
        refused(function, [x, wrong] + [2] * (function is cf.split), {})


def test_numbers_of_more_than_64_bits(queue):
    x, wide = to(queue, FLOATS), 2**64 + 1
    for function, places in ((cf.top_k, [x, wide]), (cf.histogram, [to(queue, PLACES), wide]),
                             (cf.repeat, [x, wide]), (cf.filter, [x, "x > 1"])):
        refused(function, places, dict(room=wide) if function is cf.filter else {})
    plan = cf.ScanPlan(queue, cf.operator("sum", "f4"))
    for function in (plan.scratch, plan.describe, lambda n: plan.context.tune(plan, n)):
        for number in (wide, -1, 2.5):
            refused(function, [number], {})
    with pytest.raises(cf.Error, match="1 to 256 parts"):
        cf.split(x, "0", 2**32 + 1)
    with pytest.raises(MemoryError, match="9223372036854775808 results"):
        cf.repeat(x[:2], to(queue, np.array([2**62, 2**62], "u8")))


def test_errors_go_to_other_processes():
    error = cf.Error(10, "a sentence", "a log")
    assert (error.status, error.log, str(error)) == (10, "a log", str(pickle.loads(pickle.dumps(error))))
