# SPDX-License-Identifier: GPL-2.0-or-later
"""The lints: each takes a tree of files and yields (name, line, what is wrong)."""

import collections
import re
import runpy
import shutil
import subprocess
import tempfile
import textwrap
from pathlib import Path

import data_lints

# Who may include what of whom. The layer of a file is its folder's; the header of a module
# belongs to the layer of its .c file.
FOLDERS = {
    "checks/base": "base", "checks/host": "host", "checks/facts": "facts", "checks": "checks",
    "provision": "provision", "import": "import", "cmd/render": "render", "cmd": "cmd",
}
# What belongs to a layer and has no .c file of its name.
HEADERS = {"check": "checks", "data": "base"}
MAY_INCLUDE = {
    "base": {"base"},
    "host": {"host", "base"},
    "facts": {"facts", "host", "base"},
    "checks": {"checks", "facts", "host", "base"},
    "provision": {"provision", "facts", "host", "base"},
    "import": {"import", "facts", "host", "base"},
    "render": {"render", "report", "base"},
    "cmd": {"cmd", "render", "import", "provision", "report", "checks", "facts", "host", "base"},
}
# Renderers see the report, and not how it came about.
REPORT = {"report", "check", "finding", "explain"}
LIBRARIES = {
    "pci/": {"host"}, "libkmod.h": {"host"}, "smbios_c/": {"host"},
    "archive.h": {"checks/host/host_archive.c"}, "archive_entry.h": {"checks/host/host_archive.c"},
    "netlink/": {"host", "provision"}, "zlib.h": {"host"}, "cjson/": {"checks/base/json.c"},
    "systemd/": {"provision/manager.c"},
}

FILE_LINES = 500
HEADER_LINES = 150
FUNCTION_LINES = 60
NESTING = 3
PARAMETERS = 6
COLUMNS = 110

BANNED = """strcpy strcat stpcpy sprintf vsprintf strtol strtoul strtoll strtoull strtod strtof
    atoi atol atoll atof sscanf scanf gets basename dirname strtok strtok_r alloca strdupa
    strndupa system popen tmpnam mktemp rand""".split()
BANNED_BELOW_CMD = """printf vprintf puts putchar perror exit abort err errx warn warnx
    error assert""".split()
# What runs another program, and the one place that may.
EXEC = "execl execlp execle execv execvp execvpe execve execveat fexecve posix_spawn posix_spawnp".split()
MAY_EXEC = {"provision/generator.c"}
STREAMS_BELOW_CMD = "stdout stderr".split()

SPDX = "SPDX-License-Identifier: GPL-2.0-or-later"


def folder(name):
    return name.rpartition("/")[0]


def layer_of_header(header, tree):
    """The layer of sriovctl/HEADER.h."""
    module = header.removeprefix("sriovctl/").removesuffix(".h")
    if module in HEADERS:
        return HEADERS[module]
    for place, layer in FOLDERS.items():
        if f"{place}/{module}.c" in tree.names:
            return layer
    # acpi_dmar.h of acpi_dmar.c, but also dmi.h of dmi_tables.c.
    for place, layer in FOLDERS.items():
        if any(name.startswith(f"{place}/{module}_") for name in tree.names):
            return layer
    return None


def check_layers(tree):
    for source in tree.sources:
        layer = FOLDERS.get(folder(source.name))
        if layer is None:
            continue
        for line, header, is_system in source.includes():
            yield from ((source.name, line, text)
                        for text in include_problems(source, layer, header, is_system, tree))


def include_problems(source, layer, header, is_system, tree):
    for library, places in LIBRARIES.items():
        if is_system and header.startswith(library) and not places & {layer, source.name}:
            yield f"<{header}> is for {' '.join(sorted(places))}"
    if header.startswith("sriovctl/"):
        module = header.removeprefix("sriovctl/").removesuffix(".h")
        owner = layer_of_header(header, tree)
        if layer == "render" and module in REPORT:
            return
        if owner is None:
            yield f"nobody's header: {header}"
        elif owner not in MAY_INCLUDE[layer]:
            yield f"{layer} may not include {header} of {owner}"
    elif not is_system:
        yield from private_problems(source, layer, header, tree)


