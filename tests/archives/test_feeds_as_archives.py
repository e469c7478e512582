"""Feeds as archives: walked like any other, worth what they say of themselves, and collected once with the pages that list the same."""

from __future__ import annotations

from typing import Any

import pytest
import scripted_portal
from scripted_portal import MISSING, Crawler, Reply, listing, moved

OK, FAILURES = 0, 1
RULES = "archive: {url: HOME/feed, format: feed}\n"


def feed(*articles: int, head: str = "", link: str = "/c/{number}") -> Reply:
    return scripted_portal.feed(*(link.format(number=number) for number in articles), head=head)


def next_page(url: str) -> str:
    return f"<atom:link xmlns:atom='http://www.w3.org/2005/Atom' rel='next' href='{url}'/>"


def total(number: int) -> str:
    return f"<o:totalResults xmlns:o='http://a9.com/-/spec/opensearch/1.1/'>{number}</o:totalResults>"


PROVED, READ, OPEN = [False], [True], list[bool]()
ON, SECOND = next_page("/feed?2"), {"/feed?2": feed(2, 1)}
FIRST = {"/feed": feed(4, 3, head=ON)}
COMPLETE = "<fh:complete xmlns:fh='http://purl.org/syndication/history/1.0'/>"
CUT = str(feed(3, 2, 1).body).partition("Cikk /c/1")[0]
ENDS: dict[str, tuple[dict[str, Any], list[bool], str, set[int]]] = {
    # what is served, what the end is worth, its ground or what speaks against it, articles
    "no further page": ({"/feed": feed(3, 2, 1)}, READ, "may list only the newest", {1, 2, 3}),
    "the last of several pages": ({**FIRST, **SECOND}, READ, "the last page of a feed", {1, 2, 3, 4}),
    "an empty last page": ({**FIRST, "/feed?2": feed()}, READ, "", {3, 4}),
    "an empty page that leads on": ({**FIRST, "/feed?2": feed(head=next_page("/feed?3")), "/feed?3": feed(1)}, READ, "", {1, 3, 4}),
    "a total of the page": ({"/feed": feed(4, 3, head=total(2) + total(2).replace("totalResults", "itemsPerPage"))}, READ, "", {3, 4}),
    "a total of less than there are": ({"/feed": feed(4, 3, head=total(1))}, READ, "", {3, 4}),
    "a total that is reached": (
        {"/feed": feed(4, 3, head=ON + total(4)), "/feed?2": feed(2, 1, head=total(4))},
        PROVED,
        "a feed that gave as many entries as it states",
        {1, 2, 3, 4},
    ),
    "it says that it is complete": ({"/feed": feed(2, 1, head=COMPLETE)}, PROVED, "", {1, 2}),
    "a total that is not reached": ({"/feed": feed(3, 2, head=total(213))}, OPEN, "'totalResults: 213', and the walk saw 2 links", {2, 3}),
    "a next link that leads back": (
        {**FIRST, "/feed?2": feed(2, 1, head=next_page("/feed"))},
        OPEN,
        "the feed's own link to its next page leads to",
        {1, 2, 3, 4},
    ),
    "it breaks off": ({"/feed": Reply(CUT, kind="text/xml")}, OPEN, "a part could not be read: it breaks off before its end", {2, 3}),
    "the second page is gone": ({**FIRST, "/feed?2": Reply("gone", 410)}, OPEN, "the feed says that it goes on at", {3, 4}),
    "the second page leads back": ({**FIRST, "/feed?2": moved("/feed")}, OPEN, "the feed says that it goes on at", {3, 4}),
    "the first page once more": (
        {**FIRST, "/feed?2": feed(4, 3, head=next_page("/feed?3")), "/feed?3": feed(2, 1)},
        OPEN,
        "which lists the same articles as page 1",
        {3, 4},
    ),
    "empty pages without end": (
        {**FIRST, **{f"/feed?{number}": feed(head=next_page(f"/feed?{number + 1}")) for number in range(2, 50)}},
        OPEN,
        "3 pages of the feed in a row list nothing",
        {3, 4},
    ),
    "no feed": ({"/feed": listing(1, 2)}, OPEN, "no feed: a page of HTML, which names none", set()),
}


@pytest.mark.parametrize(("served", "worth", "because", "articles"), ENDS.values(), ids=ENDS)
def test_what_the_end_of_a_feed_is_worth(
    crawler: Crawler, served: dict[str, Any], worth: list[bool], because: str, articles: set[int]
) -> None:
    crawler.portal.script |= served
    assert crawler.crawl() == (OK if worth else FAILURES), crawler.said
    proofs = crawler.status()["proofs"]
    assert [proof["only_read"] for proof in proofs] == worth
    assert because in crawler.said + str(proofs)
    assert crawler.fetched >= {f"/c/{number}" for number in articles}
    assert len(crawler.portal.archive_asked) <= 4


def test_a_page_leads_to_the_feed_that_it_names(crawler: Crawler) -> None:
    alternate = "<link rel=alternate type=application/rss+xml href='{}'>"
    crawler.rules = "archive: {url: 'HOME/', format: feed}\n"
    crawler.portal.script |= {
        "/": f"<html><head>{alternate.format('/comments/feed')}{alternate.format('/feed')}</head><body>{listing(1, 8, 9)}</body></html>",
        "/feed": feed(3, 2, head=total(3) + next_page("/feed?2")),
        "/feed?2": feed(1),
        **dict.fromkeys(("/c/8", "/c/9"), MISSING),
    }
    assert crawler.crawl() == OK, crawler.said
    assert crawler.fetched == {"/c/1", "/c/2", "/c/3"}
    assert crawler.portal.archive_asked == ["/", "/feed", "/feed?2"]
    assert [proof["ground"] for proof in crawler.status()["proofs"]] == ["a feed that gave as many entries as it states"]


