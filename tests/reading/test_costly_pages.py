"""A page that is made to be costly is read in a time that fits its size, and what is packed into little is not unpacked without end."""

from __future__ import annotations

import zlib
from datetime import UTC, datetime

import pytest
from read_bodies import BASE, body_of, portal_by, read
from working_time import at_most

from webarticlecurator import Capture, extract

SENTENCE = "The council met on Monday, and after a long debate it voted for the new bridge. "
LINES = f"<h1>The bridge</h1><p>{SENTENCE * 3}</p>"
SPARE = "<noscript><img src=/gat.jpg alt='A gát'></noscript>"
POST = "<article><header><h1><a href='/{0}/1'>A post</a></h1><time>2024</time></header><p>{1}</p></article>"

DEEP = {
    "boxes of one name": "<div class=related>" * 1_900 + SENTENCE * 2,
    "inlines": "<b>" * 1_900 + SENTENCE * 2,
    "branches": ("<div>" * 400 + f"<p>{SENTENCE}</p>" + "</div>" * 400) * 10,
    "menus": "<nav>" * 1_900 + "<p>x</p>" * 20_000 + LINES,
    "links around a long text": LINES + "<a href=/x>" * 1_900 + SENTENCE * 10_000,
    "articles": LINES + "<article>" * 1_900 + "<h1><a href=/x>x</a></h1>" * 5_000,
    "noscript": "<noscript>" * 1_900 + "<b></b>" * 20_000 + LINES,
}
MANY = {
    "lines that lead on": "<p>Read more <a href=/x>here</a>" * 5_000 + LINES,
    "headings named like furniture": "<h2 class=share>Share</h2>" * 5_000 + LINES,
    "lists of links": "<ul><li>" * 900 + "<p>So:</p>" + "<ul><li><a href=/x>to a page of that name</a></ul>" * 5_000 + LINES,
    "teasers": LINES + "".join(f"<div><b><a href=/c/{n}>The story number {n}</a></b><p>{SENTENCE}</p></div>" for n in range(3_000)),
    "posts": LINES + "".join(POST.format(number, SENTENCE * 3) for number in range(2_000)),
    "pictures without scripts": (SPARE + "<div><img class=lazy></div>") * 5_000 + LINES,
    "tags of no name": "<title>consent</title>accept<form>" + "<h1 " * 60_000,
    "comments that never end": "<title>captcha</title>accept<form>" + "<!--" * 60_000,
}


@pytest.mark.parametrize(
    "page", [*DEEP.values(), *MANY.values()], ids=[*(f"deep: {name}" for name in DEEP), *(f"many: {name}" for name in MANY)]
)
def test_a_hostile_page_takes_time_in_proportion_to_its_size(page: str) -> None:
    with at_most(6):
        assert read(page).outcome


@pytest.mark.nightly
def test_a_hundred_thousand_links_are_read_in_time() -> None:
    with at_most(30):
        assert read(LINES + "<p><a href=/x>link</a> and more.</p>" * 100_000).outcome


def test_of_a_thousand_rules_few_are_asked_for_an_element() -> None:
    tags = {"box": [f"div.k{number} > p.k{number}" for number in range(1_000)]}
    with at_most(3):
        assert len(body_of("<p class=k7>x</p>" * 2_000, tags).blocks) == 2_000


def test_a_bomb_is_not_unpacked() -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = b"".join([*(packer.compress(b"<p>x</p>" * 125_000) for _ in range(300)), packer.flush()])
    headers = (("Content-Type", "text/html"), ("Content-Encoding", "gzip"))
    capture = Capture(url=BASE, requested_url=BASE, status=200, headers=headers, entity=bomb, date=datetime(2024, 6, 1, tzinfo=UTC))
    with at_most(6):
        article = extract(capture, portal=portal_by())
    assert article.outcome == "unreadable"
    assert "unpacked" in article.reason
