# SPDX-License-Identifier: GPL-2.0-or-later
"""What the program says of a capture of the machine, here, against what it said there."""

import difflib
import re
import subprocess

from place import BINARY

LIMIT = 60
# What was run there, with its arguments: by whom, and whether all of it but the root's name counts.
RUNS = (("root", "root", "check --output json"), ("text", "root", "check"),
        ("list", "root", "list --output json"), ("user", "user", "check --output json"),
        ("list-user", "user", "list --output json"))


def behind_host(text):
    """Without the root, which is named in the lines about the host."""
    if text.startswith("{"):
        return re.sub(r'("root":\s*)"[^"]*"', r"\1", text)
    head, counts, rest = text.partition("\n" + text_counts(text))
    return head.partition("\n")[0] + counts + rest


def text_counts(text):
    found = re.search(r"^\d+ passed, .*$", text, re.M)
    return found[0] if found else ""


def compare(results, runs=RUNS):
    for name, who, words in runs:
        archive = results / f"{who}.tar.gz"
        if not archive.exists() or archive.stat().st_size == 0:
            yield f"{name}: there is no capture of {who}"
            continue
        run = subprocess.run([BINARY, *words.split(), f"--root={archive}"], capture_output=True,
                             text=True, timeout=LIMIT)
        code = int((results / f"{name}.code").read_text())
        if run.returncode != code or run.stderr:
            yield f"{name}: exit code {code} live, {run.returncode} of the capture {run.stderr}"
        live = behind_host((results / f"{name}.out").read_text())
        of_capture = behind_host(run.stdout)
        if live != of_capture:
            yield f"{name}: the capture says something else than the machine:"
            yield from difflib.unified_diff(live.splitlines(), of_capture.splitlines(),
                                            "live", "capture", n=0, lineterm="")
