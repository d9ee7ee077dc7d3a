# SPDX-License-Identifier: MIT
"""The ctypes declarations against clfold.h: sizes, places of members, numbers. Functions are written by declare.py."""
import ctypes
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pyclfold import _library as library

ROOT = Path(__file__).resolve().parents[3]
HEADER = next((path for path in (ROOT / "include/clfold/clfold.h",
                                 Path(__file__).resolve().parents[1] / "clfold/include/clfold/clfold.h")
               if path.exists()), None)
pytestmark = pytest.mark.skipif(HEADER is None, reason="clfold.h is not here")

STRUCTS = {"clf_array": library.Array, "clf_call": library.Call, "clf_error": library.ErrorDetails,
           "clf_operator": library.Operator, "clf_context_options": library.ContextOptions,
           "clf_plan_options": library.PlanOptions, "clf_laws_options": library.LawsOptions, "clf_segmentation": library.Segmentation}
TYPES = {"int8": "CHAR", "uint8": "UCHAR", "int16": "SHORT", "uint16": "USHORT", "int32": "INT", "uint32": "UINT",
         "int64": "LONG", "uint64": "ULONG", "float16": "HALF", "float32": "FLOAT", "float64": "DOUBLE",
         "bfloat16": "BFLOAT16"}
FLAGS = ["EXCLUSIVE", "COMMUTATIVE", "WITH_SEGMENT", "COMBINE_CAPTURES", "DENORMS_ARE_ZERO", "UPPER", "SORTED_NEEDLES", "DESCENDING", "FROM_DEVICE", "IN_PLACE", "TOTAL_ORDER",
         "UNSORTED", "UPDATE", "ORDERED", "REPEATABLE", "REVERSE", "OVERWRITE_INPUT", "NONTRIVIAL_RUNS", "UPPER_END", "LAWS_PLAIN", "LAWS_EXTREME", "MAX_FIELDS"]
SEGMENTS = {"BY_FLAGS": "BY_HEAD_BYTES", "BY_BITS": "BY_HEAD_BITS", "BY_OFFSETS": "BY_OFFSETS",
            "BY_LENGTHS": "BY_LENGTHS", "BY_KEYS": "BY_KEYS"}


def expected():
    """What this package believes, by C expression."""
    for name, struct in STRUCTS.items():
        yield f"sizeof({name})", ctypes.sizeof(struct)
        for member, *_ in struct._fields_:
            yield f"offsetof({name}, {member})", getattr(struct, member).offset
            yield f"sizeof((({name} *)0)->{member})", getattr(struct, member).size
    for name, number in library.TYPES.items():
        yield f"CLF_{TYPES[name]}", number
    for name, number in library.OPS.items():
        yield f"CLF_{name.upper()}", number
    for name in FLAGS:
        yield f"CLF_{name}", getattr(library, name)
    for mine, theirs in SEGMENTS.items():
        yield f"CLF_{theirs}", getattr(library, mine)
    yield "CLF_TYPE_COUNT", len(library.TYPES)
    yield "CLF_OP_COUNT", len(library.OPS)
    yield "CLFOLD_VERSION_MAJOR", library.INTERFACE[0]
    yield "CLFOLD_VERSION_MINOR", library.INTERFACE[1]


def test_sizes_places_and_numbers(tmp_path):
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if not compiler:
        pytest.skip("no C compiler")
    believed = list(expected())
    prints = "\n".join(f'    printf("%lld\\n", (long long)({expression}));' for expression, _ in believed)
    (tmp_path / "facts.c").write_text(
        f"#include <clfold/clfold.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void)\n{{\n{prints}\n}}\n")
    subprocess.check_call([compiler, "-std=c11", "-I", str(HEADER.parents[1]), str(tmp_path / "facts.c"), "-o",
                           str(tmp_path / "facts")])
    facts = [int(line) for line in subprocess.check_output([str(tmp_path / "facts")]).split()]
    assert {expression: fact for (expression, _), fact in zip(believed, facts)} == dict(believed)


def declarations():
    """All headers of clfold.h without their comments, in the order in which it includes them."""
    files = [HEADER.parents[1] / name for name in re.findall(r"#include <(clfold/\w+\.h)>", HEADER.read_text("utf-8"))]
    return re.sub(r"/\*.*?\*/", "", "".join(file.read_text("utf-8") for file in files), flags=re.S)


def members(text, name):
    """Names of the members that the header declares."""
    body = re.search(r"typedef struct %s \{(.*?)\n\} %s;" % (name, name), text, re.S).group(1)
    found = []
    for line in body.split(";"):
        function = re.search(r"\(\*(\w+)\)", line)
        found += [function.group(1)] if function else re.findall(r"(\w+)(?:\[\d+\])?\s*(?:,|$)", line.strip())
    return found


def test_all_members_are_there():
    text = declarations()
    for name, struct in STRUCTS.items():
        assert members(text, name) == [member for member, *_ in struct._fields_], name
