# SPDX-License-Identifier: MIT
"""Calls along any axis, against NumPy's along the same."""
import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from helpers import AFFINE, PAIR, affine, affine_scan, fields, inside, integers, to
from pyopencl.tools import ImmediateAllocator, MemoryPool

import pyclfold as cf
from pyclfold.shapes import AxisError

SHAPES = [(40, 30), (2, 30, 7), (2, 3, 5, 4), (1, 5), (5, 1), (3, 1, 4), (0, 4), (4, 0), (2, 0, 3), (6,)]
OUT_OF_ORDER = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
AXES = [(shape, axis) for shape in SHAPES for axis in range(-len(shape), len(shape))]


def same(found, expected):
    assert found.shape == expected.shape and np.array_equal(found.get(), expected), (found.shape, expected.shape)


def lines(function, *arrays, axis):
    """The same of each line: of arrays whose last axis it is, put back where it was."""
    return np.moveaxis(function(*(np.moveaxis(array, axis, -1) for array in arrays)), -1, axis)


@pytest.mark.parametrize("shape,axis", AXES)
def test_shapes(queue, shape, axis):
    x = integers(int(np.prod(shape)), -50, 50).reshape(shape)
    device, k = to(queue, x), 2
    same(cf.scan(device, axis=axis), np.cumsum(x, axis=axis, dtype="i4"))
    same(cf.reduce(device, axis=axis), x.sum(axis=axis, dtype="i4"))
    same(cf.adjacent_difference(device, axis=axis, initial=0), np.diff(x, axis=axis, prepend=0))
    same(cf.sort(device, axis=axis), np.sort(x, axis=axis))
    same(cf.argsort(device, axis=axis), np.argsort(x, axis=axis, kind="stable").astype("u4"))
    least = lines(lambda rows: rows[..., :k], np.sort(x, axis=axis), axis=axis)
    order = lines(lambda rows: rows[..., :k], np.argsort(x, axis=axis, kind="stable"), axis=axis)
    same(cf.top_k(device, k, axis=axis, largest=False), least)
    values, at = cf.arg_top_k(device, k, axis=axis, largest=False)
    same(values, least)
    same(at, order.astype("u4"))
    assert np.array_equal(device.get(), x)


@pytest.mark.parametrize("axis", [0, 1, 2, -2])
def test_bins(queue, axis):
    shape = 3, 20, 4
    index, values = integers(240, -1, 6).reshape(shape), integers(240, seed=2).reshape(shape)
    counts = lines(lambda rows: np.stack([(rows == b).sum(-1) for b in range(5)], -1), index, axis=axis)
    same(cf.histogram(to(queue, index), 5, axis=axis), counts.astype("u4"))
    sums = lines(lambda at, of: np.stack([(of * (at == b)).sum(-1) for b in range(5)], -1), index, values, axis=axis)
    found = cf.reduce_by_index(to(queue, index), to(queue, values), 5, axis=axis)
    same(found, sums.astype("i4"))
    cf.reduce_by_index(to(queue, index), to(queue, values), 5, axis=axis, out=found, update=True)
    same(found, 2 * sums.astype("i4"))


