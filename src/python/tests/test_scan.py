# SPDX-License-Identifier: MIT
import itertools

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from helpers import AFFINE, SIZES, affine, affine_scan, fields, inside, integers, to

import pyclfold as cf


@pytest.mark.parametrize("n", SIZES)
def test_sums(queue, n):
    x = integers(n)
    device = to(queue, x)
    assert np.array_equal(cf.scan(device).get(), np.cumsum(x, dtype="i4"))
    shifted = np.cumsum(np.append(7, x), dtype="i4")[:-1]
    assert np.array_equal(cf.scan(device, exclusive=True, initial=7).get(), shifted)
    assert np.array_equal(device.get(), x)


@pytest.mark.parametrize("n", [0, 1, 257, 20001])
def test_from_the_right(queue, n):
    x = integers(n)
    device = to(queue, x)
    assert np.array_equal(cf.scan(device, reverse=True).get(), np.cumsum(x[::-1], dtype="i4")[::-1])
    before = np.cumsum(np.append(x[1:], 7 if n else [])[::-1], dtype="i4")[::-1]
    assert np.array_equal(cf.scan(device, reverse=True, exclusive=True, initial=7).get(), before)


@pytest.mark.parametrize("n", [0, 1, 257, 20001])
def test_operator_that_does_not_commute(queue, n):
    pairs = affine(n)
    found = cf.scan(fields(queue, pairs), **AFFINE)
    expected = affine_scan(pairs)
    assert np.array_equal(found.m.get(), expected["m"]) and np.array_equal(found.c.get(), expected["c"])
    structs = cf.scan(to(queue, pairs), **AFFINE)
    assert structs.dtype == pairs.dtype and np.array_equal(structs.get(), expected)


def test_initial_values_of_tuples(queue):
    pairs = affine(1000)
    expected = affine_scan(pairs, (3, 5))
    for initial in ((3, 5), {"c": 5, "m": 3}):
        found = cf.scan(fields(queue, pairs), initial=initial, **AFFINE)
        assert np.array_equal(found.c.get(), expected["c"])
    on_device = to(queue, np.array([3], "u4")), to(queue, np.array([5], "u4"))
    for initial in (on_device, dict(zip("mc", on_device))):
        assert np.array_equal(cf.scan(fields(queue, pairs), initial=initial, **AFFINE).c.get(), expected["c"])


def test_matrices(queue):
    """2 x 2 matrices as one vector each, modulo 2^32."""
    n = 5000
    x = integers(4 * n, 0, 5, "u4").reshape(n, 4)
    vectors = cla.to_device(queue, np.ascontiguousarray(x).view(cl.cltypes.uint4).reshape(n))
    found = cf.scan(vectors, "(uint4)(a.s0 * b.s0 + a.s1 * b.s2, a.s0 * b.s1 + a.s1 * b.s3, "
                             "a.s2 * b.s0 + a.s3 * b.s2, a.s2 * b.s1 + a.s3 * b.s3)", neutral="(uint4)(1, 0, 0, 1)")
    expected, product = np.zeros((n, 2, 2), "u4"), np.eye(2, dtype="u4")
    for at in range(n):
        product = product @ x[at].reshape(2, 2)
        expected[at] = product
    assert np.array_equal(found.get().view("u4").reshape(n, 2, 2), expected)


def test_slices_in_place_and_out(queue):
    x = integers(5000)
    whole, part = inside(queue, x)
    before = whole.get()
    out, there = inside(queue, np.zeros(5000, "i4"), 1, 2)
    result = out[there]
    assert cf.scan(whole[part], out=result) is result
    assert np.array_equal(result.get(), np.cumsum(x, dtype="i4"))
    assert out.get()[0] == 77 and list(out.get()[-2:]) == [77, 77]
    cf.scan(whole[part], out=whole[part])
    before[part] = np.cumsum(x, dtype="i4")
    assert np.array_equal(whole.get(), before)


@pytest.mark.parametrize("shape", [(3, 1000), (70, 5), (1, 1), (0, 4), (4, 0), (2, 3, 7)])
def test_rows(queue, shape):
    x = integers(int(np.prod(shape))).reshape(shape)
    assert np.array_equal(cf.scan(to(queue, x), axis=-1).get(), np.cumsum(x, axis=-1, dtype="i4"))
    assert np.array_equal(cf.scan(to(queue, x)).get(), np.cumsum(x, dtype="i4"))


