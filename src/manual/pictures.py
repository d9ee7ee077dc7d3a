# SPDX-License-Identifier: MIT
"""What each primitive does, as a small drawing: input above, output below. manual.py puts them at the head of pages.

pictures/PAGE.py has those of a page. A picture is a caption and rows; a row is (label, cells, lines to the next row).
Cells are words: `3/a` is a 3 in colour a, `|` is a gap, `.` an empty place. Lines are pairs of positions: `0-2` goes from
cell 0 down to cell 2 of the next row. A row without a label is drawn right below the row before it. A row of results has
in the fourth place what plain Python makes of the rows above."""

import html
import os
import re
import runpy

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pictures")
PICTURES = {name[:-len(".py")]: runpy.run_path(os.path.join(FOLDER, name))["PICTURES"]
            for name in sorted(os.listdir(FOLDER)) if name.endswith(".py")}

WIDTH, HEIGHT, GAP, SPACE = 36, 28, 14, 34


def class_of(colour):
    return f' class="{colour}"' if colour else ""


def row_width(cells):
    return sum(GAP if cell == "|" else WIDTH for cell in cells)


def values(cells):
    words = [cell.partition("/")[0] for cell in cells.split() if cell != "|"]
    return [int(word) if re.fullmatch(r"-?\d+", word) else word for word in words]


def wrong():
    """The pictures whose results are not what plain Python makes of their inputs."""
    for page, (caption, rows) in ((page, picture) for page, drawn in PICTURES.items() for picture in drawn):
        if len(rows[-1]) < 4:
            yield f"{page}: nothing says what the results of '{caption}' should be"
        for i, row in enumerate(rows):
            right = row[3](*(values(above[1]) for above in rows[:i])) if len(row) > 3 else None
            if right not in (None, values(row[1])):
                yield f"{page}: {row[0]} is {values(row[1])}, not {right}"


def drawing(caption, rows):
    """One picture as SVG. Its title says the same in words."""
    width = max(row_width(cells.split()) + 8 * len(label) for label, cells, *_ in rows) + 12
    shapes, links, before, y = [], [], ([], ""), 1
    for label, cells, lines, *_ in rows:
        if y > 1 and label:
            y += SPACE if before[1] else 8 if above else 16
        x, middles = 1, []
        for cell in cells.split():
            if cell == "|":
                x += GAP
                continue
            text, _, colour = cell.partition("/")
            kind = "none" if text == "." else colour
            shapes.append(f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}"{class_of(kind)}/>')
            if text != ".":
                shapes.append(f'<text x="{x + WIDTH // 2}" y="{y + 19}">{html.escape(text)}</text>')
            middles.append((x + WIDTH // 2, colour))
            x += WIDTH
        shapes.append(f'<text class="label" x="{x + 9}" y="{y + 19}">{html.escape(label)}</text>')
        for line in before[1].split():
            start, end = (int(n) for n in line.split("-"))
            colour = middles[end][1]
            top, bottom = before[2], y
            links.append(f'<path d="M{before[0][start][0]} {top}C{before[0][start][0]} {top + 22} {middles[end][0]} '
                         f'{bottom - 22} {middles[end][0]} {bottom}"{class_of(colour)}/>')
        before, above, y = (middles, lines, y + HEIGHT), label, y + HEIGHT
    words = "; ".join((f"{label}: " if label else "") + " ".join(map(str, values(cells))) for label, cells, *_ in rows)
    said = html.escape(f"{caption} {words}")
    return (f'<figure class="picture"><svg viewBox="0 0 {width} {y + 1}" width="{width}" height="{y + 1}" role="img" '
            f'aria-label="{said}"><title>{said}</title>{"".join(shapes)}{"".join(links)}</svg>'
            f'<figcaption>{html.escape(caption)}</figcaption></figure>\n')


def of_page(page):
    """The pictures of a page of the manual, or nothing."""
    drawn = "".join(drawing(*picture) for picture in PICTURES.get(page, []))
    return f'<div class="pictures">\n{drawn}</div>\n' if drawn else ""
