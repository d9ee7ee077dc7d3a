# SPDX-License-Identifier: MIT
"""
figures_repeated: pairs of places that share six or more equal lines. Blank lines, comments, includes and lone
punctuation do not count, and blanks are one. A run that stands in more than eight places is a form that all files
share, and is left out. Two files, or two parts of one, are one pair, however many runs they share. Lines of one shape
differ in names, numbers and strings.
"""
import re
from collections import defaultdict

LEAST = 6
MOST_PLACES = 8
KEYWORDS = set("if else for while do return switch case break continue static const struct enum typedef sizeof "
               "void".split())
ASIDE = re.compile(r"#include|import |from \w+ import|# ")


def lines_of(text):
    """(line number, line) of each line that counts."""
    for i, line in enumerate(text.split("\n")):
        line = " ".join(line.split())
        if re.search(r"\w", line) and not ASIDE.match(line):
            yield i + 1, line


def shape_of(line):
    """The line with one name for all names, one number for all numbers, one string for all strings."""
    line = re.sub(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'', '""', line)
    line = re.sub(r"\b\d[\w.]*", "0", line)
    return re.sub(r"\b[A-Za-z_]\w*", lambda m: m[0] if m[0] in KEYWORDS else "x", line)


def lines_for(text, shape):
    """In shapes a line of fewer than two words, such as a closing argument, is no line."""
    for i, line in lines_of(text):
        line = shape_of(line) if shape else line
        if not shape or len(re.findall(r"\w+", line)) > 1:
            yield i, line


def pairs(texts, shape=False):
    """texts: {path: text without comments}. {(path, path): (lines of the longest run, line, line)}"""
    lines = {path: list(lines_for(text, shape)) for path, text in sorted(texts.items())}
    windows = defaultdict(list)
    for path, rows in lines.items():
        for i in range(len(rows) - LEAST + 1):
            windows[tuple(row[1] for row in rows[i:i + LEAST])].append((path, i))
    found, seen = {}, set()
    for places in windows.values():
        if len(places) > MOST_PLACES:
            continue
        for a, (one, i) in enumerate(places):
            for other, j in places[a + 1:]:
                if (one, i, other, j) in seen or one == other and j < i + LEAST:
                    continue
                length = 0
                while i + length < len(lines[one]) and j + length < len(lines[other]) and \
                        lines[one][i + length][1] == lines[other][j + length][1] and (one != other or i + length < j):
                    seen.add((one, i + length, other, j + length))
                    length += 1
                if length >= LEAST and length > found.get((one, other), (0,))[0]:
                    found[one, other] = (length, lines[one][i][0], lines[other][j][0])
    return found
