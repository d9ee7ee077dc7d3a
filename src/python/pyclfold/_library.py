# SPDX-License-Identifier: MIT
"""The C library by ctypes: its structs, enumerators and functions, as clfold.h declares them.

tests/test_header.py compares all of this with the header. Handles and pointers are plain addresses (c_void_p), for
that is what the ``int_ptr`` of PyOpenCL's objects is.
"""
import ctypes
import ctypes.util
import os
import sys
from ctypes import c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p
from pathlib import Path

INTERFACE = (0, 1)  # major and minor of the library that this package is written for

TYPES = {"int8": 0, "uint8": 1, "int16": 2, "uint16": 3, "int32": 4, "uint32": 5, "int64": 6, "uint64": 7,
         "float16": 8, "float32": 9, "float64": 10}  # clf_type by NumPy's names
OPS = {"sum": 0, "product": 1, "min": 2, "max": 3, "and": 4, "or": 5, "xor": 6}  # clf_op
BY_FLAGS, BY_BITS, BY_OFFSETS, BY_LENGTHS, BY_KEYS = range(5)  # clf_segments_by

EXCLUSIVE, COMMUTATIVE, NO_INDEX, UPPER, SORTED_NEEDLES, DESCENDING = 1, 1, 2, 2, 4, 8
FROM_DEVICE, IN_PLACE, TOTAL_ORDER, UNSORTED, UPDATE, ORDERED = 0x10, 0x20, 0x40, 0x80, 0x100, 0x200
OVERWRITE_INPUT, NONTRIVIAL_RUNS, UPPER_END = 0x400, 0x800, 0x1000
MAX_FIELDS = 16


class Array(ctypes.Structure):
    """clf_array"""
    _fields_ = [("buffer", c_void_p), ("offset", c_uint64)]


class Call(ctypes.Structure):
    """clf_call"""
    _fields_ = [("size", c_size_t), ("queue", c_void_p), ("wait_count", c_uint), ("wait", c_void_p),
                ("event", c_void_p), ("scratch", Array), ("initial", c_void_p), ("initial_arrays", c_void_p),
                ("actual", Array), ("in_count", c_uint), ("out_count", c_uint)]


class ErrorDetails(ctypes.Structure):
    """clf_error"""
    _fields_ = [("size", c_size_t), ("status", c_int), ("message", ctypes.c_char * 256), ("log", ctypes.c_char * 4096)]


class Operator(ctypes.Structure):
    """clf_operator"""
    _fields_ = [("size", c_size_t)] + [(name, c_char_p) for name in (
        "value", "input", "extra", "captured", "source", "combine", "neutral", "map", "predicate", "same", "less",
        "part", "key")] + [("flags", c_uint)]


NOTIFY = ctypes.CFUNCTYPE(None, c_char_p, c_int, c_void_p)


class ContextOptions(ctypes.Structure):
    """clf_context_options"""
    _fields_ = [("size", c_size_t), ("cache_dir", c_char_p), ("profile", c_char_p), ("disable", c_char_p),
                ("dump_dir", c_char_p), ("notify", NOTIFY), ("user", c_void_p)]


class PlanOptions(ctypes.Structure):
    """clf_plan_options"""
    _fields_ = [("size", c_size_t), ("variant", c_char_p), ("parameters", c_char_p)]


class Segmentation(ctypes.Structure):
    """clf_segmentation"""
    _fields_ = [("size", c_size_t), ("by", c_int), ("type", c_int)]


_P, _N, _U, _I, _S, _A = c_void_p, c_uint64, c_uint, c_int, c_size_t, Array
_PLAN = (_P, _P, _U, _P, _P, _P)  # context, operator, flags, options, plan, error
_IRREGULAR = (_P, _P, _P, _U, _P, _P, _P)
_FIELDS = (_P, c_char_p, _I, _U, _P, _P, _P)
_TEXT = (_P, _S, _P)

