# SPDX-License-Identifier: MIT
"""Parallel primitives for OpenCL with your own operators, on PyOpenCL's arrays: clfold for Python.

>>> x = cla.to_device(queue, np.array([3, 1, 4, 1, 5, 9], "i4"))
>>> print(cf.scan(x), cf.reduce(x, "max"), cf.sort(x))
[ 3  4  8  9 14 23] 9 [1 1 3 4 5 9]

Functions compile a plan at their first call and keep it; classes whose names end in Plan are such plans by themselves.
"""
from ._library import version
from .bins import ReduceByIndexPlan, reduce_by_index
from .by_key import ReduceByKeyPlan, reduce_by_key, run_lengths
from .contexts import Context, context, release
from .differences import DifferencePlan, adjacent_difference
from .errors import Error
from .expressions import operator
from .expand import ExpandPlan, repeat
from .extremes import argmax, argmin
from .groups import group_by, group_counts
from .histograms import histogram
from .irregular_top import IrregularTopKPlan, irregular_top_k
from .laws import check
from .merges import MergePlan, SearchPlan, merge, searchsorted
from .moves import MovePlan, TransposePlan, gather, permutation, scatter, shuffle, transpose
from .operators import Operator, join
from .plans import Plan
from .reductions import ReducePlan, reduce
from .scans import ScanPlan, exclusive_scan, inclusive_scan, scan
from .selections import SelectPlan, filter, partition, split, unique
from .sorts import IsSortedPlan, SortPlan, argsort, is_sorted, merge_sort, sort
from .top import TopKPlan, arg_top_k, top_k

__version__ = version()
__all__ = [
    "Context", "DifferencePlan", "Error", "ExpandPlan", "IrregularTopKPlan", "IsSortedPlan", "MergePlan", "MovePlan",
    "Operator", "Plan", "ReduceByIndexPlan", "ReduceByKeyPlan", "ReducePlan", "ScanPlan", "SearchPlan", "SelectPlan",
    "SortPlan", "TopKPlan", "TransposePlan", "adjacent_difference", "arg_top_k", "argmax", "argmin", "argsort",
    "check", "context", "exclusive_scan", "filter", "gather", "group_by", "group_counts", "histogram",
    "inclusive_scan", "irregular_top_k", "is_sorted", "join", "merge", "merge_sort", "operator", "partition",
    "permutation", "reduce", "reduce_by_index", "reduce_by_key", "release", "repeat", "run_lengths", "scan", "scatter",
    "searchsorted", "shuffle", "sort", "split", "top_k", "transpose", "unique", "version",
]
