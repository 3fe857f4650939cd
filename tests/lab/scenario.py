# SPDX-License-Identifier: GPL-2.0-or-later
"""Scenarios (NAME.toml, keys in defaults.toml): found, loaded, and refused when malformed."""

import difflib
import tomllib

from place import LAB

EXPECT_KEYS = {"exit", "facts", "checks", "also"}
ALSO_KEYS = {"arguments", "exit", "checks"}


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
    return defaults | own | {"name": name}


def problems(own, defaults):
    """What is wrong with a scenario's own keys."""
    yield from unknown(own, set(defaults) | {"about", "expect"}, "")
    for key, value in own.items():
        if key in defaults and type(value) is not type(defaults[key]):
            yield f"{key} is to be of the kind of {defaults[key]!r}"
    if not isinstance(own.get("about"), str):
        yield "has no line \"about\""
    if own.get("sweep"):
        return
    expect = own.get("expect", {})
    yield from unknown(expect, EXPECT_KEYS, "expect.")
    if not (expect.get("facts") and expect.get("checks")):
        yield "expects no facts or no checks"
    for also in expect.get("also", []):
        yield from unknown(also, ALSO_KEYS, "expect.also.")
        if not (also.get("arguments") and also.get("checks")):
            yield "a further run without arguments or checks"


def unknown(table, known, before):
    for key in sorted(set(table) - known):
        near = difflib.get_close_matches(key, known, n=1)
        yield f"unknown key {before}{key}" + (f", is {before}{near[0]} meant?" if near else "")