# Arguments by name. Functions return a status, but for those in RETURNS.
FUNCTIONS = {
    "clf_version": (), "clf_status_text": (_I,),
    "clf_context_create": (_P, _P, _P, _P, _P), "clf_context_retain": (_P,), "clf_context_release": (_P,),
    "clf_context_trim": (_P,), "clf_context_describe": (_P,) + _TEXT,
    "clf_context_tune": (_P, _P, _U, _P), "clf_context_profile": (_P,) + _TEXT,
    "clf_type_size": (_I,), "clf_type_name": (_I,), "clf_op_name": (_I,),
    "clf_builtin": (_I, _I), "clf_operator_join": (_U, _P, _P, _P), "clf_operator_release": (_P,),
    "clf_plan_retain": (_P,), "clf_plan_release": (_P,), "clf_plan_compile": (_P, _P),
    "clf_parameters_describe": _TEXT, "clf_plan_scratch": (_P, _N, _N, _P), "clf_plan_describe": (_P, _N) + _TEXT,
    "clf_plan_describe_tuning": (_P,) + _TEXT,
    "clf_scan_plan": _PLAN, "clf_scan": (_P, _P, _N, _P, _P),
    "clf_segmented_scan_plan": _PLAN, "clf_segmented_scan": (_P, _P, _N, _N, _P, _P),
    "clf_irregular_scan_plan": _IRREGULAR, "clf_irregular_scan": (_P, _P, _N, _N, _P, _P, _P),
    "clf_reduce_plan": _PLAN, "clf_reduce": (_P, _P, _N, _P, _P), "clf_segmented_reduce": (_P, _P, _N, _N, _P, _P),
    "clf_reduce_variant": (_P, _N, _N),
    "clf_irregular_reduce_plan": _IRREGULAR, "clf_irregular_reduce": (_P, _P, _N, _N, _P, _P, _P, _P),
    "clf_transpose_plan": (_P, _S, _P, _P, _P), "clf_transpose": (_P, _P, _N, _N, _N, _P, _P),
    "clf_transpose_variant": (_P, _N, _N, _N),
    "clf_adjacent_difference_plan": _PLAN, "clf_adjacent_difference": (_P, _P, _N, _P, _P),
    "clf_segmented_adjacent_difference": (_P, _P, _N, _N, _P, _P),
    "clf_filter_plan": _PLAN, "clf_filter": (_P, _P, _N, _N, _P, _P, _P),
    "clf_unique_plan": _PLAN, "clf_unique": (_P, _P, _N, _N, _P, _P, _P),
    "clf_partition_plan": _PLAN, "clf_partition": (_P, _P, _N, _N, _P, _P, _P),
    "clf_split_plan": (_P, _P, _U, _U, _P, _P, _P), "clf_split": (_P, _P, _N, _P, _P, _P),
    "clf_sort_plan": _PLAN, "clf_sort": (_P, _P, _N, _P, _P),
    "clf_segmented_sort_plan": _PLAN, "clf_segmented_sort": (_P, _P, _N, _N, _P, _P),
    "clf_irregular_sort_plan": _IRREGULAR, "clf_irregular_sort": (_P, _P, _N, _N, _P, _P, _P),
    "clf_merge_sort_plan": _PLAN, "clf_merge_sort": (_P, _P, _N, _P, _P),
    "clf_is_sorted_plan": _PLAN, "clf_is_sorted": (_P, _P, _N, _P, _P),
    "clf_top_k_plan": _PLAN, "clf_top_k": (_P, _P, _N, _N, _P, _P),
    "clf_segmented_top_k": (_P, _P, _N, _N, _N, _P, _P),
    "clf_reduce_by_key_plan": _PLAN, "clf_reduce_by_key": (_P, _P, _N, _N, _P, _P, _P),
    "clf_reduce_by_index_plan": _PLAN, "clf_reduce_by_index": (_P, _P, _N, _N, _P, _P),
    "clf_segmented_reduce_by_index": (_P, _P, _N, _N, _N, _P, _P),
    "clf_merge_plan": _PLAN, "clf_merge": (_P, _P, _N, _N, _P, _P),
    "clf_bounds_plan": (_P, _P, _I, _U, _P, _P, _P), "clf_bounds": (_P, _P, _N, _N, _P, _P),
    "clf_gather_plan": _FIELDS, "clf_gather": (_P, _P, _N, _N, _P, _P, _P),
    "clf_scatter_plan": _FIELDS, "clf_scatter": (_P, _P, _N, _N, _P, _P, _P),
    "clf_expand_plan": _IRREGULAR, "clf_expand": (_P, _P, _N, _N, _P, _P, _P, _P),
    "clf_array_repeat": (_P, _P, _I, _I, _N, _N, _A, _A, _A, _A),
    "clf_inclusive_scan": (_P, _P, _I, _I, _N, _A, _A), "clf_exclusive_scan": (_P, _P, _I, _I, _N, _A, _A),
    "clf_array_reduce": (_P, _P, _I, _I, _N, _A, _A),
    "clf_rows_inclusive_scan": (_P, _P, _I, _I, _N, _N, _A, _A), "clf_rows_reduce": (_P, _P, _I, _I, _N, _N, _A, _A),
    "clf_array_filter": (_P, _P, _I, _N, _A, _A, _A, _A), "clf_array_unique": (_P, _P, _I, _N, _A, _A, _A),
    "clf_array_run_lengths": (_P, _P, _I, _N, _A, _A, _A, _A), "clf_array_sort": (_P, _P, _I, _N, _A, _A),
    "clf_array_shuffle": (_P, _P, _I, _N, _N, _A, _A), "clf_array_permutation": (_P, _P, _I, _N, _N, _A),
    "clf_array_top_k": (_P, _P, _I, _U, _N, _N, _A, _A), "clf_array_histogram": (_P, _P, _I, _N, _N, _A, _A),
    "clf_array_histogram_even": (_P, _P, _I, _N, _N, _A, _A, _A),
    "clf_array_histogram_edges": (_P, _P, _I, _I, _U, _N, _N, _A, _A, _A),
    "clf_array_histogram_range": (_P, _P, _I, _I, _U, _N, _N, _A, _A, _A),
    "clf_matrix_transpose": (_P, _P, _S, _N, _N, _A, _A),
    "clf_rows_exclusive_scan": (_P, _P, _I, _I, _N, _N, _A, _A), "clf_columns_reduce": (_P, _P, _I, _I, _N, _N, _A, _A),
    "clf_segments_inclusive_scan": (_P, _P, _I, _I, _I, _N, _N, _A, _A, _A),
    "clf_segments_exclusive_scan": (_P, _P, _I, _I, _I, _N, _N, _A, _A, _A),
    "clf_segments_reduce": (_P, _P, _I, _I, _I, _N, _N, _A, _A, _A),
    "clf_array_argmin": (_P, _P, _I, _I, _N, _A, _A, _A), "clf_array_argmax": (_P, _P, _I, _I, _N, _A, _A, _A),
    "clf_rows_argmin": (_P, _P, _I, _I, _N, _N, _A, _A, _A), "clf_rows_argmax": (_P, _P, _I, _I, _N, _N, _A, _A, _A),
    "clf_segments_argmin": (_P, _P, _I, _I, _I, _N, _N, _A, _A, _A, _A),
    "clf_segments_argmax": (_P, _P, _I, _I, _I, _N, _N, _A, _A, _A, _A),
    "clf_array_sort_descending": (_P, _P, _I, _N, _A, _A),
    "clf_array_sort_pairs": (_P, _P, _I, _S, _U, _N, _A, _A, _A, _A),
    "clf_array_argsort": (_P, _P, _I, _I, _U, _N, _A, _A), "clf_rows_sort": (_P, _P, _I, _U, _N, _N, _A, _A),
    "clf_segments_sort": (_P, _P, _I, _I, _U, _N, _N, _A, _A, _A),
    "clf_array_arg_top_k": (_P, _P, _I, _I, _U, _N, _N, _A, _A, _A),
    "clf_rows_top_k": (_P, _P, _I, _U, _N, _N, _N, _A, _A),
    "clf_rows_arg_top_k": (_P, _P, _I, _I, _U, _N, _N, _N, _A, _A, _A),
    "clf_array_group_by": (_P, _P, _I, _I, _I, _N, _A, _A, _A, _A, _A),
    "clf_array_group_counts": (_P, _P, _I, _N, _A, _A, _A, _A),
}
RETURNS = {"clf_version": _U, "clf_status_text": c_char_p, "clf_type_size": _S, "clf_type_name": c_char_p,
           "clf_op_name": c_char_p, "clf_builtin": _P, "clf_reduce_variant": c_char_p,
           "clf_transpose_variant": c_char_p}


