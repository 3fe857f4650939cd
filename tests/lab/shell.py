# SPDX-License-Identifier: GPL-2.0-or-later
"""A console in the machine of a scenario, for a person at a terminal."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import termios
from pathlib import Path

import disk
import machine
from initrd import job_files, libraries, program_files
from place import LOGS

SHELL = Path("/bin/bash")  # which has line editing, and no built-in tools as busybox's
TERMINFO = Path("/lib/terminfo")


def terminal_files():
    """The shell, and what it has to know of this terminal."""
    name = os.environ.get("TERM") or "dumb"
    info = TERMINFO / name[0] / name
    files = libraries(SHELL) | {"bin/bash": (0o755, SHELL.read_bytes())}
    if info.is_file():
        files[str(info).lstrip("/")] = (0o644, info.read_bytes())
    return files


def files_of(scenario, job, before, modules):
    size = shutil.get_terminal_size()
    return job_files(job, MODULES="\n".join(modules), BEFORE=before, SCENARIO=scenario["name"],
                     TERM=os.environ.get("TERM") or "dumb", ROWS=size.lines, COLUMNS=size.columns)


def prepare(scenario, kernel, where, early):
    """The machine's initramfs, and how it is called."""
    machine.fresh(where)
    if scenario["boots"]:
        disk.create_overlay(where, disk.image(scenario["packages"]))
        files = disk.first_files(scenario) | files_of(
            scenario, "disk-shell", scenario["boots"][0]["before"], [])
        scenario = disk.booting(scenario)
    else:
        files = program_files(scenario["arch"]) | terminal_files() | files_of(
            scenario, "shell", scenario["before"], scenario["modules"])
    machine.write_initrd(where / "initrd", scenario, kernel, early, files)
    words = machine.command(scenario, kernel, where, f"file:{where / 'console'}")
    if scenario["boots"]:
        words += disk.arguments(where)
    # No serial port: on some of the machines its interrupts do not arrive.
    words += ["-chardev", "stdio,id=shell,mux=on,signal=off", "-mon", "chardev=shell,mode=readline"]
    words += ["-device", "virtconsole,chardev=shell"]
    return words


def run(scenario, kernel, early):
    """Until the machine ends. The exit code of QEMU."""
    where = LOGS / f"{scenario['name']}-{kernel}-shell"
    words = prepare(scenario, kernel, where, early)
    before = None
    with contextlib.suppress(termios.error):
        before = termios.tcgetattr(sys.stdin)
    # What QEMU does to the terminal it does not undo when it is killed.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(130))
    try:
        code = subprocess.run(words, cwd=where).returncode
    finally:
        if before:
            termios.tcsetattr(sys.stdin, termios.TCSANOW, before)
        for name in ("initrd", "overlay"):
            (where / name).unlink(missing_ok=True)
    machine.unpack_results(where)
    return code
