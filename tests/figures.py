# SPDX-License-Identifier: MIT
"""
figures.py TREE [--check | --list FIGURE]: the figures that tests/figures.sh defines, of the tree in that folder. Text
alone is read: nothing is built, and nothing but Python is needed. --list prints what a figure counts, one place a line.
"""
import os
import re
import subprocess
import sys
from collections import defaultdict

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import figures_repeated  # noqa: E402
from tree_files import files_of  # noqa: E402

COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)
WORD = re.compile(r"[A-Za-z_]\w*")
ENQUEUES = re.compile(r"\bclf_(launch|chain|check|run)(_\w+)?\(|\bclf_\w+_(enqueue|create)\(|\bCLF_TRY\(")
CARVES = re.compile(r"\bclf_scratch_(round|for|behind)\(|\bCLF_SCRATCH_(HEADER|MOST)\b")
SIZES = re.compile(r"(^|_)(scratch|layout|pieces|place|spare)(_|$)")
DESCRIPTOR = r"\b(?:primitive|variants?|kernels|arrays|options|roles|numbers|file|enqueue)"


def strip(text):
    """The text without comments; strings stay, and so do line numbers."""
    return COMMENT.sub(lambda m: m.group() if m.group()[0] == '"' else re.sub(r"[^\n]", "", m.group()) or " ", text)


class Tree:
    """All files of a tree, by path."""

    def __init__(self, root):
        self.root, self.text, self.bare = root, {}, {}
        self.files = files_of(root)

    def under(self, folders, ends):
        return [f for f in self.files if f.startswith(folders) and f.endswith(ends)]

    def read(self, path):
        if path not in self.text:
            with open(os.path.join(self.root, path), "rb") as file:
                data = file.read()
            self.text[path] = "" if b"\0" in data else data.decode("utf-8", "replace")
        return self.text[path]

    def code(self, path):
        if path not in self.bare:
            self.bare[path] = strip(self.read(path))
        return self.bare[path]


class Function:
    def __init__(self, path, name, line, head, body):
        self.path, self.name, self.line, self.head, self.body = path, name, line, head, body


def functions(tree, path):
    """Functions as the style has them: a head at the margin, its braces at the margin."""
    lines, found, start = tree.code(path).split("\n"), [], None
    for i, line in enumerate(lines):
        if line == "{":
            first = i - 1
            while first > 0 and lines[first - 1].strip() and lines[first - 1][0] not in "}#{" and \
                    not lines[first - 1].rstrip().endswith((";", "\\")):
                first -= 1
            start = (i, first)
        elif line == "}" and start:
            head = " ".join(lines[start[1]:start[0]])
            name = re.search(r"(\w+)\s*\(", head)
            if name:
                body = "\n".join(lines[start[0]:i + 1])
                found.append(Function(path, name.group(1), start[1] + 1, head, body))
            start = None
    return found


# ---- src -------------------------------------------------------------------------------------------------------------


def items(text, at):
    """How many initialisers stand between the brace at `at` and its partner."""
    depth, count, full = 0, 0, False
    for c in text[at:]:
        if c in "{(":
            depth += 1
            full = full or depth > 1
        elif c in "})":
            depth -= 1
            if depth == 0:
                return count + (1 if full else 0)
        elif c == "," and depth == 1:
            count, full = count + (1 if full else 0), False
        elif not c.isspace():
            full = True
    return count


def descriptors(tree):
    object_of = re.compile(r"^(?:static )?(?:const )?(?:struct )?clf_primitive (\w+)(\[(\w*)\])?\s*=\s*", re.M)
    found = []
    for path in tree.under("src/", ".c"):
        for m in object_of.finditer(tree.code(path)):
            size = m.group(3)
            count = 1 if not m.group(2) else int(size) if size and size.isdigit() else items(tree.code(path), m.end())
            found += ["%s: %s" % (path, m.group(1))] * count
    return found


def identities(tree):
    compared = re.compile(DESCRIPTOR + r"\s*[!=]=\s*(?!NULL\b|0\b)(&?)|[!=]=\s*(&clf_\w+_primitive\b)")
    by_text = re.compile(r"\bstrn?cmp\([^;]*\"|\bclf_variant_named\([^()]*\) [!=]=|[!=]= clf_variant_named\(|"
                         r"->options \?")
    found = []
    for path in tree.under(("src/core/", "src/primitives/"), (".c", ".h")):
        primitive = path.startswith("src/primitives/")
        for i, line in enumerate(tree.code(path).split("\n")):
            by_address = any(primitive or m.group(1) or m.group(2) for m in compared.finditer(line))
            if by_address or primitive and by_text.search(line):
                found.append("%s:%d: %s" % (path, i + 1, line.strip()))
    return found