def test_tuples_and_structs(queue):
    """An operator that does not commute; elements of 8 bytes, and such as are transposed in pieces."""
    pairs = affine(300).reshape(4, 25, 3)
    expected = lines(lambda rows: np.stack([affine_scan(row) for row in rows.reshape(12, 25)]).reshape(4, 3, 25), pairs,
                     axis=1)
    found = cf.scan(fields(queue, pairs), axis=1, **AFFINE)
    same(found.m, expected["m"])
    same(found.c, expected["c"])
    structs = cf.scan(to(queue, pairs), axis=1, **AFFINE)
    assert structs.dtype == PAIR
    same(structs, expected)
    totals = cf.reduce(fields(queue, pairs), axis=-2, **AFFINE)
    same(totals.c, expected["c"][:, -1])
    keys, payload = integers(60, 0, 5).reshape(20, 3), np.arange(60, dtype="f4").reshape(20, 3)
    order = np.argsort(keys, axis=0, kind="stable")
    found = cf.sort((to(queue, keys), to(queue, payload)), axis=0)
    same(found.f0, np.take_along_axis(keys, order, 0))
    same(found.f1, np.take_along_axis(payload, order, 0))
    wide = integers(8 * 2 * 9 * 5, -9, 9).reshape(2, 9, 5, 8)
    vectors = cla.to_device(queue, np.ascontiguousarray(wide).view(cl.cltypes.int8).reshape(2, 9, 5))
    found = cf.scan(vectors, "a + b", neutral="(int8)(0)", axis=1).get()
    assert np.array_equal(found.view("i4").reshape(wide.shape), np.cumsum(wide, axis=1, dtype="i4"))


def test_out_in_place_and_slices(queue):
    x = integers(3 * 40 * 6).reshape(3, 40, 6)
    expected = np.cumsum(x, axis=1, dtype="i4")
    whole, part = inside(queue, x.reshape(-1))
    before = whole.get()
    there = whole[part].reshape(x.shape)
    assert cf.scan(there, axis=1, out=there) is there
    before[part] = expected.reshape(-1)
    assert np.array_equal(whole.get(), before)
    whole, part = inside(queue, x.reshape(-1))
    same(cf.sort(whole[part].reshape(x.shape), axis=1), np.sort(x, axis=1))
    totals = cla.zeros(queue, (3, 6), "i4")
    assert cf.reduce(to(queue, x), axis=1, out=totals) is totals
    same(totals, x.sum(axis=1, dtype="i4"))
    wide = integers(3 * 5 * 4 * 2).reshape(3, 5, 4, 2)  # of long4, in the middle of an array of such
    vectors = np.ascontiguousarray(wide).astype("i8").repeat(2, -1).view(cl.cltypes.long4).reshape(-1)
    whole = cla.to_device(queue, np.concatenate([vectors[:3], vectors]))
    found = cf.scan(whole[3:].reshape(3, 5, 4), "max(a, b)", neutral="(long4)(LONG_MIN)", axis=1).get()
    assert np.array_equal(found.view("i8").reshape(3, 5, 4, 4),
                          np.maximum.accumulate(wide.astype("i8").repeat(2, -1), axis=1))


def test_options(queue):
    x = integers(2 * 30 * 5).reshape(2, 30, 5)
    device = to(queue, x)
    shifted = np.cumsum(np.insert(x, 0, 7, axis=1), axis=1, dtype="i4")[:, :-1]
    same(cf.scan(device, axis=1, exclusive=True, initial=7), shifted)
    same(cf.reduce(device, "max", axis=1, initial=to(queue, np.array([60], "i4"))), x.max(axis=1, initial=60))
    weights = to(queue, np.arange(30, dtype="i4"))
    found = cf.reduce(device, axis=1, map="x * c->w[i % 30]", captured={"w": weights})  # i is the place in its line
    same(found, (x * np.arange(30)[:, None]).sum(1).astype("i4"))
    out = cla.zeros(queue, x.shape, "i4") - 1
    cf.scan(device, axis=1, out=out, actual=to(queue, np.array([7], "u8")))  # lines there really are
    flat = np.arange(10).reshape(2, 1, 5) < 7
    same(out, np.where(flat, np.cumsum(x, axis=1, dtype="i4"), -1))
    doubled = cf.Operator("i4", input="i4", extra={"twice": "i4"}, map="m", combine="clf_sum", commutative=True,
                          source="clf_value m(clf_input x, ulong i, clf_extra *e) { e->twice = 2 * x.v;"
                                 "clf_value r = {x.v}; return r; }")
    totals, extra = cf.ReducePlan(queue, doubled)(device, axis=1)
    same(totals, x.sum(axis=1, dtype="i4"))
    assert np.array_equal(extra.twice.get().reshape(x.shape), 2 * x)


