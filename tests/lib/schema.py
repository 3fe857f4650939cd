# SPDX-License-Identifier: GPL-2.0-or-later
"""As much of JSON Schema as the schemas of tests/contract use; a word it does not know is an error,
so that no rule is passed over. Besides, keys must stand in the schema's order."""

import re

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool,
         "null": type(None)}


def problems(value, schema, top=None, where="$"):
    top = top or schema
    for word, rule in schema.items():
        if word == "$ref":
            target = top
            for step in rule.removeprefix("#/").split("/"):
                target = target[step]
            yield from problems(value, target, top, where)
        elif word == "properties" and isinstance(value, dict):
            yield from _members(value, schema, top, where)
        elif word == "items" and isinstance(value, list):
            for index, item in enumerate(value):
                yield from problems(item, rule, top, f"{where}[{index}]")
        elif not _holds(word, rule, value):
            yield f"{where}: {value!r}, but {word} is {rule!r}"


def _members(value, schema, top, where):
    rules = schema["properties"]
    if list(value) != [key for key in rules if key in value]:
        yield f"{where}: keys {list(value)}, expected {list(rules)}"
    for key, rule in rules.items():
        if key in value:
            yield from problems(value[key], rule, top, f"{where}.{key}")
        elif key in schema["required"]:
            yield f"{where}: no {key}"


def _holds(word, rule, value):
    if word == "type":
        kinds = [rule] if isinstance(rule, str) else rule
        return any(type(value) is TYPES[kind] for kind in kinds)
    if word == "const":
        return type(value) is type(rule) and value == rule
    if word == "enum":
        return value in rule
    if word == "minLength":
        return not isinstance(value, str) or len(value) >= rule
    if word == "minimum":
        return value >= rule
    if word == "maximum":
        return value <= rule
    if word == "pattern":
        return not isinstance(value, str) or bool(re.search(rule, value))
    if word in ("$schema", "$defs", "title", "required", "properties", "items"):
        return True
    if word == "additionalProperties":
        return rule is False  # _members sees to it
    raise ValueError(f"schema word not known: {word}")
