"""A store in fixed time with ids that count, and exchanges to put into it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from shutil import copy
from typing import Any
from uuid import UUID

import pytest

from webarticlecurator.model.capture import Exchange, Request
from webarticlecurator.model.rendering import Rendered
from webarticlecurator.version import NAME
from webarticlecurator.warc.store import Series, WarcStore
from webarticlecurator.warc.warcinfo import StoredFile, WarcInfo
from webarticlecurator.warc.writer import StoreEntry

NOW = datetime(2024, 5, 1, 12, 0, 0, 123456, UTC)


def http(body: bytes, status: str = "200 OK", **headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items())]
    if not any(name.lower() in ("content_length", "transfer_encoding") for name in headers):
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


@pytest.fixture
def make_exchange() -> Callable[..., Exchange]:
    def make(url: str = "https://pelda.example/a", body: bytes = b"<p>Szia</p>\r\n", **changes: Any) -> Exchange:
        values: dict[str, Any] = {
            "request": Request(url=url),
            "request_bytes": f"GET / HTTP/1.1\r\nHost: pelda.example\r\nX-Url: {url}\r\n\r\n".encode(),
            "response_bytes": http(body, Content_Type="text/html; charset=utf-8"),
            "status": 200,
            "entity": body,
            "started": NOW,
            "duration_ms": 12,
            "ip": "192.0.2.7",
        }
        return Exchange(**{**values, **changes})

    return make


@pytest.fixture
def make_entry(make_exchange: Callable[..., Exchange]) -> Callable[..., StoreEntry]:
    def make(
        url: str = "https://pelda.example/a", *, revisit_of: Any = None, event: dict[str, Any] | None = None, **changes: Any
    ) -> StoreEntry:
        exchange = make_exchange(url, **changes)
        return StoreEntry(event=event or {"outcome": "fetched", "reason": "HTTP 200"}, target=url, exchange=exchange, revisit_of=revisit_of)

    return make


@pytest.fixture
def shown_entry(make_entry: Callable[..., StoreEntry]) -> Callable[..., StoreEntry]:
    """A page as a browser showed it; `alone`: a step of a page that was not asked for again."""

    def make(url: str, html: bytes, *, asked: str | None = None, step: int = 0, alone: bool = False, **told: Any) -> StoreEntry:
        key = Request(url=asked or url, step=step).key
        entry = make_entry(url, event={"kind": "archive-page", "request": key, "outcome": "fetched", "reason": "HTTP 200"})
        rendered = Rendered(html=html, date=NOW + timedelta(seconds=1), browser="Chromium 1.2.3", step=step, **told)
        return replace(entry, rendered=rendered, exchange=None if alone else entry.exchange, target=asked or url)

    return make


@pytest.fixture
def info() -> WarcInfo:
    return WarcInfo(
        portal="pelda",
        software=f"{NAME} 1.0",
        operator="mailto:anna@egyetem.example",
        user_agent="curator/1.0",
        sources=(StoredFile(name="portal.yaml", content=b"portal: pelda\n"),),
        effective=StoredFile(name="effective.yaml", content=b"portal: pelda\nlanguage: hu\n"),
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "warc"


@pytest.fixture
def store(folder: Path, info: WarcInfo) -> Iterator[WarcStore]:
    numbers = count(1)
    opened = WarcStore(folder, "pelda", info=info, now=lambda: NOW, new_id=lambda: UUID(int=next(numbers)).urn, sync=lambda _: None)
    yield opened
    opened.close()


@pytest.fixture
def written(store, folder, make_entry, tmp_path):
    """What a killed crawl leaves."""
    stored = [store.append(Series.ARTICLES, [make_entry(f"https://pelda.example/{n}")])[0] for n in range(3)]
    (tmp_path / "killed").mkdir()
    return Path(copy(next(folder.iterdir()), tmp_path / "killed")), stored
