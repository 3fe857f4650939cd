# SPDX-License-Identifier: GPL-2.0-or-later
"""What a machine of the lab handed over, against what its scenario expects, and what the
program said against itself and against the kernel's own tools."""

import fnmatch
import json
import re

import replay

EXIT_CODES = {"ready": 0, "warnings": 0, "not-ready": 1, "unknown": 3}
PARTLY = ("summary", "remedy", "evidence")  # of these, parts are expected
# The keys of "list": in sysfs those of a PF and of a VF, and what iproute2 knows of a VF.
PF_KEYS = ("driver", "group", "name", "numa", "link.speed", "link.width", "vfs.now", "vfs.max")
VF_KEYS = ("pf", "index", "driver", "group", "name")
SET_KEYS = ("mac", "vlan", "spoofchk", "trust", "link_state")


def check_facts(expected, facts):
    missing = False
    for pattern in expected:
        matches = fnmatch.filter(facts, pattern.removeprefix("!"))
        if pattern.startswith("!") and matches:
            yield f"fact not expected: {matches[0]}"
        elif not pattern.startswith("!") and not matches:
            missing = True
            yield f"fact missing: {pattern}"
    if missing:
        yield from (fact for fact in facts if fact.startswith("differs "))


def said(result, field):
    """What the field of a result says, as one text."""
    value = result.get(field) or ""
    if field == "evidence":
        value = [" ".join(str(part) for part in line.values()) for line in value]
    return "\n".join(value) if isinstance(value, list) else value


def check_verdicts(expected, report):
    found = {}
    for result in report["results"]:
        key = (result["id"], result["subject"])
        if key in found:
            yield f"{key[0]} {key[1]}: reported twice"
        found[key] = result
    for key, wanted in expected.items():
        identity, _, subject = key.partition(" ")
        result = found.get((identity, subject or "host"))
        if result is None:
            yield f"{key}: not reported"
            continue
        if isinstance(wanted, str):
            wanted = {"verdict": wanted}
        for field, values in wanted.items():
            actual = said(result, field)
            for value in values if isinstance(values, list) else [values]:
                if value not in actual if field in PARTLY else value != actual:
                    yield f"{key}: {field} is {actual!r}, expected {value!r}"


def verdicts(report):
    return {(result["id"], result["subject"]): result["verdict"] for result in report["results"]}


def read_report(results, name):
    """The JSON of a run of the program, its exit code, and what is wrong."""
    code = int((results / f"{name}.code").read_text())
    text = (results / f"{name}.out").read_text()
    try:
        report = json.loads(text)
        wrong = []
        if report["schema"] != 1:
            wrong.append(f"{name}: schema {report['schema']}")
        if EXIT_CODES.get(report["verdict"]) != code:
            wrong.append(f"{name}: exit code {code} with verdict {report['verdict']!r}")
        return report, wrong
    except (ValueError, KeyError) as error:
        return None, [f"{name}: exit code {code}, no report: {error!r}"]


def check_run(name, expect, results):
    """What is wrong with one run of "check", and its report."""
    report, wrong = read_report(results, name)
    if report is None:
        return report, wrong
    wrong += check_verdicts(expect["checks"], report)
    code = int((results / f"{name}.code").read_text())
    if code != expect.get("exit", code):
        wrong.append(f"exit code {code}, expected {expect['exit']}")
    for result in report["results"]:
        if result["verdict"] == "fail" and not (result.get("actor") and result.get("remedy")):
            wrong.append(f"{result['id']} {result['subject']}: fails without actor or remedy")
    return report, wrong


# ----------------------------------------- "list" against sysfs and iproute2


def flat(row, before=""):
    """The row of a list with its keys as paths: {"vfs": {"now": 4}} is vfs.now."""
    for key, value in row.items():
        if isinstance(value, dict):
            yield from flat(value, f"{before}{key}.")
        else:
            yield before + key, value


