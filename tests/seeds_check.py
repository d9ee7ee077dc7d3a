# SPDX-License-Identifier: MIT
"""seeds_check.py ROOT BENCH: what the figures of bench/seeds say of rows whose ratios are known, whether all can be
drawn, whether the manual's page has each of them, and whether clfold-bench takes their arguments."""
import importlib.util
import itertools
import os
import shutil
import subprocess
import sys
import tempfile

root, bench = sys.argv[1:3]
sys.path.insert(0, os.path.join(root, "bench", "seeds"))
sys.argv[1:] = []
import page as tables
import rows as seeds_rows
from figures import FIGURES, SIZES
from measure import PRINTED

FULL, QUICK = ({name: both[quick] for name, both in SIZES.items()} for quick in (False, True))


def row(us, **more):
    return {"device": "D", "driver": "1", "primitive": "scan", "op": "sum", "type": "i32", "n": 1024, "segments": 1,
            "segment_size": 1024, "variant": "window", "forced": True, "define": None, "us": us, "bytes": 8192,
            "gbps": 8.192 / us, "copy_us": 1.0, "copy_kernel_us": 1.0, "read_us": 0.5, **more}


def words(run, name, default=""):
    """The values of an option of a run."""
    parts = run.split()
    return parts[parts.index(name) + 1].split(",") if name in parts else [default]


def made_up(run):
    """Rows that such a run might leave: each combination of its values, two shapes."""
    if run.startswith("program "):
        define = next((word for word in run.split() if "=" in word), None)
        return [row(3.0, primitive=run.split()[1], variant=line, forced=bool(line), n=n, segment_size=n, define=define)
                for line in (None, "window", "propagate", *(line for _, line in PRINTED[run.split()[1]]))
                for n in (1024, 4096)]
    sweeps = [[f"{pair.split('=')[0]}={value}" for value in pair.split("=")[1].split(":")]
              for option in ("--sweep", "--define") for pair in words(run, option) if pair]
    defines = [",".join(some) or None for some in itertools.product(*sweeps)]
    if run.startswith("composed_search"):
        defines = [f"moves={moves},bs=64,se=8" for moves in (4, 3, 2)]
    elif run.startswith("composed"):  # says all of its parameters
        defines = [f"{some},bf=2" if some else "bs=256,bf=2,se=1" for some in defines]
    primitives = [word for word in run.split(" --", maxsplit=1)[0].split()]
    lines = [dict(variant=v, forced=v != "auto") for v in words(run, "--variant", "auto")]
    lines += [dict(peer=p, forced=False) for p in words(run, "--peer") if p not in ("", "all")]
    return [row(1.0 + len(str(line)) + turn, primitive=primitive, op=op, type=kind, define=define, n=n, segments=s,
                segment_size=n // s, **line)
            for primitive in primitives for op in words(run, "--op", "sum") for kind in words(run, "--type", "i32")
            for line in lines for turn, define in enumerate(defines) for n, s in ((1024, 1), (1024, 16), (4096, 4))]


def check_model():
    """The manual has the table of bench/model.py, whose model is nearer to the best than the paper's."""
    said = subprocess.run([sys.executable, "-B", os.path.join(root, "bench", "model.py")], check=True,
                          stdout=subprocess.PIPE, universal_newlines=True).stdout
    with open(os.path.join(root, "src", "manual", "papers.md"), encoding="utf-8") as file:
        assert said[:said.index("\n\n")] in file.read(), said
    paper, ours, model = [float(word.split()[0]) for word in said.split("| all |")[1].split("|")
                          if "×" in word]
    assert 1 <= model < paper and 1 <= ours, said


def check_names():
    names = [figure.name for figure in FIGURES]
    assert len(set(names)) == len(names) >= 40, len(names)
    with open(os.path.join(root, "src", "manual", "papers.md"), encoding="utf-8") as file:
        page = file.read()
    with tempfile.TemporaryDirectory() as folder:  # tables are found, and written anew from no rows
        path = os.path.join(folder, "papers.md")
        shutil.copy(os.path.join(root, "src", "manual", "papers.md"), path)
        tables.write(path, lambda figure: [])
        with open(path, encoding="utf-8") as file:
            again = file.read()
    for what, text in (("papers.md", page), ("what --page makes of it", again)):
        missing = [name for name in names if f"\n| `{name}` |" not in text]
        assert not missing, f"not in {what}: {missing}"
    assert len(again.splitlines()) == len(page.splitlines()), "papers.md has other comparisons"


def check_ratios():
    rows = [row(6.0, variant="propagate"), row(2.0), row(3.0, variant="serial"), row(8.0, variant="propagate", n=4096),
            row(2.0, n=4096), row(1.0, variant="cpu", forced=False), row(9.0, peer="std", forced=False)]
    single = dict(line=("window", "serial"))
    assert seeds_rows.times(dict(line="propagate"), single)(rows) == [3.0, 4.0]
    assert seeds_rows.times(dict(line="std"), dict(line="clfold"))(rows) == [9.0]
    assert seeds_rows.percent("copy_us", dict(line="window"))(rows) == [50.0, 50.0]
    assert seeds_rows.spread(dict(line="propagate"))(rows) == [8.0 / 6.0]
    sweep = [row(us, define=f"group=256,items={m}") for m, us in ((15, 2.0), (16, 6.0), (17, 4.0))]
    assert seeds_rows.best("items", dict(line="window"))(sweep) == [15]
    assert seeds_rows.beside("items", 16, (15, 17), ("window", "serial"))(sweep) == [2.0]
    assert seeds_rows.label([2.0, 2.5], "×") == "2 to 2.50 ×" and seeds_rows.label([15], "") == "15"


def check_all():
    """Each figure has comparisons, which find something in its rows, and can be drawn."""
    drawn = importlib.util.find_spec("matplotlib")
    with tempfile.TemporaryDirectory() as folder:
        for figure in FIGURES:
            assert all(run.format(**FULL) and run.format(**QUICK) for run in figure.runs)
            rows = [made for run in figure.runs for made in made_up(run.format(**QUICK))]
            assert figure.compare and any(compare.values(rows) for compare in figure.compare), figure.name
            if drawn:
                import pictures
                path = os.path.join(folder, figure.name + ".svg")
                assert pictures.draw(figure, rows, path, figure.paper) and os.path.getsize(path) > 5000, figure.name
                pictures.close()
    print(f"seeds_check: {len(FIGURES)} figures" + ("" if drawn else ", no matplotlib here"))


def check_arguments():
    """The papers' sizes, which nobody measures here: there is no such device, and nothing else is wrong."""
    for run in dict.fromkeys(run.format(**FULL) for figure in FIGURES for run in figure.runs):
        if not run.startswith("program "):
            tried = subprocess.run([bench, *run.split(), "--device", "none of them"], capture_output=True, text=True,
                                   check=False)
            assert 'no device "none of them"' in tried.stderr, (run, tried.stderr)


for name, check in list(globals().items()):
    if name.startswith("check_"):
        check()
