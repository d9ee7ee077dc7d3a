# SPDX-License-Identifier: MIT
"""Arrays of structs. The library knows fields in arrays of their own, and vectors: an array of structs goes by as one
array of vectors of the same size, and functions are wrapped so that the caller's see the struct."""
from typing import Dict, Optional, Tuple

import numpy as np

from .dtypes import declaration

# Functions by their arguments: V and I are value and input, x is the index, and what the map may get besides; c is
# that alone.
_SHAPES: Dict[str, Tuple[str, str]] = {
    "combine": ("V", "VV"), "neutral": ("V", ""), "map": ("V", "Ix"), "predicate": ("bool", "Ix"),
    "same": ("bool", "IIc"), "less": ("bool", "IIc"), "part": ("uint", "Ix"),
}
_FIELD = "words"


def vector_of(dtype: np.dtype) -> str:
    """The vector that is as large as a struct."""
    for word, name in ((8, "ulong"), (4, "uint"), (2, "ushort"), (1, "uchar")):
        for count in (2, 4, 8, 16):
            if dtype.itemsize == word * count:
                return f"{name}{count}"
    raise TypeError(f"structs of {dtype.itemsize} bytes do not go by as one array (sizes from 2 to 128 that are powers "
                    "of two do): give a tuple of arrays, or pad the dtype")


def _struct(dtype: np.dtype, name: str) -> str:
    """The struct in OpenCL C. Members that are not where C would put them are an error."""
    place, members, alignment = 0, [], 1
    for member in dtype.names:
        kind, offset = dtype.fields[member][:2]
        alignment = max(alignment, kind.alignment)
        place = -(-place // kind.alignment) * kind.alignment
        if place != offset:
            raise TypeError(f"field {member} is at byte {offset}, and C puts it at {place}: "
                            "make the dtype with align=True")
        members.append(declaration(((member, kind),)))
        place += kind.itemsize
    if -(-place // alignment) * alignment > dtype.itemsize:
        raise TypeError(f"the dtype is of {dtype.itemsize} bytes, and less than its struct: make it with align=True")
    return f"typedef struct {{ {' '.join(members)} }} {name};\n" + (
        f"typedef union {{ {name} s; {vector_of(dtype)} words; }} {name}_both;\n")


def _wrapper(name: str, result: str, arguments: str, packed: Dict[str, bool], more: str, more_names: str) -> str:
    """py_NAME calls the caller's NAME."""
    types = {"V": "clf_value", "I": "clf_input"}
    structs = {"V": "py_value", "I": "py_input"}
    declared, given = [], []
    for at, kind in enumerate(arguments):
        if kind == "x":
            declared.append("ulong i" + more)
            given.append("i" + more_names)
        elif kind == "c":
            declared += [more[2:]] * bool(more)
            given += [more_names[2:]] * bool(more)
        else:
            declared.append(f"{types[kind]} x{at}")
            given.append(f"((({structs[kind]}_both){{.words = x{at}.{_FIELD}}}).s)" if packed[kind] else f"x{at}")
    called = f"{name}({', '.join(given)})"
    if result == "V" and packed["V"]:
        called = f"(clf_value){{(((py_value_both){{.s = {called}}}).words)}}"
    return f"{types.get(result, result)} py_{name}({', '.join(declared) or 'void'}) {{ return {called}; }}\n"


def wrap(texts: Dict[str, Optional[str]], value: Optional[np.dtype],
         input: Optional[np.dtype]) -> Dict[str, Optional[str]]:
    """The texts of an operator on structs, made of those of an operator on fields. `value` and `input` are the dtypes
    of what is an array of structs."""
    texts = dict(texts)
    inputs_are_values = texts["input"] is None
    packed = {"V": value is not None, "I": input is not None}
    head, foot = "", ""
    for letter, name, dtype in (("V", "value", value), ("I", "input", input)):
        if dtype is not None:
            if letter == "I" and inputs_are_values:
                head += "typedef py_value py_input;\ntypedef py_value_both py_input_both;\n"
            else:
                head += _struct(dtype, f"py_{name}")
                texts[name] = f"{vector_of(dtype)} {_FIELD};"
            head += f"#define clf_{name} py_{name}\n"
            foot += f"#undef clf_{name}\n"
    if texts["key"]:
        kind, name = texts["key"].split()
        foot += f"{kind} py_{name}(clf_value a) {{ return {name}(((py_value_both){{.words = a.{_FIELD}}}).s); }}\n" if (
            packed["V"]) else f"{kind} py_{name}(clf_value a) {{ return {name}(a); }}\n"
        texts["key"] = f"{kind} py_{name}"
    more, more_names = "", ""
    if texts["captured"] is not None:
        more, more_names = ", const clf_captured *c", ", c"
    for function, (result, arguments) in _SHAPES.items():
        name = texts[function]
        if name and name.startswith("clf_"):
            raise TypeError(f"{name} combines each field for itself, and has no meaning for arrays of structs: "
                            "give an expression, or a tuple of arrays")
        if name:
            extra = function == "map" and texts["extra"] is not None
            foot += _wrapper(name, result, arguments, packed, more + (", clf_extra *e" if extra else ""),
                             more_names + (", e" if extra else ""))
            texts[function] = "py_" + name
    texts["source"] = f"{head}#line 1\n{texts['source'] or ''}\n{foot}"
    return texts
