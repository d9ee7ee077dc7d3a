#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""model.py BENCH: what bench/distributed/README.md says that model.py there prints is what it prints, and what that says
was measured stands in the rows of two H200."""
import json
import runpy
import subprocess
import sys

bench = sys.argv[1]
model = f"{bench}/distributed/model.py"
printed = subprocess.run([sys.executable, "-B", model], check=True, capture_output=True, text=True).stdout
published = open(f"{bench}/distributed/README.md", encoding="utf-8").read()
block = "".join("    " + line if line.strip() else line for line in printed.rstrip("\n").splitlines(True))
if block not in published:
    sys.exit(f"bench/distributed/README.md does not have what model.py prints:\n{block}")

measured = runpy.run_path(model)["MEASURED"]
with open(f"{bench}/results/nvidia-h200-x2-distributed.json", encoding="utf-8") as file:
    rows = {(row["primitive"], row["variant"], row["members"]): row for row in map(json.loads, file)}
sort = rows["sort", "members", 2]
pairs = [(measured["scan"], rows["scan", "members", 2]["ms"]), (measured["sort"], sort["ms"])]
pairs += zip(measured["phases"], (sort[key] for key in ("ms_local", "ms_borders", "ms_move", "ms_last")))
wrong = [pair for pair in pairs if abs(pair[0] - pair[1]) > 0.02 * pair[1]]
if wrong:
    sys.exit(f"not what was measured: {wrong}")
print("model: the published tables are what it prints")
