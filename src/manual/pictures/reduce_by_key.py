# SPDX-License-Identifier: MIT
from itertools import groupby

PICTURES = [("Each run of neighbours with the same key becomes one value.", [
    ("keys", "x/a x/a y/b y/b y/b x/c", ""), ("values", "1/a 2/a 3/b 4/b 5/b 6/c", "0-0 1-0 2-1 3-1 4-1 5-2"),
    ("keys of runs", "x/a y/b x/c", "", lambda keys, _: [key for key, _ in groupby(keys)]),
    ("sums", "3/a 12/b 6/c", "", lambda keys, x, _: [
        sum(v for _, v in run) for _, run in groupby(zip(keys, x), lambda pair: pair[0])])])]
