#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cl_names.py [--list | --check]: which names of cl/ are defined where.

A name is a function, a type, an enumerator or a macro. Its meanings are the files that define it, those that -D gives
it (src/tuning/parameters.c) among them. It may have several if it belongs to an interface, which several files
provide: cl/files.md lists these. Printed is how many names have several all the same; --list names them.

--check is for tests/layers.sh: a name with several meanings is an error, and the two lines in each file's head are
compared with its text:
    provides:  names that other files use, and interfaces. `clf_run_*` stands for all that begin so. Each is defined
               here, and what others use of this file is among them.
    needs:     interfaces, -D names and arguments that the files included here do not bring. Each is used here, and what
               is used here and defined elsewhere is among them, or in a file that is included.
"""
import fnmatch
import glob
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
NAME = re.compile(r"\b(?:clf|CLF)_\w+")
SIZES = {"vector_sizes.cl": "memory/vector_template.cl", "tile_sizes.cl": "memory/tile_template.cl",
         "stretch_sizes.cl": "memory/stretch_template.cl", "narrow_sizes.cl": "memory/tile_narrow_template.cl"}
# What src/program/fields.c and source.c, src/primitives/heads.c and src/explore/laws.c and answers.c write.
GENERATED = {
    "fields.cl": "CLF_*_FIELDS CLF_*_COUNT CLF_*_NONE CLF_*_OWN CLF_CARRIED_* CLF_ARRAYS CLF_MINIMA CLF_MAXIMA CLF_OTHERS CLF_EXTREMES "
                 "CLF_LESS_CAPTURES CLF_FINISH CLF_PARTLY CLF_PLACING CLF_NUMBERED CLF_NUMBERED_* CLF_HEAD_OF CLF_SEGMENT_OF CLF_COMBINE_* "
                 "CLF_CODED CLF_EACH_ROUND CLF_ROUND_* CLF_OWN_* CLF_MAPPED CLF_COMMUTATIVE CLF_REVERSED CLF_NARROWEST "
                 "CLF_IN_SETS CLF_OUT_SETS CLF_ARG_* CLF_MORE_*".split(),
    "functions.cl": "CLF_CALLS_* CLF_BIN_* CLF_EDGE* CLF_NATIVE CLF_NATIVE_TYPE CLF_REAL_SUM CLF_OFTEN_NOTHING "
                    "CLF_KEY_* CLF_VECTOR_* clf_caller_* CLF_LAW_* CLF_LAWS_ANY CLF_LAWS_INTEGERS CLF_LAWS_REALS "
                    "CLF_LAWS_ANSWER CLF_LAWS_ANSWERS CLF_LAWS_ASK "
                    "clf_laws_real".split(),
    "entries.cl": ["clf_entry", "clf_entry4"],
}
FIXED = set("in out second_in second third count size bound initial given_initial scratch epoch ticket flags "
            "captured".split())


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def bare(text):
    """Without comments and strings; a directive on one line."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"//[^\n]*", " ", text)
    text = re.sub(r"\\\n", " ", text)
    return re.sub(r'(?m)^(?!\s*#\s*include)(.*)$', lambda m: re.sub(r'"(?:[^"\\]|\\.)*"', '""', m.group(1)), text)


def outside(code):
    """What stands outside all braces, each pair of which leaves "{}"; but of enumerators all."""
    code = re.sub(r"\benum\s*(\w*)\s*\{([^}]*)\}\s*;", lambda m: " ".join(
        "typedef int %s;" % name for name in re.findall(r"(?:^|,)\s*(\w+)\s*(?=,|=|$)", m.group(2))), code)
    depth, out = 0, []
    for char in code:
        if char == "{":
            depth += 1
            if depth == 1:
                out.append("{")
        elif char == "}":
            depth -= 1
            if depth == 0:
                out.append("}")
        elif depth == 0:
            out.append(char)
    return "".join(out)


