"""The cache of an inventory: nothing is read twice, and what it says is always what reading everything again would say."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from small_corpus import RULES, SmallCorpus, page

from webarticlecurator.corpus.lock import locked
from webarticlecurator.corpus_survey import SurveyOptions, observed, surveyed
from webarticlecurator.errors import CorpusBusy, UsageError
from webarticlecurator.model.progress import Snapshot
from webarticlecurator.survey.counting.observed import Observed
from webarticlecurator.survey.counting.observing import Observing

ROOT = "body:\n  root: article\n"


@pytest.fixture
def small(tmp_path: Path) -> SmallCorpus:
    (tmp_path / "portal.yaml").write_text(RULES, "utf-8")
    corpus = SmallCorpus(tmp_path, rules=ROOT)
    corpus.store(("/2020/01/01/a", body("<p class=x>one</p>")), ("/2021/01/01/b", body("<p class=x>two</p><p><b>bold</b> text</p>")))
    return corpus


def body(html: str) -> bytes:
    return page().replace(b'<div class="text">', f'<div class="text">{html}'.encode())


def taken(small: SmallCorpus, *, rules: str | None = None, stop: Event | None = None, **options: Any) -> Observed:
    """The inventory; `rules` are written into the portal file first."""
    small.rules = small.rules if rules is None else rules
    return observed(small.portal, corpus=small.folder, options=SurveyOptions(**{"jobs": 1, **options}), stop=stop)


def told(found: Observed) -> dict[str, Any]:
    """Everything that does not depend on what was read when."""
    names = ("pages", "years", "passed_over", "nodes", "recurring", "start_tags", "start_tags_with_text")
    return {name: getattr(found, name) for name in names}


def afresh(small: SmallCorpus) -> dict[str, Any]:
    for path in small.folder.glob("survey*"):
        path.unlink()
    return told(taken(small))


def test_the_second_call_reads_nothing_and_says_the_same(small: SmallCorpus) -> None:
    first, second = taken(small), taken(small)

    assert (first.read_now, second.read_now) == (2, 0)
    assert told(first) == told(second)
    assert second.notes == ()


@pytest.mark.parametrize(
    "tags",
    [
        "decompose: [p.x]",
        "decompose: ['div.text p.x']",
        "unwrap: [b]",
        "box: [div.text]",
        "split: {p.x: [paragraph, bold]}",
        "unwrap-all: [div.text]",
    ],
)
def test_after_an_edit_of_tag_rules_nothing_is_read_again(small: SmallCorpus, tags: str) -> None:
    taken(small)

    found = taken(small, rules=f"{ROOT}  tags:\n    {tags}\n")

    assert found.read_now == 0
    assert told(found) == afresh(small)


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        (ROOT.replace("article", "div.text"), "what an article's text is"),
        (f"{ROOT}layouts: [{{url: ['/2021/'], body: {{root: div.text}}}}]\n", "what an article's text is"),
        (f"{ROOT}  tags:\n    decompose: ['p:has(b)']\n", "New selectors look at more than tags and what they stand in (p:has(b))"),
        (f"{ROOT}  tags:\n    decompose: ['body p.x']\n", "(body p.x)"),
    ],
)
def test_what_the_cache_cannot_tell_is_read_again_and_it_is_said(small: SmallCorpus, rules: str, why: str) -> None:
    taken(small)

    found = taken(small, rules=rules)

    assert found.read_now == 2
    assert why in found.notes[0]
    assert told(found) == afresh(small)
    assert taken(small).read_now == 0


def test_an_ancestor_that_stands_around_no_container_needs_no_reading(small: SmallCorpus) -> None:
    taken(small)

    assert taken(small, rules=f"{ROOT}  tags:\n    decompose: ['blockquote.tweet p']\n").read_now == 0


def test_only_captures_that_came_since_are_read_and_their_tags_are_new(small: SmallCorpus) -> None:
    assert taken(small).first
    small.store(("/2022/01/01/c", body("<p class=fresh>three</p>")))

    found = taken(small)

    assert (found.read_now, found.pages, found.first) == (1, 3, False)
    assert {tag for tag, one in found.tags.items() if one.new} == {"p.fresh"}
    assert {tag for tag, one in taken(small).tags.items() if one.new} == {"p.fresh"}
    changed = taken(small, rules=f"{ROOT}  tags:\n    decompose: ['p:has(b)']\n")
    assert {tag for tag, one in changed.tags.items() if one.new} == {"p.fresh"}
    assert told(changed) == afresh(small)


def test_an_article_that_was_captured_again_is_counted_once(small: SmallCorpus) -> None:
    taken(small)
    small.store(("/2021/01/01/b", body("<p class=changed>two</p>")), date="2025-01-01T00:00:00Z")

    found = taken(small)

    assert found.pages == 2
    assert "p.changed" in found.tags
    assert "b" not in found.tags
    assert told(found) == afresh(small)


def test_a_sample_has_a_cache_of_its_own(small: SmallCorpus) -> None:
    taken(small)

    sample = taken(small, sample=1)

    assert (sample.pages, sample.of_pages) == (1, 2)
    assert taken(small, sample=1).read_now == 0
    assert taken(small).read_now == 0
    assert taken(small, sample=2).read_now == 1


@pytest.mark.slow
def test_two_processes_find_what_one_finds(small: SmallCorpus) -> None:
    small.store(*((f"/2022/01/{1 + number % 28:02}/{number}", body(f"<p class=x>{number} <i>words</i></p>")) for number in range(150)))

    one = taken(small)
    for path in small.folder.glob("survey*"):
        path.unlink()
    two = taken(small, jobs=2)

    assert told(one) == told(two)
    assert one.tags == two.tags
    assert one.examples == two.examples


def test_interrupted_it_says_so_and_goes_on_where_it_stopped(small: SmallCorpus) -> None:
    small.store(*((f"/{number}", page(str(number))) for number in range(150)))
    stop = Event()

    class StopAtOnce:
        def show(self, snapshot: Snapshot) -> None:
            if snapshot.articles:
                stop.set()

        def say(self, portal: str, message: str) -> None:
            pass

    cut = observed(small.portal, corpus=small.folder, options=SurveyOptions(jobs=1), progress=StopAtOnce(), stop=stop)
    rest = taken(small)

    assert not cut.complete
    assert 0 < cut.pages < 152
    assert (rest.complete, rest.read_now, rest.pages) == (True, 152 - cut.pages, 152)
    assert told(rest) == afresh(small)


def test_stopped_before_anything_was_found_it_forgets_nothing(small: SmallCorpus) -> None:
    taken(small)
    small.store(("/c", page("C")))
    stop = Event()
    stop.set()

    assert not taken(small, stop=stop).complete
    assert taken(small).read_now == 1


@pytest.mark.parametrize("damage", ["garbage", "format", "rows", "empty"])
def test_a_store_that_is_of_no_use_is_made_again(small: SmallCorpus, damage: str) -> None:
    before = taken(small)
    store = small.folder / "survey.sqlite"
    if damage in ("garbage", "empty"):
        store.write_bytes(os.urandom(20_000) if damage == "garbage" else b"")
    else:
        sql = {"format": "UPDATE notes SET value = '{\"format\": 0}'", "rows": "UPDATE nodes SET spot = 'x', parent = 99"}[damage]
        with closing(sqlite3.connect(store)) as db, db:
            db.execute(sql)

    found = taken(small)

    assert found.read_now == 2
    assert "made again" in found.notes[0]
    assert told(found) == told(before)


def test_two_inventories_at_a_time_are_not_made(small: SmallCorpus) -> None:
    with locked(small.folder / "survey.lock", "inventory"), pytest.raises(CorpusBusy, match="Another inventory of"):
        taken(small)


def test_warc_files_need_no_corpus_and_leave_nothing_behind(small: SmallCorpus, tmp_path: Path) -> None:
    files = sorted(tmp_path.glob("in-*.warc.gz"))
    before = sorted(tmp_path.rglob("*"))

    found = observed(small.portal, warcs=files, options=SurveyOptions(jobs=1))

    assert told(found) == told(taken(small))
    assert [path for path in before if path.suffix != ".yaml"] == [path for path in before if path.exists() and path.suffix != ".yaml"]
    with pytest.raises(UsageError, match="no such file"):
        observed(small.portal, warcs=[tmp_path / "none.warc.gz"])


def test_any_question_can_be_asked_in_a_pass(small: SmallCorpus) -> None:
    found = surveyed(Observing(small.portal), small.portal, phase="audit", corpus=small.folder, options=SurveyOptions(jobs=1))

    assert (found.pages, found.of_pages, found.complete) == (2, 2, True)
    assert found.tally.years == {2020: 1, 2021: 1}
