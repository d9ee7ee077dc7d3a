# SPDX-License-Identifier: MIT
"""The index that the manual's pages search: a list of [title, address, where, first sentence] for manual.js."""

import json
import re


def key_of(title):
    """The anchor of a heading."""
    return re.sub(r"[^\w]+", "-", title.lower().replace("`", "")).strip("-")


def plain(text):
    text = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text)
    return re.sub(r"\s+", " ", re.sub(r"\*\*|`", "", text)).strip()


def sentence(text):
    """The first sentence of a text, without its marks."""
    text = re.sub(r"^- .*", "", plain(text))
    found = re.match(r"(?:What\.? )?(.+?[.:])(?= [A-Z(]|$)", text)
    text = found[1] if found else text
    return text if len(text) <= 160 else text[:157].rsplit(" ", 1)[0] + " …"


def of_page(name, title, text):
    """A page and its sections."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M)
    parts = re.split(r"^#{1,3} (.*)$", text, flags=re.M)
    found = []
    for heading, body in zip(parts[1::2], parts[2::2]):
        paragraphs = [p for p in body.strip().split("\n\n") if p and not p.startswith("|")]
        about = sentence(paragraphs[0]) if paragraphs else ""
        first = not found
        found.append([plain(heading), f"{name}.html" + ("" if first else "#" + key_of(heading)),
                      "" if first else title, about])
    return found


def of_jobs(text, address):
    """The rows of which.md: each leads to the page that it names. `address` makes a link of the manual an address."""
    found = []
    for job, call, page in re.findall(r"^\| (.*?) \| (.*?) \| (.*?) \|$", text, re.M):
        target = re.search(r"\]\(([^)]+)\)", page)
        if target:
            found.append([plain(job), address(target[1]), plain(page), plain(call)])
    return found


def of_header(text, header, places, names_in):
    """The names that a header declares, each with the comment before it."""
    found, comment = [], ""
    for part in re.split(r"^(/\*.*?\*/)\n", text, flags=re.M | re.S):
        if part.startswith("/*"):
            comment = re.sub(r"^ ?\* ?", "", re.sub(r"^/\*|\*/$", "", part), flags=re.M)
            comment = re.split(r"\n\s*\n|\n\s*\S+(?: \S+)* {2,}\S", comment.strip())[0]  # without columns of names
            comment = "" if re.match(r"-{4} |.*SPDX", comment) else comment
        elif part.strip():
            found += [[name, places[name], header, sentence(comment)] for name in dict.fromkeys(names_in(part))]
            comment = ""
    return found


def of_hpp(text, name):
    """The classes and functions of a header for C++."""
    text = re.sub(r"^namespace detail$.*?^} // namespace detail$", "", text, flags=re.S | re.M)
    names = re.findall(r"^(?:CLFOLD_STATUS|class|struct) (\w+)\b(?!;)", text, re.M)
    return [[f"clfold::{n}", f"cpp_reference.html#{name}", name, ""] for n in dict.fromkeys(names)]


def of_tool(name, text):
    """A manual page, with what its NAME says."""
    return [name[:-2], name + ".html", "Tools", re.search(r"^\.SH NAME\n\S+ \\- (.*)", text, re.M)[1]]


def script(entries):
    lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries)
    return f"/* SPDX-License-" f"Identifier: MIT */\nwindow.manualIndex = [\n{lines}\n];\n"
