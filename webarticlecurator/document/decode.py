"""Turn the bytes of a response into its text, with the evidence that chose the encoding; what may be too long
to be held, piece by piece."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom, resolve_encoding

from webarticlecurator.model.capture import Capture
from webarticlecurator.model.page import Evidence, NoPage
from webarticlecurator.own_patterns import linear
from webarticlecurator.protocol.message import (
    GZIP_MAGIC,
    Unpacked,
    coding_names,
    codings_of,
    header,
    joined,
    unpack,
    unpacked_pieces,
)

MAX_UNPACKED = 64_000_000
"""Bytes of a body after its content coding was undone. The standard of sitemaps allows 50 MB."""
_SAMPLE = 50_000
"""Bytes that detection looks at: it is slow."""
_MARKUP = linear(rb"<(?:script|style)\b.*?</(?:script|style)|<[^<>]*>", re.DOTALL | re.IGNORECASE)
_NO_PAGE_CODECS = frozenset({"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape"})


_MOST_WRONG = 0.05
"""Share of the characters outside of ASCII that may be none in the encoding of the page."""
_SURE = frozenset((Evidence.BOM, Evidence.PORTAL))
"""Evidence that no odd character contradicts."""
_UTF_16_WITHOUT_MARK = {b"<\x00": "utf-16-le", b"\x00<": "utf-16-be"}
"""Codecs by the first bytes of markup."""
_READ_AS_ASCII = {"utf-16": "utf-8", "utf-16-le": "utf-8", "utf-16-be": "utf-8"}
"""Codecs that are not what a declaration says which could be read as ASCII."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a page, and why it is read so."""

    text: str
    encoding: str
    """Python's name of the codec."""
    evidence: Evidence
    utf8: bytes | None = None
    """The bytes that it was read from, where they are faultless UTF-8: whoever wants those need not make
    them again."""


class _Declaration(NamedTuple):
    """Says how a body is to be read."""

    codec: str
    evidence: Evidence
    mark: bytes = b""
    """The byte order mark before the text."""


def decode(capture: Capture, *, encoding: str | None = None) -> Decoded | NoPage:
    """Return the text; `encoding` is the portal file's rule. Bytes that fit no encoding become U+FFFD."""
    body = _without_codings(capture)
    if isinstance(body, NoPage):
        return body
    rule = None if capture.is_rendered else encoding
    tried: list[Decoded] = []
    for declaration in _declarations(body, header(capture.headers, "content-type"), rule):
        tried.append(_read_as(body, declaration))
        if _fits(tried[-1]):
            return tried[-1]
    tried.append(_read_as(body, _Declaration(_detect(body), Evidence.DETECTION)))
    return tried[-1] if _fits(tried[-1]) else tried[0]


def _without_codings(capture: Capture) -> bytes | NoPage:
    """Return the body as it was before it was packed."""
    codings = coding_names(joined(capture.headers, "content-encoding"))
    if strange := set(codings) - {"gzip", "deflate"}:
        return NoPage(f"packed as {min(strange)}, which we never ask for")
    unpacked = unpack(capture.entity, codings, MAX_UNPACKED, keep=True)
    if unpacked.too_big:
        return NoPage(f"more than {MAX_UNPACKED:,} bytes when unpacked")
    if capture.entity and not unpacked.content:
        return NoPage(f"damaged: the body is not {codings[-1]}, whatever its header says")
    return unpacked.content


def _read_as(body: bytes, declaration: _Declaration) -> Decoded:
    codec, evidence, mark = declaration
    body = body.removeprefix(mark)
    text, faultless = _read(body, codec)
    return Decoded(text, codec, evidence, body if faultless and codec == "utf-8" else None)


def _fits(decoded: Decoded) -> bool:
    """Return True if nothing in the text says that it is read wrongly."""
    wrong = decoded.text.count("\ufffd")
    return decoded.evidence in _SURE or wrong <= 2 or wrong <= _MOST_WRONG * _not_ascii(decoded.text)


def _not_ascii(text: str) -> int:
    return len(text) - len(text.encode("ascii", "ignore"))


def codec_for(start: bytes, content_type: str | None, encoding: str | None) -> str:
    """Return the codec of a text that is too long to be held, by its first bytes."""
    if start[:2] in _UTF_16_WITHOUT_MARK:
        return _UTF_16_WITHOUT_MARK[start[:2]]
    for declaration in _declarations(start, content_type, encoding):
        if _fits(_read_as(start, declaration)):
            return declaration.codec
    return _detect(
        start[:-4] if _read(start[:-4], "utf-8")[1] else start,
    )  # a character may be cut at its end


