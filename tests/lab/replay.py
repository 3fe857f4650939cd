# SPDX-License-Identifier: GPL-2.0-or-later
"""What the program says here of the captures that were made in a machine, against what it said
there."""

import difflib
import re
import subprocess
import tarfile

from place import BINARY

LIMIT = 60
REPORT = ".sriovctl/report.text"  # in a capture, what "check" told the one who made it
# Who made a capture there, and what else he ran.
RUNS = {
    "root": {"root": "check --output json", "list": "list --output json"},
    "user": {"user": "check --output json", "list-user": "list --output json"},
}


def behind_host(text):
    """Without the root, which is named in the lines about the host."""
    if text.startswith("{"):
        return re.sub(r'("root":\s*)"[^"]*"', r"\1", text)
    head, counts, rest = text.partition("\n" + text_counts(text))
    return head.partition("\n")[0] + counts + rest


def text_counts(text):
    found = re.search(r"^\d+ passed, .*$", text, re.M)
    return found[0] if found else ""


def ask(archive, arguments):
    """What the program, here, says of the capture."""
    return subprocess.run([BINARY, *arguments.split(), f"--root={archive}"], capture_output=True,
                          text=True, timeout=LIMIT)


def record(results, name, arguments):
    """What it says of root's capture, as the machine keeps what the program said there."""
    run = ask(results / "root.tar.gz", arguments)
    for suffix, text in (("out", run.stdout), ("err", run.stderr), ("code", f"{run.returncode}\n")):
        (results / f"{name}.{suffix}").write_text(text)


def difference(name, archive, arguments, live, code):
    run = ask(archive, arguments)
    if run.returncode != code or run.stderr:
        yield f"{name}: exit code {code} live, {run.returncode} of the capture {run.stderr}"
    live, of_capture = behind_host(live), behind_host(run.stdout)
    if live != of_capture:
        yield f"{name}: the capture says something else than the machine:"
        yield from difflib.unified_diff(live.splitlines(), of_capture.splitlines(),
                                        "live", "capture", n=0, lineterm="")


def compare(results):
    for who, runs in RUNS.items():
        archive = results / f"{who}.tar.gz"
        if not archive.exists() or archive.stat().st_size == 0:
            yield f"there is no capture of {who}"
            continue
        with tarfile.open(archive) as members:
            report = members.extractfile(REPORT).read().decode()
        if not report.strip():
            yield f"the report in the capture of {who} says nothing"
        code = int((results / f"{who}.code").read_text())
        yield from difference(f"text of {who}", archive, "check", report, code)
        for name, arguments in runs.items():
            code = int((results / f"{name}.code").read_text())
            live = (results / f"{name}.out").read_text()
            yield from difference(name, archive, arguments, live, code)