class File:
    def __init__(self, path):
        self.path = path
        self.name = path[len("cl/"):]
        text = read(path)
        self.code = bare(text)
        head = text[:text.find("*/", text.find("*/") + 2)]
        self.needs, self.provides = (self.words(head, word) for word in ("needs", "provides"))
        self.includes = re.findall(r'^\s*#\s*include\s+"([^"]+)"', self.code, flags=re.M)
        self.macros = set(re.findall(r"^\s*#\s*define\s+(\w+)", self.code, flags=re.M))
        self.gone = set(re.findall(r"^\s*#\s*undef\s+(\w+)", self.code, flags=re.M))
        plain = outside("\n".join(line for line in self.code.split("\n") if not line.lstrip().startswith("#")))
        plain = re.sub(r"\bCLF_(X|S|T)_NAME\((\w+)\)", r"\2", plain)
        self.types = set()
        for words in re.findall(r"\btypedef\b([^;]*);", plain):
            words = re.sub(r"__attribute__\s*\(\(.*?\)\)", "", words)
            words = re.sub(r"\[[^\]]*\]", "", words)
            self.types.update(re.findall(r"(\w+)\s*$", words))
        group = r"\([^;{}()]*(?:\([^;{}()]*(?:\([^()]*\)[^;{}()]*)*\)[^;{}()]*)*\)"
        self.functions = set(re.findall(r"\b(clf_\w+)\s*%s\s*\{\}" % group, plain))
        self.defines = {n for n in self.macros | self.types | self.functions if NAME.fullmatch(n)}
        named = re.findall(r"^\s*#\s*define CLF_[XT]_(?:NAME|ADD) (clf_\w+)$", self.code, flags=re.M)
        given = re.findall(r"^\s*#\s*define CLF_[XST](?:_\w+)? (clf_\w+)$", self.code, flags=re.M)
        self.defines.update(named, re.findall(r"^CLF_\w+\((?:\w+, )?(clf_\w+)", self.code, flags=re.M))
        self.begins = {n + "_" for n in given} | {n for n in NAME.findall(self.code) if n.endswith("_")}
        code = re.sub(r"ulong clf_size, clf_bins;|\bcaptured\.clf_\w+", "", self.code)
        self.uses = set(NAME.findall(code)) - self.defines - {"CLF_F"}
        asked = re.findall(r"^\s*#\s*ifndef (\w+)$", self.code, flags=re.M)
        self.defaults = self.macros & self.defines & set(asked)
        self.arguments = {"a->" + n for n in re.findall(r"\ba->(\w+)", self.code)
                          if "clf_arguments *a" in self.code} - {"a->" + n for n in FIXED}

    @staticmethod
    def words(head, word):
        found = re.search(r"^ \* %s: (.*?(?:,\n \* {3,}.*?)*)$" % word, head, flags=re.M)
        if not found:
            return None
        words = [w.strip() for w in found.group(1).replace("\n *", "").split(",")]
        return [] if words == ["nothing"] else words


def files():
    paths = sorted(os.path.relpath(p, ROOT) for p in glob.glob(os.path.join(ROOT, "cl/*/*.cl")))
    return {file.name: file for file in map(File, paths)}




def numbers():
    """The names that -D gives: parameters, and those of the table in cl/README.md."""
    table = re.findall(r'^\s*\{\s*"(\w+)"', read("src/tuning/parameters.c"), flags=re.M)
    section = re.search(r"^## Every -D$(.*?)^<!-- parameters -->", read("cl/README.md"), flags=re.M | re.S).group(1)
    rows = re.findall(r"^\|((?: `CLF_\w+`,?)+) \|", section, flags=re.M)
    return {"CLF_" + n.upper() for n in table} | {n for row in rows for n in re.findall(r"CLF_\w+", row)}


def interfaces():
    """{interface: (its names, the files that provide it)}, from the table in cl/files.md."""
    section = re.search(r"^## Interfaces$(.*?)(?=^## |\Z)", read("cl/files.md"), flags=re.M | re.S)
    rows = re.findall(r"^\| ([a-z][a-z ]*) \|([^|]*)\|([^|]*)\|", section.group(1) if section else "", flags=re.M)
    return {row[0]: tuple(re.findall(r"`([^`]+)`", cell) for cell in row[1:]) for row in rows if "`" in row[1]}


def matches(name, patterns):
    return any(fnmatch.fnmatchcase(name, p) for p in patterns)


