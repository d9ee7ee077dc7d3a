# SPDX-License-Identifier: MIT
"""site.py SOURCE DIR: the manual as a site, made in DIR and looked at in Chromium: light and dark, 400 and 1400 pixels
wide. Pages do not scroll sideways, can be read, have their pictures, and search finds. Pictures say what is true. DIR
has light.png and dark.png for people to look at. Ends with 77 where there is no Chromium."""

import html
import itertools
import json
import os
import re
import shutil
import subprocess
import sys

QUERIES = [
    ["sort pairs", "sort.html"], ["Sorting pairs", "sort.html"], ["argsort", "sort.html"], ["top k", "top_k.html"],
    ["histogram", "reduce_by_index.html#histograms-by-one-call"], ["group by", "reduce_by_key.html"],
    ["prefix sums", "scan.html"], ["running totals", "scan.html"], ["glossary", "glossary.html"],
    ["clf_scan_plan", "reference.html#clf_scan_plan"], ["clf_array_argsort", "reference.html#clf_array_argsort"],
    ["clfold::sort_pairs", "cpp_reference.html#hpp/one_call.hpp"], ["pyclfold", "pyclfold.html"],
    ["tune device", "clfold-tune.1.html"], ["xyzzy", ""]]
SHEET = ["index", "sort", "reference"]
OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
           "--virtual-time-budget=600000"]


def cells(picture, row):
    words = [c.partition("/")[0] for c in picture[1][row][1].split() if c != "|"]
    return [int(w) if re.fullmatch(r"-?\d+", w) else w for w in words]


def wrong_pictures(pictures):
    """The pictures whose results are not what plain Python makes of their inputs."""
    get = lambda name, picture, row: cells(pictures[name][picture], row)
    spread = lambda where, what: ["." if i not in where else what[where.index(i)] for i in range(max(where) + 1)]
    pairs = list(zip(get("reduce_by_index", 0, 0), get("reduce_by_index", 0, 1)))
    bins = lambda combine: [combine([v for b, v in pairs if b == i]) for i in range(3)]
    runs = [(k, [v for _, v in g]) for k, g in itertools.groupby(
        zip(get("reduce_by_key", 0, 0), get("reduce_by_key", 0, 1)), lambda pair: pair[0])]
    cut = lambda values, lengths: [[values.pop(0) for _ in range(n)] for n in lengths]
    flat = lambda lists: [v for one in lists for v in one]
    order = sorted(range(5), key=get("sort", 0, 0).__getitem__)
    best = sorted(range(6), key=get("top_k", 0, 0).__getitem__, reverse=True)[:3]
    scan, segments, merge = get("scan", 0, 0), cut(get("segments", 0, 0), [2, 3, 1]), get("merge", 0, 0)
    numbers, steps, kept = get("filter", 2, 0), get("adjacent_difference", 0, 0), get("filter", 0, 0)
    right = {
        "scan": [(0, 1, list(itertools.accumulate(scan))), (0, 2, [0] + list(itertools.accumulate(scan))[:-1])],
        "reduce": [(0, 1, [sum(get("reduce", 0, 0))]), (1, 1, [max(r) for r in cut(get("reduce", 1, 0), [3, 3])])],
        "segments": [(0, 1, flat(itertools.accumulate(s, max) for s in segments)), (0, 2, flat(map(sorted, segments))),
                     (0, 3, [max(s) for s in segments])],
        "transpose": [(0, 2 + i, [get("transpose", 0, 0)[i], get("transpose", 0, 1)[i]]) for i in range(3)],
        "adjacent_difference": [(0, 1, [b - a for a, b in zip(steps, steps[1:])])],
        "filter": [(0, 1, [n for n in kept if n % 2 == 0]),
                   (1, 1, [k for k, _ in itertools.groupby(get("filter", 1, 0))]),
                   (2, 1, sorted(numbers, key=lambda n: n % 2 == 0))],
        "split": [(0, 1, sorted(get("split", 0, 0), key=str.lower))],
        "sort": [(0, 2, [get("sort", 0, 0)[i] for i in order]), (0, 3, [get("sort", 0, 1)[i] for i in order]),
                 (0, 4, order)],
        "top_k": [(0, 1, [get("top_k", 0, 0)[i] for i in best]), (0, 2, best)],
        "reduce_by_key": [(0, 2, [k for k, _ in runs]), (0, 3, [sum(v) for _, v in runs])],
        "reduce_by_index": [(0, 2, bins(len)), (0, 3, bins(sum))],
        "merge": [(0, 1, sorted(merge)), (1, 2, [sum(h < n for h in get("merge", 1, 0)) for n in get("merge", 1, 1)]),
                  (1, 3, [sum(h <= n for h in get("merge", 1, 0)) for n in get("merge", 1, 1)])],
        "expand": [(0, 2, [v for v, k in zip(get("expand", 0, 0), get("expand", 0, 1)) for _ in range(int(k))])],
        "gather": [(0, 2, [get("gather", 0, 0)[i] for i in get("gather", 0, 1)]),
                   (1, 2, spread(get("gather", 1, 1), get("gather", 1, 0)))],
    }
    bad = [f"{name}: row {row} of picture {n} is {get(name, n, row)}, not {wanted}"
           for name, rows in right.items() for n, row, wanted in rows if get(name, n, row) != wanted]
    return bad + [f"{name}: no picture, or one that is not checked" for name in set(right) ^ set(pictures)]


