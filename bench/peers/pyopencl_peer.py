# SPDX-License-Identifier: MIT
"""PyOpenCL's scans, reductions, copy_if and RadixSort for clfold-bench.

serve() and the like are those of python_peer.py, which comes before.
"""
import warnings

try:
    import numpy as np
    import pyopencl as cl
    import pyopencl.algorithm
    import pyopencl.array
    import pyopencl.reduction
    import pyopencl.scan
    import pyopencl.tools
    warnings.simplefilter("ignore")
except ImportError as error:
    give_up(error)

TYPES = {"i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16, "i32": np.int32, "u32": np.uint32,
         "i64": np.int64, "u64": np.uint64, "f32": np.float32, "f64": np.float64}
EXPRESSIONS = {"sum": "a + b", "min": "b < a ? b : a", "max": "a < b ? b : a"}


def neutral(op, kind):
    """In OpenCL C."""
    if op == "sum":
        return "0"
    if np.issubdtype(kind, np.floating):
        return "INFINITY" if op == "min" else "-INFINITY"
    info = np.iinfo(kind)
    if op == "min":
        return f"{info.max}" + ("UL" if info.max > 2**63 else "")
    return f"({info.min + 1} - 1)" if info.min else "0"


class Device:
    version = cl.VERSION_TEXT

    def __init__(self, number):
        devices = [device for platform in cl.get_platforms() for device in platform.get_devices()]
        self.context = cl.Context([devices[number]])
        self.queue = cl.CommandQueue(self.context)
        # Temporary arrays come from a pool, as PyOpenCL's manual advises.
        self.pool = cl.tools.MemoryPool(cl.tools.ImmediateAllocator(self.queue))

    def array(self, n, kind):
        return cl.array.empty(self.queue, n, kind, allocator=self.pool)

    def open(self, words, arrays):
        make = kind_of_job(words)
        if not make:
            return None
        kinds = [TYPES[words["type"]]] + [np.uint32] * (len(arrays) - 1)
        inputs = [cl.array.to_device(self.queue, np.frombuffer(x, kind), allocator=self.pool)
                  for x, kind in zip(arrays, kinds)]
        job = make(self, words, inputs)
        job.results = lambda held=job.results: [x.get() for x in held()]
        return job

    def wait(self):
        self.queue.finish()

    def forget(self):
        self.pool.free_held()


class Scan:
    """Of one segment by the kernels that are there for it; of more by flags at their starts."""

    def __init__(self, device, words, inputs):
        kind, op = inputs[0].dtype, words["op"]
        self.x, self.y = inputs[0], device.array(len(inputs[0]), kind)
        self.segmented = words["primitive"] == "segmented_scan"
        if self.segmented:
            name = cl.tools.dtype_to_ctype(kind)
            self.kernel = cl.scan.GenericScanKernel(
                device.context, kind, arguments=f"__global {name} *x, __global {name} *y, long size",
                input_expr="x[i]", scan_expr=f"across_seg_boundary ? b : ({EXPRESSIONS[op]})",
                neutral=neutral(op, kind), is_segment_start_expr="i % size == 0", output_statement="y[i] = item;")
        else:
            kernels = {"0": cl.scan.InclusiveScanKernel, "1": cl.scan.ExclusiveScanKernel}
            self.kernel = kernels[words["exclusive"]](device.context, kind, EXPRESSIONS[op], neutral(op, kind))

    def shape(self, count, size):
        self.n, self.size = count * size, np.int64(size)
        self.in_part, self.out_part = self.x[:self.n], self.y[:self.n]
        return count == 1 or self.segmented

    def call(self):
        if self.segmented:
            self.kernel(self.in_part, self.out_part, self.size, size=self.n)
        else:
            self.kernel(self.in_part, self.out_part)

    def results(self):
        return [self.out_part]


class Reduce:
    def __init__(self, device, words, inputs):
        kind, op = inputs[0].dtype, words["op"]
        self.x = inputs[0]
        self.kernel = cl.reduction.ReductionKernel(
            device.context, kind, neutral(op, kind), EXPRESSIONS[op], map_expr="x[i]",
            arguments=f"__global const {cl.tools.dtype_to_ctype(kind)} *x")

    def shape(self, count, size):
        self.part = self.x[:size]
        return count == 1

    def call(self):
        self.y = self.kernel(self.part)

    def results(self):
        return [self.y.reshape(1)]


class Select:
    """copy_if and unique."""

    def __init__(self, _, words, inputs):
        self.x, self.bound, self.unique = inputs[0], words["kept"], words["primitive"] == "unique"

    def shape(self, count, size):
        self.part = self.x[:size]
        return count == 1

    def call(self):
        if self.unique:
            self.y, self.count, _ = cl.algorithm.unique(self.part)
        else:
            self.y, self.count, _ = cl.algorithm.copy_if(self.part, f"(ary[i] & 127) < {self.bound}")

    def results(self):
        return [self.y[:int(self.count.get())]]


class Sort:
    """Keys as unsigned numbers in the same order."""

    def __init__(self, device, words, inputs):
        kind = inputs[0].dtype
        bits = kind.itemsize * 8
        unsigned = np.dtype(f"u{kind.itemsize}")
        names = ["keys", "places"][:len(inputs)]
        key = "keys[i]"
        if kind.kind == "i":
            key = f"((({cl.tools.dtype_to_ctype(unsigned)}) keys[i]) ^ ({2**(bits - 1)}UL))"
        arguments = ", ".join(f"__global {cl.tools.dtype_to_ctype(x.dtype)} *{name}" for x, name in zip(inputs, names))
        self.kernel = cl.algorithm.RadixSort(device.context, arguments, key_expr=key, sort_arg_names=names,
                                             key_dtype=unsigned)
        self.inputs, self.bits = inputs, bits

    def shape(self, count, size):
        self.parts = [x[:size] for x in self.inputs]
        return count == 1

    def call(self):
        self.sorted, _ = self.kernel(*self.parts, key_bits=self.bits)

    def results(self):
        return self.sorted


def kind_of_job(words):
    """None: PyOpenCL has none, or its own is of other types."""
    primitive, kind = words["primitive"], np.dtype(TYPES.get(words["type"], np.void))
    if kind.kind == "V":
        return None
    if primitive in ("scan", "segmented_scan", "reduce"):
        return (Reduce if primitive == "reduce" else Scan) if words["op"] in EXPRESSIONS else None
    if kind.kind == "f":
        return None
    if primitive == "unique" or primitive.startswith("filter") and primitive not in ("filter_bits", "filter_tuple"):
        return Select
    sorts = ("sort", "sort_sorted", "sort_backwards", "sort_equal", "sort_two", "sort_entropy", "sort_zipf",
             "sort_alternating", "sort_ids", "sort_pairs")
    return Sort if primitive in sorts else None


serve(Device)