class Tree:
    def __init__(self):
        self.files, self.interfaces, self.numbers = files(), interfaces(), numbers()
        self.homes = {}
        for file in self.files.values():
            for name in file.defines:
                self.homes.setdefault(name, []).append(file.name)
        self.includers = {}
        for file in self.files.values():
            for used in file.includes:
                self.includers.setdefault(used, []).append(file.name)
        self.reached = {name: self.reach(name) for name in self.files}

    def reach(self, name):
        """The files that this one may use: those it includes; of a template also what its includers have."""
        if name.startswith(("program/kernel_", "chain/compact_")):  # included by entry.cl
            return set(self.files) | set(GENERATED) - {name}
        seen, todo = set(), [name]
        while todo:
            at = todo.pop()
            if at in seen:
                continue
            seen.add(at)
            if at in self.files:
                todo += self.files[at].includes
            if at in SIZES:
                todo.append(SIZES[at])
            if at.endswith("_template.cl") and at == name:
                todo += self.includers.get(at, [])
                todo += [i for size, template in SIZES.items() if template == at for i in self.includers[size]]
        return seen - {name}

    def is_made(self, name, files):
        """Does one of these files make the name from a part of it, by pasting?"""
        return any(name.startswith(tuple(f.begins)) for f in files if f.begins)

    def interface_of(self, name):
        return next((i for i, (names, _) in self.interfaces.items() if matches(name, names)), None)

    def several(self):
        """Names with several meanings that are of no interface, and the files."""
        found = {}
        for name, homes in self.homes.items():
            meanings = [h for h in homes if name not in self.files[h].defaults]
            if name in self.numbers:
                meanings.append("-D")
            if len(meanings) > 1 and not self.interface_of(name):
                found[name] = meanings
        return found

    def needs(self, file):
        """What a file uses and it and those it includes lack: interfaces, -D names, arguments; and the rest."""
        reached = [self.files[r] for r in self.reached[file.name] if r in self.files]
        brought = {n for f in reached for n in f.needs or [] if n.startswith("CLF_")}
        needs, lacking = set(), set()
        for name in file.uses | file.defaults:
            interface = self.interface_of(name)
            label = interface if interface and self.interfaces[interface][1] else name
            if name in self.numbers and not interface:
                needs |= {name} - brought
            elif interface == "template":
                needs |= {name} if file.name.endswith("_template.cl") and self.is_parameter(name, file) else set()
            elif interface == "option":
                needs |= {name} & file.defaults
            elif name in file.defines or any(name in f.defines for f in reached):
                needs |= {label} if interface and name in file.defaults else set()
            elif name.endswith("_") or any(matches(name, GENERATED.get(g, [])) for g in self.reached[file.name]):
                continue
            elif interface:
                needs.add(label)
            elif not self.is_made(name, reached + [file]):
                lacking.add(name)
        arguments = file.arguments if file.name not in ("memory/value.cl",) else set()
        return needs | arguments, lacking

    def is_parameter(self, name, file):
        """Does a template take this name from the files that include it, and from no other?"""
        others = self.reached[file.name] - set(self.includers.get(file.name, []))
        return not any(name in self.files[r].defines for r in others if r in self.files)

    def exports(self, file):
        """The names of a file that others use, and kernels; and the interfaces that it provides."""
        used = {n for f in self.files.values() if f.name != file.name for n in f.uses
                if n in file.defines and file.name in self.reached[f.name]}
        names = {n for n in used if not self.interface_of(n)} | {n for n in file.defines if n.endswith("_body")}
        return names, {i for i, (_, homes) in self.interfaces.items() if file.name[:-3] in homes}

    def check(self, file):
        if file.needs is None or file.provides is None:
            return ["its head has no line \"needs:\" or \"provides:\""]
        bad = []
        needs, lacking = self.needs(file)
        bad += ["uses %s, which no file that it includes has" % n for n in sorted(lacking)]
        bad += ["needs %s, and its head does not say so" % n for n in sorted(needs - set(file.needs))]
        bad += ["does not need %s" % n for n in sorted(set(file.needs) - needs)]
        names, provided = self.exports(file)
        patterns = [p for p in file.provides if p not in self.interfaces]
        bad += ["provides %s, and its head does not say so" % n
                for n in sorted({n for n in names if not matches(n, patterns)} | (provided - set(file.provides)))]
        bad += ["does not provide %s" % i for i in sorted(set(file.provides) & set(self.interfaces) - provided)]
        bad += ["does not define %s" % p for p in patterns if not any(matches(n, [p]) for n in file.defines) and
                not self.is_made(p.rstrip("*"), [file])]
        return bad

    def check_interfaces(self):
        bad = []
        for interface, (names, homes) in self.interfaces.items():
            for home in homes:
                file = self.files.get(home + ".cl")
                if not file or not any(matches(n, names) for n in file.defines):
                    bad.append("cl/files.md: %s.cl provides nothing of the interface \"%s\"" % (home, interface))
            defined = {n for h in homes for n in self.files[h + ".cl"].defines}
            for name in names if homes else []:
                generated = any(matches(name, patterns) for patterns in GENERATED.values())
                if not generated and not any(matches(n, [name]) for n in defined):
                    bad.append("cl/files.md: no provider of \"%s\" defines %s" % (interface, name))
        return bad


def main(arguments):
    tree = Tree()
    several = tree.several()
    if arguments == ["--check"]:
        bad = ["cl/%s: %s" % (f.name, text) for f in tree.files.values() for text in tree.check(f)]
        bad += ["%s is defined in several files, and of no interface: %s" % (n, " ".join(h))
                for n, h in sorted(several.items())] + tree.check_interfaces()
        print("\n".join(bad), end="\n" if bad else "")
        return 1 if bad else 0
    print(len(several))
    if arguments == ["--list"]:
        for name, homes in sorted(several.items()):
            print("%s: %s" % (name, " ".join(homes)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
