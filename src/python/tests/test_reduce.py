# SPDX-License-Identifier: MIT
import numpy as np
import pytest
from helpers import AFFINE, SIZES, affine, affine_scan, fields, integers, to

import pyclfold as cf


@pytest.mark.parametrize("n", SIZES)
def test_sums(queue, n):
    x = integers(n)
    total = cf.reduce(to(queue, x))
    assert total.shape == () and int(total.get()) == x.sum()


@pytest.mark.parametrize("n", [0, 1, 5000])
def test_operator_that_does_not_commute(queue, n):
    pairs = affine(n)
    found = cf.reduce(fields(queue, pairs), **AFFINE)
    m, c = affine_scan(pairs)[-1] if n else (1, 0)
    assert (int(found.m.get()), int(found.c.get())) == (m, c)
    structs = cf.reduce(to(queue, pairs), **AFFINE)
    assert tuple(structs.get().tolist()) == (m, c)


@pytest.mark.parametrize("shape", [(3, 1000), (70, 5), (0, 4), (4, 0), (2, 3, 7)])
def test_rows(queue, shape):
    x = integers(int(np.prod(shape))).reshape(shape)
    assert np.array_equal(cf.reduce(to(queue, x), axis=-1).get(), x.sum(axis=-1))


def test_segments(queue):
    x = to(queue, integers(1000))
    offsets = np.array([0, 0, 7, 7, 500, 1000, 1000], "u4")
    expected = [x.get()[a:b].sum() for a, b in zip(offsets, offsets[1:])]
    assert list(cf.reduce(x, offsets=to(queue, offsets)).get()) == expected
    assert list(cf.reduce(x, lengths=to(queue, np.diff(offsets))).get()) == expected
    keys = to(queue, np.repeat(np.array([4, 2, 4], "i4"), [7, 493, 500]))
    sums = [expected[1], expected[3], expected[4]]
    assert list(cf.reduce(x, keys=keys).get()) == sums
    room, count = cf.reduce(x, keys=keys, cut=False)
    assert room.size == 1000 and int(count.get()) == 3 and list(room.get()[:3]) == sums


def test_several_in_one_pass(queue):
    x = integers(3000)
    both = cf.join([cf.operator("min", "i4"), cf.operator("max", "i4")])
    assert [int(one.get()) for one in cf.reduce(to(queue, x), both)] == [x.min(), x.max()]


def test_no_input_but_indices(queue):
    triangle = cf.operator("sum", {}, map="c->w[i]", dtype="i4", captured={"w": "i4"})
    found = cf.ReducePlan(queue, triangle)((), n=10, captured=(to(queue, np.arange(10, dtype="i4")),), queue=queue)
    assert int(found.get()) == 45


def test_initial_and_float_neutral(queue):
    x = np.array([-5, -3, -4], "f4")
    assert float(cf.reduce(to(queue, x), "fmax(a, b)", neutral=-np.inf).get()) == -3
    assert int(cf.reduce(to(queue, np.arange(5, dtype="i4")), initial=100).get()) == 110


def test_by_key(queue):
    keys, values = np.sort(integers(3000, 0, 50)), integers(3000, seed=2)
    groups, totals = cf.reduce_by_key(to(queue, keys), to(queue, values))
    assert np.array_equal(groups.get(), np.unique(keys))
    assert np.array_equal(totals.get(), [values[keys == key].sum() for key in np.unique(keys)])
    values, lengths = cf.run_lengths(to(queue, keys))
    expected = np.unique(keys, return_counts=True)
    assert np.array_equal(values.get(), expected[0]) and np.array_equal(lengths.get(), expected[1])
    room, lengths, count = cf.run_lengths(to(queue, keys), cut=False)
    assert room.size == 3000 and int(count.get()) == len(np.unique(keys))


def test_by_key_without_runs_of_one(queue):
    signs = cf.Operator("i4", same="alike", combine="clf_sum", commutative=True,
                        source="bool alike(clf_input a, clf_input b) { return (a.v < 0) == (b.v < 0); }")
    plan = cf.ReduceByKeyPlan(queue, signs, nontrivial=True)
    assert plan(to(queue, np.array([1, 2, -3, 4, 5, 6, -7, -8, 9], "i4"))).get().tolist() == [3, 15, -15]


def test_by_key_of_tuples(queue):
    pairs, keys = affine(500), np.repeat(np.arange(5, dtype="i4"), 100)
    groups, found = cf.reduce_by_key(to(queue, keys), fields(queue, pairs), **AFFINE)
    expected = [affine_scan(pairs[100 * group:100 * group + 100])[-1] for group in range(5)]
    assert list(zip(found.m.get().tolist(), found.c.get().tolist())) == [tuple(one.tolist()) for one in expected]


