"""What could hurt whoever opens an export."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from webarticlecurator.exporting.harmless import csv_cell, file_name, one_line, plain

ANY = st.text(st.characters(exclude_categories=()), max_size=60)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Híd a Dunán", "Híd a Dunán"),
        ("a\x00b\x1b[31mc", "ab[31mc"),
        ("one\r\ntwo\rthree\u2028four\x85five\x1fsix", "one\ntwo\nthree four five six"),
        ("half \ud83d a smiley", "half \ufffd a smiley"),
        ("hy\u00adphen", "hyphen"),
        ("\u202egnp.exe", "gnp.exe"),
        ("\u05d0\u202e\u05d1", "\u05d0\u05d1"),
        ("no char\uffff", "no char"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
        ("a\tb\u00a0c", "a\tb\u00a0c"),
    ],
)
def test_plain_text_steers_nothing(text: str, expected: str) -> None:
    assert plain(text) == expected


@given(ANY)
def test_whatever_comes_is_unicode_that_xml_may_hold_and_stays_so(text: str) -> None:
    clean = plain(text)
    assert clean.encode("utf-8").decode() == clean
    etree.Element("a").text = clean  # raises on what XML cannot hold
    assert plain(clean) == clean
    assert not re.search("[\r\x00\x1b\u202d\u202e]", clean)


@given(ANY)
def test_one_line_is_one(text: str) -> None:
    assert len(one_line(text).splitlines()) <= 1
    assert "\t" not in one_line(text)


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", " =1", "%0A=1", "\n=1", "-", "+36 1 234", "--5", "＝1"],
)
def test_no_cell_begins_a_formula(text: str) -> None:
    assert csv_cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["-5", "+3.2", "-1,5", "Duna", "", "a=b", "2024-05-01", "1=2", "'=1"])
def test_numbers_and_words_stay_as_they_are(text: str) -> None:
    assert csv_cell(text) == text


@given(ANY)
def test_a_file_name_is_one_on_every_system(text: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,119}", file_name(text))


def test_two_texts_never_share_a_file_name() -> None:
    assert len({file_name(text) for text in ("a/b", "a-b", "a b", "á-b", "A-b", "..", ".")}) == 7
    assert file_name("pelda-0123456789abcdef") == "pelda-0123456789abcdef"
