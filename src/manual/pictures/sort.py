# SPDX-License-Identifier: MIT
def by_keys(keys, what):
    return [what[i] for i in sorted(range(len(keys)), key=keys.__getitem__)]


PICTURES = [("Keys in order, each with its payload. Argsort: where each key was. Equal keys keep their order: "
             "the sort is stable.", [
    ("keys", "30/a -1 7 30/b 2", ""), ("payload", "p/a q r s/b t", "0-3 1-0 2-2 3-4 4-1"),
    ("keys", "-1 2 7 30/a 30/b", "", lambda keys, _: sorted(keys)),
    ("payload", "q t r p/a s/b", "", lambda keys, payload, _: by_keys(keys, payload)),
    ("argsort", "1 4 2 0/a 3/b", "", lambda keys, *_: by_keys(keys, range(len(keys))))])]
