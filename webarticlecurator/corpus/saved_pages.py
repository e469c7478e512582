"""Pages as a browser saved them: each is known by the address that it tells of itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.errors import UsageError
from webarticlecurator.extraction.site_entrances import address_of
from webarticlecurator.model.capture import Capture, Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.urls import normalise

_UNKNOWN = "https://page.example/"
"""Stands for the address of a page that does not tell it."""
_FILE_OF_FOLDER = "index.html"
"""Some software names it in what a page tells, and leaves it out where a link leads."""


def saved_page(path: Path) -> Page:
    """Raises UsageError where it cannot be read."""
    page = read_page(file_capture(path, _UNKNOWN), classified=True)
    if isinstance(page, NoPage):
        raise UsageError(f"{path} cannot be read: {page.reason}.")
    address = address_of(page)
    at_address = read_page(file_capture(path, address), classified=True) if address is not None else page
    return at_address if isinstance(at_address, Page) else page


def file_capture(path: Path, url: str) -> Capture:
    """A file as if it had been had from an address."""
    written, content = datetime.fromtimestamp(path.stat().st_mtime, UTC), path.read_bytes()
    headers = (("Content-Encoding", "gzip"),) if content.startswith(b"\x1f\x8b") else ()
    return Capture(url=url, requested_url=url, status=200, headers=headers, entity=content, date=written)


def saved_capture(path: Path) -> Capture:
    """A file as if it had been had from the address that its head tells, or from one that is made of its name."""
    capture = file_capture(path, _UNKNOWN + quote(path.name))
    head = read_page(replace(capture, entity=capture.entity.partition(b"</head>")[0]), classified=True)
    address = address_of(head) if isinstance(head, Page) else None
    return capture if address is None else replace(capture, url=address, requested_url=address)


class SavedPages:
    """A source of all of them. Raises UsageError where one cannot be read."""

    def __init__(self, files: Sequence[Path]) -> None:
        by_address = {normalise(saved_page(path).url): path for path in files}
        folders = {url.removesuffix(_FILE_OF_FOLDER): path for url, path in by_address.items() if url.endswith(f"/{_FILE_OF_FOLDER}")}
        self._files = folders | by_address

    @property
    def addresses(self) -> list[str]:
        return [url for url in self._files if url != _UNKNOWN]

    def fetch(self, request: Request) -> Fetched:
        """The file of a page."""
        path = self._files.get(normalise(request.url))
        if path is None:
            return Fetched(request=request, verdict=Verdict(FetchOutcome.GONE, "none of the saved pages says that this is its address"))
        return SavedPage(path).fetch(request)


@dataclass(frozen=True, slots=True)
class SavedPage:
    """A source of one file: whatever is asked for, it is the answer."""

    path: Path

    def fetch(self, request: Request) -> Fetched:
        verdict = Verdict(FetchOutcome.FETCHED, "read from a file")
        return Fetched(request=request, verdict=verdict, capture=file_capture(self.path, request.url))
