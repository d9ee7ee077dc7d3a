# SPDX-License-Identifier: MIT
"""Fields that are arrays: of NumPy's arrays of shape (n, N) an element is a row."""
import numpy as np
import pyopencl.array as cla
import pytest
from helpers import SIZES, integers, to

import pyclfold as cf

ROW = np.dtype(("i4", 5))
SUMS = cf.operator("sum", {"a": ROW})
#: Products of matrices of 2 times 2, which do not commute, beside a count.
PRODUCT = cf.Operator(
    {"m": ("u4", (2, 2)), "n": "u2"}, combine="times", neutral="one", extra={"twice": ("i1", 3)}, map="made",
    input={"m": ("u4", (2, 2)), "x": ("i1", 3)},
    source="clf_value one(void) { clf_value e = {{{1, 0, 0, 1}}}; return e; }"
           "clf_value times(clf_value a, clf_value b) { clf_value r; for (int i = 0; i < 4; ++i)"
           " r.m[i] = a.m[i / 2 * 2] * b.m[i % 2] + a.m[i / 2 * 2 + 1] * b.m[i % 2 + 2];"
           " r.n = a.n + b.n; return r; }"
           "clf_value made(clf_input x, ulong i, clf_extra *e) { clf_value v; for (int k = 0; k < 4; ++k)"
           " v.m[k] = x.m[k]; for (int k = 0; k < 3; ++k) e->twice[k] = 2 * x.x[k]; v.n = 1; return v; }")


def rows(n, width=5, dtype="i4", seed=1):
    return integers(n * width, dtype=dtype, seed=seed).reshape(n, width)


def products(matrices):
    out, total = np.empty_like(matrices), np.eye(2, dtype="u4")
    for at, matrix in enumerate(matrices):
        out[at] = total = total @ matrix
    return out


@pytest.mark.parametrize("n", SIZES[:-1])
def test_scans(queue, n):
    x = rows(n)
    sums = np.cumsum(x, axis=0, dtype="i4")
    assert np.array_equal(cf.scan({"a": to(queue, x)}, SUMS).a.get(), sums)
    on_device = to(queue, x)
    cf.scan((on_device,), SUMS, out=(on_device,))
    assert np.array_equal(on_device.get(), sums)
    start = np.arange(5, dtype="i4")
    out = cf.scan((to(queue, x),), SUMS, exclusive=True, initial=(start,)).a.get()
    assert out.shape == (n, 5) and np.array_equal(out, np.concatenate([[start], sums[:-1] + start])[:n])
    mine = cf.scan((to(queue, x),), SUMS, reverse=True, initial=(to(queue, start),)).a.get()
    assert np.array_equal(mine, np.cumsum(x[::-1], axis=0, dtype="i4")[::-1] + start)


def test_one_field_by_itself(queue):
    x, sums = rows(700), cf.operator("sum", ROW)
    assert np.array_equal(cf.scan(to(queue, x), sums).get(), np.cumsum(x, axis=0, dtype="i4"))
    assert np.array_equal(cf.reduce(to(queue, x), sums, initial=np.ones(5, "i4")).get(), x.sum(0) + 1)
    assert np.array_equal(cf.reduce(to(queue, x), cf.operator("max", ROW)).get(), x.max(0))


@pytest.mark.parametrize("n", [1, 256, 3001])
def test_matrices_beside_numbers_and_extras(queue, n):
    m, x = rows(n, 4, "u4").reshape(n, 2, 2), rows(n, 3, "i1")
    found, extra = cf.scan({"m": to(queue, m), "x": to(queue, x)}, PRODUCT)
    assert found.m.shape == (n, 2, 2) and np.array_equal(found.m.get(), products(m))
    assert np.array_equal(found.n.get(), np.arange(1, n + 1)) and np.array_equal(extra.twice.get(), 2 * x)
    wanted, extra = cf.reduce((to(queue, m), to(queue, x)), PRODUCT, wanted="m")
    assert np.array_equal(wanted.get(), products(m)[-1]) and np.array_equal(extra.twice.get(), 2 * x)


