"""What `curator try` answers (DESIGN 7), on pages made on the spot."""

from __future__ import annotations

from typing import Any

import pytest
from trial_portal import capture_of, portal_of

from webarticlecurator.errors import UsageError
from webarticlecurator.model.capture import Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.trial import could_read, look

HOST = "https://pelda.example"
LINKS = "<h2><a href=/cikk/1>Egy</a></h2><b>9</b>"


class OnePage:
    """Answers every request with the same body."""

    def __init__(self, body: str | bytes) -> None:
        self.body = body

    def fetch(self, request: Request) -> Fetched:
        return Fetched(request=request, verdict=Verdict(FetchOutcome.FETCHED, ""), capture=capture_of(self.body, request.url))


class Missing:
    def fetch(self, request: Request) -> Fetched:
        return Fetched(request=request, verdict=Verdict(FetchOutcome.GONE, "HTTP 404"))


def tried(path: str, page: str | bytes = LINKS, /, *, kind: Any = None, column: str | None = None, **rules: Any) -> dict[str, Any]:
    rules.setdefault("archive", {"url": HOST + "/lista/{page}", "link": "h2 a"})
    return look(HOST + path, portal=portal_of(**rules), source=OnePage(page), kind=kind, column=column)


def next_of(path: str, body: str = LINKS, column: str | None = None, **archive: Any) -> str | None:
    line = tried(path, body, kind="archive", column=column, archive={"link": "h2 a", **archive})
    return None if line["next"] is None else line["next"].removeprefix(HOST)


def test_an_archive_page_gives_its_articles_and_the_next_page() -> None:
    fields = {"headline": "h2", "keywords": "i"}
    line = tried(
        "/lista/2", "<li><h2><a href=/1>E</a></h2><i>k</i></li>", archive={"url": HOST + "/lista/{page}", "item": "li", "fields": fields}
    )
    assert line == {
        "url": HOST + "/lista/2",
        "kind": "archive",
        "articles": [{"url": HOST + "/1", "headline": "E", "keywords": ["k"]}],
        "next": HOST + "/lista/3",
        "refused": [],
        "remarks": [],
    }


def test_dates_of_a_list_that_no_pattern_reads_are_told() -> None:
    items = "<li><a href=/1>E</a><i>2024. május 1.</i></li><li><a href=/2>K</a><i>1. May 2024</i></li><li><a href=/3>H</a></li>"

    def remarks(pattern: str) -> list[str]:
        fields = {"datePublished": {"css": "i", "date": pattern}}
        found: list[str] = tried("/lista/2", items, archive={"url": HOST + "/lista/{page}", "item": "li", "fields": fields})["remarks"]
        return found

    assert remarks("yyyy. MMMM d.") == ["`fields.datePublished`: `yyyy. MMMM d.` reads no date in 1 of 3 items, such as '1. May 2024'"]
    assert remarks("d/M/yyyy")[0].startswith("`fields.datePublished`: `d/M/yyyy` reads no date in 2 of 3 items, such as '2024. m")


def test_an_article_gives_its_metadata_and_its_next_page() -> None:
    line = tried(
        "/cikk/1",
        "<h1> Cím </h1><i>A</i><i>B</i><div class=c><p>Egy <b>szó</b>.<button>Oszd</button></p><p class=k>Kettő</p><x-y>?</x-y></div>"
        "<a class=n href='?p=2'>2</a>",
        metadata={"headline": "h1", "author": "i"},
        body={"root": "div.c", "tags": {"lead": ["p.k"]}},
        articles={"next": "a.n"},
    )
    metadata = line.pop("metadata")
    assert metadata["headline"] == [{"value": "Cím", "raw": " Cím ", "source": "metadata.headline"}]
    assert metadata["author"] == [
        {"value": "A", "raw": "A", "source": "metadata.author"},
        {"value": "B", "raw": "B", "source": "metadata.author"},
    ]
    assert line == {
        "url": HOST + "/cikk/1",
        "kind": "article",
        "outcome": "article",
        "reason": "",
        "next_page": HOST + "/cikk/1?p=2",
        "text": "Egy szó.\nKettő\n?",
        "blocks": [
            {
                "type": "paragraph",
                "text": "Egy szó.",
                "children": [
                    {"type": "text", "text": "Egy ", "children": []},
                    {"type": "bold", "text": "szó", "children": []},
                    {"type": "text", "text": ".", "children": []},
                ],
            },
            {"type": "paragraph", "text": "Kettő", "children": []},
            {"type": "paragraph", "text": "?", "children": []},
        ],
        "unknown_tags": [{"tag": "x-y", "count": 1, "words": 1}],
        "dropped": [{"text": "Oszd", "rule": "general table button", "tag": "button"}],
        "disagreements": {},
    }


