"""From the bytes of a response to its text, with the evidence that chose the encoding; what may be too long to be held, piece by piece."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom, resolve_encoding

from webarticlecurator.http.message import GZIP_MAGIC, Unpacked, coding_names, codings_of, header, joined, unpack, unpacked_pieces
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.page import Evidence, NoPage
from webarticlecurator.own_patterns import linear

MAX_UNPACKED = 64_000_000
"""Bytes of a body after its content coding was undone. The standard of sitemaps allows 50 MB."""
_SAMPLE = 50_000
"""Bytes that detection looks at: it is slow."""
_MARKUP = linear(rb"<(?:script|style)\b.*?</(?:script|style)|<[^<>]*>", re.DOTALL | re.IGNORECASE)
_NO_PAGE_CODECS = frozenset({"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape"})


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a page, and why we read it so."""

    text: str
    encoding: str
    """Python's name of the codec."""
    evidence: Evidence
    utf8: bytes | None = None
    """The bytes that it was read from, where they are faultless UTF-8: whoever wants those need not make them again."""


def decode(capture: Capture, *, encoding: str | None = None) -> Decoded | NoPage:
    """The text; `encoding` is the portal file's rule. Bytes that fit no encoding become U+FFFD."""
    body, codings = capture.entity, coding_names(joined(capture.headers, "content-encoding"))
    if codings:
        strange = next((name for name in codings if name not in ("gzip", "deflate")), None)
        if strange is not None:
            return NoPage(f"packed as {strange}, which we never ask for")
        unpacked = unpack(body, codings, MAX_UNPACKED, keep=True)
        if unpacked.too_big:
            return NoPage(f"more than {MAX_UNPACKED:,} bytes when unpacked")
        if not unpacked.content and body:
            return NoPage(f"damaged: the body is not {codings[-1]}, whatever its header says")
        body = unpacked.content
    declared = []
    encoding = None if capture.is_rendered else encoding
    for name, evidence in _declarations(body, header(capture.headers, "content-type"), encoding):
        declared.append((name, evidence))
        bare = body[len(read_bom(body)[1] or b"") :] if evidence is Evidence.BOM else body
        text, faultless = _read(bare, name)
        if evidence in (Evidence.BOM, Evidence.PORTAL) or not _contradicted(text):
            return Decoded(text, name, evidence, bare if faultless and name == "utf-8" else None)
    detected = _detect(body)
    if declared and _contradicted(body.decode(detected, "replace")):
        name, evidence = declared[0]
        return Decoded(body.decode(name, "replace"), name, evidence)
    return Decoded(body.decode(detected, "replace"), detected, Evidence.DETECTION)


def codec_for(start: bytes, content_type: str | None, encoding: str | None) -> str:
    """The codec of a text that is too long to be held, by its first bytes."""
    for codec, nul_at in (("utf-16-le", 1), ("utf-16-be", 0)):
        if start[:2].strip(b"\x00") == b"<" and start[nul_at : nul_at + 1] == b"\x00":
            return codec
    for name, evidence in _declarations(start, content_type, encoding):
        if evidence in (Evidence.BOM, Evidence.PORTAL) or not _contradicted(start.decode(name, "replace")):
            return name
    return _detect(start[:-4] if _read(start[:-4], "utf-8")[1] else start)  # a character may be cut at its end


def codec_of(label: str) -> str | None:
    """Python's codec for a label as browsers read it (iso-8859-1 is windows-1252); None: there is no such encoding."""
    name = resolve_encoding(label.strip().strip("\"'"))
    if name is None:
        return None
    try:
        b"a".decode(name, "replace")
    except (LookupError, ValueError):  # Python calls base64 and zlib codecs, too
        return None
    name = codecs.lookup(name).name
    return name if name not in _NO_PAGE_CODECS else None


def _declarations(body: bytes, content_type: str | None, rule: str | None) -> Iterator[tuple[str, Evidence]]:
    """One after the other, since looking for the last one takes longest."""
    mark, _ = read_bom(body)
    if mark is not None:
        yield codecs.lookup(mark).name, Evidence.BOM
    if rule and (codec := codec_of(rule)):
        yield codec, Evidence.PORTAL
    if (label := http_content_type_encoding(content_type)) and (codec := codec_of(label)):
        yield codec, Evidence.HEADER
    if (label := html_body_declared_encoding(body[:8192])) and (codec := codec_of(label)):
        # a declaration that could be read as ASCII is no UTF-16, whatever it says
        yield "utf-8" if codec.startswith("utf-16") else codec, Evidence.META


def _read(body: bytes, codec: str) -> tuple[str, bool]:
    """The text, and whether every byte of it fits the encoding."""
    try:
        return body.decode(codec), True
    except UnicodeError:
        return body.decode(codec, "replace"), False


def _contradicted(text: str) -> bool:
    wrong = text.count("\ufffd")
    return wrong > 2 and wrong > 0.05 * (len(text) - len(text.encode("ascii", "ignore")))


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
    """The text of a response, in pieces; when they are through, `flaw` and `cut_at_cap` say whether it was whole."""

    def __init__(self, capture: Capture, encoding: str | None) -> None:
        self.flaw = ""
        """Why the end of it is missing."""
        self.cut_at_cap = False
        self._capture = capture
        self._encoding = encoding

    def pieces(self) -> Iterator[str]:
        """Without byte order mark."""
        unpacked = self._unpacked()
        start = b""
        for piece in unpacked:
            start += piece
            if len(start) >= 65_536:  # by which the encoding is found
                break
        decoder = codecs.getincrementaldecoder(codec_for(start, header(self._capture.headers, "content-type"), self._encoding))("replace")
        yield decoder.decode(start).lstrip("\ufeff")
        yield from map(decoder.decode, unpacked)
        yield decoder.decode(b"", True)

    def _unpacked(self) -> Iterator[bytes]:
        """Without the content coding, and without the packing of a file that was packed before it was sent, whatever its name is."""
        body, codings = self._capture.entity, codings_of(joined(self._capture.headers, "content-encoding"))
        result = Unpacked()
        pieces: Iterator[bytes] = filter(None, unpacked_pieces(body, codings, MAX_UNPACKED, result))
        first = next(pieces, b"")
        pieces = unpacked_pieces(body, ("gzip", *codings), MAX_UNPACKED, result) if first.startswith(GZIP_MAGIC) else chain([first], pieces)
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
