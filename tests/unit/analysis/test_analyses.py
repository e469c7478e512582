"""What is found of a built corpus, kept, brought up to date and read."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path
from threading import Event as Flag

import built_corpora
import pytest

from tests.support.working_time import at_most
from webarticlecurator.analysis import languages
from webarticlecurator.analysis.analyses import Analyses, AnalysisSummary, analyse
from webarticlecurator.analysis.languages import LanguageModel
from webarticlecurator.building.built_articles import BuiltArticles
from webarticlecurator.building.database import BuildDatabase
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.lock import locked
from webarticlecurator.errors import CorpusBusy, CorpusError
from webarticlecurator.model.article import Article
from webarticlecurator.statistics.duplicates import duplicates
from webarticlecurator.workers.carriers import Workers

ENGLISH = "the of and to in was for on that with council bridge river winter school library teacher harbour opened closed lost"


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return LanguageModel()


@pytest.fixture(autouse=True)
def loaded_once(model: LanguageModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes half a second."""
    monkeypatch.setattr(languages, "LanguageModel", lambda: model)


def invented(number: int, *paragraphs: str, published: str | None = "2024-05-01", portal: str = "p") -> Article:
    return built_corpora.article(number, *paragraphs, date=published, portal=portal, counted=True)


def built(folder: Path, *articles: Article) -> Corpus:
    built_corpora.put(folder, *articles)
    return Corpus(folder)


def story(seed: int, words: int = 120) -> str:
    chance = random.Random(seed)
    return " ".join(chance.choices(ENGLISH.split(), k=words))


def found(corpus: Corpus, *, processes: int = 1, stop: Flag | None = None) -> AnalysisSummary:
    return analyse(corpus, "p", workers=Workers(processes), stop=stop)


def test_the_same_text_is_told_by_the_first_that_was_published_and_nearly_the_same_too(tmp_path: Path) -> None:
    text = story(1)
    corpus = built(
        tmp_path,
        invented(1, text, published="2024-05-03"),
        invented(2, text.replace(" ", "\n "), published="2024-05-02T10:00:00+02:00"),
        invented(3, text, "And one more paragraph of a few words.", published=None),
        invented(4, story(2)),
    )
    assert found(corpus) == AnalysisSummary(analysed=4)
    with Analyses([corpus]) as analyses:
        first, second, third, other = (analyses.of(f"p-{number:016x}") for number in (1, 2, 3, 4))
    assert first.exact == second.exact == second.near == third.near == f"p-{2:016x}"
    assert (first.similarity, third.exact, other.exact, other.near) == (1.0, None, None, None)
    assert third.similarity is not None and third.similarity > 0.8
    assert first.language == "en"


@pytest.mark.parametrize("published", ["0001-01-01T00:00:00+02:00", "9999-12-31T23:00:00-05:00"])
def test_a_date_that_is_outside_of_all_years_in_utc_ends_nothing(tmp_path: Path, published: str) -> None:
    assert found(built(tmp_path, invented(1, story(1), published=published))) == AnalysisSummary(analysed=1)


def test_each_article_tells_its_cluster_and_its_place_among_all(tmp_path: Path) -> None:
    text = story(1)
    days = {1: "2024-05-03", 2: "2024-05-02", 3: "2024-05-04", 4: "2024-05-01"}
    longer = invented(3, text, "And one more paragraph of a few words.", published=days[3])
    corpus = built(tmp_path, invented(1, text, published=days[1]), invented(2, text, published=days[2]), longer, invented(4, story(2)))
    found(corpus)
    one, two, three, four = (f"p-{number:016x}" for number in (1, 2, 3, 4))
    with Analyses([corpus]) as analyses:
        assert [analyses.cluster(article, "near") for article in (one, two, three, four)] == [(two, 2), (two, 1), (two, 3), (None, 0)]
        assert [analyses.cluster(article, "exact")[0] for article in (one, two, three)] == [two, two, None]
        assert list(analyses.largest("near", 9, 9)) == [(3, (two, one, three))]
        assert list(analyses.largest("exact", 9, 9)) == [(2, (two, one))]


def test_the_largest_clusters_come_first_each_with_its_first_articles(tmp_path: Path) -> None:
    texts = [1, 2, 2, 2, 3, 3, 4, 4]
    corpus = built(tmp_path, *(invented(number, story(text), published=f"2024-05-0{9 - number}") for number, text in enumerate(texts, 1)))
    found(corpus)
    ids = [f"p-{number:016x}" for number in range(len(texts) + 1)]
    with Analyses([corpus]) as analyses:
        assert analyses.clusters("exact") == analyses.clusters("near") == (3, 7)
        assert list(analyses.largest("near", 2, 2)) == [(3, (ids[4], ids[3])), (2, (ids[8], ids[7]))]


