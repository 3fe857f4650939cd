# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the program under test, and says what no run may ever do."""

import dataclasses
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOBODY = 65534
EXIT_OF_VERDICT = {"ready": 0, "warnings": 0, "not-ready": 1, "unknown": 3}
TIME_LIMIT = 30
MEMORY_NEEDED = 256 << 20

# Sanitizers end with 1 by themselves, which would look like a verdict.
SANITIZER = {name: "exitcode=99:" + os.environ.get(name, "")
             for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS")}
ENVIRONMENT = os.environ | SANITIZER | {"LC_ALL": "C.UTF-8", "NO_COLOR": "1"}


@dataclasses.dataclass
class Run:
    code: int  # negative: ended by this signal; None: it hung
    out: bytes
    err: bytes

    @property
    def text(self):
        return self.out.decode("utf-8", "backslashreplace")

    @property
    def errors(self):
        return self.err.decode("utf-8", "backslashreplace")

    def report(self):
        return json.loads(self.out)

    def problems(self):
        """What is wrong with any run, whatever it was asked."""
        if self.code is None:
            yield f"still running after {TIME_LIMIT} s"
        elif self.code < 0:
            yield f"ended by {signal.Signals(-self.code).name}"
        elif self.code not in range(6):
            yield f"exit code {self.code}"
        spoke = re.search(rb"[^\n]*(Sanitizer|runtime error:)[^\n]*", self.err)
        if spoke:
            yield spoke[0].decode("utf-8", "backslashreplace")


def run(binary, arguments, cwd=None, user=None, given=None, **options):
    """One run with its output kept; @user: as this ordinary user, when root; @given: on stdin."""
    who = {"user": user, "group": user, "extra_groups": []} if user else {}
    # Ours is closed to others, who have theirs.
    environment = ENVIRONMENT | {"TMPDIR": "/tmp"} if user else ENVIRONMENT
    options = {"stdin": subprocess.DEVNULL if given is None else subprocess.PIPE,
               "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    child = subprocess.Popen([binary, *arguments], cwd=cwd, env=environment, **who, **options)
    try:
        out, err = child.communicate(given, timeout=TIME_LIMIT)
        return Run(child.returncode, out or b"", err or b"")
    except subprocess.TimeoutExpired:
        child.kill()
        out, err = child.communicate()
        return Run(None, out or b"", err or b"")


def check(binary, root, *arguments, **options):
    """The program's JSON on a root; the root's name is relative to its parent."""
    root = Path(root)
    return run(binary, ["check", f"--root={root.name}", "--output=json", *arguments],
               cwd=root.parent, **options)


def in_memory():
    """Where thousands of small files cost little, if programs may run there; or None."""
    try:
        shm = os.statvfs("/dev/shm")
    except OSError:
        return None
    usable = os.access("/dev/shm", os.W_OK) and not shm.f_flag & os.ST_NOEXEC
    return "/dev/shm" if usable and shm.f_bavail * shm.f_frsize > MEMORY_NEEDED else None


class Scratch:
    """A directory for one test script, gone afterwards. Others may look into it."""

    def __enter__(self):
        chosen = None if "TMPDIR" in os.environ else in_memory()
        self.path = Path(tempfile.mkdtemp(prefix="sriovctl-test-", dir=chosen))
        self.path.chmod(0o755)
        return self.path

    def __exit__(self, *_):
        # Restores the modes that tests took away, or an ordinary user could not clean up.
        for where, names, _ in os.walk(self.path):
            for name in names:
                path = os.path.join(where, name)
                if not os.path.islink(path):
                    os.chmod(path, 0o755)
        shutil.rmtree(self.path)


def binary_argument():
    """The one argument of a suite: the program to test."""
    if len(sys.argv) != 2 or not os.access(sys.argv[1], os.X_OK):
        sys.exit(f"usage: {sys.argv[0]} PROGRAM")
    return Path(sys.argv[1]).resolve()
