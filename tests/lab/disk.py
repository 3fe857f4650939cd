# SPDX-License-Identifier: GPL-2.0-or-later
"""Scenarios with a disk: some boots of one machine, each ended in its own way, whose disk is an
overlay of the image that tests/lab/disk-image makes.

What the guest has flushed is in the overlay when the machine is killed, and what it only wrote
need not be: QEMU writes through its host's page cache, which survives QEMU, and keeps to itself
what it knows of the overlay's layout until the guest flushes.
"""

import shutil
import subprocess
import time
from pathlib import Path

import arch
import machine
import tied
from compare import compare, compare_host, read_report, verdicts
from initrd import job_files, program_files
from place import LAB

# The last that the kernel says of a boot that ended so.
LAST_WORDS = {"poweroff": "reboot: Power down", "reboot": "reboot: Restarting system"}
# Nobody logs in.
CMDLINE = "rdinit=/lab/disk-init systemd.getty_auto=no systemd.mask=getty@tty1.service"
MERGED = ("bin", "lib", "lib64", "sbin")  # links to the folders of the same name in usr


def image(packages):
    """The disk image with these packages, made if need be."""
    made = tied.run([LAB / "disk-image", *packages])
    if made.returncode:
        raise arch.Skip(tied.last_words(made.stderr, "disk-image"))
    return Path(made.stdout.strip())


def create_overlay(where, backing):
    machine.fresh(where)
    subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", backing,
                    where / "overlay"], check=True)


def overlay_problems(overlay):
    """What is wrong with the overlay, or with the file system in it once its journal has been
    replayed. What the overlay has merely leaked is not."""
    flat = overlay.with_name("flat")
    for words, harmless in (
            (["qemu-img", "check", "-q", overlay], (0, 3)),
            (["qemu-img", "convert", "-q", "-O", "raw", overlay, flat], (0,)),
            (["e2fsck", "-f", "-p", flat], (0, 1))):
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode not in harmless:
            yield f"{words[0]}: {(done.stdout + done.stderr).strip()}"
            break
    flat.unlink(missing_ok=True)


def on_disk(path):
    path = path.lstrip("/")
    return f"usr/{path}" if path.split("/")[0] in MERGED else path


def first_files(scenario):
    """What the first boot brings onto the disk."""
    program = program_files(scenario["arch"])
    files = {"lab/disk/usr/bin/sriovctl": program.pop("usr/bin/sriovctl")}
    files |= {f"lab/libraries/{on_disk(path)}": file for path, file in program.items()}
    for path, text in scenario["files"].items():
        mode = 0o755 if text.startswith("#!") else 0o644
        files[f"lab/disk/{on_disk(path)}"] = (mode, text.encode())
    return files


def files_of(scenario, number):
    """What a boot brings: its job, and the first one also what is to be on the disk."""
    one = scenario["boots"][number]
    job = job_files(
        "disk-session", MODULES="", BEFORE=one["before"], AFTER=one["after"],
        CHECK=int("checks" in one["expect"]), LOOK=int(bool(one["expect"])), END=one["end"])
    if one["install"]:
        job["lab/install"] = (0o644, one["install"].encode())
    return job if number else first_files(scenario) | job


def booting(scenario):
    """The scenario, with what makes its kernel boot from the disk."""
    return scenario | {"cmdline": f"{CMDLINE} {scenario['cmdline']}"}


def arguments(where):
    return ["-drive", f"file={where / 'overlay'},if=none,id=disk,cache=writeback",
            "-device", "virtio-blk-pci,addr=1d,drive=disk"]


def says(console, text):
    """Whether the console has said it."""
    try:
        return text in console.read_text(errors="replace")
    except OSError:
        return False


def power_cut(one, console):
    """Whether it is time to: some seconds after the console has said the mark. None: never."""
    if one["end"] != "cut":
        return None
    seen = []

    def due():
        if not seen and says(console, f"lab: {one['cut']}\n"):
            seen.append(time.monotonic())
        return seen and time.monotonic() >= seen[0] + one["cut_after"] and "power cut"

    return due


def boot(scenario, number, kernel, where, early):
    """One boot. None, if it ended as the scenario says; else what is wrong with that."""
    one = scenario["boots"][number]
    here = where / f"boot{number + 1}"
    console = here / "console"
    machine.fresh(here)
    machine.write_initrd(here / "initrd", scenario, kernel, early, files_of(scenario, number))
    words = machine.command(booting(scenario), kernel, here, f"file:{console}")
    handed = machine.run(words + arguments(where), here, scenario["limit"], power_cut(one, console))
    last = LAST_WORDS.get(one["end"]) or f"lab: {one['cut']}\n"
    if not says(console, last):
        return f"boot{number + 1} did not end by {one['end']}"
    if one["expect"] and not handed:
        return f"boot{number + 1} handed no results over"
    return None


def boots(scenario, kernel, where, early, backing):
    """All of them, till one does not end as it is to: then what is wrong with that."""
    create_overlay(where, backing)
    for number in range(len(scenario["boots"])):
        problem = boot(scenario, number, kernel, where, early)
        if problem:
            return problem
        if scenario["boots"][number]["end"] == "cut":
            shutil.copyfile(where / "overlay", where / f"boot{number + 1}" / "overlay")
    return None


def other_verdicts(reports):
    """How the later boots' verdicts are others than the first one's."""
    first, *later = map(verdicts, reports)
    for number, found in enumerate(later, 2):
        for key in sorted(first.keys() | found.keys()):
            one, other = first.get(key), found.get(key)
            if one != other:
                yield f"{' '.join(key)}: {one} in boot1, {other} in boot{number}"


def problems(scenario, where):
    """Everything in the results of the boots that is not as expected."""
    reports = []
    for number, one in enumerate(scenario["boots"], 1):
        results = where / f"boot{number}" / "results" / "out"
        if one["expect"]:
            look = compare if "checks" in one["expect"] else compare_host
            yield from (f"boot{number}: {line}" for line in look(one["expect"], results))
        if "checks" in one["expect"]:
            reports.append(read_report(results, "root")[0])
    if scenario["same_verdicts"] and all(reports):
        yield from other_verdicts(reports)
    for overlay in where.glob("**/overlay"):
        yield from (f"{overlay.relative_to(where)}: {line}" for line in overlay_problems(overlay))


def run(scenario, kernel, where, early, say):
    """What is wrong with the boots and their results, as lines."""
    backing = image(scenario["packages"])
    outcome = []

    def attempt():
        outcome[:] = [boots(scenario, kernel, where, early, backing)]
        return outcome == [None]

    if not machine.twice(attempt, where, say):
        return outcome
    wrong = list(problems(scenario, where))
    for overlay in [] if wrong else where.glob("**/overlay"):
        overlay.unlink()
    return wrong
