# SPDX-License-Identifier: MIT
PICTURES = [("The first k elements of what a sort would give, and where they were.", [
    ("input", "1 9/a 3 7/c 8/b 2", "1-0 4-1 3-2"),
    ("largest 3", "9/a 8/b 7/c", "", lambda x: sorted(x, reverse=True)[:3]),
    ("their indices", "1/a 4/b 3/c", "", lambda x, largest: [x.index(v) for v in largest])])]
