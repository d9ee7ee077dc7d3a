# SPDX-License-Identifier: MIT
"""clfold beside PyOpenCL's own algorithms and NumPy, and what a call costs in Python: python3 -m pyclfold.bench

Contenders of a row take turns, and each gets its least time. Results are compared before anything is timed. Arrays for
results are there beforehand where a function can take them. PYOPENCL_CTX=NVIDIA, say, names the platform to use.
"""
import argparse
import ctypes
import importlib.util
import time
from typing import Any, Callable, Dict, List, Tuple

import numpy as np
import pyopencl as cl

MAKO = ("PyOpenCL makes the scans, filters and sorts that this compares with by Mako, which is not installed: "
        "pip install mako (on Debian: apt install python3-mako)")
if importlib.util.find_spec("mako") is None:
    raise SystemExit(MAKO) if __name__ == "__main__" else ImportError(MAKO)

import pyopencl.algorithm as algorithm
import pyopencl.array as cla
from pyopencl.reduction import ReductionKernel
from pyopencl.scan import InclusiveScanKernel

import pyclfold as cf

from ._library import Array as CArray
from ._library import Call, lib

Contender = Tuple[str, Callable[[], Any]]


def least(contenders: List[Contender], queue: cl.CommandQueue, seconds: float) -> Dict[str, float]:
    """The least time of each, in turns, until `seconds` are over; at least three turns."""
    best: Dict[str, float] = {}
    begin, turns = time.perf_counter(), 0
    while turns < 3 or time.perf_counter() - begin < seconds:
        for name, run in contenders:
            start = time.perf_counter()
            run()
            queue.finish()
            best[name] = min(best.get(name, np.inf), time.perf_counter() - start)
        turns += 1
    return best


class Differ(Exception):
    """Results of contenders are not the same."""


def same(results: List[Any], close: bool = False) -> None:
    """Raises unless all are equal."""
    arrays = [one.get() if isinstance(one, cla.Array) else np.asarray(one) for one in results]
    for one in arrays[1:]:
        if not (np.allclose(arrays[0], one, rtol=1e-4) if close else np.array_equal(arrays[0], one)):
            raise Differ


def shown(seconds: float) -> str:
    return f"{seconds * 1e3:.2f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.1f} µs"


def scan_row(queue: cl.CommandQueue, n: int) -> List[Contender]:
    x = np.random.default_rng(1).integers(-8, 9, n).astype("f4")  # sums stay small, so that they are exact in any order
    device, out = cla.to_device(queue, x), cla.empty(queue, n, "f4")
    kernel = InclusiveScanKernel(queue.context, np.float32, "a+b", neutral="0")
    result = np.empty_like(x)
    contenders = [("pyclfold", lambda: cf.scan(device, out=out)), ("PyOpenCL", lambda: kernel(device, out)),
                  ("NumPy", lambda: np.cumsum(x, out=result))]
    same([contenders[0][1]().copy(), kernel(device).get(), np.cumsum(x)])
    return contenders


def max_row(queue: cl.CommandQueue, n: int) -> List[Contender]:
    x = np.random.default_rng(1).integers(-2**30, 2**30, n).astype("i4")
    device, out = cla.to_device(queue, x), cla.empty(queue, n, "i4")
    kernel = InclusiveScanKernel(queue.context, np.int32, "max(a, b)", neutral="INT_MIN")
    contenders = [("pyclfold", lambda: cf.scan(device, "max(a, b)", neutral="INT_MIN", out=out)),
                  ("PyOpenCL", lambda: kernel(device, out)), ("NumPy", lambda: np.maximum.accumulate(x))]
    same([contenders[0][1]().copy(), kernel(device).get(), np.maximum.accumulate(x)])
    return contenders


