# SPDX-License-Identifier: MIT
"""The tables: primitives × devices, the worst shape of each dispatcher, what failed, every row."""

import statistics

import rows
import suite
from text import case, count, escape, name_of, percent, plain, shape, size, table, time, what

STEPS = 8  # of the colour scale: an eighth of the bound each; more than all of it has the last


def shade(ratio):
    return f"s{min(int(ratio * STEPS), STEPS - 1)}"


def by_family(keys):
    """Groups of what begins with a primitive, in the order of suite.py."""
    groups = {}
    for key in sorted(keys, key=lambda key: suite.order(*key)):
        groups.setdefault(suite.place(key[0])[0], []).append(key)
    return groups


def device_heads(columns):
    return [
        f'<th scope="col"><span class="device"><i class="swatch d{index % 6}"></i>{escape(device.label)}</span></th>'
        for index, device in enumerate(columns)
    ]


def family_head(family, width):
    passes = family in suite.SEVERAL_PASSES
    note = ' <span class="note">more than one pass: a copy is out of reach</span>' if passes else ""
    return f'<tr class="family"><th scope="rowgroup" colspan="{width + 1}"><span>{family}{note}</span></th></tr>'


# ---- Primitives × devices ----


class Cell:
    """A primitive, operator and type on one device: the median over the shapes of its most elements."""

    def __init__(self, found, failures):
        self.failed = failures
        self.n = self.ratio = self.speed = None
        timed = [row for row in found if rows.share(row)]
        if timed:
            self.n = max(row["n"] for row in timed)
            here = [row for row in timed if 16 * row["n"] >= 15 * self.n]
            self.shapes = len(here)
            self.ratio = statistics.median(rows.share(row) for row in here)
            self.speed = statistics.median(row["bytes"] / row["us"] / 1e3 for row in here)  # GB/s
            self.best = min(here, key=lambda row: row["us"] / row["n"])

    def html(self, fastest=False):
        wrong = next((kind for kind in ("wrong", "crashed", "hung") if kind in self.failed), None)
        if self.ratio is None:
            kind = wrong or next(iter(self.failed), None)
            return f'<td class="{"bad" if wrong else "none"}">{escape(kind or "–")}</td>'
        title = (
            f"{time(self.best['us'])}, {plain(self.best['bytes'] / self.best['us'] / 1e3)} GB/s, {shape(self.best)}"
        )
        if self.shapes > 1:
            title = f"median of {self.shapes} shapes; the fastest: {title}"
        mark = f' <b class="bad" title="some of its rows">{wrong}</b>' if wrong else ""
        star = ' <span class="win" title="the fastest of these devices">★</span>' if fastest else ""
        return (
            f'<td class="{shade(self.ratio)}" title="{escape(title)}"><b>{percent(self.ratio)}</b>'
            f"<small>{plain(self.speed)} GB/s{star}<br>{size(self.n)}</small>{mark}</td>"
        )


def overview(columns):
    cells = {}
    for index, device in enumerate(columns):
        for row in device.ours():
            cells.setdefault((row["primitive"], row["op"], row["type"]), {}).setdefault(index, ([], []))[0].append(
                row
            )
        troubles = [(row, "wrong") for row in device.wrong()] + [(row, row["kind"]) for row in device.failed]
        for row, kind in troubles:
            if row["primitive"] in suite.PLACE:
                cells.setdefault((row["primitive"], row["op"], row["type"]), {}).setdefault(index, ([], []))[
                    1
                ].append(kind)
    body = []
    for family, keys in by_family(cells).items():
        lines = [family_head(family, len(columns))]
        for key in keys:
            name, detail = what(*key)
            line = [
                f'<th scope="row"><span class="name">{name_of(name)}</span> '
                f'<span class="of">{escape(detail)}</span></th>'
            ]
            here = [Cell(*cells[key].get(index, ([], []))) for index in range(len(columns))]
            speeds = [cell.speed for cell in here if cell.speed]
            line += [cell.html(len(speeds) > 1 and cell.speed == max(speeds)) for cell in here]
            lines.append(f"<tr>{''.join(line)}</tr>")
        body.append(f"<tbody>{''.join(lines)}</tbody>")
    return table(['<th scope="col">primitive</th>'] + device_heads(columns), body, "map")


def scale():
    """The key to the colours."""
    steps = "".join(f'<span class="s{step}">{100 * step // STEPS}</span>' for step in range(STEPS))
    return f'<p class="scale" aria-hidden="true">{steps}<span class="more">% and more of the bound</span></p>'


# ---- Worst shapes ----


def large(found):
    """Of at least a quarter of the most elements: below that the time is latency."""
    most = max(row["n"] for row in found)
    return [row for row in found if 4 * row["n"] >= most and rows.share(row)]


