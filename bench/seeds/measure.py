# SPDX-License-Identifier: MIT
"""Rows of a run: measured, or those that an earlier command left."""
import hashlib
import json
import os
import re
import statistics
import subprocess
import sys

from rows import time_of


class Tools:
    """Where the programs are, which device they take, and the folder of its rows: small sizes have their own."""

    def __init__(self, bench, programs, device, folder, quick):
        self.bench, self.programs, self.device = bench, programs, device
        tried = subprocess.run([bench, "scan", "--n", "1", "--reps", "0", *self.on_device()], capture_output=True,
                               text=True, check=False)
        if tried.returncode:
            sys.exit(f"seeds.sh: {bench}: status {tried.returncode}: {tried.stderr.strip()}")
        self.name = tried.stdout.split(" (", maxsplit=1)[0].strip()
        self.driver = "".join(re.findall(r", driver (.*)\)", tried.stdout.splitlines()[0]))
        words = re.sub(r"\W+", "-", self.name.lower()).strip("-")
        self.folder = os.path.join(folder, words + ("-quick" if quick else ""))
        os.makedirs(os.path.join(self.folder, "runs"), exist_ok=True)

    def on_device(self):
        return ["--device", self.device] if self.device else []

    def path(self, run):
        """The file of a run's rows."""
        words = re.sub(r"\W+", "-", run)[:40].strip("-")
        digest = hashlib.sha256(run.encode()).hexdigest()[:10]
        return os.path.join(self.folder, "runs", f"{words}-{digest}.json")

    def kept(self, run):
        return read(self.path(run)) if os.path.exists(self.path(run)) else None

    def save(self, path, runs):
        """The rows of all runs that were measured, as one file, a run a line."""
        write(path, [{"run": run, "rows": self.kept(run)} for run in dict.fromkeys(runs) if self.kept(run)])


class Saved:
    """In their place: the rows of such a file. Nothing is measured."""

    def __init__(self, path, folder):
        try:
            self.runs = {line["run"]: line["rows"] for line in read(path)}
        except (OSError, ValueError, TypeError, KeyError) as error:
            print(f"seeds.sh: {path}: no file of --save: {error}", file=sys.stderr)
            sys.exit(2)
        self.folder = folder
        os.makedirs(folder, exist_ok=True)

    def kept(self, run):
        return self.runs.get(run)


def read(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def write(path, rows):
    """Whole or not at all, so that what is there was measured to its end."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    os.replace(path + ".new", path)


def by_bench(tools, run):
    path = tools.path(run) + ".part"
    if os.path.exists(path):
        os.remove(path)
    ended = subprocess.run([tools.bench, *run.split(), *tools.on_device(), "--json", path], capture_output=True,
                           text=True, check=False)
    rows = []
    if os.path.exists(path):
        rows = read(path)
        os.remove(path)
    said = (ended.stderr.strip().splitlines() or ended.stdout.strip().splitlines() or [""])[-1]
    return rows, "" if ended.returncode == 0 else f"status {ended.returncode}: {said}"


# ---- programs of tests/examples, which print times ----

REDOMAP = [(way + ending, line + kind) for way, line in ((r"by a reduction: ", "by a reduction"),
                                                         (r"by a scan: ", "by a scan"),
                                                         (r"by a reduction by index: ", "by index"))
           for ending, kind in ((r"(\d+) us", ""), (r".* part (\d+) us", ", the part"))]
PRINTED = {
    **{program: REDOMAP for program in ("backprop", "kmeans", "tpacf", "option_pricing", "mri_q", "crystal")},
    "radix_sort": [(r"\[(\d+)\]\[(\d+)\] sorted in (\d+) us", None)],
    "kd_tree": [(r"by segmented sorts: (\d+) us", "by sorts of rows"), (r"by scans: (\d+) us", "by scans"),
                (r"by two-pass scans (\d+) us", "two_pass"), (r"by scan-then-propagate (\d+) us", "propagate"),
                (r"by scans that place: (\d+) us", "placed")],
}


def printed_rows(program, words, text):
    """{line: (n, segments, microseconds)} of what a program printed."""
    for pattern, line in PRINTED[program]:
        found = re.search(pattern, text)
        if not found:
            continue
        numbers = [int(number) for number in found.groups()]
        if program == "radix_sort":
            yield (words[2] if len(words) > 2 else None), numbers[0] * numbers[1], numbers[0], numbers[2]
        else:
            yield line, int(words[0]), 1, numbers[0]


def by_program(tools, run):
    """The median of some calls of the program; a word with = is a parameter of its segmented scans."""
    _, program, *words = run.split()
    define = next((word for word in words if "=" in word), None)
    words = [word for word in words if "=" not in word]
    environment = dict(os.environ, **({"CLFOLD_DEVICE": tools.device} if tools.device else {}))
    profile = tools.path(run) + ".profile"
    if define:
        with open(profile, "w", encoding="utf-8") as file:
            file.write(f"segmented_scan.*.*.{define.replace('=', ' = ')}\n")
        environment["CLFOLD_PROFILE"] = profile
    found, why = {}, ""
    for _ in range(3):
        try:
            ended = subprocess.run([os.path.join(tools.programs, program), *words], capture_output=True, text=True,
                                   check=False, env=environment)
        except OSError as error:
            return [], f"{program}: {error.strerror}"
        if ended.returncode:
            why = f"{program}: status {ended.returncode} {ended.stderr.strip()[-100:]}"
        for line, n, segments, us in printed_rows(program, words, ended.stdout):
            found.setdefault((line, n, segments), []).append(us)
    if define:
        os.remove(profile)
    return [{"device": tools.name, "driver": tools.driver, "primitive": program, "op": "-", "type": "u32", "n": n,
             "segments": segments, "segment_size": n // segments, "variant": line, "forced": line is not None,
             "define": define, "us": statistics.median(us)} for (line, n, segments), us in found.items()], why


def rows_of(tools, run):
    """(rows, what went wrong); kept where nothing did."""
    rows, why = (by_program if run.startswith("program ") else by_bench)(tools, run)
    if rows and not why:
        write(tools.path(run), rows)
    return rows, why
