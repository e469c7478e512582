"""The table of metadata fields is the only one: the schema knows the same names."""

from __future__ import annotations

from webarticlecurator.config.fields import FIELDS
from webarticlecurator.config.structure import portal_schema
from webarticlecurator.config.tag_dictionary import OPERATIONS


def test_the_schema_knows_exactly_these_fields() -> None:
    assert list(portal_schema()["definitions"]["metadata"]["properties"]) == list(FIELDS)


def test_lists_are_those_of_which_an_article_may_have_several() -> None:
    assert {name for name in ("author", "keywords", "headline", "datePublished", "articleSection") if FIELDS[name].many} == {
        "author",
        "keywords",
    }


def test_the_schema_knows_exactly_these_operations() -> None:
    assert list(portal_schema()["definitions"]["tags"]["properties"]) == list(OPERATIONS)
