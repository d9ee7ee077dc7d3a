#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check.py REPORT CLFOLD-BENCH CLFOLD-INFO WORK: see report.sh. Functions whose names begin with check_ are cases."""

import copy
import html.parser
import json
import os
import re
import subprocess
import sys
import time

import browser

HERE = os.path.dirname(os.path.abspath(__file__))
REPORT, BENCH, INFO, WORK = sys.argv[1:]
SAMPLE = os.path.join(HERE, "sample.json")
ROWS = os.path.join(HERE, "rows.json")
VOID = {"meta", "link", "br", "hr", "img", "input", "wbr"}
SHAPES = {"path", "circle", "rect"}  # of SVG, which close themselves


def at(name):
    return os.path.join(WORK, name)


def run(*arguments, status=0):
    done = subprocess.run([sys.executable, REPORT, *arguments], capture_output=True, text=True, timeout=1200)
    assert (
        done.returncode == status
    ), f"{' '.join(arguments)} ended with status {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def save(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text if isinstance(text, str) else json.dumps(text))
    return path


class Page(html.parser.HTMLParser):
    """Tags that balance, nothing from elsewhere, every row counted."""

    def __init__(self, path):
        super().__init__()
        self.open, self.classes, self.ids, self.links, self.text = [], {}, set(), set(), []
        with open(path, encoding="utf-8") as file:
            self.source = file.read()
        self.feed(self.source)
        self.close()
        assert not self.open, f"{path}: not closed: {self.open}"
        assert self.links <= self.ids, f"{path}: links to nowhere: {self.links - self.ids}"
        for word in ("<script", "@import", "url(h", "url(/", "src="):
            assert word not in self.source, f"{path}: has {word}"

    def handle_starttag(self, tag, attributes):
        self.look(tag, attributes)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        assert tag in SHAPES | VOID, f"<{tag}/> is no empty element"
        self.look(tag, attributes)

    def look(self, tag, attributes):
        for name, value in attributes:
            assert name == "href" or "://" not in (value or ""), f"<{tag} {name}={value}>"
            assert not name.startswith("on"), f"<{tag} {name}>"
            if name == "class":
                for word in value.split():
                    self.classes[f"{tag}.{word}"] = self.classes.get(f"{tag}.{word}", 0) + 1
            if name == "id":
                assert value not in self.ids, f"two parts are #{value}"
                self.ids.add(value)
            if name == "href":
                assert value.startswith("#"), f"href={value}"
                self.links.add(value[1:])

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> at line {self.getpos()[0]} closes {self.open[-1:]}"
        self.open.pop()

    def handle_data(self, data):
        self.text.append(data)

    def count(self, name):
        return self.classes.get(name, 0)

    def says(self, *words):
        text = " ".join("".join(self.text).split())
        for word in words:
            assert word in text, f"the page does not say: {word}"


# ---- Measuring ----


def check_suite():
    """Every primitive of clfold-bench is in it, with a reason, and nothing else."""
    listed = subprocess.run(
        [BENCH, "--device", os.environ.get("CLFOLD_TEST_DEVICE", "0"), "--list"], capture_output=True, text=True
    )
    known = set(next(line for line in listed.stdout.splitlines() if line.startswith("primitives")).split()[1:])
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in run("suite").splitlines()[2:]]
    told = {cells[0] for cells in lines}
    assert told == known, f"the suite lacks {known - told}, clfold-bench {told - known}"
    assert all(len(cells) == 5 and cells[4] for cells in lines)


def tiny(*more):
    # Not only a number: whoever tests another driver names it.
    command = ["measure", "--bench", BENCH, "--info", INFO, "--json", at("tiny.json"), "--only", "reduce"]
    return run(*command, "--top", "2^12", "--device", DEVICE, *more)


