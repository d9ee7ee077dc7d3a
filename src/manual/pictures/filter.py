# SPDX-License-Identifier: MIT
from itertools import groupby

PICTURES = [
    ("Filter: the elements for which a predicate is true, here even numbers.", [
        ("input", "3 8/a 1 6/a 2/a 9", "1-0 3-1 4-2"),
        ("kept: 3", "8/a 6/a 2/a", "", lambda x: [n for n in x if n % 2 == 0])]),
    ("Unique: the first element of each run of equal neighbours.", [
        ("input", "5/a 5 2/b 2 2 5/c", "0-0 2-1 5-2"),
        ("first of runs", "5/a 2/b 5/c", "", lambda x: [key for key, _ in groupby(x)])]),
    ("Partition: every element goes to one of several outputs.", [
        ("input", "3/a 8/b 1/a 6/b 2/b 9/a", "0-0 2-1 5-2 1-3 3-4 4-5"),
        ("odd; even", "3/a 1/a 9/a | 8/b 6/b 2/b", "", lambda x: sorted(x, key=lambda n: n % 2 == 0))])]
