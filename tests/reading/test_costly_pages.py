"""A page that is made to be costly is read in a time that fits its size, and what is packed into little is not unpacked without end."""

from __future__ import annotations

import zlib
from datetime import UTC, datetime

import pytest
from read_bodies import BASE, SENTENCE, portal_by, read
from told import ld, meta
from working_time import at_most

from webarticlecurator import Capture, extract

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
    "buttons around a long text": f"{LINES}<div>Get our paper <p><a href=/x>Sign up</a></div>{'<button>a' * 1_900}{SENTENCE * 10_000}",
    "noscript": "<noscript>" * 1_900 + "<b></b>" * 20_000 + LINES,
}
MANY = {
    "lines that lead on": "<p>Read more <a href=/x>here</a>" * 5_000 + LINES,
    "headings named like furniture": "<h2 class=share>Share</h2>" * 5_000 + LINES,
    "headings that lead to themselves": LINES + "".join(f"<h2 id=i{number}>Why<a href=#i{number}>#</a></h2>" for number in range(2_000)),
    "lists of links": "<ul><li>" * 900 + "<p>So:</p>" + "<ul><li><a href=/x>to a page of that name</a></ul>" * 5_000 + LINES,
    "teasers": LINES + "".join(f"<div><b><a href=/c/{n}>The story number {n}</a></b><p>{SENTENCE}</p></div>" for n in range(3_000)),
    "posts": LINES + "".join(POST.format(number, SENTENCE * 3) for number in range(2_000)),
    "marks of one note": LINES + f"<p>See {'<sup><a href=#x>1</a></sup>' * 5_000}<div id=x><p>A note{'<i></i>' * 40_000}</div>",
    "notes without links": LINES + "<p>See<sup>1</sup> and<sup>2</sup></p>" + "<div><p>1 One<p>2 Two</div>" * 5_000,
    "labels of one field": LINES + f"<div>{'<label>x</label>' * 10_000}<input></div>",
    "numbers of lines": LINES + "<table>" + "<tr><td>1<td><pre><b>1</b>x\n<b>2</b>y</pre>" * 5_000 + "</table>",
    "boxes that call": LINES
    + "".join(f"<div class=z{n}>Get our paper at home <p><a href=/s{n}>Sign up {n}</a></div>" for n in range(26_000)),
    "pictures without scripts": (SPARE + "<div><img class=lazy></div>") * 5_000 + LINES,
    "tags of no name": "<title>consent</title>accept<form>" + "<h1 " * 60_000,
    "comments that never end": "<title>captcha</title>accept<form>" + "<!--" * 60_000,
}

SEE = LINES + "<p>See"
NOTE_WITH_WAYS_BACK = "<a id=r{0} href=#x{0}>[1]</a><div id=x{0}>A note<span>" + "<a href=#r{0}>↑</a>" * 490 + "</span></div><p>See"
NOTES = {
    "lists beside exponents": f"{SEE}<sup>1</sup> and<sup>2</sup></p><ol>{'<li>One' * 20_000}</ol>",
    "numbered lines": f"{SEE}<sup>1</sup> and<sup>2</sup></p>" + "".join(f"<hr><p>{n}. One</p>" for n in range(1, 14_000)),
    "marks in inlines": f"{SEE}{'<span>' * 100}1{'<label for=x></label>' * 400}{'</span>' * 100}</p>",
    "marks that stand in each other": SEE + "<span><label for=x></label>" * 1_000,
    "marks deep in a line": SEE + "<span>" * 1_900 + "<sup>1</sup>" * 3_000,
    "links deep in a line": SEE + "<span>" * 1_900 + "<a href=#x>1</a>" * 3_000 + "</span>" * 1_900 + "<p id=x>1 A note",
    "links of one box": SEE + "<a href=#x>1</a>" * 5_000 + f"<div id=x><p>A note{'<a href=#y>a</a>' * 900}</div>",
    "ways back": SEE + "<a id=r href=#x>[1]</a><div id=x>A note<span>" + "<a href=#r>↑</a>" * 1_000 + "</span></div>",
    "notes with ways back": SEE + "".join(NOTE_WITH_WAYS_BACK.format(number) for number in range(20)),
    "notes in a line": SEE + "<sup>1</sup><span>" * 1_000,
    "blocks in blocks that begin with a mark": SEE + "<sup>*</sup> <sup>a</sup></p>" + "<div><sup>*</sup>" * 1_800 + "x",
    "notes in notes": "".join(
        [SEE, *(f"<sup><a href=#n{n}>1</a></sup>" for n in range(1_800)), *(f"<div id=n{n}>" for n in range(1_800)), "A note"]
    ),
    "notes deep in boxes": "<div>" * 1_500 + SEE + "<sup>1</sup><span>1 ab</span>" * 4_900,
}
"""Marks and what may be their notes."""

