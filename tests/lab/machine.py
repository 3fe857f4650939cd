# SPDX-License-Identifier: GPL-2.0-or-later
"""The virtual machine of a scenario: QEMU's command line, and a boot to its end."""

import shlex
import shutil
import subprocess

from initrd import cpio
from place import OUT, ROOT

QEMU = "qemu-system-x86_64"
QEMU_NEEDED = 10  # the first with igb and an amd-iommu that does x2APIC
# Without no_timer_check a kernel on a busy machine, or with an emulated AMD IOMMU, where no
# interrupt of the I/O APIC arrives, gives up when it counts too few ticks of the timer.
CMDLINE = "console=ttyS0 panic=-1 quiet nokaslr no_timer_check"


class Skip(Exception):
    """Something that the lab needs is not there."""


def qemu_version():
    try:
        return subprocess.run([QEMU, "--version"], capture_output=True, text=True).stdout.split("\n")[0]
    except OSError:
        raise Skip(f"{QEMU} is not installed (tests/setup-packages lab)") from None


def arguments(scenario):
    words = ["-machine", scenario["machine"], "-cpu", scenario["cpu"]]
    words += ["-smp", str(scenario["cpus"]), "-m", str(scenario["memory"])]
    for device in scenario["iommu"] + scenario["devices"]:
        words += device.split(" ", 1) if device.startswith("-") else ["-device", device]
    return words


def boot(scenario, kernel, where, early, files):
    """Runs the machine to its end. True when it handed its results over."""
    shutil.rmtree(where, ignore_errors=True)
    where.mkdir(parents=True)
    initrd, archive, results = where / "initrd", where / "results.tar", where / "results"
    with initrd.open("wb") as out:
        out.write(early)
        for part in (OUT / "base.cpio", OUT / f"kernel-{kernel}" / "modules.cpio"):
            out.write(part.read_bytes())
        out.write(cpio(files))
    command = ["setpriv", "--pdeathsig", "KILL", QEMU, "-accel", "tcg,thread=multi"]
    command += ["-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"]
    command += ["-kernel", OUT / f"kernel-{kernel}" / "vmlinux", "-initrd", initrd]
    command += ["-append", f"{CMDLINE} {scenario['cmdline']}"]
    command += ["-serial", f"file:{where / 'console'}"]
    command += ["-device", "virtio-serial-pci,addr=1e"]
    command += ["-chardev", f"file,id=results,path={archive}"]
    command += ["-device", "virtserialport,chardev=results"]
    command += arguments(scenario)
    (where / "command").write_text(shlex.join(map(str, command)) + "\n")
    with (where / "qemu.log").open("w") as log:
        qemu = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            qemu.wait(scenario["limit"])
        except subprocess.TimeoutExpired:
            qemu.kill()
            qemu.wait()
            log.write(f"ended at its limit of {scenario['limit']} s\n")
    initrd.unlink()
    results.mkdir()
    subprocess.run(["tar", "-xf", archive, "-C", results], stderr=subprocess.DEVNULL)
    if not (results / "end").exists():
        return False
    archive.unlink()
    return True


def boot_surely(scenario, kernel, where, early, files, say):
    """Boots, and once more when the machine ended or hung without its results."""
    first = where.with_name(where.name + ".first")
    shutil.rmtree(first, ignore_errors=True)
    if boot(scenario, kernel, where, early, files):
        return True
    where.rename(first)
    say(f"no results (see {first.relative_to(ROOT)}); tried once more")
    return boot(scenario, kernel, where, early, files)
