"""Texts that may be too long to be held: unpacked, decoded and parsed piece by piece; no tree, no entities, no DTD, no network."""

from __future__ import annotations

import codecs
import html
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from xml.parsers import expat

from webarticlecurator.document.decode import codec_for, is_unpacked
from webarticlecurator.document.safe_xml import NO_XML
from webarticlecurator.http.codings import GZIP_MAGIC, Unpacked, codings_of, unpacked_pieces
from webarticlecurator.model.capture import Capture

MAX_UNPACKED = 64_000_000
"""Bytes of one document; what follows is left unread, and the reader says so. The standard of sitemaps allows 50 MB."""
MAX_DEPTH = 64
LONGEST_TEXT = 8_192
"""Characters of one element that are kept."""
_LONGEST_TAG = 1_000_000
"""Bytes that the parser may wait for the end of one tag: it looks at them anew with each piece."""
_START = 65_536
_BARE_AMPERSAND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});)")
_LONGEST_REFERENCE = 12


class LongText:
    """The text of a response, in pieces; when they are through, `flaw` and `cut_at_cap` say whether it was whole."""

    def __init__(self, capture: Capture, encoding: str | None) -> None:
        self.flaw = ""
        """Why the end of it is missing."""
        self.cut_at_cap = False
        self._capture = capture
        self._encoding = encoding

    def pieces(self) -> Iterator[str]:
        """Never empty ones; without byte order mark."""
        unpacked = self._unpacked()
        start = b""
        for piece in unpacked:
            start += piece
            if len(start) >= _START:
                break
        decoder = codecs.getincrementaldecoder(codec_for(start, self._capture.header("Content-Type"), self._encoding))("replace")
        first = decoder.decode(start).lstrip("\ufeff")
        yield from filter(None, chain([first], map(decoder.decode, unpacked), [decoder.decode(b"", True)]))

    def _unpacked(self) -> Iterator[bytes]:
        """Without the content coding, and without the packing of a file that was packed before it was sent, whatever its name is."""
        body, codings = self._capture.entity, codings_of(self._capture.header("Content-Encoding"))
        if is_unpacked(body, codings):
            codings = ()
        result = Unpacked()
        pieces = _merged(unpacked_pieces(body, codings, MAX_UNPACKED, result))
        first = next(pieces, b"")
        if first.startswith(GZIP_MAGIC):
            pieces = _merged(unpacked_pieces(body, ("gzip", *codings), MAX_UNPACKED, result))
            first = next(pieces, b"")
        size = 0
        for piece in chain([first], pieces):
            size += len(piece)
            if size > MAX_UNPACKED:
                result.too_big = True
                break
            yield piece
        self.cut_at_cap = result.too_big
        if result.broken or result.cut:
            self.flaw = "what it is packed in breaks off" if result.cut else "what it is packed in is damaged"


def _merged(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Without empty ones."""
    return (piece for piece in pieces if piece)


class XmlFlaw(Exception):
    """Why the rest of a document is not read."""


class XmlReader:
    """Tells of the elements of a document as they pass; names are without prefix, whether or not that is declared, and in lower case.

    A bare `&` is mended, every other entity is text: none is ever replaced by what a document declares.
    """

    def __init__(self, start: Callable[[str], None], end: Callable[[str], None], text: Callable[[str], None]) -> None:
        self._parser = parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.EntityDeclHandler = self._entity
        parser.StartCdataSectionHandler = lambda: self._switch(True)
        parser.EndCdataSectionHandler = lambda: self._switch(False)
        self._told = (start, end, text)
        self._depth = 0
        self._in_cdata = False
        self._held = ""
        """The end of the last piece, where a reference may go on in the next."""
        self._fed = 0
        self.whole = False
        """The root has ended."""

    def feed(self, piece: str, *, final: bool = False) -> None:
        """Raises XmlFlaw; what follows the end of the root is not looked at."""
        piece = self._held + piece
        at = piece.rfind("&", max(0, len(piece) - _LONGEST_REFERENCE)) if not final else -1
        piece, self._held = (piece[:at], piece[at:]) if at >= 0 else (piece, "")
        data = _BARE_AMPERSAND.sub("&amp;", NO_XML.sub("", piece)).encode("utf-8", "replace")
        self._fed += len(data)
        try:
            self._parser.Parse(data, final)
        except expat.ExpatError as error:
            if not self.whole:
                raise XmlFlaw(f"it is no XML from line {error.lineno} on ({expat.ErrorString(error.code)})") from None
        if self._fed - max(0, self._parser.CurrentByteIndex) > _LONGEST_TAG and not self.whole:
            raise XmlFlaw(f"a tag of more than {_LONGEST_TAG:,} bytes")

    def _start(self, name: str, _attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise XmlFlaw(f"elements are nested more than {MAX_DEPTH} levels deep")
        self._told[0](_local(name))

    def _end(self, name: str) -> None:
        self._depth -= 1
        self._told[1](_local(name))
        self.whole = not self._depth

    def _text(self, text: str) -> None:
        self._told[2](html.unescape(text) if self._in_cdata else text)

    def _switch(self, inside: bool) -> None:
        self._in_cdata = inside

    def _entity(self, *_: object) -> None:
        raise XmlFlaw("it declares entities, which are not read")


def _local(name: str) -> str:
    return name.rpartition(":")[2].lower()
