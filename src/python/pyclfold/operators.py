# SPDX-License-Identifier: MIT
"""Operators: what combines, maps, compares, keeps. Elements are tuples, each field of which has an array of its own."""
import ctypes
import re
from typing import Any, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from . import packed
from ._library import COMBINE_CAPTURES, COMMUTATIVE, DENORMS_ARE_ZERO, NO_INDEX, OPS, WITH_SEGMENT, lib
from ._library import Operator as COperator
from .dtypes import SINGLE, Fields, FieldsLike, c_name, declaration, fields_of, is_bfloat16, is_struct, scalar_type
from .errors import Details

#: What sums and products of booleans are, if their results are to be booleans, too.
OF_BOOLEANS = {"sum": "or", "product": "and"}
FUNCTIONS = ("combine", "neutral", "map", "predicate", "same", "less", "part", "key", "finish", "place")
FLAGS = dict(commutative=COMMUTATIVE, no_index=NO_INDEX, with_segment=WITH_SEGMENT, combine_captures=COMBINE_CAPTURES,
             denorms_are_zero=DENORMS_ARE_ZERO)


class Side(NamedTuple):
    """One of the lists of fields of an operator."""
    fields: Fields
    dtypes: Tuple[np.dtype, ...]  # of the arrays that hold them
    single: bool  # elements are no tuples: one array goes in, or comes out, by itself


def side_of(described: Optional[FieldsLike], as_structs: bool = False) -> Optional[Side]:
    """With `as_structs` a structured dtype stands for one array of structs, else for an array per field."""
    if described is None:
        return None
    fields = fields_of(described) if not _is_nothing(described) else ()
    if as_structs:
        return Side(fields, (np.dtype(described),), True)
    return Side(fields, tuple(dtype for _, dtype in fields), len(fields) == 1 and fields[0][0] == SINGLE)


def _is_nothing(described: Any) -> bool:
    return isinstance(described, (str, tuple, list, dict)) and len(described) == 0


class Operator:
    """An operator in OpenCL C, field by field as clf_operator of clfold.h, whose section 3 is the manual.

    value, input, extra, captured   fields: a structured dtype, {name: dtype}, [(name, dtype)], or one dtype, whose
                                    field is called v. `input` None is the same as `value`; {} is no fields at all. A field
                                    of dtype ("f4", 10) is an array "float v[10]": its arrays have shape (n, 10)
    source                          OpenCL C
    combine, neutral, map, predicate, same, less, part, key, finish, place
                                    names of functions in the source
    result                          fields that `finish` makes of a value, and that are written instead
    commutative, no_index           promises that may unlock faster variants: operands may be swapped; no function looks
                                    at the index that it gets
    with_segment                    the map, and `finish` of scans, get the segment's number behind the index
    combine_captures                combine gets the captured arrays, too, behind its operands
    denorms_are_zero                denormal floats may be taken as zero, which some GPUs do faster
    expressions                     what of the source users know as expressions of theirs, by functions: for messages
    structs                         a structured `value` (and `input`) is one array of structs, instead of an array for
                                    each field; such structs have 2, 4, 8 or 16 words of 1, 2, 4 or 8 bytes

    The largest of some floats, and where it is:

    >>> argmax = cf.Operator(
    ...     input={"x": "f4"}, value={"best": "f4", "at": "u4"}, map="here", combine="larger", neutral="none",
    ...     source="clf_value here(clf_input in, ulong i) { return (clf_value){in.x, (uint)i}; }"
    ...            "clf_value larger(clf_value a, clf_value b) { return b.best > a.best ? b : a; }"
    ...            "clf_value none(void) { return (clf_value){-INFINITY, 0}; }")
    >>> result = cf.reduce(cla.to_device(queue, np.array([3, 1, 4, 1, 5, 9, 2, 6], "f4")), argmax)
    >>> print(result.best, result.at)
    9.0 5
    """

    def __init__(self, value: FieldsLike, *, input: Optional[FieldsLike] = None, extra: Optional[FieldsLike] = None,
                 captured: Optional[FieldsLike] = None, source: Optional[str] = None, combine: Optional[str] = None,
                 neutral: Optional[str] = None, map: Optional[str] = None, predicate: Optional[str] = None,
                 same: Optional[str] = None, less: Optional[str] = None, part: Optional[str] = None,
                 key: Optional[str] = None, commutative: bool = False, no_index: bool = False,
                 structs: bool = False, expressions: Optional[Mapping[str, Any]] = None,
                 result: Optional[FieldsLike] = None, finish: Optional[str] = None,
                 place: Optional[str] = None, with_segment: bool = False, combine_captures: bool = False,
                 denorms_are_zero: bool = False) -> None:
        names = dict(combine=combine, neutral=neutral, map=map, predicate=predicate, same=same, less=less, part=part,
                     key=key, finish=finish, place=place)
        in_structs = [structs and described is not None and not isinstance(described, (dict, list, tuple))
                      and is_struct(np.dtype(described)) for described in (value, input)]
        self.value = side_of(value, in_structs[0])
        self.input = side_of(input, in_structs[1]) if input is not None else self.value
        self.extra = side_of(extra)
        self.captured = side_of(captured)
        self.result = side_of(result)
        self.commutative, self.no_index = bool(commutative), bool(no_index)
        self.with_segment, self.combine_captures = bool(with_segment), bool(combine_captures)
        self.denorms_are_zero = bool(denorms_are_zero)
        texts = dict(value=declaration(self.value.fields), source=source, **names)
        texts["input"] = None if input is None else declaration(self.input.fields)
        texts["extra"] = None if extra is None else declaration(self.extra.fields)
        texts["captured"] = None if captured is None else declaration(self.captured.fields)
        texts["result"] = None if result is None else declaration(self.result.fields)
        if any(in_structs) and (result is not None or place is not None or with_segment or combine_captures):
            raise ValueError("values and inputs are arrays for each field where there is a result, a place, "
                             "with_segment, or combine_captures")
        if any(in_structs):
            inputs = in_structs[0] if input is None else in_structs[1]
            texts = packed.wrap(texts, self.value.dtypes[0] if in_structs[0] else None,
                                self.input.dtypes[0] if inputs else None)
        self.texts = texts  # the strings of clf_operator
        self.expressions = dict(expressions or {})
        self._builtin: Optional[Tuple[int, int]] = None
        self.key = (tuple(sorted(texts.items(), key=lambda item: item[0])), *(getattr(self, name) for name in FLAGS))

    @classmethod
    def built_in(cls, name: str, dtype: Any) -> "Operator":
        """A built-in operator on elements of one scalar type, which totals keep: `operator` widens those of small types.
        Sums of booleans are "or", products "and". TypeError if there is no such pair.

        >>> cf.Operator.built_in("max", "f4")
        <Operator on float v; combine=clf_max>
        """
        dtype = np.dtype(dtype)
        if dtype == np.bool_:
            name = OF_BOOLEANS.get(name, name)
        found = OPS[name], scalar_type(dtype)
        if not lib.clf_builtin(*found):
            raise TypeError(f"there is no {name} of {c_name(dtype)}")
        if dtype == np.bool_:  # whatever else the byte is
            return cls(dtype, input=dtype, map="cf_truth", combine="clf_" + name, commutative=True, no_index=True,
                       source="clf_value cf_truth(clf_input x, ulong i) { clf_value r = {x.v != 0}; return r; }\n")
        if is_bfloat16(dtype):  # floats are combined
            self = cls(np.float32, input=dtype, result=dtype, combine="clf_" + name, commutative=True)
        else:
            self = cls(dtype, combine="clf_" + name, commutative=True)
        self._builtin = found
        return self

    def __repr__(self) -> str:
        named = [f"{name}={self.texts[name]}" for name in FUNCTIONS if self.texts[name]]
        return f"<Operator on {self.texts['value'].rstrip(';')}; {', '.join(named)}>"

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Operator) and self.key == other.key

    def blamed(self, log: str) -> List[str]:
        """The expressions that a build log speaks of: those at the places in the source that it names, or else all in
        these lines."""
        lines = (self.texts["source"] or "").split("#line 1\n")[-1].splitlines()
        texts, found, beside = _texts(self.expressions.values()), [], []
        for number, column in re.findall(r"operator\.cl:(\d+):?(\d*)", log):
            line = lines[int(number) - 1] if 0 < int(number) <= len(lines) else ""
            for text in texts:
                starts = [match.start() for match in re.finditer(re.escape(text), line)]
                beside += [text] if starts else []
                found += [text for start in starts if column and start < int(column) <= start + len(text) + 1]
        return list(dict.fromkeys(found or beside))

    def c_operator(self) -> Tuple[int, Any]:
        """The address of a clf_operator, and what keeps it alive."""
        if self._builtin:
            return lib.clf_builtin(*self._builtin), None
        texts = {name: None if text is None else text.encode() for name, text in self.texts.items()}
        flags = sum(flag for name, flag in FLAGS.items() if getattr(self, name))
        c = COperator(size=ctypes.sizeof(COperator), flags=flags, **texts)
        return ctypes.addressof(c), c


