"""What a page gave is compared with what `tests.yaml` expects; what is accepted changes only where it no longer holds."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from published import Published, PublishedPortal, article, post, published

PAGE = article(
    1,
    '<p class="x-lead">Az új <a href="/hid">híd</a>.</p>',
    "Ma nyílt meg.",
    title="Megnyílt  a híd",
    author=["A", "B"],
    dateModified="2024-05-02",
    posts=(
        post("Jönnek.", "liveblog", id="1", who="A", when="2024-05-01T08:00:00Z", title="Élőben"),
        post("Szép!", id="k1", who="C", reply_to="k0"),
    ),
)
ARCHIVE = article("lista", '<ul><li class="t"><a href="/a">A</a></li><li class="t"><a href="/b">B</a></li></ul>', title=None)
CONSENT = Published(
    "pelda",
    "/2",
    "<html><head><title>Before you continue</title></head><body><h1>Before you continue</h1><button>Accept all</button></body></html>",
    "2024-06-01T00:00:00Z",
)
RULES = {"url": "https://pelda.example/lista", "item": "li.t"}


def fingerprint(text: str) -> str:
    return f"sha256:{hashlib.sha256(' '.join(text.split()).encode()).hexdigest()}"


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> PublishedPortal:
    made = published(tmp_path_factory.mktemp("expected"), PAGE, CONSENT)
    made.more["archive"] = RULES
    made.take_in(ARCHIVE)
    return made


@pytest.fixture
def differences(portal: PublishedPortal, curator: Callable[..., Any]) -> Callable[..., list[str]]:
    """What differs of a page from what is expected."""

    def told(url: str, kind: str = "article", **expected: Any) -> list[str]:
        (portal.folder / "tests.yaml").write_text(yaml.safe_dump([{"url": url, "as": kind, "expect": expected}]), "utf-8")
        ended = curator("test", portal.file)
        assert ended.code in (0, 1), ended.err
        return [line.strip() for line in ended.out.splitlines() if line.startswith("  ")]

    return told


def test_what_is_as_expected_differs_in_nothing(differences: Callable[..., list[str]]) -> None:
    assert (
        differences(
            PAGE.url,
            metadata={"headline": "Megnyílt a híd", "author": ["A", fingerprint("B")], "articleSection": None},
            paragraphs=2,
            links=1,
            posts=2,
            first_post={"id": "1", "who": fingerprint("A"), "when": "2024-05-01T10:00:00+02:00", "reply_to": None},
            last_post={"id": "k1", "reply_to": "k0", "title": None},
            contains=["híd", "Szép!", fingerprint("Ma  nyílt meg."), fingerprint("Élőben"), fingerprint(" Szép!\n")],
            lacks=["hirdetés", fingerprint("Ma nyílt")],
            next=None,
        )
        == []
    )


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        ({"metadata": {"headline": "Híd"}}, ("headline", '"Híd"', '"Megnyílt a híd"')),
        ({"metadata": {"author": ["B", "A"]}}, ("author", '"B", "A"', '"A", "B"')),
        ({"metadata": {"articleSection": "Belföld"}}, ("articleSection", '"Belföld"', "nothing")),
        ({"metadata": {"headline": fingerprint("x")}}, ("headline", "sha256:2d711642b726", '"Megnyílt a híd"')),
        ({"paragraphs": 3}, ("paragraphs", "3", "2")),
        ({"first_post": {"who": None}}, ("first_post.who", "nothing", '"A"')),
        ({"last_post": {"title": "T"}}, ("last_post.title", '"T"', "nothing")),
        ({"contains": fingerprint("Ma nyílt")}, ("contains", fingerprint("Ma nyílt")[:19])),
        ({"lacks": "új híd"}, ("lacks", "új híd")),
        ({"next": "https://pelda.example/1?p=2"}, ("next", "https://pelda.example/1?p=2", "nothing")),
        ({"outcome": "paywall"}, ("outcome", "paywall", "article")),
        ({"metadata": {"datePublished": "2024-05-01T10:00:01+02:00"}}, ("datePublished",)),
        ({"metadata": {"datePublished": "2024-05-01"}}, ("datePublished",)),
        ({"metadata": {"dateModified": "2024-05-02T00:00:00+00:00"}}, ("dateModified",)),
    ],
)
def test_what_differs_is_told(differences: Callable[..., list[str]], expected: dict[str, Any], said: tuple[str, ...]) -> None:
    (told,) = differences(PAGE.url, **expected)
    assert told.startswith(f"{said[0]}:")
    assert all(one in told for one in said)


@pytest.mark.parametrize("moment", ["2024-05-01T08:00:00+00:00", "2024-05-01T08:00:00Z", "2024-05-01T10:00:00+02:00"])
def test_a_date_is_right_as_the_same_instant_and_a_day_as_a_day(differences: Callable[..., list[str]], moment: str) -> None:
    assert differences(PAGE.url, metadata={"datePublished": moment, "dateModified": "2024-05-02"}) == []


def test_a_page_that_is_none_says_why(differences: Callable[..., list[str]]) -> None:
    (told,) = differences(CONSENT.url, paragraphs=3)
    assert told.startswith("outcome: expected article, found consent (")
    assert differences(CONSENT.url, outcome="consent", paragraphs=3) == []


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        ({"articles": 2, "next": None}, []),
        ({"first_article": "https://pelda.example/a", "last_article": "https://pelda.example/b"}, []),
        ({"contains": "https://pelda.example/%61", "lacks": "https://pelda.example/c"}, []),
        ({"articles": 3, "next": "https://pelda.example/2"}, ["articles", "next"]),
        ({"last_article": "https://pelda.example/a"}, ["last_article"]),
        ({"contains": "https://pelda.example/c"}, ["contains"]),
        ({"lacks": "https://pelda.example/b"}, ["lacks"]),
    ],
)
def test_an_archive_page_is_asked_for_its_articles_and_the_next_page(
    differences: Callable[..., list[str]], expected: dict[str, Any], said: list[str]
) -> None:
    assert [one.partition(":")[0] for one in differences(ARCHIVE.url, "archive", **expected)] == said


@pytest.fixture
def accepted(portal: PublishedPortal, curator: Callable[..., Any]) -> Callable[..., dict[str, Any]]:
    """What `tests.yaml` expects of a page after it was accepted; `old`: what it expected before."""

    def accept(url: str, old: dict[str, Any] | None = None, *flags: str) -> dict[str, Any]:
        path = portal.folder / "tests.yaml"
        path.unlink(missing_ok=True)
        if old is not None:
            path.write_text(yaml.safe_dump([{"url": url, "expect": old}], allow_unicode=True), "utf-8")
        ended = curator("test", portal.file, "--accept", url, *flags)
        assert ended.code == 0, ended.err
        (one,) = yaml.safe_load(path.read_text("utf-8"))
        return dict(one["expect"])

    return accept


def test_of_an_article_what_one_reads_first_is_expected(accepted: Callable[..., dict[str, Any]]) -> None:
    expect = accepted(PAGE.url)
    assert expect["metadata"] == {
        "headline": "Megnyílt a híd",
        "author": ["A", "B"],
        "datePublished": "2024-05-01T10:00:00+02:00",
        "articleSection": None,
    }
    assert (expect["paragraphs"], expect["next"]) == (2, None)
    assert accepted(ARCHIVE.url, None, "--as", "archive") == {
        "articles": 2,
        "first_article": "https://pelda.example/a",
        "last_article": "https://pelda.example/b",
        "next": None,
    }
    assert accepted(CONSENT.url) == {"outcome": "consent"}


def test_the_page_s_own_words_may_be_left_out(accepted: Callable[..., dict[str, Any]]) -> None:
    expect = accepted(PAGE.url, None, "--fingerprints")
    assert expect["metadata"]["headline"] == fingerprint("Megnyílt a híd")
    assert expect["metadata"]["datePublished"] == "2024-05-01T10:00:00+02:00"
    told = json.dumps(expect, ensure_ascii=False)
    assert [word for word in ("híd", "nyílt", "Jönnek", "Szép") if word in told] == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"links": 7, "posts": 7}, {"links": 1, "posts": 2}),
        ({"metadata": {"headline": "Megnyílt a  híd"}}, {"metadata": {"headline": "Megnyílt a  híd"}}),
        ({"metadata": {"headline": "Híd", "genre": "x"}}, {"metadata": {"headline": "Megnyílt a híd", "genre": None}}),
        ({"metadata": {"headline": fingerprint("Híd")}}, {"metadata": {"headline": fingerprint("Megnyílt a híd")}}),
        ({"metadata": {"datePublished": "2024-05-01T08:00:00Z"}}, {"metadata": {"datePublished": "2024-05-01T08:00:00Z"}}),
        ({"paragraphs": 2, "first_post": {"who": "B"}}, {"paragraphs": 2, "first_post": {"who": "A"}}),
        ({"paragraphs": 2, "lacks": ["nyílt", "reklám"]}, {"paragraphs": 2, "lacks": ["reklám"]}),
        ({"contains": "nyílt", "lacks": "reklám"}, {"contains": "nyílt", "lacks": "reklám"}),
        ({"next": "https://pelda.example/2"}, {"next": None}),
    ],
)
def test_what_was_asked_stays_asked_and_what_holds_stays_as_written(
    accepted: Callable[..., dict[str, Any]], old: dict[str, Any], new: dict[str, Any]
) -> None:
    assert accepted(PAGE.url, old) == new
