"""Which stored pages a pass reads: of a corpus, and of WARC files that any program wrote."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_corpus import RULES, SmallCorpus, page
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from webarticlecurator.model.page import Page
from webarticlecurator.survey.page_pass import StoredPageReader
from webarticlecurator.survey.stored_page import StoredPage
from webarticlecurator.survey.stored_page_sample import StoredPageSample, corpus_pages, shares, warc_pages

HTML = "text/html; charset=utf-8"


@pytest.fixture
def small(tmp_path: Path) -> SmallCorpus:
    (tmp_path / "portal.yaml").write_text(RULES, "utf-8")
    return SmallCorpus(tmp_path)


def record(path: str, body: bytes, *, status: str = "200 OK", kind: str = HTML, date: str = "2024-06-01T00:00:00Z") -> bytes:
    """A response record, not compressed."""
    stream = BytesIO()
    writer = WARCWriter(stream, gzip=False)
    http = StatusAndHeaders(status, [("Content-Type", kind)] if kind else [], protocol="HTTP/1.1")
    url = f"https://pelda.example{path}"
    writer.write_record(
        writer.create_warc_record(url, "response", payload=BytesIO(body), http_headers=http, warc_headers_dict={"WARC-Date": date})
    )
    return stream.getvalue()


def in_corpus(small: SmallCorpus, sample: int | None = None) -> StoredPageSample:
    return StoredPageSample(corpus_pages(small.folder / "ledger.sqlite", small.folder / "warc", small.portal), sample)


def in_files(small: SmallCorpus, *files: Path, is_article: Callable[[str], bool] = lambda _: True) -> list[StoredPage]:
    with StoredPageSample(warc_pages(files, small.portal, is_article=is_article, on_damage=print)) as sample:
        return list(sample)


def paths(pages: list[StoredPage]) -> list[str]:
    return [one.url.removeprefix("https://pelda.example") for one in pages]


def test_a_corpus_gives_the_newest_capture_of_each_article(small: SmallCorpus) -> None:
    small.store(("/2019/05/01/a", page("A")), ("/b", page("B")))
    small.store(("/b", page("B again")), date="2025-01-01T00:00:00Z")

    with in_corpus(small) as sample:
        found = list(sample)

    assert (sample.total, sample.of_pages) == (2, 2)
    assert [(one.year, one.listing) for one in found] == [(2019, {}), (None, {})]
    reader = StoredPageReader(small.portal)
    read = [reader.read(one) for one in found]
    assert [one.tree.findtext(".//h1") for one in read if isinstance(one, Page) and one.tree is not None] == ["A", "B again"]


def test_a_sample_has_of_every_year_some_and_is_the_same_every_time(small: SmallCorpus) -> None:
    small.store(*((f"/{2001 + (number % 40 == 0)}/01/01/{number}", page(str(number))) for number in range(80)))

    with in_corpus(small, 20) as first, in_corpus(small, 20) as second, in_corpus(small, 500) as everything:
        assert list(first) == list(second)
        assert (first.total, first.of_pages, everything.total) == (20, 80, 80)
        assert {one.year for one in first} == {2001, 2002}


def test_a_sample_is_the_same_whatever_port_the_site_is_served_on(tmp_path: Path) -> None:
    def drawn(server: str) -> list[str]:
        pages = (StoredPage(url=f"{server}/{n}", path=tmp_path, offset=n, length=1, listing={}, year=None) for n in range(80))
        with StoredPageSample(((page, page.url, "") for page in pages), 10) as sample:
            return [page.url.removeprefix(server) for page in sample]

    assert drawn("http://127.0.0.1:8765") == drawn("http://127.0.0.1:43175") != drawn("http://pelda.example")


@pytest.mark.parametrize("packing", ["records", "plain", "one member"])
def test_any_program_s_files_can_be_read(small: SmallCorpus, tmp_path: Path, packing: str) -> None:
    records = [record("/a", page("A")), record("/k.png", b"PNG", kind="image/png"), record("/b", page("B"))]
    file = tmp_path / ("in.warc" if packing == "plain" else "in.warc.gz")
    packed = {"records": b"".join(map(gzip.compress, records)), "plain": b"".join(records), "one member": gzip.compress(b"".join(records))}
    file.write_bytes(packed[packing])

    found = in_files(small, file)

    assert paths(found) == ["/a", "/b"]
    reader = StoredPageReader(small.portal)
    titles = [read.tree.findtext(".//h1") for one in found if isinstance(read := reader.read(one), Page) and read.tree is not None]
    assert titles == ["A", "B"]


def test_of_files_only_whole_pages_that_may_be_articles_are_taken_the_newest_of_each(small: SmallCorpus, tmp_path: Path) -> None:
    file = tmp_path / "in.warc.gz"
    records = [
        record("/a", page("newer"), date="2024-06-02T00:00:00Z"),
        record("/a", page("older"), date="2024-06-01T00:00:00Z"),
        record("/gone", page("Gone"), status="404 Not Found"),
        record("/moved", b"", status="301 Moved"),
        record("/api", b"{}", kind="application/json"),
        record("/robots.txt", b"User-agent: *", kind="text/plain"),
        record("/untold", page("Untold"), kind=""),
        record("/untold.bin", b"\x00\x01", kind=""),
        record("/archive/3", page("Archive")),
    ]
    file.write_bytes(b"".join(map(gzip.compress, records)))

    found = in_files(small, file, is_article=lambda url: "/archive/" not in url)

    assert sorted(paths(found)) == ["/a", "/untold"]
    read = StoredPageReader(small.portal).read(next(one for one in found if one.url.endswith("/a")))
    assert isinstance(read, Page)
    assert read.tree is not None
    assert read.tree.findtext(".//h1") == "newer"


def test_what_is_one_article_by_the_portal_s_identity_comes_once(small: SmallCorpus, tmp_path: Path) -> None:
    small.rules = "articles: {identity: '/cikk/(\\d+)'}\n"
    file = tmp_path / "in.warc.gz"
    records = [record("/cikk/1", page("A")), record("/cikk/1?amp", page("A")), record("/cikk/2", page("B"))]
    file.write_bytes(b"".join(map(gzip.compress, records)))

    assert paths(in_files(small, file)) == ["/cikk/1?amp", "/cikk/2"]


# --- how many pages of each year ---

_YEARS = st.dictionaries(st.one_of(st.none(), st.integers(1990, 2030)), st.integers(1, 5_000), min_size=1, max_size=30)


@pytest.mark.parametrize(
    ("pages", "wanted", "given_"),
    [
        ({2020: 900, 2021: 100}, 100, {2020: 86, 2021: 14}),
        ({2020: 1_000, 2021: 3}, 100, {2020: 97, 2021: 3}),
        ({2020: 5, None: 5}, 100, {2020: 5, None: 5}),
        ({2020: 5, 2021: 5, 2022: 5}, 2, {2020: 1, 2021: 1, 2022: 0}),
        ({}, 10, {}),
    ],
)
def test_shares(pages: dict[int | None, int], wanted: int, given_: dict[int | None, int]) -> None:
    assert shares(pages, wanted) == given_


@given(_YEARS, st.integers(1, 10_000))
def test_there_are_as_many_as_asked_for_and_never_more_than_there_are(pages: dict[int | None, int], wanted: int) -> None:
    found = shares(pages, wanted)

    assert sum(found.values()) == min(wanted, sum(pages.values()))
    assert all(0 <= found[year] <= pages[year] for year in pages)


@given(_YEARS, st.integers(1, 10_000))
def test_every_year_has_some_where_there_are_enough(pages: dict[int | None, int], wanted: int) -> None:
    if wanted >= len(pages):
        assert min(shares(pages, wanted).values()) > 0
