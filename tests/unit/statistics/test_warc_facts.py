from __future__ import annotations

from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from benchmarks.large_corpus import make
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus_statistics import statistics
from webarticlecurator.model.statistics import CorpusStatistics, Signal
from webarticlecurator.statistics.warc_facts import WarcFacts, united

ARTICLES = 300


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("large")


@pytest.fixture(scope="module")
def told(folder: Path) -> CorpusStatistics:
    return statistics(make(folder / "corpus", ARTICLES), analysed=False)


@pytest.mark.slow
def test_files_are_told_with_their_digests(told: CorpusStatistics) -> None:
    files = Corpus(Path(told.portal.corpus)).warc_files()
    assert [(one.file, one.sha256) for one in told.provenance.warc_files] == sorted(
        (path.name, sha256(path.read_bytes()).hexdigest()) for path in files
    )
    assert {one.software for one in told.provenance.warc_files} == {told.provenance.program}


@pytest.mark.slow
def test_rights_signals_are_counted_with_an_example(told: CorpusStatistics) -> None:
    signals = {(one.name, one.value): one.pages for one in told.provenance.signals}
    fetched = sum(one.fetched for one in told.days)
    assert signals["header x-robots-tag", "noai"] == fetched
    assert 0 < signals["meta tdm-reservation", "1"] < fetched


@pytest.mark.slow
def test_every_number_of_the_ledger_agrees_with_status(told: CorpusStatistics) -> None:
    assert told.status is not None
    assert sum(one.count for one in told.outcomes) == sum(told.status.outcomes.values()) == ARTICLES
    by_outcome: dict[str, int] = {}
    for one in told.outcomes:
        by_outcome[one.outcome] = by_outcome.get(one.outcome, 0) + one.count
    assert by_outcome == {str(outcome): number for outcome, number in told.status.outcomes.items()}
    assert sum(one.intervals for one in told.proofs) == sum(row.proved for row in told.status.completeness)


@pytest.mark.slow
def test_a_complete_file_is_read_once(told: CorpusStatistics) -> None:
    corpus = Corpus(Path(told.portal.corpus))
    name = corpus.warc_files()[0].name

    def never() -> None:
        raise AssertionError("it was read again")

    with closing(WarcFacts(corpus)) as facts:
        assert facts.of(name, never).sha256 == told.provenance.warc_files[0].sha256  # type: ignore[arg-type]


@pytest.mark.slow
def test_a_damaged_memory_of_files_is_made_again(told: CorpusStatistics) -> None:
    corpus = Corpus(Path(told.portal.corpus))
    (corpus.folder / "statistics.sqlite").write_bytes(b"no database" * 100)
    with closing(WarcFacts(corpus)) as facts:
        assert facts.of(corpus.warc_files()[0].name, lambda: iter(())).sha256 == told.provenance.warc_files[0].sha256


@pytest.mark.slow
def test_a_file_that_is_missing_is_told(told: CorpusStatistics) -> None:
    corpus = Corpus(Path(told.portal.corpus))
    missing = corpus.warc_files()[0]
    missing.rename(missing.with_suffix(".away"))
    again = statistics(corpus.folder.parents[1] / "portal.yaml", analysed=False)
    missing.with_suffix(".away").rename(missing)
    assert any(lack.what == "warc" and missing.name in lack.why for lack in again.lacks)
    assert next(one.kind for one in again.problems) == "lost"


def test_signals_of_several_files_are_added_up() -> None:
    one = Signal(name="meta robots", value="noai", pages=2, example="https://a.example/1")
    other = Signal(name="meta robots", value="noai", pages=3, example="https://a.example/2")
    assert united([one, other]) == (Signal(name="meta robots", value="noai", pages=5, example="https://a.example/1"),)