def test_each_cluster_more_costs_no_look_at_all_the_others(tmp_path: Path) -> None:
    corpus = built(tmp_path, invented(1, story(1)))
    found(corpus)
    with sqlite3.connect(corpus.analysis_database) as db:
        ids = [f"p-{number:016x}" for number in range(2, 60_002)]
        db.executemany(
            "INSERT INTO clusters VALUES (?, ?, ?, ?, 1)", [(id, place, ids[place & ~1], ids[place & ~1]) for place, id in enumerate(ids)]
        )
    with BuiltArticles.of(corpus.build_database, "p") as articles, Analyses([corpus]) as analyses, at_most(3):
        assert [one.clusters for one in duplicates(analyses, articles)] == [30_000, 30_000]


def test_only_what_is_new_or_changed_is_analysed_and_what_is_gone_goes(tmp_path: Path) -> None:
    corpus = built(tmp_path, invented(1, story(1)), invented(2, story(1)), invented(3, story(3)))
    found(corpus)
    assert found(corpus) == AnalysisSummary()
    built_corpora.put(corpus.folder, invented(3, story(4)), invented(4, story(4)))
    assert found(corpus).analysed == 2
    with BuildDatabase(corpus.build_database) as database:
        database.forget([f"p-{2:016x}"])
    assert found(corpus) == AnalysisSummary()
    with Analyses([corpus]) as analyses:
        assert list(analyses.largest("near", 9, 9)) == [(2, (f"p-{3:016x}", f"p-{4:016x}"))]
        assert analyses.of(f"p-{2:016x}").language is None


def test_clusters_of_several_corpora_are_those_of_all_of_them(tmp_path: Path) -> None:
    here = built(tmp_path / "p", invented(1, story(1), published="2024-05-01T10:00:00+02:00"))
    there = built(
        tmp_path / "q", invented(1, story(1), published="2024-05-01T09:30:00+01:00", portal="q"), invented(2, story(2), portal="q")
    )
    for corpus in (here, there):
        found(corpus)
    with Analyses([there, here]) as analyses:
        assert list(analyses.largest("near", 9, 9)) == [(2, ("p-0000000000000001", "q-0000000000000001"))]
        assert analyses.of("q-0000000000000001").language == analyses.of("p-0000000000000001").language == "en"
    with Analyses([here]) as alone:
        assert alone.of("p-0000000000000001").near is None


def test_a_second_command_is_told_who_is_at_work_unless_nothing_is_to_be_done(tmp_path: Path) -> None:
    corpus = built(tmp_path, invented(1, story(1)))
    with locked(corpus.analysis_lock, "analysis"), pytest.raises(CorpusBusy, match="Another analysis"):
        found(corpus)
    found(corpus)
    with locked(corpus.analysis_lock, "analysis"):
        assert found(corpus) == AnalysisSummary()


def test_an_analysis_that_was_stopped_goes_on_the_next_time(tmp_path: Path) -> None:
    corpus = built(tmp_path, invented(1, story(1)), invented(2, story(1)))
    stop = Flag()
    stop.set()
    assert not found(corpus, stop=stop).finished
    assert found(corpus) == AnalysisSummary(analysed=2)


def test_nothing_built_says_what_comes_first(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="curator build"):
        found(Corpus(tmp_path))


def test_a_damaged_file_says_so_and_one_of_another_version_is_made_again(tmp_path: Path) -> None:
    corpus = built(tmp_path, invented(1, story(1)))
    found(corpus)
    with sqlite3.connect(corpus.analysis_database) as db:
        db.execute("UPDATE meta SET value = 'other' WHERE name = 'method'")
    assert found(corpus).analysed == 1
    for path in tmp_path.glob("analysis.sqlite*"):
        path.write_bytes(b"no database at all" * 100)
    with pytest.raises(CorpusError, match=r"Delete analysis\.sqlite; it is made again"):
        found(corpus)


@pytest.mark.slow
def test_several_processes_find_what_one_finds(tmp_path: Path) -> None:
    articles = [invented(number, story(number % 300), published=f"2024-05-{1 + number % 28:02d}") for number in range(1, 700)]
    one, several = built(tmp_path / "one", *articles), built(tmp_path / "several", *articles)
    found(one)
    assert found(several, processes=2) == AnalysisSummary(analysed=699)
    with Analyses([one]) as expected, Analyses([several]) as analyses:
        assert list(analyses.largest("near", 300, 9)) == list(expected.largest("near", 300, 9))
        assert [analyses.of(article.id) for article in articles] == [expected.of(article.id) for article in articles]


def test_an_article_that_cannot_be_analysed_ends_nothing_is_told_and_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = built(tmp_path, invented(1, story(1)), invented(2, story(2)))
    with monkeypatch.context() as patch:
        patch.setattr("webarticlecurator.analysis.job.fingerprint", lambda *_: {}["nothing"])
        summary = found(corpus)
    assert (summary.analysed, summary.finished, len(summary.failed)) == (2, True, 2)
    assert "KeyError" in summary.failed[0]
    assert found(corpus) == AnalysisSummary(analysed=2)