def segments(n, seed=5):
    """Offsets of segments, some of them empty."""
    cuts = np.sort(np.random.default_rng(seed).integers(0, n + 1, 40))
    return np.concatenate([[0], cuts, [n]]).astype("u4")


def test_segments(queue):
    n = 3000
    x, offsets = integers(n), segments(n)
    expected = np.concatenate([np.cumsum(x[a:b], dtype="i4") for a, b in zip(offsets, offsets[1:])])
    heads = np.zeros(n, "u1")
    heads[offsets[:-1][offsets[:-1] < n]] = 1
    bits = np.packbits(np.append(heads, np.zeros(-n % 32, "u1")), bitorder="little").view("u4")
    device = to(queue, x)
    for told in (dict(offsets=offsets), dict(offsets=offsets.astype("i8")), dict(lengths=np.diff(offsets)),
                 dict(flags=heads), dict(bits=bits), dict(keys=np.cumsum(heads).astype("i4"))):
        told = {kind: to(queue, array) for kind, array in told.items()}
        assert np.array_equal(cf.scan(device, **told).get(), expected), told


def test_map_and_captured_arrays(queue):
    x, weights = integers(1000), integers(10)
    found = cf.scan(to(queue, x), map="x * c->w[i % 10]", captured={"w": to(queue, weights)})
    assert np.array_equal(found.get(), np.cumsum(x * np.tile(weights, 100), dtype="i4"))
    assert np.array_equal(cf.scan(to(queue, x), dtype="i8").get(), np.cumsum(x.astype("i8")))


def test_size_on_the_device(queue):
    x = integers(5000)
    count = to(queue, np.array([1234], "u8"))
    out = cla.zeros(queue, 5000, "i4")
    cf.scan(to(queue, x), out=out, actual=count)
    assert np.array_equal(out.get(), np.append(np.cumsum(x[:1234], dtype="i4"), np.zeros(5000 - 1234, "i4")))


def test_extra_outputs(queue):
    both = cf.Operator("i4", input="i4", extra={"twice": "i4"}, map="m", combine="clf_sum", commutative=True,
                       source="clf_value m(clf_input x, ulong i, clf_extra *e) { e->twice = 2 * x.v;"
                              "clf_value r = {x.v}; return r; }")
    x = integers(3000)
    sums, extra = cf.ScanPlan(queue, both)(to(queue, x))
    assert np.array_equal(sums.get(), np.cumsum(x, dtype="i4")) and np.array_equal(extra.twice.get(), 2 * x)


def test_names_and_numpy_functions(queue):
    x = to(queue, integers(1000))
    assert np.array_equal(cf.scan(x, np.maximum).get(), np.maximum.accumulate(x.get()))
    assert cf.context(queue).plans and len({id(cf.context(queue)), id(cf.context(x.queue))}) == 1


def test_plans_are_kept(queue):
    x = to(queue, integers(10))
    cf.scan(x, "a+b", neutral=0)
    before = len(cf.context(queue).plans)
    cf.scan(x, "a+b", neutral=0)
    assert len(cf.context(queue).plans) == before


def test_plans_that_repeat(queue):
    sums, repeatable = cf.operator("sum", "f4"), {"repeatable": True}
    binned = cf.Operator("f4", input={"bin": "u4", "x": "f4"}, map="of", combine="clf_sum", commutative=True,
                         source="clf_value of(clf_input x, ulong i) { return (clf_value){x.x}; }")
    runs = cf.Operator("f4", input={"bin": "u4", "x": "f4"}, map="of", combine="clf_sum", same="alike",
                       source="clf_value of(clf_input x, ulong i) { return (clf_value){x.x}; }"
                              "bool alike(clf_input a, clf_input b) { return a.bin == b.bin; }")
    for plan, operator, variant in ((cf.ScanPlan, sums, "serial"), (cf.ReducePlan, sums, None),
                                    (cf.ReduceByKeyPlan, runs, "serial"), (cf.ReduceByIndexPlan, binned, "local")):
        plan(queue, operator, **repeatable)
        if variant:
            with pytest.raises(cf.Error, match="CLF_REPEATABLE"):
                plan(queue, operator, variant=variant, **repeatable)


CENTRED = cf.Operator({"x": "i4"}, source="""
clf_result centre(clf_value a, clf_value before, clf_input in, ulong i, ulong s, const clf_captured *c)
{ return (clf_result){in.x - c->most[s], (uint)s}; }""",
                      captured={"most": "i4"}, result={"x": "i4", "at": "u4"}, combine="clf_sum", finish="centre",
                      commutative=True, with_segment=True)