def codec_of(label: str) -> str | None:
    """Return Python's codec for a label as browsers read it (iso-8859-1 is windows-1252); None if there is
    no such encoding."""
    name = resolve_encoding(label.strip().strip("\"'"))
    if name is None:
        return None
    try:
        b"a".decode(name, "replace")
    except (LookupError, ValueError):  # Python calls base64 and zlib codecs, too
        return None
    name = codecs.lookup(name).name
    return name if name not in _NO_PAGE_CODECS else None


def _declarations(body: bytes, content_type: str | None, rule: str | None) -> Iterator[_Declaration]:
    codec, mark = read_bom(body)
    if codec is not None and mark is not None:
        yield _Declaration(codecs.lookup(codec).name, Evidence.BOM, mark)
    for label, evidence in _labels(body, content_type, rule):
        codec = codec_of(label or "")
        if codec is not None:
            yield _Declaration(codec, evidence)


def _has_utf8(body: bytes) -> bool:
    """Return True for bytes that are UTF-8, with letters that nothing but this writes so; the last one may be
    cut."""
    try:
        return not codecs.getincrementaldecoder("utf-8")().decode(body).isascii()
    except UnicodeError:
        return False


def _labels(body: bytes, content_type: str | None, rule: str | None) -> Iterator[tuple[str | None, Evidence]]:
    """Yield one label after the other, since looking for the last one takes longest."""
    yield rule, Evidence.PORTAL
    yield http_content_type_encoding(content_type), Evidence.HEADER
    declared = html_body_declared_encoding(body[:8192]) or ""
    if declared not in ("", "utf-8") and _has_utf8(body):
        yield "utf-8", Evidence.DETECTION
    yield _READ_AS_ASCII.get(declared, declared), Evidence.META


def _read(body: bytes, codec: str) -> tuple[str, bool]:
    """Return the text, and True if every byte of it fits the encoding."""
    try:
        return body.decode(codec), True
    except UnicodeError:
        return body.decode(codec, "replace"), False


def _detect(body: bytes) -> str:
    if _read(body, "utf-8")[1]:
        return "utf-8"
    sample = _MARKUP.sub(b" ", body[: 4 * _SAMPLE])[:_SAMPLE]
    return next((codec for codec in _guesses(sample) if _read(sample, codec)[1]), "cp1252")


def _guesses(sample: bytes) -> Iterator[str]:
    # Needed for few pages of few portals, and slow to load.
    from bs4.dammit import EncodingDetector

    yield from filter(None, map(codec_of, EncodingDetector(sample, is_html=False).encodings))


class LongText:
    """Reads the text of a response in pieces; when they are through, `flaw` and `cut_at_cap` tell what is
    missing."""

    def __init__(self, capture: Capture, encoding: str | None) -> None:
        self.flaw = ""
        """The reason why the end of it is missing."""
        self.cut_at_cap = False
        self._capture = capture
        self._encoding = encoding

    def pieces(self) -> Iterator[str]:
        """Yield the text without its byte order mark."""
        unpacked = self._unpacked()
        start = b""
        for piece in unpacked:
            start += piece
            if len(start) >= 65_536:  # by which the encoding is found
                break
        decoder = codecs.getincrementaldecoder(
            codec_for(start, header(self._capture.headers, "content-type"), self._encoding),
        )("replace")
        yield decoder.decode(start).lstrip("\ufeff")
        yield from map(decoder.decode, unpacked)
        yield decoder.decode(b"", True)

    def _unpacked(self) -> Iterator[bytes]:
        """Yield the bytes without the content coding, and without the packing of a file that was packed
        before it was sent."""
        body, codings = self._capture.entity, codings_of(joined(self._capture.headers, "content-encoding"))
        result = Unpacked()
        pieces: Iterator[bytes] = filter(None, unpacked_pieces(body, codings, MAX_UNPACKED, result))
        first = next(pieces, b"")
        pieces = (
            unpacked_pieces(body, ("gzip", *codings), MAX_UNPACKED, result)
            if first.startswith(GZIP_MAGIC)
            else chain([first], pieces)
        )
        size = 0
        for piece in pieces:
            size += len(piece)
            if size > MAX_UNPACKED:
                result.too_big = True
                break
            yield piece
        self.cut_at_cap = result.too_big
        if result.broken or result.cut:
            self.flaw = "what it is packed in breaks off" if result.cut else "what it is packed in is damaged"