def test_rows_and_segments(queue):
    x, at = rows(6000), np.array([0, 0, 7, 1000, 1001, 6000], "u4")
    grid = x.reshape(20, 300, 5)
    for axis in (0, 1, -1):
        sums = np.cumsum(grid, axis=axis % 2, dtype="i4")
        assert np.array_equal(cf.scan({"a": to(queue, grid)}, SUMS, axis=axis).a.get(), sums)
        assert np.array_equal(cf.reduce({"a": to(queue, grid)}, SUMS, axis=axis).a.get(), grid.sum(axis % 2))
    parts = [x[start:end] for start, end in zip(at, at[1:])]
    told = dict(offsets=to(queue, at))
    assert np.array_equal(cf.reduce((to(queue, x),), SUMS, **told).a.get(), [part.sum(0) for part in parts])
    assert np.array_equal(cf.scan((to(queue, x),), SUMS, **told).a.get(),
                          np.concatenate([np.cumsum(part, axis=0, dtype="i4") for part in parts]))
    flags = np.zeros(6000, "u1")
    flags[at[:-1]] = 1
    assert np.array_equal(cf.reduce((to(queue, x),), SUMS, flags=to(queue, flags)).a.get(),
                          [part.sum(0) for part in parts if len(part)])


def test_keys_bins_and_differences(queue):
    x, keys = rows(5000), np.sort(integers(5000, 0, 90, "u4", 2))
    fields = dict(input={"key": "u4", "a": ROW}, map="take", combine="clf_sum", commutative=True)
    take = "for (int k = 0; k < 5; ++k) v.a[k] = x.a[k]; return v; }"
    sums = np.array([x[keys == key].sum(0) for key in range(90)])
    by_key = cf.Operator({"a": ROW}, extra={"key": "u4"}, same="same", **fields, source="clf_value take(clf_input x,"
                         " ulong i, clf_extra *e) { clf_value v; e->key = x.key; " + take +
                         "bool same(clf_input a, clf_input b) { return a.key == b.key; }")
    found, totals = cf.ReduceByKeyPlan(queue, by_key)((to(queue, keys), to(queue, x)))
    assert np.array_equal(totals.a.get(), sums[np.unique(keys)]) and np.array_equal(found.key.get(), np.unique(keys))
    by_index = cf.Operator({"a": ROW}, **fields, source="clf_value take(clf_input x, ulong i) { clf_value v; " + take)
    mine = cf.ReduceByIndexPlan(queue, by_index)((to(queue, keys), to(queue, x)), 90)
    assert np.array_equal(mine.a.get(), sums)
    minus = cf.Operator({"a": ROW}, combine="minus", neutral="zero", source="clf_value zero(void) { clf_value v = {{{0}}};"
                        " return v; } clf_value minus(clf_value a, clf_value b) { for (int k = 0; k < 5; ++k)"
                        " b.a[k] -= a.a[k]; return b; }")
    differences = cf.DifferencePlan(queue, minus)((to(queue, x),)).a.get()
    assert np.array_equal(differences, np.diff(x, axis=0, prepend=np.zeros((1, 5), "i4")))


def test_filters(queue):
    x = rows(4000)
    kept = cf.SelectPlan(queue, "filter", cf.Operator({"a": ROW}, predicate="kept", source="bool kept(clf_input x, ulong i)"
                         " { return x.a[4] > 0; }"))((to(queue, x),))
    assert np.array_equal(kept.a.get(), x[x[:, 4] > 0])


def test_payloads_and_moves(queue):
    x, keys = rows(3000), integers(3000)
    found = cf.SortPlan(queue, cf.Operator({"key": "i4", "a": ROW}))((to(queue, keys), to(queue, x)))
    order = np.argsort(keys, kind="stable")
    assert np.array_equal(found.a.get(), x[order]) and np.array_equal(found.key.get(), keys[order])
    gather = cf.MovePlan(queue, {"a": ROW}, "u4")
    assert np.array_equal(gather((to(queue, x),), to(queue, order.astype("u4"))).a.get(), x[order])
    out = cla.zeros(queue, (3000, 5), "i4")
    cf.MovePlan(queue, {"a": ROW}, "u4", scatter=True)({"a": to(queue, x)}, to(queue, order.astype("u4")), out=(out,))
    assert np.array_equal(out.get()[order], x)


