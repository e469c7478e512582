"""What the JSON Schema refuses, told in plain English."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from jsonschema import ValidationError

from webarticlecurator.config.fields import USUAL_NAMES
from webarticlecurator.config.node_compiler import mapping, text
from webarticlecurator.config.scalars import SECRET_PREFIX
from webarticlecurator.config.yaml_hints import quoted, shortened, truncated
from webarticlecurator.config.yaml_nodes import ListNode, MapNode, ScalarNode, YamlNode, is_null, plain

Path = tuple[str | int, ...]
Schema = Mapping[str, Any]

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


def sentence(error: ValidationError, node: YamlNode) -> str:
    """What is told of a refusal: the schema's `title` says what was expected, its `description` what no keyword can."""
    value: Any = error.validator_value
    schema: Any = error.schema
    tell = _SENTENCES.get(str(error.validator))
    return tell(value, schema, node) if tell else str(schema["description"])


def _wrong_type(value: Any, schema: Schema, node: YamlNode) -> str:
    wanted = [value] if isinstance(value, str) else value
    expected = _expected(schema, " or ".join(_TYPES[name] for name in wanted if name != "null"))
    if wanted == ["object"] and isinstance(node, ScalarNode) and (key := _key_for(node, schema)):
        return f"expected {expected}, found only a value; write `{{{key}: {node.text}}}`"
    if not isinstance(node, ScalarNode):
        return f"expected {expected}, found {'a list' if isinstance(node, ListNode) else 'a mapping'}"
    if node.swallowed is not None:
        return truncated(node.text, node.swallowed)
    if node.value is None:
        return f"expected {expected}, found nothing"
    found = "true or false" if isinstance(node.value, bool) else "text" if isinstance(node.value, str) else "a number"
    could_be_text = "string" in wanted and re.search(schema.get("pattern", ""), node.text)
    quotes = f"; if it is meant as text, put it in quotes: {quoted(node.text)}" if could_be_text else ""
    return f"expected {expected}, found {found} ({shortened(node.text)}){quotes}"


def _key_for(node: ScalarNode, schema: Mapping[str, Any]) -> str | None:
    """The key of a mapping that a lone number was probably meant for."""
    if not isinstance(node.value, int) or isinstance(node.value, bool):
        return None
    return next((key for key, inner in schema.get("properties", {}).items() if inner.get("type") == "integer"), None)


def _wrong_choice(value: Any, _: Schema, node: YamlNode) -> str:
    written, choices = text(node) or "", [choice for choice in value if choice is not None]
    close = _closest(written, tuple(choices))
    listed = f"there are: {', '.join(choices)}"
    meant = listed if not close else f"did you mean `{close}`?" + (f" ({listed})" if len(choices) <= _FEW else "")
    return f"{quoted(written)} is unknown; {meant}"


def _wrong_form(value: Any, schema: Schema, node: YamlNode) -> str:
    written = text(node) or ""
    meant = SECRET_PREFIX + re.sub(r"\W", "_", written.removeprefix(SECRET_PREFIX)).upper()
    hint = f"; did you mean {meant}?" if re.search(value, meant) else ""
    return f"{quoted(written)} is not {_expected(schema, 'what was expected')}{hint}"


def _missing(value: Any, _: Schema, node: YamlNode) -> str:
    missing = [f"`{key}`" for key in value if key not in mapping(node).entries]
    return f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"


def _expected(schema: Schema, otherwise: str) -> str:
    return str(schema.get("title", otherwise))


_SENTENCES: Mapping[str, Callable[[Any, Schema, YamlNode], str]] = {
    "type": _wrong_type,
    "enum": _wrong_choice,
    "required": _missing,
    "pattern": _wrong_form,
    "minLength": lambda _, schema, __: f"an empty text; expected {_expected(schema, 'something in it')}",
    "maxLength": lambda value, *_: f"longer than {value} characters",
    "minItems": lambda value, schema, _: f"expected {_expected(schema, 'a list')} with at least {value} in it",
    "maxItems": lambda value, schema, _: f"expected {_expected(schema, 'a list')} with at most {value} in it",
    "minProperties": lambda _, schema, __: f"an empty mapping; expected {_expected(schema, 'something in it')}",
    "maxProperties": lambda value, schema, _: str(schema.get("description", f"expected at most {value} keys")),
    "minimum": lambda value, _, node: f"{plain(node)} is too small; the least is {value}",
    "maximum": lambda value, _, node: f"{plain(node)} is too large; the most is {value}",
}
"""Keyword -> sentence; what no keyword can name (`not`) has its sentence in the schema."""