def sysfs_rows(results):
    """{BDF: {KEY: VALUE}} as guest/inventory found them."""
    rows = {}
    for line in (results / "inventory").read_text().splitlines():
        bdf, key, value = line.split(" ", 2)
        rows.setdefault(bdf, {})[key] = value
    return rows


def vf_settings(results, netdev):
    """{INDEX: {KEY: VALUE}} as iproute2 shows what the PF has set for its VFs."""
    for link in json.loads((results / "links").read_text()):
        if link["ifname"] == netdev:
            return {str(vf["vf"]): {
                "mac": vf["address"],
                "vlan": vf.get("vlan_list", [{}])[0].get("vlan"),
                "spoofchk": vf["spoofchk"],
                "trust": vf["trust"],
                "link_state": vf["link_state"],
            } for vf in link.get("vfinfo_list", [])}
    return {}


def differences(row, truth, keys):
    """Where a row of the list is not as another source has it."""
    for key in keys:
        if key not in row:
            yield f"list: {row['bdf']}: has no {key}"
            continue
        said, wanted = (None if value is None else str(value)
                        for value in (row[key], truth.get(key)))
        if said != wanted:
            yield f"list: {row['bdf']}: {key} is {said}, in truth {wanted}"


def compare_list(results):
    sysfs = sysfs_rows(results)
    try:
        listed = json.loads((results / "list.out").read_text())["pfs"]
    except (ValueError, KeyError) as error:
        yield f"list: exit code {(results / 'list.code').read_text().strip()}, no list: {error!r}"
        return
    for pf in listed:
        row = dict(flat(pf))
        truth = sysfs.pop(row["bdf"], {})
        yield from differences(row, truth, PF_KEYS)
        settings = vf_settings(results, truth.get("name"))
        for vf in pf.get("vf", []):
            vf_row = dict(flat(vf)) | {"pf": row["bdf"]}
            vf_truth = sysfs.pop(vf["bdf"], {})
            yield from differences(vf_row, vf_truth, VF_KEYS)
            if settings:
                yield from differences(vf_row, settings.pop(vf_truth.get("index"), {}), SET_KEYS)
        for index in settings:
            yield f"list: {row['bdf']}: VF {index} is not listed"
    for bdf in sysfs:
        yield f"list: {bdf} is not listed"


# ------------------------------------------------------------- altogether


def compare_host(expect, results):
    """What in the results is not as expected of the host itself."""
    if (results / "failed").exists():
        for line in (results / "failed").read_text().splitlines():
            yield f"the scenario's own command failed: {line}"
    yield from check_facts(expect["facts"], (results / "facts").read_text().splitlines())


def compare(expect, results):
    """Everything in the results of a run that is not as expected."""
    yield from compare_host(expect, results)
    for number, also in enumerate(expect.get("also", [])):
        replay.record(results, f"also{number}", f"check --output json {also['arguments']}")
    for said_there in sorted(results.glob("*.err")):
        errors = said_there.read_text(errors="replace")
        if re.search(r"Sanitizer|runtime error:", errors):
            yield f"{said_there.stem}: a sanitizer spoke: {errors.strip().splitlines()[0]}"

    as_root, wrong = check_run("root", expect, results)
    yield from wrong
    for number, also in enumerate(expect.get("also", [])):
        for problem in check_run(f"also{number}", also, results)[1]:
            yield f"{also['arguments']}: {problem}"
    yield from compare_list(results)
    yield from replay.compare(results)
    if as_root is None:
        return

    # An ordinary user sees less. Not being allowed to look is neither a reason
    # to call a host unfit nor one to call it fit.
    as_user, wrong = read_report(results, "user")
    yield from wrong
    if as_user is not None:
        known = verdicts(as_root)
        for key, verdict in verdicts(as_user).items():
            if verdict not in ("unknown", known.get(key)):
                yield f"{' '.join(key)}: {known.get(key)} for root, {verdict} for an ordinary user"
