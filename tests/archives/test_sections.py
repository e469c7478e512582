"""Archives of two levels: a page that leads to sections (the boards of a forum), each with pages of its own."""

from __future__ import annotations

import json
from typing import Any

import pytest
from collected import listed
from scripted_portal import Crawler, listing

OK, FAILURES, DRIFT = 0, 1, 5
RULES = "archive:\n  url: HOME/\n  sections: a.forum\n  item: li.t\n  next: a.next\n"


@pytest.fixture
def crawler(crawler: Crawler) -> Crawler:
    crawler.portal.script |= {
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


def test_a_page_that_a_walk_read_is_an_archive_page_whatever_its_address(crawler: Crawler) -> None:
    assert crawler.crawl() == OK, crawler.said
    where, page = (crawler.file, "--corpus", crawler.corpus), f"{crawler.portal.home}/f/1"
    assert json.loads(crawler.curator("try", *where, page, "--json").out)["kind"] == "archive"
    assert crawler.curator("test", *where, "--accept", page).code == 0
    assert "as: archive" in crawler.file.with_name("tests.yaml").read_text(encoding="utf-8")
    assert crawler.curator("test", *where).code == 0


def test_rules_for_links_are_learned_on_the_pages_of_sections(crawler: Crawler) -> None:
    row = "<li class=t><a class=cim href=/tema/{0}-mi-legyen-a-hiddal>Mi legyen a híddal, {0}. rész?</a> <a href=/tag/{0}>anna</a>"
    crawler.portal.script = {"/": boards("/f/1", "/f/2", "/f/3")}
    crawler.portal.script |= {f"/f/{at}": f"<ul>{''.join(map(row.format, range(10 * at, 10 * at + 8)))}</ul>" for at in (1, 2, 3)}
    crawler.rules = "archive: {url: HOME/, sections: a.forum, link: a.nichts, pages: none}\n"
    assert crawler.crawl() == FAILURES
    said = crawler.run("learn", "--archive")
    assert "read 3 of 4 archive pages" in said.err, said.err
    assert "/tema/10-mi-legyen-a-hiddal" in said.out + said.err
    assert "8 links a page on 3 of 3 pages" in said.out + said.err


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


def test_known_articles_hide_no_section_on_the_pages_below(crawler: Crawler) -> None:
    for number in range(1, 8):
        more = f"/?{number + 1}" if number < 7 else None
        crawler.portal.script["/" if number == 1 else f"/?{number}"] = listing(number, next=more) + boards(f"/g/{number}")
        crawler.portal.script[f"/g/{number}"] = listing(10 + number)
    assert crawler.crawl() == OK, crawler.said
    crawler.portal.script["/g/7"] = listing(20, 17)
    assert crawler.crawl() == OK, crawler.said
    assert "/c/20" in crawler.fetched


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


def test_a_section_of_a_blog_beside_news_has_a_kind_of_its_own(crawler: Crawler) -> None:
    crawler.rules = "archive: {item: li.t, pages: none}\ncolumns:\n  news: HOME/news\n  blog: {url: HOME/blog}\n"
    page = f"<h1>The bridge</h1><p>{'The bridge over the river is open again. ' * 9}</p>"
    crawler.portal.script = {"/news": listing(1), "/blog": listing(2), "/c/1": page, "/c/2": page.replace("bridge", "school")}

    def types() -> list[str]:
        """Of the articles, as documents have them."""
        crawler.run("build", "--jobs", 1)
        lines = crawler.run("export", "--to", "csv", "--fields", "url,type", "-o", "-").out
        return [line.rpartition(",")[2] for line in sorted(lines.splitlines()[1:])]

    crawler.crawl()
    assert types() == ["NewsArticle", "NewsArticle"]
    crawler.rules = crawler.rules.replace("HOME/blog", "HOME/blog, kind: blog")
    assert types() == ["NewsArticle", "BlogPosting"]
    assert [row["open"] for row in crawler.status()["completeness"]] == [0, 0], "what was proved stays so"
