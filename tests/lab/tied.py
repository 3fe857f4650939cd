# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs that do not outlive the runner, however that ends: a process beside it holds the
other end of a pipe, and kills them with all that they started when the pipe is closed.

(QEMU needs it not, since it starts nothing: it is killed by the kernel, see machine.command.)
"""

import contextlib
import os
import signal
import subprocess

pipe = None


def watch(out):
    """The process beside. A line of the pipe is +GROUP or -GROUP."""
    groups = set()
    with os.fdopen(out) as lines:
        for line in lines:
            (groups.add if line[0] == "+" else groups.discard)(int(line[1:]))
    for group in groups:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)


def start():
    """To be called once, while there is one thread."""
    global pipe
    out, pipe = os.pipe()
    if os.fork():
        os.close(out)
        return
    try:
        os.setsid()
        os.close(pipe)
        null = os.open("/dev/null", os.O_RDWR)
        for number in range(3):  # or who reads what the runner prints would wait for us
            os.dup2(null, number)
        watch(out)
    finally:
        os._exit(0)


def run(words):
    """Runs a program to its end, its output caught."""
    child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, errors="replace",
                             start_new_session=True)
    os.write(pipe, b"+%d\n" % child.pid)
    out, errors = child.communicate()
    os.write(pipe, b"-%d\n" % child.pid)
    return subprocess.CompletedProcess(words, child.returncode, out, errors)


def last_words(text, program):
    """The last line with which a program explained itself."""
    lines = [line for line in text.splitlines() if line.startswith(f"{program}: ")]
    return lines[-1] if lines else f"{program}: failed"
