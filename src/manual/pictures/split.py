# SPDX-License-Identifier: MIT
PICTURES = [("Every element goes to its part, and the parts lie one behind the other.", [
    ("input", "c/c a/a b/b A/a C/c B/b", "0-4 1-0 2-2 3-1 4-5 5-3"),
    ("parts a, b, c", "a/a A/a b/b B/b c/c C/c", "", lambda x: sorted(x, key=str.lower))])]
