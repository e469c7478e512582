"""Pages as a browser saved them: each is known by the address that it tells of itself."""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.errors import UsageError
from webarticlecurator.extraction.site_entrances import address_of
from webarticlecurator.model.capture import Capture, Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.own_patterns import linear

_LATEST = datetime(9998, 1, 1, tzinfo=UTC).timestamp()
"""Systems give files any date, and no clock reckons with the last year that there is."""


def saved_page(path: Path) -> Page:
    """Return a page to be looked at, with links that lead somewhere, be it to a host that stands for its own.
    Raises UsageError."""
    capture = _as_its_head_tells(file_capture(path, f"https://page.example/{quote(os.fsencode(path.name))}"))
    page = read_page(capture, classified=True)
    if isinstance(page, NoPage):
        raise UsageError(f"{path} cannot be read: {page.reason}.")
    return page


def file_capture(path: Path, url: str) -> Capture:
    """A file as if it had been had from an address; it may have been copied, so that ages in it cannot be
    counted back from its date."""
    written = datetime.fromtimestamp(min(max(0, path.stat().st_mtime), _LATEST), UTC)
    content = path.read_bytes()
    headers = (("Content-Encoding", "gzip"),) if content.startswith(b"\x1f\x8b") else ()
    return Capture(
        url=url, requested_url=url, status=200, headers=headers, entity=content, date=written, is_dated=False
    )


SIGNATURES = {
    b"%PDF": "application/pdf",
    b"PK\x03\x04": "application/zip",
    b"\x89PNG": "image/png",
    b"GIF8": "image/gif",
    b"\xff\xd8\xff": "image/jpeg",
}
"""Beginnings of files that are no pages, though tags may stand in them."""
_TAG = linear(rb"<[A-Za-z!?]")
TEXT = "text without any tag of HTML"
"""A file that may be a table or a list."""


def media_type_of_no_page(capture: Capture) -> str | None:
    """Return what a file is that is no page, by its beginning, or since no tag and no JSON begins in it; None
    if it may be a page."""
    content = capture.entity
    of_signature = next(
        (kind for signature, kind in SIGNATURES.items() if content.startswith(signature)), None
    )
    if of_signature is not None or capture.headers:  # packed
        return of_signature
    text = content.replace(b"\x00", b"").removeprefix(b"\xef\xbb\xbf").lstrip()
    if not text or text.startswith((b"{", b"[")) or _TAG.search(text) is not None:
        return None
    return TEXT if b"\x00" not in content else "binary data"


def saved_capture(path: Path) -> Capture:
    """Return a file as if it had been had from the address that its head tells; where it tells none, its
    digest is its name."""
    return addressed(file_capture(path, ""))


def addressed(capture: Capture) -> Capture:
    """Return a page of which nobody knows the address with the one that its head tells; where it tells none,
    its digest is its name."""
    digest = sha256(capture.entity.removeprefix(BOM_UTF8)).hexdigest()
    return _as_its_head_tells(
        replace(capture, url=f"urn:sha256:{digest}", requested_url=f"urn:sha256:{digest}")
    )


def _as_its_head_tells(capture: Capture) -> Capture:
    """Return a capture with the address that the head of its page tells."""
    address = told_address(capture)
    return capture if address is None else replace(capture, url=address, requested_url=address)


def told_address(capture: Capture) -> str | None:
    """Return the address that the head of a page tells as its own; None if it tells none."""
    head = read_page(replace(capture, entity=capture.entity.partition(b"</head>")[0]), classified=True)
    return address_of(head) if isinstance(head, Page) else None


@dataclass(frozen=True, slots=True)
class SavedPage:
    """A source of one file: whatever is asked for, it is the answer."""

    path: Path

    def fetch(self, request: Request) -> Fetched:
        verdict = Verdict(FetchOutcome.FETCHED, "read from a file")
        # rules for "yesterday" are tried on it, too: they count from when it was saved
        return Fetched(
            request=request,
            verdict=verdict,
            capture=replace(file_capture(self.path, request.url), is_dated=True),
        )