def test_histograms(queue):
    x, weights = integers(5000, -3, 70), integers(5000, seed=3)
    inside = (x >= 0) & (x < 64)
    assert np.array_equal(cf.histogram(to(queue, x), 64).get(), np.bincount(x[inside], minlength=64))
    assert np.array_equal(cf.histogram(to(queue, x), 64, weights=to(queue, weights)).get(),
                          np.bincount(x[inside], weights[inside], 64).astype("i4"))
    numbers = np.random.default_rng(4).random(5000).astype("f4") * 3 - 1
    numbers[:4] = np.nan, np.inf, -np.inf, 1e30
    expected = np.histogram(numbers[4:][numbers[4:] < 1], 8, (0, 1))[0]
    assert np.array_equal(cf.histogram(to(queue, numbers), 8, (0, 1)).get(), expected)
    rows = np.abs(x[:4998]).reshape(3, 1666) % 8
    expected = [np.bincount(row, minlength=8) for row in rows]
    assert np.array_equal(cf.histogram(to(queue, rows), 8, axis=-1).get(), expected)


def test_by_index(queue):
    index, values = integers(5000, -1, 33), integers(5000, seed=2)
    expected = np.zeros(32, "i4")
    good = (index >= 0) & (index < 32)
    np.add.at(expected, index[good], values[good])
    out = cf.reduce_by_index(to(queue, index), to(queue, values), 32)
    assert np.array_equal(out.get(), expected)
    cf.reduce_by_index(to(queue, index), to(queue, values), 32, out=out, update=True)
    assert np.array_equal(out.get(), 2 * expected)
    with pytest.raises(ValueError, match="out="):
        cf.reduce_by_index(to(queue, index), to(queue, values), 32, update=True)


FINISHED = dict(input={"x": "f4"}, map="one", combine="clf_sum", commutative=True, finish="finish")
ONE = "clf_value one(clf_input in, ulong i) { return (clf_value){in.x, 1}; }\n"


def test_means_by_finish(queue):
    x = integers(600).astype("f4").reshape(30, 20)
    mean = cf.Operator({"sum": "f4", "count": "u4"}, result="f4", **FINISHED,
                       source=ONE + "clf_result finish(clf_value a, ulong i) { return (clf_result){a.sum / a.count}; }")
    assert np.array_equal(cf.reduce(to(queue, x), mean, axis=-1).get(), x.sum(axis=1, dtype="f4") / np.float32(20))
    running = cf.Operator({"sum": "f4", "count": "u4"}, result={"at": "u8", "mean": "f4"}, **FINISHED, source=ONE + """
clf_result finish(clf_value a, clf_value before, clf_input x, ulong i) { return (clf_result){i, a.sum / a.count}; }""")
    found = cf.scan(to(queue, x[0]), running)
    assert np.array_equal(found.mean.get(), np.cumsum(x[0]) / np.arange(1, 21, dtype="f4"))
    assert np.array_equal(found.at.get(), np.arange(20))


def test_means_of_runs_and_bins(queue):
    index, x = np.sort(integers(300, 0, 9)), integers(300, seed=2).astype("f4")
    parts = dict(input={"bin": "i4", "x": "f4"}, result="f4", combine="clf_sum", commutative=True, map="one", finish="mean",
                 same="alike", source="""
clf_value one(clf_input in, ulong i) { return (clf_value){in.x, 1}; }
bool alike(clf_input a, clf_input b) { return a.bin == b.bin; }
clf_result mean(clf_value a, ulong i) { return (clf_result){a.sum / a.count + i}; }""")
    runs = cf.Operator({"sum": "f4", "count": "u4"}, **parts)
    bins = cf.Operator({"sum": "f4", "count": "u4"}, **dict(parts, same=None))
    keys = np.unique(index)
    means = np.array([x[index == key].sum(dtype="f4") / np.float32((index == key).sum()) for key in keys], "f4")
    arrays = to(queue, index), to(queue, x)
    assert np.array_equal(cf.ReduceByKeyPlan(queue, runs)(arrays).get(), means + np.arange(keys.size, dtype="f4"))
    found = cf.ReduceByIndexPlan(queue, bins)(arrays, 9).get()
    assert np.array_equal(found[keys], means + keys.astype("f4"))
    with pytest.raises(cf.Error, match="clf_operator.finish"):
        cf.ReduceByIndexPlan(queue, bins, update=True)
