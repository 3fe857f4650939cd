# SPDX-License-Identifier: GPL-2.0-or-later
"""Archives that a kernel unpacks as its initramfs, and what a run puts into them."""

import shlex
import subprocess
from pathlib import Path

import arch
from place import LAB


def cpio(files):
    """An initramfs archive of {path: (mode, content)}, with the directories."""
    entries = {}
    for path, (mode, content) in files.items():
        for parent in reversed(Path(path).parents[:-1]):
            entries.setdefault(str(parent), (0o40755, b""))
        entries[path] = (0o100000 | mode, content)
    entries["TRAILER!!!"] = (0, b"")
    archive = bytearray()
    for inode, (path, (mode, content)) in enumerate(entries.items(), 1):
        name = path.encode() + b"\0"
        fields = [inode, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name), 0]
        archive += b"070701" + b"".join(b"%08x" % field for field in fields)
        for part in (name, content):
            archive += part
            archive += bytes(-len(archive) % 4)
    return bytes(archive)


def libraries(program, tree=""):
    """The shared libraries that a program needs, of the tree where one is given."""
    words = [LAB / "libraries", program, tree]
    listing = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    return {library.lstrip("/"): (0o755, Path(f"{tree}{library}").read_bytes())
            for library in listing.split()}


def program_files(name):
    """The program under test, for the architecture of this name."""
    program = arch.binary(name)
    return libraries(program, arch.tree(name)) | {"usr/bin/sriovctl": (0o755, program.read_bytes())}


def job_files(job, **variables):
    lines = [f"{name}={shlex.quote(str(value))}" for name, value in variables.items()]
    return {"lab/job": (0o644, "\n".join([*lines, f". /lab/{job}", ""]).encode())}
