#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""model.py [--alpha US] [--link GB/s] [--pinned GB/s] [--reduce US] [--scan US] [--sort US] [--n N] [--launch US]: weak
and strong scaling of clfold_mpi's scan and sort, as an alpha-beta model predicts them, up to 10^5 ranks.

A message of b bytes takes alpha + b / link. Collectives are those of the books (Thakur, Rabenseifner and Gropp 2005):
an all-gather of b bytes from each of p takes alpha log2 p + (p - 1) b / link, an all-reduce of b bytes
2 alpha log2 p + 2 b / link, an all-to-all alpha (p - 1) + b / link. What a device takes for n elements of 4 bytes goes
by n, with a launch as the least.

The defaults were measured (README.md), but not on a cluster, for want of one: an H200's times of 2^28 elements
alone; 10 GB/s, at which one thread copies between the staging of two ranks of a host; of a message, MPI_Exscan between
two processes of one host; of a launch that somebody waits for, a sixth of the search for a border of two H200, which has
six of them. Give your network's. The first table is of members of one process, whose devices write and read pinned memory
at 35 GB/s each way, beside what was measured of two H200. Three ways to find a sort's borders are compared:

    exact      as built: counts below 4096 probes a round are summed; then 16 bytes for each border go to everyone
    exscan     the same, but everyone gets its own cuts by a scan over ranks, and their transposition by an all-to-all
    samples    p - 1 regular samples of each rank go to everyone, which sorts them: shares up to twice as large
"""
import argparse
import math

PROBES, LEAST_ARITY, MOST_ARITY = 4096, 2, 256


class Model:
    def __init__(self, o):
        self.o = o

    def log(self, p):
        return math.ceil(math.log2(p)) if p > 1 else 0

    def wire(self, bytes_):
        return bytes_ / (self.o.link * 1e3)  # µs

    def gather(self, p, each):
        return self.o.alpha * self.log(p) + self.wire((p - 1) * each)

    def total(self, p, bytes_):
        return 2 * (self.o.alpha * self.log(p) + self.wire(bytes_)) if p > 1 else 0

    def exchange(self, p, bytes_):
        return self.o.alpha * (p - 1) + self.wire(bytes_) if p > 1 else 0

    def device(self, what, n):
        return max(self.o.launch, getattr(self.o, what) * n / self.o.n)

    def meetings(self, p, count):
        return count * self.gather(p, 24)

    def scan(self, p, n):
        """Reduce, all values to everyone, a launch over p of them, scan; three meetings."""
        alone = self.device("scan", n)
        if p == 1:
            return alone
        return self.device("reduce", n) + self.meetings(p, 3) + self.device("reduce", p) + alone

    def rounds(self, p, bits=32):
        arity = min(MOST_ARITY, max(LEAST_ARITY, PROBES // (p - 1) + 1))
        return math.ceil(bits / math.log2(arity))

    def borders(self, p, how):
        if how == "samples":
            return self.gather(p, 4 * (p - 1)) + self.device("sort", p * (p - 1))
        probes = max(PROBES, p)
        search = self.rounds(p) * (self.o.launch + self.total(p, 8 * probes)) + 2 * self.o.launch
        if how == "exact":
            return search + self.gather(p, 16 * (p - 1))
        return search + self.o.alpha * self.log(p) + self.wire(16 * p) * self.log(p) + self.exchange(p, 8 * p)

    def sort(self, p, n, how, share=1):
        """`share` is how much the largest of the ranks gets, of what each has: with samples up to 2."""
        if p == 1:
            return self.device("sort", n)
        return (1 + share) * self.device("sort", n) + self.meetings(p, 4) + self.borders(p, how) + \
            self.exchange(p, share * 4 * n * (p - 1) / p)

    def phases(self, p, n):
        """Of a sort in one process, whose devices all write and read pinned memory: local, borders, move, last."""
        each, moved = self.device("sort", n), 4 * n * (p - 1) / p
        return each, self.borders(p, "exact"), moved / (self.o.pinned * 1e3), each


# Two H200 of one host in one process, 2^28 elements each, ms: bench/results/nvidia-h200-x2-distributed.json.
MEASURED = {"scan": 0.849, "sort": 26.98, "phases": (5.39, 0.305, 16.86, 5.12)}


def beside_measured(model):
    p, n = 2, model.o.n
    phases = model.phases(p, n)
    rows = [("scan", model.scan(p, n), MEASURED["scan"]), ("sort", sum(phases), MEASURED["sort"])]
    rows += [("  " + name, us, ms) for name, us, ms in
             zip(("local", "borders", "move", "last"), phases, MEASURED["phases"])]
    print("two devices of one process, 2^28 elements each")
    print(f"{'':>9} {'predicted ms':>12} {'measured ms':>12}")
    for name, us, ms in rows:
        print(f"{name:<9} {us / 1e3:>12.2f} {ms:>12.2f}")
    print()


SORTS = (("exact", "exact", 1), ("exscan", "exscan", 1), ("samples", "samples", 1), ("samples, 2x", "samples", 2))


def table(model, title, n_of):
    print(title)
    print(f"{'ranks':>6} {'n each':>10} {'scan ms':>9} {'eff.':>5} " +
          " ".join(f"{name:>11} {'eff.':>5}" for name, _, _ in SORTS))
    for p in [1, 2, 4, 8, 16, 64, 256, 1024, 4096, 16384, 100000]:
        n = n_of(p)
        work = n / model.o.n  # in units of one device's share
        scan = model.scan(p, n)
        row = f"{p:>6} {n:>10.0f} {scan / 1e3:>9.3f} {model.o.scan * work / scan:>5.2f} "
        for _, how, share in SORTS:
            sort = model.sort(p, n, how, share)
            row += f"{sort / 1e3:>11.2f} {model.o.sort * work / sort:>5.2f} "
        print(row.rstrip())
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--alpha", type=float, default=1, help="µs of a message")
    parser.add_argument("--link", type=float, default=10, help="GB/s of a rank's way to others, the host hop included")
    parser.add_argument("--pinned", type=float, default=35, help="GB/s of a device and its host's memory, each way")
    parser.add_argument("--reduce", type=float, default=254, help="µs of n elements of 4 bytes on one device")
    parser.add_argument("--scan", type=float, default=548)
    parser.add_argument("--sort", type=float, default=4745)
    parser.add_argument("--launch", type=float, default=50, help="µs of a launch that somebody waits for")
    parser.add_argument("--n", type=float, default=2 ** 28)
    model = Model(parser.parse_args())
    beside_measured(model)
    table(model, "weak scaling: n elements each; sorts in ms", lambda p: model.o.n)
    table(model, "strong scaling: n elements in all; sorts in ms", lambda p: model.o.n / p)


if __name__ == "__main__":
    main()