def test_a_page_that_the_rules_skip_is_no_article() -> None:
    line = tried("/cikk/1", "<p class=hiba>", articles={"skip": {"when": [".hiba"]}})
    assert (line["outcome"], line["reason"]) == ("not-article", "articles.skip.when: .hiba")


@pytest.mark.parametrize(
    ("path", "archive", "following"),
    [
        ("/l/2", {"url": HOST + "/l/{page}"}, "/l/3"),
        ("/l/", {"url": HOST + "/l/{page}", "pages": {"mode": "infinite", "first": "", "start": 2}}, "/l/2"),
        ("/l/0", {"url": HOST + "/l/{page}", "pages": {"mode": "expanding", "first": 0}}, "/l/1"),
        ("/l/8", {"url": HOST + "/l/{page}", "pages": {"mode": "numbered", "last": 9}}, "/l/9"),
        ("/l/9", {"url": HOST + "/l/{page}", "pages": {"mode": "numbered", "last": 9}}, None),
        ("/l/8", {"url": HOST + "/l/{page}", "pages": {"mode": "numbered", "last": "b"}}, "/l/9"),
        ("/l/9", {"url": HOST + "/l/{page}", "pages": {"mode": "numbered", "last": "b"}}, None),
        ("/l/2", {"url": HOST + "/l/{page}", "pages": {"mode": "numbered", "values": "1-2, 4-5"}}, "/l/4"),
        ("/l/5", {"url": HOST + "/l/{page}", "pages": {"mode": "numbered", "values": "1-2, 4-5"}}, None),
        ("/l/3", {"url": HOST + "/l/{page}", "pages": {"mode": "numbered", "values": "1-2, 4-5"}}, None),
        ("/2024/05/?o=3", {"url": HOST + "/{year}/{month}/?o={page}", "dates": {"from": "2024-01-01"}}, "/2024/05/?o=4"),
        (
            "/május-2024/3",
            {"url": HOST + "/{date:MMMM-yyyy}/{page}", "dates": {"from": "2024-01-01"}},
            "/május-2024/4",
        ),
        ("/l/", {"url": HOST + "/l/", "pages": "none"}, None),
        ("/l/", {"url": HOST + "/l/", "next": "h2 a"}, "/cikk/1"),
        ("/mas/1", {"url": HOST + "/l/{page}"}, None),
    ],
)
def test_the_next_archive_page(path: str, archive: dict[str, Any], following: str | None) -> None:
    assert next_of(path, **archive) == following


def test_a_page_without_links_has_no_next_page_in_counted_modes() -> None:
    assert next_of("/l/2", "<p>vége", url=HOST + "/l/{page}") is None


COLUMNS = {
    "archive": {"link": "h2 a", "url": HOST + "/{column}/{page}"},
    "columns": {"belfold": {}, "kulfold": {"link": "b"}, "minden": {"url": HOST + "/belfold/{page}?minden=1"}},
}


