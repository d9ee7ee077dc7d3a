# SPDX-License-Identifier: MIT
"""Bad input, events, queues, threads, contexts."""
import gc
import threading

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from helpers import integers, to

import pyclfold as cf


def as_float(x):
    return to(x.queue, x.get().astype("f4"))


def test_build_log(queue):
    with pytest.raises(cf.Error) as caught:
        cf.scan(to(queue, integers(10)), "a + nonsense", neutral=0)
    assert caught.value.status == 30 and "nonsense" in caught.value.log and "compile" in caught.value.text


@pytest.mark.parametrize("call, text", [
    (lambda x: cf.scan(x, "a + ", neutral=0), "a + "),
    (lambda x: cf.scan(x, "a + b", neutral="nothing"), "nothing"),
    (lambda x: cf.filter(x, "x >> > 3", source="// one line\n// and another"), "x >> > 3"),
    (lambda x: cf.sort(x, key="a.x", key_dtype="u4"), "a.x"),
    (lambda x: cf.reduce_by_key(x, x, same="a = = b"), "a = = b"),
    (lambda x: cf.scan({"k": x, "l": x}, {"k": "a.k", "l": "a.l + b.m"}, neutral=(0, 0)), "a.l + b.m"),
])
def test_errors_name_the_expression(queue, call, text):
    with pytest.raises(cf.Error) as caught:
        call(to(queue, integers(10)))
    assert f"in the expression {text!r}" in caught.value.message and caught.value.log


def test_counts_are_checked(queue):
    """What a plan believes of its operator is compared with the library's own count, before anything is touched."""
    x = to(queue, integers(10))
    plan = cf.ScanPlan(queue, cf.operator("sum", {"a": "i4", "b": "i4"}))
    plan._in = plan._in._replace(fields=plan._in.fields[:1], dtypes=plan._in.dtypes[:1])
    with pytest.raises(cf.Error, match="in_count is 1, and the operator has 2"):
        plan((x,))
    plan = cf.ReducePlan(queue, cf.operator("sum", {"a": "i4", "b": "i4"}))
    plan._out = plan._out._replace(fields=plan._out.fields[:1], dtypes=plan._out.dtypes[:1])
    with pytest.raises(cf.Error, match="out_count is 1, and the operator has 2"):
        plan((x, x))


def test_refusal_names_the_argument(queue):
    x = to(queue, integers(10))
    with pytest.raises(cf.Error, match=r"clf_scan: .*overlap") as caught:
        cf.scan(x[0:8], out=x[1:9])
    assert caught.value.status == 18


