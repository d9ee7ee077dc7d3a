#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""prose.py SOURCE [--files]: how long are the sentences of README, of the headers' comments, of the manual, of its man
pages, of the heads of kernels' files, of comments in src/ and of other READMEs, and how many open with "Of"? A group over
the limits in CONTRIBUTING.md is an error. --files prints a line for each file."""

import glob
import os
import re
import sys

GROUPS = {"README": ["README.md"], "headers": ["include/clfold/*.h*", "include/clfold/hpp/*.hpp"],
          "manual": ["src/manual/*.md"], "man pages": ["src/manual/*.[13]"], "heads of cl": ["cl/*/*.cl"],
          "comments of src": ["src/base/*.[ch]", "src/operator/*.[ch]", "src/distributed/*.[ch]", "src/core/core.h",
                              "src/primitives/primitives.h", "src/primitives/sorts.h"],
          "other READMEs": ["C*.md", *(f"{top}/{path}README.md" for top in ("bench", "cl", "cmake", "src", "tests")
                                       for path in ("", "*/"))]}
LIMITS = 18, 30, 0  # mean, nine of ten, openings


def comments(text):
    """Comments that stand by themselves, without titles of sections. A comment behind code is a row of a table."""
    for comment in re.findall(r"^[ ]*/\*((?:(?!\*/).)*)\*/[ ]*$|((?:^[ ]*///?.*\n)+)", text, re.M | re.S):
        inside = comment[0] or re.sub(r"^[ ]*///?", "", comment[1], flags=re.M)
        inside = re.sub(r"^ *\* ?", "", inside, flags=re.M) if comment[0] else re.sub(r"^ ", "", inside, flags=re.M)
        if not re.match(r" *(?:SPDX|----)", inside):
            yield inside.strip("\n")


def prose(path, text):
    """What is for readers in a file, as paragraphs."""
    if path.endswith(".md"):
        return text
    if path.endswith(".cl"):
        head = re.match(r"/\*((?:(?!\*/).)*)\*/", re.sub(r"^/\* SPDX.*\n", "", text), re.S)
        return re.sub(r"^ \* ?", "", head[1], flags=re.M) if head else ""
    if path[-1] in "13":
        sections = re.sub(r"^\.SH (?:NAME|SYNOPSIS|SEE ALSO).*?(?=^\.SH|\Z)|^\.nf.*?^\.fi", "", text, flags=re.M | re.S)
        plain = re.sub(r"^\.(?:\\\"|TH|SH).*$|^\.TP\n.*$|^\.(?:PP|in).*$", "\n", sections, flags=re.M)
        return re.sub(r"^\.[BI]+R? |\\f.|\\(?=-)", "", plain.replace('"', ""), flags=re.M)
    return "\n\n".join(comments(text))


def blocks(text):
    """Paragraphs and list items, without code, tables, headings and columns of names with their meanings."""
    text = re.sub(r"^```.*?^```$|<!--.*?-->", "\n", text, flags=re.M | re.S)
    for paragraph in re.split(r"\n[ ]*\n", text):
        lines = [line for line in paragraph.split("\n") if line.strip() and not re.match(r"[|#]| {4}", line)]
        columns = [re.match(r" {0,2}\S+(?: \S+)*? {2,}\S", line) for line in lines]
        if not lines:
            continue
        if columns[0] and all(columns):
            continue
        yield from re.split(r"\n *(?:[-–*]|\d+\.) ", "\n" + "\n".join(lines))


def sentences(text):
    for block in blocks(text):
        block = re.sub(r"`[^`]*`", lambda code: re.sub(r"\s", "", code.group()).replace(".", "_"), block)
        block = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"\b(et al|e\.g|i\.e)\.", r"\1", block))
        for sentence in re.split(r"(?<=[.!?])[\"')*]*\s+", block):
            words = [word for word in sentence.split() if re.search(r"\w", word)]
            if words:
                yield words


def measure(words):
    lengths = sorted(len(sentence) for sentence in words)
    openings = sum(sentence[0] == "Of" for sentence in words)
    return sum(lengths) / len(lengths), lengths[len(lengths) * 9 // 10], openings


def row(name, words):
    mean, most, openings = measure(words)
    return f'{name}: {len(words)} sentences, mean {mean:.1f} words, nine of ten up to {most}, {openings} open with "Of"'


def main():
    source, bad = sys.argv[1], False
    for group, patterns in GROUPS.items():
        every = []
        for path in sorted(path for pattern in patterns for path in glob.glob(os.path.join(source, pattern))):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            found = list(sentences(prose(path, text)))
            every += found
            if "--files" in sys.argv and found:
                print("    " + row(os.path.relpath(path, source), found))
        over = any(value > limit for value, limit in zip(measure(every), LIMITS))
        print(f"{row(group, every)}{f': more than {LIMITS}' if over else ''}")
        bad = bad or over
    sys.exit(bad)


main()
