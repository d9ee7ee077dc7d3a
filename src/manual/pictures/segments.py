# SPDX-License-Identifier: MIT
from itertools import accumulate


def each(what):
    """What that makes of each segment, in a row."""
    return lambda x, *_: [y for segment in (x[:2], x[2:5], x[5:]) for y in what(segment)]


PICTURES = [("Every segment is scanned, reduced or sorted for itself. These start at offsets 0, 2 and 5.", [
    ("input", "7/a 2/a | 3/b 9/b 5/b | 4/c", ""),
    ("running maximum", "7/a 7/a | 3/b 9/b 9/b | 4/c", "", each(lambda x: accumulate(x, max))),
    ("sorted", "2/a 7/a | 3/b 5/b 9/b | 4/c", "", each(sorted)),
    ("maximum", "7/a 9/b 4/c", "", each(lambda x: [max(x)]))])]
