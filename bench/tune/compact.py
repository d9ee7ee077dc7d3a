#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts logs of several passes over the same points together: of each point and shape the row whose ratio is the median, or
of an even number the upper one of the two in the middle: the lower one may just have been lucky.

    compact.py PASS.jsonl ... >LOG.jsonl

A row that failed stands for all of its point. What replays do not look at is left out.
"""
import json
import sys

LEFT_OUT = ("why", "verified_by", "us_min", "us_spread", "reference_us", "copy_us", "build_s", "again")


def key(row):
    names = ("device", "primitive", "type", "most", "variant", "define", "segments", "segment_size")
    return tuple(row[name] for name in names) + (row.get("batch"), row.get("bins"))


def main():
    points = {}
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                points.setdefault(key(row), []).append(row)
    for rows in points.values():
        rows.sort(key=lambda row: (row["status"] == "ok", row.get("ratio", 0)))
        row = rows[0] if rows[0]["status"] != "ok" else rows[len(rows) // 2]
        if any(other.get("start") for other in rows):
            row["start"] = True
        kept = {name: value for name, value in row.items() if name not in LEFT_OUT and value != ""}
        print(json.dumps(kept, separators=(",", ":")))


if __name__ == "__main__":
    main()
