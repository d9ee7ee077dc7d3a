# SPDX-License-Identifier: MIT
"""The plots: one for each primitive, operator and type, as SVG without scripts. Both axes are logarithmic. Of one
device: GB/s, with the bound as a line of its own. Of several: the share of each one's bound, the line at 100 %."""

import math

import rows
from tables import by_family
from text import escape, name_of, percent, plain, shape, size, time, what

WIDTH, HEIGHT = 360, 230
LEFT, RIGHT, TOP, BOTTOM = 40, 12, 12, 30
DASHES = ("6 3", "2 2.5", "8 3 2 3", "4 2 1 2", "1 3", "10 4")  # of peers
LABELS = {
    "n": "elements",
    "segment_size": "elements of a segment",
    "bins": "bins",
    "columns": "columns of the matrix",
}


def is_power(n):
    return n & (n - 1) == 0


class Axis:
    """Positions of logarithms between two ends."""

    def __init__(self, low, high, start, end):
        self.low, self.high, self.start, self.end = low, high, start, end

    def at(self, value):
        part = (math.log2(value) - math.log2(self.low)) / max(math.log2(self.high) - math.log2(self.low), 1e-9)
        return round(self.start + part * (self.end - self.start), 1)


def ticks_of(low, high, most):
    """Powers of ten and their 1-2-5 or 1-3 parts, as many as fit."""
    for parts in ((1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9), (1, 1.5, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,)):
        ticks = [part * 10.0**power for power in range(-6, 8) for part in parts if low <= part * 10.0**power <= high]
        if len(ticks) <= most:
            return ticks
    return ticks[:: math.ceil(len(ticks) / most)]


class Series:
    """Rows of one device, by clfold or by a peer, sorted along x."""

    def __init__(self, index, device, peer, points):
        self.index, self.device, self.peer, self.points = index, device, peer, points  # (x, y, row)

    def line(self):
        """What the line goes through: odd lengths are dots beside it."""
        return [point for point in self.points if is_power(point[0])]


def axis_of(found):
    """What of these rows varies."""
    if any(row.get("bins") for row in found):
        return "bins" if len({row["bins"] for row in found if row.get("bins")}) > 1 else "n"
    return "segment_size" if any(row["segments"] > 1 or row.get("batch") for row in found) else "n"


def chosen(found, x):
    """Rows of one plot differ in x alone: of several numbers of elements the one that most rows are of."""
    if x == "n":
        return found
    groups = {}
    for row in found:
        groups.setdefault(round(math.log2(row["n"])), []).append(row)
    return max(groups.items(), key=lambda group: (len(group[1]), group[0]))[1]


def series_of(columns, key, single):
    """(x, all series); ours come first."""

    def of(row):
        return (row["primitive"], row["op"], row["type"]) == key and row.get("us") and row["verified"]

    everything = [row for device in columns for row in device.ours() if of(row)]
    x = axis_of(everything)
    ours, peers = [], []
    for index, device in enumerate(columns):
        mine = [row for row in device.ours() if of(row) and rows.bound_us(row)]
        if not mine:
            continue
        mine = chosen(mine, x)
        bounds = {rows.key(row): rows.bound_us(row) for row in mine}
        by = {None: mine}
        for row in device.rows:
            if row.get("peer") and of(row) and rows.key(row) in bounds:
                by.setdefault(row["peer"], []).append(row)
        for name, part in by.items():
            points = [
                (row[x], row["bytes"] / row["us"] / 1e3 if single else bounds[rows.key(row)] / row["us"], row)
                for row in part
                if row.get(x)
            ]
            (peers if name else ours).append(Series(index, device, name, sorted(points, key=lambda point: point[0])))
        if single:
            points = sorted(
                ((row[x], row["bytes"] / rows.bound_us(row) / 1e3, row) for row in mine if row.get(x)),
                key=lambda point: point[0],
            )
            ours.insert(0, Series(index, device, "bound", points))
    return x, ours + peers


def path(points, x, y):
    return "M" + "L".join(f"{x.at(px)} {y.at(py)}" for px, py, _ in points)


MARKS = (  # of devices: shapes tell them apart where colours do not
    lambda x, y: f'<circle cx="{x}" cy="{y}" r="3"/>',
    lambda x, y: f'<rect x="{x - 2.7:.1f}" y="{y - 2.7:.1f}" width="5.4" height="5.4"/>',
    lambda x, y: f'<path d="M{x} {y - 3.6:.1f}l3.4 6h-6.8z"/>',
    lambda x, y: f'<path d="M{x} {y - 3.8:.1f}l3.8 3.8l-3.8 3.8l-3.8 -3.8z"/>',
    lambda x, y: f'<path d="M{x} {y + 3.6:.1f}l3.4 -6h-6.8z"/>',
    lambda x, y: f'<circle cx="{x}" cy="{y}" r="2.6" class="hollow"/>',
)


def sizes_of(x, everything):
    """Where x is not n: how many elements, if all are of about as many."""
    most = max(row["n"] for series in everything for _, _, row in series.points)
    least = min(row["n"] for series in everything for _, _, row in series.points)
    power = 2 ** round(math.log2(most))
    n = power if power / 1.07 < most < power * 1.07 else most
    return f" · {size(n)}" if x != "n" and 15 * most <= 16 * least else ""