def private_problems(source, layer, header, tree):
    """A header in quotes is beside the file, or below its layer's folder."""
    here = folder(source.name)
    if f"{here}/{header}" in tree.names:
        owner = FOLDERS.get(folder(f"{here}/{header}"))
    elif layer == "render" and f"cmd/{header}" in tree.names:
        owner = "cmd"
    else:
        yield f'"{header}" is not beside this file'
        return
    if owner not in MAY_INCLUDE[layer]:
        yield f"{layer} may not include {header} of {owner}"


def check_size(tree):
    for source in tree.sources:
        limit = HEADER_LINES if source.name.endswith(".h") else FILE_LINES
        if len(source.lines) > limit:
            yield source.name, limit, f"{len(source.lines)} lines; at most {limit}"
        for number, line in enumerate(source.lines, 1):
            width = len(line.expandtabs(8))
            if width > COLUMNS:
                yield source.name, number, f"{width} columns; at most {COLUMNS}"
        for function in source.functions():
            for what, n, most in (("lines", function.lines, FUNCTION_LINES),
                                  ("parameters", function.parameters, PARAMETERS),
                                  ("levels of nesting", function.nesting, NESTING)):
                if n > most:
                    yield source.name, function.line, f"{function.name}: {n} {what}; at most {most}"
    for script in tree.scripts:
        n = script.read_text().count("\n")
        if n > FILE_LINES:
            yield tree.name(script), FILE_LINES, f"{n} lines; at most {FILE_LINES}"


def check_banned(tree):
    for source in tree.sources:
        below_cmd = source.name.startswith(("checks/", "provision/", "import/"))
        calls = BANNED + (BANNED_BELOW_CMD if below_cmd else [])
        if not source.name.startswith("tests/") and source.name not in MAY_EXEC:
            calls = calls + EXEC
        words = rf"\b({'|'.join(calls)})\s*\("
        if below_cmd:
            words += rf"|\b({'|'.join(STREAMS_BELOW_CMD)})\b"
        for number, line in enumerate(source.code.splitlines(), 1):
            # A declaration in a header file of ours may use such a word; a member never calls.
            for match in re.finditer(words, line):
                yield source.name, number, f"banned: {match[0].rstrip('( ')}"
            if re.search(r"\bgoto\b", line):
                yield source.name, number, "banned: goto"
        for number in source.line_comments:
            yield source.name, number, "a comment is /* like this */"


def check_style(tree):
    for source in tree.sources:
        if source.lines[:1] != [f"/* {SPDX} */"]:
            yield source.name, 1, f"the first line is not /* {SPDX} */"
        if source.name.endswith(".h"):
            yield from header_problems(source)
        else:
            yield from own_header_problems(source, tree)
    for script in tree.scripts:
        lines = script.read_text().splitlines()
        if f"# {SPDX}" not in lines[:2]:
            yield tree.name(script), 1, f"neither of the first two lines is # {SPDX}"


def header_problems(source):
    """It opens with what the module promises, and has a guard of its own name."""
    if len(source.lines) < 2 or not source.lines[1].startswith("/*"):
        yield source.name, 2, "no comment on what the module promises"
    guard = re.search(r"^#ifndef (\w+)\n#define (\w+)$", source.text, re.M)
    stem = re.sub(r"\W", "_", source.name.rpartition("/")[2]).upper()
    if not guard or guard[1] != guard[2] or not guard[1].endswith(stem):
        yield source.name, 3, f"no guard that ends in {stem}"


def own_header_problems(source, tree):
    stem = source.name.rpartition("/")[2].removesuffix(".c")
    layer = FOLDERS.get(folder(source.name))
    if layer is None:
        return
    own = [f"{stem}.h"] if f"{folder(source.name)}/{stem}.h" in tree.names else []
    public = f"sriovctl/{stem}.h"
    # checks/iommu.c has the same name as the facts that it asks.
    if f"include/{public}" in tree.names and layer_of_header(public, tree) == layer:
        own.append(public)
    first = next(source.includes(), None)
    if own and (first is None or first[1] not in own):
        yield source.name, first[0] if first else 1, f"{own[0]} is not included first"


