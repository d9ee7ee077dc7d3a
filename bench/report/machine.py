# SPDX-License-Identifier: MIT
"""What this machine is, its OpenCL devices, and what clfold probed of them. No names of hosts or users."""

import os
import subprocess

SETTINGS = ("CLFOLD_DISABLE", "POCL_MAX_PTHREAD_COUNT")  # of the environment, that change what is measured


class ToolFailed(Exception):
    """clfold-info does not say what we need."""


def _lines_of(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()
    except OSError:
        return []


def _field(path, name, separator):
    for line in _lines_of(path):
        left, found, right = line.partition(separator)
        if found and left.strip() == name:
            return right.strip().strip('"')
    return None


def memory_bytes(name="MemTotal"):
    text = _field("/proc/meminfo", name, ":")
    return int(text.split()[0]) * 1024 if text else None


def cores():
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def describe():
    total = memory_bytes()
    return {
        "cpu": _field("/proc/cpuinfo", "model name", ":") or os.uname().machine,
        "cores": cores(),
        "memory_gib": round(total / 2**30, 1) if total else None,
        "system": _field("/etc/os-release", "PRETTY_NAME", "=") or os.uname().sysname,
    }


def load():
    return [round(value, 2) for value in os.getloadavg()]


def settings():
    return {name: os.environ[name] for name in SETTINGS if os.environ.get(name)}


def commit(folder):
    """Of the sources, if they are a checkout: what the figures are of."""
    command = ["git", "-C", folder, "describe", "--always", "--dirty", "--abbrev=10"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() or None if done.returncode == 0 else None


def _info(info, *arguments):
    try:
        done = subprocess.run([info, *arguments], capture_output=True, text=True, errors="replace", timeout=300)
    except OSError as error:
        raise ToolFailed(f"{info}: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise ToolFailed(f"{info} {' '.join(arguments)} hung for 300 s") from None
    if done.returncode != 0:
        raise ToolFailed(
            f"{info} {' '.join(arguments)} ended with status {done.returncode}: {done.stderr.strip()[-300:]}"
        )
    return done.stdout


def version(info):
    return _info(info, "--version").split()[-1]


def devices(info):
    """(number, platform, name) of each."""
    rows = [line.split("\t") for line in _info(info, "--devices").splitlines()]
    return [(int(row[0]), row[1], row[2]) for row in rows if len(row) == 3]


def facts(info, number):
    """The lines "name = value" of clfold-info --probe, but where the cache is: a report goes to others."""
    pairs = (line.partition(" = ") for line in _info(info, "--device", str(number), "--probe").splitlines())
    told = {name.strip(): value.strip().strip('"') for name, found, value in pairs if found and name.startswith("  ")}
    told.pop("cache", None)
    return told
