# SPDX-License-Identifier: GPL-2.0-or-later
"""How many VFs the program says are possible, how many it would make where it is told to make as many
as there can be, and what the kernel does when asked for as many and for one more: for many made-up
topologies in one machine (guest/sweep)."""

import json
import re

from topologies import texts

ANY = 1 << 32
# What a summary of pf.vf_count says: VFs that are certain, and VFs at most.
SUMMARIES = [
    (r"(\d+) VFs are possible; (\d+) at most, ", lambda n, most: (most, most)),
    (r"(\d+) VFs are possible, and up to (\d+) certain", lambda n, least: (least, ANY)),
    (r"no VF is possible: ", lambda: (0, 0)),
    (r"the function offers no VFs", lambda: (0, 0)),
    (r"(\d+) VFs are wanted, (\d+) are possible: ", lambda n, most: (most, most)),
    (r"(\d+) VFs are wanted, no more than (\d+) possible: ", lambda n, most: (0, most)),
    (r"whether (\d+) VFs are possible is not known, (\d+) are: ", lambda n, least: (least, ANY)),
    (r"how many VFs the function has is not known", lambda: (0, ANY)),
]
# What a plan says of the room that there is.
ROOMS = [
    (r"(\d+) VFs at most, by ", lambda n: (n, n)),
    (r"(\d+) VFs at least; how many more is not known", lambda least: (least, ANY)),
    (r"(\d+) to (\d+) VFs at most, by ", lambda least, most: (least, most)),
]


def files(wanted):
    return {f"lab/batches/{n:03}": (0o644, text.encode())
            for n, text in enumerate(texts(wanted["seed"], wanted["cards"]))}


def interval(patterns, sentence):
    for pattern, bounds in patterns:
        match = re.match(pattern, sentence)
        if match:
            return bounds(*map(int, match.groups()))
    raise ValueError(f"a sentence that is not known here: {sentence}")


def predictions(report):
    return {result["subject"]: (*interval(SUMMARIES, result["summary"]), result["summary"])
            for result in report["results"] if result["id"] == "pf.vf_count"
            and not result["subject"].startswith("0000:")}


def planned(plan, bdf):
    """(the room there is, by the plan; the VFs that there will be, or None: those that there are)"""
    rows = plan["plan"]
    rooms = [row["text"].removeprefix(f"{bdf}: ") for row in rows if row["kind"] == "capacity"]
    counts = [int(row["after"]) for row in rows if row["kind"] == "step" and row["setting"] == "vfs"]
    return interval(ROOMS, rooms[0]), counts[-1] if counts else None


def judge_plan(bdf, prediction, total, before, plan):
    """Where the plan and the check do not name the same counts."""
    least, most, summary = prediction
    (room_least, room_most), count = planned(plan, bdf)
    if (most < ANY and room_most != most) or (least > 0 and room_least != least):
        yield f"{bdf}: room for {room_least} to {room_most} in the plan; by the check: {summary!r}"
    # Where none is possible one is asked for, so that it is told why there cannot be any.
    if (before if count is None else count) != max(min(most, total), 1):
        yield f"{bdf}: {count} VFs planned where {before} were, of {total}; by the check: {summary!r}"
    if (plan["result"] == "refused") != (most == 0):
        yield f"{bdf}: {plan['result']}: {plan['error']}; by the check: {summary!r}"


def tries(path):
    """{(BDF, COUNT): (VFs made that answer, or -1, all that was said)}"""
    found = {}
    for line in path.read_text().splitlines():
        word, bdf, count, outcome, *rest = line.split(" ", 4)
        made, answering = rest[0].split()[:2] if outcome == "ok" else (-1, -1)
        found[bdf, int(count)] = (int(answering) if made == answering else -1, line)
    return found


def moves(text, bdf):
    """Does the text give the function other places for its VFs once NumVFs is set? Nothing tells
    before, and the kernel itself takes the old ones to see whether there is room."""
    name = f"h{int(bdf[:4], 16)}f{bdf[-1]}"
    line = next(line for line in text.splitlines() if line.startswith(f"function {name} "))
    return any(len(set(match[1].split("/")[:2])) > 1
               for match in re.finditer(r" (?:offset|stride)=(\S+)", line))


def judge(bdf, prediction, total, tried, is_moving):
    """What is wrong with a prediction, if anything."""
    least, most, summary = prediction
    certain = min(least, total)
    if certain > 0 and not is_moving:
        working, said = tried.get((bdf, certain), (-1, "not tried"))
        if working != certain:
            yield f"{bdf}: {certain} VFs said to work: {summary!r}; in truth: {said}"
    if most < total:
        working, said = tried.get((bdf, most + 1), (None, "not tried"))
        if working is None or working == most + 1:
            yield f"{bdf}: no more than {most} VFs said to work: {summary!r}; in truth: {said}"


class Sweep:
    """What a machine handed over, batch by batch."""

    def __init__(self, results, batches):
        self.results = results
        self.batches = batches
        self.functions = self.exact = self.moving = 0
        self.vague = []

    def problems(self):
        failed = self.results / "failed"
        yield from failed.read_text().splitlines() if failed.exists() else []
        for report in sorted(self.results.glob("*.json")):
            for problem in self.batch(report):
                yield f"batch {report.stem}: {problem}"

    def batch(self, report):
        found = predictions(json.loads(report.read_text()))
        offered = dict(line.split() for line in
                       report.with_suffix(".functions").read_text().splitlines())
        tried = tries(report.with_suffix(".tried"))
        text = self.batches[int(report.stem)]
        for bdf in sorted(set(offered) - set(found)):
            yield f"{bdf} is not judged"
        for bdf, prediction in found.items():
            if bdf not in offered and prediction[1] > 0:
                yield f"{bdf}: the kernel offers no VFs of it: {prediction[2]!r}"
            if bdf not in offered:
                continue
            total = int(offered[bdf])
            self.functions += 1
            least, most, summary = prediction
            if least >= min(most, total):
                self.exact += 1
            else:
                self.vague.append(f"{report.stem} {bdf}: {summary}")
            is_moving = moves(text, bdf)
            self.moving += is_moving
            yield from judge(bdf, prediction, total, tried, is_moving)
            plan = report.with_name(f"{report.stem}.{bdf}.plan").read_text()
            before = re.search(rf"^#before {bdf} (\d+)$", text, re.M)
            yield from judge_plan(bdf, prediction, total, int(before[1]) if before else 0,
                                  json.loads(plan))


def compare(results, wanted):
    """Problems, and a line that tells how exact the predictions were."""
    sweep = Sweep(results, list(texts(wanted["seed"], wanted["cards"])))
    problems = list(sweep.problems())
    figure = f"{sweep.exact} of {sweep.functions} functions predicted exactly"
    figure += f", of {sweep.moving} only what is known not to work"
    if sweep.functions < wanted["functions"]:
        problems.append(f"{sweep.functions} functions, {wanted['functions']} expected")
    elif sweep.exact < wanted["exact"] * sweep.functions:
        problems.append(f"{figure}, less than {wanted['exact']:.0%}")
        problems += sweep.vague
    return problems, figure
