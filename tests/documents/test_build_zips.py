"""Where documents lie: here in one zip a year."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile

import pytest
from small_corpus import SmallCorpus, page

from webarticlecurator import CorpusError


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


def test_zips_become_files_again_where_that_is_asked_for(corpus: SmallCorpus) -> None:
    corpus.store(("/a", page("A")))
    corpus.build(files=True)
    files = corpus.documents
    corpus.build(zip=True)
    assert corpus.build(files=True).unchanged == 1
    assert corpus.documents == files


def _spoiled(at: int, value: int) -> Callable[[Path], None]:
    """A zip in whose first record, and in what the directory says of it, a byte is another."""

    def spoil(archive: Path) -> None:
        content = bytearray(archive.read_bytes())
        directory = content.find(b"PK\x01\x02")
        content[at] = content[directory + at + (2 if at < 26 else 16)] = value
        archive.write_bytes(content)

    return spoil


def _utf8(archive: Path) -> None:
    _spoiled(7, 8)(archive)
    _spoiled(30, 0xFF)(archive)


def _bomb(archive: Path) -> None:
    names = ZipFile(archive).namelist()
    with ZipFile(archive, "w", ZIP_DEFLATED) as zipped:
        for name in names:
            with zipped.open(name, "w") as member:
                for _ in range(257):
                    member.write(bytes(1 << 20))


@pytest.mark.parametrize(
    "spoil",
    [_spoiled(6, 1), _spoiled(8, ZIP_BZIP2), _spoiled(8, 99), _utf8, _spoiled(30, 0), _bomb],
    ids=["password", "another packing", "an unknown one", "a name in UTF-8", "another name", "bomb"],
)
def test_a_zip_that_somebody_spoiled_is_as_good_as_none(corpus: SmallCorpus, spoil: Callable[[Path], None]) -> None:
    corpus.store(("/a", page("A")))
    corpus.build(zip=True)
    before = corpus.documents
    spoil(corpus.folder / "tei/2024.zip")
    assert corpus.build(zip=True, everything=True).written == 1
    assert corpus.documents == before


@pytest.mark.parametrize("name", ["2024/../../../outside.xml", "2024//tmp/outside-0123456789abcdef.xml", "2024/01/02/notes.txt"])
@pytest.mark.parametrize("archive", ["2024.zip", "2024-0123456789abcdef.zip"])
def test_what_a_zip_calls_by_no_name_of_a_document_is_never_made_a_file(corpus: SmallCorpus, name: str, archive: str) -> None:
    corpus.store(("/a", page("A")))
    (corpus.folder / "tei").mkdir()
    with ZipFile(corpus.folder / "tei" / archive, "w") as zipped:
        zipped.writestr(name, b"<TEI/>")
    (corpus.folder / "tei/index.json").write_text('{"shards": []}')
    corpus.build(files=True)
    assert not list(corpus.base.rglob("outside*"))
    assert [path.rpartition("/")[0] for path in corpus.documents] == ["2024/05/01"]


@pytest.mark.parametrize("path", ["tei/../../kept.xml", "{base}/kept.xml"])
@pytest.mark.parametrize("form", [{}, {"zip": True}, {"shards": True}])
def test_a_database_of_somebody_else_takes_no_file_away(corpus: SmallCorpus, path: str, form: dict[str, bool]) -> None:
    corpus.store(("/a", page("A")), ("/b", page("B")), ("/c", page("C")))
    corpus.build(**form)
    kept = corpus.base / "kept.xml"
    kept.write_bytes(b"of a person")
    with closing(sqlite3.connect(corpus.folder / "build.sqlite")) as database, database:
        database.execute("UPDATE articles SET path = ? WHERE identity LIKE '%/a'", (path.format(base=corpus.base),))
    corpus.forget("/a")
    with pytest.raises(CorpusError, match="is no place of a document"):
        corpus.build(**form)
    assert kept.read_bytes() == b"of a person"


@pytest.mark.parametrize("left", [0, 1_000])
def test_a_document_of_which_a_power_cut_left_the_beginning_is_made_again(corpus: SmallCorpus, left: int) -> None:
    corpus.store(("/a", page("A")), ("/b", page("B")))
    corpus.build()
    before = corpus.documents
    (corpus.folder / "tei" / min(before)).write_bytes(before[min(before)][:left])
    assert corpus.build().written == 1
    assert corpus.documents == before
