# SPDX-License-Identifier: MIT
"""The files: reports (one JSON object per machine, by measure.py) and rows of clfold-bench (an object per line).

A report is {"format": "clfold report", "version": 1, "date", "library", "commit", "suite", "machine": {}, "load": [],
"devices": [{"platform", "name", "driver", "settings": {}, "facts": {}, "rows": [], "failed": []}]}. Rows are those of
clfold-bench (bench/README.md) without device and driver.
"""

import json
import os
import re
from dataclasses import dataclass, field

from text import count

FORMAT = "clfold report"
VERSION = 1
NEEDED = dict(primitive=str, op=str, type=str, n=int, segments=int, segment_size=int, bytes=int, verified=bool)
NUMBERS = ("us", "us_min", "copy_us", "copy_kernel_us", "read_us", "of_copy", "of_read", "gbps", "batch", "bins")


class BadFile(Exception):
    """What is wrong with a file, in words that name it."""


@dataclass
class Device:
    """A column of the report."""

    name: str
    driver: str = ""
    platform: str = ""
    label: str = ""
    settings: dict = field(default_factory=dict)
    facts: dict = field(default_factory=dict)
    rows: list = field(default_factory=list)
    failed: list = field(default_factory=list)
    about: dict = field(default_factory=dict)  # date, library, commit, suite, machine, load of its report
    left_out: int = 0  # rows of forced variants and of sweeps

    def ours(self):
        return [row for row in self.rows if not row.get("peer") and row.get("us") and row["verified"]]

    def wrong(self):
        return [row for row in self.rows if not row.get("peer") and not row["verified"]]

    def identity(self):
        return self.platform, self.name, self.driver, tuple(sorted(self.settings.items()))


# ---- Rows ----


def key(row):
    """What was measured; a peer's row of the same has the same."""
    names = ("primitive", "op", "type", "n", "batch", "segments", "segment_size", "bins")
    return tuple(row.get(name) for name in names)


def copy_us(row):
    """The faster copy: the driver's (some copy by one thread of many cores), or that of a kernel that only copies."""
    return min(filter(None, (row.get("copy_us"), row.get("copy_kernel_us"))), default=None)


def bound_us(row):
    """The time of the bound: reading as many bytes where the row has that, else copying them."""
    return row.get("read_us") or copy_us(row)


def gbps(row):
    return round(row["bytes"] / row["us"] / 1e3, 2) if row.get("us") else None


def share(row, bound=None):
    """Of the bound, 1 is all of it; None where one of them was not measured."""
    bound = bound or bound_us(row)
    return bound / row["us"] if bound and row.get("us") else None


def _check_row(row, where):
    if not isinstance(row, dict):
        raise BadFile(f"{where} is no object")
    for name, kind in NEEDED.items():
        if name not in row:
            raise BadFile(f'{where} has no "{name}"')
        if not isinstance(row[name], kind) or (kind is int and isinstance(row[name], bool)):
            raise BadFile(f'{where}: "{name}" is {json.dumps(row[name])}')
    for name in NUMBERS:
        value = row.get(name)
        if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0):
            raise BadFile(f'{where}: "{name}" is {json.dumps(value)}')
    if row["n"] < 1:
        raise BadFile(f"{where}: it is about {row['n']} elements")


def _keep(device, row):
    if row.get("forced") or row.get("define"):
        device.left_out += 1
    else:
        device.rows.append(row)


# ---- Reading ----


