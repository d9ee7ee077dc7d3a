#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""documents.py SOURCE: do the links of all Markdown files lead to a file, and to a heading that it has? Are README, the
CHANGELOG and the folders' READMEs as short as CONTRIBUTING.md says? Do pages whose programs include prelude.h link to
it, and to how they are compiled? And is each question answered by a program, which manual.sh compiles as it stands, on a
page at most two clicks from README? Has each one-call function of the headers such programs, in C, C++ and Python?"""

import os
import posixpath
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tree_files import files_of  # noqa: E402

# question, page, and what a program there calls
QUESTIONS = [
    ("sort pairs", "src/manual/sort.md", "clf_array_sort_pairs("),
    ("argsort", "src/manual/sort.md", "clf_array_argsort("),
    ("a histogram of floats", "src/manual/reduce_by_index.md", "clf_array_histogram_range("),
    ("the maximum of each uneven segment", "src/manual/segments.md", "clf_segments_reduce("),
    ("filter, then scan, without waiting on the host", "src/manual/filter.md", ".actual = "),
    ("the sum of the columns of a matrix", "src/manual/reduce.md", "clf_columns_reduce("),
    ("the first few of each row", "src/manual/top_k.md", "clf_rows_arg_top_k("),
    ("GROUP BY", "src/manual/reduce_by_key.md", "clf_array_group_by("),
    ("an operator on structs in C++", "src/manual/cpp.md", "CLFOLD_FIELDS("),
    ("which devices it was tested on", "src/manual/devices.md", None),
]
LINES = {"README.md": 130, "CHANGELOG.md": 60}  # of a folder's README 150
WRITTEN = re.compile(r"^<!-- (\w+) -->\n.*?^<!-- end of \1 -->\n", re.M | re.S)  # by a script


def slug(title):
    """The anchor that a heading gets where Markdown is shown."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "").lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


class Page:
    def __init__(self, text):
        self.programs = re.findall(r"^```(?:c|cpp|python)\n(.*?)^```$", text, re.M | re.S)
        plain = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
        self.anchors = [slug(title) for title in re.findall(r"^#+ (.*)$", plain, re.M)]
        self.links = re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", plain))
        self.length = len(WRITTEN.sub("", text).splitlines())


def target(path, link):
    """File and anchor that a link of a page leads to."""
    file, _, anchor = link.partition("#")
    return (posixpath.normpath(posixpath.join(posixpath.dirname(path), file)) if file else path), anchor


def pages_of(source):
    pages = {}
    for name in files_of(source):
        if name.endswith(".md"):
            with open(os.path.join(source, name), encoding="utf-8") as file:
                pages[name] = Page(file.read())
    return pages


def check_links(source, pages):
    for path, page in pages.items():
        for link in page.links:
            if re.match(r"[a-z]+:", link):
                continue
            file, anchor = target(path, link)
            if not os.path.exists(os.path.join(source, file)):
                yield f"{path}: no file {link}"
            elif anchor and file in pages and anchor not in pages[file].anchors:
                yield f"{path}: no heading {link}"


def check_lengths(pages):
    for path, page in pages.items():
        most = LINES.get(path, 150 if posixpath.basename(path) == "README.md" else page.length)
        if page.length > most:
            yield f"{path}: {page.length} lines, which is more than {most}"


def check_programs(pages):
    for path, page in pages.items():
        included = {name for program in page.programs for name in re.findall(r'^#include "(prelude\.\w+)"', program, re.M)}
        for link in sorted(included | {"examples.md"} if included else set()):
            if link not in page.links:
                yield f"{path}: its programs want a link to {link}"


def check_questions(pages):
    clicks = {"README.md"}
    for _ in range(2):
        clicks |= {target(path, link)[0] for path in clicks if path in pages for link in pages[path].links}
    for question, path, call in QUESTIONS:
        if path not in clicks or path not in pages:
            yield f"{question}: {path} is not within two clicks of README.md"
        elif call and not any(call in program and "int main(" in program for program in pages[path].programs):
            yield f"{question}: no program on {path} has {call}"


def check_one_call(source, pages):
    """Functions of the headers in C and C++, and what pyclfold calls them."""
    texts = {}
    for header in ("one_call.h", "hpp/one_call.hpp"):
        with open(os.path.join(source, "include/clfold", header), encoding="utf-8") as file:
            texts[header] = file.read()
    names = re.findall(r"^CLF_API clf_status (clf_\w+)\(", texts["one_call.h"], re.M)
    plus = re.findall(r"^CLFOLD_STATUS (\w+)\(", texts["hpp/one_call.hpp"], re.M)
    python = {re.sub(r"^((rows|columns|segments)_)?(inclusive_)?|_(range|even|edges|pairs|descending)$", "", name)
              for name in plus}
    calls = {*names, *(f"clfold::{name}" for name in plus), *(f"cf.{name}" for name in python)}
    programs = [program for path, page in pages.items() if path.startswith("src/manual/") for program in page.programs]
    for call in sorted(calls):
        if not any(call + "(" in program for program in programs):
            yield f"{call}: no program of the manual calls it"
    if len(names) < 30 or len(plus) < 30:
        yield "the headers have too few one-call functions to be read right"


def main():
    source = sys.argv[1]
    pages = pages_of(source)
    bad = [*check_links(source, pages), *check_lengths(pages), *check_programs(pages), *check_questions(pages),
           *check_one_call(source, pages)]
    print("\n".join(bad) or f"documents: {len(pages)} pages, {sum(len(p.links) for p in pages.values())} links, "
          f"{len(QUESTIONS)} questions")
    sys.exit(1 if bad or len(pages) < 30 else 0)


main()
