# SPDX-License-Identifier: MIT
PICTURES = [("Expand: each element as often as its length says.", [
    ("values", "p/a q r/b", ""), ("lengths", "2/a 0 3/b", "0-0 0-1 2-2 2-3 2-4"),
    ("results", "p/a p/a r/b r/b r/b", "", lambda x, lengths: [v for v, k in zip(x, lengths) for _ in range(k)])])]
