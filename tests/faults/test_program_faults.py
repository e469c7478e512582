"""A bug of ours that one page brings to light ends that page: the crawl goes on, says so, and the next one asks again."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import requests
from lxml import etree
from scripted_portal import Crawler, ScriptedPortal, listing

RULES = "archive: {item: li.t}\ncolumns: {a: HOME/a, b: HOME/b}\narticles: {next: a.next}\n"


@pytest.fixture
def crawler(curator: Callable[..., Any], tmp_path: Path, site: ScriptedPortal, monkeypatch: pytest.MonkeyPatch) -> Crawler:
    site.script |= {"/a": listing(1, 2, 3), "/b": listing(4, 5, 6)}
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return Crawler(curator, tmp_path, site, RULES)


@pytest.fixture
def fails_on(monkeypatch: pytest.MonkeyPatch, site: ScriptedPortal) -> Callable[[Exception, str], None]:
    """Puts a bug where pages are parsed; it shows on the page with this path."""
    parse = etree.fromstring

    def put(error: Exception, path: str) -> None:
        said = site.script.get(path, "<h1>Cikk</h1><p>Szöveg.")
        site.script[path] = f"{said}<!-- odd -->"

        def read(content: Any, *more: Any, **options: Any) -> Any:
            if "<!-- odd -->" in (content.decode("utf-8", "replace") if isinstance(content, bytes) else content):
                raise error
            return parse(content, *more, **options)

        monkeypatch.setattr(etree, "fromstring", read)

    return put


def logs(crawler: Crawler) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in crawler.folder.glob("curator-bug-*.log")]


def test_a_bug_in_a_request_ends_its_url_and_gives_the_turn_back(crawler: Crawler, monkeypatch: pytest.MonkeyPatch) -> None:
    send = requests.Session.send

    def overflowing(self: requests.Session, request: Any, **options: Any) -> Any:
        if str(request.url).endswith(("/c/2", "/c/5")):
            raise OverflowError("int too large to convert to float")
        return send(self, request, **options)

    with monkeypatch.context() as bug:
        bug.setattr(requests.Session, "send", overflowing)
        assert crawler.crawl() == 1
    assert crawler.fetched == {"/c/1", "/c/3", "/c/4", "/c/6"}
    assert crawler.outcomes["/c/2"] == crawler.outcomes["/c/5"] == "error"
    assert {problem["reason"].partition(" int")[0] for problem in crawler.problems} == {
        "curator failed on it, which is a bug of curator: OverflowError:"
    }
    assert crawler.said.count("The crawl goes on.") == 1, "one kind of bug is told once"
    assert ["OverflowError" in log for log in logs(crawler)] == [True]
    assert crawler.crawl() == 0
    assert len(crawler.fetched) == 6


def test_a_bug_in_reading_an_article_ends_it_and_its_bytes_are_kept(
    crawler: Crawler, fails_on: Callable[..., None], curator: Callable[..., Any]
) -> None:
    fails_on(KeyError("odd"), "/c/2")
    assert crawler.crawl() == 1
    assert crawler.outcomes.pop("/c/2") == "error"
    assert crawler.fetched == {"/c/1", "/c/3", "/c/4", "/c/5", "/c/6"}
    stored = curator("warc", "list", *sorted((crawler.corpus / "warc").glob("*articles*"))).out
    assert f"{crawler.portal.home}/c/2" in stored


def test_a_bug_in_reading_an_archive_page_leaves_its_walk_open(crawler: Crawler, fails_on: Callable[..., None]) -> None:
    fails_on(KeyError("odd"), "/a")
    assert crawler.crawl() == 1
    assert crawler.fetched == {"/c/4", "/c/5", "/c/6"}
    assert "a: curator failed on it" in crawler.said


def test_a_disk_that_fails_while_a_page_is_read_ends_the_crawl(crawler: Crawler, fails_on: Callable[..., None]) -> None:
    fails_on(OSError(28, "No space left on device"), "/c/2")
    assert crawler.crawl() == 2
    assert "No space left on device" in crawler.said
    assert not logs(crawler)


def test_a_pattern_that_never_ends_on_one_address_ends_that_one(crawler: Crawler) -> None:
    endless = f"/c/{'a' * 5000}!"
    crawler.portal.script["/a"] = listing(1, endless)
    assert crawler.crawl("--archive-only") == 0
    crawler.rules = crawler.rules.replace("articles: {", 'articles: {skip: {url: ["/c/(a|aa)+$"]}, ')
    assert crawler.crawl("--articles-only") == 1
    assert crawler.outcomes[endless] == "error"
    assert crawler.fetched == {"/c/1", "/c/4", "/c/5", "/c/6"}
