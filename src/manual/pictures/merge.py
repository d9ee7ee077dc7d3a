# SPDX-License-Identifier: MIT
PICTURES = [
    ("Two sorted sequences become one. Of equals the first sequence's come first.", [
        ("first; second", "1/a 3/a 8/a | 2/b 3/b 9/b", "0-0 1-2 2-4 3-1 4-3 5-5"),
        ("merged", "1/a 2/b 3/a 3/b 8/a 9/b", "", sorted)]),
    ("Bounds: where a needle could be inserted into a sorted haystack.", [
        ("haystack", "1 3/a 3/a 8", ""), ("needles", "3/a 5", ""),
        ("lower bounds", "1/a 3", "", lambda x, needles: [sum(h < n for h in x) for n in needles]),
        ("upper bounds", "3/a 3", "", lambda x, needles, _: [sum(h <= n for h in x) for n in needles])])]
