"""Whatever bytes a server sent, they end in an outcome: nothing is raised, nothing takes for ever, and every document is valid.

`CURATOR_TEST_FUZZ` says how many mutated pages are read (150).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from documents import capture_of, document_of, read_capture, real_pages
from hypothesis import example, given, settings
from hypothesis import strategies as st
from trial_portal import portal_of

from webarticlecurator.config.portal import Portal
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.tei import validate

EXAMPLES = int(os.environ.get("CURATOR_TEST_FUZZ", "150"))
SECONDS = 20.0
"""Of CPU for the worst page here; a machine that is busy with other things may be five times as slow as ours."""
DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
_SENTENCE = "The council met on Tuesday and talked for hours about the bridge. "
_PAGE = f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A bridge | Example</title>
<script type="application/ld+json">{{"@context": "https://schema.org", "@type": "LiveBlogPosting", "headline": "A bridge",
"author": [{{"@type": "Person", "name": "Anna Kis"}}], "datePublished": "2024-05-01T10:00:00+02:00", "keywords": ["bridge", "river"],
"liveBlogUpdate": [{{"@type": "BlogPosting", "headline": "Now", "articleBody": "It has begun."}}]}}</script>
<meta property="og:title" content="A bridge"><meta name="author" content="Anna Kis"></head><body><nav><a href="/">Home</a></nav>
<article><h1>A bridge</h1><p class="byline">By <a rel="author" href="/anna">Anna Kis</a>, <time datetime="2024-05-01">1 May 2024</time></p>
<p><b>{_SENTENCE * 3}</b></p><figure><img src="/a.jpg" alt="Bridge"><figcaption>The bridge.
<span class="credit">Photo: MTI</span></figcaption></figure><p>{_SENTENCE * 4}<a href="/b c">more</a> <q lang="fr">oui</q></p>
<h2>Figures</h2><table><caption>Cars</caption><tr><th>Year</th>
<th>Cars</th></tr><tr><td rowspan="2">2023</td><td>7</td></tr></table><ul><li>one<ol><li>two</li></ol></li></ul><blockquote
class="twitter-tweet"><p>Hello</p><a href="https://twitter.com/a/status/1">1 May</a></blockquote><p>{_SENTENCE * 4}</p><p>It has begun.</p>
<pre>a  b</pre><dl><dt>a</dt><dd>b</dd></dl><iframe src="https://video.example/1"></iframe></article><footer>Imprint</footer></body></html>"""
PORTALS = (
    portal_of(),
    portal_of(
        body={
            "root": ["article", "body"],
            "tags": {
                "decompose": ["nav", "p:contains('more')"],
                "box": ["div:has(> p)"],
                "quote": ["li"],
                "split": {"b": ["lead", "bold"]},
            },
        },
        posts={"comments": {"item": "p", "author": "a", "time": "time", "text": "b"}},
        metadata={"author": {"css": "a", "split": ","}, "datePublished": {"css": "time", "date": ["auto", "yyyy. MMMM d."]}},
    ),
)
"""Without rules, and with rules that fit these pages badly."""


@cache
def seeds() -> list[bytes]:
    """What is mutated: a page of ours, and real ones where they are at hand."""
    real = islice(real_pages(DATA), 0, None, 40) if DATA.is_dir() else ()
    return [_PAGE.encode(), *(page.capture.entity for page in real)]


def outcome_of(capture: Capture, portal: Portal) -> PageOutcome:
    """What becomes of a page; a document that was made of it is valid."""
    begin = time.process_time()
    read = read_capture(capture, portal)
    if isinstance(read, str):
        assert read, "a page without an outcome"
        return PageOutcome.UNREADABLE
    _, article = read
    assert article.outcome is PageOutcome.ARTICLE or article.reason
    assert validate(document_of(article, portal)) == ()
    assert time.process_time() - begin < SECONDS
    return article.outcome


# --- mutations ---


