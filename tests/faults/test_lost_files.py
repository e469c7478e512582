"""Files of the store that go missing or lose their end: noticed at the next start, told, asked for again; no proof leans on them."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from crawling import Crawling, crawling, exit_code
from scripted_portal import Crawler, listing, scripted_portal
from seams import ExitCode
from warc_records import records

MONTH = timedelta(days=30)
LOSSES = [0, 1, *(pytest.param(number, marks=pytest.mark.nightly) for number in range(2, 8))]
"""Corpora that lose something by chance."""


@pytest.fixture
def site(crawled: Crawling) -> Crawling:
    return crawled


def of(site: Crawling, series: str) -> Path:
    """The first file of that series."""
    return next(path for path in site.warcs if f"-{series}-" in path.name)


def missing(path: Path) -> None:
    path.unlink()


def cut(path: Path) -> None:
    """In the middle of a record."""
    stored = records(path)
    with path.open("r+b") as file:
        file.truncate(stored[len(stored) // 2].offset + 50 if stored else 50)


def open_and_cut(path: Path) -> None:
    """As a disk leaves it that had promised more than it kept."""
    cut(path)
    path.rename(path.with_name(path.name + ".open"))


def open_and_empty(path: Path) -> None:
    path.write_bytes(b"")
    path.rename(path.with_name(path.name + ".open"))


DAMAGES = [missing, cut, open_and_cut, open_and_empty]


@pytest.mark.parametrize("damage", DAMAGES)
def test_lost_articles_are_told_by_file_and_number_and_fetched_again(site: Crawling, damage: Callable[[Path], None], curator: Any) -> None:
    path = of(site, "articles")
    held = site.articles_in(path)
    damage(path)
    site.portal.forget_requests()
    summary = site.crawl()

    assert exit_code(summary) is ExitCode.FAILURES
    (told,) = summary.failures
    assert path.name in told
    assert f"it held {summary.fetched} articles" in told
    assert 0 < summary.fetched <= len(held)
    assert summary.new == 0
    assert site.fetched == site.expected
    assert set(site.stored_articles.values()) == {1}, "what was still there is not fetched again"
    known, outcomes = site.known, site.outcomes
    assert curator("warc", "index", site.file, "--corpus", site.corpus).code == 0
    assert (site.known, site.outcomes) == (known, outcomes), "the ledger made again is the same"
    assert exit_code(site.crawl()) is ExitCode.OK


def test_an_article_of_which_a_page_is_lost_is_asked_for_from_its_first_page(uncrawled: Crawling) -> None:
    several = next(url for url in uncrawled.portal.articles["belfold"] if len(uncrawled.portal.truth(url).page_urls) > 1)
    first, second, *_ = uncrawled.portal.truth(several).page_urls
    uncrawled.portal.switch_on("503-for-ever", second)
    uncrawled.crawl()
    uncrawled.portal.switch_off()
    uncrawled.crawl()
    earlier, later = (path for path in uncrawled.warcs if "-articles-" in path.name)
    later.unlink()
    uncrawled.portal.forget_requests()
    assert exit_code(uncrawled.crawl()) is ExitCode.FAILURES
    assert (uncrawled.portal.asked(first), uncrawled.portal.asked(second)) == (1, 1)

    earlier.unlink()
    assert exit_code(uncrawled.crawl()) is ExitCode.FAILURES
    assert uncrawled.lacks() == set()


def test_a_capture_that_only_says_that_nothing_changed_keeps_no_article(site: Crawling) -> None:
    before = of(site, "articles")
    site.crawl(recheck=MONTH, archive=False)
    held = site.articles_in(before)
    before.unlink()
    summary = site.crawl()
    assert f"{before.name} is missing; it held {len(held)} articles" in summary.failures[0]
    assert site.fetched == site.expected


def test_an_article_that_the_portal_does_not_have_any_more_stays_a_problem(site: Crawling, curator: Any) -> None:
    path = of(site, "articles")
    url = min(site.articles_in(path))
    path.unlink()
    site.portal.switch_on("missing", url)
    site.crawl()
    assert exit_code(site.crawl()) is ExitCode.OK

    assert site.outcomes[url] == "gone"
    assert f'"url":"{url}"' in (site.corpus / "problems.jsonl").read_text("utf-8")
    status = curator("status", site.file, "--corpus", site.corpus)
    assert f"Lost: {path.name} is missing" in status.out
    assert "1 of the articles is not stored again" in status.out


def test_a_loss_that_was_written_down_in_part_is_noticed_again(site: Crawling, tmp_path: Path) -> None:
    """The machine goes down while the loss is being written: a part of its events is whole."""
    of(site, "articles").unlink()
    shutil.copy(site.corpus / "ledger.sqlite", tmp_path)
    before = set(site.warcs)
    site.crawl()
    for path in set(site.warcs) - before:
        if "-articles-" in path.name:
            path.unlink()
        else:
            first = next(record for record in records(path) if record.type == "metadata")
            os.truncate(path, first.offset + len(first.member) + 10)
            path.rename(path.with_name(path.name + ".open"))
    shutil.copy(tmp_path / "ledger.sqlite", site.corpus)
    assert exit_code(site.crawl()) is ExitCode.FAILURES
    assert site.fetched == site.expected
    assert exit_code(site.crawl()) is ExitCode.OK


@pytest.mark.parametrize("damage", [missing, cut])
def test_what_leaned_on_lost_archive_pages_is_not_proved_any_more_and_walked_again(site: Crawling, damage: Callable[[Path], None]) -> None:
    site.portal.publish(3, "english")
    site.crawl()
    damage(of(site, "archive"))
    assert exit_code(site.crawl(archive=False)) is ExitCode.FAILURES
    lost = {"belfold", "english"} - site.proved
    assert lost

    summary = site.crawl()
    assert site.proved == {"belfold", "english"}
    assert summary.new == 0
    if lost == {"belfold", "english"}:
        assert summary.archive_pages >= site.crawl(full=True).archive_pages, "whole columns are walked, not only their heads"


def test_a_column_whose_pages_are_stored_as_the_same_as_lost_ones_of_another_is_not_proved_either(curator: Any, tmp_path: Path) -> None:
    """It was renamed, so that its walk stored no page anew, only that nothing had changed."""
    with scripted_portal() as portal:
        crawler = Crawler(curator, tmp_path, portal, "archive: {item: li.t, pages: none}\ncolumns: {old: {url: HOME/l}}\n")
        portal.script["/l"] = listing(1, 2)
        assert crawler.crawl() == ExitCode.OK
        (first,) = (crawler.corpus / "warc").glob("*-archive-*")
        crawler.rules = crawler.rules.replace("old", "new")
        assert crawler.crawl() == ExitCode.OK
        assert {proof["column"] for proof in crawler.status()["proofs"]} == {"old", "new"}
        first.unlink()
        assert crawler.crawl("--articles-only") == ExitCode.FAILURES
        assert not crawler.status()["proofs"]
        assert crawler.crawl() == ExitCode.OK
        assert portal.archive_asked == ["/l"]


def test_without_a_ledger_a_missing_archive_file_leaves_nothing_proved(uncrawled: Crawling, curator: Any) -> None:
    """The walk of the second run ends at known ground, and that is what is missing."""
    uncrawled.crawl(articles=False)
    uncrawled.portal.publish(3, "english")
    uncrawled.crawl(articles=False)
    of(uncrawled, "archive").unlink()
    (uncrawled.corpus / "ledger.sqlite").unlink()

    indexed = curator("warc", "index", uncrawled.file, "--corpus", uncrawled.corpus)
    assert indexed.code == ExitCode.FAILURES
    assert "records of the WARC files are missing or damaged" in indexed.err
    assert not uncrawled.proved
    assert exit_code(uncrawled.crawl()) is ExitCode.OK
    assert uncrawled.proved == {"belfold", "english"}
    assert uncrawled.fetched == uncrawled.expected
    live = uncrawled.known
    assert curator("warc", "index", uncrawled.file, "--corpus", uncrawled.corpus).code == ExitCode.OK, "it is written down by now"
    assert uncrawled.known == live


def test_of_lost_archive_pages_nothing_is_proved_and_all_is_walked_again(tmp_path: Path) -> None:
    with crawling(tmp_path, columns=("naptar",)) as site:
        site.crawl(articles=False)
        pages = {record.url for record in records(of(site, "archive")) if record.type == "response" and "robots" not in record.url}
        site.portal.forget_requests()
        of(site, "archive").unlink()
        assert exit_code(site.crawl(articles=False)) is ExitCode.FAILURES
        assert len(pages) >= 20 and all(map(site.portal.asked, pages))


def _second_page(site: Crawling, url: str) -> tuple[Path, int, int]:
    """Where it is stored."""
    second = site.portal.truth(url).page_urls[1]
    found = [(path, record) for path in site.warcs for record in records(path) if (record.url, record.type) == (second, "response")]
    (path, record), *_ = found
    return path, record.offset, len(record.member)


def _spoil(path: Path, offset: int, length: int) -> None:
    content = bytearray(path.read_bytes())
    content[offset + length // 2 : offset + length // 2 + 40] = bytes(40)
    path.write_bytes(content)


def test_an_article_whose_middle_page_is_damaged_stays_open_from_there(site: Crawling, curator: Any) -> None:
    several = next(url for url in site.expected if len(site.portal.truth(url).page_urls) > 2)
    path, *place = _second_page(site, several)
    _spoil(path, *place)

    indexed = curator("warc", "index", site.file, "--corpus", site.corpus)
    assert indexed.code == ExitCode.FAILURES
    assert "1 record of the WARC files is missing or damaged" in indexed.err
    assert "Traceback" not in indexed.err and path.name in indexed.err
    assert site.outcomes[several] == "queued"
    assert curator("warc", "check", site.corpus).code == ExitCode.FAILURES
    assert site.proved == {"belfold", "english"}, "an article's page proves nothing of the archive"
    site.portal.forget_requests()
    assert exit_code(site.crawl()) is ExitCode.OK
    first, *others = site.portal.truth(several).page_urls
    assert [site.portal.asked(url) for url in (first, *others)] == [0, *(1 for _ in others)]
    assert site.fetched == site.expected


def test_a_file_that_is_back_is_taken_in_by_making_the_ledger_again(site: Crawling, curator: Any, tmp_path: Path) -> None:
    path = of(site, "archive")
    path.rename(tmp_path / path.name)
    site.crawl(archive=False)
    assert not site.proved
    (tmp_path / path.name).rename(path)
    site.heard.said.clear()
    site.crawl(archive=False)
    assert any(f"{path.name}, which was lost, is there again" in line for line in site.heard.said)
    assert curator("warc", "index", site.file, "--corpus", site.corpus).code == ExitCode.OK
    assert site.proved == {"belfold", "english"}


def test_making_the_ledger_again_writes_down_what_the_old_one_knew_of_lost_files(site: Crawling, curator: Any) -> None:
    path = of(site, "articles")
    held = site.articles_in(path)
    path.unlink()
    indexed = curator("warc", "index", site.file, "--corpus", site.corpus)
    assert indexed.code == ExitCode.FAILURES
    assert f"{path.name} is missing; it held {len(held)} articles" in indexed.err
    assert {url for url, outcome in site.outcomes.items() if outcome == "queued"} == held
    assert site.proved == {"belfold", "english"}


@pytest.mark.parametrize("number", LOSSES)
def test_whatever_is_lost_in_whatever_order_the_corpus_becomes_whole_again(number: int, tmp_path: Path, curator: Any) -> None:
    chance = Random(number)
    with crawling(tmp_path, columns=("belfold", "english", "deutsch")) as site:
        for _ in range(chance.randint(1, 3)):
            site.crawl(**chance.choice([{}, {"articles": False}, {"limit": 5}]))
            site.portal.publish(chance.randint(0, 3), "english", "deutsch")
        for _ in range(chance.randint(1, 3)):
            if site.warcs:
                chance.choice([*DAMAGES, lambda path: _spoil(path, 0, path.stat().st_size)])(chance.choice(site.warcs))
            if chance.random() < 0.3:
                (site.corpus / "ledger.sqlite").unlink(missing_ok=True)
            if chance.random() < 0.5:
                curator("warc", "index", site.file, "--corpus", site.corpus)
            if chance.random() < 0.5:
                site.crawl(limit=chance.randint(0, 5))
        curator("warc", "index", site.file, "--corpus", site.corpus)
        site.crawl()
        assert exit_code(site.crawl()) is ExitCode.OK
        assert site.fetched == site.expected
        listed = map(json.loads, curator("warc", "list", site.corpus, "--json").out.splitlines())  # also of files with damage in them
        stored = {exchange["url"] for exchange in listed if exchange["status"] == 200}
        assert {page for url in site.expected for page in site.portal.truth(url).page_urls} <= stored
        assert site.proved == set(site.columns)
        assert "unreadable" not in curator("build", site.file, "--jobs", 1, "--corpus", site.corpus).err


@pytest.mark.parametrize("damage", DAMAGES)
def test_status_and_warc_check_say_it_before_any_crawl_does(site: Crawling, damage: Callable[[Path], None], curator: Any) -> None:
    path = of(site, "articles")
    damage(path)
    status = curator("status", site.file, "--corpus", site.corpus)
    assert f"Lost: {path.name} is " in status.out
    assert "curator crawl" in status.err
    checked = curator("warc", "check", site.corpus)
    assert checked.code == ExitCode.FAILURES
    assert f"{path.name} is " in checked.out


def test_a_build_says_that_a_further_page_of_an_article_is_damaged(site: Crawling, curator: Any) -> None:
    several = next(url for url in site.expected if len(site.portal.truth(url).page_urls) > 2)
    _spoil(*_second_page(site, several))
    built = curator("build", site.file, "--jobs", 1, "--corpus", site.corpus)
    assert built.code == ExitCode.FAILURES
    assert f"page 2 of it: {site.corpus / 'warc'}" in built.err


@pytest.mark.usefixtures("built")
def test_a_build_keeps_the_documents_of_lost_articles_and_says_that_they_cannot_be_made_again(site: Crawling, curator: Any) -> None:
    of_it = ("--corpus", site.corpus)
    documents = _documents(site)
    path = of(site, "articles")
    cut(path)

    refused = curator("build", site.file, "--jobs", 1, "--all", *of_it)
    assert refused.code == ExitCode.USAGE
    assert path.name in refused.err
    assert _documents(site) == documents

    site.portal.switch_on("missing", "*/cikk/*", "*/story/*")
    lost = site.crawl().failures[0]
    built = curator("build", site.file, "--jobs", 1, "--all", *of_it)
    assert built.code == ExitCode.FAILURES
    assert f"what was stored of it is lost ({path.name})" in built.err
    assert _documents(site) == documents, "they are all that is left"
    assert "documents are kept: their pages are lost" in built.err
    articles = site.folder / "articles.jsonl"
    assert curator("export", site.file, "--to", "jsonl", "-o", articles, *of_it).code == ExitCode.OK
    assert len(articles.read_text("utf-8").splitlines()) == len(documents)
    assert lost

    curator("build", site.file, "--jobs", 1, "--zip", *of_it)
    for packed in (site.corpus / "tei").glob("*.zip"):
        packed.unlink()
    assert "is lost, and with it what it was made of" in curator("build", site.file, "--jobs", 1, "--zip", *of_it).err


def _documents(site: Crawling) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted((site.corpus / "tei").rglob("*.xml"))}