def scratch_functions(tree):
    found = []
    for path in tree.under("src/primitives/", ".c"):
        all_of, code = functions(tree, path), tree.code(path)
        plain = [f for f in all_of if not ENQUEUES.search(f.body)]
        sizes = {f.name: f for f in plain if SIZES.search(f.name) or CARVES.search(f.body)}
        for f in plain:  # and what these alone call
            word = re.compile(r"\b%s\b" % f.name)
            inside = sum(len(word.findall(g.body)) for g in sizes.values())
            if f.name.endswith(("bytes", "words")) and inside and inside + 1 == len(word.findall(code)):
                sizes[f.name] = f
        found += ["%s:%d: %s" % (path, f.line, f.name) for f in all_of if f.name in sizes]
    return found


# ---- cl --------------------------------------------------------------------------------------------------------------


def cl_symbols(tree):
    """
    As the tree's own cl_names.py says. Before it had one: functions and types that several files define; not body and
    storage, which each kernel has under its name.
    """
    names = os.path.join(tree.root, "tests", "cl_names.py")
    if os.path.exists(names):
        said = subprocess.run([sys.executable, "-B", names, "--list"], check=True, stdout=subprocess.PIPE,
                              universal_newlines=True).stdout
        return said.split("\n")[1:-1]  # behind their number
    homes = defaultdict(set)
    for path in tree.under("cl/", ".cl"):
        code = tree.code(path)
        names = [f.name for f in functions(tree, path)]
        names += re.findall(r"^typedef [^;{]*?(\w+);", code, re.M) + re.findall(r"^\} *(\w+);", code, re.M)
        for name in names:
            if name.startswith("clf_") and not name.endswith(("_body", "_storage")):
                homes[name].add(path)
    return ["%s: %s" % (name, " ".join(sorted(files))) for name, files in sorted(homes.items()) if len(files) > 1]


def conditions(tree):
    return ["%s:%d: %s" % (path, i + 1, line) for path in tree.under("cl/", ".cl")
            for i, line in enumerate(tree.read(path).split("\n")) if re.match(r"\s*#\s*if", line)]


# ---- tests and bench -------------------------------------------------------------------------------------------------


def repeated(tree, shape=False):
    ends = (".c", ".h", ".cpp", ".hpp", ".cl", ".py", ".sh", ".js", "CMakeLists.txt")
    texts = {path: tree.code(path) if path.endswith((".c", ".h", ".cpp", ".hpp", ".cl")) else tree.read(path)
             for path in tree.under("tests/", ends)}
    found = figures_repeated.pairs(texts, shape)
    rows = sorted(((n, a, i, b, j) for (a, b), (n, i, j) in found.items()), reverse=True)
    return ["%s:%d ~ %s:%d: %d lines" % (a, i, b, j, n) for n, a, i, b, j in rows]


def bench_cycles(tree):
    """Groups of files that need each other: one calls what the other defines, or has what a header says it has."""
    home, uses, sources = {}, {}, tree.under("bench/", ".c")
    heads = "\n".join(tree.code(path) for path in tree.under("bench/", ".h"))
    declared = set(re.findall(r"^extern [^;]*?(\w+)(?:\[[^\]]*\])*;", heads, re.M))
    objects = re.compile(r"^(?!static|extern)\w[\w *]*?(\w+)(?:\[[^\]]*\])* = ", re.M)
    for path in sources:
        names = [f.name for f in functions(tree, path) if not f.head.startswith("static")]
        names += [name for name in objects.findall(tree.code(path)) if name in declared]
        for name in names:
            if name != "main" and not re.match(r"cl[A-Z]", name):  # of which launches.c has some of its own
                home.setdefault(name, path)
    for path in sources:
        code = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', tree.code(path))
        own = set(re.findall(r"^static [^;{=]*?(\w+)\(", code, re.M))
        words = set(re.findall(r"(?<![.>\w])(\w+)\(", code)) - own | set(WORD.findall(code)) & declared
        uses[path] = {home[word] for word in words if word in home and home[word] != path}
    reach = {path: closure(path, uses) for path in uses}
    circles = {frozenset([p] + [q for q in reach[p] if p in reach[q]]) for p in uses if p in reach[p]}
    return [" <-> ".join(sorted(c)) for c in sorted(circles, key=sorted)]


def closure(start, edges):
    """What is reached from start by one step and more."""
    found, open_ends = set(), [start]
    while open_ends:
        for after in edges.get(open_ends.pop(), ()):
            if after not in found:
                found.add(after)
                open_ends.append(after)
    return found


def lines(tree):
    files = [f for f in tree.files if f.startswith(("src/", "cl/", "tests/", "bench/")) and
             not f.startswith(("bench/results/", "bench/tune/logs/"))]
    return sum(tree.read(f).count("\n") for f in files)


# ---- From a call to the store ----------------------------------------------------------------------------------------

STEP = r"\.(?:enqueue|scratch|run|choose|check|variants)\s*=\s*&?(\w+)"  # of a table: what a call comes through


