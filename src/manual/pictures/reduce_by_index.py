# SPDX-License-Identifier: MIT
PICTURES = [("The elements of each bin are counted (a histogram) or combined, wherever they are.", [
    ("bins", "2/c 0/a 2/c 1/b 0/a 2/c", ""), ("values", "5/c 1/a 2/c 4/b 3/a 1/c", "0-2 1-0 2-2 3-1 4-0 5-2"),
    ("counts", "2/a 1/b 3/c", "", lambda bins, _: [bins.count(i) for i in range(3)]),
    ("sums", "4/a 4/b 8/c", "", lambda bins, x, _: [sum(v for b, v in zip(bins, x) if b == i) for i in range(3)])])]
