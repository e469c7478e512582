"""A survey of a corpus, or of WARC files: which pages are read, by how many processes, and what a stop leaves."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from typing import Any

import pytest
from small_corpus import RULES, SmallCorpus, page

from webarticlecurator.corpus_survey import Surveyed, SurveyOptions, surveyed
from webarticlecurator.errors import UsageError
from webarticlecurator.model.progress import Progress, Snapshot
from webarticlecurator.survey.inventory.assembling import inventory_of
from webarticlecurator.survey.inventory.results import Inventory
from webarticlecurator.survey.inventory.tag_counts import TagCounts
from webarticlecurator.survey.inventory.tag_question import TagQuestion


@pytest.fixture
def small(tmp_path: Path) -> SmallCorpus:
    (tmp_path / "portal.yaml").write_text(RULES, "utf-8")
    corpus = SmallCorpus(tmp_path, rules="body:\n  root: article\n")
    corpus.store(("/2020/01/01/a", body("<p class=x>one</p>")), ("/2021/01/01/b", body("<p class=x>two</p><p><b>bold</b> text</p>")))
    return corpus


def body(html: str) -> bytes:
    return page().replace(b'<div class="text">', f'<div class="text">{html}'.encode())


def survey(
    small: SmallCorpus, *, warcs: tuple[Path, ...] = (), progress: Progress | None = None, stop: Event | None = None, **options: Any
) -> Surveyed[TagCounts]:
    asked = SurveyOptions(**{"jobs": 1, **options})
    corpus = None if warcs else small.folder
    return surveyed(
        TagQuestion(small.portal), small.portal, phase="tags", corpus=corpus, warcs=warcs, options=asked, progress=progress, stop=stop
    )


def inventory(small: SmallCorpus, **asked: Any) -> Inventory:
    found = survey(small, **asked)
    return inventory_of(found.tally, small.portal, of_pages=found.of_pages)


def test_every_article_is_looked_at_once(small: SmallCorpus) -> None:
    found = survey(small)

    assert (found.pages, found.of_pages, found.complete) == (2, 2, True)
    assert found.tally.years == {2020: 1, 2021: 1}


def test_an_article_that_was_captured_again_is_counted_once(small: SmallCorpus) -> None:
    small.store(("/2021/01/01/b", body("<p class=changed>two</p>")), date="2025-01-01T00:00:00Z")

    found = inventory(small)

    assert found.pages == 2
    assert {"p.changed", "b"} & {row.tag for row in found.rows} == {"p.changed"}


def test_a_sample_is_the_same_at_every_call(small: SmallCorpus) -> None:
    sample = inventory(small, sample=1)

    assert (sample.pages, sample.of_pages) == (1, 2)
    assert inventory(small, sample=1) == sample


@pytest.mark.slow
def test_two_processes_find_what_one_finds(small: SmallCorpus) -> None:
    small.store(*((f"/2022/01/{1 + number % 28:02}/{number}", body(f"<p class=x>{number} <i>words</i></p>")) for number in range(150)))

    assert inventory(small) == inventory(small, jobs=2)


def test_interrupted_it_says_so(small: SmallCorpus) -> None:
    small.store(*((f"/{number}", page(str(number))) for number in range(150)))
    stop = Event()

    class StopAtOnce:
        def show(self, snapshot: Snapshot) -> None:
            if snapshot.articles:
                stop.set()

        def say(self, portal: str, message: str) -> None:
            pass

    cut = survey(small, progress=StopAtOnce(), stop=stop)

    assert not cut.complete
    assert 0 < cut.pages < cut.of_pages == 152


def test_stopped_before_anything_was_found_it_reads_nothing(small: SmallCorpus) -> None:
    stop = Event()
    stop.set()

    found = survey(small, stop=stop)

    assert (found.pages, found.complete) == (0, False)


def test_warc_files_need_no_corpus_and_nothing_is_left_behind(small: SmallCorpus, tmp_path: Path) -> None:
    of_corpus = inventory(small)
    before = sorted(tmp_path.rglob("*"))

    of_files = inventory(small, warcs=tuple(sorted(tmp_path.glob("in-*.warc.gz"))))

    assert of_corpus == of_files
    assert sorted(tmp_path.rglob("*")) == before


def test_a_file_that_is_not_there_is_named(small: SmallCorpus, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        survey(small, warcs=(tmp_path / "none.warc.gz",))
