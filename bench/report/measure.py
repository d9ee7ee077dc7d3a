# SPDX-License-Identifier: MIT
"""Measures every device over the suite. Each line of the suite is a process of clfold-bench with a limit of time, so
that a driver that ends the process or hangs is a row that says so. The report is written after each, and what it has
already is not measured again."""

import json
import math
import os
import sys
import tempfile
import time
from collections import namedtuple

import machine
import rows
import suite
from process import Progress, run_bench

Step = namedtuple("Step", "line type cases")
LIMIT = {False: 60, True: 300}  # seconds of a process, by whether the suite is the full one
TOP = {"cpu": (22, 24), "": (26, 28)}  # log2 of the most elements: quick, full
BASE = {"cpu": (20, 22), "": (24, 26)}  # of segments and worst cases
GIVE_UP = 4  # steps in a row of which nothing came: the device is gone


def scale_of(facts, options):
    """What fits: a quarter of what one allocation may have, for there are several arrays; and a sixteenth of the free
    memory of this machine, where the reference computes."""
    kind = "cpu" if facts.get("type") == "cpu" else ""
    room = min(int(facts.get("max_alloc") or 2**28) // 4, (machine.memory_bytes("MemAvailable") or 2**34) // 16)
    top = options.top if options.top is not None else TOP[kind][options.full]
    return suite.Scale(options.full, top, min(BASE[kind][options.full], top), room)


def steps_of(scale, options):
    for line in suite.LINES:
        if options.only and line.primitive not in options.only:
            continue
        for kind in suite.types_of(line, scale.full):
            cases = suite.cases_of(line, kind, scale)
            if cases:
                yield Step(line, kind, cases)


def in_breadth(steps):
    """The first type of every line before the second of any: for who has not the time for all."""
    turns = {}
    numbered = []
    for step in steps:
        turns[step.line] = turns.get(step.line, -1) + 1
        numbered.append((turns[step.line], step))
    return [step for _, step in sorted(numbered, key=lambda pair: pair[0])]


def seconds_left(options):
    return options.end - time.monotonic()


def is_row_of(case, row):
    """Is this the row that the case asks for?"""
    if row.get("peer"):
        return False
    if case.option == "--n":
        return row["n"] == case.n and row["segments"] == 1
    if case.option == "--bins":
        return row.get("bins") == int(case.value) and row["n"] == case.n
    shape = [row["batch"]] if row.get("batch") else []
    return "x".join(map(str, shape + [row["segments"], row["segment_size"]])) == case.value


def is_of(step, row):
    """What moves elements has no operator."""
    line = step.line
    return row["primitive"] == line.primitive and row["type"] == step.type and row["op"] in (line.op, "-")


def missing(step, device):
    """Cases that have neither a row nor a failure."""
    line = step.line
    mine = [row for row in device["rows"] if is_of(step, row)]
    told = {(row["primitive"], row["op"], row["type"], row["case"]) for row in device["failed"]}
    return [
        case
        for case in step.cases
        if (line.primitive, line.op, step.type, case.option + " " + case.value) not in told
        and not any(is_row_of(case, row) for row in mine)
    ]


# ---- Cases ----


def _keep_least(row, again):
    """Of a row that was measured once more: the least of each time, the bound's as well. Wrong once is wrong."""
    row["repeats"] = row.get("repeats", 1) + 1
    row["verified"] = row["verified"] and again["verified"]
    for name in ("us", "us_min", "us_event", "copy_us", "copy_kernel_us", "read_us", "scan_us"):
        times = [part[name] for part in (row, again) if part.get(name)]
        row[name] = min(times) if times and row["verified"] else None
    row.update(gbps=rows.gbps(row), of_copy=row.get("copy_us") and row["us"] and round(row["copy_us"] / row["us"], 4))
    if row.get("read_us"):
        row["of_read"] = round(row["read_us"] / row["us"], 4)


def _take_rows(path, device):
    """Adds what the process wrote; its last line may be cut off."""
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            try:
                row = json.loads(line)
            except json.JSONDecodeError:
                continue
            device["driver"] = device["driver"] or row.get("driver", "")
            row.pop("device", None)
            row.pop("driver", None)
            same = next(
                (
                    old
                    for old in reversed(device["rows"])
                    if rows.key(old) == rows.key(row) and old.get("peer") == row.get("peer")
                ),
                None,
            )
            if same:
                _keep_least(same, row)
            else:
                device["rows"].append(row)
    os.unlink(path)


def _run_cases(step, cases, device, options, work):
    line = step.line
    op = [] if line.op == "-" else ["--op", line.op]
    kind = [] if step.type in suite.TUPLE_BYTES else ["--type", step.type]  # a tuple's comes with its operator
    values = ",".join(case.value for case in cases)
    command = [options.bench, line.primitive, *op, *kind, cases[0].option, values, *cases[0].fixed]
    command += ["--device", str(device["number"]), "--json", work]
    if options.peers:
        command += ["--peer", "all"]
    open(work, "w", encoding="utf-8").close()
    outcome = run_bench(command, max(0, min(options.limit or LIMIT[options.full], seconds_left(options))))
    _take_rows(work, device)
    return outcome


def _fail(step, case, device, kind, said):
    line = step.line
    device["failed"].append(
        {
            "primitive": line.primitive,
            "op": line.op,
            "type": step.type,
            "case": f"{case.option} {case.value}",
            "kind": kind,
            "said": said,
        }
    )


def rows_of(step, device):
    return [row for case in step.cases for row in device["rows"] if is_of(step, row) and is_row_of(case, row)]


def is_short(step, device, options):
    """Is a row of it not measured as often as --repeat asks for?"""
    return any(row.get("repeats", 1) < options.repeat for row in rows_of(step, device) if row["verified"])


def repeat(step, device, options, work):
    """Once more what went well: a machine that others use as well has quiet moments."""
    while is_short(step, device, options) and seconds_left(options) > 0:
        found = rows_of(step, device)
        cases = [case for case in step.cases if any(is_row_of(case, row) for row in found)]
        before = sum(row.get("repeats", 1) for row in found)
        outcome = _run_cases(step, cases, device, options, work)
        if outcome.kind != "ended" or sum(row.get("repeats", 1) for row in found) == before:
            break


def run_step(step, device, options, work):
    """All that is missing at once; if the process does not end well, each that is still missing in one of its own,
    until two of them fail. True if any row came. What --seconds cut off has not failed."""
    before = len(device["rows"])
    outcome = _run_cases(step, missing(step, device), device, options, work)
    left = missing(step, device)
    lost = 0
    for case in left:
        if seconds_left(options) <= 0:
            return True
        if outcome.kind == "ended":
            _fail(step, case, device, "skipped", outcome.said or "clfold-bench has no row of it")
            continue
        if lost == 2:
            _fail(step, case, device, "not tried", "the two before it failed")
            continue
        alone = outcome if len(left) == len(step.cases) == 1 else _run_cases(step, [case], device, options, work)
        if seconds_left(options) > 0 and case in missing(step, device):
            lost += alone.kind != "ended"
            _fail(step, case, device, "skipped" if alone.kind == "ended" else alone.kind, alone.said)
    return len(device["rows"]) > before or outcome.kind == "ended"


# ---- All of it ----


def cost_of(step):
    """About how long it takes, in no unit: compiling, then each row, then its elements by the reference."""
    return 1.5 + sum(0.3 + case.n / 2e7 for case in step.cases)


def _lasting(fact):
    """Without what may grow while a virtual machine runs."""
    return {key: value for key, value in fact.items() if key != "memory_gib"} if isinstance(fact, dict) else fact


def _open_report(options):
    """The report so far, or a new one."""
    new = {
        "format": rows.FORMAT,
        "version": rows.VERSION,
        "date": time.strftime("%Y-%m-%d"),
        "library": machine.version(options.info),
        "commit": options.commit or machine.commit(os.path.dirname(os.path.abspath(__file__))),
        "suite": "full" if options.full else "quick",
        "machine": machine.describe(),
        "load": machine.load(),
        "devices": [],
    }
    if options.fresh or not os.path.exists(options.json):
        return new
    rows.read(options.json) if os.path.getsize(options.json) > 2 else None  # says what is wrong with it
    with open(options.json, encoding="utf-8") as file:
        old = json.load(file)
    for name in ("library", "commit", "machine"):
        if _lasting(old.get(name)) != _lasting(new[name]):
            raise rows.BadFile(
                f"{options.json}: its rows are of another {name} ({old.get(name)}, here {new[name]}): "
                "--fresh forgets them, --json FILE writes elsewhere"
            )
    old["suite"] = "full" if "full" in (old.get("suite"), new["suite"]) else "quick"
    return old


def _open_device(report, number, platform, name, twin, options):
    """The device's part of the report. `twin` tells devices of one name apart."""
    settings = machine.settings()
    if twin:
        settings["twin"] = str(twin)
    try:
        facts = machine.facts(options.info, number)
        failed = []
    except machine.ToolFailed as error:
        facts = {}
        failed = [
            {
                "primitive": "clfold-info",
                "op": "-",
                "type": "-",
                "case": "--probe",
                "kind": "crashed",
                "said": str(error),
            }
        ]
    for part in report["devices"]:
        if (part["platform"], part["name"], part["settings"]) == (platform, name, settings):
            part["number"] = number
            return part
    part = {
        "number": number,
        "platform": platform,
        "name": name,
        "driver": facts.get("driver", ""),
        "settings": settings,
        "facts": facts,
        "rows": [],
        "failed": failed,
    }
    report["devices"].append(part)
    return part


def _chosen(options):
    devices = machine.devices(options.info)
    if not devices:
        raise machine.ToolFailed("No OpenCL device here: install a driver (Debian: apt install pocl-opencl-icd).")
    if options.device is None:
        return devices
    chosen = [device for device in devices if str(device[0]) in options.device]
    if len(chosen) < len(options.device):
        raise machine.ToolFailed("--device: there are only " + ", ".join(f"{n} ({name})" for n, _, name in devices))
    return chosen


def measure(options):
    options.end = time.monotonic() + (options.seconds or math.inf)
    report = _open_report(options)
    work = []
    names = {}
    for number, platform, name in _chosen(options):
        twin = names[platform, name] = names.get((platform, name), -1) + 1
        device = _open_device(report, number, platform, name, twin, options)
        steps = list(steps_of(scale_of(device["facts"], options), options))
        if options.seconds:
            steps = in_breadth(steps)
        work.append((device, [step for step in steps if missing(step, device) or is_short(step, device, options)]))
        known = sum(len(step.cases) - len(missing(step, device)) for step in steps)
        print(
            f"device {number}: {name} ({platform}): {sum(len(step.cases) for step in steps)} rows"
            + (f", {known} of them measured before" if known else ""),
            file=sys.stderr,
        )
    if machine.load()[0] > 0.5 * machine.cores():
        print(
            f"This machine is busy (load {machine.load()[0]} on {machine.cores()} cores): times will be too long.",
            file=sys.stderr,
        )
    progress = Progress([cost_of(step) for _, steps in work for step in steps])
    with tempfile.TemporaryDirectory() as folder:
        for device, steps in work:
            _measure_device(device, steps, report, progress, options, os.path.join(folder, "rows.json"))
    progress.end()
    rows.write(options.json, report)
    late = sum(len(missing(step, device)) for device, steps in work for step in steps)
    if late:
        print(f"The time is up, and {late} rows are missing. The same command goes on from here.", file=sys.stderr)
    return report


def _measure_device(device, steps, report, progress, options, work):
    silent = 0
    for step in steps:
        if seconds_left(options) <= 0:
            break
        if silent == GIVE_UP:
            for case in missing(step, device):
                _fail(step, case, device, "not tried", f"nothing came of the {GIVE_UP} lines before it")
        else:
            progress.show(
                f"{device['name']}: {step.line.primitive} {step.line.op if step.line.op != '-' else ''} {step.type}"
            )
            if missing(step, device):
                silent = 0 if run_step(step, device, options, work) else silent + 1
            repeat(step, device, options, work)
        progress.done(cost_of(step))
        rows.write(options.json, report)


def summary(report):
    """A line per device, and whether anything is wrong."""
    bad = 0
    for device in report["devices"]:
        ours = [row for row in device["rows"] if not row.get("peer")]
        wrong = sum(not row["verified"] for row in ours)
        counts = {}
        for row in device["failed"]:
            counts[row["kind"]] = counts.get(row["kind"], 0) + 1
        bad += wrong + sum(count for kind, count in counts.items() if kind != "skipped")
        print(
            f"{device['name']}: {len(ours)} rows"
            + (f", {wrong} WRONG" if wrong else "")
            + "".join(f", {count} {kind}" for kind, count in sorted(counts.items()))
        )
    return bad