@pytest.mark.parametrize("call, error, words", [
    (lambda x: cf.scan(x, "a+b"), ValueError, "neutral"),
    (lambda x: cf.scan(x, "sum", neutral=0), ValueError, "of its own"),
    (lambda x: cf.scan(x, 7), TypeError, "name"),
    (lambda x: cf.scan(x, lambda a, b: a), TypeError, "expression"),
    (lambda x: cf.filter(x, lambda x: x > 3), TypeError, "predicate is an expression in OpenCL C"),
    (lambda x: cf.filter(x, x.get() > 3), TypeError, "predicate is an expression.*ndarray"),
    (lambda x: cf.filter(x, "x > 3", map=abs), TypeError, "map is an expression"),
    (lambda x: cf.sort(x, key=abs, key_dtype="u4"), TypeError, "key is an expression"),
    (lambda x: cf.unique(x, min), TypeError, "same is an expression"),
    (lambda x: cf.run_lengths(x, same=min), TypeError, "same is an expression"),
    (lambda x: cf.merge(x, x, min), TypeError, "less is an expression"),
    (lambda x: cf.split(x, abs, 3), TypeError, "part is an expression"),
    (lambda x: cf.reduce_by_index(x, x, 3, max), TypeError, "expression"),
    (lambda x: cf.reduce_by_key(x, x, "sum", neutral=0), ValueError, "of its own"),
    (lambda x: cf.scan(x, initial=1.5), ValueError, "1.5 is no int32"),
    (lambda x: cf.scan(x, initial=2**40), ValueError, "1099511627776 is no int32"),
    (lambda x: cf.scan(x, initial=np.nan), ValueError, "no int32|NaN"),
    (lambda x: cf.scan(x, initial=(1, 2)), ValueError, "2 initial values"),
    (lambda x: cf.scan(x, initial=np.array([1, 2])), ValueError, "2 initial values"),
    (lambda x: cf.scan((x, x), initial=(1, -2**31 - 1)), ValueError, "is no int32"),
    (lambda x: cf.scan(as_float(x), initial=1e39), ValueError, "1e.39 is no float32"),
    (lambda x: cf.scan(x, "max(a, b)", neutral=-2**40), ValueError, "is no int32"),
    (lambda x: cf.scan(x, "min(a, b)", neutral=np.inf), ValueError, "inf is no int32"),
    (lambda x: cf.scan(as_float(x), "min(a, b)", neutral=1e39), ValueError, "is no float32"),
    (lambda x: cf.reduce(x, cf.operator("sum", "i4"), dtype="i8"), ValueError, "leave out dtype="),
    (lambda x: cf.scan(x, cf.operator("sum", "i4"), map="x * x", neutral=0), ValueError, "leave out neutral=, map="),
    (lambda x: cf.argsort(cf.scan(to(x.queue, np.ones(300, "i4"))), dtype="u1"), ValueError, "uint8 has"),
    (lambda x: cf.arg_top_k(to(x.queue, np.ones((2, 129), "i4")), 2, dtype="i1"), ValueError, "int8 has"),
    (lambda x: cf.argsort(x, dtype="f4"), TypeError, "indices are integers"),
    (lambda x: cf.shuffle(x, 2**64), ValueError, "a seed has 64 bits"),
    (lambda x: cf.shuffle(x, 1.5), TypeError, "integer"),
    (lambda x: cf.scan(x[::2]), ValueError, "contiguous"),
    (lambda x: cf.scan(x.get()), (TypeError, ValueError), "pyopencl"),
    (lambda x: cf.scan(x, out=x[:5]), ValueError, "5 elements"),
    (lambda x: cf.scan(x, "max", out=as_float(x)), TypeError, "float32"),
    (lambda x: cf.scan(as_float(x), "xor"), TypeError, "no xor of float"),
    (lambda x: cf.scan(x.reshape(-1, 2), axis=2), ValueError, "axis 2 is out of bounds"),
    (lambda x: cf.scan(x, offsets=x, keys=x), ValueError, "told twice"),
    (lambda x: cf.scan(x, flags=x), TypeError, "uint8"),
    (lambda x: cf.ScanPlan(x.queue, cf.operator("sum", "i4"), segments="keys")(x), ValueError, "segments="),
    (lambda x: cf.ScanPlan(x.queue, cf.operator("sum", "i4"), segments="keys")(x, segments=x), TypeError, "uint32"),
    (lambda x: cf.ScanPlan(x.queue, cf.operator("sum", "i4"), segments="stars"), ValueError, "stars"),
    (lambda x: cf.scan(x, keys=x[:5]), ValueError, "5 elements"),
    (lambda x: cf.scan((x, x), "sum", out=(x,)), ValueError, "1 arrays"),
    (lambda x: cf.scan((x, x[:5])), ValueError, "5 elements"),
    (lambda x: cf.scan({"a b": x}), ValueError, "name of a field"),
    (lambda x: cf.scan(x, actual=x[:1]), TypeError, "uint64"),
    (lambda x: cf.scan((x, x), ("a.f0",), neutral=(0, 0)), ValueError, "1 expressions"),
    (lambda x: cf.scan(x.with_queue(None)), ValueError, "queue="),
    (lambda x: cf.sort(x, key="a"), ValueError, "key_dtype"),
    (lambda x: cf.filter(x, x), ValueError, "a byte each"),
    (lambda x: cf.histogram(as_float(x), 3), TypeError, "range"),
    (lambda x: cf.histogram(x, 3, (1, 1)), ValueError, "no range"),
    (lambda x: cf.searchsorted(x, x, "middle"), ValueError, "left or right"),
    (lambda x: cf.merge((), (), queue=x.queue), cf.Error, "no fields"),
    (lambda x: cf.gather({}, x, queue=x.queue), (cf.Error, ValueError), "no fields|no arrays"),
    (lambda x: cf.transpose(x), ValueError, "two dimensions"),
    (lambda x: cf.gather(x, as_float(x)), TypeError, "32 or 64 bits"),
    (lambda x: cf.SelectPlan(x.queue, "sieve", cf.Operator("i4")), ValueError, "sieve"),
    (lambda x: cf.ScanPlan(x.queue, "sum"), TypeError, "pyclfold.Operator"),
    (lambda x: cf.ScanPlan(x.queue, cf.operator("sum", "i4"), variant="sieve"), cf.Error, "sieve"),
])
def test_bad_input(queue, call, error, words):
    with pytest.raises(error, match=words):
        call(to(queue, integers(10)))


