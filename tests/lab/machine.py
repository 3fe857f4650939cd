# SPDX-License-Identifier: GPL-2.0-or-later
"""The virtual machine of a scenario: QEMU's command line, and a boot to its end."""

import contextlib
import os
import shlex
import shutil
import subprocess
import time

import arch
from initrd import cpio
from place import ROOT


def arguments(scenario):
    words = ["-machine", scenario["machine"], "-cpu", scenario["cpu"]]
    words += ["-smp", str(scenario["cpus"]), "-m", str(scenario["memory"])]
    for device in scenario["iommu"] + scenario["devices"]:
        words += device.split(" ", 1) if device.startswith("-") else ["-device", device]
    return words


def write_initrd(path, scenario, kernel, early, files):
    """The initramfs: changed firmware tables, what all machines boot with, our own modules
    (kmod/) where they have been built, and a run's files."""
    folder = arch.folder(scenario["arch"])
    parts = [folder / "base.cpio", folder / f"kernel-{kernel}" / "modules.cpio"]
    ours = folder / f"kernel-{kernel}" / "ours.cpio"
    with path.open("wb") as out:
        out.write(early)
        for part in parts + [ours] * ours.exists():
            out.write(part.read_bytes())
        out.write(cpio(files))


def own_network(scenario):
    """For tap devices, of which alone a card can have several queues: a network of its own."""
    if not any(device.startswith("-netdev tap,") for device in scenario["devices"]):
        return []
    return ["unshare", "--net", *(["--map-root-user"] if os.geteuid() else [])]


def command(scenario, kernel, where, serial):
    """How QEMU is called, whose serial port is @serial. It dies with the thread that calls it."""
    words = ["setpriv", "--pdeathsig", "KILL", *own_network(scenario), *arch.qemu(scenario)]
    words += ["-accel", "tcg,thread=multi"]
    words += ["-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"]
    vmlinux = arch.folder(scenario["arch"]) / f"kernel-{kernel}" / "vmlinux"
    words += ["-kernel", vmlinux, "-initrd", where / "initrd"]
    words += ["-append", f"{arch.CMDLINES[scenario['arch']]} {scenario['cmdline']}"]
    words += ["-serial", serial]
    words += ["-device", "virtio-serial-pci,addr=1e"]
    words += ["-chardev", f"file,id=results,path={where / 'results.tar'}"]
    words += ["-device", "virtserialport,chardev=results,name=results"]
    words += arguments(scenario)
    (where / "command").write_text(shlex.join(map(str, words)) + "\n")
    return words


def wait(qemu, seconds, cut=None):
    """None, when the machine ended by itself; else why it was ended: its limit, or that its
    console said what @cut waits for."""
    end = time.monotonic() + seconds
    while True:
        left = end - time.monotonic()
        with contextlib.suppress(subprocess.TimeoutExpired):
            qemu.wait(max(0, min(left, 0.02) if cut else left))
            return None
        reason = f"ended at its limit of {seconds} s" if left <= 0 else cut and cut()
        if reason:
            qemu.kill()
            qemu.wait()
            return reason


def unpack_results(where):
    """True when the machine handed its results over, which are in where/results then."""
    archive, results = where / "results.tar", where / "results"
    results.mkdir()
    subprocess.run(["tar", "-xf", archive, "-C", results], stderr=subprocess.DEVNULL)
    if not (results / "end").exists():
        return False
    archive.unlink()
    return True


def fresh(where):
    shutil.rmtree(where, ignore_errors=True)
    where.mkdir(parents=True)


def run(words, where, limit, cut=None):
    """Runs QEMU to its end. True when the machine handed its results over."""
    with (where / "qemu.log").open("w") as log:
        # There also for what a scenario names by a relative path, as sockets.
        qemu = subprocess.Popen(words, cwd=where, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        reason = wait(qemu, limit, cut)
        log.write(f"{reason}\n" if reason else "")
    (where / "initrd").unlink()
    return unpack_results(where)


def boot(scenario, kernel, where, early, files):
    """Runs the machine to its end. True when it handed its results over."""
    fresh(where)
    write_initrd(where / "initrd", scenario, kernel, early, files)
    words = command(scenario, kernel, where, f"file:{where / 'console'}")
    return run(words, where, scenario["limit"])


def twice(attempt, where, say):
    """Attempts, and once more when a machine ended or hung without its results."""
    first = where.with_name(where.name + ".first")
    shutil.rmtree(first, ignore_errors=True)
    if attempt():
        return True
    where.rename(first)
    say(f"no results (see {first.relative_to(ROOT)}); tried once more")
    return attempt()


def boot_surely(scenario, kernel, where, early, files, say):
    return twice(lambda: boot(scenario, kernel, where, early, files), where, say)
