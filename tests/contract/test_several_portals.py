"""Several portals in one command: each goes its own way."""

from __future__ import annotations

from pathlib import Path

import pytest

from webarticlecurator.config.load import load_portal
from webarticlecurator.corpus.folder import corpus_of
from webarticlecurator.corpus.lock import locked
from webarticlecurator.example_portal import ExamplePortal
from webarticlecurator.pipeline import crawl


def test_a_portal_that_cannot_be_crawled_does_not_keep_the_others_from_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ExamplePortal(articles=22) as first, ExamplePortal(articles=22) as second:
        portals = []
        for name, served in (("one", first), ("two", second)):
            (tmp_path / name).mkdir()
            file = served.portal_file(tmp_path / name)
            file.write_text(file.read_text(encoding="utf-8").replace("portal: kilenchid", f"portal: {name}"), encoding="utf-8")
            portals.append(load_portal(file))
        monkeypatch.chdir(tmp_path)
        with locked(corpus_of(portals[0], None).crawl_lock, "crawl"):
            busy, done = crawl(portals)
    assert busy.impossible is not None and "Another crawl" in busy.impossible
    assert done.impossible is None
    assert done.fetched == len(second.article_urls)
