"""What a page gave is compared with what was expected; what differs is told in plain English."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.config.expectations import Expectation
from webarticlecurator.report.expectations import Difference, differences
from webarticlecurator.report.measures import fingerprint, measure

URL = "https://pelda.example/cikk/1"


def block(type: str, text: str, *children: dict[str, Any], **told: str) -> dict[str, Any]:
    return {"type": type, "text": text, "children": list(children), **told}


LINE: dict[str, Any] = {
    "url": URL,
    "kind": "article",
    "outcome": "article",
    "reason": "",
    "metadata": {
        "headline": [{"value": "Megnyílt  a híd", "raw": "", "source": ""}],
        "author": [{"value": "A", "raw": "", "source": ""}, {"value": "B", "raw": "", "source": ""}],
        "datePublished": [{"value": "2024-05-01T10:00:00+02:00", "raw": "", "source": ""}],
        "dateModified": [{"value": "2024-05-02", "raw": "", "source": ""}],
    },
    "next_page": f"{URL}?oldal=2",
    "blocks": [
        block("lead", "Az új híd.", block("paragraph", "Az új híd.", block("link", "híd"))),
        block("paragraph", "Ma nyílt meg."),
        block("post", "Jönnek.", block("paragraph", "Jönnek."), id="1", who="A", when="2024-05-01T08:00:00Z", title="Élőben"),
    ],
    "comments": [block("post", "Szép!", block("paragraph", "Szép!", block("link", "Szép!")), id="k1", who="C", reply_to="k0")],
}


def sentences(line: dict[str, Any], expected: Expectation) -> list[str]:
    return [difference.sentence for difference in differences(measure(line), expected)]


def told(**expected: Any) -> list[str]:
    return sentences(LINE, Expectation(url=URL, **expected))


def test_what_is_as_expected_differs_in_nothing() -> None:
    assert (
        told(
            metadata={"headline": ("Megnyílt a híd",), "author": ("A", fingerprint("B")), "articleSection": ()},
            counts={"paragraphs": 2, "links": 1, "posts": 2},
            first_post={"id": "1", "who": fingerprint("A"), "when": "2024-05-01T10:00:00+02:00", "reply_to": None},
            last_post={"id": "k1", "reply_to": "k0", "title": None},
            contains=("híd. ", "Szép!", fingerprint("Ma  nyílt meg."), fingerprint("Élőben"), fingerprint("Szép!")),
            lacks=("hirdetés", fingerprint("Ma nyílt")),
            addresses={"next": "HTTPS://pelda.example/cikk/1?oldal=2"},
        )
        == []
    )


@pytest.mark.parametrize(
    ("expected", "difference"),
    [
        ({"metadata": {"headline": ("Híd",)}}, 'headline: expected "Híd", found "Megnyílt a híd"'),
        ({"metadata": {"headline": ()}}, 'headline: expected nothing, found "Megnyílt a híd"'),
        ({"metadata": {"author": ("B", "A")}}, 'author: expected "B", "A", found "A", "B"'),
        ({"metadata": {"articleSection": ("Belföld",)}}, 'articleSection: expected "Belföld", found nothing'),
        ({"metadata": {"headline": (fingerprint("x"),)}}, 'headline: expected sha256:2d711642b726..., found "Megnyílt a híd"'),
        ({"counts": {"paragraphs": 3}}, "paragraphs: expected 3, found 2"),
        ({"counts": {"links": 0}}, "links: expected 0, found 1"),
        ({"first_post": {"who": None}}, 'first_post.who: expected nothing, found "A"'),
        ({"last_post": {"title": "T"}}, 'last_post.title: expected "T", found nothing'),
        ({"contains": ("nincs itt",)}, 'contains: "nincs itt" is not in the text'),
        ({"contains": (fingerprint("Ma nyílt"),)}, f"contains: {fingerprint('Ma nyílt')[:19]}... is not in the text"),
        ({"lacks": ("új híd",)}, 'lacks: "új híd" is in the text'),
        ({"addresses": {"next": None}}, f"next: expected nothing, found {URL}?oldal=2"),
        ({"outcome": "paywall"}, "outcome: expected paywall, found article"),
    ],
)
def test_what_differs_is_told(expected: dict[str, Any], difference: str) -> None:
    assert told(**expected) == [difference]


@pytest.mark.parametrize(
    ("field", "expected", "right"),
    [
        ("datePublished", "2024-05-01T08:00:00+00:00", True),
        ("datePublished", "2024-05-01T08:00:00Z", True),
        ("datePublished", "2024-05-01T10:00:01+02:00", False),
        ("datePublished", "2024-05-01", False),
        ("dateModified", "2024-05-02", True),
        ("dateModified", "2024-05-02T00:00:00+00:00", False),
        ("dateModified", "tegnap", False),
    ],
)
def test_a_date_is_right_as_the_same_instant_and_a_day_only_as_a_day(field: str, expected: str, right: bool) -> None:
    assert (told(metadata={field: (expected,)}) == []) is right


def test_a_post_that_is_expected_where_there_is_none_is_missed() -> None:
    line = {**LINE, "blocks": [], "comments": []}
    assert sentences(line, Expectation(url=URL, first_post={"who": "A"})) == ["first_post: there is no post"]


def test_a_page_that_could_not_be_read_says_why() -> None:
    line = {"url": URL, "kind": "article", "outcome": "consent", "reason": "a consent wall"}
    assert sentences(line, Expectation(url=URL)) == ["outcome: expected article, found consent (a consent wall)"]
    assert sentences(line, Expectation(url=URL, outcome="consent", counts={"paragraphs": 3})) == []


ARCHIVE = {"url": URL, "kind": "archive", "articles": [{"url": f"{URL}/a"}, {"url": f"{URL}/b"}], "next": None}


@pytest.mark.parametrize(
    ("expected", "difference"),
    [
        ({"counts": {"articles": 2}, "addresses": {"next": None}}, []),
        ({"addresses": {"first_article": f"{URL}/a", "last_article": f"{URL}/b"}}, []),
        ({"contains": (f"{URL}/%61",), "lacks": (URL,)}, []),
        (
            {"counts": {"articles": 3}, "addresses": {"next": URL}},
            ["articles: expected 3, found 2", f"next: expected {URL}, found nothing"],
        ),
        ({"addresses": {"last_article": f"{URL}/a"}}, [f"last_article: expected {URL}/a, found {URL}/b"]),
        ({"contains": (URL,)}, [f'contains: "{URL}" is not among the articles']),
        ({"lacks": (f"{URL}/b",)}, [f'lacks: "{URL}/b" is among the articles']),
    ],
)
def test_an_archive_page_is_asked_for_its_articles_and_the_next_page(expected: dict[str, Any], difference: list[str]) -> None:
    assert sentences(ARCHIVE, Expectation(url=URL, kind="archive", **expected)) == difference


def test_an_archive_page_that_lists_nothing_has_no_first_article() -> None:
    expected = Expectation(url=URL, kind="archive", addresses={"first_article": f"{URL}/a", "last_article": None})
    assert sentences({**ARCHIVE, "articles": []}, expected) == [f"first_article: expected {URL}/a, found nothing"]


def test_a_program_gets_the_values_whole() -> None:
    (difference,) = differences(measure(LINE), Expectation(url=URL, metadata={"author": ("B",)}))
    assert difference == Difference(what="author", expected=("B",), found=("A", "B"), sentence='author: expected "B", found "A", "B"')


def test_of_long_texts_the_place_is_shown_where_they_begin_to_differ() -> None:
    long = " ".join(map(str, range(200)))
    line = {**LINE, "metadata": {"headline": [{"value": long.replace("120", "x"), "raw": "", "source": ""}]}}
    (sentence,) = sentences(line, Expectation(url=URL, metadata={"headline": (long,)}))
    assert '"...' in sentence
    assert "118 119 120 121" in sentence
    assert "118 119 x 121" in sentence
    assert len(sentence) < 250


@given(st.text(), st.text(alphabet=" \t\n\xa0", min_size=1))
def test_white_space_changes_no_fingerprint(text: str, blank: str) -> None:
    assert fingerprint(blank.join(["", *text.split(), ""])) == fingerprint(text)
