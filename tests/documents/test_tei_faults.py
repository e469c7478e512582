"""Why a document is not valid."""

from __future__ import annotations

import pytest
from lxml import etree
from seams import faults_of
from tei_documents import p, write

TEXT = p()
P = '<p xml:id="pelda-0123456789abcdef.b1">szöveg</p>'


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (P, "<nonsense/>", "nonsense"),
        (P, "<p>szöveg", "not well-formed"),
        (P, '<p who="x">szöveg</p>', "who"),
        (P, '<p corresp="#nowhere">szöveg</p>', "corresp points to #nowhere, which is not there"),
        (P, '<p generatedBy="human">szöveg</p>', "p has generatedBy"),
        (P, '<p><figure type="image"><p>x</p></figure><q><list><item><p>y</p></item></list></q></p>', ""),
        (P, "<lg><lg><milestone unit='x'/></lg></lg>", "lg"),
        (P, '<p xml:id="pelda-0123456789abcdef">szöveg</p>', "already defined"),
        (P, "<p\nxml:id = 'pelda-0123456789abcdef'>szöveg</p>", "already defined"),
        (P, '<p xml:id="2 words">szöveg</p>', "Invalid attribute id"),
        (P, '<p>xml:id="x" xml:id="x"</p>', ""),
        (P, '<quote subtype="x"/>', "quote has a subtype but no type"),
        (' xml:id="pelda-0123456789abcdef"', "", "TEI"),
        ('<div type="content">', '<div type="other">', "div"),
    ],
)
def test_what_is_wrong_is_said(old: str, new: str, said: str) -> None:
    document = write(TEXT).content.decode()
    assert old in document
    reasons = faults_of(document.replace(old, new).encode())
    assert said in "\n".join(reasons)
    assert bool(said) is bool(reasons)


def test_a_tree_will_do() -> None:
    assert faults_of(etree.fromstring(write(TEXT).content).getroottree()) == ()


@pytest.mark.parametrize("content", [b"", b"\x00", b"<TEI", b"\xff\xfe", b"<a/>", b'<!DOCTYPE a [<!ENTITY b "b">]><a>&b;</a>'])
def test_nothing_raises(content: bytes) -> None:
    assert faults_of(content) != ()


def test_there_are_never_more_reasons_than_a_person_reads() -> None:
    document = write(*[TEXT] * 200).content
    assert len(faults_of(document.replace(b"<p xml:", b'<p corresp="#x" xml:'))) == 10
