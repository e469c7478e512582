"""A crawl run again asks for what is new or unsettled, leaves what is there as it is, and notices when the layout has changed."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from collected import records
from crawling import UNDATED, Crawling, StopAfter, clock_at, crawling, exit_code
from ledgers import differences
from warc_records import records as records_of

from webarticlecurator import CrawlOptions, CrawlSummary, build, crawl, status

OK, FAILURES, BLOCKED, INCOMPLETE, DRIFT = 0, 1, 3, 4, 5
THE_DAY = clock_at(2024, 5, 15)
"""The example portal's own day: its calendar's last days are not settled yet."""
NEXT_MONTH = clock_at(2024, 6, 15)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Crawling]:
    with crawling(tmp_path, articles=110, page_size=3) as running:
        yield running


def complete(summary: CrawlSummary, site: Crawling) -> bool:
    return exit_code(summary) == OK and site.fetched == site.expected


def asked(site: Crawling) -> list[str]:
    """What was asked for since the log began, robots.txt and the like apart."""
    return [line.target for line in site.portal.requests if "robots" not in line.target and "well-known" not in line.target]


def test_a_rerun_with_nothing_new_asks_no_article_and_leaves_every_file_as_it_is(site: Crawling) -> None:
    assert complete(site.crawl(), site)
    before, pages = site.warc_bytes, len(asked(site))
    site.portal.forget_requests()
    again = site.crawl()
    assert complete(again, site)
    assert (again.new, again.fetched) == (0, 0)
    after = site.warc_bytes
    assert {name: after[name] for name in before} == before
    assert not [name for name in after if "-articles-" in name and name not in before]
    archive_page = re.compile(r"/api/|.*(/$|\?|/mehr/)")
    assert all(map(archive_page.match, asked(site)))
    assert len(asked(site)) < pages / 5


@pytest.mark.parametrize("column", UNDATED)
def test_a_column_whose_first_page_has_lost_its_links_is_drift(site: Crawling, column: str) -> None:
    site.columns = (column,)
    site.crawl()
    site.portal.publish(2, column)
    site.portal.switch_on("changed-layout")
    drifted = site.crawl()
    assert exit_code(drifted) == DRIFT
    assert drifted.drift[0].startswith(f"{column}: ")
    site.portal.switch_off()
    assert complete(site.crawl(), site)


def kinds(site: Crawling, url: str) -> list[str]:
    """What is stored of an article, oldest first."""
    stored = records(site.corpus, "response", "revisit")
    return [record.type for record in sorted(stored, key=lambda record: record["WARC-Date"] or "") if record.url == url]


def test_recheck_stores_new_versions_and_revisits_for_what_is_as_it_was(site: Crawling) -> None:
    site.columns = ("english", "francais")
    site.crawl()
    edited, *same = site.portal.articles["francais"]
    site.portal.edit(edited)
    again = site.crawl(recheck=timedelta(days=30))
    assert complete(again, site)
    asked_again = sum(len(site.portal.articles[name]) for name in site.columns)
    other = "1 of them with other bytes than before (perhaps only around the article: after a build, `curator status` counts changed texts)"
    assert again.asked_again == [f"{asked_again} articles asked for again: {other}"]
    assert kinds(site, edited) == ["response", "response"]
    assert {tuple(kinds(site, url)) for url in same} == {("response", "revisit")}
    assert site.stored_articles[edited] == 2


def test_recheck_leaves_old_articles_alone(site: Crawling) -> None:
    site.columns = ("francais",)
    site.crawl(now=THE_DAY)
    site.portal.forget_requests()
    site.crawl(recheck=timedelta(days=7), now=NEXT_MONTH)
    assert asked(site) == ["/fr/"]


def not_again(site: Crawling) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(trouble.outcome, trouble.reason, trouble.urls) for trouble in status(site.file, corpus=site.corpus).not_again]


def test_a_failed_recheck_takes_nothing_away_and_status_says_why(site: Crawling) -> None:
    site.columns = ("francais",)
    site.crawl()
    (url, *_) = site.portal.articles["francais"]
    site.portal.switch_on("403", url)
    again = site.crawl(recheck=timedelta(days=30))
    assert exit_code(again) == FAILURES
    assert "gone" not in again.asked_again[0]
    assert site.outcomes[url] == "fetched"
    assert not_again(site) == [("error", "HTTP 403", (url,))]


def test_what_was_proved_and_could_not_be_walked_again_is_not_called_open(curator: Any, site: Crawling) -> None:
    site.columns = ("francais",)
    site.crawl()
    site.portal.switch_on("403", "/fr/")
    site.crawl()
    (gap,) = (gap for gap in status(site.file, corpus=site.corpus).gaps if gap.column == "francais")
    assert (gap.end, gap.proved) == ("failed", True)
    screen = curator("status", site.file, "--corpus", site.corpus).out
    assert "1 interval of the archive was proved, and not walked to its end again; the next crawl walks it\n  francais: " in screen


def test_a_limit_counts_what_is_asked_again_as_well(site: Crawling) -> None:
    site.columns = ("english", "francais")
    site.crawl(columns=("english",))
    site.portal.forget_requests()
    new = len(site.portal.articles["francais"])
    limited = site.crawl(recheck=timedelta(days=30), limit=new + 3)
    assert exit_code(limited) == INCOMPLETE
    assert len(asked(site)) - limited.archive_pages == new + 3


def test_offline_reads_what_it_walks_and_stores_no_page_again(site: Crawling) -> None:
    site.columns = ("english",)
    site.crawl()
    for path in site.warcs:
        if "-articles-" in path.name:  # nothing of the articles is read
            content = path.read_bytes()
            path.write_bytes(content[:-200].replace(b"\x1f\x8b", b"\x00\x00") + content[-200:])
    before = set(site.warcs)
    site.portal.forget_requests()
    assert exit_code(site.crawl(offline=True, full=True)) == OK
    assert not site.portal.requests
    made = [record for path in set(site.warcs) - before for record in records_of(path)]
    assert {record.type for record in made} == {"warcinfo", "resource", "metadata"}
    assert not [*site.corpus.glob("ledger.sqlite-*")], "the database is whole in its own file"


@pytest.mark.parametrize("column", ["english", "belfold"])
def test_stored_pages_of_two_moments_prove_nothing_by_themselves(curator: Any, tmp_path: Path, column: str) -> None:
    with crawling(tmp_path, articles=300, page_size=3, columns=(column,)) as site:
        assert complete(site.crawl(now=THE_DAY), site)
        site.portal.publish(7, column)
        assert complete(site.crawl(now=NEXT_MONTH), site)
        assert exit_code(site.crawl(now=NEXT_MONTH, offline=True, full=True)) == OK, "the second crawl has seen what lies between"

        options = CrawlOptions(columns=(column,), offline=True, full=True)
        text = site.file.read_text("utf-8")
        changed = tmp_path / "changed.yaml"
        changed.write_text(text.replace(":not(.kituzott)", ":not(.kituzott):not(.nincs)"), "utf-8")
        assert changed.read_text("utf-8") != text
        by_new_rules = crawl(changed, corpus=site.corpus, options=options)
        assert exit_code(by_new_rules) != OK
        assert any("2024-05-15" in reason and "2024-06-15" in reason for reason in by_new_rules.failures)

        elsewhere = Crawling(site.portal, tmp_path / "elsewhere", columns=(column,))
        elsewhere.folder.mkdir()
        assert curator("warc", "import", elsewhere.file, *site.warcs, "--corpus", elsewhere.corpus).code == OK
        imported = elsewhere.crawl(offline=True)
        assert exit_code(imported) != OK
        assert any("2024-05-15" in reason and "2024-06-15" in reason for reason in imported.failures)


def test_what_was_proved_of_older_pages_says_nothing_of_what_came_after_them(curator: Any, tmp_path: Path) -> None:
    with crawling(tmp_path, articles=120, page_size=3, columns=("english",)) as site:
        site.crawl(now=THE_DAY)
        elsewhere = Crawling(site.portal, tmp_path / "elsewhere", columns=site.columns)
        elsewhere.folder.mkdir()
        assert curator("warc", "import", elsewhere.file, *site.warcs, "--corpus", elsewhere.corpus).code == OK
        assert exit_code(elsewhere.crawl(offline=True)) == OK
        site.portal.publish(60, "english")
        site.crawl(now=NEXT_MONTH, stop=StopAfter(site.portal, 4), articles=False)
        assert curator("warc", "import", elsewhere.file, *site.warcs, "--corpus", elsewhere.corpus).code == OK
        told = elsewhere.crawl(offline=True)
        assert exit_code(told) != OK
        assert any("2024-05-15" in reason and "2024-06-15" in reason for reason in told.failures), told


def test_offline_says_of_every_article_that_it_is_not_stored(site: Crawling) -> None:
    site.columns = ("english",)
    site.crawl(articles=False)
    again = site.crawl(offline=True)
    assert len(site.outcomes) > 5
    assert set(site.outcomes.values()) == {"error"}, "what is missing in the files says nothing of the host"
    assert (again.blocked, again.waiting) == (None, 0)


def test_a_dry_run_after_a_crawl_asks_nothing_and_writes_nothing(site: Crawling) -> None:
    site.columns = ("english", "naptar")
    site.crawl()
    before = site.warc_bytes
    site.portal.forget_requests()
    site.crawl(dry_run=True)
    assert not site.portal.requests
    assert site.warc_bytes == before
    assert any("column naptar would be walked from nothing" in line for line in site.heard.said)


@pytest.mark.parametrize("switch", ["same-body", "captcha", "403-streak"])
def test_a_recheck_that_is_kept_out_takes_nothing_away(curator: Any, site: Crawling, switch: str) -> None:
    site.columns = ("belfold",)
    site.crawl()
    documents = build(site.file, corpus=site.corpus).outcomes
    site.portal.switch_on(switch, after=2)
    again = site.crawl(recheck=timedelta(days=30))
    assert exit_code(again) == BLOCKED
    assert site.fetched == site.expected
    assert "blocked" in {outcome for outcome, _, _ in not_again(site)}
    shutil.copytree(site.corpus, copy := site.folder / "copy")
    assert curator("warc", "index", site.file, "--corpus", copy).code == OK
    assert differences(copy / "ledger.sqlite", site.corpus / "ledger.sqlite") == []
    after = build(site.file, corpus=site.corpus)
    assert after.outcomes == documents
