"""The JSON schema is made of the declarations that the loader reads by: an editor says nothing else than `curator check`."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from case_files import read_yaml
from jsonschema import Draft7Validator

from webarticlecurator import PortalFileError, load_portal

WHOLE: dict[str, Any] = read_yaml(Path(__file__).parent / "whole.yaml")
WRONG: tuple[Any, ...] = (5, -1, 1.5, True, "", "x y", [], [[]], [5], [None], {}, {"x": 1}, None, "https://a.example/{page", "1s", "iso")
# The loader knows more than a schema can say (selectors, contradictions); only of what is plainly of the wrong type both say the same.
PLAINLY_WRONG: tuple[Any, ...] = ([[[5]]], {"no such key": [[5]]}, 1.5)


def paths(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in the tree but its root."""
    steps = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in steps:
        yield (*path, key)
        yield from paths(value, (*path, key))


PATHS = tuple(paths(WHOLE))
BY_DAY = PATHS[::12]
DAY_AND_NIGHT = pytest.mark.parametrize("places", [BY_DAY, pytest.param(PATHS, marks=pytest.mark.nightly)], ids=["day", "night"])


def changed(path: tuple[Any, ...], value: Any) -> Any:
    """The whole portal with another value at one place."""
    data = copy.deepcopy(WHOLE)
    container = data
    for step in path[:-1]:
        container = container[step]
    container[path[-1]] = copy.deepcopy(value)
    return data


def loader_refuses(data: Any) -> bool:
    try:
        load_portal("portal.yaml", content=yaml.safe_dump(data, allow_unicode=True, sort_keys=False).encode())
    except PortalFileError as error:
        assert error.mistakes
        assert all(mistake.line > 0 and mistake.column > 0 for mistake in error.mistakes)
        return True
    return False


@pytest.fixture(scope="session")
def schema_refuses(schema: dict[str, Any]) -> Callable[[Any], bool]:
    validator = Draft7Validator(schema)
    return lambda data: not validator.is_valid(data)


def test_the_whole_portal_is_right_for_both(schema_refuses: Callable[[Any], bool]) -> None:
    assert not schema_refuses(WHOLE)
    assert not loader_refuses(WHOLE)


@DAY_AND_NIGHT
def test_they_agree_on_values_of_a_wrong_type(schema_refuses: Callable[[Any], bool], places: tuple[tuple[Any, ...], ...]) -> None:
    for path, value in zip(places, itertools.cycle(PLAINLY_WRONG), strict=False):
        data = changed(path, value)
        assert schema_refuses(data) == loader_refuses(data), path
    choice = Random(len(places))
    for path in places:
        data = changed(path, choice.choice(WRONG))
        if schema_refuses(data):
            assert loader_refuses(data), path


def properties(schema: Any, path: str = "#") -> Iterator[tuple[str, Any]]:
    """Every property that the schema describes, with its path."""
    if isinstance(schema, dict):
        for name, described in schema.get("properties", {}).items() if isinstance(schema.get("properties"), dict) else ():
            yield f"{path}/{name}", described
        for key, below in schema.items():
            if key not in ("default", "examples", "enum", "required"):
                yield from properties(below, f"{path}/{key}")
    elif isinstance(schema, list):
        for index, below in enumerate(schema):
            yield from properties(below, f"{path}/{index}")


def test_the_schema_is_draft_07(schema: dict[str, Any]) -> None:
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
    Draft7Validator.check_schema(schema)


def test_every_example_is_right(schema: dict[str, Any]) -> None:
    for path, described in properties(schema):
        validator = Draft7Validator({**described, "definitions": schema["definitions"]})
        assert described["description"] and described["examples"], path
        assert [example for example in described["examples"] if not validator.is_valid(example)] == [], path