def reduce_row(queue: cl.CommandQueue, n: int) -> List[Contender]:
    x = np.random.default_rng(1).random(n, "f4")
    device = cla.to_device(queue, x)
    kernel = ReductionKernel(queue.context, np.float32, neutral="0", reduce_expr="a+b", map_expr="x[i]*x[i]",
                             arguments="__global const float *x")
    contenders = [("pyclfold", lambda: cf.reduce(device, map="x*x")), ("PyOpenCL", lambda: kernel(device)),
                  ("NumPy", lambda: np.sum(x * x))]
    same([contenders[0][1](), kernel(device), np.sum(x * x)], close=True)
    return contenders


def filter_row(queue: cl.CommandQueue, n: int) -> List[Contender]:
    x = np.random.default_rng(1).integers(0, 100, n).astype("i4")
    device = cla.to_device(queue, x)

    def by_pyopencl():
        out, count, _ = algorithm.copy_if(device, "ary[i] < 50", queue=queue)
        return out[:int(count.get())]

    contenders = [("pyclfold", lambda: cf.filter(device, "x < 50")), ("PyOpenCL", by_pyopencl),
                  ("NumPy", lambda: x[x < 50])]
    same([run() for _, run in contenders])
    return contenders


def sort_row(queue: cl.CommandQueue, n: int) -> List[Contender]:
    x = np.random.default_rng(1).integers(0, 2**32, n, "u4")
    device = cla.to_device(queue, x)
    radix = algorithm.RadixSort(queue.context, "unsigned int *ary", key_expr="ary[i]", sort_arg_names=["ary"],
                                scan_kernel=algorithm.GenericScanKernel)

    contenders = [("pyclfold", lambda: cf.sort(device)), ("PyOpenCL", lambda: radix(device, queue=queue)[0][0]),
                  ("NumPy", lambda: np.sort(x))]
    same([run() for _, run in contenders])
    return contenders


def histogram_row(queue: cl.CommandQueue, n: int) -> List[Contender]:
    x = np.random.default_rng(1).integers(0, 256, n).astype("u1")
    device = cla.to_device(queue, x)
    contenders = [("pyclfold", lambda: cf.histogram(device, 256)), ("NumPy", lambda: np.bincount(x, minlength=256))]
    same([run() for _, run in contenders])
    return contenders


def transpose_row(queue: cl.CommandQueue, n: int) -> List[Contender]:
    side = int(n ** 0.5)
    x = np.arange(side * side, dtype="f4").reshape(side, side)
    device, out = cla.to_device(queue, x), cla.empty(queue, (side, side), "f4")
    contenders = [("pyclfold", lambda: cf.transpose(device, out=out)), ("NumPy", lambda: np.ascontiguousarray(x.T))]
    same([run() for _, run in contenders])
    return contenders