def test_plans(queue):
    x = integers(4 * 50 * 3).reshape(4, 50, 3)
    device = to(queue, x)
    plan = cf.ScanPlan(queue, cf.operator("sum", "i4"), segments="rows")
    for axis in (None, 0, 1, -1):
        same(plan(device, axis=axis), np.cumsum(x, axis=-1 if axis is None else axis, dtype="i4"))
    same(cf.SortPlan(queue, cf.Operator("i4"), segments="rows")(device, axis=1), np.sort(x, axis=1))
    with pytest.raises(ValueError, match='segments="rows"'):
        cf.ScanPlan(queue, cf.operator("sum", "i4"))(device, axis=1)


def test_queues_out_of_order(queue):
    """Nothing but events holds the steps of a call together."""
    if not queue.device.queue_properties & OUT_OF_ORDER:
        pytest.skip("the device has no queues out of order")
    free = cl.CommandQueue(queue.context, properties=OUT_OF_ORDER)
    x = integers(3 * 200 * 50).reshape(3, 200, 50)
    gate = cl.UserEvent(queue.context)
    found = cf.sort(cf.scan(to(free, x), axis=1, wait_for=gate), axis=0)
    gate.set_status(cl.command_execution_status.COMPLETE)
    same(found, np.sort(np.cumsum(x, axis=1, dtype="i4"), axis=0))


def test_rooms(queue):
    """What calls need in between is used again by the same queue, if it is in order, and by no other."""
    x = integers(3 * 200 * 50).reshape(3, 200, 50)
    expected = np.cumsum(x, axis=1, dtype="i4")
    rooms = cf.context(queue).rooms
    rooms.trim()
    device = to(queue, x)
    assert all(np.array_equal(cf.scan(device, axis=1).get(), expected) for _ in range(3))
    mine = [buffer.int_ptr for _, _, buffer in rooms._idle]
    assert len(mine) == 2  # of the input, and of results
    other = cl.CommandQueue(queue.context)
    same(cf.scan(to(other, x), axis=1), expected)
    assert len({buffer.int_ptr for _, _, buffer in rooms._idle}) == 4
    for n in range(1, 12):  # none fits the next call
        same(cf.reduce(to(queue, np.ones((6**n % 60000, 2), "i4")), axis=0), np.full(2, 6**n % 60000))
    assert len(rooms._idle) <= 8
    cf.context(queue).trim()
    if queue.device.queue_properties & OUT_OF_ORDER:
        free = cl.CommandQueue(queue.context, properties=OUT_OF_ORDER)
        same(cf.scan(to(free, x), axis=1), expected)
    pool = MemoryPool(ImmediateAllocator(queue))
    same(cf.scan(cla.to_device(queue, x, allocator=pool), axis=1), expected)
    assert not rooms._idle


def test_axes_that_there_are_not(queue):
    x = to(queue, integers(24).reshape(2, 3, 4))
    calls = [cf.scan, cf.reduce, cf.sort, cf.argsort, cf.adjacent_difference, lambda x, axis: cf.top_k(x, 1, axis=axis),
             lambda x, axis: cf.arg_top_k(x, 1, axis=axis), lambda x, axis: cf.histogram(x, 3, axis=axis),
             lambda x, axis: cf.reduce_by_index(x, x, 3, axis=axis)]
    for call in calls:
        for axis in (3, -4):
            with pytest.raises(AxisError, match=f"axis {axis} is out of bounds for array of dimension 3"):
                call(x, axis=axis)
        with pytest.raises(AxisError):
            call(x.reshape(24), axis=1)
        for axis in (1.0, (0, 1), "0"):
            with pytest.raises(TypeError, match="axis is an integer"):
                call(x, axis=axis)
    assert issubclass(AxisError, ValueError) and issubclass(AxisError, IndexError)
    with pytest.raises(ValueError, match="contiguous"):
        cf.scan(x[:, :, ::2], axis=1)
