# SPDX-License-Identifier: MIT
"""What clfold-bench and a library of Python say to each other (python.c); the library's own script goes on from here.

Requests are lines on stdin, some with arrays behind them, and answers lines on stdout. There is one job at a time:

    device NUMBER           number as the loader counts all devices           ready VERSION | no WHY
    open PRIMITIVE OP TYPE EXCLUSIVE KEPT N BYTES...   and arrays of so many bytes       ok | no WHY
    shape COUNT SIZE        of the calls to come                                        ok | no WHY
    call                    starts one                                                  (nothing)
    wait                    until all are done                                          ok
    fetch                   the results                    a number of bytes, and as many, for each; then "end"
    close                   forgets the job                                             ok

A library is an object with `version`, `open(words, arrays)` (a job; None: it does not do that), `wait()` and
`forget()`; a job has `shape(count, size)` (does it do that?), `call()` and `results()`, arrays of NumPy.
"""
import os
import sys

answers = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)  # what libraries print is no answer


def answer(text):
    answers.write(text.encode() + b"\n")
    answers.flush()


def give_up(why):
    answer(f"no {why}")
    sys.exit(0)


def read_bytes(size):
    data = bytearray(size)
    view = memoryview(data)
    while view:
        got = sys.stdin.buffer.readinto(view)
        if not got:
            sys.exit(0)
        view = view[got:]
    return data


def open_job(library, line):
    """The job, or why there is none."""
    names = ("primitive", "op", "type", "exclusive", "kept", "n")
    words = dict(zip(names, line))
    arrays = [read_bytes(int(size)) for size in line[len(names):]]
    try:
        return library.open(words, arrays) or "not there"
    except Exception as error:  # whatever libraries and drivers raise: no row, and the bench goes on
        return str(error).splitlines()[0]


def fetch(job, failed):
    for data in [] if failed else job.results():
        answer(str(data.nbytes))
        answers.write(data.tobytes())
    answer("end")


def serve(make):
    """`make(number)`: the library on that device."""
    library, job, failed = None, None, False
    for line in iter(sys.stdin.buffer.readline, b""):
        word, *rest = line.decode().split()
        try:
            if word == "call" and not failed:
                job.call()
            elif word == "wait":
                library.wait()
            elif word == "device":
                library = make(int(rest[0]))
            elif word == "shape":
                failed = not job.shape(*map(int, rest))
        except Exception as error:
            print(f"peer: {error}", file=sys.stderr)
            failed = True
        if word == "device":
            answer("no such device" if failed else f"ready {library.version}")
        elif word == "open":
            made, failed = open_job(library, rest), False
            job = None if isinstance(made, str) else made
            answer("ok" if job else f"no {made}")
        elif word == "close":
            job = made = None
            library.forget()
            answer("ok")
        elif word == "shape":
            answer("no" if failed else "ok")
        elif word == "wait":
            answer("ok")
        elif word == "fetch":
            fetch(job, failed)


