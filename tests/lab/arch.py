# SPDX-License-Identifier: GPL-2.0-or-later
"""What differs by the architecture of a machine, and by where its QEMU comes from."""

import os
import re
import subprocess
from pathlib import Path

import tied
from place import BINARY, LAB, OUT, ROOT

QEMU_NEEDED = 10  # the first with igb and an amd-iommu that does x2APIC
PROGRAMS = {"amd64": "qemu-system-x86_64", "arm64": "qemu-system-aarch64"}
# What costs an emulated processor seconds, and changes nothing that is looked at here.
FASTER = "mitigations=off cryptomgr.notests rodata=off"
# Without no_timer_check a kernel on a busy machine, or with an emulated AMD IOMMU, where no
# interrupt of the I/O APIC arrives, gives up when it counts too few ticks of the timer.
CMDLINES = {
    "amd64": "console=ttyS0 panic=-1 quiet nokaslr no_timer_check noreplace-smp " + FASTER,
    "arm64": "console=ttyAMA0 panic=-1 quiet nokaslr " + FASTER,
}


class Skip(Exception):
    """Something that the lab needs is not there."""


def folder(arch):
    """Where what machines of the architecture boot with is."""
    return OUT if arch == "amd64" else OUT / arch


def tree(arch):
    """Where the libraries of the architecture are: "" for this machine's own."""
    return "" if arch == "amd64" else OUT / arch / "tree"


def binary(arch):
    """The program under test."""
    if arch == "amd64":
        return BINARY
    own = os.environ.get(f"SRIOVCTL_BIN_{arch.upper()}")
    return Path(own or ROOT / "build" / "aarch64-linux-gnu-gcc" / "sriovctl")


def qemu(scenario):
    """The first words of QEMU's command line. One from a tree runs by the loader of its tree."""
    program = PROGRAMS[scenario["arch"]]
    if not scenario["qemu"]:
        return [program]
    top = OUT / scenario["qemu"] / "tree"
    libraries = top / "usr/lib/x86_64-linux-gnu"
    return [libraries / "ld-linux-x86-64.so.2", "--library-path", libraries,
            top / "usr/bin" / program, "-L", top / "usr/share/qemu"]


def qemu_version(scenario):
    try:
        words = [*qemu(scenario), "--version"]
        return subprocess.run(words, capture_output=True, text=True).stdout.split("\n")[0]
    except OSError:
        raise Skip(f"{PROGRAMS[scenario['arch']]} is not installed "
                   "(tests/setup-packages lab)") from None


def run_or_skip(*words):
    done = tied.run(words)
    if done.returncode:
        raise Skip(tied.last_words(done.stderr, Path(words[0]).name))


def require(scenario, kernel):
    """Has QEMU, the image and the program at hand, or raises Skip."""
    if scenario["qemu"]:
        run_or_skip(LAB / "tree", scenario["qemu"])
    version = re.search(r"version (\d+)", qemu_version(scenario))
    if int(version[1]) < QEMU_NEEDED:
        raise Skip(f"QEMU is older than {QEMU_NEEDED} (tests/setup-packages lab)")
    run_or_skip(LAB / "image", kernel, scenario["arch"])
    if scenario["kmod"]:
        run_or_skip(LAB / "kmod" / "build", kernel)
    if scenario["arch"] != "amd64":
        run_or_skip("make", "-C", ROOT, "-s", scenario["arch"])