NAMED_BY_ITSELF = {"@type": "NewsArticle", "@id": "a", "headline": "x", "author": [{"@id": "a"}] * 300, "name": [{"@id": "a"}] * 300}
METADATA = {
    "headings in headings": "<h1>" * 300 + "x",
    "authors in authors": "<p class=author>" * 1500 + "By Ann Lee",
    "things in things": "<div itemscope itemtype=Article itemprop=author>" * 500 + "x",
    "data that name themselves": ld([NAMED_BY_ITSELF] * 20),
    "a long title": "<title>" + "a - " * 100_000,
    "brackets": meta(author="(" * 1900, keywords=", " * 900),
    "a long date": "<p class=date>2024" + " 1" * 100_000,
    "bylines": "<h1>A</h1>" + "<a rel=author href=/author/x>Ann Lee</a><time title=2024-05-01></time><a href=/tag/x>x</a>By" * 20_000,
    "teasers": "<div>" * 230 + "<h2><a href=/b>b</a></h2><p class=byline>By Ann Lee</p>" * 20_000,
}
HEAD = LINES.encode()
HUGE = {
    "10 MB of nesting": b"<div>" * 2_000_000,
    "as deep as it goes": HEAD + b"<div>" * 2_000 + b"x",
    "inlines as deep as it goes": HEAD + b"<b>x<i>y" * 1_000,
    "tables in tables": HEAD + b"<table><tr><td>x" * 600,
    "inlines never closed": HEAD + b"<p><b><i><u>x</p>" * 4_000,
    "an attribute of 10 MB": HEAD + b"<p title='" + b"x" * 10_000_000 + b"'>y",
    "a million classes": HEAD + b"<p class='" + b"a " * 1_000_000 + b"'>y",
    "a box and its title of 40,000 classes": HEAD
    + b"<p>x</p><div class='%s'><p class='%s'>T</p><p>A text.</p></div><p>y</p>" % (b"a " * 40_000, b"b " * 40_000),
    "a million attributes": HEAD + b"<p " + b" ".join(map(b"a%d".__mod__, range(1_000_000))) + b">y",
    "a word of 10 MB": HEAD + b"<p>" + b"x" * 10_000_000,
    "angle brackets": b"<" * 900_000,
    "entities of entities": b"<!DOCTYPE html [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;&a;'>]>" + HEAD + b"&b;" * 10_000,
    "a table of 10,000 rows": HEAD + b"<table>" + b"<tr><td>one</td><td>two</td></tr>" * 10_000,
    "links": HEAD + b"<p>" + b"<a href='/b c?d=%zz'>x</a> " * 10_000,
    "unknown tags": HEAD + b"".join(b"<x-%d class=c%d>x</x-%d>" % (number, number, number) for number in range(10_000)),
    "bylines": HEAD + b"<p class=byline>By " + b"Anna Kis and " * 50_000,
    "no bytes but zero": b"\0" * 3_000_000,
}
PAGES = {
    f"{kind}: {name}": page
    for kind, named in (("deep", DEEP), ("many", MANY), ("told", METADATA), ("huge", HUGE))
    for name, page in named.items()
}
NIGHTLY = [pytest.mark.nightly]


@pytest.mark.parametrize(
    "page", [pytest.param(page, id=name, marks=NIGHTLY if len(page) > 1_000_000 else []) for name, page in PAGES.items()]
)
def test_a_hostile_page_takes_time_in_proportion_to_its_size(page: str | bytes) -> None:
    with at_most(6 if len(page) < 1_000_000 else 20):
        assert read(page).outcome


@pytest.mark.parametrize("page", [pytest.param(page, id=name) for name, page in NOTES.items()])
def test_notes_take_little_time_whatever_the_page(page: str) -> None:
    with at_most(2):
        assert read(page).outcome


def test_a_bomb_is_not_unpacked() -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = b"".join([*(packer.compress(b"<p>x</p>" * 125_000) for _ in range(300)), packer.flush()])
    headers = (("Content-Type", "text/html"), ("Content-Encoding", "gzip"))
    capture = Capture(url=BASE, requested_url=BASE, status=200, headers=headers, entity=bomb, date=datetime(2024, 6, 1, tzinfo=UTC))
    with at_most(6):
        article = extract(capture, portal=portal_by())
    assert article.outcome == "unreadable"
    assert "unpacked" in article.reason
