# SPDX-License-Identifier: GPL-2.0-or-later
"""A machine in one text file, tests/hosts/NAME.host.

    # What is wrong with it, in one line; more comments may follow.
    origin: lab NAME, Linux 6.1        (or: made by hand; what it stands for)
    base: other-host                   (start from that machine, then change it)

    remove /sys/class/iommu/dmar0      (and everything below)
    dir /sys/class/iommu               (needed only where it stays empty)
    link /sys/class/iommu/dmar0 -> ../../devices/virtual/iommu/dmar0
    file /proc/cmdline
    <tab>each line of the content behind one tab, each ended by a newline
    file /sys/kernel/notes
    <tab>unless this follows:
    \\ no newline
    hex /sys/firmware/acpi/tables/DMAR
    <tab>444d4152 50000000             (blanks do not matter)
    <tab>00 * 4000                     (a byte so many times)

Folders above an entry come into being with it. An empty line of content is a tab
alone. Nothing is guessed: a line that is none of these is an error.
"""

import re
from pathlib import Path

HOSTS = Path(__file__).resolve().parents[1] / "hosts"
NO_NEWLINE = "\\ no newline"
ROW = 32  # bytes of hex in a line


class HostError(Exception):
    """A mistake in a .host file: "file:line: what"."""


class Directory:
    pass


class Link(str):
    pass


class Host:
    """The tree as {"/path": bytes, Link or Directory}, and what the file says of it."""

    def __init__(self):
        self.tree = {}
        self.about = ""
        self.origin = ""
        self.base = None

    @classmethod
    def load(cls, path, seen=()):
        return _Reader(Path(path), (*seen, Path(path).stem)).read()

    @classmethod
    def of_directory(cls, directory):
        host = cls()
        for path in sorted(Path(directory).rglob("*")):
            name = "/" + str(path.relative_to(directory))
            if path.is_symlink():
                host.tree[name] = Link(path.readlink())
            elif path.is_dir():
                host.tree[name] = Directory()
            elif path.is_file():
                host.tree[name] = path.read_bytes()
            else:
                raise HostError(f"{path}: neither file, folder nor link")
        return host

    def unpack(self, directory):
        directory = Path(directory)
        directory.mkdir(parents=True)
        # Sorted: a folder comes before what is in it.
        for name in sorted(self.tree):
            path, entry = directory / name[1:], self.tree[name]
            if isinstance(entry, Directory):
                path.mkdir()
            elif isinstance(entry, Link):
                path.symlink_to(entry)
            else:
                path.write_bytes(entry)

    def pack(self, base=None):
        """The lines of a .host file, without its head; with @base only the difference."""
        old = base.tree if base else {}
        gone = sorted(set(old) - set(self.tree))
        for name in gone:
            if str(Path(name).parent) not in gone:
                yield f"remove {name}"
        parents = {str(Path(name).parent) for name in self.tree}
        for name in sorted(self.tree):
            entry = self.tree[name]
            if name in old and _same(entry, old[name]):
                continue
            if isinstance(entry, Directory):
                if name not in parents:
                    yield f"dir {name}"
            elif isinstance(entry, Link):
                yield f"link {name} -> {entry}"
            else:
                yield from _pack_file(name, entry)


def _same(a, b):
    return type(a) is type(b) and (isinstance(a, Directory) or a == b)


def _pack_file(name, data):
    text = data.decode("utf-8", "surrogateescape")
    if re.search(r"[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\uffff]", text):
        yield f"hex {name}"
        yield from _pack_hex(data)
        return
    yield f"file {name}"
    lines = text.split("\n")
    ended = lines.pop() if lines[-1] == "" else None
    for line in lines:
        yield f"\t{line}"
    if ended is None:
        yield NO_NEWLINE


def _pack_hex(data):
    at = 0
    while at < len(data):
        run = len(data) - at - len(data[at:].lstrip(data[at:at + 1]))
        if run >= 2 * ROW:
            yield f"\t{data[at]:02x} * {run}"
            at += run
        else:
            yield f"\t{data[at:at + ROW].hex(' ', 4)}"
            at += ROW