def draw_series(series, x, y, dashes):
    if series.peer == "bound":
        return f'<path class="bound" d="{path(series.line(), x, y)}"/>'
    if series.peer:
        line = series.line()
        if len(line) < 2:
            return ""
        dash = dashes[series.peer]
        return f'<path class="peer d{series.index % 6}" stroke-dasharray="{dash}" d="{path(line, x, y)}"/>'
    line = series.line()
    text = [
        f'<g class="ours d{series.index % 6}"><title>{escape(series.device.label)}</title>',
        f'<path class="line" d="{path(line, x, y)}"/>' if len(line) > 1 else "",
    ]
    mark = MARKS[series.index % len(MARKS)]
    for px, py, row in series.points:
        speed = plain(row["bytes"] / row["us"] / 1e3)
        title = f"{shape(row)}: {time(row['us'])}, {speed} GB/s, {percent(rows.share(row))} % of the bound"
        text.append(f"<g><title>{escape(title)}</title>{mark(x.at(px), y.at(py))}</g>")
    return "".join(text + ["</g>"])


def limits(everything, single):
    """Of y. A peer that is far slower leaves the plot below."""

    def of(peers):
        return [
            point[1]
            for series in everything
            for point in series.points
            if bool(series.peer not in (None, "bound")) == peers
        ]

    ours, peers = of(False), of(True)
    low, high = min(ours), max(ours + peers)
    low = max(min(peers + [low]), low / 6) * 0.8
    return (low, high * 1.25) if single else (min(low, 0.7), max(high * 1.15, 1.3))


def draw(key, x_name, everything, single, dashes):
    label = LABELS["columns" if key[0] == "transpose" and x_name != "n" else x_name]
    xs = [point[0] for series in everything for point in series.points]
    low, high = limits(everything, single)
    x = Axis(min(xs), max(max(xs), 2 * min(xs)), LEFT + 8, WIDTH - RIGHT - 6)
    y = Axis(low, high, HEIGHT - BOTTOM, TOP)
    name, detail = what(*key)
    title = f"{name} {detail}: {'GB/s' if single else 'share of the bound'} against {label}, both logarithmic"
    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">']
    for value in ticks_of(low, high, 6):
        at = y.at(value)
        text = plain(value) if single else plain(100 * value) + "%"
        parts.append(
            f'<path class="grid" d="M{LEFT} {at}H{WIDTH - RIGHT}"/><text x="{LEFT - 5}" y="{at + 3.5}" '
            f'class="tick y">{text}</text>'
        )
    powers = range(math.ceil(math.log2(x.low)), int(math.log2(x.high) + 1e-9) + 1)
    step = max(1, math.ceil(len(powers) / 8))
    for power in powers[::step]:
        parts.append(
            f'<text x="{x.at(2 ** power)}" y="{HEIGHT - BOTTOM + 14}" class="tick x">{size(2 ** power)}</text>'
        )
    parts.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 3}" class="axis">{label}</text>')
    if not single:
        parts.append(f'<path class="bound" d="M{LEFT} {y.at(1)}H{WIDTH - RIGHT}"/>')
    parts.append('<g clip-path="url(#area)">')
    parts += [draw_series(series, x, y, dashes) for series in reversed(everything)]  # drawn last, ours is on top
    parts.append("</g></svg>")
    return "".join(parts)


def area():
    """What the lines of every plot are cut by."""
    return (
        '<svg width="0" height="0" class="area" aria-hidden="true"><clipPath id="area">'
        f'<path d="M{LEFT} {TOP - 6}H{WIDTH}V{HEIGHT - BOTTOM + 2}H{LEFT}z"/></clipPath></svg>'
    )


def dashes_of(columns):
    peers = list(dict.fromkeys(row["peer"] for device in columns for row in device.rows if row.get("peer")))
    return {peer: DASHES[index % len(DASHES)] for index, peer in enumerate(peers)}


def sample(inside):
    return f'<svg class="sample" viewBox="0 0 34 12" aria-hidden="true">{inside}</svg>'


def legend(columns, dashes):
    entries = [(sample('<path class="bound" d="M1 6H33"/>'), "the bound: a copy, or reading where little is written")]
    for index, device in enumerate(columns):
        mark = MARKS[index % len(MARKS)](17, 6)
        entries.append(
            (
                sample(f'<g class="ours d{index % 6}"><path class="line" d="M1 6H33"/>{mark}</g>'),
                "clfold" if len(columns) == 1 else f"clfold on {escape(device.label)}",
            )
        )
    for peer, dash in dashes.items():
        entries.append(
            (
                sample(f'<path class="peer plain" stroke-dasharray="{dash}" d="M1 6H33"/>'),
                escape(peer) + ("" if len(columns) == 1 else ", in its device’s colour"),
            )
        )
    return '<ul class="legend">' + "".join(f"<li>{picture}{text}</li>" for picture, text in entries) + "</ul>"


def curves(columns):
    """All plots by family, below one legend. What has a single point is in the tables alone."""
    single = len(columns) == 1
    keys = {(row["primitive"], row["op"], row["type"]) for device in columns for row in device.ours()}
    dashes = dashes_of(columns)
    parts = []
    for family, members in by_family(keys).items():
        figures = []
        for key in members:
            x, everything = series_of(columns, key, single)
            if not any(len({point[0] for point in series.points}) > 1 for series in everything):
                continue
            name, detail = what(*key)
            figures.append(
                f'<figure><figcaption><span class="name">{name_of(name)}</span> <span class="of">{escape(detail)}'
                f"{sizes_of(x, everything)}</span></figcaption>{draw(key, x, everything, single, dashes)}</figure>"
            )
        if figures:
            parts.append(f'<h3>{family}</h3><div class="plots">{"".join(figures)}</div>')
    return legend(columns, dashes) + area() + "".join(parts) if parts else ""
