# SPDX-License-Identifier: GPL-2.0-or-later
"""The lints of data/platforms.json, which names the items of firmware setups: its form, where each
name was seen, and that each entry is one that some machine gets; and of the VF BARs in
data/nics.json: their form, where they were seen, and that no kind of VF has two rows."""

import fnmatch
import itertools
import json
import re

ITEMS = {"iommu", "vtx", "sriov", "intremap", "x2apic", "acs", "ari", "above4g", "linkspeed", "nic"}
CPUS = ("intel", "amd", "arm", None)
TOP = ["schema", "sources", "platforms"]
PLATFORM = {"vendor": str, "general": bool, "vendors": list, "products": list, "seen": str,
            "items": list}
ITEM = {"item": str, "cpu": str, "products": list, "name": str, "set": str, "menu": str,
        "attribute": str, "command": str, "note": str, "say": str, "none": bool, "follows": str,
        "source": list}
# What an item is: just one of these.
KINDS = ("name", "say", "none", "follows")


class Wrong(Exception):
    """The file cannot be looked at any further."""


def no_doubles(pairs):
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise Wrong(f"{key!r} is there twice")
    return dict(pairs)


def parse(text):
    bare = re.sub(r"^\s*//.*$", "", text, flags=re.M)
    try:
        return json.loads(bare, object_pairs_hook=no_doubles)
    except ValueError as error:
        raise Wrong(str(error)) from error


def form_problems(entry, rules, where):
    if list(entry) != [key for key in rules if key in entry]:
        yield f"{where}: keys {list(entry)}, of which there are {list(rules)}, in this order"
    for key, value in entry.items():
        kind = rules.get(key, type(value))
        texts = value if kind is list else [value] if kind is str else []
        if type(value) is not kind or value in ("", [], False):
            yield f"{where}: {key} is {value!r}"
        elif key != "items" and any(type(text) is not str or not text for text in texts):
            yield f"{where}: {key} is {value!r}"
        elif key != "items" and kind is list and len(set(value)) != len(value):
            yield f"{where}: {key} has a word twice"


def item_problems(item, platform, sources, where):
    yield from form_problems(item, ITEM, where)
    kinds = [kind for kind in KINDS if kind in item]
    if len(kinds) != 1:
        yield f"{where}: it is {kinds or 'nothing'}, not one of {KINDS}"
    if item.get("item") not in ITEMS or item.get("follows", "iommu") not in ITEMS:
        yield f"{where}: no such item"
    if item.get("cpu") not in CPUS:
        yield f"{where}: no such cpu"
    if ("name" in item) != ("set" in item):
        yield f"{where}: name and what to set it to belong together"
    if "general" in platform:
        if "say" not in item or "source" in item:
            yield f"{where}: general words name no item of a setup"
    elif "source" not in item:
        yield f"{where}: no source"
    for source in item.get("source", []):
        if source not in sources:
            yield f"{where}: no source is called {source}"


def matches(patterns, text):
    return patterns is None or any(re.fullmatch(fnmatch.translate(pattern), text, re.I)
                                   for pattern in patterns)


def found(table, vendor, product, cpu, name):
    """As checks/facts/platform.c finds it: the first that fits."""
    for platform in table["platforms"]:
        if matches(platform["vendors"], vendor) and matches(platform.get("products"), product):
            for item in platform["items"]:
                if item["item"] == name and item.get("cpu", cpu) == cpu and \
                        matches(item.get("products"), product):
                    return item
    return None


def witness(pattern):
    """A text that the pattern fits."""
    return re.sub(r"\[(.)[^]]*\]", r"\1", pattern).replace("*", "")


def machines(platform, item):
    """Vendors and products that could be of this item."""
    names = [witness(p) for p in platform.get("products", [""])]
    own = [witness(p) for p in item.get("products", [""])]
    products = [f"{a} {b}".strip() for a, b in itertools.product(names, own)] + own + names
    cpus = [item["cpu"]] if "cpu" in item else CPUS
    return itertools.product([witness(p) for p in platform["vendors"]], products, cpus)


def reach_problems(table):
    for platform in table["platforms"]:
        for item in platform["items"]:
            if not any(found(table, *machine, item["item"]) is item
                       for machine in machines(platform, item)):
                yield f"{platform['vendor']}, {item['item']}: no machine gets it, what comes " \
                      "before fits all of its own"


def double_problems(table):
    seen = set()
    for platform in table["platforms"]:
        key = (*platform["vendors"], None, *platform.get("products", []))
        if key in seen:
            yield f"{platform['vendor']}: a platform of the same vendors and products is there"
        seen.add(key)
        items = [(i["item"], i.get("cpu"), *i.get("products", [])) for i in platform["items"]]
        for item in items:
            if items.count(item) > 1:
                yield f"{platform['vendor']}, {item[0]}: there twice"


def table_problems(table):
    if list(table) != TOP or table["schema"] != 1:
        raise Wrong(f"keys {list(table)}, expected {TOP} with schema 1")
    sources, problems = table["sources"], []
    for platform in table["platforms"]:
        problems += form_problems(platform, PLATFORM, platform.get("vendor"))
        for item in platform.get("items", []):
            where = f"{platform.get('vendor')}, {item.get('item')}"
            problems += item_problems(item, platform, sources, where)
    used = {s for p in table["platforms"] for i in p["items"] for s in i.get("source", [])}
    problems += [f"source {name}: nothing is from there" for name in sources if name not in used]
    yield from problems
    if not problems:
        yield from double_problems(table)
        yield from reach_problems(table)


def check_platforms(tree):
    for path in tree.files:
        name = tree.name(path)
        if not re.fullmatch(r"data/platforms.*\.json", name):
            continue
        try:
            yield from ((name, 1, what) for what in table_problems(parse(path.read_text())))
        except (Wrong, KeyError, TypeError) as error:
            yield name, 1, f"{error}"


VF_BARS = {"vfs": list, "bars": list, "source": str}


def vf_bars_problems(rows):
    seen = []
    for row in rows:
        where = f"vf_bars of {row.get('vfs')}"
        if list(row) != list(VF_BARS) or any(
                type(row[key]) is not kind or not row[key] for key, kind in VF_BARS.items()):
            yield f"{where}: keys {list(row)}, expected {list(VF_BARS)}, and none empty"
            continue
        bars = row["bars"]
        if not set(bars) <= set(range(6)) or bars != sorted(set(bars)):
            yield f"{where}: VF BARs {bars}, expected some of 0 to 5, in their order"
        for vf in row["vfs"]:
            if not re.fullmatch("[0-9a-f]{4}:[0-9a-f]{4}", vf):
                yield f"{where}: {vf!r} is no id"
            if vf in seen:
                yield f"{where}: {vf} is there twice"
            seen.append(vf)


def check_nics(tree):
    for path in tree.files:
        name = tree.name(path)
        if not re.fullmatch(r"data/nics.*\.json", name):
            continue
        try:
            yield from ((name, 1, what) for what in vf_bars_problems(
                parse(path.read_text())["vf_bars"]))
        except (Wrong, KeyError, TypeError) as error:
            yield name, 1, f"{error}"
