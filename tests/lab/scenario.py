# SPDX-License-Identifier: GPL-2.0-or-later
"""Scenarios (scenarios/NAME.toml, keys in defaults.toml): loaded, and refused when malformed."""

import sys
import tomllib

from place import LAB


def load(name):
    defaults = tomllib.loads((LAB / "defaults.toml").read_text())
    path = LAB / "scenarios" / f"{name}.toml"
    try:
        own = tomllib.loads(path.read_text())
    except (OSError, tomllib.TOMLDecodeError) as error:
        sys.exit(f"run: scenario {name}: {error}")
    unknown = set(own) - set(defaults) - {"about", "expect"}
    expect = own.get("expect", {})
    unknown |= set(expect) - {"exit", "facts", "checks", "also"}
    for also in expect.get("also", []):
        unknown |= set(also) - {"arguments", "exit", "checks"}
    if unknown:
        sys.exit(f"run: scenario {name}: unknown key {', '.join(sorted(unknown))}")
    if not (expect.get("facts") and expect.get("checks")):
        sys.exit(f"run: scenario {name}: expects no facts or no checks")
    if not all(also.get("arguments") and also.get("checks") for also in expect.get("also", [])):
        sys.exit(f"run: scenario {name}: a further run without arguments or checks")
    return defaults | own | {"name": name}


def names():
    return sorted(path.stem for path in (LAB / "scenarios").glob("*.toml"))