@st.composite
def _mutant(draw: st.DrawFn) -> bytes:
    """A page that was cut, joined, repeated, shuffled or damaged, perhaps several times."""
    page = draw(st.sampled_from(seeds()))
    for _ in range(draw(st.integers(1, 4))):
        place = st.integers(0, max(0, len(page) - 1))
        first, second = sorted((draw(place), draw(place)))
        page = draw(st.sampled_from(_MUTATIONS))(page, first, second, draw)
    return page[:2_000_000]


_Mutation = Callable[[bytes, int, int, st.DrawFn], bytes]


def _splice(page: bytes, first: int, second: int, draw: st.DrawFn) -> bytes:
    return page[:first] + draw(st.sampled_from(seeds()))[second:]


def _flip(page: bytes, first: int, second: int, draw: st.DrawFn) -> bytes:
    damaged = bytearray(page)
    for place in range(first, second, max(1, (second - first) // draw(st.integers(1, 60)))):
        damaged[place] ^= 1 << draw(st.integers(0, 7))
    return bytes(damaged)


def _insert(page: bytes, first: int, _: int, draw: st.DrawFn) -> bytes:
    piece = draw(st.one_of(st.sampled_from(_PIECES), st.binary(max_size=20)))
    return page[:first] + piece * draw(st.sampled_from((1, 2, 50))) + page[first:]


_MUTATIONS: tuple[_Mutation, ...] = (
    lambda page, first, *_: page[:first],
    lambda page, first, *_: page[first:],
    lambda page, first, second, *_: page[:first] + page[second:],
    lambda page, first, second, *_: page[:second] + page[first:],
    lambda page, *_: page.replace(b"</p>", b"").replace(b"</div>", b""),
    lambda page, *_: page.replace(b"<p", b"<li").replace(b"<div", b"<td"),
    lambda page, *_: page.replace(b">", b">\x00", 40),
    lambda page, *_: page.decode("utf-8", "replace").encode("utf-16"),
    _splice,
    _flip,
    _insert,
)
_PIECES = (
    *(b"<", b">", b"<!--", b"-->", b"]]>", b"<?x?>", b"&#0;", b"&#xD800;", b"&#xFFFF;", b"\xff\xfe", b"\xed\xa0\x80", b"\r"),
    *(b"<table>", b"</table>", b"<td>", b"<li>", b"<figure>", b"<figcaption>", b"</article>", b"<blockquote>", b"<pre>", b"<svg>", b"<b>"),
    *(b"</html>", b"<html>", b"<script>", b"<base href='http://[::1'>", b"<a href='http://[bad'>x", b"<img src='javascript:1'>"),
    *(b"<time datetime='9999-99-99T99:99'>x</time>", b'<p id="a b" class="\x0b">x', b"<x:y z:w='1'>q</x:y>"),
    b"<p xml:id='1' lang='not a language!'><q lang='--'>x</q>",
)


@given(
    page=_mutant(),
    portal=st.sampled_from(PORTALS),
    mime=st.sampled_from(("text/html", "text/html; charset=iso-8859-2", "text/html; charset=utf-16", "text/html; charset=none", "")),
)
@settings(max_examples=EXAMPLES, deadline=None)
def test_a_damaged_page_has_an_outcome(page: bytes, portal: Portal, mime: str) -> None:
    outcome_of(capture_of(page, mime=mime), portal)


@given(page=st.binary(max_size=3_000), url=st.sampled_from(("https://pelda.example/", "https://pelda.example/%FF?á", "http://[::1]/")))
@example(page=b"", url="https://pelda.example/")
@example(page=b"\xef\xbb\xbf", url="https://pelda.example/")
@settings(max_examples=EXAMPLES, deadline=None)
def test_random_bytes_have_an_outcome(page: bytes, url: str) -> None:
    outcome_of(capture_of(page, url), PORTALS[0])


# --- pages made to hurt ---

_HEAD = f"<html><body><h1>A bridge</h1><article><p>{_SENTENCE * 9}</p>".encode()


def _ld(value: bytes) -> bytes:
    return b'<script type="application/ld+json">' + value + b"</script>" + _HEAD


HOSTILE = {
    "10 MB of nesting": b"<div>" * 2_000_000,
    "10 MB of nesting with attributes": b"<div class='a b c d e f g h i j k'>" * 290_000,
    "as deep as it goes": _HEAD + b"<div>" * 2_000 + b"x",
    "inlines as deep as it goes": _HEAD + b"<b>x<i>y" * 1_000,
    "tables in tables": _HEAD + b"<table><tr><td>x" * 600,
    "lists in lists": _HEAD + b"<ul><li>x" * 900,
    "figures in figures": _HEAD + b"<figure><figcaption class=credit>x" * 900,
    "posts in posts": _HEAD + b"<blockquote class=twitter-tweet><p>x<a href=https://twitter.com/a/status/1>y</a>" * 600,
    "inlines never closed": _HEAD + b"<p><b><i><u>x</p>" * 4_000,
    "an attribute of 10 MB": _HEAD + b"<p title='" + b"x" * 10_000_000 + b"'>y",
    "a million classes": _HEAD + b"<p class='" + b"a " * 1_000_000 + b"'>y",
    "a million attributes": _HEAD + b"<p " + b" ".join(b"a%d" % number for number in range(1_000_000)) + b">y",
    "a name of 2 MB": _HEAD + b"<" + b"x" * 2_000_000 + b">y",
    "a word of 10 MB": _HEAD + b"<p>" + b"x" * 10_000_000,
    "blanks": _HEAD + b"<p>x" + b" " * 10_000_000 + b"y",
    "line breaks": _HEAD + b"<br>x" * 30_000,
    "marks on a letter": _HEAD + b"<p>a" + "\u0301".encode() * 200_000,
    "angle brackets": b"<" * 900_000,
    "ampersands": _HEAD + b"&" * 1_000_000,
    "entities of entities": b"<!DOCTYPE html [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;&a;'>]>" + _HEAD + b"&b;" * 10_000,
    "a table of 10,000 rows": _HEAD + b"<table>" + b"<tr><td>one</td><td>two</td></tr>" * 10_000,
    "cells over cells": _HEAD + b"<table>" + b"<tr><td colspan=9999 rowspan=9999>x<td>y" * 3_000,
    "pictures": _HEAD + b"<figure><img src=/a.jpg><figcaption>c <i class=credit>MTI</i></figcaption></figure>" * 4_000,
    "a set of pictures": _HEAD + b"<img srcset='" + b"a.jpg 1x, " * 300_000 + b"'>",
    "links": _HEAD + b"<p>" + b"<a href='/b c?d=%zz'>x</a> " * 10_000,
    "headings": _HEAD + b"<h1>a</h1><h2>b</h2><h3>c</h3><h4>d</h4><h5>e</h5><h6>f</h6>" * 2_000,
    "unknown tags": _HEAD + b"".join(b"<x-%d class=c%d>x</x-%d>" % (number, number, number) for number in range(10_000)),
    "bylines": _HEAD + b"<p class=byline>By " + b"Anna Kis and " * 50_000,
    "dates": _HEAD + b"".join(b"<time>%d May 2024</time>" % number for number in range(5_000)),
    "brackets in JSON-LD": _ld(b"[" * 2_000_000),
    "broken JSON-LD": _ld(b'{"@type": "NewsArticle", "headline": "a' + b'\\"' * 1_000_000),
    "many authors": _ld(b'{"@type": "NewsArticle", "author": [' + b", ".join(b'"Anna K%d"' % number for number in range(50_000)) + b"]}"),
    "a title of titles": b"<title>" + b"a - b | " * 300_000 + b"</title>" + _HEAD,
    "no end to the end": _HEAD + b"</html><p>x" * 10_000,
    "no bytes but zero": b"\0" * 3_000_000,
}


@pytest.mark.parametrize("page", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_page_made_to_hurt_has_an_outcome_in_time(page: bytes) -> None:
    assert outcome_of(capture_of(page), PORTALS[0]) in (PageOutcome.ARTICLE, PageOutcome.EMPTY, PageOutcome.UNREADABLE)
