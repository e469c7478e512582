"""The schema and the classes know the same keys, with the same defaults."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from typing import Any

import pytest

from webarticlecurator.config.article_rules import ArticleRules, BodyRules
from webarticlecurator.config.fetch_rules import FetchRules
from webarticlecurator.config.page_rendering import KEYS
from webarticlecurator.config.portal import Column, Dates, Paging, Portal, StopRules
from webarticlecurator.config.request_rules import UrlRules
from webarticlecurator.config.structure import portal_schema


def _described(name: str) -> dict[str, Any]:
    schema = portal_schema()
    described: dict[str, Any] = (schema["definitions"].get(name) or schema["properties"].get(name) or schema)["properties"]
    return described


def _keys(kind: type) -> dict[str, Field[Any]]:
    return {one.metadata["written"] or one.name: one for one in fields(kind) if "read" in one.metadata}


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (FetchRules, "fetch"),
        (UrlRules, "urls"),
        (Column, "archive"),
        (Paging, "pages"),
        (Dates, "dates"),
        (StopRules, "stop"),
        (ArticleRules, "articles"),
        (BodyRules, "body"),
        (Portal, ""),
    ],
)
def test_every_key_of_a_class_is_described_in_the_schema(kind: type, name: str) -> None:
    assert _keys(kind).keys() <= _described(name).keys()


@pytest.mark.parametrize(("kind", "name"), [(FetchRules, "fetch"), (UrlRules, "urls"), (BodyRules, "body")])
def test_these_classes_have_no_other_rules_than_keys(kind: type, name: str) -> None:
    of_browser = {key for key in KEYS if kind is FetchRules}
    """Which columns and articles may give themselves: what comes of them is theirs."""
    assert _keys(kind).keys() | of_browser == _described(name).keys()


@pytest.mark.parametrize(("kind", "name"), [(FetchRules, "fetch"), (UrlRules, "urls"), (Dates, "dates"), (ArticleRules, "articles")])
def test_plain_defaults_are_those_that_the_schema_tells(kind: type, name: str) -> None:
    told = {key: description.get("default") for key, description in _described(name).items()}
    ours = {key: one.default for key, one in _keys(kind).items() if one.default is not MISSING}
    plain = {key: default for key, default in ours.items() if isinstance(default, (bool, int, str))}
    assert plain
    assert {key: str(default) for key, default in plain.items()} == {key: str(told[key]) for key in plain}