def worst(columns):
    found = {}
    for index, device in enumerate(columns):
        for row in device.ours():
            dispatcher = suite.place(row["primitive"])[1]
            # Widths of elements and operators are not shapes.
            found.setdefault(dispatcher, {}).setdefault(index, []).append(row)
    order = {}
    for place in sorted(
        (suite.place(row["primitive"])[2], suite.place(row["primitive"])[:2])
        for device in columns
        for row in device.ours()
    ):
        order.setdefault(place[1][1], place[1][0])
    body = []
    for dispatcher in order:
        line = [f'<th scope="row"><span class="name">{name_of(dispatcher)}</span></th>']
        for index in range(len(columns)):
            some = large(found[dispatcher][index]) if index in found[dispatcher] else []
            line.append(worst_cell(some))
        body.append(f"<tr>{''.join(line)}</tr>")
    return table(
        ['<th scope="col">operation</th>'] + device_heads(columns), ["<tbody>", *body, "</tbody>"], "map worst"
    )


def worst_cell(some):
    if not some:
        return '<td class="none">–</td>'
    row = min(some, key=rows.share)
    ratio = rows.share(row)
    name, detail = what(row["primitive"], row["op"], row["type"])
    return (
        f'<td class="{shade(ratio)}" title="{escape(time(row["us"]))}, of {count(len(some), "row")}">'
        f'<b>{percent(ratio)}</b><small>{name_of(name)} {escape(detail)}, {shape(row)}</small></td>'
    )


# ---- What went wrong ----


def failures(columns):
    """Rows that are wrong, or are not there. Empty if there are none."""
    lines = []
    for device in columns:
        for row in device.wrong():
            lines.append(
                (
                    device,
                    *what(row["primitive"], row["op"], row["type"]),
                    shape(row),
                    "wrong",
                    "another result than the reference",
                )
            )
        for row in device.failed:
            lines.append(
                (device, *what(row["primitive"], row["op"], row["type"]), case(row["case"]), row["kind"], row["said"])
            )
    if not lines:
        return ""
    body = []
    for device, name, detail, where, kind, said in lines:
        mark = "" if kind in ("skipped", "not tried") else ' class="bad"'
        body.append(
            f'<tr class="failure"><th scope="row">{name_of(name)} <span class="of">{escape(detail)}</span></th>'
            f"<td>{escape(where)}</td><td>{escape(device.label)}</td><td{mark}>{escape(kind)}</td>"
            f'<td class="said">{escape(said)}</td></tr>'
        )
    head = [f'<th scope="col">{name}</th>' for name in ("primitive", "case", "device", "what", "what was said")]
    return table(head, ["<tbody>", *body, "</tbody>"], "list")


# ---- Every row ----


def every_row(columns):
    """A fold per family; in it a part of the table for each operator and type on each device."""
    families = {}
    for index, device in enumerate(columns):
        bounds = {rows.key(row): rows.bound_us(row) for row in device.ours()}
        for row in device.rows:
            part = families.setdefault(suite.place(row["primitive"])[0], {})
            group = suite.order(row["primitive"], row["op"], row["type"]), index
            part.setdefault(group, []).append((row, bounds.get(rows.key(row))))
    text = []
    for family in [name for name, _ in suite.FAMILIES] + [suite.OTHERS]:
        part = families.get(family)
        if not part:
            continue
        body = [row_group(columns[index], index, part[order, index]) for order, index in sorted(part)]
        head = [f'<th scope="col">{name}</th>' for name in ("shape", "by", "time", "GB/s", "% of bound")]
        number = count(sum(map(len, part.values())), "row")
        text.append(
            f'<details><summary>{family} <span class="note">{number}</span></summary>'
            + table(head, body, "figures rows")
            + "</details>"
        )
    return "".join(text)


def row_group(device, index, group):
    row = group[0][0]
    name, detail = what(row["primitive"], row["op"], row["type"])
    group.sort(key=lambda entry: [entry[0].get(part) or 0 for part in ("n", "segment_size", "bins", "us")])
    return (
        f'<tbody><tr><th scope="rowgroup" colspan="5"><span class="name">{name_of(name)}</span> '
        f'<span class="of">{escape(detail)}, <i class="swatch d{index % 6}"></i>{escape(device.label)}</span></th></tr>'
        + "".join(row_line(*entry) for entry in group)
        + "</tbody>"
    )


def row_line(row, bound):
    """Many of these: a class of one letter, r for ours, p for a peer's."""
    by = row.get("peer") or row.get("variant") or "clfold"
    cells = [shape(row), escape(by), '<b class="bad">wrong</b>', "–", "–"]
    if row["verified"]:
        speed = plain(row["bytes"] / row["us"] / 1e3) if row.get("us") else "–"
        cells[2:] = [time(row.get("us")), speed, percent(rows.share(row, bound if row.get("peer") else None))]
    return f'<tr class="{"p" if row.get("peer") else "r"}">' + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
