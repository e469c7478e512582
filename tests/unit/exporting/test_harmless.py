"""Values from hostile pages, in the places of an export."""

from __future__ import annotations

import pytest

from webarticlecurator.exporting.harmless import csv_cell, plain


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("a\tb\nc", "a\tb\nc"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("a\x00b\x1b[31m\x84c\x7f", "ab[31mc"),
        ("one\x0btwo\x0cthree\x1ffour\x85five", "one two three four five"),
        ("half \ud83d", "half \ufffd"),
        ("\ufffenone\uffff", "none"),
        ("soft\u00adly", "softly"),
        ("\u202eflipped", "flipped"),
        ("whole 😀 Ő", "whole 😀 Ő"),
    ],
)
def test_plain_text_has_no_characters_that_a_file_should_not_hold(text: str, clean: str) -> None:
    assert plain(text) == clean


@pytest.mark.parametrize("text", ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "-", "+36 1 234", "--5"])
def test_what_begins_a_formula_gets_an_apostrophe(text: str) -> None:
    assert csv_cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "a=1", "-5", "+3.5", "-3,5", "1=2", "'=1"])
def test_other_texts_and_numbers_stay_as_they_are(text: str) -> None:
    assert csv_cell(text) == text
