# SPDX-License-Identifier: MIT
"""The papers' figures and tables, made here; bench/seeds.sh builds what this calls."""
import argparse
import importlib.util
import os
import sys
import time

import measure
import page
from figures import FIGURES, PAPERS, SIZES
from rows import label, paper_label


def runs_of(figure, quick):
    sizes = {name: both[quick] for name, both in SIZES.items()}
    return [run.format(**sizes) for run in figure.runs]


def chosen(names):
    """The figures that are named, by whole names or by how they begin."""
    if not names:
        return FIGURES
    for name in names:
        if not any(figure.name.startswith(name) for figure in FIGURES):
            print(f"seeds.sh: no figure begins with {name}; see --list", file=sys.stderr)
            sys.exit(2)
    exact = {figure.name for figure in FIGURES} & set(names)
    return [figure for figure in FIGURES if figure.name in exact or any(
        figure.name.startswith(name) for name in names if name not in exact)]


def list_figures():
    for figure in FIGURES:
        print(f"{figure.name:22} {figure.paper}: {figure.title}")


def conclusions(figure, rows):
    """One line for each comparison: the paper's number, and this one."""
    for compare in figure.compare:
        values = compare.values(rows)
        paper = paper_label(compare.paper, compare.unit) or "no number"
        here = label(values, compare.unit) if values else "nothing to compare"
        yield f"{compare.what}: the paper: {paper}; here: {here}"


class Progress:
    def __init__(self, runs):
        self.runs, self.done, self.begun = runs, 0, time.monotonic()

    def step(self, name, run):
        spent = time.monotonic() - self.begun
        left = f", about {spent / self.done * (self.runs - self.done) / 60 + 0.5:.0f} min left" if self.done > 2 else ""
        print(f"[{self.done + 1} of {self.runs}{left}] {name}: {run[:70]}", flush=True)
        self.done += 1


def make(figure, tools, quick, progress, until):
    """Measures what is missing. None: there was no time."""
    rows, status = [], 0
    for run in runs_of(figure, quick):
        found = tools.kept(run)
        if found is None:
            if isinstance(tools, measure.Saved):
                continue
            if time.monotonic() > until:
                return None
            progress.step(figure.name, run)
            found, why = measure.rows_of(tools, run)
            if why:
                status = 1
                print(f"seeds.sh: {figure.name}: {run}: {why}", flush=True)
        rows += found
    measure.write(os.path.join(tools.folder, figure.name + ".json"), rows)
    print(f"{figure.name} ({figure.paper}): {figure.title}")
    for line in conclusions(figure, rows):
        print("    " + line)
    return rows, status


def picture(figure, rows, tools, kind):
    """The file of the picture; None where there is nothing to draw."""
    import pictures
    path, paper = os.path.join(tools.folder, figure.name + kind), PAPERS[figure.name.split("-", maxsplit=1)[0]]
    drawn = pictures.draw(figure, rows, path, f"{paper.split('), ')[0]}), {figure.paper}")
    pictures.close()
    if drawn:
        print("    " + path, flush=True)
    return path if drawn else None


def seconds(text):
    if not float(text) >= 0:
        raise ValueError
    return float(text)


def parse():
    parser = argparse.ArgumentParser(prog="seeds.sh")
    parser.add_argument("names", nargs="*")
    for option in ("bench", "programs", "output", "device", "page", "rows", "save", "sheet"):
        parser.add_argument("--" + option)
    parser.add_argument("--seconds", type=seconds, default=float("inf"))
    for option in ("quick", "list", "fresh", "check"):
        parser.add_argument("--" + option, action="store_true")
    return parser.parse_args()


def main():
    arguments = parse()
    if arguments.list:
        return list_figures()
    wanted, until, status = chosen(arguments.names), time.monotonic() + arguments.seconds, 0
    if arguments.check:
        return 0
    if arguments.rows:
        tools = measure.Saved(arguments.rows, arguments.output)
        wanted = [figure for figure in wanted if any(map(tools.kept, runs_of(figure, arguments.quick)))]
    else:
        tools = measure.Tools(arguments.bench, arguments.programs, arguments.device, arguments.output, arguments.quick)
    if arguments.save:
        tools.save(arguments.save, [run for figure in wanted for run in runs_of(figure, arguments.quick)])
        return 0
    if arguments.page:
        page.write(arguments.page, lambda figure: [
            row for run in runs_of(figure, arguments.quick) for row in tools.kept(run) or ()])
        return 0
    missing = dict.fromkeys(run for figure in wanted for run in runs_of(figure, arguments.quick))
    if arguments.fresh and not arguments.rows:
        for path in filter(os.path.exists, map(tools.path, missing)):
            os.remove(path)
    progress = Progress(len([run for run in missing if tools.kept(run) is None]))
    drawn, pictured = importlib.util.find_spec("matplotlib") is not None, []
    for number, figure in enumerate(wanted):
        made = make(figure, tools, arguments.quick, progress, until)
        if made is None:
            print(f"seeds.sh: no time left from {figure.name} on, number {number + 1} of {len(wanted)}; the same "
                  "command goes on")
            break
        status |= made[1]
        if drawn:
            pictured.append(picture(figure, made[0], tools, ".png" if arguments.sheet else ".svg"))
    if arguments.sheet and any(pictured):
        import pictures
        pictures.sheet([path for path in pictured if path], arguments.sheet)
    if not drawn:
        print("seeds.sh: no pictures: this Python has no matplotlib (Debian, Ubuntu: apt install python3-matplotlib)")
    return status


if __name__ == "__main__":
    sys.exit(main())