@pytest.mark.parametrize(
    ("path", "column", "articles"),
    [
        ("/belfold/3", None, 1),
        ("/kulfold/3", None, 0),
        ("/kulfold/3", "belfold", 1),
        ("/sport/3", None, 1),
        ("/belfold/3?minden=1", None, 1),
    ],
)
def test_the_column_whose_url_fits_is_used_else_the_defaults(path: str, column: str | None, articles: int) -> None:
    line = tried(path, kind="archive", column=column, **COLUMNS)
    assert len(line["articles"]) == articles


def test_a_further_page_of_a_way_is_read_by_the_rules_of_that_way() -> None:
    pages = {"url": HOST + "/lista", "pages": "next-link", "next": "a.next", "fields": {"headline": "h2"}}
    archive = {"item": "li", "ways": {"map": {"url": HOST + "/lista.xml", "format": "sitemap"}, "pages": pages}}
    line = tried("/lista/page/2", "<li><h2><a href=/cikk/1>Egy</a></h2></li>", kind="archive", archive=archive)
    assert line["articles"] == [{"url": HOST + "/cikk/1", "headline": "Egy"}]


def test_columns_that_differ_in_their_vars_are_told_apart() -> None:
    archive = {"link": "h2 a", "url": HOST + "/lista?kat={kat}&oldal={page}"}
    columns = {"belfold": {"vars": {"kat": 443}}, "kulfold": {"vars": {"kat": 444}, "link": "b"}, "sport": {"vars": {"kat": "a{b}"}}}
    assert len(tried("/lista?kat=443&oldal=2", archive=archive, columns=columns)["articles"]) == 1
    assert tried("/lista?kat=444&oldal=2", archive=archive, columns=columns)["articles"] == []
    assert tried("/lista?kat=a{b}&oldal=2", archive=archive, columns=columns)["next"] == HOST + "/lista?kat=a{b}&oldal=3"
    assert tried("/lista?kat=445&oldal=2", archive=archive, columns=columns)["kind"] == "article"


@pytest.mark.parametrize(("path", "kind"), [("/belfold/3", "archive"), ("/sport/3", "article"), ("/belfold/cikk/1", "article")])
def test_without_being_told_a_page_is_an_archive_page_where_a_columns_url_fits(path: str, kind: str) -> None:
    assert tried(path, **COLUMNS)["kind"] == kind


def test_a_column_that_is_not_there_is_the_users_mistake() -> None:
    with pytest.raises(UsageError, match="belfold, kulfold, minden"):
        tried("/belfold/3", column="blefold", **COLUMNS)


@pytest.mark.parametrize(("body", "outcome"), [("", "unreadable"), (b"<div>" * 60_000, "unreadable")])
@pytest.mark.parametrize("kind", ["archive", "article"])
def test_a_page_that_cannot_be_read_still_gives_its_line(body: str | bytes, outcome: str, kind: str) -> None:
    line = tried("/lista/2", body, kind=kind)
    assert set(line) == {"url", "kind", "outcome", "reason"}
    assert (line["kind"], line["outcome"]) == (kind, outcome)
    assert not could_read(line)


def test_a_page_that_is_not_there_says_why() -> None:
    line = look(HOST + "/cikk/1", portal=portal_of(), source=Missing())
    assert line == {"url": HOST + "/cikk/1", "kind": "article", "outcome": "gone", "reason": "HTTP 404"}


def test_what_is_no_web_address_is_not_asked_for() -> None:
    assert look("pelda", portal=portal_of(), source=Missing())["outcome"] == "bad-url"


def test_a_portal_without_archive_has_no_archive_pages() -> None:
    with pytest.raises(UsageError, match="no archive"):
        look(HOST, portal=portal_of(), source=Missing(), kind="archive")


def test_a_rule_that_runs_out_of_time_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webarticlecurator.patterns.TIME_LIMIT", 0.05)
    line = tried("/cikk/1", "<h1>" + "a" * 40 + "b", metadata={"headline": {"css": "h1", "match": "(?:(?:a|a)*)*$"}})
    assert line["outcome"] == "unreadable"
    assert "simpler" in line["reason"]
