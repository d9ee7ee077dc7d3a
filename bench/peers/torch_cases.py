# SPDX-License-Identifier: MIT
"""What PyTorch does beside our rows of sorts, top-k, selections, moves and histograms (torch_peer.py).

find(device, row) is (call, check) or None: `call` is what is timed, and `check` says whether its result is right, by
other means than the call's. Inputs are made as those of the row are (bench_*.c, keys.c), from other random numbers.
PyTorch has no unsigned types but bytes: it gets signed ones of as many bits.
"""
import math
import re

import torch

TYPES = {"i8": torch.int8, "u8": torch.uint8, "i16": torch.int16, "u16": torch.int16, "i32": torch.int32,
         "u32": torch.int32, "i64": torch.int64, "u64": torch.int64, "f16": torch.float16, "f32": torch.float32,
         "f64": torch.float64}
INTEGERS = {torch.float16: torch.int16, torch.float32: torch.int32, torch.float64: torch.int64}


class Source:
    """Random tensors on one device, the same ones in every run."""

    def __init__(self, device):
        self.device = device
        self.random = torch.Generator(device=device)
        self.random.manual_seed(1)

    def integers(self, kind, n, low=None, high=None):
        """All numbers of a type, or those from low to high - 1."""
        info = torch.iinfo(kind)
        low = info.min if low is None else low
        high = min(info.max + 1, 2**63 - 1) if high is None else high
        return torch.randint(low, high, (n,), generator=self.random, device=self.device, dtype=kind)

    def uniform(self, n):
        return torch.rand(n, generator=self.random, device=self.device, dtype=torch.float64)

    def normal(self, n):
        return torch.randn(n, generator=self.random, device=self.device, dtype=torch.float64)

    def count(self, n, kind=torch.int64):
        return torch.arange(n, device=self.device, dtype=kind)


def are_different(indices, n):
    """Is none of them there twice, row by row?"""
    rows = indices.view(-1, indices.shape[-1])
    seen = torch.zeros((rows.shape[0], n), dtype=torch.int8, device=indices.device)
    return int(seen.scatter_(1, rows, 1).sum(dtype=torch.int64)) == rows.numel()


# ---- sorts and top-k ----

