"""What a page gives becomes an expectation; of an old one only that changes which no longer holds."""

from __future__ import annotations

from typing import Any

import pytest

from webarticlecurator.report.acceptance import corrected, expect_of
from webarticlecurator.report.measures import fingerprint, measure

URL = "https://pelda.example/cikk/1"


def block(type: str, text: str, *children: dict[str, Any], **told: str) -> dict[str, Any]:
    return {"type": type, "text": text, "children": list(children), **told}


def values(*texts: str) -> list[dict[str, str]]:
    return [{"value": text, "raw": text, "source": "metadata"} for text in texts]


LINE: dict[str, Any] = {
    "url": URL,
    "kind": "article",
    "outcome": "article",
    "reason": "",
    "metadata": {
        "headline": values("Megnyílt a híd"),
        "author": values("A"),
        "datePublished": values("2024-05-01T10:00:00+02:00"),
        "keywords": values("híd"),
    },
    "next_page": None,
    "blocks": [block("paragraph", "Első."), block("paragraph", "Második."), block("paragraph", "Harmadik.")],
}
POST = block("post", "Jönnek.", block("paragraph", "Jönnek."), id="1", who="A", when="2024-05-01T08:00:00Z")
ARCHIVE = {"url": URL, "kind": "archive", "articles": [{"url": "https://a/1"}, {"url": "https://a/2"}], "next": "https://a/p2"}


def accepted(line: dict[str, Any], *, kind: Any = "article", hashed: bool = False) -> dict[str, Any]:
    return expect_of(measure(line), kind, hashed=hashed)


def mended(expect: dict[str, Any], line: dict[str, Any] = LINE, *, hashed: bool = False) -> dict[str, Any]:
    return corrected(expect, measure(line), "article", hashed=hashed)


def test_of_an_article_what_one_reads_first_is_expected() -> None:
    assert accepted(LINE) == {
        "metadata": {
            "headline": "Megnyílt a híd",
            "author": ["A"],
            "datePublished": "2024-05-01T10:00:00+02:00",
            "articleSection": None,
        },
        "paragraphs": 3,
        "contains": ["Első.", "Harmadik."],
        "next": None,
    }


def test_the_page_s_own_words_may_be_left_out() -> None:
    expect = accepted({**LINE, "blocks": [*LINE["blocks"], POST]}, hashed=True)
    assert expect["metadata"] == {
        "headline": fingerprint("Megnyílt a híd"),
        "author": [fingerprint("A")],
        "datePublished": "2024-05-01T10:00:00+02:00",
        "articleSection": None,
    }
    assert expect["first_post"] == {"id": "1", "when": "2024-05-01T08:00:00Z", "who": fingerprint("A"), "title": None}
    assert expect["contains"] == [fingerprint("Első."), fingerprint("Jönnek.")]


def test_of_an_archive_page_its_articles_and_the_next_page_are_expected() -> None:
    ends = {"first_article": "https://a/1", "last_article": "https://a/2"}
    assert accepted(ARCHIVE, kind="archive") == {"articles": 2, **ends, "next": "https://a/p2"}


def test_a_page_that_cannot_be_read_is_expected_to_stay_so() -> None:
    line = {"url": URL, "kind": "article", "outcome": "consent", "reason": "a consent wall"}
    assert accepted(line) == {"outcome": "consent"}
    assert mended({"paragraphs": 3, "lacks": "x"}, line) == {"outcome": "consent"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"paragraphs": 3}, {"paragraphs": 3}),
        ({"paragraphs": 4}, {"paragraphs": 3}),
        ({"links": 1, "posts": 1}, {"links": 0, "posts": 0}),
        ({"metadata": {"headline": " Megnyílt a  híd"}}, {"metadata": {"headline": " Megnyílt a  híd"}}),
        ({"metadata": {"headline": "Híd", "keywords": None}}, {"metadata": {"headline": "Megnyílt a híd", "keywords": ["híd"]}}),
        ({"metadata": {"headline": fingerprint("Híd")}}, {"metadata": {"headline": fingerprint("Megnyílt a híd")}}),
        ({"metadata": {"datePublished": "2024-05-01T08:00:00Z"}}, {"metadata": {"datePublished": "2024-05-01T08:00:00Z"}}),
        ({"metadata": {"articleSection": "Belföld"}}, {"metadata": {"articleSection": None}}),
        ({"paragraphs": 3, "first_post": {"who": "A"}}, {"paragraphs": 3}),
        ({"contains": "Más."}, {"contains": ["Első.", "Harmadik."]}),
        ({"contains": ["Második.", "Más."]}, {"contains": ["Második.", "Első.", "Harmadik."]}),
        ({"contains": "Máso", "lacks": "reklám"}, {"contains": "Máso", "lacks": "reklám"}),
        ({"paragraphs": 3, "lacks": ["Első", "reklám"]}, {"paragraphs": 3, "lacks": ["reklám"]}),
        ({"next": URL}, {"next": None}),
    ],
)
def test_what_was_asked_stays_asked_and_what_holds_stays_as_written(old: dict[str, Any], new: dict[str, Any]) -> None:
    assert mended(old) == new


def test_posts_too() -> None:
    line = {**LINE, "blocks": [POST]}
    assert mended({"first_post": {"who": "B", "when": "2024-05-01T10:00:00+02:00", "title": None}}, line) == {
        "first_post": {"who": "A", "when": "2024-05-01T10:00:00+02:00", "title": None}
    }


def test_another_outcome_is_another_page() -> None:
    assert mended({"outcome": "empty"}) == accepted(LINE)
