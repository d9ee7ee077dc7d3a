# SPDX-License-Identifier: MIT
"""What format_plain.py and format.py change, and what they leave."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from format import kept, marked, unmarked  # noqa: E402
from format_plain import plain  # noqa: E402

CHANGED = {
    "if (x != NULL)": "if (x)",
    "if (a->b[i] == NULL && c)": "if (!a->b[i] && c)",
    "while ((at = strstr(list, word)) != NULL)": "while ((at = strstr(list, word)))",
    "return p != NULL ? p->n : 0;": "return p ? p->n : 0;",
    "const bool is = f(x) != NULL && y;": "const bool is = f(x) && y;",
    "count += wrong == NULL;": "count += !wrong;",
    "ck_assert(p != NULL);": "ck_assert(p);",
    "for (size_t i = 0, j = 0; i < n; i++, j++) {": "for (size_t i = 0, j = 0; i < n; ++i, ++j) {",
    "{\n    list->count++;\n    (*number)--;\n}": "{\n    ++list->count;\n    --*number;\n}",
    "if (x)\n    n[i]++;": "if (x)\n    ++n[i];",
}
SAME = [
    "count += x != NULL;", "ck_assert((a != NULL) == b);", "ck_assert_int_eq(b, x != NULL);", "f(x, y != NULL);",
    "a[i++] = b;", "x = i++;", "while (n-- > 0)", "f(i++);", "*p++ = 0;", '"if (x != NULL) i++;"', "/* x != NULL */",
    "for (;; i = f(j++)) {",
]
KEPT = [
    ("static const row rows[] = {\n    {.a = 1,\n     .b = 2},\n};\nint x;", {0, 1, 2, 3}),
    ("enum { A,\n       B };\nint f(void)\n{\n    return 1;\n}", {0, 1}),
    ("    call(a, &(shape){.n = 1,\n                     .k = 2}, b);\n    x = 1;", {0, 1}),
    ("    const row r = {.a = 1};", set()),
    ("#define F(x) \\\n    g(x)\nint y;", {0, 1}),
    ("static inline int f(void) { return 1; }", {0}),
    ('    f(a,\n      "x" HEAD("y")\n      "z");\n    g();', {0, 1, 2}),
    ("struct s {\n    int a;\n};", set()),
]


def main():
    for text, expected in CHANGED.items():
        assert plain(text) == expected, (text, plain(text))
        assert plain(expected) == expected, expected
    for text in SAME:
        assert plain(text) == text, (text, plain(text))
    for text, lines in KEPT:
        assert kept(text) == lines, (text, kept(text))
        assert unmarked(marked(text)) == text, text
    loop = "    CLF_UNROLL for (uint k = 0; k < 4; ++k)\n        x[k] = 0;"
    assert marked(loop) != loop and unmarked(marked(loop)) == loop
    print("format: %d forms" % (len(CHANGED) + len(SAME) + len(KEPT)))


if __name__ == "__main__":
    main()
