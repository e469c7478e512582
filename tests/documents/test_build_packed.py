"""Packed documents: how they are divided among zips, and that every reader finds them whatever happened."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile

import pytest
from ledgers import changed_by_hand
from seams import documents_of
from small_corpus import SmallCorpus, page

from webarticlecurator import CorpusError


class _Killed(BaseException):
    """As if the process had ended here."""


def _store(corpus: SmallCorpus, *days: str | None) -> None:
    """An article of each of these days; its path and title tell which."""
    numbered = [
        (f"/{day}-{number}", page(f"{day} {number}", text=f'{number} <b class="ad">Buy</b>', published=day))
        for number, day in enumerate(days)
    ]
    corpus.store(*numbered)


def _labels(corpus: SmallCorpus) -> list[str]:
    return sorted(name.removesuffix(".zip") for name in corpus.documents)


def test_a_month_is_a_zip_and_what_has_no_date_is_divided_by_ids(corpus: SmallCorpus) -> None:
    _store(corpus, "2022-02-02", "2023-01-05", "2023-01-06", *["2024-05-01"] * 5, None, None, None)
    corpus.build(zip=True)
    dated, undated = _labels(corpus)[:3], _labels(corpus)[3:]
    assert dated == ["2022-02", "2023-01", "2024-05"]
    assert undated and all(label.startswith("undated-") for label in undated)
    assert len(documents_of(corpus.folder)) == 11


def test_the_same_documents_give_the_same_bytes_whatever_was_built_before(corpus: SmallCorpus) -> None:
    _store(corpus, "2023-01-01", "2023-02-01", "2023-03-01")
    corpus.build(zip=True)
    _store(corpus, "2023-01-15", "2023-02-15", "2024-01-01")
    corpus.build(zip=True)
    by_and_by = corpus.documents
    corpus.build()
    corpus.build(zip=True)
    assert corpus.documents == by_and_by
    corpus.build(zip=True, everything=True)
    assert corpus.documents == by_and_by


def test_only_shards_in_which_something_changed_are_written(corpus: SmallCorpus) -> None:
    _store(corpus, "2023-01-01", "2024-03-02")
    corpus.build(zip=True)
    before = {name: (corpus.folder / "tei" / name).stat().st_mtime_ns for name in corpus.documents}
    _store(corpus, "2024-03-01")
    corpus.build(zip=True)
    untouched = {
        name for name in before.keys() & corpus.documents.keys() if (corpus.folder / "tei" / name).stat().st_mtime_ns == before[name]
    }
    assert {name[:7] for name in untouched} == {"2023-01"}
    assert _labels(corpus) == ["2023-01", "2024-03"]


def test_files_become_zips_and_stay_in_them(corpus: SmallCorpus) -> None:
    _store(corpus, "2023-01-01", "2023-04-01", "2023-04-02", "2023-05-01", None)
    corpus.build()
    readable = documents_of(corpus.folder)
    assert corpus.build(zip=True).unchanged == 5
    assert documents_of(corpus.folder) == readable
    wanted = corpus.documents
    assert "2023-04.zip" in wanted
    assert corpus.build().unchanged == 5
    assert corpus.documents == wanted, "without the flag, too"


def _until_it_is_not_killed(monkeypatch: pytest.MonkeyPatch, build: Callable[[], object]) -> Iterator[int]:
    """Builds that end at the first, second, third ... change of a file, until one comes to its end."""
    for moment in range(1_000):
        left = iter(range(moment))

        def killing(real: Callable[..., object], left: Iterator[int] = left) -> Callable[..., object]:
            def step(*args: object, **kwargs: object) -> object:
                if next(left, None) is None:
                    raise _Killed
                return real(*args, **kwargs)

            return step

        with monkeypatch.context() as patch:
            for name in ("replace", "unlink", "write_bytes"):
                patch.setattr(Path, name, killing(getattr(Path, name)))
            try:
                build()
            except _Killed:
                yield moment
            else:
                return
    raise AssertionError("it never came to its end")


def test_a_kill_at_any_moment_leaves_every_document_as_it_was_or_as_it_is(corpus: SmallCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    _store(corpus, *(f"2024-0{month}-01" for month in range(1, 8)))
    corpus.build(zip=True)
    old = documents_of(corpus.folder)
    corpus.rules = "body: {tags: {decompose: [b.ad]}}\n"  # every document becomes another
    _store(corpus, "2024-01-15")
    kills = 0
    for _ in _until_it_is_not_killed(monkeypatch, lambda: corpus.build(zip=True)):
        kills += 1
        assert all(documents_of(corpus.folder).values())
    assert kills > 5
    after = corpus.documents
    assert documents_of(corpus.folder).keys() > old.keys()
    assert _labels(corpus) == [f"2024-0{month}" for month in range(1, 8)]
    corpus.build()
    corpus.build(zip=True)
    assert corpus.documents == after


def test_a_kill_while_the_form_changes_loses_nothing(corpus: SmallCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    _store(corpus, *(f"2024-0{month}-01" for month in range(1, 8)))
    corpus.build()
    documents = documents_of(corpus.folder)
    for _ in _until_it_is_not_killed(monkeypatch, lambda: corpus.build(zip=True)):
        assert documents_of(corpus.folder) == documents
    assert documents_of(corpus.folder) == documents


def test_documents_of_a_broken_zip_are_made_again(corpus: SmallCorpus) -> None:
    _store(corpus, *["2024-05-01"] * 2)
    corpus.build(zip=True)
    before = corpus.documents
    (corpus.folder / "tei/2024-05.zip").write_bytes(b"no zip")
    _store(corpus, "2024-05-02")
    assert corpus.build(zip=True).written == 3
    corpus.forget("/2024-05-02-0")
    corpus.build(zip=True)
    assert corpus.documents == before


def test_a_zip_that_was_changed_inside_is_told_and_what_it_held_made_again_without_it(corpus: SmallCorpus) -> None:
    _store(corpus, "2024-05-01")
    corpus.build(zip=True)
    archive = corpus.folder / "tei/2024-05.zip"
    _spoiled(8, ZIP_BZIP2)(archive)
    _store(corpus, "2024-05-02")
    with pytest.raises(CorpusError, match="is damaged"):
        corpus.build(zip=True)
    archive.unlink()
    corpus.build(zip=True)
    assert None not in documents_of(corpus.folder).values()


def _spoiled(at: int, value: int) -> Callable[[Path], None]:
    """A zip in whose first record, and in what the directory says of it, a byte is another."""

    def spoil(archive: Path) -> None:
        content = bytearray(archive.read_bytes())
        directory = content.find(b"PK\x01\x02")
        content[at] = content[directory + at + (2 if at < 26 else 16)] = value
        archive.write_bytes(content)

    return spoil


def _bomb(archive: Path) -> None:
    names = ZipFile(archive).namelist()
    with ZipFile(archive, "w", ZIP_DEFLATED) as zipped:
        for name in names:
            with zipped.open(name, "w") as member:
                for _ in range(257):
                    member.write(bytes(1 << 20))


@pytest.mark.parametrize(
    "spoil",
    [_spoiled(6, 1), _spoiled(8, ZIP_BZIP2), _spoiled(30, 0), _bomb],
    ids=["password", "another packing", "another name", "bomb"],
)
def test_a_zip_that_somebody_spoiled_is_as_good_as_none(corpus: SmallCorpus, spoil: Callable[[Path], None]) -> None:
    corpus.store(("/a", page("A")))
    corpus.build(zip=True)
    before = corpus.documents
    spoil(next((corpus.folder / "tei").glob("2024-*.zip")))
    assert corpus.build(zip=True, everything=True).written == 1
    assert corpus.documents == before


@pytest.mark.parametrize("name", ["2024/../../../outside.xml", "2024//tmp/outside-0123456789abcdef.xml", "2024/01/02/notes.txt"])
def test_what_a_zip_calls_by_no_name_of_a_document_is_never_made_a_file(corpus: SmallCorpus, name: str) -> None:
    corpus.store(("/a", page("A")))
    (corpus.folder / "tei").mkdir()
    with ZipFile(corpus.folder / "tei/2024-05.zip", "w") as zipped:
        zipped.writestr(name, b"<TEI/>")
    corpus.build()
    assert not list(corpus.base.rglob("outside*"))
    assert [path.rpartition("/")[0] for path in documents_of(corpus.folder)] == ["tei/2024/05/01"]


@pytest.mark.parametrize("path", ["tei/../../kept.xml", "{base}/kept.xml"])
@pytest.mark.parametrize("form", [{}, {"zip": True}])
def test_a_database_of_somebody_else_takes_no_file_away(corpus: SmallCorpus, path: str, form: dict[str, bool]) -> None:
    corpus.store(("/a", page("A")), ("/b", page("B")), ("/c", page("C")))
    corpus.build(**form)
    kept = corpus.base / "kept.xml"
    kept.write_bytes(b"of a person")
    with changed_by_hand(corpus.folder / "build.sqlite") as database:
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
