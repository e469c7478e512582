"""Samples: chosen exchanges, byte for byte."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from webarticlecurator.errors import UsageError
from webarticlecurator.warc.check import Checker
from webarticlecurator.warc.members import pack
from webarticlecurator.warc.records import read_records, refuse
from webarticlecurator.warc.sample import SampleRequest, sample
from webarticlecurator.warc.store import Series
from webarticlecurator.warc.stored import read_exchanges


@pytest.fixture
def corpus(store, folder, make_entry):
    """Ten pages of each of three years, and what is no page."""
    for year in (2009, 2010, 2011):
        store.append(Series.ARTICLES, [make_entry(f"https://pelda.example/{year}/cikk-{number}") for number in range(10)])
    gone = b"HTTP/1.1 404 Not Found\r\n\r\n"
    store.append(Series.ARTICLES, [make_entry("https://pelda.example/2010/gone", response_bytes=gone, status=404)])
    store.append(Series.ARTICLES, [make_entry("https://pelda.example/robots.txt")])
    store.close()
    return [next(folder.iterdir())]


def urls(path) -> list[str]:
    return [stored.response.url for stored in read_exchanges(path)]


def take(corpus, out, **wanted):
    return sample(corpus, out, SampleRequest(**wanted), on_damage=refuse)


def test_wanted_urls_are_copied_and_missing_ones_are_told(corpus, tmp_path):
    out = tmp_path / "sample.warc.gz"
    wanted = frozenset({"https://PELDA.example/2009/cikk-3", "https://pelda.example/2011/cikk-1", "https://pelda.example/nowhere"})
    report = take(corpus, out, urls=wanted)
    assert urls(out) == ["https://pelda.example/2009/cikk-3", "https://pelda.example/2011/cikk-1"]
    assert (report.exchanges, report.missing) == (2, ("https://pelda.example/nowhere",))


def test_a_sample_is_a_right_warc_with_the_beginning_of_its_source(corpus, tmp_path):
    out = tmp_path / "sample.warc.gz"
    take(corpus, out, urls=frozenset({"https://pelda.example/2009/cikk-3"}))
    assert [record.type for record in read_records(out)] == ["warcinfo", "resource", "resource", "request", "response", "metadata"]
    assert list(Checker(datetime(2024, 6, 1, tzinfo=UTC)).check([out])) == []
    source = corpus[0].read_bytes()
    assert all(out.read_bytes()[record.offset : record.end] in source for record in read_records(out))


@pytest.mark.parametrize("wanted", [{"negative": True, "urls": frozenset()}, {"per_year": 5}])
def test_an_address_that_is_none_keeps_no_other_from_being_copied(store, folder, make_entry, tmp_path, wanted):
    store.append(Series.ARTICLES, [make_entry("http://[::1/"), make_entry("https://pelda.example/2010/cikk")])
    store.close()
    report = take([next(folder.iterdir())], tmp_path / "sample.warc.gz", **wanted)
    assert report.exchanges == 2


def test_negative_copies_all_but_the_named(corpus, tmp_path):
    out = tmp_path / "rest.warc.gz"
    take(corpus, out, urls=frozenset({"https://pelda.example/2009/cikk-3"}), negative=True)
    assert set(urls(corpus[0])) - set(urls(out)) == {"https://pelda.example/2009/cikk-3"}


def test_where_a_wanted_url_redirects_to_is_copied_too(store, folder, make_entry, tmp_path):
    moved = b"HTTP/1.1 301 Moved\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n"
    old = make_entry("https://pelda.example/old", response_bytes=moved, status=301)
    store.append(Series.ARTICLES, [old, make_entry("https://pelda.example/new")])
    store.close()
    out = tmp_path / "sample.warc.gz"
    report = take(list(folder.iterdir()), out, urls=frozenset({"https://pelda.example/old"}))
    assert urls(out) == ["https://pelda.example/old", "https://pelda.example/new"]
    assert report.missing == ()


def test_so_many_pages_of_each_year_and_the_same_for_the_same_seed(corpus, tmp_path):
    samples = []
    for number, seed in enumerate((7, 7, 8)):
        out = tmp_path / f"{number}.warc.gz"
        assert take(corpus, out, per_year=4, seed=seed).years == {2009: 4, 2010: 4, 2011: 4}
        samples.append(urls(out))
    assert samples[0] == samples[1] != samples[2]
    assert not any(url.endswith(("gone", "robots.txt")) for one in samples for url in one)


def test_uncompressed_files_and_badly_packed_ones_are_packed_anew(corpus, tmp_path):
    plain, lump = tmp_path / "plain.warc", tmp_path / "lump.warc.gz"
    plain.write_bytes(b"".join(record.head + record.block + b"\r\n\r\n" for record in read_records(corpus[0])))
    lump.write_bytes(pack(plain.read_bytes()))
    for source in (plain, lump):
        out = tmp_path / f"{source.stem}.sample.warc.gz"
        take([source], out, urls=frozenset({"https://pelda.example/2011/cikk-9"}))
        assert urls(out) == ["https://pelda.example/2011/cikk-9"]


def test_pages_that_share_a_gzip_member_are_chosen_one_by_one(corpus, tmp_path):
    lump = tmp_path / "lump.warc.gz"
    lump.write_bytes(pack(b"".join(record.head + record.block + b"\r\n\r\n" for record in read_records(corpus[0]))))
    assert take([lump], tmp_path / "s.warc.gz", per_year=4, seed=7).exchanges == 12


def test_nothing_chosen_writes_no_file(corpus, tmp_path):
    out = tmp_path / "sample.warc.gz"
    assert take(corpus, out, urls=frozenset({"https://pelda.example/nowhere"})).exchanges == 0
    assert not [path for path in tmp_path.iterdir() if "sample" in path.name]


def test_an_existing_file_is_not_overwritten(corpus):
    with pytest.raises(UsageError, match="there already"):
        take(corpus, corpus[0], per_year=1)
