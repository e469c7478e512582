"""Archives of two levels: a page that leads to sections (the boards of a forum), each with pages of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from collected import listed
from scripted_portal import BROKEN, Crawler, Reply, ScriptedPortal, listing, moved

OK, FAILURES, DRIFT = 0, 1, 5
RULES = "archive:\n  url: HOME/\n  sections: a.forum\n  item: li.t\n  next: a.next\n"


@pytest.fixture
def crawler(curator: Any, tmp_path: Path, site: ScriptedPortal) -> Crawler:
    crawler = Crawler(curator, tmp_path, site, rules=RULES)
    site.script |= {
        "/": boards("/f/1", "/f/2", "/f/3"),
        "/f/1": listing(1, 2, 3, next="/f/1?start=3") + boards("/f/9", "/"),
        "/f/1?start=3": listing(4, 5) + boards("/f/9"),
        "/f/2": listing(6, 1, next="/f/2?start=2"),
        "/f/2?start=2": listing(7),
        "/f/3": listing(),
        "/f/9": listing(8),
    }
    return crawler


def boards(*addresses: str) -> str:
    return "".join(f"<a class=forum href='{address}#top'>Fórum {address}</a>" for address in addresses)


def test_every_section_is_walked_to_its_end_whatever_its_depth_and_an_empty_one_is_no_fault(crawler: Crawler) -> None:
    assert crawler.crawl() == OK, crawler.said
    assert crawler.fetched == {f"/c/{number}" for number in range(1, 9)}
    assert sorted(crawler.portal.archive_asked) == sorted(crawler.portal.script)
    assert f"archive: 1 of its 4 sections lists no article (such as {crawler.portal.home}/f/3: " in crawler.said
    columns = {row["column"]: row["proved"] for row in crawler.status()["completeness"]}
    assert columns == {"archive": 1, **{f"archive » /f/{number}": 1 for number in (1, 2, 3, 9)}}


def test_a_rerun_finds_new_sections_and_new_articles_and_fetches_nothing_twice(crawler: Crawler) -> None:
    crawler.crawl()
    crawler.portal.asked.clear()
    crawler.portal.script |= {"/": boards("/f/1", "/f/2", "/f/3", "/f/4"), "/f/4": listing(20), "/f/9": listing(21, 8)}
    assert crawler.crawl() == OK, crawler.said
    assert set(crawler.portal.articles_asked) == {"/c/20", "/c/21"}


MENU = "<ul class=menu>{}</ul>"


def category(active: str, *articles: object) -> str:
    entries = "".join(f"<a href=/?c={one}{' class=active' if one == active else ''}>{one}</a>" for one in ("Sport", "Kultur"))
    return listing(*articles, more=MENU.format(entries))


def test_the_entry_of_the_menu_that_a_list_marks_tells_section_and_topics_of_its_articles(crawler: Crawler) -> None:
    fields = "{articleSection: {after: .menu a.active}, keywords: {after: .menu a.active}}"
    crawler.rules = f"archive: {{url: HOME/, sections: .menu a, pages: none, item: li.t, fields: {fields}}}\n"
    crawler.portal.script = {"/": category("", 1, 2, 3), "/?c=Sport": category("Sport", 1, 2), "/?c=Kultur": category("Kultur", 2)}
    assert crawler.crawl() == OK, crawler.said
    assert [listed(crawler, f"/c/{number}") for number in (1, 2, 3)] == [
        {"articleSection": ["Sport"], "keywords": ["Sport"]},
        {"articleSection": ["Sport"], "keywords": ["Sport", "Kultur"]},
        {},
    ]


def test_a_section_that_cannot_be_read_leaves_its_column_open_and_is_named(crawler: Crawler) -> None:
    page = crawler.portal.script["/f/2?start=2"]
    crawler.portal.script["/f/2?start=2"] = lambda _: BROKEN
    assert crawler.crawl() == FAILURES
    assert "archive » /f/2" in crawler.said
    crawler.portal.script["/f/2?start=2"] = page
    assert crawler.crawl() == OK, crawler.said
    assert "/c/7" in crawler.fetched


def test_a_first_page_that_leads_nowhere_any_more_is_drift(crawler: Crawler) -> None:
    crawler.crawl()
    crawler.portal.script["/"] = "<p>Új külső"
    assert crawler.crawl() == DRIFT, crawler.said


def test_sections_without_a_single_article_prove_nothing(crawler: Crawler) -> None:
    crawler.rules = RULES.replace("li.t", "li.nincs")
    assert crawler.crawl() == FAILURES
    assert "no page of its 4 sections ever gave an article link" in crawler.said


def test_sections_on_other_hosts_are_refused_and_told(crawler: Crawler) -> None:
    crawler.portal.script["/"] = boards("/f/1", "http://masik.example/f/2")
    assert crawler.crawl() == OK, crawler.said
    assert any(one["host"] == "masik.example" for one in crawler.status()["refused"])


LOGIN = "<form><input name=user><input type=password name=password></form>"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [(LOGIN, "a form that asks for a password"), (moved("/login"), "a form that asks for a password"), (moved("/"), "the home page")],
)
def test_a_section_that_is_closed_to_guests_is_told(crawler: Crawler, answer: str | Reply, reason: str) -> None:
    crawler.portal.script |= {"/f/2": answer, "/login": LOGIN}
    assert crawler.crawl() == OK
    assert "archive: 2 of its 4 sections list no article (such as " in crawler.said
    if "password" in reason:
        assert f"{crawler.portal.home}/f/2: an empty page (no article links, but {reason})" in crawler.said


def test_a_section_that_no_page_leads_to_any_more_is_told(crawler: Crawler) -> None:
    crawler.crawl()
    assert "were not walked" not in crawler.said
    crawler.portal.script["/"] = boards("/f/1", "/f/3")
    assert crawler.crawl() == OK
    assert "1 section of earlier crawls was not walked" in crawler.said
    assert "archive » /f/2" in crawler.said


def test_sections_may_stand_on_several_pages_without_articles(crawler: Crawler) -> None:
    addresses = [f"/f/{number}" for number in range(1, 7)]
    crawler.portal.script |= {f"/f/{number}": listing(number) for number in range(1, 7)}
    for number, (one, other) in enumerate(zip(addresses[::2], addresses[1::2], strict=True), 1):
        crawler.portal.script["/" if number == 1 else f"/?{number}"] = (
            boards(one, other) + f"<a class=next href='/?{number + 1}'>tovább</a>"
        )
    crawler.portal.script["/?4"] = boards("/f/1", "/f/2") + "<a class=next href='/?5'>tovább</a>"
    assert crawler.crawl() == OK, crawler.said
    assert crawler.fetched == {f"/c/{number}" for number in range(1, 7)}


def test_known_articles_hide_no_section_on_the_pages_below(crawler: Crawler) -> None:
    for number in range(1, 8):
        more = f"/?{number + 1}" if number < 7 else None
        crawler.portal.script["/" if number == 1 else f"/?{number}"] = listing(number, next=more) + boards(f"/g/{number}")
        crawler.portal.script[f"/g/{number}"] = listing(10 + number)
    assert crawler.crawl() == OK, crawler.said
    crawler.portal.script["/g/7"] = listing(20, 17)
    assert crawler.crawl() == OK, crawler.said
    assert "/c/20" in crawler.fetched


@pytest.mark.parametrize(("sections", "code"), [("a.forum", OK), ("a.board", FAILURES)])
def test_a_section_is_no_page_of_the_list_that_leads_to_it(crawler: Crawler, sections: str, code: int) -> None:
    older = "<a class=forum href='/older'>Older entries</a>"
    crawler.portal.script |= {"/": listing(1, 2, next="/?p=2") + older, "/?p=2": listing(3) + older, "/older": listing(3, 4)}
    crawler.rules = RULES.replace("a.forum", sections)
    assert crawler.crawl() == code, crawler.said
    assert ("Older entries" in crawler.said) is (code == FAILURES)


def test_try_shows_the_sections_of_a_page(crawler: Crawler, curator: Any) -> None:
    crawler.crawl("--archive-only")
    options = ("--corpus", crawler.corpus, "--as", "archive", "--json")
    shown = json.loads(curator("try", crawler.file, f"{crawler.portal.home}/f/1", *options).out)
    assert shown["sections"] == [f"{crawler.portal.home}/f/9", f"{crawler.portal.home}/"]
    led_to = curator("try", crawler.file, f"{crawler.portal.home}/", *options[:-1]).err.rpartition("Next: ")[2]
    assert f"{crawler.portal.home}/f/1 --as archive" in led_to and "a part of the archive" in led_to


def test_the_rules_of_a_column_hold_for_what_its_sections_list(crawler: Crawler, curator: Any) -> None:
    crawler.rules = RULES + "  language: de\n"
    crawler.portal.script["/c/8"] = "<h1>Cím</h1><p>" + "Egy mondat a hidakról és a folyókról. " * 9
    crawler.crawl()
    curator("build", crawler.file, "--corpus", crawler.corpus)
    documents = [path.read_text(encoding="utf-8") for path in (crawler.corpus / "tei").rglob("*.xml")]
    assert any('xml:lang="de"' in document for document in documents if "/c/8<" in document)
