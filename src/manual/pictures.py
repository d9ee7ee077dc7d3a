# SPDX-License-Identifier: MIT
"""What each primitive does, as a small drawing: input above, output below. manual.py puts them at the head of pages.

A picture is a caption and rows; a row is (label, cells, lines to the next row). Cells are words: `3/a` is a 3 in colour
a, `|` is a gap, `.` an empty place. Lines are pairs of positions: `0-2` goes from cell 0 down to cell 2 of the next
row. A row without a label is drawn right below the row before it."""

import html

PICTURES = {
    "scan": [("Each result combines all elements up to it. An exclusive scan leaves the element itself out.", [
        ("input", "3/a 1/a 4/a 1/a 5", "0-3 1-3 2-3 3-3"),
        ("inclusive sum", "3 4 8 9/a 14", ""),
        ("exclusive sum", "0 3 4 8 9/a", "")])],
    "reduce": [("All elements become one value.", [
        ("input", "2 7 1 8 2 8", "0-0 1-0 2-0 3-0 4-0 5-0"),
        ("sum", "28/a", "")]),
        ("Each row becomes one value.", [
            ("rows of 3", "2/a 7/a 1/a | 8/b 2/b 8/b", "0-0 1-0 2-0 3-1 4-1 5-1"),
            ("row maxima", "7/a 8/b", "")])],
    "segments": [("Every segment is scanned, reduced or sorted for itself. These start at offsets 0, 2 and 5.", [
        ("input", "7/a 2/a | 3/b 9/b 5/b | 4/c", ""),
        ("running maximum", "7/a 7/a | 3/b 9/b 9/b | 4/c", ""),
        ("sorted", "2/a 7/a | 3/b 5/b 9/b | 4/c", ""),
        ("maximum", "7/a 9/b 4/c", "")])],
    "transpose": [("Rows become columns.", [
        ("2 rows of 3", "1/a 2/a 3/a", ""), ("", "4/b 5/b 6/b", ""),
        ("3 rows of 2", "1/a 4/b", ""), ("", "2/a 5/b", ""), ("", "3/a 6/b", "")])],
    "adjacent_difference": [("Each result combines an element with the one before it. Here 95 is the initial value.", [
        ("input", "95/a 100/a 104/b 103/b 110", "0-0 1-0 2-2 3-2 1-1 2-1 3-3 4-3"),
        ("differences", "5/a 4 -1/b 7", "")])],
    "filter": [("Filter: the elements for which a predicate is true, here even numbers.", [
        ("input", "3 8/a 1 6/a 2/a 9", "1-0 3-1 4-2"), ("kept: 3", "8/a 6/a 2/a", "")]),
        ("Unique: the first element of each run of equal neighbours.", [
            ("input", "5/a 5 2/b 2 2 5/c", "0-0 2-1 5-2"), ("first of runs", "5/a 2/b 5/c", "")]),
        ("Partition: every element goes to one of several outputs.", [
            ("input", "3/a 8/b 1/a 6/b 2/b 9/a", "0-0 2-1 5-2 1-3 3-4 4-5"),
            ("odd; even", "3/a 1/a 9/a | 8/b 6/b 2/b", "")])],
    "split": [("Every element goes to its part, and the parts lie one behind the other.", [
        ("input", "c/c a/a b/b A/a C/c B/b", "0-4 1-0 2-2 3-1 4-5 5-3"),
        ("parts a, b, c", "a/a A/a b/b B/b c/c C/c", "")])],
    "sort": [("Keys in order, each with its payload. Argsort: where each key was. Equal keys keep their order: "
              "the sort is stable.", [
        ("keys", "30/a -1 7 30/b 2", ""), ("payload", "p/a q r s/b t", "0-3 1-0 2-2 3-4 4-1"),
        ("keys", "-1 2 7 30/a 30/b", ""), ("payload", "q t r p/a s/b", ""),
        ("argsort", "1 4 2 0/a 3/b", "")])],
    "top_k": [("The first k elements of what a sort would give, and where they were.", [
        ("input", "1 9/a 3 7/c 8/b 2", "1-0 4-1 3-2"),
        ("largest 3", "9/a 8/b 7/c", ""), ("their indices", "1/a 4/b 3/c", "")])],
    "reduce_by_key": [("Each run of neighbours with the same key becomes one value.", [
        ("keys", "x/a x/a y/b y/b y/b x/c", ""), ("values", "1/a 2/a 3/b 4/b 5/b 6/c", "0-0 1-0 2-1 3-1 4-1 5-2"),
        ("keys of runs", "x/a y/b x/c", ""), ("sums", "3/a 12/b 6/c", "")])],
    "reduce_by_index": [("The elements of each bin are counted (a histogram) or combined, wherever they are.", [
        ("bins", "2/c 0/a 2/c 1/b 0/a 2/c", ""), ("values", "5/c 1/a 2/c 4/b 3/a 1/c", "0-2 1-0 2-2 3-1 4-0 5-2"),
        ("counts", "2/a 1/b 3/c", ""), ("sums", "4/a 4/b 8/c", "")])],
    "merge": [("Two sorted sequences become one. Of equals the first sequence's come first.", [
        ("first; second", "1/a 3/a 8/a | 2/b 3/b 9/b", "0-0 1-2 2-4 3-1 4-3 5-5"),
        ("merged", "1/a 2/b 3/a 3/b 8/a 9/b", "")]),
        ("Bounds: where a needle could be inserted into a sorted haystack.", [
            ("haystack", "1 3/a 3/a 8", ""), ("needles", "3/a 5", ""),
            ("lower bounds", "1/a 3", ""), ("upper bounds", "3/a 3", "")])],
    "expand": [("Expand: each element as often as its length says.", [
        ("values", "p/a q r/b", ""), ("lengths", "2/a 0 3/b", "0-0 0-1 2-2 2-3 2-4"),
        ("results", "p/a p/a r/b r/b r/b", "")])],
    "gather": [("Gather: each index fetches an element.", [
        ("input", "p/a q r/b s/c", "0-1 0-2 2-3 3-0"), ("indices", "3/c 0/a 0/a 2/b", ""),
        ("output", "s/c p/a p/a r/b", "")]),
        ("Scatter: each index says where an element goes.", [
            ("input", "p/a q/b r/c", ""), ("indices", "2/a 0/b 3/c", "0-2 1-0 2-3"), ("output", "q/b . p/a r/c", "")])],
}

