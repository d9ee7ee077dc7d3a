# SPDX-License-Identifier: MIT
PICTURES = [("Each result combines an element with the one before it. Here 95 is the initial value.", [
    ("input", "95/a 100/a 104/b 103/b 110", "0-0 1-0 2-2 3-2 1-1 2-1 3-3 4-3"),
    ("differences", "5/a 4 -1/b 7", "", lambda x: [b - a for a, b in zip(x, x[1:])])])]
