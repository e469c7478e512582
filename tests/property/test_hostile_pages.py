"""Pages made to hurt: whatever bytes a server sent, they end in an outcome, in time."""

from __future__ import annotations

from time import process_time

import pytest

from webarticlecurator import extract

SECONDS = 20.0
"""Of CPU for the worst page; a machine that is busy with other things may be five times as slow as ours."""
SENTENCE = "The council met on Tuesday and talked for hours about the bridge. "
BY_DAY = (
    "10 MB of nesting",
    "an attribute of 10 MB",
    "a million classes",
    "angle brackets",
    "entities of entities",
    "brackets in JSON-LD",
    "links",
)


_HEAD = f"<html><body><h1>A bridge</h1><article><p>{SENTENCE * 9}</p>".encode()


def _ld(value: bytes) -> bytes:
    return b'<script type="application/ld+json">' + value + b"</script>" + _HEAD


HOSTILE = {
    "10 MB of nesting": b"<div>" * 2_000_000,
    "as deep as it goes": _HEAD + b"<div>" * 2_000 + b"x",
    "inlines as deep as it goes": _HEAD + b"<b>x<i>y" * 1_000,
    "tables in tables": _HEAD + b"<table><tr><td>x" * 600,
    "inlines never closed": _HEAD + b"<p><b><i><u>x</p>" * 4_000,
    "an attribute of 10 MB": _HEAD + b"<p title='" + b"x" * 10_000_000 + b"'>y",
    "a million classes": _HEAD + b"<p class='" + b"a " * 1_000_000 + b"'>y",
    "a million attributes": _HEAD + b"<p " + b" ".join(b"a%d" % number for number in range(1_000_000)) + b">y",
    "a word of 10 MB": _HEAD + b"<p>" + b"x" * 10_000_000,
    "angle brackets": b"<" * 900_000,
    "entities of entities": b"<!DOCTYPE html [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;&a;'>]>" + _HEAD + b"&b;" * 10_000,
    "a table of 10,000 rows": _HEAD + b"<table>" + b"<tr><td>one</td><td>two</td></tr>" * 10_000,
    "links": _HEAD + b"<p>" + b"<a href='/b c?d=%zz'>x</a> " * 10_000,
    "unknown tags": _HEAD + b"".join(b"<x-%d class=c%d>x</x-%d>" % (number, number, number) for number in range(10_000)),
    "bylines": _HEAD + b"<p class=byline>By " + b"Anna Kis and " * 50_000,
    "brackets in JSON-LD": _ld(b"[" * 2_000_000),
    "no bytes but zero": b"\0" * 3_000_000,
}


@pytest.mark.parametrize(
    "page", [pytest.param(page, id=name, marks=[] if name in BY_DAY else [pytest.mark.nightly]) for name, page in HOSTILE.items()]
)
def test_a_page_made_to_hurt_has_an_outcome_in_time(page: bytes) -> None:
    begin = process_time()
    outcome = extract(page, "https://pelda.example/cikk/1").outcome
    assert outcome in ("article", "empty", "unreadable")
    assert process_time() - begin < SECONDS
