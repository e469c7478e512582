"""A build looks quietly, `watch` thoroughly; what they find names the first article and says what could be done."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import yaml
from small_corpus import SmallCorpus
from watched_portal import html

from webarticlecurator import corpus_watch
from webarticlecurator.cli.exit_codes import ExitCode, of_build, of_watch
from webarticlecurator.cli.status import next_command
from webarticlecurator.corpus.lock import locked
from webarticlecurator.model.drift import WatchSummary
from webarticlecurator.pipeline import status

RULE = "body: {root: div.story}\n"


def pages(numbers: Iterable[int], **how: Any) -> list[tuple[str, bytes]]:
    """Articles of successive days."""
    made = []
    for number in numbers:
        day = f"2024-{1 + number // 28:02}-{1 + number % 28:02}T10:00:00Z"
        head = f'<head><meta charset="utf-8"><meta property="article:published_time" content="{day}"></head><body'
        made.append((f"/cikk/{number}", html(number, **how)[0].replace("<body", head, 1).encode()))
    return made


def watch(corpus: SmallCorpus, **options: Any) -> WatchSummary:
    return corpus_watch.watch(corpus.portal, corpus=corpus.folder, **options)


@pytest.fixture
def drifted(tmp_path: Path) -> SmallCorpus:
    """From the fifteenth article on the rule for the text finds none."""
    corpus = SmallCorpus(tmp_path, RULE)
    corpus.store(*pages(range(14)), *pages(range(14, 20), suffix="-new"))
    corpus.build()
    return corpus


def test_after_a_build_a_drift_is_told_and_is_a_problem_and_an_exit_code(tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path, RULE)
    corpus.store(*pages(range(14)))
    quiet = corpus.build()
    assert quiet.drifts == () and quiet.unwatched is None and of_build(quiet) is ExitCode.OK
    corpus.store(*pages(range(14, 20), suffix="-new"))
    built = corpus.build()
    assert [one.partition(": ")[0] for one in built.drifts] == ["https://pelda.example/cikk/14"]
    assert of_build(built) is ExitCode.DRIFT
    (problem,) = [one for one in corpus.problems if one["outcome"] == "article-drift"]
    assert problem["url"] == "https://pelda.example/cikk/14"
    assert "the rules find no text in 6 of 6 articles; before, in 0 of 14 articles" in problem["reason"]


def test_a_build_with_nothing_new_still_tells_what_is_known(drifted: SmallCorpus) -> None:
    again = drifted.build()
    assert again.unchanged == 20 and len(again.drifts) == 1 and of_build(again) is ExitCode.DRIFT


def test_status_tells_of_it_and_leads_to_the_watch(drifted: SmallCorpus) -> None:
    report = status(drifted.portal, corpus=drifted.folder)
    assert [one.partition(": ")[0] for one in report.article_drift] == ["https://pelda.example/cikk/14"]
    assert next_command(report, "portal.yaml") == "`curator watch portal.yaml` shows the pages before and after"


def test_a_watch_names_the_first_article_shows_three_pages_and_proposes_a_layout(drifted: SmallCorpus) -> None:
    found = watch(drifted, with_html=True)
    (drift,) = found.drifts
    assert (drift.url, drift.day[:10], of_watch(found)) == ("https://pelda.example/cikk/14", "2024-01-15", ExitCode.DRIFT)
    assert drift.kinds[0] == "empty" and "names" in drift.kinds
    assert [(one.role, one.url.rpartition("/")[2], one.outcome) for one in drift.pages] == [
        ("last before", "13", "article"),
        ("first after", "14", "empty"),
        ("another after", "19", "empty"),
    ]
    before, after, _ = drift.pages
    assert any(kept for kept, _ in before.blocks) and not any(kept for kept, _ in after.blocks)
    assert before.html is not None and "Most read" in before.html
    assert drift.proposal is not None
    assert (drift.proposal["name"], drift.proposal["from"]) == ("since-2024-01-15", "2024-01-15")


def test_an_article_without_a_date_is_shown_without_one_and_no_layout_is_proposed_from_a_day(tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path, RULE)
    undated = [(path, page.replace(b"article:published_time", b"nothing")) for path, page in pages(range(14, 20), suffix="-new")]
    corpus.store(*pages(range(14)), *undated)
    corpus.build()
    (drift,) = watch(corpus).drifts
    assert [one.day[:10] for one in (drift, *drift.pages)] == ["", "2024-01-14", "", ""]
    assert "which has no date" in drift.reason
    assert drift.proposal is None and "no date" in drift.proposed_for


def test_what_is_proposed_can_stand_in_the_portal_file_and_ends_the_alarm(drifted: SmallCorpus) -> None:
    import yaml

    (drift,) = watch(drifted).drifts
    assert drift.proposal is not None
    drifted.rules += yaml.safe_dump({"layouts": [dict(drift.proposal)]})
    built = drifted.build()
    assert built.failures == () and built.drifts == () and of_build(built) is ExitCode.OK
    assert watch(drifted).drifts == ()
    assert not [one for one in drifted.problems if one["outcome"] == "article-drift"]


def test_a_second_watch_reads_only_what_is_new(drifted: SmallCorpus) -> None:
    assert watch(drifted).new_pages == 20
    assert watch(drifted).new_pages == 0
    drifted.store(*pages(range(20, 22), suffix="-new"))
    drifted.build()
    assert watch(drifted).new_pages == 2


def test_what_was_seen_is_made_again_where_it_is_lost(drifted: SmallCorpus) -> None:
    first = watch(drifted)
    (drifted.folder / "watch.sqlite").unlink()
    assert watch(drifted).drifts == first.drifts


def test_a_page_by_page_change_is_found_by_what_is_lost(tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path, RULE)
    corpus.store(*pages(range(14)), *pages(range(14, 20), kept=("story", "story-goes-on")))
    assert corpus.build().drifts == ()  # only the pages show it, and a build reads few of them
    (drift,) = watch(corpus).drifts
    assert (drift.kinds, drift.url) == (("lost-text",), "https://pelda.example/cikk/14")


def test_other_names_alone_are_shown_by_a_watch_and_are_no_alarm_of_every_build(tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path)  # the general finder needs no names
    corpus.store(*pages(range(14)), *pages(range(14, 20), suffix="-new"))
    corpus.build()
    found = watch(corpus)
    assert [one.kinds for one in found.drifts] == [("names",)] and of_watch(found) is ExitCode.DRIFT
    built = corpus.build()
    assert built.drifts == () and of_build(built) is ExitCode.OK
    assert not [one for one in corpus.problems if one["outcome"] == "article-drift"]


def test_after_many_articles_a_build_looks_at_some_pages_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus_watch, "_BUILT_A_PAGE", 1)
    corpus = SmallCorpus(tmp_path, RULE)
    corpus.store(*pages(range(16)))
    assert corpus.build().drifts == ()
    corpus.store(*pages(range(16, 26), kept=("story", "story-goes-on")))
    (drift,) = corpus.build().drifts
    assert drift.startswith("https://pelda.example/cikk/16: ") and "text that looks like the article's is left out" in drift


def test_what_is_known_is_told_once_a_layout_however_often_one_builds(drifted: SmallCorpus) -> None:
    for number in range(20, 24):
        drifted.store(*pages([number], suffix="-new"))
        assert len(drifted.build().drifts) == 1


def test_a_portal_that_stays_as_it_is_is_well(tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path, RULE)
    corpus.store(*pages(range(20)))
    corpus.build()
    found = watch(corpus)
    assert (found.drifts, found.articles, found.pages, found.too_few, of_watch(found)) == ((), 20, 20, False, ExitCode.OK)


def test_of_few_articles_nothing_is_said(tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path, RULE)
    corpus.store(*pages(range(4)))
    corpus.build()
    assert watch(corpus).too_few


def test_a_watch_that_was_interrupted_says_so_and_forgets_nothing_that_was_known(drifted: SmallCorpus) -> None:
    stop = Event()
    stop.set()
    found = watch(drifted, stop=stop)
    assert not found.complete and of_watch(found) is ExitCode.INCOMPLETE
    assert len(drifted.build().drifts) == 1


def test_a_watch_that_fails_fails_no_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = SmallCorpus(tmp_path, RULE)
    corpus.store(*pages(range(3)))

    def failing(*_: object, **__: object) -> None:
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr(corpus_watch.series, "sampled", failing)
    built = corpus.build()
    assert built.written == 3 and of_build(built) is ExitCode.OK
    assert built.unwatched is not None and "by nothing" in built.unwatched


def test_while_another_watches_a_build_leaves_it_to_that(tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path, RULE)
    corpus.store(*pages(range(3)))
    corpus.folder.mkdir(exist_ok=True)
    with locked(corpus.folder / "watch.lock", "watch"):
        built = corpus.build()
    assert built.written == 3 and built.unwatched is None


def test_pages_that_are_not_there_any_more_are_shown_as_what_they_are(drifted: SmallCorpus) -> None:
    watch(drifted)
    with sqlite3.connect(drifted.folder / "ledger.sqlite") as ledger:
        ledger.execute("UPDATE responses SET offset = offset + 7")
    with sqlite3.connect(drifted.folder / "watch.sqlite") as seen:
        seen.execute("DELETE FROM pages WHERE 0")
    (drift,) = watch(drifted).drifts
    assert drift.pages[1].blocks == ()


def test_the_entry_for_a_layout_of_the_portal_file_keeps_its_conditions_and_its_other_rules(tmp_path: Path) -> None:
    layout = "layouts:\n- {name: old, until: 2024-12-31, body: {root: div.story}, metadata: {author: [{const: Somebody}]}}\n"
    corpus = SmallCorpus(tmp_path, layout)
    corpus.store(*pages(range(14)), *pages(range(14, 24), suffix="-new"))
    corpus.build()
    (drift,) = watch(corpus).drifts
    assert drift.layout == "old" and "it must stand above the entry old" in drift.proposed_for
    assert drift.proposal == {
        "name": "since-2024-01-15",
        "from": "2024-01-15",
        "until": "2024-12-31",
        "when": "div.story-new",
        "body": {"root": "div.story-new"},
        "metadata": {"author": [{"const": "Somebody"}]},
    }
    entry = yaml.safe_dump([dict(drift.proposal)])
    corpus.rules = layout.replace("layouts:\n", f"layouts:\n{entry}")
    assert corpus.build().failures == () and watch(corpus).drifts == ()


def test_the_entry_for_one_section_leaves_the_others_as_they_are(tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path, RULE)
    stay = [(path.replace("cikk", "sport"), page) for path, page in pages(range(24))]
    corpus.store(*stay, *pages(range(14)), *pages(range(14, 24), suffix="-new"))
    corpus.build()
    (drift,) = watch(corpus).drifts
    assert drift.proposal is not None
    corpus.rules = RULE + yaml.safe_dump({"layouts": [dict(drift.proposal)]})
    assert corpus.build().failures == () and watch(corpus).drifts == ()