def check_measure():
    """A small run gives the rows that it should, and a second has nothing to do."""
    first = tiny()
    report = load(at("tiny.json"))
    rows = report["devices"][0]["rows"]
    assert [(row["type"], row["n"]) for row in rows] == [("i32", 1024), ("f32,u32", 1024)], rows
    assert all(row["verified"] and row["us"] > 0 and row["read_us"] > 0 for row in rows)
    assert report["devices"][0]["facts"]["atomics"] and report["machine"]["cores"] >= 1
    assert "left" in first or "gone" in first
    again = tiny()
    assert "2 of them measured before" in again and load(at("tiny.json"))["devices"][0]["rows"] == rows
    tiny("--repeat", "2")
    rows = load(at("tiny.json"))["devices"][0]["rows"]
    assert [row["repeats"] for row in rows] == [2, 2], rows
    assert all(abs(row["of_read"] - row["read_us"] / row["us"]) < 1e-3 and row["us_min"] <= row["us"] for row in rows)
    report["library"] = "0.0.1"
    save(at("tiny.json"), report)
    assert "of another library" in run(
        "measure", "--bench", BENCH, "--info", INFO, "--json", at("tiny.json"), status=2
    )


def check_trouble():
    """What crashes, hangs, is wrong or cannot be done is a row each; the others are there, and the page tells."""
    driver = os.path.join(HERE, "driver.py")
    command = ["measure", "--bench", driver, "--info", driver, "--json", at("trouble.json"), "--top", "2^18"]
    only = "scan,reduce,filter,merge,partition,sort"
    # The limit is that of a process that does nothing else than start: on a busy machine, too.
    said = run(*command, "--limit", "8", "--only", only, status=1)
    device = load(at("trouble.json"))["devices"][0]
    kinds = {(row["primitive"], row["type"]): [] for row in device["failed"]}
    for row in device["failed"]:
        kinds[row["primitive"], row["type"]].append(row["kind"])
    assert kinds[("filter", "i32")] == ["crashed", "crashed"], kinds
    assert kinds[("reduce", "i32")] == ["hung", "hung", "not tried"], kinds
    assert kinds[("merge", "i32")] == ["skipped"] * 3, kinds
    rows = [row["primitive"] for row in device["rows"]]
    assert (rows.count("scan"), rows.count("sort"), rows.count("filter"), rows.count("partition")) == (
        6,
        3,
        1,
        3,
    ), rows
    assert "SIGSEGV" in json.dumps(device["failed"]) and "no such thing" in json.dumps(device["failed"])
    assert "3 WRONG" in said and "2 crashed" in said
    run("render", at("trouble.json"), "-o", at("trouble.html"))
    page = Page(at("trouble.html"))
    page.says("3 wrong", 'Test <device> & "driver"', "crashed", "hung", "not tried", "the device has no such thing")
    assert page.count("tr.failure") == len(device["failed"]) + 3
    assert page.count("tr.r") == len(device["rows"])


