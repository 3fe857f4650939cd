# SPDX-License-Identifier: GPL-2.0-or-later
"""Firmware tables other than the machine's own, by way of the initramfs."""

import fcntl
import hashlib

import arch
import machine
from initrd import cpio, job_files
from place import OUT


def changed_table(table, changes):
    """The table with bits set, as the newer revision that the kernel wants."""
    table = bytearray(table)
    for offset, bits in changes.items():
        table[int(offset)] |= bits
    revision = int.from_bytes(table[24:28], "little") + 1
    table[24:28] = revision.to_bytes(4, "little")
    table[9] = 0
    table[9] = -sum(table) & 0xFF
    return bytes(table)


def firmware_tables(scenario, kernel, say):
    """The directory with the tables that the machine has by itself."""
    key = " ".join(machine.arguments(scenario)) + arch.qemu_version(scenario)
    where = OUT / "tables" / hashlib.sha256(key.encode()).hexdigest()[:16]
    where.parent.mkdir(parents=True, exist_ok=True)
    # Another scenario may be after the same tables, or another runner.
    with open(where.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (where / "results" / "end").exists():
            plain = scenario | {"cmdline": ""}
            if not machine.boot_surely(plain, kernel, where, b"", job_files("tables"), say):
                raise RuntimeError(f"the machine did not hand over its tables: {where}")
    return where / "results" / "out"


def early_archive(scenario, kernel, say):
    """Changed firmware tables, where the kernel looks for them: ahead of all."""
    if not scenario["tables"]:
        return b""
    given = firmware_tables(scenario, kernel, say)
    return cpio({
        f"kernel/firmware/acpi/{name.lower()}.aml":
            (0o644, changed_table((given / name).read_bytes(), changes))
        for name, changes in scenario["tables"].items()
    })