def _candidates():
    """Where the library may be: where the caller says; beside this file, as in a wheel; in an installed pyclfold, if
    this one is run from the source tree; where the system has it."""
    if os.environ.get("CLFOLD_LIBRARY"):
        return [os.environ["CLFOLD_LIBRARY"]]
    folders = [Path(__file__).parent] + [Path(entry) / "pyclfold" for entry in sys.path]
    names = ["libclfold.so", "libclfold.dylib", "clfold.dll", "libclfold.dll"]
    soname = "libclfold.so.{}.{}".format(*INTERFACE)
    found = [str(folder / name) for folder in folders for name in names if (folder / name).exists()]
    return found[:1] or [ctypes.util.find_library("clfold") or soname]


def _load():
    reasons = []
    for path in _candidates():
        try:
            library = ctypes.CDLL(path)
            break
        except OSError as error:
            reasons.append(str(error))
    else:
        raise ImportError("pyclfold found no clfold library (CLFOLD_LIBRARY may name it): " + "; ".join(reasons))
    for name, arguments in FUNCTIONS.items():
        function = getattr(library, name, None)
        if function is None:
            raise ImportError(f"{path} is another version of clfold: it has no {name}")
        function.argtypes, function.restype = arguments, RETURNS.get(name, c_int)
    version = library.clf_version()
    if (version // 10000, version // 100 % 100) != INTERFACE:
        raise ImportError(f"{path} is clfold {version // 10000}.{version // 100 % 100}, "
                          "and this package is written for {}.{}".format(*INTERFACE))
    return library


lib = _load()


def version() -> str:
    """The version of the C library in use.

    >>> cf.version()
    '0.1.0'
    """
    number = lib.clf_version()
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


def text_of(describe, *arguments) -> str:
    """What a clf_…_describe function writes."""
    needed = c_size_t()
    describe(*arguments, None, 0, ctypes.byref(needed))
    text = ctypes.create_string_buffer(needed.value)
    describe(*arguments, text, needed.value, None)
    return text.value.decode()
