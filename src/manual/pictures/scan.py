# SPDX-License-Identifier: MIT
from itertools import accumulate

PICTURES = [("Each result combines all elements up to it. An exclusive scan leaves the element itself out.", [
    ("input", "3/a 1/a 4/a 1/a 5", "0-3 1-3 2-3 3-3"),
    ("inclusive sum", "3 4 8 9/a 14", "", lambda x: list(accumulate(x))),
    ("exclusive sum", "0 3 4 8 9/a", "", lambda x, _: list(accumulate([0] + x[:-1])))])]
