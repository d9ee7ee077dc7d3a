# SPDX-License-Identifier: MIT
"""Rows: what they have, which ones a comparison takes, and what comes of two of them."""
import re


def of(row, field):
    """A field of a row, or one of the parameters that it was measured with."""
    if field == "line":
        return row.get("peer") or (row["variant"] if row.get("forced") else "clfold")
    if field in row:
        return row[field]
    for pair in (row.get("define") or "").split(","):
        name, _, value = pair.partition("=")
        if name == field:
            return int(value)
    return None


def time_of(row):
    """The least time of a row's batches: the median is another program's, where a machine is busy."""
    return row.get("us_min") or row["us"]


def take(rows, **wanted):
    """The rows that have these values; of a tuple one of them."""
    return [row for row in rows if row.get("us") and all(
        of(row, field) in value if isinstance(value, tuple) else of(row, field) == value
        for field, value in wanted.items())]


def fastest(rows, *shape):
    """{shape: the fastest row of it}, in the order of the shapes."""
    found = {}
    for row in rows:
        key = tuple(of(row, field) for field in shape)
        if key not in found or time_of(row) < time_of(found[key]):
            found[key] = row
    return dict(sorted(found.items(), key=lambda item: tuple((value is None, value) for value in item[0])))


# ---- what a figure says: functions of its rows, which give a list of numbers ----

SHAPE = ("type", "n", "segment_size")


def times(over, under, shape=SHAPE):
    """Time of `over` / time of `under`, the fastest of each, for each shape that both have on one device."""
    def values(rows):
        above, below = (fastest(take(rows, **which), "device", *shape) for which in (over, under))
        return [time_of(above[key]) / time_of(below[key]) for key in below if key in above]
    return values


def percent(bound, of_what, largest=False):
    """A bound's time in per cent of that of rows; of the greatest n alone."""
    def values(rows):
        some = [row for row in take(rows, **of_what) if row.get(bound)]
        most = max((row["n"] for row in some), default=0)
        some = [row for row in some if not largest or row["n"] == most]
        return [100 * row[bound] / time_of(row) for row in fastest(some, *SHAPE).values()]
    return values


def best(parameter, of_what, shape=("type",)):
    """The value of a parameter that is fastest for the greatest n; where rows of several shapes are taken, of each."""
    def values(rows):
        some = take(rows, **of_what)
        most = max((row["n"] for row in some), default=0)
        return [of(row, parameter) for row in fastest([row for row in some if row["n"] == most], *shape).values()]
    return values


def spread(of_what):
    """The slowest shape's time / the fastest's."""
    def values(rows):
        us = [time_of(row) for row in fastest(take(rows, **of_what), *SHAPE).values()]
        return [max(us) / min(us)] if us else []
    return values


def beside(parameter, value, neighbours, lines):
    """Time at a value / mean of the times at its neighbours, for each line."""
    def values(rows):
        found = []
        for line in lines:
            near = [take(rows, line=line, **{parameter: other}) for other in (value, *neighbours)]
            if all(near):
                us = [min(map(time_of, some)) for some in near]
                found.append(us[0] / (sum(us[1:]) / len(neighbours)))
        return found
    return values


def paper_label(text, unit):
    """What a paper says; its words have no unit."""
    return text and (f"{text} {unit}".strip() if re.fullmatch(r"[\d.]+( to [\d.]+)?( and more)?", text) else text)


def label(values, unit):
    """Numbers, as a range where there are several."""
    def one(value):
        digits = 0 if value >= 100 or value == int(value) else int(value < 10) if unit == "%" else 2
        return f"{value:.{digits}f}"
    low, high = one(min(values)), one(max(values))
    return (low if low == high else f"{low} to {high}") + (f" {unit}" if unit else "")
