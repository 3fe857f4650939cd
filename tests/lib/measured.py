# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs of the program with what they took of memory and time."""

import dataclasses
import subprocess
import sys
import time
from pathlib import Path

import program

MEMORY_MAX = 64 << 10  # KiB
SECONDS = 20


@dataclasses.dataclass
class Run:
    code: int
    out: bytes
    err: str
    memory: int  # KiB
    seconds: float

    def problems(self, binary, canary):
        """What no run may do, whatever it is given; @canary: what it must not have read."""
        is_slow = b"__asan_init" in Path(binary).read_bytes()
        if self.code not in (0, 1, 2, 3):
            yield f"ended with {self.code}: {self.err[-300:]}"
        if "Sanitizer" in self.err or "runtime error" in self.err:
            yield self.err[:300]
        if self.memory > MEMORY_MAX and not is_slow:
            yield f"took {self.memory >> 10} MB of memory"
        if self.seconds > SECONDS * 3:
            yield f"took {self.seconds:.0f} s"
        if canary in self.out or canary.decode() in self.err:
            yield "tells what is outside"


# A process starts with the memory of the one it was forked from: measured from a small one.
# What never ends is ended, by SIGXCPU.
MEASURE = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
pid = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(pid, 0)
with open(sys.argv[1], "w") as out:
    print(os.waitstatus_to_exitcode(status), usage.ru_maxrss, file=out)
"""


def run(binary, words, scratch):
    """One run, with its memory."""
    with open(scratch / "out", "w+b") as out, open(scratch / "err", "w+b") as err:
        start = time.monotonic()
        measured = scratch / "measured"
        subprocess.run([sys.executable, "-S", "-c", MEASURE, measured, binary, *words],
                       stdout=out, stderr=err, stdin=subprocess.DEVNULL,
                       env=program.ENVIRONMENT | {"TMPDIR": str(scratch / "tmp")})
        code, memory = map(int, measured.read_text().split())
        for file in (out, err):
            file.seek(0)
        return Run(code, out.read(), err.read().decode("utf-8", "backslashreplace"), memory,
                   time.monotonic() - start)
