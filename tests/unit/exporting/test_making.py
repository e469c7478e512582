"""What costs much of an export is made by several: the files are the same bytes, and an article that cannot be made is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from built_corpora import article, built_corpus, post

from webarticlecurator import corpus_export
from webarticlecurator.corpus_export import ExportSummary, export
from webarticlecurator.exporting import exporter, making, token_lines
from webarticlecurator.tokens import tokenize
from webarticlecurator.tokens.model import Sentence

FORMATS = {"vertical": "all.vert", "cwb": "all.vrt", "conllu": "all.conllu"}
NOTES = {"vertical": 2, "cwb": 3, "conllu": 1}
"""Of articles without words; of values that are cut; of fields that are."""


@pytest.fixture(autouse=True)
def small_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a few articles are several messages, to several workers."""
    monkeypatch.setattr(making, "BATCH", 3)
    monkeypatch.setattr(corpus_export, "FEWEST", 1)


@pytest.fixture
def portals(tmp_path: Path) -> list[Path]:
    articles = [
        article(
            number,
            *([f"Mr. Lee crossed bridge no. {number}. Nobody else did."] if number % 5 else []),
            title="A bridge" if number % 5 else None,
            posts=(post("Well said!", author="Zed", id="1"),) if number % 3 else (),
            metadata={"author": ["Ann Lee", "x" * (3_000 if number == 4 else 3)]},
            date=f"2024-05-{number:02}T10:00:00+02:00",
        )
        for number in range(1, 14)
    ]
    more = [article(1, "Another bridge.", portal="masik")]
    return [built_corpus(tmp_path / "a", articles, columns={"town": [1, 2]}), built_corpus(tmp_path / "b", more, portal="masik")]


def told(format: str, portals: list[Path], folder: Path, **workers: int | str) -> tuple[ExportSummary, dict[str, bytes]]:
    """How the export ended, and all files of it."""
    folder.mkdir()
    summary = export(portals, format, output=folder / FORMATS[format], **workers)  # type: ignore[arg-type]
    return summary, {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.slow
@pytest.mark.parametrize("format", FORMATS)
def test_whoever_makes_them_the_files_are_the_same(portals: list[Path], tmp_path: Path, format: str) -> None:
    alone, files = told(format, portals, tmp_path / "alone", jobs=1)
    shared, same = told(format, portals, tmp_path / "shared", jobs=2)

    assert same == files
    assert (shared.counts, shared.notes) == (alone.counts, alone.notes)
    assert len(alone.notes) == NOTES[format]
    assert alone.counts.parts == {"comments": 9}


def fails_on_one(text: str, language: str | None) -> list[Sentence]:
    if "bridge no. 7" in text:
        raise ValueError("seven")
    return list(tokenize(text, language))


def test_an_article_that_cannot_be_made_is_told_and_all_others_are_there(
    portals: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(token_lines, "tokenizer_of", lambda _: fails_on_one)

    summary, files = told("vertical", portals, tmp_path / "out", jobs=1)

    assert (summary.counts.articles, summary.counts.failed) == (13, 1)
    (note,) = [note for note in summary.notes if "is not in it" in note]
    assert note.endswith("is not in it: curator failed on it, which is a bug of curator: ValueError: seven")
    written = files["all.vert"].decode()
    assert note.split()[0] not in written
    assert written.count("<doc ") == 11, "and two have no words"


def test_an_article_that_ends_its_process_is_told() -> None:
    made = making._Worker(maker=None).give_up(None, "the process that read it was killed (SIGKILL)")  # type: ignore[arg-type]

    assert made.failed == "the process that read it was killed (SIGKILL)"


@pytest.fixture
def nobody_else(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def run(*_: object, **__: object) -> None:
        raise AssertionError("others were asked to work")

    monkeypatch.setattr(exporter, "all_made", run)
    yield


def test_the_key_of_pseudonyms_stays_in_the_process_that_was_given_it(portals: list[Path], tmp_path: Path, nobody_else: None) -> None:
    key = tmp_path / "key"
    summary = export(portals, "vertical", output=tmp_path / "all.vert", jobs=2, key=key, pseudonymise="author")

    assert summary.counts.articles == 14
    assert "Ann Lee" not in (tmp_path / "all.vert").read_text("utf-8")
