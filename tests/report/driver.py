#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A clfold-bench and a clfold-info whose driver misbehaves: filter crashes from 2^14 elements on, reduce hangs, merge
says why it cannot, partition is wrong. Other rows are made up, and right."""

import json
import os
import signal
import sys
import time

if "--version" in sys.argv:
    print("clfold-info 0.0.0")
elif "--devices" in sys.argv:
    print("0\tTrouble\tTest <device> & \"driver\"")
elif "--probe" in sys.argv:
    print('clfold 0.0.0\n\nTest (Trouble)\n  type = "cpu"\n  max_alloc = 1073741824\n  vendor = "<b>&"')
else:
    primitive = sys.argv[1]
    options = dict(zip(sys.argv[2::2], sys.argv[3::2]))
    with open(options["--json"], "a", encoding="utf-8") as file:
        for n in map(int, options["--n"].split(",")):
            if primitive == "reduce":
                time.sleep(600)
            if primitive == "filter" and n >= 2**14:
                os.kill(os.getpid(), signal.SIGSEGV)
            if primitive == "merge":
                print("skipped: merge - i32: the device has no such thing", file=sys.stderr)
                continue
            good = primitive != "partition"
            row = dict(device="Test", driver="1", primitive=primitive, op=options.get("--op", "-"), variant="cpu")
            row.update(type=options.get("--type", "4xu32"), n=n, segments=1, segment_size=n, bytes=8 * n)
            row.update(us=10.0 if good else None, us_min=9.9 if good else None, copy_us=5.0, verified=good)
            file.write(json.dumps(row) + "\n")
            file.flush()
