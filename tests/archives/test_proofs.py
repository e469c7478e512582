"""A proof that is none is worse than a gap: what speaks against an end is told, and a proof ends with the rules that made it."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from lxml import html
from scripted_portal import BROKEN, Crawler, Reply, ScriptedPortal, feed, listing, moved, urlset

OK, FAILURES = 0, 1
RULES = "archive:\n  url: HOME/l\n  item: li.t\n"


def blog(site: ScriptedPortal, pages: int, *, size: int = 4, more: str = "{pager}", box: str = "") -> set[str]:
    """A blog at /l, /l/2, /l/3 ... with a pager of "first" and "next" links; gives its articles."""
    for number in range(1, pages + 1):
        first = "<a class=p href=/l>elejére</a>" if number > 1 else ""
        next = f"<a class=p href=/l/{number + 1}>következő</a>" if number < pages else ""
        articles = range((number - 1) * size + 1, number * size + 1)
        path = "/l" if number == 1 else f"/l/{number}"
        site.script[path] = listing(*articles, more=more.format(pager=first + next, number=number, pages=pages, last=number * size) + box)
    return {f"/c/{number}" for number in range(1, pages * size + 1)}


def test_a_column_that_is_no_longer_in_the_portal_file_is_told_as_such_and_changes_no_share(crawler: Crawler, tmp_path: Path) -> None:
    crawler.portal.script |= {"/l": listing(1, 2, next="/l/2"), "/l/2": BROKEN, "/a": listing(1, 3), "/b": listing(2, 4)}
    crawler.rules = RULES + "  next: a.next\n"
    assert crawler.crawl() == FAILURES
    assert crawler.problems
    crawler.rules = "archive: {url: 'HOME/{column}', item: li.t}\ncolumns: [a, b]\n"
    assert crawler.crawl() == OK, crawler.said
    assert crawler.problems == []

    told = crawler.status()
    assert {row["column"]: row["removed"] for row in told["completeness"]} == {"a": False, "b": False, "archive": True}
    assert ({one["column"] for one in told["proofs"]}, told["gaps"]) == ({"a", "b"}, [])
    shown = crawler.run("status")
    (row,) = (line for line in shown.out.splitlines() if line.startswith("  archive "))
    assert row.endswith("removed")
    assert "the portal file has no such column any more" in shown.out
    assert "fetches what is new since the last crawl" in shown.err or "curator build" in shown.err
    report = tmp_path / "report.html"
    assert crawler.run("report", "-o", report).code == OK
    page = " ".join(html.fromstring(report.read_bytes()).text_content().split())
    assert "2 of 2 archive intervals are walked to a proved end (100.0 %)" in page
    assert "archive (no longer in the portal file)" in page


def test_a_next_rule_that_also_matches_the_first_page_is_a_fault_that_names_page_link_and_rule(crawler: Crawler) -> None:
    articles = blog(crawler.portal, 5)
    crawler.rules = RULES + "  next: a.p\n"
    assert crawler.crawl() == FAILURES
    home = crawler.portal.home
    assert f"on {home}/l/2 the `next` rule (a.p) takes the link to {home}/l, an earlier page of this walk" in crawler.said
    assert [(line["url"], line["outcome"]) for line in crawler.problems] == [(f"{home}/l/2", "failed")]
    assert crawler.status()["completeness"][0]["proved"] == 0

    fetched = crawler.fetched
    crawler.rules = RULES + "  next: 'a.p:last-child:contains(\"következő\")'\n"
    assert crawler.crawl() == OK, crawler.said
    assert crawler.fetched == articles
    assert not fetched & set(crawler.portal.articles_asked)
    assert crawler.status()["completeness"][0]["proved"] == 1
    assert crawler.problems == []


@pytest.mark.parametrize("make", ["<li class=t>{}", "<td>{}"], ids=["of the same make", "of another make"])
def test_a_list_of_all_that_lists_no_more_is_no_doubt(crawler: Crawler, make: str) -> None:
    def mind(*paths: str) -> str:
        return "".join(make.format(f"<a href={path}>Cikk</a>") for path in paths) + "<nav><a href=/rolunk.html>Rólunk</a></nav>"

    all_of_them = ("/c/3", "/c/2", "/c/1")
    crawler.portal.script |= {"/l": listing(1, 2, 3, more="<nav><a href=/mind>Összes cikk</a></nav>"), "/mind": mind(*all_of_them)}
    assert crawler.crawl("--archive-only") == OK, crawler.said
    crawler.portal.script["/mind"] = mind(*all_of_them, "/c/4")
    assert crawler.crawl("--archive-only", "--corpus", crawler.folder / "again") == FAILURES


@pytest.mark.parametrize(("head", "pages"), [("/l/", "/l/page/{}/"), ("/", "/page{}/"), ("/l", "/l?p={}"), ("/l?r=1", "/l?r=1&p={}")])
def test_a_first_page_without_a_number_is_not_left_out(crawler: Crawler, head: str, pages: str) -> None:
    crawler.portal.script[head] = listing(1, 2)
    crawler.portal.script |= {pages.format(number): listing(2 * number, 2 * number - 1) for number in (2, 3)}
    crawler.rules = f"archive: {{url: 'HOME{pages.format('{page}')}', item: li.t, pages: {{mode: infinite, start: 2}}}}\n"
    assert crawler.crawl("--archive-only") == FAILURES
    assert f"{crawler.portal.home}{head}, which comes before the first page of the walk, lists 2 more" in " ".join(crawler.said.split())
    crawler.rules = crawler.rules.replace("start: 2", "first: 2")
    assert crawler.crawl("--archive-only") == OK, crawler.said


@pytest.mark.parametrize(
    ("zero", "written", "code"), [("", "{month}", FAILURES), ("", "{date:M}", OK), ("0", "{date:M}", FAILURES), ("0", "{month}", OK)]
)
def test_months_that_a_site_writes_otherwise_are_not_proved_to_be_empty(crawler: Crawler, zero: str, written: str, code: int) -> None:
    crawler.portal.script |= {f"/2023/{month:{zero}2}/".replace(" ", ""): listing(month, month + 20) for month in range(1, 13)}
    crawler.rules = f"archive: {{url: 'HOME/{{year}}/{written}/', item: li.t, dates: {{from: 2023-01-01, until: 2023-12-31}}}}\n"
    assert crawler.crawl() == code, crawler.said
    assert ("no month below 10 ever gave an article" in crawler.said) is (code == FAILURES)
    assert {row["proved"] for row in crawler.status()["completeness"]} == {0 if code == FAILURES else 12}


def _neighbours(number: int) -> str:
    return f"<h1>Cikk {number}</h1><p>Szöveg.</p><nav><a href=/rolunk/cikk>Rólunk</a> <a href=/c/{number - 1}>Előző</a></nav>"


@pytest.mark.parametrize(("listed", "is_told"), [(12, True), (24, False)])
def test_articles_that_only_other_articles_lead_to_are_told(crawler: Crawler, listed: int, is_told: bool) -> None:
    script = {f"/c/{number}": _neighbours(number) for number in range(1, 25)} | {"/c/0": "<h1>Nulla</h1>"}
    script |= {f"/c/{number}": f"{_neighbours(number)}<aside><a href=/c/{number - 12}>Régi</a></aside>" for number in range(13, 25)}
    crawler.portal.script = {**script, "/l": listing(*range(24, 24 - listed, -1))}
    assert crawler.crawl() == (FAILURES if is_told else OK), crawler.said
    assert ("articles that no list names, such as" in crawler.said) is is_told
    assert f"{crawler.portal.home}/rolunk/cikk" not in crawler.said


@pytest.mark.parametrize("cut", [(5,), (), (1, 2, 3, 4, 5)])
def test_a_list_whose_last_page_breaks_off_is_not_proved(crawler: Crawler, cut: tuple[int, ...]) -> None:
    pages = {number: listing(2 * number, 2 * number + 1, next=f"/l/{number + 1}" if number < 6 else None) for number in range(1, 7)}
    whole = {
        number: page.partition("<a class=next" if number == 5 else "</body>")[0] if number in cut else page
        for number, page in pages.items()
    }
    crawler.portal.script |= {f"/l{'' if number == 1 else f'/{number}'}": page for number, page in whole.items()}
    crawler.rules = f"{RULES}  next: a.next\n"
    assert crawler.crawl() == (FAILURES if cut == (5,) else OK), crawler.said
    assert ("/l/5 breaks off: it lacks the </html> at its end that the 4 pages above it have" in crawler.said) is (cut == (5,))


def test_an_address_on_which_a_pattern_takes_too_long_ends_no_crawl_by_being_looked_at(crawler: Crawler) -> None:
    aside = f"<aside><a href=/c/1>1</a><a href=/c/2>2</a><a href=/c/{'1' * 30}2>3</a></aside>"
    crawler.portal.script |= dict.fromkeys(("/c/1", "/c/2"), Reply("", status=404))
    crawler.portal.script |= {f"/c/{number}": f"<h1>{number}</h1><p>Szöveg.</p>{aside if number < 6 else ''}" for number in range(4, 10)}
    crawler.portal.script |= {"/l": listing(*range(4, 10))}
    crawler.rules = f"{RULES}articles: {{identity: '/c/(\\d$|(?:(?:1|1)*)*$)'}}\n"
    assert crawler.crawl() == OK, crawler.said


@pytest.mark.parametrize("is_left_out", [True, False])
def test_articles_of_a_section_that_no_column_reads_are_told(crawler: Crawler, is_left_out: bool) -> None:
    def links(section: str) -> str:
        return "".join(f"<a href=/{section}/2024/{number}/a-b-{number}>{number}</a>" for number in range(4))

    pages = {f"/{section}/2024/{number}/a-b-{number}" for section in ("hazai", "sport") for number in range(4)}
    latest = f"<aside>{links('sport')}<a href=/rolunk/2024>Rólunk</a></aside>"
    # what all pages lead to might be the portal's own
    crawler.portal.script |= {page: f"<h1>{page}</h1><p>Szöveg.</p>{latest if page[-1] < '2' else ''}" for page in pages}
    crawler.portal.script |= {f"/{name}": f"<main>{links(name)}</main>" for name in ("hazai", "sport")}
    columns = ["hazai"] if is_left_out else ["hazai", "sport"]
    crawler.rules = "archive: {link: main a, pages: none}\ncolumns:\n" + "".join(f"  {name}: {{url: HOME/{name}}}\n" for name in columns)
    assert crawler.crawl() == (FAILURES if is_left_out else OK), crawler.said
    assert ("4 articles that no list names" in crawler.said) is is_left_out


@pytest.mark.parametrize("columns", [("hazai",), ("hazai", "sport")])
def test_a_list_in_the_menu_that_no_column_reads_is_looked_at_once(crawler: Crawler, columns: tuple[str, ...]) -> None:
    menu = "<nav><a href=/hazai>Hazai</a><a href=/sport>Sport</a><a href=/rolunk>Rólunk</a></nav>"
    shown = {"/hazai": listing(*range(1, 9)), "/sport": listing(*range(10, 15)), "/rolunk": "<p>Mi vagyunk.</p>"}
    crawler.portal.script |= {path: f"{menu}{html}" for path, html in shown.items()}
    crawler.portal.script |= {f"/c/{number}": f"<h1>Cikk {number}</h1><p>Szöveg {number}.</p>" for number in range(1, 15)}
    crawler.rules = "archive: {item: li.t, pages: none}\ncolumns:\n" + "".join(f"  {name}: {{url: HOME/{name}}}\n" for name in columns)
    for published in (15, 16):
        assert crawler.crawl() == (OK if "sport" in columns else FAILURES), crawler.said
        assert ("5 articles that no list names" in crawler.said) is ("sport" not in columns)
        crawler.portal.script |= {"/hazai": f"{menu}{listing(published, *range(1, 9))}", f"/c/{published}": f"<h1>Új {published}</h1>"}
    assert [crawler.portal.asked.count(path) for path in ("/sport", "/rolunk")] == [len(columns) - 1, 0], "the second crawl asks no more"


@pytest.mark.parametrize(("unsigned", "is_told"), [("<h1>{0}</h1><p>Szöveg {0}.</p>", True), ("<h1>{0}</h1>", False)])
def test_articles_of_which_each_other_list_has_few_are_added_up(crawler: Crawler, unsigned: str, is_told: bool) -> None:
    others = {"/friss": (1, 2, 7), "/sport/": (3, 8), "/kult": (4, 9)}
    menu = f"<nav>{''.join(f'<a href={path}>Rovat</a>' for path in others)}</nav>"
    crawler.portal.script |= {path: f"{menu}{listing(*numbers)}" for path, numbers in others.items()} | {"/l": menu + listing(*range(1, 7))}
    crawler.portal.script |= {f"/c/{number}": (_neighbours(number) if number < 7 else unsigned.format(number)) for number in range(1, 10)}
    crawler.rules = RULES + "  pages: none\n"
    for _ in range(2):
        assert crawler.crawl() == (FAILURES if is_told else OK), crawler.said
        assert ("articles that no list names, such as" in crawler.said) is is_told


@pytest.mark.parametrize("robots", [True, False])
def test_articles_that_only_a_sitemap_names_are_told_and_what_else_it_names_is_not(crawler: Crawler, robots: bool) -> None:
    site = crawler.portal
    articles = [f"/c/a-hid-tortenete-{number}" for number in range(1, 9)]
    house = ("/c/mi-az-a-hid-lapja", "/c/kik-irjak-a-lapot", "/c/mit-kell-tudni-rolunk")
    footer = "".join(f"<a href={path}>Lap</a>" for path in house)
    others = (
        *house,
        "/c/rolunk",
        "/c/kapcsolat",
        "/c/sutik",
        "/tema/a-hid-es-a-folyo",
        "/tema/a-varos-es-a-hid",
        "/tema/az-iskola-es-a-folyo",
    )
    site.script |= {"/l": "".join(f"<li class=t><a href={path}>Cikk</a>" for path in articles[:4])}
    site.script |= {path: f"<h1>{path}</h1><p>Szöveg.</p>{footer}" for path in articles}
    site.script |= {"/robots.txt": f"User-agent: *\nSitemap: {site.home}/terkep.xml\n"} if robots else {}
    path = "/terkep.xml" if robots else "/sitemap.xml"
    site.script[path] = Reply(urlset(*(site.home + page for page in (*articles[:4], *others))), kind="application/xml")
    crawler.rules = RULES + "  pages: none\n"
    assert crawler.crawl() == OK, crawler.said
    assert "sitemap" not in crawler.said

    shutil.rmtree(crawler.corpus)
    site.script[path] = Reply(urlset(*(site.home + page for page in (*articles, *others))), kind="application/xml")
    for _ in range(2):
        assert crawler.crawl() == FAILURES, crawler.said
        assert f"articles that no list names, such as {site.home}/c/a-hid-tortenete-5 (seen on {site.home}{path})" in crawler.said
    assert path not in site.asked


def test_articles_of_boards_that_no_list_named_are_missing_and_the_boards_are_none(crawler: Crawler) -> None:
    def board(first: int) -> str:
        threads = "".join(
            f"<li><a href=/topic/{at}-mi-legyen-a-regi-hiddal>Mi legyen a régi híddal, {at}. rész?</a>" for at in range(first, first + 9)
        )
        return f"<main><h1>Fórum</h1><ul>{threads}</ul></main>"

    boards = [f"/forum/{at}-hidak-es-utak-a-varosban" for at in range(1, 4)]
    home = "".join(f"<div class=nev><a href={path}>Hidak</a></div>" for path in boards)
    crawler.portal.script |= {"/": home, **{path: board(10 * at) for at, path in enumerate(boards, start=1)}}
    newest = "".join(f"<li class=t><a href=/topic/{at}-mi-legyen-a-regi-hiddal>Cikk</a>" for at in range(10, 14))
    crawler.portal.script |= {"/uj": f"<nav><a href=/>Fórum</a></nav>{newest}"}
    crawler.portal.script |= {f"/topic/{at}-mi-legyen-a-regi-hiddal": "<h1>Cikk</h1><p>Szöveg.</p>" for at in range(10, 40)}
    crawler.rules = "archive: {url: HOME/uj, item: li.t, pages: none}\n"
    for _ in range(2):
        assert crawler.crawl() == FAILURES, crawler.said
        assert f"articles that no list names, such as {crawler.portal.home}/topic/" in crawler.said
        assert f"such as {crawler.portal.home}/forum/" not in crawler.said


LEADS = {
    "the same list behind a mark": ("/l?before=2024", "<a href='/l?before=2024'>Earlier</a>"),
    "another section": ("/l?rovat=sport", "<a href='/l?rovat=sport'>Sport</a>"),
    "a part of the list": ("/l/2023", "<a href=/l/2023>2023</a>"),
    "a choice": ("/y/2023", "<select><option value=/y/2023>2023</select>"),
    "a list of all in the menu": ("/mind", "<nav><a href=/mind>Mind</a></nav>"),
    "the months in a side bar": ("/m/2023/03", "".join(f"<p><a href=/m/2023/{month}>{month}</a>" for month in ("03", "04", "05"))),
    "the last topic of a cloud": ("/tema/viz", "<p><a href=/tema/fa>fa</a> <a href=/tema/ko>kő</a> <a href=/tema/viz>víz</a>"),
    "the feed": ("/rss", "<link rel=alternate type=application/rss+xml href=/rss>"),
}


@pytest.mark.parametrize("is_more", [True, False])
@pytest.mark.parametrize(("path", "link"), LEADS.values(), ids=LEADS)
def test_where_the_list_leads_is_looked_at_once(crawler: Crawler, path: str, link: str, is_more: bool) -> None:
    own, articles = "/l?rovat=bel" if "rovat" in path else "/l", range(5, 9) if is_more else range(1, 5)
    named = (f"{crawler.portal.home}/c/{number}" for number in articles)
    crawler.portal.script |= {own: listing(*range(1, 5), more=link), path: feed(*named) if path == "/rss" else listing(*articles)}
    crawler.portal.script |= {f"/c/{number}": f"<h1>Cikk {number}</h1><p>Szöveg {number}.</p>" for number in range(1, 9)}
    crawler.rules = f"archive: {{url: 'HOME{own}', item: li.t, pages: none}}\n"
    for _ in range(2):  # whoever crawls again is told the same
        assert crawler.crawl() == (FAILURES if is_more else OK), crawler.said
        assert (f"4 articles that no list names, such as {crawler.portal.home}/c/5" in crawler.said) is is_more
    assert path not in crawler.portal.asked


EDITIONS = {
    "called so, with another name": ("/de/artikel", "<link rel=alternate hreflang=de href=/de/artikel>"),
    "behind a beginning": ("/de/l", "<footer><a href=/de/l>Német</a></footer>"),
    "a section in the menu": ("/esszek", "<nav><a href=/esszek>Esszék</a></nav>"),
}


@pytest.mark.parametrize("number", [5, 2])
@pytest.mark.parametrize(("path", "link"), EDITIONS.values(), ids=EDITIONS)
def test_what_the_rules_take_on_another_list_is_asked_however_it_is_written(crawler: Crawler, path: str, link: str, number: int) -> None:
    others = [f"{path}/2024/cikk/{at}.html" for at in range(number)]
    crawler.portal.script |= {"/l": listing(*range(1, 6), more=link), path: listing(*others)}
    crawler.portal.script |= {f"/c/{at}": f"<h1>Cikk {at}</h1><p>Szöveg {at}.</p>" for at in range(1, 6)}
    crawler.portal.script |= {other: f"<h1>Másik {other}</h1><p>Szöveg.</p>" for other in others}
    crawler.rules = RULES
    for _ in range(2):
        assert crawler.crawl() == FAILURES, crawler.said
        assert f"{number} articles that no list names, such as {crawler.portal.home}{path}/" in crawler.said
    assert path not in crawler.portal.asked


@pytest.mark.parametrize("language", ["de", "hu"])
def test_the_same_headline_in_another_language_is_no_form_to_print_an_article(crawler: Crawler, language: str) -> None:
    for at in range(1, 6):
        page = f"<html lang={{}}><h1>Tisza {at}</h1><p>Szöveg, {at}.</p>{{}}</html>"
        crawler.portal.script[f"/c/{at}-tisza"] = page.format("hu-HU", f"<a href=/c/{at}-tisza-mas>Más</a>")
        crawler.portal.script[f"/c/{at}-tisza-mas"] = page.format(language, "")
    crawler.portal.script |= {"/l": listing(*(f"/c/{at}-tisza" for at in range(1, 6)))}
    crawler.rules = RULES
    for _ in range(2):
        assert crawler.crawl() == (FAILURES if language == "de" else OK), crawler.said


def test_what_all_missing_articles_end_in_leaves_out_however_many_there_are(crawler: Crawler) -> None:
    def written(name: str, more: str = "") -> str:
        return f"<h1>{name}</h1><p>Szöveg, {name}.</p>{more}"

    hidden = {f"/c/{at}-hid.html": f"/c/{at}-hid-de.html" for at in range(1, 31)}
    crawler.portal.script |= {"/l": listing(*hidden)} | {other: written(other) for other in hidden.values()}
    crawler.portal.script |= {path: written(path, f"<a href={other}>Deutsch</a>") for path, other in hidden.items()}
    crawler.rules = RULES
    assert crawler.crawl() == FAILURES, crawler.said
    assert "30 articles that no list names" in crawler.said
    assert r"not_collected: ['-hid-de\.html$']` leaves them out" in crawler.said
    crawler.rules += r"not_collected: ['-hid-de\.html$']" + "\n"
    for _ in range(2):
        assert crawler.crawl() == OK, crawler.said


@pytest.mark.parametrize("size", [1, 2, 4])
def test_a_page_of_a_topic_that_is_written_like_articles_is_no_article(crawler: Crawler, size: int) -> None:
    text = "A híd a folyó fölött áll, és ma is járnak rajta. " * 8

    def teaser(at: int) -> str:
        return f"<article><h2><a href=/a-{at}-hid/>A {at}. híd</a></h2><time datetime=2023-05-0{at}>2023</time><p>{text}</p></article>"

    topics = {f"/a-hidak-{at}/": "".join(map(teaser, range(at, at + size))) for at in (1, 2)}
    crawler.portal.script |= {"/l": listing(*(f"/a-{at}-hid/" for at in range(1, 7)))}
    crawler.portal.script |= {path: f"<main><h1>Hidak {path}</h1>{teasers}</main>" for path, teasers in topics.items()}
    beside = f"<aside>{''.join(f'<a href={path}>Hidak</a>' for path in topics)}</aside>"
    for at in range(1, 7):
        written = f"<main><h1>A {at}. híd</h1><time datetime=2023-05-0{at}>2023</time><p>{text}</p></main>"
        crawler.portal.script[f"/a-{at}-hid/"] = f"{written}{beside if at < 3 else ''}"
    crawler.rules = RULES
    for _ in range(2):
        assert crawler.crawl() == OK, crawler.said


@pytest.mark.parametrize("stop", ["after: 2023-05-01", "at_url: 'HOME/l?oldal=3'"])
def test_pages_behind_the_end_that_a_stop_rule_made_are_no_sign_against_its_proof(crawler: Crawler, stop: str) -> None:
    for number in range(1, 5):
        items = "".join(f"<li class=t><a href=/c/{number}{item}>Cikk</a> <time>2023-0{7 - number}-0{item}</time>" for item in (3, 2, 1))
        pager = f"<a class=next href='/l?oldal={number + 1}'>tovább</a>" if number < 4 else ""
        crawler.portal.script["/l" if number == 1 else f"/l?oldal={number}"] = f"<ul>{items}</ul><a href='/l?oldal=4'>utolsó</a> {pager}"
    crawler.rules = f"archive: {{url: HOME/l, item: li.t, next: a.next, fields: {{datePublished: time}}, stop: {{{stop}}}}}\n"
    for _ in range(2):
        assert crawler.crawl() == OK, crawler.said
        assert "Proved up to its `stop`" in crawler.said, "what is left out can be seen"
        assert crawler.status()["completeness"][0]["proved"] == 1
        assert crawler.problems == []


@pytest.mark.parametrize(
    ("dates", "left_out"),
    [
        ("{from: 2023-04-01, until: 2023-12-31}", {3}),
        ("{from: 2023-01-01, until: 2023-09-30}", {10}),
        ("{from: 2023-01-01, until: 2023-12-31}", set()),
        ("{from: 2023-04-01}, stop: {at_url: HOME/2023/03/}", set()),
    ],
)
@pytest.mark.parametrize("is_linked", [True, False])
def test_months_beside_those_asked_for_are_told_if_they_have_articles(
    crawler: Crawler, dates: str, left_out: set[int], is_linked: bool
) -> None:
    def month(number: int) -> str:
        links = (f"<a href=/2023/{number - 1:02}/>&larr;</a>", f"<a href=/2023/{number + 1:02}/>&rarr;</a>") if is_linked else ("", "")
        return listing(number, number + 20).join(links)

    crawler.portal.script |= {f"/2023/{number:02}/": month(number) for number in range(1, 13)}
    crawler.portal.script |= {f"/c/{number}": f"<h1>Cikk {number}</h1><p>Szöveg {number}.</p>" for number in range(1, 33)}
    crawler.rules = f"archive: {{url: 'HOME/{{year}}/{{month}}/', item: li.t, dates: {dates}}}\n"
    for _ in range(2):
        assert crawler.crawl() == OK, crawler.said
        told = re.search(r"its `dates` leave out \S+/2023/(\d\d)/, which lists 2 articles .*; write .* takes in 2023-\1-01", crawler.said)
        assert (told is not None and int(told[1]) in left_out) is bool(left_out)
    for flags in (("--articles-only",), ("--column", "archive"), ()):
        assert bool(crawler.status()["remarks"]) is ("leave out" in crawler.run("status").out) is bool(left_out)
        crawler.crawl(*flags)
    crawler.rules = crawler.rules.replace(dates, "{from: 2023-01-01, until: 2023-12-31}")
    crawler.crawl()
    assert crawler.status()["remarks"] == []


@pytest.mark.parametrize(
    ("identity", "articles", "is_told"),
    [("/c/", range(1, 6), True), ("/c/(\\d)", range(1, 6), False), ("/c/(\\d)", (1, *range(12, 16)), True)],
)
def test_an_identity_that_makes_one_article_of_neighbours_in_a_list_is_told(
    crawler: Crawler, identity: str, articles: Sequence[int], is_told: bool
) -> None:
    crawler.portal.script |= {"/l": listing(*articles)} | {f"/c/{number}": f"<h1>Cikk {number}</h1>" for number in articles}
    crawler.rules = f"archive: {{url: HOME/l, item: li.t}}\narticles: {{identity: '{identity}'}}\n"
    assert crawler.crawl() == OK, crawler.said
    assert ("`articles.identity` counts 4 addresses as articles that others are already" in crawler.said) is is_told


def teasers(*texts: tuple[str, str]) -> str:
    return "".join(f"<li class=t><h2><a href='{path}'>{title}</a></h2>" for path, title in texts)


UNITING = {
    "namesakes": (r"replace: [['-\d+$', '']]", ("/c/het", "A hét május 3."), ("/c/het-2", "A hét június 7."), True),
    "all by their number": ("drop_params: [id]", ("/c/x?id=1", "Híd épült"), ("/c/x?id=2", "Út épült"), True),
    "one article, listed twice": ("drop_params: [ref]", ("/c/x?ref=a", "Új híd épült 3 szó"), ("/c/x?ref=b", "Új híd épült 4 szó"), False),
    "its longer form": ("replace: [['/amp$', '']]", ("/c/x", "Híd épült"), ("/c/x/amp", "Gyors változat"), False),
}


@pytest.mark.parametrize(("rule", "first", "second", "is_told"), UNITING.values(), ids=UNITING)
def test_rules_that_make_one_address_of_links_to_different_articles_are_told(
    crawler: Crawler, rule: str, first: tuple[str, str], second: tuple[str, str], is_told: bool
) -> None:
    crawler.portal.script["/l"] = teasers(first, ("/c/egyik", "Egyik")) + "<a class=next href=/l2>tovább</a>"
    crawler.portal.script["/l2"] = teasers(second, ("/c/masik", "Másik"))
    crawler.rules = f"archive: {{url: HOME/l, item: li.t, next: a.next, urls: {{{rule}}}}}\n"
    assert crawler.crawl() == OK, crawler.said
    home, name = crawler.portal.home, rule.partition(":")[0]
    told = f"`urls.{name}` makes the address of another article of 1 link that lists something else (such as {home}{first[0]} and {home}"
    assert (told in crawler.said) is is_told, crawler.said


def test_of_a_home_page_that_a_sitemap_names_the_line_is_told_that_leaves_it_out(crawler: Crawler) -> None:
    crawler.portal.script["/terkep.xml"] = urlset(*(f"{crawler.portal.home}{path}" for path in ("/", "/c/1", "/c/2")))
    crawler.rules = "archive: {url: HOME/terkep.xml, format: sitemap}\n"
    assert crawler.crawl("--archive-only") == OK, crawler.said
    told = re.search(r"counts as an article; `(exclude: .+?)` under `archive: urls` leaves it out", crawler.said)
    assert told is not None, crawler.said
    crawler.rules = f"archive: {{url: HOME/terkep.xml, format: sitemap, urls: {{{told[1]}}}}}\n"
    shutil.rmtree(crawler.corpus)
    assert crawler.crawl("--archive-only") == OK and "home page" not in crawler.said
    assert set(crawler.outcomes) == {"/c/1", "/c/2"}


API = (
    'archive: {url: "{home}wp-json/wp/v2/posts?per_page=3&page={page}", format: json, item: {json: "@"}, link: {json: link},'
    " pages: {mode: numbered, last: {header: X-WP-TotalPages}}}\n"
)


def api(site: ScriptedPortal, *pages: range, total: int | None = None, total_pages: int | None = None) -> None:
    """The interface of a WordPress, with what its headers say, as it is unless the test says otherwise."""
    listed = {one for page in pages for one in page}
    headers = {"X-WP-Total": str(len(listed) if total is None else total), "X-WP-TotalPages": str(total_pages or len(pages))}
    for number, page in enumerate(pages, 1):
        body = json.dumps([{"link": f"{site.home}/c/{one}"} for one in page])
        site.script[f"/wp-json/wp/v2/posts?per_page=3&page={number}"] = Reply(body, headers=headers, kind="application/json")


def test_articles_that_slid_onto_the_next_page_are_counted_once(crawler: Crawler) -> None:
    api(crawler.portal, range(1, 4), range(3, 6), range(5, 7), total=7)
    crawler.rules = API
    assert crawler.crawl() == FAILURES
    assert "X-WP-Total: 7', and the walk saw 6 links" in crawler.said


def test_what_was_published_while_the_walk_went_on_is_left_to_the_next_one(crawler: Crawler) -> None:
    api(crawler.portal, range(1, 4), range(3, 6), total=6)
    api(crawler.portal, range(1, 4), total=5, total_pages=2)
    crawler.rules = API
    assert crawler.crawl() == OK, crawler.said


@pytest.mark.parametrize("between", ["<p>Hiba", "", Reply("not here", 404), moved("/")])
def test_a_numbered_page_that_gives_nothing_between_others_is_a_gap(crawler: Crawler, between: str | Reply) -> None:
    crawler.rules = "archive: {url: 'HOME/l?{page}', item: li.t, pages: {mode: numbered, last: .last}}\n"
    pages = {f"/l?{number}": listing(number, more="<b class=last>4</b>") for number in range(1, 5)}
    crawler.portal.script |= {**pages, "/l?3": between, "/": "<h1>Címlap"}
    assert crawler.crawl() == FAILURES
    assert f"{crawler.portal.home}/l?3 could not be read" in crawler.said
    assert crawler.status()["gaps"]

    crawler.portal.script |= pages
    assert crawler.crawl() == OK, crawler.said
    assert crawler.fetched == {f"/c/{number}" for number in range(1, 5)}


def test_a_root_that_leads_to_the_home_page_is_read_and_a_list_that_does_so_is_told(crawler: Crawler) -> None:
    crawler.portal.script |= {"/": moved("/blog/"), "/l": moved("/blog/"), "/blog/": listing(1, 2)}
    crawler.head = crawler.head.replace("HOME/", "HOME/blog/")
    crawler.rules = "archive: {url: HOME/, item: li.t, pages: none}\n"
    assert crawler.crawl() == OK, crawler.said
    assert crawler.fetched == {"/c/1", "/c/2"}
    crawler.rules = crawler.rules.replace("url: HOME/", "url: HOME/l")
    assert crawler.crawl() == FAILURES
    assert f"Failed: archive: {crawler.portal.home}/l: it redirects to the home page" in crawler.said


def test_of_many_failures_alike_the_first_are_told_and_all_where_somebody_asks_for_more(crawler: Crawler) -> None:
    columns = ", ".join(f"l{number}: {{url: HOME/l/{number}}}" for number in range(8))
    crawler.rules = f"archive: {{item: li.t}}\ncolumns: {{{columns}}}\n"
    crawler.verbose = False
    crawler.crawl()
    assert (crawler.said.count("  Failed: column l"), "Failed: and 3 more (--verbose shows all)" in crawler.said) == (5, True)
    crawler.crawl("--verbose")
    assert crawler.said.count("  Failed: column l") == 8


def test_a_server_that_does_not_run_is_told_once_and_no_page_is_said_to_be_read(crawler: Crawler) -> None:
    crawler.portal.home = "http://127.0.0.1:9"
    assert crawler.crawl() == FAILURES
    assert "pelda: 0 archive pages read, 0 new articles found" in crawler.said
    assert crawler.said.count("no connection: Connection refused") == 1
    assert "/l: no connection: Connection refused; so robots.txt cannot be read" in crawler.said


def test_status_names_the_ground_of_each_proof(crawler: Crawler) -> None:
    blog(crawler.portal, 3)
    crawler.rules = RULES + "  next: 'a.p:contains(\"következő\")'\n"
    crawler.crawl()
    (proof,) = crawler.status()["proofs"]
    assert (proof["column"], proof["ground"], proof["links"]) == ("archive", "a page without a next link", 4)
    assert proof["page"].endswith("/l/3")
    told = crawler.run("status", "--verbose").out
    assert "a page without a next link" in told


NEXT = "  next: 'a.p:contains(\"következő\")'\n"
SAME = {
    "fields": RULES + NEXT + "  fields: {headline: h2}\n",
    "another way to write it": 'archive:\n  item: "li.t"\n  url: "HOME/l"\n' + NEXT,
    "metadata": RULES + NEXT + "metadata: {author: .szerzo}\n",
}
OTHERS = {
    "item": RULES.replace("li.t", "ul li.t") + NEXT,
    "urls": RULES + NEXT + "  urls: {drop_params: [x]}\n",
    "what is skipped": RULES + NEXT + "articles: {skip: {url: [/galeria/]}}\n",
}


@pytest.mark.parametrize("change", SAME)
def test_a_change_that_cannot_lose_links_leaves_the_proof(crawler: Crawler, change: str) -> None:
    blog(crawler.portal, 6)
    crawler.rules = RULES + NEXT
    assert crawler.crawl() == OK
    crawler.rules = SAME[change]
    assert crawler.crawl() == OK
    assert len(crawler.portal.archive_asked) == 4, "three that are known, and where the list ended"
    assert "rules have changed" not in crawler.said


@pytest.mark.parametrize("change", OTHERS)
def test_other_archive_rules_walk_the_archive_again_and_fetch_no_article_twice(crawler: Crawler, change: str) -> None:
    blog(crawler.portal, 6)
    crawler.rules = RULES + NEXT
    assert crawler.crawl() == OK
    crawler.rules = OTHERS[change]
    status = crawler.status()
    assert status["completeness"][0]["proved"] == 0
    assert "read to its end under other rules" in status["gaps"][0]["reason"]
    assert crawler.crawl() == OK
    assert len(crawler.portal.archive_asked) == 6
    assert crawler.portal.articles_asked == []
    assert "column archive: its archive rules have changed" in crawler.said
    assert crawler.status()["completeness"][0]["proved"] == 1


def test_try_tells_of_a_pager_that_no_rule_follows_and_of_what_only_scripts_bring(crawler: Crawler) -> None:
    blog(crawler.portal, 3, box="<button>Load more</button>")
    home = crawler.portal.home
    told = crawler.curator("try", crawler.file, f"{home}/l", "--fetch", "--as", "archive").out
    assert f"the page has a pager that no rule follows: the link 'következő' leads to {home}/l/2" in told
    assert "it has 'Load more'" in told


@pytest.mark.parametrize(
    ("page", "next", "expected"),
    [
        ("/l/3", "a.p", "leads from page 3 back to page 1"),
        ("/l/3", ".vissza", "rel=prev"),
        ("/l/3", ".itt", "matches a link to the page itself"),
    ],
)
def test_try_tells_of_a_next_rule_that_leads_back(crawler: Crawler, page: str, next: str, expected: str) -> None:
    blog(crawler.portal, 4)
    links = "<a class=vissza rel=prev href=/l/masik>vissza</a><a class=itt href=/l/3>3</a>"
    crawler.portal.script[page] = str(crawler.portal.script[page]) + links
    crawler.rules = RULES + f"  next: {next}\n"
    ended = crawler.curator("try", crawler.file, crawler.portal.home + page, "--fetch", "--as", "archive", "--json")
    assert expected in json.loads(ended.out)["remarks"][0]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("{item: li.nincs, link: h2 a}", "`item` (li.nincs) matches nothing on this page, while `link` (h2 a) alone matches 4 times"),
        ("{item: li.t, link: h3 a}", "`item` (li.t) matches 4 times, but `link` (h3 a) finds nothing in them; the first begins: 'Cikk 1'"),
        ("{link: h3 a}", "`link` (h3 a) matches nothing that can be followed"),
        ("{item: 'li.t:first-child'}", "3 links in the same list look like the articles and are not taken"),
    ],
)
def test_try_says_which_rule_finds_nothing(crawler: Crawler, rules: str, expected: str) -> None:
    crawler.portal.script["/l"] = listing(1, 2, 3, 4)
    crawler.rules = f"archive: {{url: HOME/l, pages: none, {rules[1:]}\n"
    assert expected in crawler.curator("try", crawler.file, f"{crawler.portal.home}/l", "--fetch").out


def test_the_routes_of_an_application_are_not_all_one_article(crawler: Crawler) -> None:
    crawler.portal.script["/api"] = Reply("[7, 8, 9]", kind="application/json")
    crawler.portal.script["/"] = "<div id=app></div><script src=/app.js></script>"
    link = "link: {json: '@', make_url: '{home}#/c/{value}'}"
    crawler.rules = f"archive: {{url: HOME/api, format: json, pages: none, item: {{json: '@'}}, {link}}}\n"
    assert crawler.crawl() == FAILURES
    assert "3 links to " in crawler.said
    assert "behind a `#`, where only the page's own scripts can follow" in crawler.said
    assert "/" not in crawler.portal.asked


def test_links_that_are_not_followed_are_counted_with_the_line_that_would_follow_them(crawler: Crawler) -> None:
    others = ["https://masik.example/c/1", "https://masik.example/c/2", "https://harmadik.example/c/3", "ftp://pelda.example/c/4"]
    crawler.portal.script["/l"] = listing(1, *others, "/galeria/5")
    crawler.rules = "archive: {url: HOME/l, pages: none, item: li.t, urls: {exclude: [/galeria/]}}\n"
    told = crawler.curator("try", crawler.file, f"{crawler.portal.home}/l", "--fetch").out
    assert crawler.crawl() == OK
    status = crawler.run("status").out
    for text in (told, crawler.said, status):
        assert "2 links to masik.example: other host (such as https://masik.example/c/1)" in text
        assert "1 link to harmadik.example: other host" in text
        assert f"urls.exclude (such as {crawler.portal.home}/galeria/5)" in text
        assert "other scheme: ftp" in text
        assert "urls: {hosts: [masik.example, harmadik.example]}" in text
    refused = [(row["host"], row["reason"], row["links"]) for row in crawler.status()["refused"]]
    assert refused[:2] == [("masik.example", "other host", 2), ("harmadik.example", "other host", 1)]


def test_check_asks_for_the_first_page_of_each_column_where_it_is_told_to(crawler: Crawler) -> None:
    blog(crawler.portal, 3)
    crawler.portal.script["/masik"] = listing(7, 8)
    crawler.rules = "archive: {item: li.t}\ncolumns: {blog: HOME/l, masik: {url: HOME/masik, pages: none}}\n"
    ended = crawler.curator("check", crawler.file, "--fetch")
    assert ended.code == FAILURES
    assert "the page has a pager that no rule follows" in ended.out
    crawler.rules = "archive: {item: li.t}\ncolumns: {masik: {url: HOME/masik, pages: none}}\n"
    ended = crawler.curator("check", crawler.file, "--fetch", "--json")
    assert ended.code == OK
    (head,) = json.loads(ended.out)["heads"]
    assert (head["column"], len(head["articles"]), head["remarks"]) == ("masik", 2, [])
