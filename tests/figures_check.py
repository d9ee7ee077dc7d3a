# SPDX-License-Identifier: MIT
"""figures_check.py: bench/figures.py puts the tables of made-up rows under their headings, and nowhere else."""
import json
import os
import subprocess
import sys
import tempfile

TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench", "figures.py")
README = "# Name\n\n## How fast\n\nWords.\n\n| old |\n|---|\n| 1 |\n\nMore.\n\n| other |\n|---|\n| 2 |\n"
PERFORMANCE = "# Page\n\n## NVIDIA H200 beside CUB 3.5\n\nWords.\n\n| old |\n|---|\n| 1 |\n\n## Next\n"


def row(us, peer=None, **more):
    made = dict(primitive="scan", op="sum", type="f32", n=2**28, segments=1, segment_size=2**28, us=us, define=None)
    made.update(dict(peer=peer) if peer else dict(of_copy=0.944), **more)
    return made


def run(root, rows, *options):
    path = os.path.join(root, "rows.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(json.dumps(r) + "\n" for r in rows))
    return subprocess.run([sys.executable, "-B", TOOL, path, "--root", root, *options], capture_output=True, text=True,
                          encoding="utf-8", env={**os.environ, "PYTHONIOENCODING": "utf-8"}, check=False)


def read(root, name):
    with open(os.path.join(root, name), encoding="utf-8") as file:
        return file.read()


def main():
    # The last row of a case counts; forced ones and other operators do not.
    rows = [row(900.0), row(500.0), row(100.0, forced=True), row(50.0, op="max"), row(750.0, "cub", version="3.6.1"),
            row(1000.0, "torch", version="2.11.0+cu130"),
            row(40.0, primitive="histogram", op="count", type="u32", bins=256, of_copy=None, of_read=0.5)]
    with tempfile.TemporaryDirectory() as root:
        os.makedirs(os.path.join(root, "src/manual"))
        for name, text in (("README.md", README), ("src/manual/performance.md", PERFORMANCE)):
            with open(os.path.join(root, name), "w", encoding="utf-8") as file:
                file.write(text)
        assert run(root, rows, "--check").returncode == 1
        assert read(root, "README.md") == README
        assert run(root, rows, "--write").returncode == 0
        assert run(root, rows, "--check").returncode == 0
        assert run(root, rows + [row(499.0)], "--check").returncode == 1
        long = read(root, "src/manual/performance.md")
        assert "## NVIDIA H200 beside CUB 3.6\n\nWords.\n\n| what | elements | clfold | of copy | CUB 3.6 | × | PyTorch 2.11 |" in long
        assert "| scan, f32 | 2^28 | 500 µs | 0.94 | 750 µs | 1.50 × | 2.00 × |\n" in long
        assert "| histogram, u32, 256 bins | 2^28 | 40.0 µs | 0.50 of reading | – | – | – |\n\n## Next\n" in long
        assert "| old |" not in long
        short = read(root, "README.md")
        assert "| scan, f32 | 2^28 | 500 µs | 750 µs | 1.50 × |\n" in short and "| other |\n|---|\n| 2 |\n" in short
        two = run(root, rows + [row(700.0, "cub", version="3.5.0")])
        assert two.returncode == 1 and "several versions of cub" in two.stderr
    print("figures: right")


main()
