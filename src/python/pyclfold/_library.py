# SPDX-License-Identifier: MIT
"""The C library by ctypes: its structs, enumerators and functions, as clfold.h declares them.

_functions.py is made of the header; tests/test_header.py compares all else with it. Handles and pointers are plain
addresses (c_void_p), for that is what the ``int_ptr`` of PyOpenCL's objects is.
"""
import ctypes
import ctypes.util
import os
import sys
from ctypes import c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p
from pathlib import Path

from ._functions import FUNCTIONS

INTERFACE = (0, 1)  # major and minor of the library that this package is written for

TYPES = {"int8": 0, "uint8": 1, "int16": 2, "uint16": 3, "int32": 4, "uint32": 5, "int64": 6, "uint64": 7,
         "float16": 8, "float32": 9, "float64": 10, "bfloat16": 11}  # clf_type by NumPy's names, and ml_dtypes'
OPS = {"sum": 0, "product": 1, "min": 2, "max": 3, "and": 4, "or": 5, "xor": 6}  # clf_op
BY_FLAGS, BY_BITS, BY_OFFSETS, BY_LENGTHS, BY_KEYS = range(5)  # clf_segments_by

EXCLUSIVE, COMMUTATIVE, NO_INDEX, WITH_SEGMENT, COMBINE_CAPTURES, DENORMS_ARE_ZERO = 1, 1, 2, 4, 8, 16
UPPER, SORTED_NEEDLES, DESCENDING = 2, 4, 8
FROM_DEVICE, IN_PLACE, TOTAL_ORDER, UNSORTED, UPDATE, ORDERED = 0x10, 0x20, 0x40, 0x80, 0x100, 0x200
OVERWRITE_INPUT, NONTRIVIAL_RUNS, UPPER_END, REVERSE, REPEATABLE = 0x400, 0x800, 0x1000, 0x2000, ORDERED
LAWS_PLAIN, LAWS_EXTREME = 1, 2
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
        "part", "key")] + [("flags", c_uint), ("result", c_char_p), ("finish", c_char_p),
                                              ("place", c_char_p)]


NOTIFY = ctypes.CFUNCTYPE(None, c_char_p, c_int, c_void_p)


class ContextOptions(ctypes.Structure):
    """clf_context_options"""
    _fields_ = [("size", c_size_t), ("cache_dir", c_char_p), ("profile", c_char_p), ("disable", c_char_p),
                ("dump_dir", c_char_p), ("notify", NOTIFY), ("user", c_void_p)]


class PlanOptions(ctypes.Structure):
    """clf_plan_options"""
    _fields_ = [("size", c_size_t), ("variant", c_char_p), ("parameters", c_char_p), ("wanted", c_uint64)]


class LawsOptions(ctypes.Structure):
    """clf_laws_options"""
    _fields_ = [("size", c_size_t), ("flags", c_uint), ("values", c_uint), ("seed", c_uint64), ("count", c_size_t),
                ("elements", c_void_p), ("captured", c_void_p)]


class Segmentation(ctypes.Structure):
    """clf_segmentation"""
    _fields_ = [("size", c_size_t), ("by", c_int), ("type", c_int)]


# What functions take and return, by the letters of _functions.py.
KINDS = {"p": c_void_p, "n": c_uint64, "u": c_uint, "i": c_int, "s": c_size_t, "t": c_char_p, "a": Array}


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
    for name, (result, *arguments) in FUNCTIONS.items():
        function = getattr(library, name, None)
        if function is None:
            raise ImportError(f"{path} is another version of clfold: it has no {name}")
        function.restype, function.argtypes = KINDS[result], [KINDS[letter] for letter in arguments]
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
