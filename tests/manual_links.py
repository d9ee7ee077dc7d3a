# SPDX-License-Identifier: MIT
"""manual_links.py DIR: does every link between the HTML pages below DIR lead to a page, and an anchor that it has?"""

import html.parser
import os
import posixpath
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    VOID = {"meta", "link", "br", "hr", "img", "input", "wbr"}

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.open, self.bad = [], [], [], []
        self.feed(text)
        self.close()
        self.bad += [f"<{tag}> has no end" for tag in self.open]

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.ids += [values["id"]] if "id" in values else []
        self.links += [values[a] for a in ("href", "src") if values.get(a)]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.bad.append(f"</{tag}> at {self.getpos()} ends something else")


def main():
    top = sys.argv[1]
    pages, files = {}, set()
    for folder, _, names in os.walk(top):
        for name in names:
            path = posixpath.relpath(os.path.join(folder, name), top)
            files.add(path)
            if name.endswith(".html"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    pages[path] = Page(file.read())
    bad, count = [], 0
    for path, page in pages.items():
        bad += [f"{path}: {what}" for what in page.bad]
        bad += [f"{path}: #{i} is there twice" for i in set(page.ids) if page.ids.count(i) > 1]
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme:
                continue
            count += 1
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), parts.path)) if parts.path else path
            if target not in files:
                bad.append(f"{path}: no page {link}")
            elif parts.fragment and parts.fragment not in pages[target].ids:
                bad.append(f"{path}: no anchor {link}")
    print("\n".join(sorted(set(bad))) or f"manual: {count} links between {len(pages)} pages")
    sys.exit(1 if bad or len(pages) < 20 else 0)


main()
