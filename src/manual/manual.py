#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""manual.py SOURCE OUT: the manual as HTML, of the pages beside this file, the text of the headers, and the examples
that pages link to. A link that leads nowhere is an error, and so is Markdown that this does not know."""

import html
import os
import posixpath
import re
import shutil
import sys

import pictures
import roff
import search

GUIDES = {
    "Start": "index getting_started which one_call recipes glossary faq".split(),
    "Concepts": "operators calls examples".split(),
    "Primitives": list(pictures.PICTURES),  # each page of a primitive has pictures, and no other has
    "More": "cpp pyclfold distributed migration performance papers limits devices tuning".split(),
}
PAGES = {p: f"src/manual/{p}.md" for names in GUIDES.values() for p in names}
PAGES["pyclfold"] = "src/python/README.md"
MAN = ["clfold-bench.1", "clfold-bench-distributed.1", "clfold-fuzz.1", "clfold-info.1", "clfold-tune.1"]
HEADERS = {"reference": "clfold.h", "distributed_reference": "clfold_distributed.h", "mpi_reference": "clfold_mpi.h"}
PRELUDES = {"prelude.h": "src/manual/prelude.h", "prelude.hpp": "src/manual/prelude.hpp",
            "example.h": "tests/examples/example.h"}
PLACES = {**{path: p + ".html" for p, path in PAGES.items()}, **{"src/manual/" + m: m + ".html" for m in MAN}}
KEYWORDS = set("""auto bool break case char class const constexpr continue do double else enum extern explicit float
    for friend if inline int long namespace noexcept nullptr operator private protected public return short signed
    sizeof static static_assert struct switch template throw try catch typedef typename union unsigned using void while
    uint ulong uchar ushort half __global __kernel""".split())
PYTHON = set("and as assert class def else False for from if import in is lambda None not or return True with".split())
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|R"\(.*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ ]*\#\w+|\w+|.',
                   re.S | re.M)


FRAME = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} – clfold</title><link rel="stylesheet" href="{up}manual.css"></head>
<body><div class="side"><a class="brand" href="{up}index.html">clfold</a>
<div class="search" hidden><input type="search" placeholder="Search" aria-label="Search the manual">
<ol hidden></ol></div>
<input type="checkbox" id="menu" aria-label="Show the contents"><label for="menu">Contents</label>
<nav aria-label="Contents">{nav}</nav></div>
<main>
{body}</main><script src="{up}manual.js" data-up="{up}"></script></body></html>
"""