WIDTH, HEIGHT, GAP, SPACE = 36, 28, 14, 34


def class_of(colour):
    return f' class="{colour}"' if colour else ""


def row_width(cells):
    return sum(GAP if cell == "|" else WIDTH for cell in cells)


def drawing(caption, rows):
    """One picture as SVG. Its title says the same in words."""
    width = max(row_width(cells.split()) + 8 * len(label) for label, cells, _ in rows) + 12
    shapes, links, before, y = [], [], ([], ""), 1
    for label, cells, lines in rows:
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
    words = "; ".join((f"{label}: " if label else "") + " ".join(c.partition("/")[0] for c in cells.split() if c != "|")
                      for label, cells, _ in rows)
    said = html.escape(f"{caption} {words}")
    return (f'<figure class="picture"><svg viewBox="0 0 {width} {y + 1}" width="{width}" height="{y + 1}" role="img" '
            f'aria-label="{said}"><title>{said}</title>{"".join(shapes)}{"".join(links)}</svg>'
            f'<figcaption>{html.escape(caption)}</figcaption></figure>\n')


def of_page(page):
    """The pictures of a page of the manual, or nothing."""
    drawn = "".join(drawing(*picture) for picture in PICTURES.get(page, []))
    return f'<div class="pictures">\n{drawn}</div>\n' if drawn else ""
