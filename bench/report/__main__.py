#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The vendor report. sh bench/report.sh builds what is needed and runs both halves.

python3 bench/report measure --bench clfold-bench --info clfold-info --json FILE [options]
python3 bench/report render COLUMN... -o PAGE.html [--against OLD.json] [--title TEXT]
python3 bench/report suite                                       the suite as a Markdown table
python3 bench/report render @FILE                                arguments from a file, one a line
"""

import argparse
import os
import signal
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import machine  # noqa: E402
import measure  # noqa: E402
import page  # noqa: E402
import rows  # noqa: E402
import suite  # noqa: E402


def words(text):
    return [word for word in text.split(",") if word]


def power(text):
    """2^20, or 20 for the same."""
    number = text[2:] if text.startswith("2^") else text
    if not number.isdigit() or not 10 <= int(number) <= 40:
        raise argparse.ArgumentTypeError("a power of two from 2^10 to 2^40")
    return int(number)


def seconds(text):
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError("a number of seconds")
    return number


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="report",
        description=__doc__,
        fromfile_prefix_chars="@",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("measure", help="measure devices into a JSON file; goes on where it ended")
    run.add_argument("--bench", required=True)
    run.add_argument("--info", required=True)
    run.add_argument("--json", required=True, help="the report; rows that it has are not measured again")
    run.add_argument("--full", action="store_true", help="the whole suite instead of the quick one")
    run.add_argument("--device", type=words, help="numbers of devices; default: all")
    run.add_argument("--only", type=words, help="these primitives")
    run.add_argument("--top", type=power, help="the most elements, such as 2^30; 2^40: what fits")
    run.add_argument("--limit", type=seconds, help="seconds that one process may take (60; full 300)")
    run.add_argument("--seconds", type=seconds, help="no more time than that, each line's first type before all others")
    run.add_argument("--repeat", type=int, default=1, help="so many times, and the least of each row's times")
    run.add_argument("--peers", action="store_true", help="beside the libraries that clfold-bench was built with")
    run.add_argument("--fresh", action="store_true", help="forget the rows that the file has")
    run.add_argument("--check", action="store_true", help="nothing but whether these options are right")
    run.add_argument("--commit", help="of which commit the tools are; default: what git says about this folder")
    draw = commands.add_parser("render", help="one HTML file of JSON files", fromfile_prefix_chars="@")
    draw.add_argument(
        "columns",
        nargs="+",
        metavar="COLUMN",
        help="[LABEL=]FILE[:FIRST-LAST][,FILE...]: a machine's files, or lines of them. Of one device LABEL is the "
        "name, of several it stands before their names",
    )
    draw.add_argument("-o", "--output", required=True)
    draw.add_argument("--against", metavar="OLD", help="an older JSON file: what is slower and faster than there")
    draw.add_argument("--title")
    commands.add_parser("suite", help="the suite as a Markdown table")
    options = parser.parse_args(arguments)
    for name in getattr(options, "only", None) or []:
        if name not in suite.PLACE:
            parser.error(f"--only: the suite has no primitive {name}")
    return options


def print_suite():
    print("| primitive | operator | types (full only) | axis | why |\n|---|---|---|---|---|")
    for line in suite.LINES:
        quick, more = line.types.split("|")
        print(
            f"| {line.primitive} | {line.op} | {quick}{' ' * bool(quick)}{f'({more})' if more else ''} "
            f"| {line.axis} | {line.why} |"
        )


def render(options):
    columns = rows.machines(options.columns)
    old = rows.read_columns(options.against) if options.against else None
    text, summary = page.render(columns, old, options.title)
    with open(options.output, "w", encoding="utf-8") as file:
        file.write(text)
    if summary:
        print(summary)
    print(options.output)


def stop(*_):
    raise KeyboardInterrupt


def main():
    signal.signal(signal.SIGTERM, stop)  # no process of the bench stays behind
    options = parse(sys.argv[1:])
    try:
        if options.command == "suite":
            print_suite()
        elif options.command == "render":
            render(options)
        elif options.check:
            return 0
        elif measure.summary(measure.measure(options)):
            return 1
    except (rows.BadFile, machine.ToolFailed) as error:
        print(f"report: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"report: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nStopped. The same command goes on from here.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
