"""The JSON schemas of schemas/, from the declarations of the keys: editors complete and explain such files by them."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from webarticlecurator.config.corrections import CORRECTIONS
from webarticlecurator.config.expectations import PAGES
from webarticlecurator.config.keys import Key, Shape
from webarticlecurator.config.portal import PORTAL

BOUNDS = {
    "shortest": "minLength",
    "longest": "maxLength",
    "least": "minimum",
    "most": "maximum",
}
BOUNDS_OF = {
    "array": {"fewest": "minItems", "most_in_it": "maxItems"},
    "object": {"fewest": "minProperties", "most_in_it": "maxProperties"},
}


def said_of(key: Key) -> str:
    """What a key is for."""
    return key.says or _SENTENCES[key]


def _sentences() -> Iterator[tuple[Key, str]]:
    """Each key that is a field, with the sentence below it."""
    for module in [module for name, module in sys.modules.items() if name.startswith("webarticlecurator.config.")]:
        for node in ast.parse(inspect.getsource(module)).body:
            kind = getattr(module, node.name) if isinstance(node, ast.ClassDef) else None
            for one, below in pairwise(node.body if isinstance(node, ast.ClassDef) and dataclasses.is_dataclass(kind) else ()):
                if isinstance(one, ast.AnnAssign) and isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
                    key = kind.__dataclass_fields__[ast.unparse(one.target)].metadata.get("key")
                    if key is not None:
                        yield key, " ".join(str(below.value.value).split())


_SENTENCES = dict(_sentences())


@dataclass
class Schema:
    """One schema as it is made: what has a name stands once, under `definitions`."""

    definitions: dict[str, Any] = field(default_factory=dict)

    def whole(self, file: str, title: str, says: str, shape: Shape) -> dict[str, Any]:
        head = {"$schema": "http://json-schema.org/draft-07/schema#", "$id": f"urn:webarticlecurator:{file}", "title": title}
        described = self.of_shape(shape)
        return {**head, "description": says, **described, "definitions": dict(sorted(self.definitions.items()))}

    def reference(self, shape: Shape) -> dict[str, Any]:
        return self.named(shape.name, lambda: self.of_shape(shape)) if shape.name else self.of_shape(shape)

    def named(self, name: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        if name not in self.definitions:
            self.definitions[name] = None  # so that a shape may hold itself
            self.definitions[name] = make()
        return {"$ref": f"#/definitions/{name}"}

    def of_shape(self, shape: Shape) -> dict[str, Any]:
        kinds: list[str] = [*shape.kinds, *(["null"] if shape.null and shape.kinds else [])]
        schema: dict[str, Any] = {}
        if shape.title:
            schema["title"] = shape.title
        if kinds:
            schema["type"] = kinds[0] if len(kinds) == 1 else kinds
        if shape.choices:
            schema["enum"] = [*shape.choices, *([None] if shape.null else [])]
        if shape.pattern:
            schema["pattern"] = shape.pattern
        words = [*BOUNDS.items(), *(pair for kind in shape.kinds for pair in BOUNDS_OF.get(kind, {}).items())]
        bounds = ((name, word, getattr(shape, name)) for name, word in words)
        schema |= {word: bound for name, word, bound in bounds if bound or (name == "least" and bound is not None)}
        if shape.items is not None:
            schema["items"] = self.reference(shape.items)
        if shape.known:
            of_keys = {"allOf": [self.named(shape.keys_name, lambda: self.of_keys(shape))]} if shape.keys_name else self.of_keys(shape)
            schema |= of_keys
        if shape.names is not None:
            schema["propertyNames"] = self.of_shape(shape.names)
        if shape.others is not None:
            schema["additionalProperties"] = self.reference(shape.others)
        return schema

    def of_keys(self, shape: Shape) -> dict[str, Any]:
        schema: dict[str, Any] = {
            "properties": {name: self.of_key(key) for name, key in shape.known.items()},
            "additionalProperties": False,
        }
        added: dict[str, list[str]] = {}
        for name, key in shape.known.items():
            if key.adds is not None:
                added.setdefault(json.dumps(self.reference(key.adds), ensure_ascii=False), []).append(name)
        if added:
            schema["patternProperties"] = {rf"^({'|'.join(names)})\+$(?!\n)": json.loads(reference) for reference, names in added.items()}
        if shape.needed:
            schema["required"] = [name for name in shape.needed if name not in shape.brought]
        for name, by in shape.brought.items():
            schema["anyOf"] = [{"required": [name]}, {"required": [by]}]
        if shape.together:
            schema["dependencies"] = {
                one.key: {
                    "not": {"anyOf": [{"required": [other]} for other in one.without]},
                    "description": one.sentence,
                    **({"required": [one.needs]} if one.needs else {}),
                }
                for one in shape.together
            }
        return schema

    def of_key(self, key: Key) -> dict[str, Any]:
        schema = self.reference(key.shape)
        of_shape = {"allOf": [schema]} if "$ref" in schema else schema
        return {"description": said_of(key), **of_shape, "default": key.default, "examples": list(key.examples)}


def portal_schema() -> str:
    says = "One news portal, blog or forum: how its archive is walked, how its articles are read."
    return _text(Schema().whole("portal.schema.json", "Portal file of Web Article Curator", says, PORTAL))


def tests_schema() -> str:
    says = "The file tests.yaml beside a portal file: a list of pages, each with what the portal's rules must make of it."
    return _text(Schema().whole("site-tests.schema.json", "What must come out of named pages of a portal", says, PAGES))


def corrections_schema() -> str:
    says = "The file corrections.yaml beside a portal file: values of single articles, mended by hand, which every build applies."
    return _text(Schema().whole("corrections.schema.json", "Values of single articles, mended by hand", says, CORRECTIONS))


def _text(schema: dict[str, Any]) -> str:
    return json.dumps(schema, ensure_ascii=False, indent=1) + "\n"


SCHEMAS = {"portal.schema.json": portal_schema, "site-tests.schema.json": tests_schema, "corrections.schema.json": corrections_schema}
"""File of schemas/ -> what writes it."""