def test_merges_searches_and_top_k(queue):
    less = cf.Operator({"a": ROW}, less="below", source="bool below(clf_value x, clf_value y) { return x.a[0] < y.a[0]; }")
    x, y = (part[np.argsort(part[:, 0], kind="stable")] for part in (rows(700), rows(1100, seed=2)))
    both = np.concatenate([x, y])
    merged = cf.MergePlan(queue, less)((to(queue, x),), (to(queue, y),)).a.get()
    assert np.array_equal(merged, both[np.argsort(both[:, 0], kind="stable")])
    assert np.array_equal(cf.SearchPlan(queue, less)((to(queue, x),), (to(queue, y),)).get(), np.searchsorted(x[:, 0], y[:, 0]))
    assert cf.IsSortedPlan(queue, less)((to(queue, x),)).get() == 700
    keyed = cf.Operator({"a": ROW}, key="int first", source="int first(clf_value x) { return x.a[0]; }")
    assert np.array_equal(cf.TopKPlan(queue, keyed)((to(queue, x),), 9, axis=None).a.get(),
                          x[np.argsort(-x[:, 0], kind="stable")][:9])
    found, at = cf.IrregularTopKPlan(queue, keyed, "offsets", "u4", largest=False)(
        (to(queue, y),), 3, to(queue, np.array([0, 2, 1100], "u4")))
    assert np.array_equal(found.a.get(), np.concatenate([y[:2], y[2:5]])) and at.get().tolist() == [0, 2, 5]


def test_expansions(queue):
    made = cf.Operator({"a": ROW}, map="many", source="clf_value many(clf_input at, ulong i) { clf_value v;"
                       " for (int k = 0; k < 5; ++k) v.a[k] = 10 * at.segment + k; return v; }")
    counts, wanted = np.array([2, 0, 3], "u4"), np.add.outer([0, 0, 20, 20, 20], np.arange(5))
    plan, out = cf.ExpandPlan(queue, made, "lengths", "u4"), cla.zeros(queue, (5, 5), "i4")
    assert np.array_equal(plan(to(queue, counts)).a.get(), wanted)
    plan(to(queue, counts), out=(out,))
    assert np.array_equal(out.get(), wanted)


def test_functions_that_describe_rows(queue):
    x, keys = rows(3000), np.sort(integers(3000, 0, 90, "i4", 2))
    k, both = to(queue, keys), {"a": to(queue, x), "k": to(queue, keys)}
    sums = np.array([x[keys == key].sum(0) for key in range(90)])
    found, totals = cf.reduce_by_key(k, to(queue, x))
    assert np.array_equal(found.get(), np.unique(keys)) and np.array_equal(totals.get(), sums[np.unique(keys)])
    _, named = cf.reduce_by_key(k, both, "max")
    assert np.array_equal(named.a.get(), [x[keys == key].max(0) for key in np.unique(keys)])
    assert np.array_equal(cf.reduce_by_index(k, to(queue, x.astype("i1")), 90).get(),
                          [x[keys == key].astype("i1").sum(0, dtype="i8") for key in range(90)])
    assert np.array_equal(cf.scan(both).a.get(), np.cumsum(x, axis=0, dtype="i4"))
    assert np.array_equal(cf.reduce(both).a.get(), x.sum(0))
    assert np.array_equal(cf.filter(both, "x.a[1] > x.k").a.get(), x[x[:, 1] > keys])
    assert np.array_equal(cf.filter(both, to(queue, keys > 3)).a.get(), x[keys > 3])
    assert np.array_equal(cf.unique(both, "a.k == b.k").a.get(), x[np.unique(keys, return_index=True)[1]])
    few, many = cf.partition(both, "x.k < 40")
    assert np.array_equal(few.a.get(), x[keys < 40]) and np.array_equal(many.a.get(), x[keys >= 40])
    assert np.array_equal(cf.split(both, "x.k / 30", 3)[0].a.get(), x)
    order = np.argsort(x[:, 2], kind="stable")
    assert np.array_equal(cf.sort(both, key="a.a[2]", key_dtype="i4").a.get(), x[order])
    assert np.array_equal(cf.merge_sort(both, "a.a[2] < b.a[2]").k.get(), keys[order])
    assert np.array_equal(cf.top_k(both, 9, key="a.a[2]", key_dtype="i4", largest=False).a.get(), x[order[:9]])
    assert cf.is_sorted(both, "a.k < b.k") and not cf.is_sorted(both, "a.a[0] < b.a[0]")
    assert np.array_equal(cf.merge(both, both, "a.k < b.k").k.get(), np.sort(np.concatenate([keys, keys])))
    assert np.array_equal(cf.searchsorted(both, both, less="a.k < b.k").get(), np.searchsorted(keys, keys))
    assert np.array_equal(cf.gather(both, to(queue, order.astype("u4"))).a.get(), x[order])
    assert np.array_equal(cf.repeat(both, 2).a.get(), np.repeat(x, 2, axis=0))


