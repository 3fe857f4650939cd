# SPDX-License-Identifier: GPL-2.0-or-later
"""Roots that what is given to others is put into, and what is in them."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))
import program  # noqa: E402

HERE = Path(__file__).resolve().parent
ROOT = program.ROOT
# What a fresh Debian has of itself, besides what the package asks for.
FRESH = ("systemd", "grub-common", "grub2-common")
# What changes by itself where packages come and go.
VOLATILE = re.compile(r"/(var/(lib/dpkg|log|cache)|proc|dev|tmp|sys|run)(/|$)")
ENVIRONMENT = {name: value for name, value in os.environ.items()
               if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")}


class Failed(Exception):
    pass


def sh(*command, code=0, **options):
    """The output of a command that ends with this code."""
    run = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                         errors="backslashreplace", **({"cwd": ROOT, "env": ENVIRONMENT} | options))
    if code is not None and run.returncode != code:
        raise Failed(f"{' '.join(map(str, command))}: ended with {run.returncode}\n"
                     f"{run.stdout[-3000:]}")
    return run.stdout


def inside(root, *command, code=0):
    """In a root of its own, with nothing in the environment."""
    return sh("chroot", root, *command, code=code,
              env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"})


def shell_root(folder):
    """A root in which there is a static shell, and no other file."""
    (folder / "bin").mkdir(parents=True)
    shutil.copy(shutil.which("busybox"), folder / "bin/sh")
    return folder


def files_below(root):
    """What is below a root, with what it says: what is equal here is equal."""
    found = {}
    for where, folders, names in os.walk(root):
        for name in [*folders, *names]:
            path = Path(where, name)
            shown = "/" + str(path.relative_to(root))
            if path.is_symlink():
                found[shown] = f"-> {os.readlink(path)}"
            elif path.is_file():
                found[shown] = path.read_bytes()
            else:
                found[shown] = None
    return {path: what for path, what in found.items() if not VOLATILE.match(path)}


def dependencies(deb):
    fields = sh("dpkg-deb", "-f", deb, "Depends").split(",")
    return [re.match(r"\s*([a-z0-9.+-]+)", field)[1] for field in fields]


def fresh_root(deb, folder):
    tarball = sh(HERE / "fresh-root", *FRESH, *dependencies(deb)).split()[-1]
    folder.mkdir(parents=True)
    sh("tar", "-x", "-C", folder, "-f", tarball)
    (folder / "tmp").mkdir(exist_ok=True)
    if not (folder / "dev/null").exists():
        sh("mknod", "-m", "666", folder / "dev/null", "c", "1", "3")
    return folder


def put(root, path, text, mode=0o644):
    target = root / path.lstrip("/")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)
    target.chmod(mode)


def differences(before, after):
    for path in sorted(before.keys() | after.keys()):
        if before.get(path, "absent") != after.get(path, "absent"):
            yield path
