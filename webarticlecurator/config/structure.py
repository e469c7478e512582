"""The shape of one file, checked with its JSON Schema; every mistake gets its place."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

from jsonschema import Draft7Validator, ValidationError, validators

from webarticlecurator import resources
from webarticlecurator.config.sentences import Path, name_of, sentence, unknown_key
from webarticlecurator.config.yaml_hints import attribute_selector, quoted, truncated
from webarticlecurator.config.yaml_nodes import FilePlace, ListNode, MapNode, ScalarNode, YamlNode, is_null, plain
from webarticlecurator.errors import Mistake

_SELECTOR_KEYS = frozenset(
    {"css", "item", "link", "next", "when", "unless", "within", "without", "current", "root", "last", "wait", "click", "button"}
)
_SELECTOR_PARENTS = frozenset({"scroll", "fields", "metadata", "tags", "liveblog", "forum", "comments", "blog"})
"""What stands under these takes a selector, whatever its key."""


@cache
def portal_schema() -> Mapping[str, Any]:
    schema: Mapping[str, Any] = json.loads(resources.schema("portal.schema.json").read_bytes())
    return schema


@cache
def _validator(whole: bool) -> Draft7Validator:
    schema = dict(portal_schema())
    if not whole:
        # what a portal extends has no name and no home of its own
        del schema["required"]
    return _PortalValidator(schema)


def _items(validator: Any, items: Any, instance: Any, _: Any) -> Iterator[ValidationError]:
    """`items`, but a text that can only be too short or too long is measured, not validated: tag rules come by tens of thousands."""
    if isinstance(instance, list):
        fitting = _fitting_lengths(items)
        for index, item in enumerate(instance):
            if not (isinstance(item, str) and len(item) in fitting):
                yield from validator.descend(item, items, path=index)


def _fitting_lengths(schema: Mapping[str, Any]) -> range:
    """Of texts, where nothing but their length can be wrong."""
    if "$ref" in schema:
        schema = portal_schema()["definitions"][schema["$ref"].rpartition("/")[2]]
    if "string" not in schema.get("type", ()) or not schema.keys() <= _SAYS_OF_TEXTS_ONLY_THEIR_LENGTH:
        return range(0)
    return range(schema.get("minLength", 0), schema.get("maxLength", sys.maxsize) + 1)


_SAYS_OF_TEXTS_ONLY_THEIR_LENGTH = {"title", "type", "minLength", "maxLength", "properties", "additionalProperties", "required"}
_PortalValidator: type[Draft7Validator] = validators.extend(Draft7Validator, {"items": _items})  # type: ignore[no-untyped-call]

Root = TypeVar("Root", bound=MapNode | ListNode)


@dataclass(frozen=True, slots=True)
class Checked(Generic[Root]):
    """One file after its shape was checked."""

    root: Root
    """Without what is wrong, so that whoever reads on can trust the shape."""
    mistakes: tuple[Mistake, ...]
    lost: frozenset[Path]
    """Where values were taken out, and unknown keys."""


def check_structure(root: MapNode, *, whole: bool) -> Checked[MapNode]:
    """Check one file; `whole`: a portal file, not one that is extended."""
    return check_shape(root, _validator(whole), dict(_swallowed(root)))


def check_shape(root: Root, validator: Draft7Validator, swallowed: Mapping[Path, Mistake]) -> Checked[Root]:
    """Check a file against a schema; of what YAML swallowed nothing more is said than that."""
    mistakes = {
        (mistake.line, mistake.column, mistake.message): mistake for mistake in swallowed.values()
    }  # an alias stands in several places
    lost = set(swallowed)
    for error in sorted(validator.iter_errors(plain(root)), key=lambda error: [str(part) for part in error.absolute_path]):
        path, node = tuple(error.absolute_path), _at(root, error.absolute_path)
        if any(path[: len(inner)] == inner for inner in swallowed):
            continue
        if error.validator == "additionalProperties" or "propertyNames" in error.absolute_schema_path:
            assert isinstance(node, MapNode)
            for key, message in _refused_keys(error, node):
                lost.add((*path, key))
                mistakes.setdefault((node.keys[key].line, node.keys[key].column, ""), node.keys[key].mistake(message))
            continue
        if path:
            lost.add(path)
        if not (isinstance(node, ScalarNode) and node.faulty):
            message = sentence(error, node)
            place = _place(root, path, node)
            mistakes.setdefault((place.line, place.column, message), place.mistake(f"{name_of(path)}: {message}" if path else message))
    return Checked(_without(root, lost), tuple(mistakes.values()), frozenset(lost))


def _refused_keys(error: ValidationError, mapping: MapNode) -> Iterator[tuple[str, str]]:
    """Key and sentence."""
    schema: Any = error.schema
    if "propertyNames" in error.absolute_schema_path:
        yield str(error.instance), f"{quoted(str(error.instance))} is not {schema['title']}"
        return
    known, patterns = list(schema["properties"]), list(schema.get("patternProperties", {}))
    for key in mapping.entries:
        if key not in known and not any(re.search(pattern, key) for pattern in patterns):
            yield key, unknown_key(key, mapping, known, tuple(error.absolute_path))


def _place(root: YamlNode, path: Path, node: YamlNode) -> FilePlace:
    """Where to point: at the key where the value is missing, else at the value."""
    if path and isinstance(node, ScalarNode) and is_null(node) and not node.text:
        parent = _at(root, path[:-1])
        if isinstance(parent, MapNode):
            return parent.keys[str(path[-1])]
    return node.place


def _at(root: YamlNode, path: Iterable[str | int]) -> YamlNode:
    node = root
    for part in path:
        if isinstance(node, ListNode) and isinstance(part, int):
            node = node.items[part]
        elif isinstance(node, MapNode):
            node = node.entries[str(part)]
    return node


def _without(node: YamlNode, wrong: set[Path], path: Path = ()) -> Any:
    """The tree without the nodes at these paths."""
    if isinstance(node, MapNode):
        kept = {key: _without(value, wrong, (*path, key)) for key, value in node.entries.items() if (*path, key) not in wrong}
        return MapNode(node.place, kept, node.keys, node.flow)
    if isinstance(node, ListNode):
        items = (_without(item, wrong, (*path, index)) for index, item in enumerate(node.items) if (*path, index) not in wrong)
        return ListNode(node.place, tuple(items), node.flow)
    return node


def _swallowed(node: YamlNode, path: Path = ()) -> Iterator[tuple[Path, Mistake]]:
    """Every place where a selector should stand and YAML made something else of it."""
    selector = _takes_selector(path)
    if isinstance(node, MapNode):
        for key, value in node.entries.items():
            yield from _swallowed(value, (*path, key))
    elif isinstance(node, ListNode):
        texts = tuple(item.text for item in node.items if isinstance(item, ScalarNode) and item.plain)
        if selector and node.flow and len(texts) == len(node.items) and (message := attribute_selector(texts)):
            yield path, node.place.mistake(message)
            return
        for index, item in enumerate(node.items):
            yield from _swallowed(item, (*path, index))
    elif selector and node.swallowed is not None:
        yield path, node.place.mistake(truncated(node.text, node.swallowed))


def _takes_selector(path: Path) -> bool:
    names = [part.removesuffix("+") for part in path if isinstance(part, str)]
    if not names:
        return False
    return names[-1] in _SELECTOR_KEYS or (len(names) > 1 and names[-2] in _SELECTOR_PARENTS)
