# SPDX-License-Identifier: GPL-2.0-or-later
"""Firmware tables other than the machine's own, by way of the initramfs.

A structure of a table is written as its fields, "WIDTH:VALUE" each, WIDTH in bytes and VALUE
little-endian; the value * is the length of the whole structure.
"""

import fcntl
import hashlib
import struct

import arch
import machine
from initrd import cpio, job_files
from place import OUT

HEADER = struct.Struct("<4sIBB6s8sI4sI")  # ACPI specification 6.5, table 5.4
KEYS = {"body", "append", "write", "set", "clear"}


def structure(text):
    """The bytes of a structure."""
    fields = [field.split(":") for field in text.split()]
    length = sum(int(width) for width, _ in fields)
    return b"".join((length if value == "*" else int(value, 0)).to_bytes(int(width), "little")
                    for width, value in fields)


def structures(texts):
    return b"".join(structure(text) for text in texts)


def new_table(name, body):
    return HEADER.pack(name.encode(), 0, 1, 0, b"LAB", b"SRIOVCTL", 0, b"LAB", 1) + body


def sealed(table):
    """The table with its length and checksum, as a revision newer than the kernel has."""
    fields = list(HEADER.unpack_from(table))
    fields[1], fields[3], fields[6] = len(table), 0, fields[6] + 1
    HEADER.pack_into(table, 0, *fields)
    table[9] = -sum(table) & 0xFF
    return bytes(table)


def changed_table(name, given, changes):
    """The table with its changes (KEYS): @given is the machine's own."""
    table = bytearray(new_table(name, structures(changes["body"])) if "body" in changes else given)
    table += structures(changes.get("append", []))
    for offset, text in changes.get("write", {}).items():
        part = structure(text)
        table[int(offset):int(offset) + len(part)] = part
    for offset, bits in changes.get("set", {}).items():
        table[int(offset)] |= bits
    for offset, bits in changes.get("clear", {}).items():
        table[int(offset)] &= ~bits
    return sealed(table)


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
    files = {}
    for name, changes in scenario["tables"].items():
        given = b""
        if "body" not in changes:
            given = (firmware_tables(scenario, kernel, say) / name).read_bytes()
        files[f"kernel/firmware/acpi/{name.lower()}.aml"] = (
            0o644, changed_table(name, given, changes))
    return cpio(files) if files else b""
