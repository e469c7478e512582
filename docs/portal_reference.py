"""The tables of docs/reference/portal-file.md: every key of a portal file, as it is declared."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from portal_schemas import said_of

from webarticlecurator.config.keys import Key, Shape
from webarticlecurator.config.portal import PORTAL

PAGE = Path(__file__).resolve().parent / "reference" / "portal-file.md"
BORDER = "<!-- From here on written by `make docs` from the keys that the classes of webarticlecurator/config/ declare. -->"


def portal_file_page() -> str:
    """docs/reference/portal-file.md: what people wrote down to the border, then the tables."""
    guide = PAGE.read_text(encoding="utf-8").partition(BORDER)[0]
    return "\n".join([f"{guide}{BORDER}\n", *_sections()])


def _sections() -> Iterator[str]:
    """A table for each mapping; one that stands in several places has one, named after the first; one with more keys says only these."""
    waiting: list[tuple[str, Shape]] = [("", PORTAL)]
    done: dict[str, Mapping[str, Key]] = {}
    while waiting:
        name, shape = waiting.pop(0)
        known = shape.known
        if known in done.values():
            continue
        like = next((other for other, keys in done.items() if 4 * _differing(keys, known) <= len(keys)), None)
        without = [key for key in done.get(like or "", {}) if key not in known]
        done[name] = known
        yield f"## {f'`{name}`' if name else 'The whole file'}\n"
        if like is not None:
            yield f"As `{like}`{''.join(f', without `{key}`' for key in without)}, and besides:\n"
        yield "| key | what it says | default | example |\n|---|---|---|---|"
        for key, declared in known.items():
            if like is not None and done[like].get(key) == declared:
                continue
            yield f"| `{key}` | {_cell(said_of(declared))} | {_value(declared.default)} | {_value(declared.examples[0])} |"
            waiting += [(f"{name}.{key}{below}".lstrip("."), inner) for below, inner in _mappings(declared.shape)]
        yield ""


def _differing(known: Mapping[str, Key], keys: Mapping[str, Key]) -> int:
    return sum(keys.get(key) != declared for key, declared in known.items())


def _mappings(shape: Shape, below: str = "") -> Iterator[tuple[str, Shape]]:
    """The mappings with known keys that a value may be, or hold as a list (`[]`) or under names of one's own (`.NAME`)."""
    if shape.known:
        yield below, shape
    for inside, step in ((shape.items, "[]"), (shape.others, ".NAME")):
        if inside is not None:
            yield from _mappings(inside, below + step)


def _value(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)
    return f"`{_cell(text)}`"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
