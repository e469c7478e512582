from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from webarticlecurator.cli import demo
from webarticlecurator.example_portal import ExamplePortal


@pytest.fixture
def small_portal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The example portal with fewer articles and no pause between requests, so that the demo takes a moment."""

    class Small(ExamplePortal):
        def portal_file(self, folder: Path, *, delay: str | None = None) -> Path:
            return super().portal_file(folder, delay=delay or "0s")

    monkeypatch.setattr(demo, "_example_portal", lambda port: Small(articles=150, port=port))


@pytest.mark.slow
def test_the_demo_crawls_everything_and_says_where_to_look(curator, small_portal, tmp_path: Path) -> None:
    first = curator("demo", tmp_path, "--port", 0, "--json")
    assert first.code == 0
    summary = json.loads(first.out)
    assert summary["outcomes"] == {"fetched": summary["fetched"]}
    assert summary["fetched"] >= 150
    for place in (tmp_path / "portal.yaml", Path(summary["corpus"]) / "warc"):
        assert place.exists()
        assert f"  {place}\n" in first.err

    status = curator("status", tmp_path / "portal.yaml", "--corpus", summary["corpus"], "--json")
    report = json.loads(status.out)
    assert status.code == 0
    assert all(row["intervals"] == row["proved"] for row in report["completeness"])


def test_a_port_that_is_taken_is_named_with_the_way_out(curator, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ended = curator("demo", tmp_path, "--port", taken.getsockname()[1])
    assert ended.code == 2
    assert "--port" in ended.err
