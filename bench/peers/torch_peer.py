#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""PyTorch beside clfold: measures the same cases on the same machine and appends rows of the same format.

    torch_peer.py results/DEVICE.json [--type f32,i32] [--primitive segmented_scan] [-o OTHER.json]

The cases are those of our rows in the file (sums of scan, segmented_scan, reduce and segmented_reduce; argmax;
transpose; and those of torch_cases.py: sorts, top-k, filters, runs, gathers and scatters, histograms), each once; the
device's first GPU does them, or the CPU. Every result is checked before it is timed: inputs of sums are differences of
a random sequence, so every sum is a difference, too, which no scan is needed for.
"""
import argparse
import json
import statistics
import sys
import time

import torch

import torch_cases

TYPES = {"i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64,
         "f32": torch.float32, "f64": torch.float64,
         "f32,u32": torch.float32}  # argmax: of these
PRIMITIVES = ("scan", "segmented_scan", "reduce", "segmented_reduce", "transpose")


class Device:
    """Times calls as clfold-bench does: batches back to back, from idle to idle."""

    def __init__(self):
        self.cuda = torch.cuda.is_available()
        self.name = "cuda" if self.cuda else "cpu"

    def seconds(self, call, count):
        self.wait()
        start = time.perf_counter()
        for _ in range(count):
            call()
        self.wait()
        return time.perf_counter() - start

    def wait(self):
        if self.cuda:
            torch.cuda.synchronize()

    def times(self, call):
        """us, us_min: median and least over batches of 20 ms; fewer calls where one takes long."""
        one = self.seconds(call, 1)
        count = 1
        while one * count < 0.02:
            count *= 2
            one = self.seconds(call, count) / count
        count = max(count, 10) if one < 0.02 else 1
        batches = 5 if one < 0.1 else 2
        us = [self.seconds(call, count) / count * 1e6 for _ in range(batches)]
        return statistics.median(us), min(us)


class Input:
    """The input of all sums of one type: element i is sequence[i + 1] - sequence[i]."""

    def __init__(self, device, kind, n):
        random = torch.Generator(device=device.name)
        random.manual_seed(1)
        self.sequence = torch.randint(0, 256, (n + 1,), generator=random, device=device.name, dtype=torch.int32)
        self.x = (self.sequence[1:] - self.sequence[:-1]).to(TYPES[kind])

    def rows(self, count, size):
        return self.x[:count * size].view(count, size)

    def is_scan(self, result, count, size):
        after, before = self.sequence[1:count * size + 1], self.sequence[:count * size]
        expected = after.view(count, size) - before.view(count, size)[:, :1]
        return torch.equal(result.view(count, size), expected.to(result.dtype))

    def is_reduction(self, result, count, size):
        ends = self.sequence[:count * size + 1:size]
        return torch.equal(result.view(count), (ends[1:] - ends[:-1]).to(result.dtype))


def is_ours(row):
    return row["primitive"] in PRIMITIVES and row["type"] in TYPES


def find_case(data, row):
    """(call, check), or None where this is no case for PyTorch."""
    count, size = row["segments"], row["segment_size"]
    x, kind = data.rows(row.get("batch", 1) * count, size), TYPES[row["type"]]
    if row["primitive"] == "transpose":
        x = x.view(row.get("batch", 1), -1, size)
        return (lambda: x.mT.clone(memory_format=torch.contiguous_format)), (lambda y: torch.equal(y.mT, x))
    if row["op"] == "argmax" and row["primitive"] == "reduce":
        return (lambda: torch.argmax(data.x[:row["n"]])), (lambda y: not bool((data.x[:row["n"]] > data.x[y]).any()))
    if row["op"] != "sum":
        return None
    if row["primitive"] in ("scan", "segmented_scan"):
        return (lambda: torch.cumsum(x, dim=1, dtype=kind)), (lambda y: data.is_scan(y, count, size))
    if row["primitive"] in ("reduce", "segmented_reduce"):
        return (lambda: torch.sum(x, dim=1, dtype=kind)), (lambda y: data.is_reduction(y, count, size))
    return None


def copy_us(device, row):
    """PyTorch's own copy of as many bytes."""
    source = torch.ones(row["bytes"] // 8, dtype=torch.int32, device=device.name)
    target = torch.empty_like(source)
    return device.times(lambda: target.copy_(source))[0]


def measure(device, row, case, copies):
    call, check = case
    result = {"device": row["device"], "driver": row["driver"], "peer": "torch", "version": torch.__version__}
    for name in ("primitive", "op", "type", "n", "batch", "segments", "segment_size", "bins"):
        if name in row:
            result[name] = row[name]
    result.update(variant=None, define=None, launches=None, us=None, us_min=None, us_event=None, bytes=row["bytes"],
                  gbps=None, copy_us=None, copy_kernel_us=row.get("copy_kernel_us"), of_copy=None)
    verified = check(call())
    if verified:
        us, least = device.times(call)
        result.update(us=round(us, 3), us_min=round(least, 3), gbps=round(row["bytes"] / us * 1e-3, 2))
        if row.get("copy_us"):
            if row["bytes"] not in copies:
                copies[row["bytes"]] = copy_us(device, row)
            result.update(copy_us=round(copies[row["bytes"]], 3), of_copy=round(copies[row["bytes"]] / us, 4))
        if row.get("read_us"):
            result.update(read_us=row["read_us"], of_read=round(row["read_us"] / us, 4))
    result["verified"] = verified
    return result


def run(device, data, row, copies):
    case = find_case(data, row) if is_ours(row) else torch_cases.find(device.name, row)
    return case and measure(device, row, case, copies)


def read_cases(arguments):
    """Our rows, the first of each case, by type; cases that the file has of PyTorch already are left out."""
    cases, done = {}, set()
    with open(arguments.file, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines if line.strip()]
    for row in rows:
        if not row.get("us") or not row.get("n"):
            continue
        case = tuple(row.get(name) for name in ("primitive", "op", "type", "batch", "segments", "segment_size", "bins"))
        if row.get("peer") == "torch":
            done.add(case)
        elif not row.get("peer"):
            cases.setdefault(case, row)
    for name in ("type", "primitive"):
        if getattr(arguments, name):
            wanted = getattr(arguments, name).split(",")
            cases = {case: row for case, row in cases.items() if row[name] in wanted}
    by_type = {}
    for case, row in cases.items():
        if case not in done:
            by_type.setdefault(row["type"], []).append(row)
    return by_type


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="JSON lines written by clfold-bench --json")
    parser.add_argument("-o", "--output", help="where rows go; by default they are appended to the file")
    parser.add_argument("--type", help="only these types")
    parser.add_argument("--primitive", help="only these primitives")
    arguments = parser.parse_args()
    device, copies, wrong = Device(), {}, 0
    for kind, rows in read_cases(arguments).items():
        data, most = None, max((row["n"] for row in rows if is_ours(row)), default=0)
        for row in rows:
            if is_ours(row):
                data = data or Input(device, kind, most)
            try:
                result = run(device, data, row, copies)
            except RuntimeError as error:  # memory, or a type that PyTorch does not do
                print(f"skipped: {row['primitive']} {row['op']} {kind}: {error}", file=sys.stderr)
                continue
            if result is None:
                continue
            wrong += not result["verified"]
            with open(arguments.output or arguments.file, "a", encoding="utf-8") as file:
                file.write(json.dumps(result) + "\n")
            bins = f" in {row['bins']}" if row.get("bins") else ""
            shape = f"[{row['segments']}][{row['segment_size']}]{bins}"
            print(f"{row['primitive']:18} {row['op']} {kind} {shape} torch {result['us']} us"
                  f" (clfold {row['us']})" + ("" if result["verified"] else " WRONG"), flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
