# SPDX-License-Identifier: MIT
PICTURES = [
    ("All elements become one value.", [
        ("input", "2 7 1 8 2 8", "0-0 1-0 2-0 3-0 4-0 5-0"),
        ("sum", "28/a", "", lambda x: [sum(x)])]),
    ("Each row becomes one value.", [
        ("rows of 3", "2/a 7/a 1/a | 8/b 2/b 8/b", "0-0 1-0 2-0 3-1 4-1 5-1"),
        ("row maxima", "7/a 8/b", "", lambda x: [max(x[:3]), max(x[3:])])])]
