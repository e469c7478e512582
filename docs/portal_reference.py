"""The tables of docs/reference/portal-file.md: every property of a portal file, from the JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from webarticlecurator.config.structure import portal_schema

PAGE = Path(__file__).resolve().parent / "reference" / "portal-file.md"
BORDER = "<!-- From here on written by `make docs` from schemas/portal.schema.json. -->"


def portal_file_page() -> str:
    """docs/reference/portal-file.md: what people wrote down to the border, then the tables."""
    guide = PAGE.read_text(encoding="utf-8").partition(BORDER)[0]
    return "\n".join([f"{guide}{BORDER}\n", *_sections()])


def _sections() -> Iterator[str]:
    """A table for each mapping; one that stands in several places has one, named after the first; one with more keys says only these."""
    waiting: list[tuple[str, dict[str, Any]]] = [("", dict(portal_schema()))]
    done: dict[str, dict[str, Any]] = {}
    while waiting:
        name, mapping = waiting.pop(0)
        if mapping["properties"] in done.values():
            continue
        like = next((other for other, known in done.items() if 4 * _differing(known, mapping["properties"]) <= len(known)), None)
        without = [key for key in done.get(like or "", {}) if key not in mapping["properties"]]
        done[name] = mapping["properties"]
        yield f"## {f'`{name}`' if name else 'The whole file'}\n"
        if like is not None:
            yield f"As `{like}`{''.join(f', without `{key}`' for key in without)}, and besides:\n"
        yield "| key | what it says | default | example |\n|---|---|---|---|"
        for key, described in mapping["properties"].items():
            if like is not None and done[like].get(key) == described:
                continue
            yield f"| `{key}` | {_cell(described['description'])} | {_value(described['default'])} | {_value(described['examples'][0])} |"
            waiting += [(f"{name}.{key}{below}".lstrip("."), inner) for below, inner in _mappings(described)]
        yield ""


def _differing(known: dict[str, Any], keys: dict[str, Any]) -> int:
    return sum(keys.get(key) != described for key, described in known.items())


def _mappings(described: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The mappings with named keys that a value may be, or hold as a list (`[]`) or under names of one's own (`.NAME`)."""
    waiting, seen = [("", described)], set()
    while waiting:
        below, unresolved = waiting.pop(0)
        schema = _resolved(unresolved)
        if id(schema) in seen:
            continue
        seen.add(id(schema))
        if "properties" in schema:
            yield below, schema
        waiting += [(below, part) for part in schema.get("allOf", [])]
        for key, step in (("items", "[]"), ("additionalProperties", ".NAME")):
            if isinstance(schema.get(key), dict):
                waiting.append((below + step, schema[key]))


def _resolved(schema: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in schema:
        return schema
    found: Any = portal_schema()
    for step in schema["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    return found


def _value(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)
    return f"`{_cell(text)}`"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(portal_file_page(), encoding="utf-8")