def test_arrays_of_structs_with_array_fields(queue):
    x = np.zeros(500, [("key", "i4"), ("a", "f4", 3)])
    x["key"], x["a"] = integers(500), rows(500, 3)
    assert np.array_equal(cf.filter(to(queue, x), "x.a[2] > x.key").get(), x[x["a"][:, 2] > x["key"]])
    assert np.array_equal(cf.sort(to(queue, x), key="a.a[1]", key_dtype="f4").get(), x[np.argsort(x["a"][:, 1], kind="stable")])


def test_joined_and_in_the_middle_of_a_buffer(queue):
    x = rows(900)
    both = cf.join([SUMS, cf.operator("max", {"a": ROW})])
    sums, most = cf.reduce((to(queue, x)[7:],), both)
    assert np.array_equal(sums.get(), x[7:].sum(0)) and np.array_equal(most.get(), x[7:].max(0))


@pytest.mark.parametrize("call, message", [
    (lambda x: cf.scan((x.reshape(5, 20),), SUMS), r"the input has shape \(5, 20\), and elements of shape \(5,\)"),
    (lambda x: cf.scan((x.reshape(100),), SUMS), r"the input has shape \(100,\)"),
    (lambda x: cf.scan((x.astype("f4"),), SUMS), "the input is of float32, and int32 is wanted"),
    (lambda x: cf.scan((x.reshape(5, 20).T,), SUMS), "the input is not contiguous in C order"),
    (lambda x: cf.scan((x.get(),), SUMS), "no pyopencl.array.Array"),
    (lambda x: cf.scan((x,), SUMS, out=(cla.zeros(x.queue, (19, 5), "i4"),)), "out has 19 elements, and 20 are wanted"),
    (lambda x: cf.scan((x,), SUMS, initial=(3,)), r"an initial value of shape \(\) for an array of shape \(5,\)"),
    (lambda x: cf.operator("a + b", {"a": ROW}, neutral=0), "a is an array, which no expression makes: write neutral"),
    (lambda x: cf.ScanPlan(x.queue, cf.operator("sum", {"a": ("f8", 9)})), "an array has at most 64 bytes"),
    (lambda x: cf.ScanPlan(x.queue, cf.operator("sum", {"a": ("c8", 3)})), "arrays are of scalars"),
    (lambda x: cf.SortPlan(x.queue, cf.Operator({"a": ROW})), "the key, and must be a scalar"),
    (lambda x: cf.sort((x, x.ravel()[:20])), "the key, and must be a scalar"),
    (lambda x: cf.group_by(x.ravel()[:20], x), r"values has 100 elements, and 20 are wanted \(of shape \(20, 5\)"),
    (lambda x: cf.reduce_by_key(x.ravel()[:20], x, "a + b", neutral=0), "v is an array, which no expression makes"),
    (lambda x: cf.reduce_by_key(x.ravel()[:20], x, dtype="i8"), r"elements of shape \(5,\) have no totals of shape \(\)"),
])
def test_refused(queue, call, message):
    with pytest.raises((TypeError, ValueError, cf.Error), match=message):
        call(to(queue, rows(20)))
