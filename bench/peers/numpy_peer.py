# SPDX-License-Identifier: MIT
"""NumPy 2 or newer for clfold-bench, on one core: sorts by AVX-512 or AVX2 where the processor has them (x86-simd-sort).

numpy.sort (also along rows, and kind="stable" for merge_sort), argsort and take for pairs and indices, partition and a
sort for top-k, cumsum and sum, also along rows. serve() and the like are those of python_peer.py, which comes before.
"""
import re

try:
    import numpy as np
except ImportError as error:
    give_up(error)
if int(np.__version__.split(".")[0]) < 2:
    give_up(f"NumPy 2 is wanted, and {np.__version__} is here")

TYPES = {"i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16, "i32": np.int32, "u32": np.uint32,
         "i64": np.int64, "u64": np.uint64, "f32": np.float32, "f64": np.float64}


class Job:
    """`work(x)` is what is timed: arrays [count][size] to the results."""

    def __init__(self, arrays, segmented, work):
        self.arrays, self.segmented, self.work = arrays, segmented, work

    def shape(self, count, size):
        self.parts = [x[:count * size].reshape(count, size) for x in self.arrays]
        return count == 1 or self.segmented

    def call(self):
        self.made = self.work(*self.parts)

    def results(self):
        return self.made if isinstance(self.made, list) else [self.made]


def sort_pairs(keys, places=None):
    order = np.argsort(keys, axis=1, kind="stable")
    moved = order.astype(np.uint32) if places is None else np.take_along_axis(places, order, 1)
    return [np.take_along_axis(keys, order, 1), moved]


def first(k):
    def work(x):
        if k < x.shape[1]:
            x = np.partition(x, k - 1, axis=1)[:, :k]
        return np.sort(x, axis=1)
    return work


def work_of(words):
    """What a primitive is in NumPy; None: nothing, or something else."""
    primitive, op = words["primitive"], words["op"]
    if primitive in ("scan", "segmented_scan") and op == "sum" and words["exclusive"] == "0":
        return lambda x: np.cumsum(x, axis=1, dtype=x.dtype)
    if primitive in ("reduce", "segmented_reduce") and op in ("sum", "min", "max"):
        kind = {"dtype": TYPES[words["type"]]} if op == "sum" else {}
        return lambda x: getattr(np, op)(x, axis=1, **kind)
    if primitive in ("sort_pairs", "sort_indices"):
        return sort_pairs
    if primitive.startswith("merge_sort") and primitive != "merge_sort_pairs":
        return lambda x: np.sort(x, axis=1, kind="stable")
    if re.match("sort|segmented_sort", primitive) and not re.search("low8|pairs", primitive):
        return lambda x: np.sort(x, axis=1)
    if primitive.startswith("top_k") and "unsorted" not in primitive:
        return first(int(re.search(r"\d+", primitive).group()))
    return None


class NumPy:
    version = np.__version__

    def open(self, words, arrays):
        kind, work = TYPES.get(words["type"]), work_of(words)
        if not kind or not work:
            return None
        kinds = [kind] + [np.uint32] * (len(arrays) - 1)
        rows = "rows" in words["primitive"] or words["primitive"].startswith("segmented")
        return Job([np.frombuffer(x, k) for x, k in zip(arrays, kinds)], rows, work)

    def wait(self):
        """Calls end when they return."""

    def forget(self):
        """Nothing is kept."""


serve(lambda _: NumPy())