class Manual:
    def __init__(self, source, out):
        self.source, self.out = source, out
        self.places = {}  # name of a C header: page#name
        self.titles = {}
        self.wanted = []  # files to show
        self.bad = []
        self.hpp = self.included("clfold.hpp", [])

    def read(self, path):
        with open(os.path.join(self.source, path), encoding="utf-8") as file:
            return file.read()

    def included(self, name, found):
        """The headers for C++, by their #include lines: each behind what it includes, but clfold.hpp first."""
        for inside in re.findall(r'^#include "(?:hpp/)?(\w+\.hpp)"$', self.read("include/clfold/" + name), re.M):
            if f"hpp/{inside}" not in found:
                self.included(f"hpp/{inside}", found)
        return [name] + found if name == "clfold.hpp" else found.append(name)

    def page(self, name, title, body, depth=0):
        up = "../" * depth
        groups = {**GUIDES, "Tools": MAN, "Reference": [*HEADERS, "cpp_reference", "names"]}
        here = ' class="here" aria-current="page"'
        nav = "".join(f"<p>{title}</p>" + "".join(
            f'<a href="{up}{p}.html"{here if p == name else ""}>{html.escape(self.titles[p])}</a>' for p in names)
                      for title, names in groups.items())
        path = os.path.join(self.out, name + ".html")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(FRAME.format(title=html.escape(title), up=up, nav=nav, body=body))

    def shown(self, path):
        """The address of a file of the tree, which gets a page."""
        if path not in self.wanted:
            self.wanted.append(path)
        return "files/" + path + ".html"

    # ---- Code --------------------------------------------------------------------------------------------------------

    def name(self, word, at, up=""):
        """A name of a C header, as a link to where it is declared."""
        place = self.places.get(word)
        if not place:
            return html.escape(word)
        return f'<a href="{up}{place[len(at):] if at and place.startswith(at) else place}">{word}</a>'

    def code(self, text, at, declares=(), up="", keywords=KEYWORDS):
        """A program with colours; each of the names in `declares` gets an anchor where it comes first."""
        left, done = set(declares), []
        for token in TOKEN.findall(text):
            if token.startswith(("/*", "//")):
                done.append(f"<i>{html.escape(token)}</i>")
            elif token[1:-1] in PRELUDES and token[0] == '"':
                done.append(f'"<a href="{up}{self.shown(PRELUDES[token[1:-1]])}">{token[1:-1]}</a>"')
            elif token[0] in "\"'" or token.startswith('R"('):
                done.append(f"<s>{html.escape(token)}</s>")
            elif token in left:
                left.discard(token)
                done.append(f'<b id="{token}">{token}</b>')
            elif token in keywords or token.strip().startswith("#"):
                done.append(f"<em>{html.escape(token)}</em>")
            else:
                done.append(self.name(token, at, up))
        return "<pre>" + "".join(done) + "</pre>\n"

    def names_in(self, code):
        """What a C header declares there."""
        plain = re.sub(r"/\*.*?\*/", "", code, flags=re.S)
        found = []
        for pattern in (r"^CLF_(?:\w+_)?API .*?(clf_\w+)\(", r"^#define (CLFOLD_\w+|CLF_\w+)",
                        r"^typedef struct (clf_\w+)", r"^typedef \w+ (clf_\w+);"):
            found += re.findall(pattern, plain, re.M)
        for body, name in re.findall(r"^(?:typedef )?enum[^{]*\{(.*?)\}\s*(\w*);", plain, re.M | re.S):
            found += re.findall(r"\b(CLF_\w+)\b", body) + ([name] if name else [])
        return [n for n in found if not re.fullmatch(r"CLF_(\w+_)?API|CLFOLD_(\w+_)?H", n)]

    # ---- Text of a header --------------------------------------------------------------------------------------------

    def prose(self, text, at):
        text = html.escape(text, quote=False)
        text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
        return re.sub(r"\b(?:clf|CLF)_\w+", lambda m: self.name(m.group(0), at), text)

    def comment(self, text, at):
        """Paragraphs, code (four blanks), lists, and columns of names with their meanings, as comments have them."""
        done = []
        # A list may come right behind its title.
        text = re.sub(r"^( {0,2}[^ \n-].*\n)(?= {2}- )", r"\1\n", text, count=1, flags=re.M)
        for block in re.split(r"\n\s*\n", text):
            lines = [l for l in block.split("\n") if l.strip()]
            if not lines:
                continue
            columns = [re.match(r" {0,2}(\S+(?: \S+)*?) {2,}(\S.*)", l) for l in lines]
            if re.match(r"\s*[-–] ", lines[0]):
                items = re.split(r"\n\s*- ", "\n" + block.strip("\n"))[1:]
                done.append("<ul>" + "".join(f"<li>{self.prose(i, at)}</li>" for i in items) + "</ul>\n")
            elif lines[0].startswith("    "):
                least = min(len(l) - len(l.lstrip()) for l in lines)
                done.append(self.code("\n".join(l[least:] for l in lines), at))
            elif columns[0] and all(c or l.startswith("      ") for c, l in zip(columns, lines)):
                rows = []
                for match, line in zip(columns, lines):
                    if match:
                        rows.append([match.group(1), match.group(2)])
                    else:
                        rows[-1][1] += " " + line.strip()
                done.append("<dl>" + "".join(f"<dt>{self.prose(a, at)}</dt><dd>{self.prose(b, at)}</dd>"
                                             for a, b in rows) + "</dl>\n")
            else:
                done.append(f"<p>{self.prose(block, at)}</p>\n")
        return "".join(done)

    def c_header(self, name):
        """A header's text, with that of the parts that clfold.h consists of."""
        text = self.read("include/clfold/" + name)
        parts = re.findall(r"^#include <(clfold/(?!clfold)\w+\.h)>\n", text, re.M)
        if not parts:
            return text
        text = re.sub(r"\n#ifndef CLFOLD_H.*", "\n", text, flags=re.S)
        for part in parts:
            inside = self.read("include/" + part)
            inside = inside[inside.index("/* ---- "):inside.rindex("\n#ifdef __cplusplus\n}\n")]
            text += re.sub(r"(/\* ---- .*?) -+ \*/", rf"\1 ({part}) ---- */", inside) + "\n"
        return text

    def header(self, text, at):
        """Sections, comments and declarations, in order; and the sections' titles."""
        done, sections = [], []
        for part in re.split(r"^(/\*.*?\*/)\n", text, flags=re.M | re.S):
            title = re.match(r"/\* -{4} (.*?) -* ?\*/$", part)
            if title:
                key = "section-" + re.match(r"\d*", title.group(1)).group(0)
                sections.append((key, title.group(1)))
                done.append(f'<h2 id="{key}">{html.escape(title.group(1))}</h2>\n')
            elif part.startswith("/*") and "SPDX" not in part:
                inside = re.sub(r"^/\*[ \n]?|\s*\*/$", "", part)
                done.append(self.comment(re.sub(r"^ \* ?", "", inside, flags=re.M), at))
            elif part.strip() and "SPDX" not in part:
                # Members and functions with comments of their own stay what they are: code.
                done.append(self.code(part.strip("\n"), at, self.names_in(part) if at[:-5] in HEADERS else ()))
        return "".join(done), sections

    # ---- Markdown ----------------------------------------------------------------------------------------------------

    def link(self, target, at):
        if re.match(r"https?://", target):
            return target
        path, _, anchor = target.partition("#")
        if path:
            path = posixpath.normpath(posixpath.join(posixpath.dirname(PAGES[at[:-len(".html")]]), path))
            if path in PLACES:
                path = PLACES[path]
            elif not os.path.isfile(os.path.join(self.source, path)):
                self.bad.append(f"{at}: no file {path}")
            elif path.startswith("include/clfold/"):
                return self.header_link(path[len("include/clfold/"):], anchor, at)
            else:
                path = self.shown(path)
        return path + ("#" + anchor if anchor else "")

    def image(self, label, target, at):
        """A picture, which lies beside the pages."""
        path = os.path.join(self.source, os.path.dirname(PAGES[at[:-len(".html")]]), target)
        if os.path.isfile(path):
            shutil.copy(path, self.out)
        else:
            self.bad.append(f"{at}: no picture {target}")
        return f'<img src="{html.escape(os.path.basename(path))}" alt="{html.escape(label)}">'

    def header_link(self, header, anchor, at):
        """To a header's page; to its first section on that of clfold.h, or section N for NAME#section-N."""
        for page, name in HEADERS.items():
            if header == name:
                return page + ".html" + ("#" + anchor if anchor else "")
        if header in self.hpp:
            return "cpp_reference.html"
        section = re.search(r"/\* ---- (\d+)\.", self.read("include/clfold/" + header))
        if not section:
            self.bad.append(f"{at}: {header} has no section")
        return "reference.html#" + (anchor or (f"section-{section[1]}" if section else ""))

    def inline(self, text, at):
        parts = re.split(r"(`[^`]+`|!?\[[^\]]+\]\([^)]+\))", text)
        for i, part in enumerate(parts):
            if part.startswith("`"):
                inner = part[1:-1]
                known = re.fullmatch(r"((?:clf|CLF|CLFOLD)_\w+)(.*)", inner)
                shown = self.name(known.group(1), at) + html.escape(known.group(2)) if known else html.escape(inner)
                # A long name may be broken behind its underscores, but not within its address.
                parts[i] = "<code>" + re.sub(r"_(?=[^<>]*(?:</a>|$))", "_<wbr>", shown) + "</code>"
            elif i % 2:
                label, target = re.fullmatch(r"!?\[([^\]]+)\]\(([^)]+)\)", part).groups()
                parts[i] = self.image(label, target, at) if part.startswith("!") else f'<a href="{html.escape(self.link(target, at))}">{self.inline(label, at)}</a>'
            else:
                part = html.escape(part, quote=False)
                part = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", part, flags=re.S)
                part = re.sub(r"(?<![\w*])\*(\S.*?)\*(?![\w*])", r"<cite>\1</cite>", part, flags=re.S)
                if "**" in part or "](" in part:
                    self.bad.append(f"{at}: cannot read '{part.strip()[:60]}'")
                parts[i] = part
        return "".join(parts)

    def table(self, lines, at):
        rows = [[c.strip().replace("\\|", "|") for c in re.split(r"(?<!\\)\|", l.strip()[1:-1])] for l in lines]
        if any(len(r) != len(rows[0]) for r in rows):
            self.bad.append(f"{at}: a table with rows of different lengths at '{lines[0]}'")
        head = "".join(f"<th>{self.inline(c, at)}</th>" for c in rows[0])
        body = "".join("<tr>" + "".join(f"<td>{self.inline(c, at)}</td>" for c in r) + "</tr>\n" for r in rows[2:])
        return f'<div class="wide"><table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>\n'

    def block(self, lines, at):
        text = "\n".join(lines)
        heading = re.match(r"(#{1,3}) (.*)$", text)
        if heading:
            level, title = len(heading.group(1)), heading.group(2)
            return f'<h{level} id="{search.key_of(title)}">{self.inline(title, at)}</h{level}>\n'
        if lines[0].startswith("|"):
            return self.table(lines, at)
        marker = re.match(r"(- |\d+\. )", lines[0])
        if marker:
            items = re.split(r"\n(?:- |\d+\. )", "\n" + text)[1:]
            tag = "ul" if marker.group(1) == "- " else "ol"
            return f"<{tag}>" + "".join(f"<li>{self.inline(i, at)}</li>\n" for i in items) + f"</{tag}>\n"
        if lines[0].startswith("    "):
            return self.code("\n".join(l[4:] for l in lines), at)
        return f"<p>{self.inline(text, at)}</p>\n"

    def markdown(self, text, at):
        done, block, fence = [], [], None
        for line in text.split("\n") + [""]:
            if line.startswith("```"):
                if fence is None:
                    fence, keywords = [], PYTHON if line == "```python" else KEYWORDS
                else:
                    done.append(self.code("\n".join(fence), at, keywords=keywords))
                    fence = None
            elif fence is not None:
                fence.append(line)
            elif line.strip() and not (block and block[0].startswith("#")):
                block.append(line)
            else:
                if block:
                    done.append(self.block(block, at))
                block = [line] if line.strip() else []
        if fence is not None:
            self.bad.append(f"{at}: a code block without an end")
        return "".join(done)

    # ---- All of it ---------------------------------------------------------------------------------------------------

    def build(self):
        pages = {p[:-len(".md")] for p in os.listdir(os.path.join(self.source, "src/manual")) if p.endswith(".md")}
        self.bad += [f"{p}: in no group of pages, and no picture" for p in pages - set(PAGES)]
        text = {p: re.sub(r"^<!--.*?-->\n", "", self.read(path), flags=re.S) for p, path in PAGES.items()}
        self.titles = {p: re.match(r"# (.*)", t).group(1) for p, t in text.items()}
        self.titles.update((m, m[:-2]) for m in MAN)
        self.titles.update(HEADERS, cpp_reference="clfold.hpp", names="Index of names")
        headers = {page: self.c_header(name) for page, name in HEADERS.items()}
        self.places = {n: f"{page}.html#{n}" for page, header in headers.items() for n in self.names_in(header)}
        for p in PAGES:
            body = self.markdown(text[p], p + ".html")
            self.page(p, self.titles[p], body.replace("</h1>\n", "</h1>\n" + pictures.of_page(p), 1))
        for m in MAN:
            body, bad = roff.to_html(self.read("src/manual/" + m))
            self.page(m, m, f"<h1>{m[:-2]}</h1>\n{body}")
            self.bad += [f"{m}: {b}" for b in bad]
        for page, header in headers.items():
            body, sections = self.header(header, page + ".html")
            toc = "".join(f'<li><a href="#{k}">{html.escape(t)}</a></li>' for k, t in sections)
            toc = f"<ul>{toc}</ul>\n" if toc else ""
            self.page(page, HEADERS[page], f"<h1>{HEADERS[page]}</h1>\n{toc}{body}")
        texts = {n: self.read("include/clfold/" + n) for n in self.hpp}
        toc = "".join(f'<li><a href="#{n}">{n}</a></li>' for n in self.hpp)
        parts = [f'<h2 id="{n}">{n}</h2>\n' + self.header(t, "cpp_reference.html")[0] for n, t in texts.items()]
        self.page("cpp_reference", "clfold.hpp", f"<h1>clfold.hpp</h1>\n<ul>{toc}</ul>\n" + "".join(parts))
        self.page("names", "Index of names", "<h1>Index of names</h1>\n<ul class=\"names\">" + "".join(
            f'<li><a href="{self.places[n]}">{n}</a></li>' for n in sorted(self.places)) + "</ul>\n")
        for path in self.wanted:
            up = "../" * (path.count("/") + 1)
            is_code = path.endswith((".c", ".h", ".cpp", ".hpp", ".cl"))
            shown = self.code(self.read(path), "", up=up) if is_code else f"<pre>{html.escape(self.read(path))}</pre>\n"
            self.page("files/" + path, path, f"<h1>{html.escape(path)}</h1>\n{shown}", path.count("/") + 1)
        self.write("manual.css", self.read("src/manual/manual.css"))
        self.write("manual.js", self.read("src/manual/manual.js"))
        self.write("search_index.js", self.index(text, headers))

    def write(self, path, text):
        with open(os.path.join(self.out, path), "w", encoding="utf-8") as file:
            file.write(text)

    def index(self, text, headers):
        """What the pages search."""
        entries = sum((search.of_page(p, self.titles[p], text[p]) for p in PAGES), [])
        entries += search.of_jobs(text["which"], lambda target: self.link(target, "which.html"))
        entries += [search.of_tool(m, self.read("src/manual/" + m)) for m in MAN]
        for page, header in headers.items():
            entries.append([HEADERS[page], page + ".html", "Reference", ""])
            entries += search.of_header(header, HEADERS[page], self.places, self.names_in)
        entries.append(["clfold.hpp", "cpp_reference.html", "Reference", "The header for C++."])
        for name in self.hpp:
            entries += search.of_hpp(self.read("include/clfold/" + name), name)
        return search.script(entries)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    manual = Manual(*sys.argv[1:])
    os.makedirs(manual.out, exist_ok=True)
    manual.build()
    for line in manual.bad:
        print(line, file=sys.stderr)
    sys.exit(1 if manual.bad else 0)


main()
