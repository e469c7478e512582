"""Each column of the example portal, walked by hand: its pages lead to the articles that the truth names, and then they end."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from itertools import count

import pytest
from lxml import html

from webarticlecurator.example_portal import TODAY, ExamplePortal

Ask = Callable[..., object]


def _links(portal: ExamplePortal, text: str, xpath: str) -> list[str]:
    tree = html.fromstring(text)
    links = [re.sub(r"[?&]utm_\w+=\w+|#.*", "", link) for link in tree.xpath(xpath)]
    return [link if link.startswith("http") else portal.home + link for link in links]


_TEASERS = '//article[@class="teaser"]/h2/a/@href'


def _by_next_link(portal, ask, first: str, links: str, onward: str) -> Iterator[list[str]]:
    target = first
    while target:
        page = ask(target)
        text = page.body.decode("iso-8859-2" if "/regi/" in target else "utf-8")
        yield _links(portal, text, links)
        target = next(iter(html.fromstring(text).xpath(onward)), None)


def _by_number(portal, ask, template: str, links: str) -> Iterator[list[str]]:
    for number in count(1):
        page = ask(template.format(number))
        if page.status == 404 or not (found := _links(portal, page.text, links)):
            return
        yield found


def _numbered(portal, ask) -> Iterator[list[str]]:
    pager = html.fromstring(ask("/kultura/?oldal=1").text).xpath('//nav[@class="lapozo"]/*/text()')
    for number in range(1, max(map(int, pager)) + 1):
        yield _links(portal, ask(f"/kultura/?oldal={number}").text, _TEASERS)


def _calendar(portal, ask) -> Iterator[list[str]]:
    for days in range((date(2024, 5, 15) - date(2024, 3, 1)).days + 1):
        day = date(2024, 5, 15) - timedelta(days=days)
        yield _links(portal, ask(f"/archivum/{day:%Y/%m/%d}/").text, _TEASERS)


def _months(portal, ask) -> Iterator[list[str]]:
    for year, month in ((2011, 2), (2011, 1), (2010, 12), (2010, 11), (2010, 10), (2010, 9)):
        first = f"/regi/index.php?ev={year}&ho={month:02d}"
        yield from _by_next_link(
            portal, ask, first, '//tr[@class="cikksor"]/td/a/@href', '//p[@class="lapozo"]/a[starts-with(., "következő")]/@href'
        )


def _posted(portal, ask) -> Iterator[list[str]]:
    for number in count(1):
        answer = json.loads(ask("/api/gyorshirek", method="POST", body=f"lap={number}".encode()).text)
        found = _links(portal, answer["html"], "//li/a/@href")
        if not found:
            return
        yield found


def _cursor(_portal, ask) -> Iterator[list[str]]:
    target = "/api/podcast"
    while target:
        answer = json.loads(ask(target).text)
        yield [item["link"]["url"] for item in answer["adasok"]]
        target = answer["kovetkezo"]


_WALKS: dict[str, Callable[..., Iterator[list[str]]]] = {
    "belfold": lambda portal, ask: _by_next_link(portal, ask, "/belfold/", _TEASERS, '//a[@class="kovetkezo"]/@href'),
    "kultura": _numbered,
    "naptar": _calendar,
    "english": lambda portal, ask: _by_number(portal, ask, "/en/latest?page={}", _TEASERS),
    "deutsch": lambda portal, ask: _by_number(portal, ask, "/de/mehr/{}", _TEASERS),
    "francais": lambda portal, ask: iter([_links(portal, ask("/fr/").text, _TEASERS)]),
    "regi": _months,
    "gyorshirek": _posted,
    "podcast": _cursor,
    "forum": lambda portal, ask: _by_next_link(
        portal, ask, "/forum/?lap=1", '//tr[@class="tema"]/td/a/@href', '//p[@class="lapok"]/span/following-sibling::a[1]/@href'
    ),
    "blog": lambda portal, ask: _by_number(portal, ask, "/blog/page/{}/", '//div[@class="bejegyzes-kivonat"]/h2/a/@href'),
}


def test_there_is_a_walk_for_every_column(portal: ExamplePortal) -> None:
    assert set(_WALKS) == set(portal.articles)


@pytest.mark.parametrize("column", _WALKS)
def test_a_column_leads_to_the_articles_that_the_truth_names(portal: ExamplePortal, ask: Ask, column: str) -> None:
    pages = list(_WALKS[column](portal, ask))
    assert [link for page in pages for link in page] == list(portal.articles[column])
    assert len([page for page in pages if page]) == portal.page_counts[column]


@pytest.mark.parametrize("column", [name for name in _WALKS if name not in ("naptar", "regi")])
def test_a_new_article_stands_at_the_head_of_its_column(portal: ExamplePortal, ask: Ask, column: str) -> None:
    (new,) = portal.publish(1, column)
    assert next(_WALKS[column](portal, ask))[0] == new
    assert new in portal.article_urls
    assert portal.truth(new).datePublished.date() == TODAY.date()


def test_a_calendar_has_days_without_articles_and_days_that_are_none(ask: Ask) -> None:
    assert "teaser" not in ask("/archivum/1999/01/01/").text
    assert ask("/archivum/2024/02/31/").status == 404


def test_every_article_is_in_some_column_and_some_are_in_two(portal: ExamplePortal) -> None:
    listed = [url for urls in portal.articles.values() for url in urls]
    assert len(portal.article_urls) == 60 < len(listed)


def test_the_pinned_article_tops_every_page_of_its_column(portal: ExamplePortal, ask: Ask) -> None:
    pinned = '//article[@class="teaser kituzott"]/h2/a/@href'
    first, second = (_links(portal, ask(path).text, pinned) for path in ("/belfold/", "/belfold/?oldal=2"))
    assert first == second == [portal.articles["belfold"][-1]]


def test_removed_articles_leave_the_archive(portal: ExamplePortal, ask: Ask) -> None:
    missing, hidden, gone = portal.articles["english"][:3]
    portal.remove(missing)
    portal.remove(hidden, status=200)
    portal.remove(gone, status=410)
    assert [ask(url).status for url in (missing, hidden, gone)] == [404, 200, 410]
    assert list(portal.articles["english"]) == [link for page in _WALKS["english"](portal, ask) for link in page]
    assert not {missing, hidden, gone} & portal.article_urls


def test_new_articles_cannot_go_to_a_column_of_the_past(portal: ExamplePortal) -> None:
    with pytest.raises(ValueError, match="regi"):
        portal.publish(1, "regi")
