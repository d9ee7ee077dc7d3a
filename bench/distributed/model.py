#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""model.py [--alpha US] [--link GB/s] [--reduce US] [--scan US] [--sort US] [--n N] [--launch US]: weak and strong
scaling of clfold_mpi's scan and sort, as an alpha-beta model predicts them, up to 10^5 ranks.

A message of b bytes takes alpha + b / link. Collectives are those of the books (Thakur, Rabenseifner and Gropp 2005):
an all-gather of b bytes from each of p takes alpha log2 p + (p - 1) b / link, an all-reduce of b bytes
2 alpha log2 p + 2 b / link, an all-to-all alpha (p - 1) + b / link. What a device takes for n elements of 4 bytes
are figures of one's own, from clfold-bench; times go by n, with a launch as the least.

The defaults are no measurements of a cluster: alpha and link are what one would ask of a network of 200 Gb/s, the
device's are an H200's at 2^28 elements. Three ways to find a sort's borders are compared:

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
        search = self.rounds(p) * (2 * self.o.launch + self.total(p, 8 * probes))
        if how == "exact":
            return search + self.gather(p, 16 * (p - 1))
        return search + self.o.alpha * self.log(p) + self.wire(16 * p) * self.log(p) + self.exchange(p, 8 * p)

    def sort(self, p, n, how):
        if p == 1:
            return self.device("sort", n)
        share = 2 if how == "samples" else 1  # the worst case; random keys come close to 1
        return (1 + share) * self.device("sort", n) + self.meetings(p, 4) + self.borders(p, how) + \
            self.exchange(p, share * 4 * n * (p - 1) / p)


def table(model, title, n_of):
    print(title)
    print(f"{'ranks':>7} {'n each':>11} {'scan ms':>10} {'eff.':>5} " +
          " ".join(f"{'sort ' + how:>13} {'eff.':>5}" for how in ("exact", "exscan", "samples")))
    for p in [1, 2, 4, 8, 16, 64, 256, 1024, 4096, 16384, 100000]:
        n = n_of(p)
        work = n * p / model.o.n  # in units of one device's share
        scan = model.scan(p, n)
        row = f"{p:>7} {n:>11.0f} {scan / 1e3:>10.3f} {model.o.scan * work / p / scan:>5.2f} "
        for how in ("exact", "exscan", "samples"):
            sort = model.sort(p, n, how)
            row += f"{sort / 1e3:>13.2f} {model.o.sort * work / p / sort:>5.2f} "
        print(row.rstrip())
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--alpha", type=float, default=2, help="µs of a message")
    parser.add_argument("--link", type=float, default=25, help="GB/s of a rank's way to others, the host hop included")
    parser.add_argument("--reduce", type=float, default=240, help="µs of n elements of 4 bytes on one device")
    parser.add_argument("--scan", type=float, default=540)
    parser.add_argument("--sort", type=float, default=6000)
    parser.add_argument("--launch", type=float, default=10, help="µs of a launch that somebody waits for")
    parser.add_argument("--n", type=float, default=2 ** 28)
    model = Model(parser.parse_args())
    table(model, "weak scaling: n elements each", lambda p: model.o.n)
    table(model, "strong scaling: n elements in all", lambda p: model.o.n / p)


if __name__ == "__main__":
    main()
