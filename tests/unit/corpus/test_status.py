"""What the ledger says of many columns with many days."""

from __future__ import annotations

import tracemalloc
from datetime import date, timedelta
from pathlib import Path

from built_corpora import article, built_corpus

from webarticlecurator import pipeline
from webarticlecurator.config.load import load_portal
from webarticlecurator.corpus.events import PageEvent, ProofGround, WalkEndEvent
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.status import status_report
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.status import NoArticle, StatusReport

NEWEST = date(2024, 12, 31)


def reported(folder: Path, columns: int, days: list[tuple[int, ProofGround]]) -> tuple[StatusReport, int]:
    """The report of an archive whose days (back from the newest) are proved so; and the memory that it took at most."""
    folder.mkdir()
    names = [f"c{number}" for number in range(columns)]
    rules = folder / "portal.yaml"
    rules.write_text(
        "portal: pelda\nhome: https://pelda.example/\narchive: {url: 'https://pelda.example/{column}/{date}', pages: none, link: a,"
        f" dates: {{from: 2020-01-01}}}}\ncolumns: [{', '.join(names)}]\n",
        "utf-8",
    )
    portal, corpus = load_portal(rules), Corpus(folder)
    ledger, walk = Ledger.open(corpus.ledger), 0
    with ledger.transaction():
        for column in portal.columns:
            for back, ground in days:
                walk, day = walk + 1, (NEWEST - timedelta(days=back)).isoformat()
                told = {"run": 1, "at": "2025-01-01T12:00:00+00:00", "walk": walk, "column": column.name, "interval": day}
                url = f"https://pelda.example/{column.name}/{day}"
                page = PageEvent(
                    seq=2 * walk, **told, mode="none", index=0, page="", url=url, request=f"GET {url}", outcome="fetched", result="empty",
                    reason="", span=walk, covers=True, links=(), rules=column.rules,
                )  # fmt: skip
                end = WalkEndEvent(
                    seq=2 * walk + 1, **told, last_links=0, end="proved", reason="", ground=ground, last=url, proves=walk, whole=True
                )
                ledger.apply(page, None)
                ledger.apply(end, None)
    tracemalloc.start()
    report = status_report(portal, corpus, ledger)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    ledger.close()
    return report, most


def test_successive_days_that_ended_alike_are_one_proof(tmp_path: Path) -> None:
    only, empty = ProofGround.ONLY_PAGE, ProofGround.EMPTY
    report, _ = reported(tmp_path / "corpus", 1, [(0, only), (1, only), (3, only), (4, empty)])
    assert [(one.first, one.last, one.intervals, one.ground) for one in report.proofs] == [
        ("2024-12-30", "2024-12-31", 2, only),
        ("2024-12-28", "2024-12-28", 1, only),
        ("2024-12-27", "2024-12-27", 1, empty),
    ]


def test_what_no_crawl_has_asked_for_is_one_open_stretch_of_so_many_intervals(tmp_path: Path) -> None:
    report, _ = reported(tmp_path / "corpus", 1, [(0, ProofGround.ONLY_PAGE)])
    assert [one.intervals for one in report.gaps] == [sum(row.open for row in report.completeness)]


def test_memory_does_not_grow_with_columns(tmp_path: Path) -> None:
    days = [(back, ProofGround.ONLY_PAGE) for back in range(400)]
    _, one = reported(tmp_path / "one", 1, days)
    report, six = reported(tmp_path / "six", 6, days)
    assert sum(row.proved for row in report.completeness) == 6 * 400
    assert six < 2 * one


def test_stored_pages_that_are_no_articles_are_told_with_an_example_and_its_reason(tmp_path: Path) -> None:
    tag = {"outcome": PageOutcome.LISTING, "reason": "most of its text are 21 links"}
    about = {"outcome": PageOutcome.LISTING, "reason": "no text in it hangs together"}
    told = pipeline.status(built_corpus(tmp_path, [article(1, "Text."), article(3, **tag), article(2, **about)])).no_articles
    example = "https://pelda.example/2"
    assert told == (NoArticle(outcome=PageOutcome.LISTING, count=2, example=example, reason="no text in it hangs together"),)
