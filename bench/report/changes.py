# SPDX-License-Identifier: MIT
"""What is slower or faster than in an older file, beyond noise.

A row has changed where both its median and its least time have, by more than its noise: three times what median and
least differ by, in either run, and at least FLOOR. And its share of the bound must have changed as well: where a copy
became slower, too, it is the machine."""

from collections import namedtuple

import rows
from text import count, escape, shape, table, time, what

FLOOR = {"cpu": 0.15, "": 0.04}
Change = namedtuple("Change", "device old row ratio noise")  # ratio: new time / old time


def noise_of(row, old, floor):
    spread = (
        max((part["us"] - part["us_min"]) / part["us_min"] for part in (row, old) if part.get("us_min"))
        if row.get("us_min") and old.get("us_min")
        else 0
    )
    return max(floor, 3 * spread)


def is_changed(row, old, noise):
    """By all that we know; 0 if not, else the ratio."""
    ratio = row["us"] / old["us"]
    ratios = [ratio]
    if row.get("us_min") and old.get("us_min"):
        ratios.append(row["us_min"] / old["us_min"])
    if rows.share(row) and rows.share(old):
        ratios.append(rows.share(old) / rows.share(row))
    if all(part > 1 + noise for part in ratios) or all(part < 1 / (1 + noise) for part in ratios):
        return ratio
    return 0


class Comparison:
    def __init__(self):
        self.slower, self.faster, self.broken = [], [], []
        self.same = self.new = self.gone = 0

    def add(self, device, before):
        olds = {rows.key(row): row for row in before.ours()}
        floor = FLOOR["cpu" if device.facts.get("type") == "cpu" or "cpu" in device.name.lower() else ""]
        broken = {rows.key(row) for row in device.wrong()}
        self.broken += [(device, olds[key]) for key in broken if key in olds]
        mine = device.ours()
        for row in mine:
            old = olds.get(rows.key(row))
            if not old:
                self.new += 1
                continue
            noise = noise_of(row, old, floor)
            ratio = is_changed(row, old, noise)
            if ratio:
                (self.slower if ratio > 1 else self.faster).append(Change(device, old, row, ratio, noise))
            else:
                self.same += 1
        self.gone += len(set(olds) - {rows.key(row) for row in mine} - broken)

    def sort(self):
        self.slower.sort(key=lambda change: -change.ratio)
        self.faster.sort(key=lambda change: change.ratio)


def compare(columns, old):
    """Devices of the same name and settings; None if no pair has."""
    found = Comparison()
    pairs = [
        (device, before)
        for device in columns
        for before in old
        if (device.name, device.settings) == (before.name, before.settings)
    ]
    if not pairs:
        names = ", ".join(sorted({device.name for device in old}))
        raise rows.BadFile(f"--against: none of these devices is in the older file, which is about {names}")
    for device, before in pairs:
        found.add(device, before)
    found.sort()
    return found


def _table(changes):
    head = [
        f'<th scope="col">{name}</th>' for name in ("primitive", "shape", "device", "before", "now", "times", "noise")
    ]
    body = []
    for change in changes:
        row = change.row
        name, detail = what(row["primitive"], row["op"], row["type"])
        body.append(
            f'<tr class="change"><th scope="row">{escape(name)} <span class="of">{escape(detail)}</span></th>'
            f"<td>{shape(row)}</td><td>{escape(change.device.label)}</td><td>{time(change.old['us'])}</td>"
            f"<td>{time(row['us'])}</td><td><b>{change.ratio:.2f}</b></td><td>± {100 * change.noise:.0f} %</td></tr>"
        )
    return table(head, ["<tbody>", *body, "</tbody>"], "list figures")


def words(found):
    parts = [f"{count(len(found.slower), 'row')} slower", f"{len(found.faster)} faster", f"{found.same} within noise"]
    parts += [f"{number} {name}" for number, name in ((found.new, "new"), (found.gone, "no longer there")) if number]
    return ", ".join(parts) + (f", {len(found.broken)} now WRONG" if found.broken else "")


def section(found):
    text = [f"<p>{escape(words(found))}.</p>"]
    if found.broken:
        text.append(
            "<p><b class=\"bad\">Right before, wrong now:</b> "
            + "; ".join(
                escape(" ".join(what(row["primitive"], row["op"], row["type"])))
                + f", {shape(row)}, on {escape(device.label)}"
                for device, row in found.broken
            )
            + ".</p>"
        )
    if found.slower:
        text += ["<h3>Slower</h3>", _table(found.slower)]
    if found.faster:
        text += ["<h3>Faster</h3>", _table(found.faster)]
    return "".join(text)
