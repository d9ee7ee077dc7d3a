# SPDX-License-Identifier: MIT
"""The tables of src/manual/papers.md, from the rows of one machine."""
import re

from figures import FIGURES
from rows import label, paper_label

HEAD = "| name | paper | compared | the paper | here |\n|---|---|---|---|---|\n"
TABLE = re.compile(re.escape(HEAD) + r"\| `(\w+)-(?:.*\n)(?:\|.*\n)*")


def table(key, rows_of):
    """The figures of a paper, a line for each comparison."""
    lines = []
    for figure in (one for one in FIGURES if one.name.startswith(key + "-")):
        rows, first = rows_of(figure), f"| `{figure.name}` | {figure.paper} |"
        for compare in figure.compare:
            values = compare.values(rows)
            paper = paper_label(compare.paper, compare.unit) or "–"
            lines.append(f"{first} {compare.what} | {paper} | {label(values, compare.unit) if values else '–'} |\n")
            first = "| | |"
    return HEAD + "".join(lines)


def write(path, rows_of):
    """Puts each table in the place of the one whose first figure is of the same paper."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text = TABLE.sub(lambda found: table(found[1], rows_of), text)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
