# SPDX-License-Identifier: MIT
"""The page: one HTML file with everything in it, which needs neither scripts nor a network."""

import os
import statistics

import changes
import curves
import rows
import suite
import tables
from text import count, escape, memory, percent, plain

# Those that readers look for first; the rest follow as clfold-info has them.
FACTS = """platform platform_version vendor device version driver type compute_units max_alloc max_group local_bytes
    cache_bytes atomics lanes lane_width progress int64_atomics fp64 fp16""".split()

BYTES = ("max_alloc", "local_said", "local_bytes", "local_more", "cache_bytes", "base_align")

LEAD = """Every number says how close clfold comes to moving memory: the time that a plain <b>copy</b> of as many
bytes takes on the same device (or plain <b>reading</b>, where next to nothing is written), divided by clfold’s
time, in per cent. That copy or reading is the <b>bound</b>: at 100 an operation costs no more than it. Beside it stands
the speed in GB/s, by the bytes that have to be read and written, by which devices compare. Each result was compared bit by bit with a
sequential reference before it was timed, and again after."""


def _read(name):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), encoding="utf-8") as file:
        return file.read()


# ---- Parts ----


def _median_large(device):
    """Over everything that one pass can do."""
    best = {}
    for row in device.ours():
        if suite.place(row["primitive"])[0] not in suite.SEVERAL_PASSES and rows.share(row):
            best.setdefault((row["primitive"], row["op"], row["type"]), []).append(row)
    shares = [tables.Cell(found, []).ratio for found in best.values()]
    return (statistics.median(shares), len(shares)) if shares else (None, 0)


def _bandwidth(device):
    """GB/s of the largest copy: bytes read and written."""
    copies = [row for row in device.ours() if rows.copy_us(row) and not row.get("read_us")]
    if not copies:
        return None
    row = max(copies, key=lambda row: row["bytes"])
    return row["bytes"] / rows.copy_us(row) / 1e3


def _numbers(device):
    """So many rows, and what is wrong with them."""
    ours = [row for row in device.rows if not row.get("peer")]
    wrong = len(device.wrong())
    lost = sum(row["kind"] in ("crashed", "hung") for row in device.failed)
    text = count(len(ours), "row")
    text += f', <b class="bad">{wrong} wrong</b>' if wrong else ", all right" if ours else ""
    return text + (f', <b class="bad">{lost} lost</b>' if lost else "")


def _made_by(device):
    """0.1.0 7ea6b65, quick suite."""
    suite_name = device.about.get("suite")
    parts = filter(None, (device.about.get("library"), device.about.get("commit")))
    return ", ".join(filter(None, (" ".join(parts), suite_name and f"{suite_name} suite")))


def device_cards(columns):
    cards = []
    one_kind = len({_made_by(device) for device in columns}) == 1
    for index, device in enumerate(columns):
        median, lines = _median_large(device)
        about = ", ".join(
            escape(part) for part in (device.platform, device.driver and f"driver {device.driver}") if part
        )
        speed = _bandwidth(device)
        figure = f'<p class="figure"><b>{plain(speed)}</b><span>GB/s copied</span></p>' if speed else ""
        typical = (
            f"{percent(median)} % of the bound: the median of {lines} operations that take one pass<br>" if median else ""
        )
        busy = "<br>measured on a busy machine" if _busy(device) else ""
        made = "" if one_kind or not _made_by(device) else f"<br>clfold {escape(_made_by(device))}"
        cards.append(
            f'<li><h3><i class="swatch d{index % 6}"></i>{escape(device.label)}</h3>{figure}'
            f'<p class="note">{typical}{_numbers(device)}{busy}{made}<br>{about}</p></li>'
        )
    return f'<ul class="devices">{"".join(cards)}</ul>'


def _busy(device):
    """Was the machine at work already?"""
    load, cores = device.about.get("load") or [0], (device.about.get("machine") or {}).get("cores") or 1
    return load[0] > 0.5 * cores