def check_format(tree):
    if not shutil.which("clang-format"):
        raise LookupError("clang-format is not installed")
    paths = [source.path for source in tree.sources]
    run = subprocess.run(["clang-format", "--dry-run", "-Werror", f"--style=file:{tree.style}",
                          *paths], capture_output=True, text=True)
    places = collections.defaultdict(set)
    for path, line in re.findall(r"^(.+?):(\d+):\d+: error: ", run.stderr, re.M):
        places[tree.name(path)].add(int(line))
    for name, lines in places.items():
        yield name, min(lines), f"not as clang-format writes it ({len(lines)} lines)"
    if run.returncode and ": error: " not in run.stderr:
        yield "clang-format", 0, run.stderr


def shell_parts(name, text):
    """(line, script) of each shell script in a file: all of it, or what an installer runs of it."""
    first = text.partition("\n")[0]
    if re.match(r"#!.*\b(ba|da)?sh\b", first) or "# shellcheck shell=" in text[:200]:
        yield 1, text
    elif name.endswith(".cfg"):
        for match in re.finditer(r"^%(?:pre|post)\b([^\n]*)\n(.*?)^%end", text, re.M | re.S):
            interpreter = re.search(r"--interpreter=(\S+)", match[1])
            yield (text.count("\n", 0, match.start()) + 1,
                   f"#!{interpreter[1] if interpreter else '/bin/sh'}\n{match[2]}")
    elif name.endswith(".yaml"):
        for match in re.finditer(r"^( *)content: \|\n((?:\1 .*\n|\n)+)", text, re.M):
            block = textwrap.dedent(match[2])
            if block.startswith("#!"):
                yield text.count("\n", 0, match.start(2)) + 1, block


def check_shellcheck(tree):
    """Scripts, and those in the examples for installers. What is wrong is told by file and line."""
    if not shutil.which("shellcheck"):
        raise LookupError("shellcheck is not installed")
    with tempfile.TemporaryDirectory() as folder:
        places = {}
        for path in tree.files:
            # What fuzzers are given is no script.
            if "/corpus/" in tree.name(path):
                continue
            text = path.read_text(errors="replace")
            for line, script in shell_parts(path.name, text):
                copy = path if script == text else Path(folder, f"{len(places)}.sh")
                if copy != path:
                    copy.write_text(script)
                places[str(copy)] = (tree.name(path), line - 1)
        yield from shellcheck_problems(places, tree.top)


def shellcheck_problems(places, top):
    # What a machine of the lab sources is there, and not here (SC1091).
    run = subprocess.run(["shellcheck", "-x", "-e", "SC1091", "-f", "gcc", *places],
                         capture_output=True, text=True, cwd=top)
    for path, line, what in re.findall(r"^(.+?):(\d+):\d+: (.*)$", run.stdout, re.M):
        name, before = places.get(path, (path, 0))
        yield name, before + int(line), what
    if run.returncode > 1:
        yield "shellcheck", 0, run.stderr


def check_mutants(tree):
    """Each fault that tests/mutants puts into a source has its place there, and one only."""
    for path in tree.files:
        if path.name != "mutants.py":
            continue
        for fault, source, old, _ in runpy.run_path(str(path))["MUTANTS"]:
            count = (tree.top / "provision" / source).read_text().count(old)
            if count != 1:
                yield tree.name(path), 0, f"{fault}: its text stands {count} times in {source}"


ALL = {
    "layers": check_layers, "size": check_size, "banned": check_banned, "style": check_style,
    "format": check_format, "shellcheck": check_shellcheck,
    "platforms": data_lints.check_platforms, "nics": data_lints.check_nics,
    "mutants": check_mutants,
}