class _Reader:
    def __init__(self, path, seen):
        self.path, self.seen = path, seen
        self.host = Host()
        self.own = set()  # what this file, not its base, has put there
        self.number = 0

    def fail(self, what):
        raise HostError(f"{self.path}:{self.number}: {what}")

    def read(self):
        try:
            lines = self.path.read_text().split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise HostError(f"{self.path}: {error}") from None
        if lines.pop() != "":
            self.number = len(lines) + 1
            self.fail("the last line does not end")
        while self.number < len(lines):
            self.number += 1
            self.line(lines)
        if not (self.host.about and self.host.origin):
            self.fail("no first line '# what is wrong', or no 'origin:'")
        return self.host

    def line(self, lines):
        line = lines[self.number - 1]
        word, _, rest = line.partition(" ")
        if line.startswith("# "):
            self.host.about = self.host.about or line[2:]
        elif line in ("", "#"):
            pass
        elif line != line.rstrip() or not rest:
            self.fail(f"not understood: {line!r}")
        elif word == "origin:" and not self.host.origin:
            self.host.origin = rest
        elif word == "base:" and not self.host.tree:
            self.load_base(rest)
        elif word in ("file", "hex"):
            self.put(rest, self.content(lines, word))
        elif word == "dir":
            self.put(rest, Directory())
        elif word == "link":
            name, arrow, target = rest.partition(" -> ")
            self.put(name, Link(target) if arrow and target else self.fail("link without -> "))
        elif word == "remove":
            self.remove(rest)
        else:
            self.fail(f"not understood: {line!r}")

    def load_base(self, name):
        if name in self.seen:
            self.fail(f"{name} is based on itself")
        self.host.base = name
        self.host.tree = Host.load(self.path.with_name(f"{name}.host"), self.seen).tree

    def content(self, lines, kind):
        taken = []
        while self.number < len(lines) and lines[self.number].startswith("\t"):
            taken.append(lines[self.number][1:])
            self.number += 1
        if kind == "hex":
            return b"".join(map(self.hex_bytes, taken))
        ended = "\n"
        if taken and self.number < len(lines) and lines[self.number] == NO_NEWLINE:
            ended = ""
            self.number += 1
        # A tab alone is easily lost to an editor; silently less content must not be the result.
        if lines[self.number:self.number + 1] == [""] and \
                lines[self.number + 1:self.number + 2] and lines[self.number + 1].startswith("\t"):
            self.number += 1
            self.fail("an empty line of content needs its tab")
        return ("\n".join(taken) + ended).encode() if taken else b""

    def hex_bytes(self, text):
        repeat = re.fullmatch(r"([0-9a-f]{2}) \* ([0-9]{1,7})", text)
        try:
            return bytes.fromhex(repeat[1]) * int(repeat[2]) if repeat else bytes.fromhex(text)
        except ValueError:
            return self.fail(f"not hex: {text!r}")

    def put(self, name, entry):
        if not re.fullmatch(r"(/[^/\x00]+)+", name) or re.search(r"/\.\.?(/|$)", name):
            self.fail(f"not a clean absolute path: {name!r}")
        if name in self.own:
            self.fail(f"{name}: twice in this file")
        for parent in reversed(Path(name).parents[:-1]):
            above = self.host.tree.setdefault(str(parent), Directory())
            if not isinstance(above, Directory):
                self.fail(f"{parent} is no folder")
        if any(other.startswith(name + "/") for other in self.host.tree):
            self.fail(f"{name}: a folder with something in it")
        self.own.add(name)
        self.host.tree[name] = entry

    def remove(self, name):
        below = [other for other in self.host.tree if (other + "/").startswith(name + "/")]
        if not below:
            self.fail(f"{name}: not there")
        for other in below:
            del self.host.tree[other]


def names():
    return sorted(path.stem for path in HOSTS.glob("*.host"))


def load(name):
    return Host.load(HOSTS / f"{name}.host")