def _texts(expressions: Iterable[Any]) -> List[str]:
    """Strings in there, once each."""
    found: List[str] = []
    for one in expressions:
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, (tuple, list, Mapping)):
            found += _texts(one.values() if isinstance(one, Mapping) else one)
    return list(dict.fromkeys(found))


def join(operators: Sequence[Operator]) -> Operator:
    """Operators that read the same input, as one that does the work of all in one pass.

    >>> both = cf.join([cf.operator("min", "i4"), cf.operator("max", "i4")])
    >>> least, largest = cf.reduce(cla.to_device(queue, np.array([3, 1, 4, 1, 5], "i4")), both)
    >>> print(least, largest)
    1 5
    """
    made = [operator.c_operator() for operator in operators]
    addresses = (ctypes.c_void_p * len(made))(*(address for address, _ in made))
    joined, details = ctypes.c_void_p(), Details()
    details.check(lib.clf_operator_join(len(made), ctypes.addressof(addresses), ctypes.addressof(joined),
                                        details.address))
    try:
        c = COperator.from_address(joined.value)
        texts = {name: getattr(c, name) for name, _ in COperator._fields_ if name not in ("size", "flags")}
        texts = {name: None if text is None else text.decode() for name, text in texts.items()}
        promises = {name: bool(c.flags & flag) for name, flag in FLAGS.items()}
    finally:
        lib.clf_operator_release(joined)

    def collected(list_name: str) -> Optional[list]:
        sides: Iterable[Side] = (getattr(operator, list_name) or (operator.value if list_name == "result" else None)
                                 for operator in operators)
        dtypes = [dtype for side in sides if side for dtype in side.dtypes]
        names = [member.split()[1].split("[")[0] for member in (texts[list_name] or "").split(";") if member.strip()]
        return list(zip(names, dtypes)) if texts[list_name] is not None else None

    lists = {name: collected(name) for name in ("value", "extra", "captured", "result")}
    if texts["input"] is not None:
        lists["input"] = list(operators[0].input.fields)
    functions = {name: texts[name] for name in FUNCTIONS if texts[name] is not None}
    return Operator(**lists, source=texts["source"], **promises, **functions)
