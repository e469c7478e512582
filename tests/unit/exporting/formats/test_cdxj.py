"""CDXJ of an export: the captures of the articles that were chosen, or all that is stored; each line leads to its record."""

from __future__ import annotations

import gzip
import json
from io import BytesIO
from pathlib import Path

import pytest
from documented_corpora import exported
from small_corpus import SmallCorpus, page
from warcio.archiveiterator import ArchiveIterator


@pytest.fixture
def collected(corpus: SmallCorpus) -> Path:
    """The portal file; two articles, one of them in two versions, and a page that is none."""
    corpus.rules = "articles: {skip: {when: [body.about]}}\n"
    corpus.store(("/b?y=1&x=2", page("Two")), ("/a", page("One")), ("/about", b'<html><body class="about"><h1>About us</h1></body></html>'))
    corpus.store(("/a", page("One", text="changed")), date="2024-07-01T00:00:00Z")
    corpus.build()
    (corpus.base / "corpora").mkdir()
    corpus.folder.rename(corpus.base / "corpora" / "pelda")
    return corpus.base / "portal.yaml"


def lines(portal: Path, name: str = "out.cdxj", **options) -> list[tuple[str, str, dict]]:
    path = portal.parent / name
    exported(portal, "cdxj", path, **options)
    written = gzip.decompress(path.read_bytes()) if name.endswith(".gz") else path.read_bytes()
    assert written.splitlines() == sorted(written.splitlines())
    parts = [line.split(" ", 2) for line in written.decode().splitlines()]
    return [(key, moment, json.loads(told)) for key, moment, told in parts]


def test_a_line_a_capture_of_the_articles(collected: Path) -> None:
    assert [(key, moment) for key, moment, _ in lines(collected, "out.cdxj.gz")] == [
        ("example,pelda)/a", "20240601000000"),
        ("example,pelda)/a", "20240701000000"),
        ("example,pelda)/b?x=2&y=1", "20240601000000"),
    ]  # fmt: skip


def test_everything_that_is_stored_is_an_option(collected: Path) -> None:
    keys = {key for key, _, _ in lines(collected, format_options={"everything": True})}
    assert keys == {"example,pelda)/a", "example,pelda)/b?x=2&y=1", "example,pelda)/about"}


def test_each_line_leads_to_its_record(collected: Path) -> None:
    for _, _, told in lines(collected):
        with (collected.parent / "corpora" / "pelda" / "warc" / told["filename"]).open("rb") as file:
            file.seek(int(told["offset"]))
            (record,) = ArchiveIterator(BytesIO(file.read(int(told["length"]))))
            assert record.rec_headers["WARC-Target-URI"] == told["url"]
            assert record.rec_headers["WARC-Payload-Digest"] == told["digest"]
            assert (record.http_headers.get_statuscode(), "html" in told["mime"]) == (told["status"], True)


def test_a_file_that_is_lost_leaves_its_lines_out(collected: Path) -> None:
    for path in (collected.parent / "corpora" / "pelda" / "warc").iterdir():
        path.unlink()
    assert lines(collected) == []
    counts = exported(collected, "cdxj", collected.parent / "out.cdxj").counts
    assert (counts.articles, counts.failed, counts.of) == (0, 2, 2)
