"""What the JSON Schema refuses, told in plain English."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from webarticlecurator.config.fields import USUAL_NAMES
from webarticlecurator.config.scalars import SECRET_PREFIX
from webarticlecurator.config.yaml_hints import quoted, shown, truncated
from webarticlecurator.config.yaml_nodes import ListNode, MapNode, Node, ScalarNode, is_null

Path = tuple[str | int, ...]

_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping (`key: value`)",
}
_HOMES = {
    "item": "to `archive` or a column",
    "link": "to `archive` or a column",
    "url": "to `archive` or a column",
    "next": "to `archive`, a column or `articles`",
    "from": "into `dates`",
    "until": "into `dates`",
    "step": "into `dates`",
    "mode": "into `pages`",
    "root": "into `body`",
    "tags": "into `body`",
    "identity": "into `articles`",
    "skip": "into `articles`",
    "vars": "to a column",
    "remove": "into `body.tags`, where it is called `decompose`",
    "contact": "to the person who crawls, not to the portal: use --contact or CURATOR_CONTACT",
}
"""Where a known key belongs that stands in a wrong place."""
_USUAL = {
    **{usual: name for name, others in USUAL_NAMES.items() for usual in others},
    "link": "head_link",
    "remove": "decompose",
    "delete": "decompose",
    "selector": "css",
    "xpath": "css",
    "jsonpath": "json",
    "attribute": "attr",
    "regex": "match",
    "pattern": "match",
}
"""What other programs call a key of ours; it counts where that key is known."""
_MOST_LISTED = 24
_FEW = 8


@dataclass(frozen=True, slots=True)
class Refusal:
    """One thing that the schema refuses."""

    keyword: str
    value: Any
    """Of the keyword: which types, which choices."""
    schema: Mapping[str, Any]
    """The part that refuses; its `title` says what was expected, its `description` what no keyword can."""
    instance: Any
    path: Path


def name_of(path: Path) -> str:
    """`archive.fields.author[2]`, counted from 1 as people do."""
    steps = "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in path)
    return f"`{steps.removeprefix('.')}`"


def unknown_key(key: str, mapping: MapNode, known: list[str], path: Path) -> str:
    value = mapping.entries[key]
    if mapping.flow and isinstance(value, ScalarNode) and is_null(value) and not value.text:
        return f"`{key}` stands alone after a comma, which ends a value inside {{...}}; put a selector that holds a comma in quotes"
    if key.removesuffix("+") in known:
        return f"`{key}` adds to a list, and `{key[:-1]}` is none"
    where = f"in {name_of(path)}" if path else "here"
    if (usual := _USUAL.get(key.casefold())) in known:
        return f"unknown key `{key}` {where}; did you mean `{usual}`?"
    if key in _HOMES:
        return f"unknown key `{key}` {where}; it belongs {_HOMES[key]}"
    if close := _closest(key, tuple(known)):
        return f"unknown key `{key}` {where}; did you mean `{close}`?"
    return f"unknown key `{key}` {where}; there are: {', '.join(known[:_MOST_LISTED])}{', ...' if len(known) > _MOST_LISTED else ''}"


@lru_cache(maxsize=100)
def _closest(word: str, known: tuple[str, ...]) -> str | None:
    folded = {name.casefold(): name for name in known}
    close = get_close_matches(word.casefold(), folded, n=1)
    return folded[close[0]] if close else None


def sentence(refusal: Refusal, node: Node) -> str:
    tell = _SENTENCES.get(refusal.keyword)
    return tell(refusal, node) if tell else str(refusal.schema["description"])


def _wrong_type(refusal: Refusal, node: Node) -> str:
    wanted = [refusal.value] if isinstance(refusal.value, str) else refusal.value
    expected = _expected(refusal, " or ".join(_TYPES[name] for name in wanted if name != "null"))
    if wanted == ["object"] and isinstance(node, ScalarNode) and (key := _key_for(node, refusal.schema)):
        return f"expected {expected}, found only a value; write `{{{key}: {node.text}}}`"
    if not isinstance(node, ScalarNode):
        return f"expected {expected}, found {'a list' if isinstance(node, ListNode) else 'a mapping'}"
    if node.swallowed is not None:
        return truncated(node.text, node.swallowed)
    if node.value is None:
        return f"expected {expected}, found nothing"
    found = "true or false" if isinstance(node.value, bool) else "text" if isinstance(node.value, str) else "a number"
    could_be_text = "string" in wanted and re.search(refusal.schema.get("pattern", ""), node.text)
    quotes = f"; if it is meant as text, put it in quotes: {quoted(node.text)}" if could_be_text else ""
    return f"expected {expected}, found {found} ({shown(node.text)}){quotes}"


def _key_for(node: ScalarNode, schema: Mapping[str, Any]) -> str | None:
    """The key of a mapping that a lone number was probably meant for."""
    if not isinstance(node.value, int) or isinstance(node.value, bool):
        return None
    return next((key for key, inner in schema.get("properties", {}).items() if inner.get("type") == "integer"), None)


def _wrong_choice(refusal: Refusal, node: Node) -> str:
    choices = [choice for choice in refusal.value if choice is not None]
    close = _closest(_text(node), tuple(choices))
    listed = f"there are: {', '.join(choices)}"
    meant = listed if not close else f"did you mean `{close}`?" + (f" ({listed})" if len(choices) <= _FEW else "")
    return f"{quoted(_text(node))} is unknown; {meant}"


def _wrong_form(refusal: Refusal, node: Node) -> str:
    meant = SECRET_PREFIX + re.sub(r"\W", "_", _text(node).removeprefix(SECRET_PREFIX)).upper()
    hint = f"; did you mean {meant}?" if re.search(refusal.value, meant) else ""
    return f"{quoted(_text(node))} is not {_expected(refusal, 'what was expected')}{hint}"


def _missing(refusal: Refusal, _: Node) -> str:
    missing = [f"`{key}`" for key in refusal.value if key not in refusal.instance]
    return f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"


def _expected(refusal: Refusal, otherwise: str) -> str:
    return str(refusal.schema.get("title", otherwise))


def _text(node: Node) -> str:
    return node.text if isinstance(node, ScalarNode) else ""


_SENTENCES: Mapping[str, Callable[[Refusal, Node], str]] = {
    "type": _wrong_type,
    "enum": _wrong_choice,
    "required": _missing,
    "pattern": _wrong_form,
    "minLength": lambda refusal, _: f"an empty text; expected {_expected(refusal, 'something in it')}",
    "maxLength": lambda refusal, _: f"longer than {refusal.value} characters",
    "minItems": lambda refusal, _: f"expected {_expected(refusal, 'a list')} with at least {refusal.value} in it",
    "maxItems": lambda refusal, _: f"expected {_expected(refusal, 'a list')} with at most {refusal.value} in it",
    "minProperties": lambda refusal, _: f"an empty mapping; expected {_expected(refusal, 'something in it')}",
    "maxProperties": lambda refusal, _: str(refusal.schema.get("description", f"expected at most {refusal.value} keys")),
    "minimum": lambda refusal, _: f"{refusal.instance} is too small; the least is {refusal.value}",
    "maximum": lambda refusal, _: f"{refusal.instance} is too large; the most is {refusal.value}",
}
"""Keyword -> sentence; what no keyword can name (`not`) has its sentence in the schema."""
