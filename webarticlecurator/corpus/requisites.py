"""Style sheets, pictures and fonts of pages, as they are stored: what a page needs to be shown as its readers
saw it."""

from __future__ import annotations

from contextlib import suppress
from threading import RLock
from typing import Self

from webarticlecurator.corpus import ledger_requisites
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.errors import CorpusError
from webarticlecurator.protocol.message import mime_of, unpacked_body
from webarticlecurator.warc.exchanges import CaptureReader

_MOST_BYTES = 20_000_000
"""Bytes of a file when it is unpacked; what is larger is cut there."""


class Requisites:
    """The style sheets, pictures and fonts of a corpus; any thread may ask."""

    def __init__(self, corpus: Corpus, ledger: Ledger) -> None:
        self._captures = CaptureReader(corpus.warc)
        self._ledger = ledger
        self._lock = RLock()

    @classmethod
    def of(cls, corpus: Corpus) -> Self:
        """Open those of a corpus, which must have a ledger, only to be read. Raises CorpusError."""
        return cls(corpus, Ledger.open(corpus.ledger, read_only=True))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        self._captures.close()
        self._ledger.close()

    def read(self, address: str) -> tuple[str, bytes] | None:
        """Return the media type, which may be empty, and the unpacked bytes of what is stored for a whole
        address, as `urls.join` gives it; None where nothing is stored, or it is damaged."""
        with self._lock, suppress(CorpusError):
            whole = ledger_requisites.stored(self._ledger, address)
            if whole is not None:
                capture = self._captures.capture(whole.location)
                return mime_of(capture.headers), unpacked_body(capture, _MOST_BYTES)
        return None
