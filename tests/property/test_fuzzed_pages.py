"""Whatever bytes a server sent, they end in an outcome: nothing is raised, nothing takes for ever, and every document is valid.

`CURATOR_TEST_FUZZ` says how many mutated pages are read (150).
"""

from __future__ import annotations

import os

import pytest
from broken_pages import BROKEN_PAGES, PORTALS, SENTENCE, outcome_of
from documents import capture_of
from hypothesis import example, given, settings
from hypothesis import strategies as st

from webarticlecurator.config.portal import Portal
from webarticlecurator.model.outcome import PageOutcome

EXAMPLES = int(os.environ.get("CURATOR_TEST_FUZZ", "150"))


@given(
    page=BROKEN_PAGES,
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

_HEAD = f"<html><body><h1>A bridge</h1><article><p>{SENTENCE * 9}</p>".encode()


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