def test_a_feed_may_lie_on_a_host_that_the_portal_does_not_name(crawler: Crawler) -> None:
    elsewhere = crawler.portal.home.replace("127.0.0.1", "localhost")
    crawler.fetch = "fetch: {delay: 0s, retries: 0, timeout: 5s, private_hosts: [localhost]}\n"
    crawler.portal.script |= {
        "/feed": f"<link rel=alternate type=application/rss+xml href='{elsewhere}/burned'>",
        "/burned": feed(2, 1, link=crawler.portal.home + "/c/{number}"),
    }
    assert crawler.crawl() == OK, crawler.said
    assert crawler.fetched == {"/c/1", "/c/2"}


@pytest.mark.parametrize(
    "link",
    [
        "/c/{number}",
        "/c/{number}/",
        "/c/{number}?utm_source=rss&utm_medium=feed",
        "HOME/%63/{number}",
        "https:HOST/c/{number}",
        "HOME/c/{number}#comments",
    ],
)
@pytest.mark.parametrize("order", [("feed", "pages"), ("pages", "feed")])
def test_what_a_feed_and_the_pages_list_is_collected_once(crawler: Crawler, link: str, order: tuple[str, str]) -> None:
    columns = {"feed": "{url: HOME/feed, format: feed}", "pages": "{url: HOME/l}"}
    crawler.rules = "archive: {item: li.t, next: a.next}\ncolumns:\n" + "".join(f"  {name}: {columns[name]}\n" for name in order)
    home = crawler.portal.home
    link = link.replace("HOME", home).replace("HOST", home.removeprefix("http:"))
    crawler.portal.script |= {"/feed": feed(4, 3, 2, link=link), "/l": listing(4, 3, 2, next="/l/2"), "/l/2": listing(1)}
    crawler.crawl("--archive-only")
    assert len(crawler.outcomes) == 4, crawler.outcomes
    crawler.crawl("--archive-only", "--full")
    assert len(crawler.outcomes) == 4, crawler.outcomes


@pytest.mark.parametrize(
    "path", ["/feed/", "/rss/", "/feed.xml", "/rss.xml", "/atom.xml", "/index.xml", "/feeds/posts/default", "/feed.json"]
)
def test_five_lines_find_a_feed_at_its_usual_place(crawler: Crawler, path: str) -> None:
    crawler.head, crawler.rules = "portal: pelda\nhome: HOME/\nextends: feed\n", ""
    crawler.portal.script |= {"/": listing(8, 9), path: feed(2, 1)}
    assert crawler.crawl() == OK, crawler.said
    assert crawler.fetched == {"/c/1", "/c/2"}


def test_a_build_tells_of_days_that_a_feed_gives_and_the_pages_contradict(crawler: Crawler) -> None:
    crawler.rules = RULES
    numbers = range(1, 13)
    items = "".join(
        f"<item><title>Cikk {number}</title><link>/c/{number}</link><pubDate>Sat, 01 Jun 2024 10:{number:02}:00 GMT</pubDate></item>"
        for number in numbers
    )
    text = "<p>A tanács kedden szavazott a hídról, és hosszan beszélt róla.</p>" * 5
    crawler.portal.script |= {f"/c/{number}": f"<h1>Cikk {number}</h1><time>2023-03-{number:02}</time>{text}" for number in numbers}
    crawler.portal.script["/feed"] = Reply(f"<rss><channel>{items}</channel></rss>", kind="application/rss+xml")
    crawler.crawl()
    told = crawler.run("build", "--jobs", 1).err
    assert "`datePublished` by `listing:datePublished` gives for 12 of 12 documents something else than the page says" in told


@pytest.mark.parametrize(("zone", "is_told"), [("Europe/London", True), ("Europe/Budapest", False)])
def test_a_build_tells_that_a_rule_gives_another_moment_than_the_list(crawler: Crawler, zone: str, *, is_told: bool) -> None:
    crawler.head = crawler.head.replace("Europe/Budapest", zone)
    day = "datePublished: {css: i.day, date: yyyy. MMMM d. HH:mm}"
    crawler.rules = f"archive: {{url: HOME/l, item: li, fields: {{datePublished: {{css: time, attr: datetime}}}}}}\nmetadata: {{{day}}}\n"
    numbers = range(1, 13)
    moments = {number: f"2024-{1 + number % 6:02}-{number:02}T10:00:00+0{1 + (number % 6 > 2)}:00" for number in numbers}
    items = "".join(f"<li><h2><a href=/c/{number}>Cikk {number}</a></h2><time datetime={moments[number]}>ma</time>" for number in numbers)
    months = ("január", "február", "március", "április", "május", "június")
    text = "<p>A tanács kedden szavazott a hídról, és hosszan beszélt róla.</p>" * 5
    crawler.portal.script |= {
        f"/c/{number}": f"<h1>Cikk {number}</h1><i class=day>2024. {months[number % 6]} {number}. 10:00</i>{text}" for number in numbers
    }
    crawler.portal.script["/l"] = f"<ul>{items}</ul>"
    crawler.crawl()
    told = "`metadata.datePublished` gives for 12 of 12 documents something else than the list says, such as "
    said = crawler.run("build", "--jobs", 1).err
    assert (told in said) is is_told, said
    assert ("; what was listed by another `timezone`, `curator crawl --full --offline` reads again" in said) is is_told