def rows_row(queue: cl.CommandQueue, n: int) -> List[Contender]:
    x = np.random.default_rng(1).random((n // 64, 64), "f4")
    device, result = cla.to_device(queue, x), np.empty_like(x)
    out = cla.empty_like(device)
    contenders = [("pyclfold", lambda: cf.scan(device, axis=-1, out=out)),
                  ("NumPy", lambda: np.cumsum(x, axis=-1, out=result))]
    same([run() for _, run in contenders], close=True)
    return contenders


ROWS = {"cumulative sum, float32": scan_row, "running maximum by an expression, int32": max_row,
        "cumulative sums of rows of 64, float32": rows_row, "sum of squares, float32": reduce_row,
        "filter, half kept, int32": filter_row, "sort, uint32": sort_row, "histogram of 256 bins, uint8": histogram_row,
        "transpose, float32": transpose_row}

COST = "cost of a call"


def overhead(queue: cl.CommandQueue) -> List[Contender]:
    """A scan of 1000 floats: the C function by itself, by ctypes from structs that are there; a plan; a function."""
    x, out = cla.zeros(queue, 1000, "f4"), cla.zeros(queue, 1000, "f4")
    plan = cf.ScanPlan(queue, cf.operator("sum", "f4"))
    call = Call(size=ctypes.sizeof(Call), queue=queue.int_ptr)
    arrays = CArray(x.base_data.int_ptr, 0), CArray(out.base_data.int_ptr, 0)
    arguments = (plan.handle, ctypes.addressof(call), 1000, *(ctypes.addressof(array) for array in arrays))
    kernel = InclusiveScanKernel(queue.context, np.float32, "a+b", neutral="0")
    keep = call, arrays

    def in_c():
        if lib.clf_scan(*arguments):
            raise SystemExit(f"the call failed: {keep}")

    return [("the C function", in_c), ("plan(x, out)", lambda: plan(x, out)),
            ("cf.scan(x, out=out)", lambda: cf.scan(x, out=out)), ("cf.scan(x)", lambda: cf.scan(x)),
            ("PyOpenCL's InclusiveScanKernel", lambda: kernel(x, out))]


def waiting(contenders: List[Contender], queue: cl.CommandQueue, calls: int) -> List[Contender]:
    """The same, so many times, with a wait behind each."""
    def repeated(run):
        def batch():
            for _ in range(calls):
                run()
                queue.finish()
        return batch
    return [(name, repeated(run)) for name, run in contenders]


def enqueueing(contenders: List[Contender], queue: cl.CommandQueue, calls: int, seconds: float) -> Dict[str, float]:
    """What so many calls take by themselves: an event holds the queue meanwhile, so that nothing runs beside them."""
    best: Dict[str, float] = {}
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds:
        for name, run in contenders:
            gate = cl.UserEvent(queue.context)
            cl.enqueue_barrier(queue, wait_for=[gate])
            start = time.perf_counter()
            for _ in range(calls):
                run()
            best[name] = min(best.get(name, np.inf), time.perf_counter() - start)
            gate.set_status(cl.command_execution_status.COMPLETE)
            queue.finish()
    return best


def main() -> None:
    parser = argparse.ArgumentParser(prog="pyclfold.bench", description=__doc__.split("\n")[0])
    parser.add_argument("--n", type=int, default=2**24, help="elements (2^24); sorts have a quarter")
    parser.add_argument("--seconds", type=float, default=3, help="for each row (3)")
    parser.add_argument("--only", default="", help="rows whose name has this in it")
    options = parser.parse_args()
    if not any(options.only in name for name in (*ROWS, COST)):
        parser.error(f"no row has {options.only!r} in its name; there are: {', '.join((*ROWS, COST))}")
    queue = cl.CommandQueue(cl.create_some_context(interactive=False))
    print(f"{queue.device.name}, {queue.device.platform.version}; pyclfold {cf.__version__}, "
          f"PyOpenCL {cl.VERSION_TEXT}, NumPy {np.__version__}\n")
    print("| what | elements | pyclfold | PyOpenCL | NumPy |\n|---|---|---|---|---|")
    for name, row in ROWS.items():
        if options.only not in name:
            continue
        n = options.n // 4 if "sort" in name else options.n
        try:
            contenders = row(queue, n)
        except Differ:
            raise SystemExit(f"{name}: results differ") from None
        times = least(contenders, queue, options.seconds)
        cells = [shown(times["pyclfold"])]
        for who in ("PyOpenCL", "NumPy"):
            factor = times.get(who, 0) / times["pyclfold"]
            cells.append(f"{shown(times[who])}, {factor:.1f} ×" if who in times else "–")
        print(f"| {name} | {n} | {' | '.join(cells)} |", flush=True)
    if options.only not in COST:
        return
    calls, contenders = 200, overhead(queue)
    waited = least(waiting(contenders, queue, calls), queue, options.seconds)
    enqueued = enqueueing(contenders, queue, calls, options.seconds)
    print("\n| a scan of 1000 float32 | enqueue | enqueue and wait |\n|---|---|---|")
    for name in waited:
        print(f"| {name} | {enqueued[name] / calls * 1e6:.1f} µs | {waited[name] / calls * 1e6:.1f} µs |")


if __name__ == "__main__":
    main()