def tables(tree, path):
    """{name: (is it the file's own, text)} of its tables, and of macros that tables are made of."""
    code = tree.code(path)
    found = {m.group(2): (bool(m.group(1)), m.group(3)) for m in
             re.finditer(r"^(?=\w)(static )?(?:const )?[\w ]*?[ *](\w+)(?:\[[^\]]*\])* =\s*(.*?);$", code, re.M | re.S)}
    for m in re.finditer(r"^#define (\w+)\(.*?\)((?:.*\\\n)*.*)$", code, re.M):
        found[m.group(1)] = (True, m.group(2))
    return found


def reached(tree, root, folders, stop=()):
    """Files of these folders of src that hold what `root` calls, and what that calls, by name or through tables."""
    inside = tree.under(tuple("src/%s/" % f for f in folders), ".c")
    own = {path: {f.name: f for f in functions(tree, path)} for path in inside}
    table = {path: tables(tree, path) for path in inside}
    home = {f.name: path for path in inside for f in own[path].values() if not f.head.startswith("static")}
    home.update({name: path for path in inside for name, (is_own, _) in table[path].items() if not is_own})
    if root not in home:
        sys.exit("figures: %s is nowhere in src/{%s}: say what takes its place" % (root, ",".join(folders)))
    seen, open_ends = set(), [(home[root], root)]
    while open_ends:
        path, name = open_ends.pop()
        if (path, name) in seen or name in stop:
            continue
        seen.add((path, name))
        if name in own[path]:
            words = WORD.findall(re.sub(r'"(?:\\.|[^"\\\n])*"|(?:->|\.)\w+', "", own[path][name].body))
        else:
            words = re.findall(STEP, table[path][name][1]) + re.findall(r"^\w+", table[path][name][1])
        for word in words:
            if word in own[path] or word in table[path]:
                open_ends.append((path, word))
            elif word in home:
                open_ends.append((home[word], word))
    return sorted({path for path, _ in seen})


def included(tree, path, found):
    """cl/: the file and what it includes, on whatever condition; the generated X_sizes.cl includes X_template.cl."""
    if path in tree.files and path not in found:
        found.append(path)
        for name in re.findall(r'^\s*#\s*include "([^"]+)"', tree.read(path), re.M):
            included(tree, "cl/" + re.sub(r"^(?:memory/)?(\w+)_sizes\.cl$", r"memory/\1_template.cl", name), found)
    return found


def files_of_scan(tree):
    host = reached(tree, "clf_scan", ("core", "primitives"), ("clf_engine_compile",))
    heads = [p for p in ("include/clfold/scan.h", "src/core/core.h") if p in tree.files]
    text = reached(tree, "clf_source_write", ("program", "device", "layout"))
    return heads + host + text + included(tree, "cl/scan/scan_lookback.cl", [])


# ---- A primitive more ------------------------------------------------------------------------------------------------


def lists(tree, primitive, named=None):
    """Files that are not its own and name it; documents, data, and what scripts write (tests/style.sh checks it) aside."""
    places = ("src/", "cl/", "include/", "tests/", "bench/", "cmake/", "CMakeLists.txt")
    aside = (".md", ".json", ".jsonl", ".html", ".abi", ".png", ".svg", ".1", ".3")
    return [path for path in tree.files if primitive not in path and not path.endswith(aside) and
            path.startswith(places) and not path.startswith("tests/figures") and
            "Generated by src/python/declare.py; do not edit" not in tree.read(path)[:200] and
            re.search(named or primitive, tree.read(path))]


# ---- All of them -----------------------------------------------------------------------------------------------------

FIGURES = {
    "descriptors": descriptors,
    "identities": identities,
    "scratch_functions": scratch_functions,
    "cl_symbols": cl_symbols,
    "cl_conditions": conditions,
    "repeated": repeated,
    "repeated_shapes": lambda tree: repeated(tree, True),
    "bench_cycles": bench_cycles,
    "lines": lines,
    "scan_files": files_of_scan,
    "scan_files_cl": lambda tree: included(tree, "cl/scan/scan_lookback.cl", []),
    "lists": lambda tree: lists(tree, "adjacent_difference"),
    "lists_expand": lambda tree: [path for path in lists(tree, "expand", r"\bclf_expand|\bexpand\b")
                                  if "include/clfold/expand.h" in tree.files],
}


def main(arguments):
    tree = Tree(arguments[0])
    limits = {}
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "figures.txt"), encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                name, before, most, goal = line.split()
                limits[name] = (int(before), int(most), goal)
    if "--list" in arguments:
        print("\n".join(FIGURES[arguments[arguments.index("--list") + 1]](tree)))
        return 0
    grown = []
    print("%-20s %8s %8s %8s %8s" % ("figure", "here", "before", "at most", "goal"))
    for name, figure in FIGURES.items():
        value = figure(tree)
        value = value if isinstance(value, int) else len(value)
        before, most, goal = limits[name]
        print("%-20s %8d %8d %8d %8s" % (name, value, before, most, goal))
        if value > most:
            grown.append("%s: %d, and tests/figures.txt has at most %d" % (name, value, most))
    if "--check" in arguments and grown:
        print("\n".join(grown))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
