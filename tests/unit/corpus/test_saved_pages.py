from __future__ import annotations

from pathlib import Path

import pytest

from webarticlecurator.corpus.saved_pages import SavedPages, saved_page
from webarticlecurator.errors import UsageError
from webarticlecurator.model.capture import Request
from webarticlecurator.model.outcome import FetchOutcome

URL = "https://pelda.example/Hír"


def saved(folder: Path, name: str, head: str) -> Path:
    path = folder / name
    path.write_text(f"<html><head>{head}</head><body><p>Text.</body></html>", encoding="utf-8")
    return path


def test_a_saved_page_is_had_by_the_address_that_it_tells(tmp_path: Path) -> None:
    path = saved(tmp_path, "a.html", f'<meta charset=utf-8><link rel=canonical href="{URL}">')
    pages = SavedPages([path, saved(tmp_path, "b.html", "")])
    assert saved_page(path).url == URL
    fetched = pages.fetch(Request(url=URL))
    assert fetched.capture is not None and fetched.capture.entity == path.read_bytes()
    assert len(pages.addresses) == 1, "of the other nobody knows it"
    assert pages.fetch(Request(url="https://pelda.example/other")).verdict.outcome is FetchOutcome.GONE


def test_a_file_that_is_no_page_is_told(tmp_path: Path) -> None:
    path = tmp_path / "empty.html"
    path.write_bytes(b"")
    with pytest.raises(UsageError, match="cannot be read: "):
        SavedPages([path])