def device_facts(columns):
    parts = []
    for index, device in enumerate(columns):
        about, machine = device.about, device.about.get("machine") or {}
        facts = {}
        for name, value in (
            ("measured", about.get("date")),
            ("clfold", " ".join(filter(None, (about.get("library"), about.get("commit"))))),
            ("suite", about.get("suite")),
            ("machine’s CPU", machine.get("cpu")),
            ("cores", machine.get("cores")),
            ("memory", f"{machine['memory_gib']} GiB" if machine.get("memory_gib") else None),
            ("system", machine.get("system")),
            ("load before", ", ".join(map(str, about.get("load") or []))),
        ):
            if value:
                facts[name] = value
        facts.update({name: value for name, value in device.settings.items()})
        probed = {name: device.facts[name] for name in FACTS if name in device.facts}
        probed.update(device.facts)
        for name in (name for name in BYTES if str(probed.get(name)).isdigit()):
            probed[name] = memory(int(probed[name]))
        if not probed:
            probed = {"device": device.name, "driver": device.driver}
        note = "" if device.facts else '<p class="note">This file has rows alone: nothing about the device.</p>'
        if _busy(device):
            note += '<p class="note">The machine was busy when this was measured: its times are too long.</p>'
        if device.left_out:
            note += f'<p class="note">{count(device.left_out, "row")} of forced variants and sweeps left out.</p>'
        cells = "".join(
            f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>"
            for name, value in {**facts, **probed}.items()
        )
        parts.append(
            f'<details><summary><i class="swatch d{index % 6}"></i>{escape(device.label)}</summary>{note}'
            f"<dl>{cells}</dl></details>"
        )
    return "".join(parts)


def _section(name, title, text, lead=""):
    lead = f'<p class="lead">{lead}</p>' if lead else ""
    return f'<section id="{name}"><h2>{title}</h2>{lead}{text}</section>' if text else ""


def _about(columns):
    """clfold 0.1.0 (commit), measured 2026-01-01."""

    def all_of(name):
        return ", ".join(dict.fromkeys(str(device.about[name]) for device in columns if device.about.get(name)))

    parts = ["clfold " + all_of("library") if all_of("library") else "clfold", "device report"]
    return " · ".join(escape(part) for part in parts + ([f"measured {all_of('date')}"] if all_of("date") else []))


# ---- The whole ----


def render(columns, old=None, title=None):
    """The page, and a line about changes or None."""
    found = changes.compare(columns, old) if old else None
    if not any(device.rows or device.failed for device in columns):
        raise rows.BadFile("There are no rows to show.")
    title = title or (f"clfold on {columns[0].label}" if len(columns) == 1 else f"clfold on {len(columns)} devices")
    sections = [
        (
            "table",
            "Primitives",
            tables.overview(columns) + tables.scale(),
            "Share of the bound in per cent; beside it GB/s, and below that the number of elements."
            + (" ★ marks the fastest of these devices." if len(columns) > 1 else ""),
        ),
        (
            "worst",
            "Worst shapes",
            tables.worst(columns),
            "clfold chooses a kernel by size and shape. This is the least share that each operation was seen at, over all "
            "types, operators, data and shapes of large arrays, and where that was.",
        ),
        ("changes", "Changes", changes.section(found) if found else "", "Against the older file."),
        (
            "failures",
            "What is missing",
            tables.failures(columns),
            "Rows that are wrong, crashed, hung, or that the device cannot do.",
        ),
        (
            "curves",
            "Curves",
            curves.curves(columns),
            (
                "GB/s against size, or against the length of segments (of so many elements as the title says), or bins."
                if len(columns) == 1
                else "Share of the bound against size, or against the length of segments (of so many elements as the "
                "title says), or bins."
            ),
        ),
        (
            "devices",
            "Devices",
            device_facts(columns),
            "What the devices say, and what clfold probed by small kernels.",
        ),
        ("rows", "Every row", tables.every_row(columns), "As measured; pointing at a dot of a plot shows the same."),
        ("method", "How it was measured", _read("method.html"), ""),
    ]
    links = "".join(f'<a href="#{name}">{heading}</a>' for name, heading, text, _ in sections if text)
    body = "".join(_section(*part) for part in sections)
    text = f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<style>
{_read("page.css")}</style>
</head>
<body>
<header><p class="over">{_about(columns)}</p><h1>{escape(title)}</h1><p class="intro">{LEAD}</p>{device_cards(columns)}
<nav>{links}</nav></header>
<main>{body}</main>
<footer><p>Made by <code>sh bench/report.sh</code> of clfold.</p></footer>
</body>
</html>
"""
    return text, changes.words(found) if found else None
