"""What the JSON Schema refuses the loader refuses, and the other way round: an editor never says other than `curator check`."""

from __future__ import annotations

import copy
import itertools
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.structure import portal_schema
from webarticlecurator.config.yaml_nodes import plain
from webarticlecurator.config.yaml_reading import read_yaml
from webarticlecurator.errors import PortalFileError

WHOLE: dict[str, Any] = {
    "portal": "pelda",
    "title": "Példa Hírek",
    "home": "https://pelda.example/",
    "language": "hu",
    "timezone": "Europe/Budapest",
    "kind": "news",
    "publisher": {"name": "Példa Kft.", "place": "Budapest", "rights": {"licence": "https://a.example/", "statement": "©"}},
    "fetch": {
        "delay": "1s",
        "concurrency": 1,
        "timeout": "30s",
        "retries": 4,
        "robots": "obey",
        "user_agent": "x/1",
        "headers": {"Cookie": {"env": "CURATOR_COOKIE"}, "Accept-Language": "hu"},
        "proxy": {"env": "CURATOR_PROXY"},
        "verify_tls": True,
        "encoding": "iso-8859-2",
        "private_hosts": ["intranet.example"],
        "via": "browser",
        "wait": "idle",
        "scroll": {"until": "end", "most": 200},
        "click": "button.ok",
        "block": ["image", "font"],
    },
    "archive": {
        "url": "https://pelda.example/{year}/{month}/{day}/?oldal={page}",
        "base": "https://pelda.example/",
        "dates": {"from": "1999-06-30", "until": "yesterday", "step": "day", "order": "newest-first"},
        "pages": {"mode": "infinite", "first": "", "start": 2, "empty_pages": 1, "order": "oldest-first"},
        "item": [{"css": "article.teaser", "within": {"css": "main", "take": "last"}}, "div"],
        "link": {"css": "a", "having": {"href": "/cikk/"}, "attr": "href", "take": 0},
        "fields": {"datePublished": {"css": "time", "attr": "datetime", "date": ["iso"]}, "rovat": ".rovat"},
        "urls": {
            "replace": [["^http:", "https:"]],
            "drop_fragment": True,
            "drop_params": ["utm_*"],
            "exclude": ["/pr/"],
            "hosts": "*.a.example",
        },
        "stop": {"known_pages": 3, "at_url": "https://pelda.example/9", "when": "div.vege", "after": "2001-01-01"},
        "request": {"method": "POST", "form": {"a": "{page}"}, "headers": {"X-A": "b"}},
        "settle": "3d",
        "drift_after": 3,
    },
    "columns": {
        "belfold": "https://pelda.example/belfold/{date}/{page}",
        "sport": {"url": "https://pelda.example/{kat}/{date}/{page}", "vars": {"kat": 443}},
        "kulfold": {
            "url": "https://pelda.example/kulfold",
            "dates": None,
            "request": None,
            "pages": "next-link",
            "next": {"head_link": "next"},
        },
        "gorgo": {
            "url": "https://pelda.example/gorgo",
            "dates": None,
            "request": None,
            "pages": {"mode": "load-more", "button": "button.tovabb"},
            "fetch": {"via": "browser", "wait": "article", "scroll": {"until": "div.vege", "most": 5}},
        },
    },
    "articles": {
        "next": "a.next",
        "skip": {"when": ["body.hiba"], "url": ["/galeria/"]},
        "identity": "/cikk/([0-9]+)/",
        "format": "html",
        "fetch": {"which": "all", "via": "http"},
    },
    "metadata": {
        "author": ["a.szerzo", {"css": ".byline", "replace": [["^Írta: ", ""]], "split": ", ", "drop": ["x"], "map": {"a": "b"}}],
        "articleSection": {"page_url": "^https://[^/]+/([^/]+)/", "route": {"keywords": ["x"]}},
        "keywords": {"all_of": [".cimke", {"meta": "keywords"}]},
        "headline": {"css": "a", "page_number": {"step": 1, "current": "b"}, "unless": "i", "without": ["s"], "own_text": True},
    },
    "body": {
        "root": ["div.cikk", "main"],
        "tags": {"decompose": ["aside"], "figure": ["img", {"css": "div.kep", "url": "data-src"}], "split": {"b": ["paragraph", "bold"]}},
    },
    "posts": {"comments": {"item": "li", "id": {"attr": "data-id"}, "time": "time"}},
    "layouts": [{"name": "old", "from": "1999-01-01", "until": "2011-03-31", "when": "td", "url": "/regi/", "body": {"root": "td"}}],
}
WRONG: tuple[Any, ...] = (5, -1, 1.5, True, "", "x y", [], [[]], [5], [None], {}, {"x": 1}, None, "https://a.example/{page", "1s", "iso")


