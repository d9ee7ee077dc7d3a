# SPDX-License-Identifier: MIT
"""The manual pages of the tools as HTML: the few requests of man(7) that they use. Another one is an error."""

import html
import re
import shlex

FONTS = {"B": "b", "I": "cite", "R": ""}


def escaped(text, font):
    """Text in a font, with the escapes \\fI \\fR \\fB \\- and \\(+-."""
    done = []
    for part in re.split(r"(\\f[BIR])", text.replace("\\-", "-").replace("\\(+-", "±")):
        if re.fullmatch(r"\\f[BIR]", part):
            font = FONTS[part[2]]
        elif part:
            part = html.escape(part, quote=False)
            done.append(f"<{font}>{part}</{font}>" if font else part)
    return "".join(done)


def words(text):
    lexer = shlex.shlex(text, posix=True, punctuation_chars="")
    lexer.whitespace_split, lexer.quotes, lexer.escape, lexer.commenters = True, '"', "", ""
    return list(lexer)


def fonts(request, rest):
    """.B and .I: all of the line in one font. .BR and others: words in turns, side by side."""
    if len(request) == 1:
        return escaped(rest, FONTS[request])
    return "".join(escaped(w, FONTS[request[i % 2]]) for i, w in enumerate(words(rest)))


class Page:
    def __init__(self, text):
        self.done, self.lines, self.tag, self.items = [], [], "p", False
        self.verbatim, self.bad = False, []
        for line in text.split("\n"):
            self.line(line)
        self.flush()
        self.end_items()

    def flush(self):
        if self.lines:
            between = "\n" if self.tag == "pre" else " "
            self.done.append(f"<{self.tag}>{between.join(self.lines)}</{self.tag}>\n")
        self.lines = []

    def end_items(self):
        if self.items:
            self.done.append("</dl>\n")
        self.items, self.tag = False, "p"

    def line(self, line):
        if not line.startswith("."):
            if line:
                self.text(escaped(line, ""))
            return
        request, _, rest = line[1:].partition(" ")
        if re.fullmatch(r"[BIR]|BR|RB|IR|RI|BI|IB", request):
            self.text(fonts(request, rest))
        elif request == "SH":
            self.flush()
            self.end_items()
            key = re.sub(r"\W+", "-", rest.lower())
            self.done.append(f'<h2 id="{key}">{html.escape(rest.capitalize())}</h2>\n')
        elif request == "TP":
            self.flush()
            if not self.items:
                self.done.append("<dl>\n")
            self.items, self.tag = True, "dt"
        elif request == "PP":
            self.flush()
            if not self.verbatim:  # a paragraph ends a list, as man(7) has it
                self.end_items()
        elif request in ("nf", "fi"):
            self.flush()
            self.verbatim = request == "nf"
            self.tag = "pre" if self.verbatim else "p"
        elif request not in ("TH", "in", '\\"'):
            self.bad.append(f"no such request: {line}")

    def text(self, text):
        self.lines.append(text)
        if self.tag == "dt":
            self.flush()
            self.tag = "dd"


def to_html(text):
    """HTML, and what of it was not understood."""
    page = Page(text)
    return "".join(page.done), page.bad
