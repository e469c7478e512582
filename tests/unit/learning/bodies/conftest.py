from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.document.page import read_page
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.page import Page

HEAD = """\
portal: pelda
title: Példa
home: https://pelda.example/
language: en
"""


@pytest.fixture
def portal_of(tmp_path: Path) -> Callable[..., Portal]:
    """A portal file with these rules, loaded as any other."""

    def portal(rules: str = "") -> Portal:
        path = tmp_path / "portal.yaml"
        path.write_text(HEAD + rules, encoding="utf-8")
        return load_portal(path)

    return portal


@pytest.fixture
def page_of() -> Callable[..., Page]:
    def page(body: str, url: str = "https://pelda.example/1", title: str = "The bridge is open") -> Page:
        html = f"<html><head><title>{title}</title></head><body>{body}</body></html>"
        capture = Capture(url=url, requested_url=url, status=200, headers=(), entity=html.encode(), date=datetime(2024, 5, 1, tzinfo=UTC))
        found = read_page(capture, encoding="utf-8")
        assert isinstance(found, Page)
        return found

    return page
