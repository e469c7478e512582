from __future__ import annotations

import gzip
from datetime import UTC, datetime

import pytest

from webarticlecurator.document.long_texts import LongText, XmlFlaw, XmlReader
from webarticlecurator.model.capture import Capture


def capture(body: bytes, **headers: str) -> Capture:
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    url = "https://pelda.example/a.xml"
    return Capture(url=url, requested_url=url, status=200, headers=named, entity=body, date=datetime(2024, 5, 1, tzinfo=UTC))


def text_of(body: bytes, encoding: str | None = None, **headers: str) -> str:
    return "".join(LongText(capture(body, **headers), encoding).pieces())


@pytest.mark.parametrize("packed", [False, True])
def test_a_text_comes_in_pieces_and_whole(packed: bool) -> None:
    text = "<a>Árvíztűrő tükörfúrógép</a>\n" * 20_000
    body = gzip.compress(text.encode()) if packed else text.encode()
    pieces = list(LongText(capture(body), None).pieces())
    assert "".join(pieces) == text
    assert max(map(len, pieces)) < 150_000


def test_the_portal_file_decides_the_encoding() -> None:
    assert text_of("ő".encode("iso-8859-2"), "iso-8859-2", Content_Type="text/xml; charset=utf-8") == "ő"


def test_what_is_beyond_the_cap_is_left_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webarticlecurator.document.long_texts.MAX_UNPACKED", 200_000)
    for body in (b"x" * 300_000, gzip.compress(b"x" * 300_000)):
        text = LongText(capture(body), None)
        assert sum(map(len, text.pieces())) <= 200_000
        assert text.cut_at_cap


def test_a_packed_text_that_breaks_off_says_so() -> None:
    text = LongText(capture(gzip.compress(b"x" * 300_000)[:-20]), None)
    list(text.pieces())
    assert text.flaw == "what it is packed in breaks off"


@pytest.mark.parametrize("size", [1, 3, 7, 100])
def test_elements_and_their_text_are_told_as_they_pass_wherever_the_pieces_part(size: int) -> None:
    document = "<s:A xmlns:t='x'><t:b>1 &amp; 2 & 3 &nbsp; <![CDATA[4 & <5>]]></t:b></s:A>"
    told: list[str] = []
    reader = XmlReader(lambda name: told.append(f"<{name}>"), lambda name: told.append(f"</{name}>"), told.append)
    for start in range(0, len(document), size):
        reader.feed(document[start : start + size])
    reader.feed("", final=True)
    assert "".join(told) == "<a><b>1 & 2 & 3 &nbsp; 4 & <5></b></a>"
    assert reader.whole


def test_declared_entities_end_the_reading() -> None:
    reader = XmlReader(lambda _: None, lambda _: None, lambda _: None)
    with pytest.raises(XmlFlaw, match="declares entities"):
        reader.feed("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>")