def chromium(browser, folder, dark, *words):
    scheme = f"--blink-settings=preferredColorScheme={0 if dark else 1}"
    done = subprocess.run([browser, *OPTIONS, f"--user-data-dir={folder}/profile", scheme, *words], timeout=600,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return done.stdout


def main():
    source, folder = (os.path.abspath(path) for path in sys.argv[1:3])
    sys.path.insert(0, source + "/src/manual")
    import pictures
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not browser:
        print("site: no Chromium here")
        sys.exit(77)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    site = folder + "/docs"
    subprocess.run([sys.executable, "-B", source + "/src/manual/manual.py", source, site], check=True)
    bad = wrong_pictures(pictures.PICTURES)
    names = sorted(name[:-5] for name in os.listdir(site) if name.endswith(".html"))
    for name in names:
        with open(f"{site}/{name}.html", encoding="utf-8") as file:
            text = file.read()
        if re.search(r'<(script|link|img)[^>]* (src|href)="(https?:)?//', text):
            bad.append(f"{name} takes something from elsewhere")
        if '<div class="search" hidden>' not in text:
            bad.append(f"{name} shows a search where there is no JavaScript")
    facts = {"site": "file://" + site, "names": names, "queries": QUERIES, "pictured": sorted(pictures.PICTURES)}
    with open(source + "/tests/site.js", encoding="utf-8") as file:
        script = file.read()
    for dark in (False, True):
        scheme = "dark" if dark else "light"
        values = "".join(f"const {key} = {json.dumps(value)};\n" for key, value in {**facts, "dark": dark}.items())
        with open(f"{folder}/{scheme}.html", "w", encoding="utf-8") as file:
            file.write(f'<!DOCTYPE html><meta charset="utf-8"><body><script>{values}{script}</script>')
        found = re.search(r'<pre id="done">(.*?)</pre>', chromium(
            browser, folder, dark, "--dump-dom", f"file://{folder}/{scheme}.html"), re.S)
        lines = html.unescape(found[1]).strip().split("\n") if found else ["no answer from Chromium"]
        print(f"{scheme}: {lines[-1]}")
        bad += [f"{scheme}: {line}" for line in (lines[:-1] if found else lines)]
        with open(f"{folder}/sheet.html", "w", encoding="utf-8") as file:
            file.write('<!DOCTYPE html><body style="margin:0;background:#888">' + "".join(
                f'<iframe style="border:0;width:{width}px;height:1000px" src="docs/{name}.html"></iframe>'
                for name in SHEET for width in (400, 1400)))
        chromium(browser, folder, dark, "--window-size=1820,3020", f"--screenshot={folder}/{scheme}.png",
                 f"file://{folder}/sheet.html")
        if not os.path.isfile(f"{folder}/{scheme}.png"):
            bad.append(f"{scheme}: no screenshot")
    print("\n".join(bad[:40]) or f"site: {len(names)} pages")
    sys.exit(1 if bad else 0)


main()