def test_struct_that_is_no_vector(queue):
    three = np.zeros(4, [("a", "f4"), ("b", "f4"), ("c", "f4")])
    with pytest.raises(TypeError, match="tuple of arrays"):
        cf.scan(to(queue, three), "a", neutral=(0, 0, 0))


def test_struct_that_c_would_lay_out_otherwise(queue):
    dtype = np.dtype({"names": ["a", "b"], "formats": ["u1", "i4"], "offsets": [0, 1], "itemsize": 8})
    with pytest.raises(TypeError, match="align=True"):
        cf.scan(cla.Array(queue, (4,), dtype), "a", neutral=(0, 0))


def test_events_between_queues(queue):
    """The scan waits for an event that is not yet complete, and what reads its result on another queue waits for it."""
    other = cl.CommandQueue(queue.context)
    gate = cl.UserEvent(queue.context)
    x = cla.zeros(queue, 1000, "i4")
    queue.finish()
    x.add_event(cl.enqueue_fill_buffer(other, x.base_data, np.int32(3), 0, x.nbytes, wait_for=[gate]))
    read = np.zeros(1000, "i4")
    try:
        result = cf.scan(x)
        copied = cl.enqueue_copy(other, read, result.base_data, wait_for=result.events, is_blocking=False)
    finally:  # or a failure would wait for ever
        gate.set_status(cl.command_execution_status.COMPLETE)
    copied.wait()
    assert len(result.events) == 1
    assert np.array_equal(read, np.arange(3, 3003, 3))
    assert np.array_equal(cf.scan(x, queue=other, wait_for=[copied]).get(other), read)


def test_many_events(queue):
    x = to(queue, integers(100))
    events = [cl.enqueue_marker(queue) for _ in range(100)]
    assert np.array_equal(cf.scan(x, wait_for=events).get(), np.cumsum(x.get(), dtype="i4"))
    assert np.array_equal(cf.scan(x, wait_for=events[0]).get(), np.cumsum(x.get(), dtype="i4"))


def test_threads(queue):
    """Each thread has a queue; plans and frames are shared."""
    wrong = []

    def work(seed):
        mine = cl.CommandQueue(queue.context)
        for n in range(1, 200):
            x = integers(n, seed=seed)
            if not np.array_equal(cf.scan(cla.to_device(mine, x)).get(), np.cumsum(x, dtype="i4")):
                wrong.append((seed, n))
            try:
                cf.scan(cla.to_device(mine, x), "max", out=cla.zeros(mine, n + 1, "i4")[1:].view("f4"))
                wrong.append("not refused")
            except TypeError:
                pass

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_profile_that_is_ignored_is_told(queue, monkeypatch):
    monkeypatch.setenv("CLFOLD_PROFILE", "/nonexistent/my.profile")
    with pytest.warns(UserWarning, match="CLFOLD_PROFILE is ignored: my.profile: "):
        mine = cf.Context(queue)
    assert "profile_ignored = my.profile: " in mine.describe()


def test_contexts_of_ones_own(queue):
    mine = cf.Context(queue, disable="subgroups")
    plan = cf.ReducePlan(mine, cf.operator("sum", "i4"))
    assert int(plan(to(queue, np.arange(5, dtype="i4"))).get()) == 10
    assert "variant" in plan.describe(1000)
    assert "main\tvariant\t" in plan.tuning()
    assert plan.scratch(10**6) >= 0
    del mine
    gc.collect()
    assert int(plan(to(queue, np.arange(5, dtype="i4"))).get()) == 10  # the plan keeps its context
    kept = cf.context(queue)
    cf.release()
    assert cf.context(queue) is not kept


def test_allocator(queue):
    pool = cl.tools.MemoryPool(cl.tools.ImmediateAllocator(queue))
    x = cla.to_device(queue, np.arange(1000, dtype="i4"), allocator=pool)
    result = cf.scan(x)
    assert result.allocator is pool and int(result[-1].get()) == 499500


def test_large_offsets_and_unaligned(queue):
    whole = cla.zeros(queue, 1001, "u1")
    with pytest.raises(ValueError, match="byte 1 "):
        cf.scan(cla.Array(queue, (10,), "i4", data=whole.base_data, offset=1))
