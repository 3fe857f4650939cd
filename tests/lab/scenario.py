# SPDX-License-Identifier: GPL-2.0-or-later
"""Scenarios (NAME.toml, keys in defaults.toml): found, loaded, and refused when malformed."""

import difflib
import tomllib

import tables
from place import LAB

MACHINE_KEYS = {"name", "cpu", "devices", "checks"}
EXPECT_KEYS = {"exit", "facts", "checks", "also"}
ALSO_KEYS = {"arguments", "exit", "checks"}
# What holds for each boot from a disk that does not say otherwise, and for a scenario of such.
BOOT = {"install": "", "before": "", "after": "", "end": "poweroff", "cut": "", "cut_after": 0.0,
        "expect": {}}
ENDS = ("poweroff", "reboot", "cut")
DISK_DEFAULTS = {"cpus": 2, "limit": 240}  # systemd starts much at a time
DISK_KEYS = ("files", "packages", "same_verdicts")
NO_DISK_KEYS = ("modules", "before", "after", "vfio")


class Refused(Exception):
    """A scenario that is not there, or that is not one."""


def names(folder):
    return sorted(path.stem for path in folder.glob("*.toml"))


def load(name, folder):
    defaults = tomllib.loads((LAB / "defaults.toml").read_text())
    try:
        own = tomllib.loads((folder / f"{name}.toml").read_text())
    except FileNotFoundError:
        near = difflib.get_close_matches(name, names(folder), n=3, cutoff=0.4)
        hint = f"; there is {', '.join(near)}" if near else ""
        raise Refused(f"no scenario {name}{hint} (tests/lab/run --list shows all)") from None
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise Refused(f"scenario {name}: {error}") from None
    for problem in problems(own, defaults):
        raise Refused(f"scenario {name}: {problem}")
    scenario = defaults | (DISK_DEFAULTS if own.get("boots") else {}) | own
    scenario["boots"] = [BOOT | boot for boot in scenario["boots"]]
    return scenario | {"name": name}


def problems(own, defaults):
    """What is wrong with a scenario's own keys."""
    yield from unknown(own, set(defaults) | {"about", "expect"}, "")
    yield from other_kinds(own, defaults)
    for name, changes in own.get("tables", {}).items():
        yield from unknown(changes, tables.KEYS, f"tables.{name}.")
    for machine in own.get("machines", []):
        yield from machine_problems(machine)
    if not isinstance(own.get("about"), str):
        yield "has no line \"about\""
    if own.get("boots"):
        for key in sorted(set(own) & {"expect", *NO_DISK_KEYS}):
            yield f"{key}: is said of each of its boots, or not at all"
        for number, boot in enumerate(own["boots"], 1):
            yield from (f"boot {number}: {problem}" for problem in boot_problems(boot))
        return
    for key in sorted(set(own) & set(DISK_KEYS)):
        yield f"{key}: is only of use with boots"
    if own.get("sweep"):
        return
    yield from expect_problems(own.get("expect", {}), EXPECT_KEYS)
    if not (own.get("expect", {}).get("facts") and own["expect"].get("checks")):
        yield "expects no facts or no checks"


def boot_problems(boot):
    yield from unknown(boot, set(BOOT), "")
    yield from other_kinds(boot, BOOT)
    expect = boot.get("expect", {})
    yield from expect_problems(expect, EXPECT_KEYS - {"also"})
    end = boot.get("end", BOOT["end"])
    if end not in ENDS:
        yield f"ends by {end!r}, and not by any of {', '.join(ENDS)}"
    if (end == "cut") != bool(boot.get("cut")):
        yield "\"cut\" is the mark at which a boot with end = \"cut\" ends"
    if end != "cut" and not expect.get("facts"):
        yield "expects no facts"


def expect_problems(expect, known):
    yield from unknown(expect, known, "expect.")
    for also in expect.get("also", []):
        yield from unknown(also, ALSO_KEYS, "expect.also.")
        if not (also.get("arguments") and also.get("checks")):
            yield "a further run without arguments or checks"


def other_kinds(table, defaults):
    for key, value in table.items():
        if key in defaults and type(value) is not type(defaults[key]):
            yield f"{key} = {value!r} is not of the kind of {defaults[key]!r}"


def machine_problems(machine):
    yield from unknown(machine, MACHINE_KEYS, "machines.")
    if not (machine.get("name") and machine.get("checks")):
        yield "a machine without name or checks"


def machines(scenario):
    """The scenario for each of its machines; as it is where it does not tell them apart."""
    for machine in scenario["machines"]:
        checks = scenario["expect"]["checks"] | machine["checks"]
        yield scenario | {
            "name": f"{scenario['name']}.{machine['name']}",
            "cpu": machine.get("cpu", scenario["cpu"]),
            "devices": scenario["devices"] + machine.get("devices", []),
            "expect": scenario["expect"] | {"checks": checks},
        }
    if not scenario["machines"]:
        yield scenario


def unknown(table, known, before):
    for key in sorted(set(table) - set(known)):
        near = difflib.get_close_matches(key, known, n=1)
        yield f"unknown key {before}{key}" + (f", is {before}{near[0]} meant?" if near else "")
