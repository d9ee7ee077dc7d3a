# SPDX-License-Identifier: MIT
"""
format.py [--check] CLANG-FORMAT FILE...: pointers are tested as format_plain.py has it, then clang-format does the rest,
but for what it would spoil:
  lists in braces on several lines (tables, enums, structs with names): it puts each field on a line, or deals them out
  macros, whose text it takes for what it is not, and calls of macros that are no expressions
  functions that stand on one line, as in tables of them; strings with macros' strings between them
These stay as they are written. `CLF_UNROLL for (...)` it takes for a loop, which it cannot be told.
--check changes nothing, and fails if a file would change.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from format_plain import blanked, plain  # noqa: E402

OFF, ON = "/* clang-format off */", "/* clang-format on */"  # what people write is: // clang-format off
# Does a list begin at a brace behind this text? Otherwise it is a block, or a type.
LIST = re.compile(r"(=|,|\(|\{|\breturn|\)|\benum(\s+\w+)?\s*)\s*$")
GOES_ON = re.compile(r"([,=(?:|&+*/<-]|\breturn|&&|\|\|)\s*$")


CALL = re.compile(r"\s*[A-Z][A-Z0-9_]*(\([^()]*\)\(|\(.*\)$)|[A-Z_]+\(.*,$")  # F(x)(y); F(x), or a definition F(x,
STRINGS = re.compile(r'"\s+[A-Z][A-Z0-9_]*\(|\)\s+"')
ONE_LINE = re.compile(r"(static |inline |void )\S.*\{.*\}$")
LOOP = re.compile(r"\b([A-Z]\w*[A-Z0-9]) (for|while) \(")


def lists(code):
    """(first line, last line) of each list on several lines that is in no other one."""
    stack, line = [], 0
    for at, c in enumerate(code):
        if c == "\n":
            line += 1
        elif c == "{":
            before = code[max(0, at - 200):at]
            in_list = bool(stack) and stack[-1][0]
            is_list = bool(LIST.search(before)) and not re.search(r"\)\s+$", before) and \
                not (before.rstrip().endswith("{") and not in_list)
            stack.append((in_list or is_list, is_list and not in_list, line))
        elif c == "}" and stack:
            _, outermost, first = stack.pop()
            if outermost and line > first:
                yield first, line


def macros(lines):
    """(first line, last line) of each macro."""
    i = 0
    while i < len(lines):
        first = i
        while lines[i].endswith("\\") and i + 1 < len(lines):
            i += 1
        if re.match(r"\s*#\s*define\b", lines[first]):
            yield first, i
        i += 1


def kept(text):
    """Lines that stay as they are: statements with such lists."""
    code = blanked(text)
    lines = code.split("\n")
    found = set()
    for first, last in macros(lines):
        found.update(range(first, last + 1))
        lines[first:last + 1] = [""] * (last + 1 - first)
    found.update(i for i, line in enumerate(lines) if ONE_LINE.match(line))
    for i, line in enumerate(lines):
        if CALL.match(line.rstrip()) and i and lines[i - 1].endswith("("):  # parameters made by macros
            found.update(range(i - 1, next((k for k in range(i, len(lines)) if lines[k] == "{"), i)))
        elif CALL.match(line.rstrip()) and not (i and GOES_ON.search(lines[i - 1])):
            first = last = i
            while last + 1 < len(lines) and GOES_ON.search(lines[last]):
                last += 1
            if lines[first - 1] == "{" and lines[last + 1:last + 2] == ["}"]:  # all of a function
                last += 1
                while first and lines[first - 1].strip() and not lines[first - 1].endswith((";", "}")):
                    first -= 1
            found.update(range(first, last + 1))
    for i, line in enumerate(text.split("\n")):
        if STRINGS.search(line) and lines[i].strip():
            first = last = i
            while first > 0 and lines[first - 1].strip() and not re.search(r"[;{}]\s*$", lines[first - 1]):
                first -= 1
            while last + 1 < len(lines) and not re.search(r"[;{}]\s*$", lines[last]):
                last += 1
            found.update(range(first, last + 1))
    for first, last in lists("\n".join(lines)):
        while first > 0 and GOES_ON.search(lines[first - 1]):
            first -= 1
        while last + 1 < len(lines) and not lines[last].rstrip().endswith((";", "{")) and lines[last + 1].strip():
            last += 1
        found.update(range(first, last + 1))
    return found


def marked(text):
    lines, keep, out = text.split("\n"), kept(text), []
    for i, line in enumerate(lines):
        if i in keep and i - 1 not in keep:
            out.append(OFF)
        if i not in keep and i - 1 in keep:
            out.append(ON)
        out.append(line)
    return LOOP.sub(r"\1_\2 (", "\n".join(out))


def unmarked(text):
    text = "\n".join(line for line in text.split("\n") if line.strip() not in (OFF, ON))
    return re.sub(r"\b([A-Z]\w*[A-Z0-9])_(for|while) \(", r"\1 \2 (", text)


def formatted(tool, paths):
    """{path: text} as it is to be."""
    folder = tempfile.mkdtemp()
    try:
        loops = set()
        for path in paths:
            copy = os.path.join(folder, path)
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            with open(path, encoding="utf-8") as file, open(copy, "w", encoding="utf-8") as to:
                text = file.read()
                if path.endswith((".c", ".h")) and not path.startswith("include/"):
                    text = plain(text)
                loops.update(LOOP.findall(text))
                to.write(marked(text))
        with open(".clang-format", encoding="utf-8") as file, open(os.path.join(folder, ".clang-format"), "w") as to:
            to.write("%sForEachMacros: [%s]\n" % (file.read(), ", ".join(sorted("_".join(words) for words in loops))))
        workers = [subprocess.Popen([tool, "-i"] + paths[i::2], cwd=folder) for i in range(2) if paths[i::2]]
        if any([worker.wait() for worker in workers]):
            sys.exit("format: %s failed" % tool)
        texts = {}
        for path in paths:
            with open(os.path.join(folder, path), encoding="utf-8") as file:
                texts[path] = unmarked(file.read())
        return texts
    finally:
        shutil.rmtree(folder)


def main(arguments):
    check = arguments[0] == "--check"
    tool, paths = arguments[check], arguments[check + 1:]
    changed = []
    for path, text in formatted(tool, paths).items():
        with open(path, encoding="utf-8") as file:
            before = file.read()
        if text != before:
            changed.append(path)
            if not check:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
    for path in changed:
        print("%s: %s" % (path, "sh tests/format.sh would change it" if check else "formatted"))
    return 1 if check and changed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
