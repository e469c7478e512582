from __future__ import annotations

import gzip
import zlib

import pytest
from trial_portal import capture_of

from webarticlecurator.document.decode import Decoded, codec_of, decode
from webarticlecurator.model.page import Evidence, NoPage

WORDS = "Árvíztűrő tükörfúrógép, és még néhány szó a felismeréshez: őszi hűvös, lődörgő kőműves."
LATIN2 = WORDS.encode("iso-8859-2")
META = b"<meta charset=iso-8859-2>"


def decoded(body: bytes, content_type: str = "text/html", *, rule: str | None = None, coding: str | None = None) -> Decoded:
    headers = (("Content-Type", content_type), *((("Content-Encoding", coding),) if coding else ()))
    result = decode(capture_of(body, headers=headers), encoding=rule)
    assert isinstance(result, Decoded), result
    return result


@pytest.mark.parametrize(
    ("body", "content_type", "rule", "evidence"),
    [
        (b"\xef\xbb\xbf" + WORDS.encode(), "text/html; charset=iso-8859-2", "windows-1250", Evidence.BOM),
        ("\ufeff".encode("utf-16-le") + WORDS.encode("utf-16-le"), "text/html", None, Evidence.BOM),
        (LATIN2, "text/html; charset=utf-8", "iso-8859-2", Evidence.PORTAL),
        (b"<meta charset=windows-1252>" + LATIN2, 'text/html; Charset="ISO-8859-2"', None, Evidence.HEADER),
        (META + LATIN2, "text/html", None, Evidence.META),
        (b'<meta http-equiv=Content-Type content="text/html; charset=iso-8859-2">' + LATIN2, "text/html", None, Evidence.META),
        (WORDS.encode(), "text/html", None, Evidence.DETECTION),
        (LATIN2, "text/html", None, Evidence.DETECTION),
        (META + LATIN2, "text/html; charset=nincs-ilyen", None, Evidence.META),
    ],
)
def test_the_first_evidence_decides_and_is_recorded(body: bytes, content_type: str, rule: str | None, evidence: Evidence) -> None:
    result = decoded(body, content_type, rule=rule)
    assert result.text.endswith(WORDS)
    assert result.evidence is evidence


def test_a_declaration_that_the_bytes_contradict_does_not_destroy_the_text() -> None:
    result = decoded(META + LATIN2, "text/html; charset=utf-8")
    assert result.text.endswith(WORDS)
    assert result.evidence is Evidence.META


def test_a_few_wrong_bytes_do_not_contradict_a_declaration() -> None:
    result = decoded((WORDS * 20).encode() + b"\xff", "text/html; charset=utf-8")
    assert (result.evidence, result.text[-1]) == (Evidence.HEADER, "\ufffd")


@pytest.mark.parametrize(
    ("label", "codec"),
    [
        ("iso-8859-1", "cp1252"),
        ("Latin1", "cp1252"),
        ("utf8", "utf-8"),
        ("gb2312", "gb18030"),
        ("base64", None),
        ("idna", None),
        ("x", None),
    ],
)
def test_labels_mean_what_they_mean_to_browsers(label: str, codec: str | None) -> None:
    assert codec_of(label) == codec


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", gzip.compress(WORDS.encode(), mtime=0)),
        ("x-gzip", gzip.compress(WORDS.encode(), mtime=0)),
        ("deflate", zlib.compress(WORDS.encode())),
        ("identity", WORDS.encode()),
        ("gzip", WORDS.encode()),
    ],
)
def test_content_codings_are_undone(coding: str, body: bytes) -> None:
    assert decoded(body, "text/html; charset=utf-8", coding=coding).text == WORDS


@pytest.mark.parametrize(("coding", "body"), [("br", b"x"), ("zstd", b"x"), ("gzip", b"\x1f\x8bgarbage"), ("deflate", b"")])
def test_what_cannot_be_unpacked_says_so_or_is_empty(coding: str, body: bytes) -> None:
    result = decode(capture_of(body, headers=(("Content-Encoding", coding),)))
    assert isinstance(result, NoPage) if body else isinstance(result, Decoded)


def test_a_bomb_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webarticlecurator.document.decode.MAX_UNPACKED", 1000)
    result = decode(capture_of(gzip.compress(b"x" * 100_000), headers=(("Content-Encoding", "gzip"),)))
    assert isinstance(result, NoPage)
    assert "unpacked" in result.reason