def test_numbers_of_segments(queue):
    x, offsets = integers(1000), np.array([0, 0, 3, 40, 40, 999, 1000, 1000], "u4")
    number = np.searchsorted(offsets, np.arange(1000), side="right") - 1
    most = np.arange(7, dtype="i4") * 100
    found = cf.scan(to(queue, x), CENTRED, offsets=to(queue, offsets), captured={"most": to(queue, most)})
    assert np.array_equal(found.x.get(), x - most[number]) and np.array_equal(found.at.get(), number)
    rows = cf.scan(to(queue, x.reshape(10, 100)), CENTRED, axis=1, captured={"most": to(queue, integers(10))})
    assert np.array_equal(rows.at.get().ravel(), np.arange(1000) // 100)
    assert CENTRED != cf.Operator({"x": "i4"}, combine="clf_sum")


PRODUCTS = cf.Operator("u4", captured={"m": "u4"}, combine="times", neutral="one", combine_captures=True, source="""
clf_value times(clf_value a, clf_value b, const clf_captured *c) { return (clf_value){a.v * b.v % c->m[0]}; }
clf_value one(void) { return (clf_value){1}; }""")


def test_captured_by_combine(queue):
    x, m = integers(1000).astype("u4") % 9 + 1, to(queue, np.array([1009], "u4"))
    expected = np.array(list(itertools.accumulate(x.tolist(), lambda a, b: a * b % 1009)), "u4")
    assert np.array_equal(cf.scan(to(queue, x), PRODUCTS, captured=m).get(), expected)
    assert cf.reduce(to(queue, x), PRODUCTS, captured=m).get() == expected[-1]
    both = cf.scan(to(queue, x), cf.join([PRODUCTS, cf.operator("sum", "u4")]), captured=m)
    assert np.array_equal(both[0].get(), expected) and np.array_equal(both[1].get(), np.cumsum(x, dtype="u4"))


def test_denormals_as_zero(queue):
    x = integers(1000).astype("f4")
    plain, total = (cf.Operator("f4", combine="clf_sum", denorms_are_zero=zero) for zero in (False, True))
    assert np.array_equal(cf.scan(to(queue, x), total).get(), np.cumsum(x)) and total != plain
    assert cf.join([total, total]).denorms_are_zero and not cf.join([total, plain]).denorms_are_zero


def test_segments_from_the_right(queue):
    x, offsets = integers(1000), np.array([0, 0, 3, 40, 40, 999, 1000], "u4")
    found = cf.scan(to(queue, x), reverse=True, offsets=to(queue, offsets))
    parts = [np.cumsum(part[::-1], dtype="i4")[::-1] for part in np.split(x, offsets[1:-1])]
    assert np.array_equal(found.get(), np.concatenate(parts))


def test_places(queue):
    x = integers(60).astype("i4").reshape(6, 10)
    turned = cf.Operator("i4", combine="clf_sum", place="to", captured={"w": "u4"}, source="""
ulong to(clf_value a, clf_value b, clf_input x, ulong i, const clf_captured *c)
{ return i % 10 < c->w[0] ? i % 10 * 6 + i / 10 : CLF_NOWHERE; }""")
    w = to(queue, np.array([7], "u4"))
    out, count = cla.zeros(queue, 40, "i4"), cla.zeros(queue, 1, "u8")
    found = cf.ScanPlan(queue, turned, segments="rows").placed(to(queue, x), out, count=count, captured=w)
    assert found is out and count.get()[0] == 42
    assert np.array_equal(out.get(), np.cumsum(x, axis=1, dtype="i4")[:, :7].T.ravel()[:40])
    out, offsets, count = cla.zeros(queue, 60, "i4"), to(queue, np.arange(0, 61, 10, dtype="u4")), count.fill(0)
    told = cf.ScanPlan(queue, turned, segments="offsets", segment_dtype="u4")
    told.placed(to(queue, x.ravel()), out, count=count, captured=w, segments=offsets)
    assert count.get()[0] == 42 and not out.get()[42:].any()
    assert np.array_equal(out.get()[:42], np.cumsum(x, axis=1, dtype="i4")[:, :7].T.ravel())
    with pytest.raises(cf.Error, match="has no place"):
        cf.ScanPlan(queue, cf.operator("sum", "i4")).placed(to(queue, x), cla.zeros(queue, 60, "i4"))