def make_keys(source, row):
    kind, n, name = TYPES[row["type"]], row["n"], row["primitive"]
    integer = INTEGERS.get(kind, kind)
    bits = torch.iinfo(integer).bits
    keys = source.integers(integer, n)
    if name.endswith("_equal"):
        keys = torch.full_like(keys, 42)
    elif name.endswith("_two"):
        low = 0x41414141 % 2**min(bits, 32)
        keys = torch.where(source.count(n) % 2 == 1, 3, low).to(integer)
    elif name.endswith("_zipf"):
        values = torch.exp2(source.uniform(n) * bits) - 1
        wrapped = torch.where(values >= 2.0**(bits - 1), values - 2.0**bits, values)
        keys = wrapped.to(torch.int64).to(integer)
    elif name.endswith("_alternating"):
        low = torch.where(source.count(n) // 8192 % 2 == 1, 0x18, 0xE7).to(integer)
        keys = (keys & ~255) + (low & 255) if bits > 8 else low
    elif name.endswith("_ids") and bits > 32:
        keys &= 2**32 - 1
    elif name.endswith("_entropy"):
        keys &= source.integers(integer, n) & source.integers(integer, n)
    if kind != integer:
        keys &= ~(1 << (bits - 3))  # no NaN
        keys = torch.where(keys << 1 == 0, 1, keys).to(integer).view(kind)  # and no zero
    if name.endswith("_sorted") or name.endswith("_backwards"):
        keys = torch.sort(keys, descending=name.endswith("_backwards")).values
    return keys


def is_sort(result, x):
    """Sorted, of these keys, each of them once, and equal ones in order."""
    values, places = result.values, result.indices
    ascending = values[:, 1:] > values[:, :-1]
    stable = (values[:, 1:] == values[:, :-1]) & (places[:, 1:] > places[:, :-1])
    return bool((ascending | stable).all()) and torch.equal(x.gather(1, places), values) \
        and are_different(places, x.shape[1])


def find_sort(source, row):
    x = make_keys(source, row).view(row["segments"], row["segment_size"])
    return (lambda: torch.sort(x, dim=1, stable=True)), (lambda y: is_sort(y, x))


def is_top(result, x, k):
    values, places = result.values, result.indices
    return torch.equal(torch.sort(values, dim=1).values, torch.sort(x, dim=1).values[:, :k]) \
        and torch.equal(x.gather(1, places), values) and are_different(places, x.shape[1])


def find_top(source, row):
    """The least are the first; PyTorch says nothing of the order of equal ones."""
    x = make_keys(source, row).view(row["segments"], row["segment_size"])
    k = min(int(re.search(r"\d+", row["primitive"]).group()), row["segment_size"])
    in_order = not row["primitive"].endswith("_unsorted")

    def check(y):
        rises = not in_order or bool((y.values[:, 1:] >= y.values[:, :-1]).all())
        return rises and is_top(y, x, k)
    return (lambda: torch.topk(x, k, dim=1, largest=False, sorted=in_order)), check


# ---- selections ----

def chosen(x, mask):
    """By a stable sort of what is chosen."""
    order = torch.sort((~mask).to(torch.uint8), stable=True).indices
    return x[order[:int(mask.sum())]]


def find_filter(source, row):
    """Seven bits decide. Where all or none are kept, 127 does not occur."""
    kind, n, name = TYPES[row["type"]], row["n"], row["primitive"]
    if kind in INTEGERS or name == "filter_tuple":
        return None
    percent = re.search(r"\d+$", name)
    kept = {1: 1, 99: 127}.get(int(percent.group()), int(percent.group()) * 128 // 100) if percent else 64
    x = source.integers(kind, n)
    if name.startswith("filter_runs"):
        low = source.integers(kind, n // 1000 + 1, 0, 128).repeat_interleave(1000)[:n]
        x = (x & ~127) | low
    if kept in (0, 128):
        x = torch.where((x & 127) == 127, x - 1, x)
    if name == "filter_bits":
        mask = (x & 127) < kept
        return (lambda: torch.masked_select(x, mask)), (lambda y: torch.equal(y, chosen(x, mask)))
    if kept == 0:
        return (lambda: x[(x & 127) == 127]), (lambda y: y.numel() == 0)
    kept = min(kept, 127)
    return (lambda: x[(x & 127) < kept]), (lambda y: torch.equal(y, chosen(x, (x & 127) < kept)))


def find_unique(source, row):
    """Three of four elements start a run."""
    x = torch.cumsum(source.uniform(row["n"]) < 0.75, 0).to(TYPES[row["type"]])
    heads = torch.ones_like(x, dtype=torch.bool)
    heads[1:] = x[1:] != x[:-1]
    return (lambda: torch.unique_consecutive(x)), (lambda y: torch.equal(y, chosen(x, heads)))


def find_runs(source, row):
    x = source.integers(TYPES[row["type"]], row["n"], 0, 4)

    def check(y):
        keys, lengths = y
        return bool((keys[1:] != keys[:-1]).all()) and torch.equal(torch.repeat_interleave(keys, lengths), x)
    return (lambda: torch.unique_consecutive(x, return_counts=True)), check


# ---- moves ----

def numbers(indices, kind):
    """What element i is, for any i."""
    return (indices * 2654435761 >> 7).to(kind)


def find_move(source, row):
    name, n, kind = row["primitive"], row["n"], TYPES[row["type"]]
    if name.endswith("_identity"):
        indices = source.count(n)
    elif name == "gather_sorted":
        indices = 2 * source.count(n // 2) + source.integers(torch.int64, n // 2, 0, 2)
    else:
        indices = torch.randperm(n, generator=source.random, device=source.device)
    x = numbers(source.count(n), kind)
    if name.startswith("gather"):
        short = indices.to(torch.int32)
        return (lambda: x.index_select(0, short)), (lambda y: torch.equal(y, numbers(indices, kind)))
    out = torch.empty_like(x)

    def check(y):
        return torch.equal(y, numbers(torch.sort(indices).indices, kind))
    return (lambda: out.index_copy_(0, indices, x)), check  # it takes indices of 64 bits alone


# ---- histograms ----

def make_bins(source, row):
    name, n, bins = row["primitive"], row["n"], row["bins"]
    if name.endswith("_one_hot"):
        return torch.full((n,), bins // 3, device=source.device)
    if name.endswith("_two_bins"):
        return source.count(n) % 2 * (bins // 2)
    if name.endswith("_sorted"):
        place = source.count(n) * (bins / n)
    elif name.endswith("_zipf"):
        place = torch.exp(source.uniform(n) * math.log(bins + 1)) - 1
    elif name.endswith("_gaussian"):
        place = source.normal(n) * (bins / 8) + bins / 2
    else:
        place = source.uniform(n) * bins
    return place.to(torch.int64).clamp_(0, bins - 1)


def bounds(source, ordered, bins):
    """Where each bin starts in bins in ascending order, and the end."""
    return torch.searchsorted(ordered, source.count(bins + 1))


def find_count(source, row, index):
    kind = {torch.int8: torch.uint8, torch.int16: torch.int32}.get(TYPES[row["type"]], TYPES[row["type"]])
    x, bins = index.to(kind), row["bins"]
    return (lambda: torch.bincount(x, minlength=bins)), \
        (lambda y: torch.equal(y, bounds(source, torch.sort(index).values, bins).diff()))


def find_sum(source, row, index):
    """Whole numbers, of which few are not 0, as in bin_operators.c: sums are exact."""
    n, bins = row["n"], row["bins"]
    x = source.integers(torch.int32, n, -8, 8) * (source.uniform(n) * max(1, n >> 20) < 1)
    x = x.to(torch.float32)

    def check(y):
        ordered, order = torch.sort(index, stable=True)
        totals = torch.zeros(n + 1, dtype=torch.float64, device=source.device)
        totals[1:] = torch.cumsum(x[order].to(torch.float64), 0)
        return torch.equal(y, totals[bounds(source, ordered, bins)].diff().to(torch.float32))
    return (lambda: torch.zeros(bins, device=source.device).scatter_add_(0, index, x)), check


def find_max(source, row, index):
    n, bins = row["n"], row["bins"]
    x = source.integers(torch.int32, n, -50000, 50003).to(torch.float32)
    nothing = -math.inf

    def check(y):
        values, order = torch.sort(x)
        ordered, again = torch.sort(index[order], stable=True)
        begin = bounds(source, ordered, bins)
        last = values[again][(begin[1:] - 1).clamp(min=0)]
        return torch.equal(y, torch.where(begin[1:] > begin[:-1], last, nothing))

    def call():
        return torch.full((bins,), nothing, device=source.device).scatter_reduce_(0, index, x, "amax")
    return call, check


def find_histogram(source, row):
    finders = {"count": find_count, "sum": find_sum, "max": find_max}
    if row["op"] not in finders:
        return None
    return finders[row["op"]](source, row, make_bins(source, row))  # scatters take indices of 64 bits alone


# ---- which ----

FINDERS = (("sort(_(?!low8).*)?", find_sort), ("segmented_sort(_pairs)?", find_sort), ("top_k_.*", find_top),
           ("filter(_.*)?", find_filter), ("unique", find_unique), ("run_lengths", find_runs),
           ("(gather|scatter)(_.*)?", find_move), ("histogram(_.*)?", find_histogram))


def find(device, row):
    if row["type"] in TYPES and not row.get("batch"):
        for pattern, finder in FINDERS:
            if re.fullmatch(pattern, row["primitive"]):
                return finder(Source(device), row)
    return None