def schema_refuses(data: Any) -> bool:
    return not Draft7Validator(portal_schema()).is_valid(data)


def paths(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in the tree but its root."""
    steps = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in steps:
        yield (*path, key)
        yield from paths(value, (*path, key))


PATHS = tuple(paths(WHOLE))


def changed(path: tuple[Any, ...], change: Any) -> Any:
    """The whole portal with `change(container, key)` done at one place."""
    data = copy.deepcopy(WHOLE)
    container = data
    for step in path[:-1]:
        container = container[step]
    change(container, path[-1])
    return data


def write(folder: Path, data: Any) -> Path:
    file = folder / "portal.yaml"
    file.write_text(yaml.safe_dump(data, allow_unicode=True, sort_keys=False), encoding="utf-8")
    read, mistakes = read_yaml(file.read_bytes(), file)
    assert read is not None
    assert (plain(read), mistakes) == (data, []), "the file must say what the schema is asked about"
    return file


def loader_refuses(file: Path) -> bool:
    try:
        load_portal(file)
    except PortalFileError as error:
        assert error.mistakes
        assert all(mistake.file == file and mistake.line > 0 and mistake.column > 0 for mistake in error.mistakes)
        return True
    return False


def test_the_whole_portal_is_right_for_both(tmp_path: Path) -> None:
    assert not schema_refuses(WHOLE)
    assert not loader_refuses(write(tmp_path, WHOLE))


def put(value: Any) -> Callable[[Any, Any], None]:
    def change(container: Any, key: Any) -> None:
        container[key] = copy.deepcopy(value)

    return change


def rename(container: Any, key: Any) -> None:
    container[f"{key}-x"] = container.pop(key)


def remove(container: Any, key: Any) -> None:
    del container[key]


@pytest.mark.parametrize("path", [path for path in PATHS if isinstance(path[-1], str)], ids=lambda path: ".".join(map(str, path)))
def test_they_agree_on_a_key_that_is_renamed_or_gone(tmp_path: Path, path: tuple[Any, ...]) -> None:
    for change in (rename, remove):
        data = changed(path, change)
        if schema_refuses(data):
            assert loader_refuses(write(tmp_path, data)), change.__name__


# The loader knows more than a schema can say (selectors, contradictions); so in this direction only what is plainly
# of the wrong type is asked: the schema must refuse it as well.
PLAINLY_WRONG: tuple[Any, ...] = ([[[5]]], {"no such key": [[5]]}, 1.5)


def test_they_agree_on_values_of_a_wrong_type(tmp_path: Path) -> None:
    for path, value in zip(PATHS, itertools.cycle(PLAINLY_WRONG), strict=False):
        data = changed(path, put(value))
        assert schema_refuses(data) == loader_refuses(write(tmp_path, data)), path


@settings(max_examples=40)
@given(st.randoms(use_true_random=False))
def test_what_the_schema_refuses_the_loader_refuses(tmp_path_factory: pytest.TempPathFactory, rng: random.Random) -> None:
    data = changed(rng.choice(PATHS), put(rng.choice(WRONG)))
    refused = loader_refuses(write(tmp_path_factory.getbasetemp(), data))
    if schema_refuses(data):
        assert refused


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


def test_the_schema_is_draft_07() -> None:
    assert portal_schema()["$schema"] == "http://json-schema.org/draft-07/schema#"
    Draft7Validator.check_schema(dict(portal_schema()))


def test_every_property_has_a_description_a_default_and_an_example() -> None:
    lacking = [path for path, described in properties(portal_schema()) if not {"description", "default", "examples"} <= set(described)]
    assert lacking == []


def test_every_example_is_right() -> None:
    for path, described in properties(portal_schema()):
        validator = Draft7Validator({**described, "definitions": portal_schema()["definitions"]})
        wrong = [example for example in described["examples"] if not validator.is_valid(example)]
        assert wrong == [], path


def test_every_mapping_refuses_unknown_keys() -> None:
    def mappings(schema: Any) -> Iterator[Any]:
        if isinstance(schema, dict):
            if isinstance(schema.get("properties"), dict):
                yield schema
            for below in schema.values():
                yield from mappings(below)
        elif isinstance(schema, list):
            for below in schema:
                yield from mappings(below)

    assert all("additionalProperties" in schema for schema in mappings({**portal_schema()}))
