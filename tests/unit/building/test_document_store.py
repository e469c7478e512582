"""Where documents lie: here in one zip a year."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

from small_corpus import SmallCorpus, page

from webarticlecurator.building.document_store import DocumentStore


def _names(content: bytes) -> list[str]:
    return [name.rpartition("/")[0] for name in ZipFile(BytesIO(content)).namelist()]


def test_every_year_has_its_zip_and_nothing_else_lies_there(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page("A", published="2023-01-02")), ("/b", page("B", published="2024-05-01")), ("/c", page("C", published=None)))

    corpus.build(zip=True)

    assert {name: _names(content) for name, content in corpus.documents.items()} == {
        "2023.zip": ["2023/01/02"],
        "2024.zip": ["2024/05/01"],
        "undated.zip": ["undated"],
    }


def test_the_same_documents_give_the_same_bytes(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page("A")), ("/b", page("B")))
    corpus.build(zip=True)
    before = corpus.documents

    corpus.build(zip=True, everything=True)
    assert corpus.documents == before

    corpus.build()
    corpus.build(zip=True)
    assert corpus.documents == before


def test_only_the_zip_of_a_year_in_which_something_changed_is_written(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page("A", published="2023-01-02")), ("/b", page("B")))
    corpus.build(zip=True)
    untouched = (corpus.folder / "tei/2023.zip").stat().st_mtime_ns

    corpus.store(("/c", page("C")))
    corpus.build(zip=True)

    assert (corpus.folder / "tei/2023.zip").stat().st_mtime_ns == untouched
    assert len(_names(corpus.documents["2024.zip"])) == 2


def test_an_article_that_is_none_any_more_leaves_the_zip(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page("A", published="2023-01-02")), ("/b", page("B")), ("/c", page("C")))
    corpus.build(zip=True)
    corpus.forget("/a")
    corpus.forget("/b")

    corpus.build(zip=True)

    assert {name: len(_names(content)) for name, content in corpus.documents.items()} == {"2024.zip": 1}


def test_a_document_in_a_zip_that_would_be_the_same_is_left_alone(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page("A")))
    corpus.build(zip=True)

    assert corpus.build(zip=True, everything=True).confirmed == 1
    assert corpus.build(zip=True).unchanged == 1


def test_without_the_flag_the_zips_become_files_again(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page("A")))
    corpus.build()
    files = corpus.documents
    corpus.build(zip=True)

    assert corpus.build().unchanged == 1
    assert corpus.documents == files


def test_a_folder_that_another_process_took_away_is_made_again(tmp_path: Path) -> None:
    store = DocumentStore(tmp_path)
    store.write("tei/2024/05/01/pelda-1.xml", b"<TEI/>")
    DocumentStore(tmp_path).remove("tei/2024/05/01/pelda-1.xml")
    store.write("tei/2024/05/01/pelda-2.xml", b"<TEI/>")
    assert store.read("tei/2024/05/01/pelda-2.xml") == b"<TEI/>"
