"""Pages as programs in Python hand them over: as text, bytes, a file or a tree of lxml, with their address or
without it."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lxml import etree

from webarticlecurator.corpus.saved_pages import file_capture
from webarticlecurator.errors import UsageError
from webarticlecurator.model.capture import Capture

HandedPage = str | bytes | Path | etree._Element | Capture
"""A page in any form."""


def handed_capture(page: HandedPage, url: str | None = None, captured: datetime | None = None) -> Capture:
    """Return a page as if it had been had from its address, which is empty where nobody says it. Raises
    UsageError."""
    take = next((take for kind, take in _TAKEN.items() if isinstance(page, kind)), _refuse)
    capture = take(page)
    capture = replace(capture, url=url, requested_url=url) if url else capture
    return replace(capture, date=captured, is_dated=True) if captured is not None else capture


def _of_text(text: str) -> Capture:
    """Return a text, whatever encoding its head names."""
    return _of_bytes(BOM_UTF8 + text.removeprefix("\ufeff").encode("utf-8", "replace"))


def _of_bytes(content: bytes) -> Capture:
    return Capture(
        url="",
        requested_url="",
        status=200,
        headers=(),
        entity=bytes(content),
        date=datetime.now(UTC),
        is_dated=False,
    )


def _of_file(path: Path) -> Capture:
    try:
        return file_capture(path, "")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from None


def _of_tree(tree: Any) -> Capture:
    return _of_text(etree.tostring(tree, encoding="unicode", method="html"))


def _refuse(page: object) -> Capture:
    lacking = " (a download that failed gives None)" if page is None else ""
    forms = "HTML as text or bytes, a pathlib.Path, a tree of lxml, or a capture of iter_warc()"
    raise UsageError(f"This is no page: {page!r:.80}{lacking}. A page is {forms}.")


_TAKEN: Mapping[Any, Callable[[Any], Capture]] = {
    Capture: lambda capture: capture,
    str: _of_text,
    (bytes, bytearray, memoryview): _of_bytes,
    Path: _of_file,
    (etree._Element, etree._ElementTree): _of_tree,
}
"""The functions that make captures of pages, by the classes of these."""
