# SPDX-License-Identifier: MIT
"""Looks at a page in headless Chromium, without scripts of its own: pictures as PNG, read here, and a page around it
that measures widths.

python3 browser.py PAGE PNG    the first screen of a page in 128 colours (by pngquant), and in it of which page it is
"""

import hashlib
import html
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

SCHEMES = {"dark": 0, "light": 1}  # Blink's preferredColorScheme
WIDTHS = (360, 400, 768, 1600)

WRAPPER = """<!DOCTYPE html><meta charset="utf-8"><title>?</title>%s<script>
addEventListener("load", () => {
    const found = [...document.querySelectorAll("iframe")].map(frame => {
        const page = frame.contentDocument, width = page.documentElement.clientWidth;
        const out = [...page.body.querySelectorAll("*")].filter(part =>
            !part.closest(".box, svg, details:not([open])") && part.getBoundingClientRect().right > width + 1);
        return {width: frame.width, wide: page.documentElement.scrollWidth, inside: width,
                parts: page.body.querySelectorAll("*").length,
                dark: frame.contentWindow.matchMedia("(prefers-color-scheme: dark)").matches,
                out: out.map(part => part.tagName + "." + part.className).slice(0, 5)};
    });
    document.title = JSON.stringify(found);
});
</script>"""


def find():
    return next(
        (found for found in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if found), None
    )


def _run(browser, work, options, page):
    command = [
        browser,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--disable-dev-shm-usage",
        "--no-first-run",
        f"--user-data-dir={work}/chromium",
        *options,
        "file://" + os.path.abspath(page),
    ]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=300)


def picture(browser, work, page, scheme, width, height, path):
    if os.path.exists(path):
        os.unlink(path)
    done = _run(
        browser,
        work,
        [
            f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}",
            f"--window-size={width},{height}",
            f"--screenshot={path}",
        ],
        page,
    )
    if not os.path.exists(path):
        raise SystemExit(f"report: no picture of {page}: {done.stderr[-400:]}")


def widths(browser, work, page):
    """What the page is like in frames of several widths."""
    with open(page, encoding="utf-8") as file:
        text = html.escape(file.read(), quote=True)
    wrapper = os.path.join(work, "wrapper.html")
    with open(wrapper, "w", encoding="utf-8") as file:
        file.write(
            WRAPPER % "".join(f'<iframe width="{width}" height="900" srcdoc="{text}"></iframe>' for width in WIDTHS)
        )
    done = _run(browser, work, ["--dump-dom", "--virtual-time-budget=4000"], wrapper)
    title = re.search(r"<title>(.*?)</title>", done.stdout, re.DOTALL)
    if not title or title.group(1) == "?":
        raise SystemExit(f"report: the wrapper of {page} did not run: {done.stderr[-400:]}")
    return json.loads(html.unescape(title.group(1)))


# ---- PNG ----


def _chunks(data):
    at = 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        yield kind, data[at + 8 : at + 8 + length]
        at += 12 + length


def _paeth(a, b, c):
    p = a + b - c
    x, y, z = abs(p - a), abs(p - b), abs(p - c)
    return a if x <= y and x <= z else b if y <= z else c


def _undo(kind, line, above, step):
    """One line of a PNG, in place."""
    for i, value in enumerate(line):
        a, b = line[i - step] if i >= step else 0, above[i]
        c = above[i - step] if i >= step else 0
        line[i] = (value + (0, a, b, (a + b) // 2, _paeth(a, b, c) if kind == 4 else 0)[kind]) & 255


def pixels(path, rows):
    """(width, height, the first rows as lists of (r, g, b))."""
    with open(path, "rb") as file:
        data = file.read()
    parts = list(_chunks(data))
    width, height, bits, colour = struct.unpack(">IIBB", parts[0][1][:10])
    assert bits == 8 and colour in (2, 6), f"{path}: a PNG of another kind"
    step = 3 if colour == 2 else 4
    raw = zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT"))
    above, lines = bytearray(width * step), []
    for y in range(min(rows, height)):
        start = y * (width * step + 1)
        line = bytearray(raw[start + 1 : start + 1 + width * step])
        if raw[start]:
            _undo(raw[start], line, above, step)
        lines.append([tuple(line[x : x + 3]) for x in range(0, len(line), step)])
        above = line
    return width, height, lines


# ---- Of which page a picture is: fonts differ between machines, so that pixels cannot be compared ----

KEY = b"Page\0"  # of the PNG's text


def stamp(page):
    with open(page, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def put_stamp(path, page):
    with open(path, "rb") as file:
        data = file.read()
    text = b"tEXt" + KEY + stamp(page).encode()
    head = 8 + 12 + 13  # the signature and the first chunk, IHDR
    with open(path, "wb") as file:
        file.write(data[:head] + struct.pack(">I", len(text) - 4) + text + struct.pack(">I", zlib.crc32(text)))
        file.write(data[head:])


def stamp_of(path):
    with open(path, "rb") as file:
        data = file.read()
    texts = [body for kind, body in _chunks(data) if kind == b"tEXt" and body.startswith(KEY)]
    return texts[0][len(KEY) :].decode() if texts else None


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        picture(find(), folder, sys.argv[1], "light", 1200, 1200, os.path.abspath(sys.argv[2]))
    few = ["pngquant", "--force", "--speed", "1", "--strip", "128", "--nofs", "-o", sys.argv[2], sys.argv[2]]
    subprocess.run(few, check=True)
    put_stamp(sys.argv[2], sys.argv[1])