def check_top():
    """Sizes end where the suite says, and with --top 2^40 where they no longer fit: a quarter of the largest buffer."""
    driver = os.path.join(HERE, "driver.py")
    command = ["measure", "--bench", driver, "--info", driver, "--json", at("top.json"), "--only", "scan", "--fresh"]
    for more, top in (([], 2**22), (["--full"], 2**24), (["--full", "--top", "2^40"], 2**26)):
        run(*command, *more)
        sizes = {}
        for row in load(at("top.json"))["devices"][0]["rows"]:
            sizes[row["type"]] = max(row["n"], sizes.get(row["type"], 0))
        with open("/proc/meminfo", encoding="utf-8") as file:  # of which a sixteenth may be used
            free = next((int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable:")), 2**34)
        if free >= 2**33:
            assert sizes["i32"] == top and sizes["4xu32"] == min(top, 2**24), (more, sizes)


def check_seconds():
    """What the time was too short for has not failed; the same command goes on with it."""
    driver = os.path.join(HERE, "driver.py")
    command = ["measure", "--bench", driver, "--info", driver, "--json", at("seconds.json"), "--top", "2^18"]
    command += ["--only", "scan,reduce", "--commit", "abc", "--seconds"]
    said = run(*command, "10")  # the reduction hangs for longer
    report = load(at("seconds.json"))
    device = report["devices"][0]
    assert not device["failed"] and {row["primitive"] for row in device["rows"]} == {"scan"}, device["failed"]
    assert "The time is up, and 6 rows are missing" in said and report["commit"] == "abc", said
    run(*command, "600", "--limit", "0.5", status=1)
    assert {row["kind"] for row in load(at("seconds.json"))["devices"][0]["failed"]} == {"hung", "not tried"}
    assert "a number of seconds" in run(*command, "0", status=2)


# ---- The page ----


def check_page():
    """Of reports and rows of clfold-bench side by side."""
    run("render", SAMPLE, f"Rows alone={ROWS}", "-o", at("page.html"))
    page = Page(at("page.html"))
    sample, lines = load(SAMPLE), open(ROWS, encoding="utf-8").read().splitlines()
    rows = [row for device in sample["devices"] for row in device["rows"]] + [json.loads(line) for line in lines]
    drawn = [row for row in rows if not row.get("forced") and not row.get("define")]
    assert page.count("tr.r") + page.count("tr.p") == len(drawn) > 40, (page.count("tr.r"), len(drawn))
    assert page.count("tr.p") == sum("peer" in row for row in drawn) > 0
    assert len(drawn) < len(rows)
    page.says(
        "clfold on 3 devices", "Rows alone", "Worst shapes", "Every row", "compute_units", "How it was measured"
    )
    assert page.count("ul.legend") == 1 and page.source.count("<figure>") > 5
    assert page.source.count("<title>clfold") == 1


def check_fastest():
    """Of two devices the faster one by GB/s is marked, though its share of its own bound is less; alone none is."""
    report = load(SAMPLE)
    report["devices"] = report["devices"][:1]
    report["devices"][0]["failed"] = []
    save(at("slow.json"), report)
    for row in report["devices"][0]["rows"]:
        row["us"] = row["us"] and row["us"] / 2
        for bound in ("copy_us", "copy_kernel_us", "read_us"):
            row[bound] = row.get(bound) and row[bound] / 8
    save(at("fast.json"), report)
    run("render", f"Slow={at('slow.json')}", f"Fast={at('fast.json')}", "-o", at("fastest.html"))
    page = Page(at("fastest.html")).source
    table = page[page.index('id="table"') : page.index('id="worst"')]
    lines = [line.split("<td")[1:] for line in table.split("<tr")[1:] if line.count("<small>") == 2]
    assert len(lines) > 3 and all("win" not in slow and "win" in fast for slow, fast in lines), lines
    slow, fast = (float(re.search("<small>([0-9.]+) GB/s", cell).group(1)) for cell in lines[0])
    assert abs(fast / slow - 2) < 0.02, lines[0]
    run("render", at("slow.json"), "-o", at("alone.html"))
    assert 'class="win"' not in Page(at("alone.html")).source


def check_columns():
    """Lines of a file, and several files of one device."""
    run("render", f"A={ROWS}:1-2", f"B={ROWS}:3-4,{ROWS}:1-1", "-o", at("columns.html"))
    page = Page(at("columns.html"))
    assert page.count("tr.r") + page.count("tr.p") == 5
    page.says("clfold on 2 devices")


def check_example():
    """The page and the picture in bench/results are of today's rows, and of today's code."""
    results = os.path.join(REPORT, "..", "results")
    arguments = os.path.join("bench", "results", "report.args")
    done = subprocess.run(
        [sys.executable, "bench/report", "render", "@" + arguments, "-o", os.path.abspath(at("example.html"))],
        cwd=os.path.join(REPORT, "..", ".."),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    with open(at("example.html"), "rb") as made, open(os.path.join(results, "report.html"), "rb") as kept:
        assert made.read() == kept.read(), "python3 bench/report render @bench/results/report.args gives another page"
    assert browser.stamp_of(os.path.join(results, "report.png")) == browser.stamp(
        os.path.join(results, "report.html")
    ), "python3 tests/report/browser.py bench/results/report.html bench/results/report.png: the picture is of another page"


def check_changes():
    """One row slower, one faster, one wrong now, all others as before or within noise."""
    old = load(SAMPLE)
    for row in old["devices"][0]["rows"]:
        row["us_min"] = 0.99 * row["us"]
    new = copy.deepcopy(old)
    rows = [row for row in new["devices"][0]["rows"] if not row.get("peer") and row["verified"]]
    for row, factor in ((rows[0], 2.5), (rows[1], 0.4), (rows[2], 1.01)):
        row["us"], row["us_min"] = row["us"] * factor, row["us_min"] * factor
    slow = copy.copy(rows[3])  # the machine was slower: so was the copy
    for name in ("us", "us_min", "copy_us", "read_us"):
        if slow.get(name):
            rows[3][name] = slow[name] * 3
    rows[4].update(verified=False, us=None)
    save(at("old.json"), old)
    said = run("render", save(at("new.json"), new), "-o", at("changes.html"), "--against", at("old.json"))
    assert said.startswith("1 row slower, 1 faster, ") and "1 now WRONG" in said, said
    page = Page(at("changes.html"))
    assert page.count("tr.change") == 2
    page.says("Changes", "2.50", "0.40", "Right before, wrong now")
    said = run("render", at("new.json"), "-o", at("changes.html"), "--against", ROWS, status=2)
    assert "none of these devices is in the older file" in said


def check_bad_files():
    """Each gets a sentence that names it and what is wrong, and status 2."""
    whole = open(SAMPLE, encoding="utf-8").read()
    row = open(ROWS, encoding="utf-8").read().splitlines()[0]
    bad = load(SAMPLE)
    del bad["devices"][0]["rows"][1]["n"]
    cases = (
        ("", "is empty"),
        (whole[: len(whole) // 2], "is no JSON"),
        (whole[: len(whole) // 2].rsplit(",", 1)[0], "cut off"),
        (row + "\n" + row[:50], "line 2 is no JSON: the file ends in the middle"),
        (row + "\nnonsense\n" + row + "\n", "line 2 is no JSON"),
        (row.replace('"verified": true', '"verified": "yes"'), 'line 1: "verified" is "yes"'),
        (row.replace('"us": ', '"us": -'), 'line 1: "us" is -'),
        (row.replace('"device": ', '"peer": '), 'is neither a report'),
        (bad, 'device 0: row 2 has no "n"'),
        (dict(bad, version=2), "is of version 2"),
        (dict(bad, devices=[]), "has no rows"),
        (dict(bad, devices=[{}]), 'device 0 has no "name"'),
        ([1, 2], "is neither a report nor rows"),
        ("\x00\x01", "is no JSON"),
    )
    for text, words in cases:
        said = run("render", save(at("bad.json"), text), "-o", at("bad.html"), status=2)
        assert words in said and "bad.json" in said and "Traceback" not in said, f"wanted: {words}; said: {said}"
    assert not os.path.exists(at("bad.html"))
    assert "No such file" in run("render", at("nowhere.json"), "-o", at("bad.html"), status=2)
    assert "No such file" in run("render", SAMPLE, "-o", at("no/where.html"), status=2)
    assert "no primitive nonsense" in run(
        "measure", "--bench", BENCH, "--info", INFO, "--json", at("x.json"), "--only", "nonsense", status=2
    )
    assert "clfold-nothing: No such file" in run(
        "measure", "--bench", BENCH, "--info", at("clfold-nothing"), "--json", at("x.json"), status=2
    )


# ---- In a browser ----


def check_browser():
    """Light and dark, narrow and wide: something is there, dark is dark, and nothing sticks out."""
    program = browser.find()
    if not program:
        print("report: no Chromium here, the page was not looked at")
        return
    for found in browser.widths(program, WORK, at("page.html")):
        assert found["parts"] > 500 and found["wide"] <= found["inside"], found
        assert not found["out"], found
    for width, height in ((400, 900), (1600, 1000)):
        for scheme in browser.SCHEMES:
            path = at(f"{scheme}-{width}.png")
            browser.picture(program, WORK, at("page.html"), scheme, width, height, path)
            wide, high, lines = browser.pixels(path, 240)
            assert (wide, high) == (width, height), (path, wide, high)
            flat = [pixel for line in lines for pixel in line]
            light = sum(sum(pixel) for pixel in flat) / len(flat) / 765
            assert len(set(flat)) > 20, f"{path}: nothing is there"
            assert (
                light < 0.3 if scheme == "dark" else light > 0.8
            ), f"{path}: {scheme}, but of brightness {light:.2f}"


DEVICE = subprocess.run([INFO, "--devices"], capture_output=True, text=True).stdout.split("\t")[0]


def main():
    for name, case in [item for item in globals().items() if item[0].startswith("check_")]:
        start = time.monotonic()
        case()
        print(f"{name}: {time.monotonic() - start:.1f} s", flush=True)
    print("report: all cases passed")


main()
