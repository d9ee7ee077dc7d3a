# SPDX-License-Identifier: MIT
"""Operators that obey the laws, and what is raised of those that do not."""
import numpy as np
import pyopencl.array as cla
import pytest

import pyclfold as cf


def test_of_every_kind(queue):
    tuples = cf.operator(("a.m * b.m", "b.m * a.c + b.c"), {"m": "u4", "c": "u4"}, neutral=(1, 0), check=queue)
    assert cf.check(cf.context(queue), tuples) is tuples
    for name in "sum", "min", "max", "product":
        for dtype in "i1", "u2", "i4", "f4", "?":
            cf.operator(name, dtype, check=queue)
    cf.operator("a + b", "f4", neutral=0, map="x * c->w[i]", captured={"w": "f4"}, check=queue)
    assert repr(cf.operator("a + b", "i4", neutral=0, check=True)).startswith("<Operator on int v;")


@pytest.mark.parametrize("op, dtype, neutral, sentence", [
    ("a - b", "i4", 0, "combine is not associative: combine(0, combine(0, 1)) is 1, combine(combine(0, 0), 1) is -1"),
    ("a + b", "i4", 1, "neutral is not neutral on the left: it is 1, and combine(neutral, 0) is 1"),
    ("add_sat(a, b)", "i8", 0, "combine is not associative: combine(-1, combine(9223372036854775807, 1)) is "),
])
def test_broken(queue, op, dtype, neutral, sentence):
    with pytest.raises(cf.Error) as raised:
        cf.operator(op, dtype, neutral=neutral, dtype=dtype, check=queue)
    assert raised.value.status == 32 and raised.value.message.startswith(sentence)


def test_elements_and_numbers(queue):
    first = cf.operator(("a.full ? a.item : b.item", "a.full | b.full"), {"item": "u4", "full": "u1"}, neutral=(0, 0),
                        dtype={"item": "u4", "full": "u1"})
    with pytest.raises(cf.Error, match="neutral on the right"):
        cf.check(queue, first)
    cf.check(queue, first, {"item": [0, 7, 9], "full": [0, 1, 1]})
    cf.check(queue, first, [[0, 7], [0, 1]], values=10, seed=3)
    larger = cf.operator("a > b ? a : b", "f4", neutral="-INFINITY")
    with pytest.raises(cf.Error, match="NaN"):
        cf.check(queue, larger)
    cf.check(queue, larger, numbers="plain")
    cf.check(queue, larger, np.arange(9))


def test_refused(queue):
    total = cf.operator("sum", "f4")
    for refused in (lambda: cf.check(queue, "sum"), lambda: cf.check(None, total)):
        with pytest.raises(TypeError, match="laws are"):
            refused()
    with pytest.raises(ValueError, match="numbers="):
        cf.check(queue, total, numbers="small")
    with pytest.raises(ValueError, match="same length"):
        cf.check(queue, total, np.empty(0))
    with pytest.raises(ValueError, match="2 arrays, and the operator 1 fields"):
        cf.check(queue, total, [[1], [2]])
    with pytest.raises(cf.Error, match="needs 8 to 1024"):
        cf.check(queue, total, values=3)
    with pytest.raises(cf.Error, match="no function that obeys laws"):
        cf.check(queue, cf.Operator("i4"))


def test_functions_that_combine_nothing(queue):
    def order(text):
        return cf.Operator("f4", less="f", source=f"bool f(clf_input a, clf_input b) {{ return {text}; }}")
    cf.check(queue, order("a.v < b.v"), numbers="plain")
    cf.check(queue, order("a.v < b.v"), np.arange(9))
    with pytest.raises(cf.Error, match="less is no weak order: neither of 0 and NaN comes before the other"):
        cf.check(queue, order("a.v < b.v"))
    with pytest.raises(cf.Error, match="less is not irreflexive: less.0, 0. is true"):
        cf.check(queue, order("a.v <= b.v"))
    kept = cf.Operator("i4", predicate="f", no_index=True, source="bool f(clf_input x, ulong i) { return i & 1; }")
    with pytest.raises(cf.Error, match="predicate depends on its index: predicate.1, 1. is true, "):
        cf.check(queue, kept)


def test_captured(queue):
    column = cla.to_device(queue, np.array([9, 9, 5, 1, 3], "i4"))[2:]

    def order(text):
        return cf.Operator({"row": "u4"}, captured={"column": "i4"}, less="f",
                           source=f"bool f(clf_input a, clf_input b, const clf_captured *c) {{ return {text}; }}")
    rows = [np.arange(3)]
    cf.check(queue, order("c->column[a.row] < c->column[b.row]"), rows, captured=column)
    with pytest.raises(cf.Error, match="less is not irreflexive: less.0, 0. is true"):
        cf.check(queue, order("c->column[a.row] <= c->column[b.row]"), rows, captured={"column": column})
    with pytest.raises(cf.Error, match="nobody knows what the arrays hold"):
        cf.check(queue, order("c->column[a.row] < c->column[b.row]"), rows)
    with pytest.raises(ValueError, match="the operator has none"):
        cf.check(queue, cf.operator("sum", "f4"), captured=column)
    with pytest.raises(ValueError, match="2 arrays, and 1 are wanted"):
        cf.check(queue, order("a.row < b.row"), rows, captured=[column, column])
    mapped = cf.operator("a + b", "i4", neutral=0, map="x * c->column[i % 3]", captured={"column": "i4"})
    cf.check(queue, mapped, captured=column)
