"""The one table of flat columns."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from export_articles import CAPTURE, PORTAL, export_article, post

from webarticlecurator.config.fields import FIELDS
from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.options import Part
from webarticlecurator.exporting.table import COLUMNS, Holds, Table, as_text, columns_of
from webarticlecurator.model.analysis import Analysis

TYPES = {Holds.TEXT: str, Holds.TEXTS: tuple, Holds.INTEGER: int, Holds.NUMBER: float, Holds.YES_NO: bool, Holds.INSTANT: datetime}


def row(article: ExportArticle, *fields: str) -> dict[str, Any]:
    table = Table(columns_of(fields), [PORTAL])
    return dict(zip((one.name for one in table.columns), table.row(article), strict=True))


def test_the_columns_are_these_in_this_order() -> None:
    assert " ".join(COLUMNS) == (
        "id portal url canonical headline alternativeHeadline author datePublished date_utc year month day dateModified articleSection"
        " keywords description language language_identified language_certainty type outcome isAccessibleForFree source words characters"
        " posts comments layout column captured warc_file warc_offset warc_length warc_record_id versions text_changed gone"
        " duplicates near_duplicates rights text"
    )


def test_every_column_says_in_a_sentence_what_it_is() -> None:
    assert [one.name for one in COLUMNS.values() if not one.description.endswith(".")] == []


def test_an_article_is_a_row_of_typed_values() -> None:
    article = export_article(
        metadata={
            "author": ["Kiss Anna", "Nagy Béla"],
            "keywords": ["híd", "Duna"],
            "articleSection": "Belföld",
            "isAccessibleForFree": "true",
            "source": "MTI",
        },
        text="First line.\nSecond line.",
        analysis=Analysis(language="hu", certainty=0.75, exact="pelda-1", near="pelda-2"),
        columns=("belfold", "english"),
        built={"layout": "old", "versions": ({"file": "b"},)},
    )
    values = row(article)
    assert values["author"] == ("Kiss Anna", "Nagy Béla")
    assert values["date_utc"] == datetime(2024, 5, 1, 8, tzinfo=UTC)
    assert (values["datePublished"], values["year"], values["month"], values["day"]) == ("2024-05-01T10:00:00+02:00", 2024, 5, 1)
    assert (values["warc_file"], values["warc_offset"], values["warc_record_id"]) == (CAPTURE.file, 512, "<urn:uuid:7>")
    assert values["captured"] == datetime(2024, 5, 2, 6, tzinfo=UTC)
    assert (values["language"], values["language_identified"], values["language_certainty"]) == ("hu", "hu", 0.75)
    assert (values["duplicates"], values["near_duplicates"], values["versions"]) == ("pelda-1", "pelda-2", 1)
    assert (values["column"], values["isAccessibleForFree"], values["layout"]) == (("belfold", "english"), True, "old")
    assert (values["outcome"], values["text"]) == ("article", "First line.\nSecond line.")
    assert [name for name, value in values.items() if value is not None and not isinstance(value, TYPES[COLUMNS[name].holds])] == []


def test_an_article_of_which_nothing_is_known_is_a_row_all_the_same() -> None:
    article = export_article(metadata={"headline": [], "datePublished": []}, text="", captures=(), columns=())
    values = row(article)
    assert (values["headline"], values["date_utc"], values["year"], values["warc_file"], values["author"]) == (None, None, None, None, ())
    assert (values["language_identified"], values["duplicates"], values["text"]) == (None, None, "")


@pytest.mark.parametrize(
    ("published", "instant", "parts"),
    [
        ("2024-05-01", None, (2024, 5, 1)),
        ("2024-05", None, (2024, 5, None)),
        ("2024", None, (2024, None, None)),
        ("2024-01-01T00:30:00+01:00", datetime(2023, 12, 31, 23, 30, tzinfo=UTC), (2024, 1, 1)),
        ("2024-05-01T10:00:00", None, (2024, 5, 1)),
        ("0001-01-01T00:00:00+02:00", None, (1, 1, 1)),
        ("soon", None, (None, None, None)),
    ],
)
def test_a_day_is_not_its_midnight(published: str, instant: datetime | None, parts: tuple[int | None, ...]) -> None:
    values = row(export_article(metadata={"datePublished": published}))
    assert values["date_utc"] == instant
    assert (values["year"], values["month"], values["day"]) == parts


def test_posts_and_comments_are_counted_apart_whether_they_are_shown_or_not() -> None:
    article = export_article(posts=(post("At ten."),), comments=(post("No!", kind="comments"), post("Yes!", kind="comments")))
    assert (row(article)["posts"], row(article)["comments"], row(article)["text"]) == (1, 2, "The bridge is open.")
    shown = replace(article, parts=frozenset({Part.COMMENTS}))
    assert row(shown)["text"] == "The bridge is open.\nNo!\nYes!"


def test_in_languages_without_blanks_nobody_counts_words() -> None:
    assert row(export_article(built={"words": 0, "characters": 40}))["words"] is None
    assert row(export_article(text=""))["words"] == 0


def test_the_licence_of_the_page_comes_before_the_rights_of_the_portal() -> None:
    assert row(export_article())["rights"] == PORTAL.licence
    assert row(export_article(metadata={"license": "https://pelda.example/terms"}))["rights"] == "https://pelda.example/terms"


def test_columns_are_chosen_and_other_metadata_fields_have_their_own_types() -> None:
    article = export_article(metadata={"commentCount": "17", "mentions": ["Buda", "Pest"], "genre": "report"})
    assert row(article, "text", "commentCount", "id", "mentions", "genre", "id") == {
        "text": "The bridge is open.",
        "commentCount": 17,
        "id": article.id,
        "mentions": ("Buda", "Pest"),
        "genre": "report",
    }


@pytest.mark.parametrize("count", ["1" * 30, "many", "٣"])
def test_a_count_that_is_no_number_is_none(count: str) -> None:
    assert row(export_article(metadata={"commentCount": count}), "commentCount") == {"commentCount": None}


def test_every_metadata_field_can_be_a_column() -> None:
    assert [one.name for one in columns_of(tuple(FIELDS))] == list(FIELDS)


def test_a_column_that_is_not_there_is_named_with_what_may_be_meant() -> None:
    with pytest.raises(UsageError, match=r"no column keyword\. Did you mean keywords\?.*mentions"):
        columns_of(["keyword"])


def test_no_value_has_characters_that_no_file_should_hold() -> None:
    values = row(export_article(metadata={"headline": "a\x00b\x1b[31m", "author": ["x\x08y"]}, text="one\x00\ntwo"))
    assert (values["headline"], values["author"], values["text"]) == ("ab[31m", ("xy",), "one\ntwo")


def test_where_there_is_only_text_lists_are_joined_and_no_value_falls_in_two() -> None:
    assert as_text(("Buda", "Pest; Óbuda")) == "Buda; Pest, Óbuda"
    assert as_text(("a|b", "c"), between="|") == "a,b|c"
    assert [as_text(one) for one in (None, True, 3, 0.5, datetime(2024, 5, 1, 8, tzinfo=UTC))] == [
        "",
        "true",
        "3",
        "0.5",
        "2024-05-01T08:00:00Z",
    ]
