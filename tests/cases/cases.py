# SPDX-License-Identifier: GPL-2.0-or-later
"""What real machines printed, and how experts judged them: cases are imported and scored.

A case is a folder with the files that somebody sent, and expected.json: rows of a check, a
subject and the verdicts that are right; besides verdicts that must never be given.

    right   one of those that the row accepts
    open    "unknown", though the row wants an answer
    wrong   anything else, and whatever must never be given
    absent  no such check in this program
"""

import collections
import json
from pathlib import Path

import program

NO_EVIDENCE = ("about.md", "expected.json")
# Of several VFs the worst is the verdict of the row.
WORST = ("fail", "unknown", "pass", "na")


# What the program says of a VF that it is asked to judge as a function that makes some.
NO_PF = {"verdict": "na", "summary": "refused: it is a VF"}


class Case:
    def __init__(self, folder):
        self.name = folder.name
        self.files = sorted(p for p in folder.iterdir() if p.name not in NO_EVIDENCE)
        expected = json.loads((folder / "expected.json").read_text())
        self.rows = expected["expect"]
        self.never = expected.get("never", [])


def load(folder):
    return [Case(path.parent) for path in sorted(Path(folder).glob("*/expected.json"))]


class Score:
    """How one case, or all of them, came out."""

    def __init__(self):
        self.lines = collections.defaultdict(list)  # kind -> texts
        self.per_check = collections.defaultdict(collections.Counter)

    def note(self, kind, row, text):
        self.lines[kind].append(text)
        self.per_check[row["id"]][kind] += 1

    def add(self, other):
        for kind, texts in other.lines.items():
            self.lines[kind] += texts
        for check, counts in other.per_check.items():
            self.per_check[check].update(counts)

    def count(self, kind):
        return len(self.lines[kind])


class Capture:
    """The capture of a case, and the program's reports of it."""

    def __init__(self, binary, scratch, case):
        self.binary, self.file = binary, scratch / f"{case.name}.tar.gz"
        self.made = program.run(binary, ["import", *case.files, "-o", self.file])
        self.problems = list(self.made.problems())
        self.results, self.asked, self.vfs = {}, set(), set()
        self.report = None
        if self.made.code == 0:
            self.report = self.check()

    def check(self, *functions):
        run = program.check(self.binary, self.file, *functions)
        self.problems += run.problems()
        if "is a VF; name the function" in run.errors:
            self.vfs.update(functions)
        if run.code not in (0, 1, 3):
            return None
        report = run.report()
        for result in report["results"]:
            self.results[result["id"], result["subject"]] = result
            if result.get("name"):
                self.results.setdefault((result["id"], result["name"]), result)
        return report

    def vfs_of(self, function):
        run = program.run(self.binary, ["list", f"--root={self.file}", "--output=json"])
        pfs = json.loads(run.out)["pfs"] if run.code == 0 else []
        return [vf["bdf"] for pf in pfs if pf["bdf"] == function for vf in pf["vf"]]

    def find(self, row):
        """The result of a row; a function that is not judged by itself is asked about."""
        key = row["id"], row["subject"]
        if key in self.results or row["subject"] == "host":
            return self.results.get(key)
        if row["subject"] not in self.asked:
            self.asked.add(row["subject"])
            self.check(row["subject"])
        if row["subject"] in self.vfs and row["id"].startswith("pf."):
            return NO_PF
        if key not in self.results and row["id"].startswith("vf."):
            return self.worst(row)
        return self.results.get(key)

    def worst(self, row):
        found = [self.results[row["id"], vf] for vf in self.vfs_of(row["subject"])
                 if (row["id"], vf) in self.results]
        return min(found, key=lambda r: WORST.index(r["verdict"]), default=None)


def describe(case, row, found):
    return (f"{case.name}: {row['id']} {row['subject']}: {found['verdict']} "
            f"({found['summary']}), expected {' or '.join(row['verdict'])}: "
            f"{row.get('because', '')}")


UNKNOWN = {"verdict": "unknown", "summary": "not judged"}


def judge(case, capture, checks):
    """The score of one case."""
    score = Score()
    for row in case.rows:
        if row["id"] not in checks:
            score.note("absent", row, row["id"])
            continue
        found = capture.find(row) or UNKNOWN
        text = describe(case, row, found)
        wants = [v for v in row["verdict"] if v != "unknown"]
        if found["verdict"] in row["verdict"]:
            score.note("right", row, text)
        elif found["verdict"] == "unknown":
            score.note("open", row, text)
        else:
            score.note("wrong pass" if found["verdict"] == "pass" else "wrong", row, text)
        if wants and "unknown" in row["verdict"]:
            score.note("answered" if found["verdict"] in wants else "declined", row, text)
    for row in case.never:
        found = capture.find(row) if row["id"] in checks else None
        if found and found["verdict"] == row["verdict"]:
            text = describe(case, dict(row, verdict=[f"never {row['verdict']}"]), found)
            score.note("wrong pass" if row["verdict"] == "pass" else "wrong", row, text)
    return score


def score_case(binary, scratch, case, checks):
    """(score, problems) of one case."""
    capture = Capture(binary, scratch, case)
    problems = list(capture.problems)
    if capture.made.code not in (0, 2):
        problems.append(capture.made.errors)
    score = judge(case, capture, checks)
    capture.file.unlink(missing_ok=True)
    return score, problems


def checks_of(ids):
    """Ids that were ever shipped: those of this program."""
    lines = Path(ids).read_text().splitlines()
    return {line for line in lines if line and not line.startswith("#")}
