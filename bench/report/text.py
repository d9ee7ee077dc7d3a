# SPDX-License-Identifier: MIT
"""Numbers and names as readers want them, safe in HTML."""

import html

POWERS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def escape(text):
    return html.escape(str(text), quote=True)


def size(n):
    """2²⁰, or 1000."""
    n = int(n)
    return (
        "2" + str(n.bit_length() - 1).translate(POWERS)
        if n >= 256 and n & (n - 1) == 0
        else f"{n:,}".replace(",", "\u202f")
    )


def memory(number):
    """4 GiB, or 1000 bytes."""
    for power, unit in ((30, "GiB"), (20, "MiB"), (10, "KiB")):
        if number >= 1 << power:
            return f"{number / (1 << power):.4g} {unit}"
    return count(number, "byte")


def time(us):
    if us is None:
        return "–"
    return f"{us:.3g} µs" if us < 999.5 else f"{us / 1000:.3g} ms" if us < 999500 else f"{us / 1e6:.3g} s"


def percent(ratio):
    """Of 0.94: 94. Small ones keep a digit that says something."""
    if ratio is None:
        return "–"
    value = 100 * ratio
    return f"{value:.0f}" if value >= 9.95 else f"{value:.1f}" if value >= 0.095 else "<0.1"


def plain(number):
    """Three digits that say something, never an exponent of ten."""
    if number < 999.5:
        return f"{number:.3g}"
    digits = 10 ** (len(str(int(number))) - 3)
    return f"{int(number / digits + 0.5) * digits:,}".replace(",", "\u202f")


def shape(row):
    """n; or segments × size, in batches, or in bins."""
    if row.get("bins"):
        return f"{size(row['n'])} in {size(row['bins'])} bins"
    if row["segments"] == 1 and not row.get("batch"):
        return size(row["n"])
    batch = f"{size(row['batch'])}\u00a0×\u00a0" if row.get("batch") else ""
    return f"{batch}{size(row['segments'])}\u00a0×\u00a0{size(row['segment_size'])}"


def case(text):
    """Of an option of clfold-bench: "--n 1024" → 2¹⁰."""
    option, _, value = text.partition(" ")
    if option not in ("--n", "--segments", "--bins") or not value.replace("x", "").isdigit():
        return text
    return "\u00a0×\u00a0".join(size(part) for part in value.split("x") if part) + (" bins" if option == "--bins" else "")


def name_of(primitive):
    """Safe, and may be broken where it has a stroke."""
    return escape(primitive).replace("_", "_<wbr>")


def what(primitive, op, kind):
    """scan, sum of i32 → ("scan", "sum i32")."""
    return primitive, kind if op == "-" else f"{op} {kind}"


def count(number, word, words=None):
    return f"{number:,}".replace(",", "\u202f") + " " + (word if number == 1 else words or word + "s")


def table(head, body, kind="", caption=""):
    """A table in a box of its own that scrolls; rows are lists of whole cells."""
    label = f"<caption>{caption}</caption>" if caption else ""
    cells = "".join(head)
    return (
        f'<div class="box" tabindex="0"><table class="{kind}">{label}<thead><tr>{cells}</tr></thead>'
        f"{''.join(body)}</table></div>"
    )
