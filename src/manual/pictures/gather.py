# SPDX-License-Identifier: MIT
PICTURES = [
    ("Gather: each index fetches an element.", [
        ("input", "p/a q r/b s/c", "0-1 0-2 2-3 3-0"), ("indices", "3/c 0/a 0/a 2/b", ""),
        ("output", "s/c p/a p/a r/b", "", lambda x, indices: [x[i] for i in indices])]),
    ("Scatter: each index says where an element goes.", [
        ("input", "p/a q/b r/c", ""), ("indices", "2/a 0/b 3/c", "0-2 1-0 2-3"),
        ("output", "q/b . p/a r/c", "", lambda x, indices: [
            x[indices.index(i)] if i in indices else "." for i in range(max(indices) + 1)])])]
