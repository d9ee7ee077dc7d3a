# SPDX-License-Identifier: MIT
"""site.py SOURCE DIR: the manual as a site, made in DIR and looked at in Chromium: light and dark, 400 and 1400 pixels
wide. Pages do not scroll sideways, can be read, have their pictures, and search finds. Pictures say what is true. DIR
has light.png and dark.png for people to look at. Ends with 77 where there is no Chromium."""

import html
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
    bad = list(pictures.wrong())
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