def _text_of(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise BadFile(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadFile(f"{path}: is no text") from None


def _line_object(path, number, line, last):
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        why = "the file ends in the middle of it" if last else f"{error.msg} at column {error.colno}"
        raise BadFile(f"{path}: line {number} is no JSON: {why}") from None


def _read_lines(path, text, first, last):
    """Rows of clfold-bench: a device for each pair of names."""
    devices = {}
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if not line.strip() or not first <= number <= last:
            continue
        row = _line_object(path, number, line, number == len(lines) and not text.endswith("\n"))
        if isinstance(row, dict) and "cold" in row:
            continue
        where = f"{path}: line {number}"
        _check_row(row, where)
        if not isinstance(row.get("device"), str):
            raise BadFile(f'{where} has no "device"')
        names = row.pop("device"), str(row.pop("driver", ""))
        _keep(devices.setdefault(names, Device(*names)), row)
    return list(devices.values())


def _read_device(path, number, part, about):
    where = f"{path}: device {number}"
    if not isinstance(part, dict) or not isinstance(part.get("name"), str):
        raise BadFile(f'{where} has no "name"')
    for name, kind in (("settings", dict), ("facts", dict), ("rows", list), ("failed", list)):
        if not isinstance(part.get(name, kind()), kind):
            raise BadFile(f'{where}: "{name}" is {json.dumps(part[name])[:40]}')
    device = Device(part["name"], part.get("driver", ""), part.get("platform", ""), "", part.get("settings", {}),
                    part.get("facts", {}), [], part.get("failed", []), about)
    for index, row in enumerate(part.get("rows", []), 1):
        _check_row(row, f"{where}: row {index}")
        _keep(device, row)
    for index, row in enumerate(device.failed, 1):
        if not isinstance(row, dict) or not all(
            isinstance(row.get(name), str) for name in ("primitive", "op", "type", "case", "kind", "said")
        ):
            raise BadFile(f"{where}: failure {index} does not say what failed and how")
    return device


def _read_report(path, report):
    if report.get("version") != VERSION:
        raise BadFile(f"{path}: is of version {report.get('version')}; this program knows version {VERSION}")
    if not isinstance(report.get("devices"), list):
        raise BadFile(f'{path}: has no "devices"')
    about = {name: value for name, value in report.items() if name not in ("devices", "format", "version")}
    return [_read_device(path, number, part, about) for number, part in enumerate(report["devices"])]


def read(path, first=1, last=10**9):
    """The devices of a file; `first` and `last` choose lines of a file of rows."""
    text = _text_of(path)
    if not text.strip():
        raise BadFile(f"{path}: is empty")
    try:
        whole = json.loads(text)
    except json.JSONDecodeError as error:
        if not text.lstrip().startswith('{"device"') and not text.lstrip().startswith('{"peer"'):
            why = "it ends in the middle: was it cut off?" if error.pos >= len(text.rstrip()) - 1 else error.msg
            raise BadFile(f"{path}: is no JSON: line {error.lineno}, column {error.colno}: {why}") from None
        whole = None
    if isinstance(whole, dict) and whole.get("format") == FORMAT:
        devices = _read_report(path, whole)
    elif whole is None or (isinstance(whole, dict) and "device" in whole):
        devices = _read_lines(path, text, first, last)
    else:
        raise BadFile(f"{path}: is neither a report nor rows of clfold-bench")
    if not any(device.rows or device.failed for device in devices):
        raise BadFile(f"{path}: has no rows")
    return devices


def _merge(devices):
    """Of one device in several files: a later row replaces an earlier one of the same."""
    found = devices[0]
    seen = {(row.get("peer"),) + key(row): row for device in devices for row in device.rows}
    for device in devices[1:]:
        found.facts = found.facts or device.facts
        found.about = found.about or device.about
        found.failed += device.failed
        found.left_out += device.left_out
    found.rows = list(seen.values())
    return found


def _read_part(part):
    """FILE or FILE:FIRST-LAST."""
    path, colon, lines = part.rpartition(":")
    first, dash, last = lines.partition("-")
    if colon and dash and first.isdigit() and last.isdigit() and not os.path.exists(part):
        return read(path, int(first), int(last))
    return read(part)


def read_columns(spec):
    """[LABEL=]FILE[:FIRST-LAST][,FILE ...]: the files of one machine. There is a column per device, with the label, or
    where the machine has several with the label before its name."""
    label, equals, paths = spec.rpartition("=")
    if os.path.exists(spec):
        label, equals, paths = "", "", spec
    devices = {}
    for path in paths.split(","):
        for device in _read_part(path):
            devices.setdefault(device.identity(), []).append(device)
    columns = [_merge(group) for group in devices.values()]
    for device in columns:
        name = short_name(device)
        device.label = (label if len(columns) == 1 else f"{label}: {name}") if equals and label else name
    return columns


def machines(specs):
    """The columns of several machines. Devices of one name are told apart by which machine they are of."""
    found = [read_columns(spec) for spec in specs]
    labels = [device.label for columns in found for device in columns]
    for number, columns in enumerate(found, 1):
        for device in columns:
            if labels.count(device.label) > 1:
                device.label = f"machine {number}: {device.label}"
    return [device for columns in found for device in columns]


def short_name(device):
    """Of CPUs several drivers may be here, and PoCL puts the processor's kind before its name."""
    name = device.name
    if device.facts.get("type") == "cpu":
        name = re.sub(r"^(pthread|cpu)-([a-z0-9]+-)+(?=[A-Z0-9])", "", name)
        cores = device.facts.get("compute_units")
        platform = device.platform.replace("Portable Computing Language", "PoCL")
        name = ", ".join(filter(None, (name, count(int(cores), "core") if str(cores).isdigit() else "", platform)))
    twin, disabled = device.settings.get("twin"), device.settings.get("CLFOLD_DISABLE")
    name += f" ({int(twin) + 1})" if str(twin).isdigit() else ""
    return f"{name} without {disabled}" if disabled else name


# ---- Writing ----


def write(path, report):
    """A row per line, so that differences can be read; all at once, so that no half of a file is ever there."""
    lines = []
    for name, value in report.items():
        if name != "devices":
            lines.append(f"{json.dumps(name)}: {json.dumps(value)}")
    parts = []
    for device in report["devices"]:
        head = [
            f"{json.dumps(name)}: {json.dumps(value)}"
            for name, value in device.items()
            if name not in ("rows", "failed")
        ]
        for name in ("rows", "failed"):
            rows = ",\n".join(json.dumps(row) for row in device[name])
            head.append(f'"{name}": [\n{rows}\n]')
        parts.append("{" + ",\n".join(head) + "}")
    lines.append('"devices": [' + ",\n".join(parts) + "]")
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write("{" + ",\n".join(lines) + "}\n")
    os.replace(path + ".new", path)
