# SPDX-License-Identifier: MIT
"""Some results of an operator that has several."""
import numpy as np
import pyopencl.array as cla
import pytest
from helpers import AFFINE, affine, affine_scan, fields, integers, to

import pyclfold as cf

LARGEST_SUM = cf.Operator(
    {"best": "i4", "head": "i4", "tail": "i4", "all": "i4"}, input={"x": "i4"}, map="one", combine="join", neutral="none",
    source="""clf_value one(clf_input x, ulong i) { int p = max(x.x, 0); clf_value v = {p, p, p, x.x}; return v; }
              clf_value none(void) { clf_value v = {0, 0, 0, 0}; return v; }
              clf_value join(clf_value a, clf_value b)
              {
                  clf_value v = {max(max(a.best, b.best), a.tail + b.head), max(a.head, a.all + b.head),
                                 max(b.tail, a.tail + b.all), a.all + b.all};
                  return v;
              }""")


def largest_sums(rows):
    """Kadane's algorithm, of each row."""
    best = now = np.zeros(len(rows), rows.dtype)
    for column in rows.T:
        now = np.maximum(now + column, 0)
        best = np.maximum(best, now)
    return best


def test_reductions(queue):
    rows = integers(7000).reshape(70, 100)
    x = to(queue, rows)
    best = cf.reduce(x, LARGEST_SUM, axis=-1, wanted="best")
    assert np.array_equal(best.get(), largest_sums(rows))
    assert np.array_equal(cf.reduce(x, LARGEST_SUM, axis=0, wanted=0).get(), largest_sums(rows.T))
    found = cf.reduce(x, LARGEST_SUM, axis=-1, wanted=("all", "best"))
    assert found._fields == ("all", "best")
    assert np.array_equal(found.all.get(), rows.sum(axis=-1)) and np.array_equal(found.best.get(), best.get())
    assert int(cf.reduce(x, LARGEST_SUM, wanted=["all"]).all.get()) == rows.sum()
    offsets = to(queue, np.arange(0, 7001, 100, dtype="u4"))
    assert np.array_equal(cf.reduce(x.ravel(), LARGEST_SUM, offsets=offsets, wanted="best").get(), best.get())
    keys = to(queue, np.repeat(np.arange(70, dtype="u4"), 100))
    assert np.array_equal(cf.reduce(x.ravel(), LARGEST_SUM, keys=keys, wanted="best").get(), best.get())


def test_scans(queue):
    pairs = affine(3000)
    expected = affine_scan(pairs)
    assert np.array_equal(cf.scan(fields(queue, pairs), **AFFINE, wanted="c").get(), expected["c"])
    swapped = cf.scan(fields(queue, pairs), **AFFINE, wanted=[1, "m"])
    assert np.array_equal(swapped.c.get(), expected["c"]) and np.array_equal(swapped.m.get(), expected["m"])
    assert swapped._fields == ("c", "m")


def test_given_outputs_and_plans(queue):
    x = to(queue, integers(1000))
    plan, out = cf.ScanPlan(queue, LARGEST_SUM, wanted="all"), cla.zeros(queue, 1000, "i4")
    assert plan(x, out=out) is out and np.array_equal(out.get(), x.get().cumsum())
    two = {"all": cla.zeros(queue, 1000, "i4"), "tail": cla.zeros(queue, 1000, "i4")}
    assert cf.scan(x, LARGEST_SUM, wanted=("tail", "all"), out=two) is two
    assert np.array_equal(two["all"].get(), out.get())
    both = cf.join([cf.operator("b - a", "i4", neutral=0), cf.operator("min", "i4")])
    least = cf.DifferencePlan(queue, both, wanted=1)(x)
    assert np.array_equal(least.get()[1:], np.minimum(x.get()[1:], x.get()[:-1]))


def test_by_key(queue):
    x = integers(7000)
    keys = to(queue, np.repeat(np.arange(70, dtype="u4"), 100))
    pairs = affine(7000)
    values, op = fields(queue, pairs), AFFINE["op"]
    found, both = cf.reduce_by_key(keys, values, op, neutral=(1, 0))
    same, second = cf.reduce_by_key(keys, values, op, neutral=(1, 0), wanted="c")
    assert np.array_equal(same.get(), found.get()) and np.array_equal(second.get(), both.c.get())
    _, swapped, count = cf.reduce_by_key(keys, values, op, neutral=(1, 0), wanted=(1, "m"), room=9, cut=False)
    assert swapped._fields == ("c", "m") and int(count.get()) == 70
    assert np.array_equal(swapped.m.get(), both.m.get()[:9]) and np.array_equal(swapped.c.get(), both.c.get()[:9])
    best = cf.Operator(
        LARGEST_SUM.value.fields, input={"x": "i4", "key": "u4"}, map="one", same="alike", combine="join", neutral="none",
        source=LARGEST_SUM.texts["source"] + "bool alike(clf_input a, clf_input b) { return a.key == b.key; }")
    found = cf.ReduceByKeyPlan(queue, best, wanted="best")((to(queue, x), keys))
    assert np.array_equal(found.get(), largest_sums(x.reshape(70, 100)))


def test_by_index(queue):
    pairs, index = affine(5000), integers(5000, -3, 40)
    values, op = fields(queue, pairs), AFFINE["op"]
    both = cf.reduce_by_index(to(queue, index), values, 37, op, neutral=(1, 0))
    second = cf.reduce_by_index(to(queue, index), values, 37, op, neutral=(1, 0), wanted="c")
    assert np.array_equal(second.get(), both.c.get())
    rows, lines = to(queue, index.reshape(50, 100)), {name: to(queue, pairs[name].reshape(50, 100)) for name in "mc"}
    for axis in (0, 1):
        both = cf.reduce_by_index(rows, lines, 37, op, neutral=(1, 0), axis=axis)
        swapped = cf.reduce_by_index(rows, lines, 37, op, neutral=(1, 0), axis=axis, wanted=("c", 0))
        assert swapped._fields == ("c", "m")
        assert np.array_equal(swapped.m.get(), both.m.get()) and np.array_equal(swapped.c.get(), both.c.get())


@pytest.mark.parametrize("wanted, sentence", [
    ((), "no result is"), ("middle", "there is no result 'middle', but best, head, tail, all"),
    (4, "result 4 is none of the 4"), ((0, "best"), "result 'best' is named twice"), (-1, "less than 0")])
def test_refusals(queue, wanted, sentence):
    with pytest.raises(ValueError, match=sentence):
        cf.reduce(to(queue, integers(10)), LARGEST_SUM, wanted=wanted)


def test_structs_are_written_whole(queue):
    with pytest.raises(ValueError, match="one array of structs"):
        cf.scan(to(queue, affine(10)), **AFFINE, wanted="c")
