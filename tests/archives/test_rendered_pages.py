"""Pages that a browser showed: stored with all that came for them, read from what was shown, and never in need of the browser again."""

from __future__ import annotations

import shutil
import subprocess
import sys
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator
from ledgers import differences
from lxml import etree
from rendered_site import HOME, PORTAL, SCRIPT, KilledError, RenderedCorpus, SiteInBrowser

from webarticlecurator import pipeline
from webarticlecurator.corpus_build import build
from webarticlecurator.warc.check import Checker
from webarticlecurator.warc.exchanges import iter_warc, list_exchanges, read_groups
from webarticlecurator.warc.records import Record, read_records, refuse
from webarticlecurator.warc.store import utc_now

TEI = {"t": "http://www.tei-c.org/ns/1.0"}


@pytest.fixture
def crawled(tmp_path: Path) -> RenderedCorpus:
    corpus = RenderedCorpus(SiteInBrowser(), tmp_path)
    corpus.crawl()
    return corpus


def _archive(crawled: RenderedCorpus) -> Path:
    return next(path for path in crawled.corpus.warc_files() if "-archive-" in path.name)


def _records(crawled: RenderedCorpus, path: str) -> list[Record]:
    return [record for file in crawled.corpus.warc_files() for record in read_records(file) if record.url == HOME + path]


def _findings(corpus: RenderedCorpus) -> list[str]:
    with closing(Checker(utc_now())) as checker:
        return [finding.rule for finding in checker.check(corpus.corpus.warc_files())]


def test_a_crawl_is_complete_and_says_what_its_proofs_lean_on(crawled: RenderedCorpus) -> None:
    assert crawled.found() == crawled.site.articles
    assert crawled.ends() == {
        "friss": ("proved", "a page in a browser that grows no more"),
        "regi": ("proved", "a page without a next link"),
    }


def test_each_step_is_stored_with_what_is_new_and_what_was_loaded(crawled: RenderedCorpus) -> None:
    told = [
        (group.event["kind"], [record.type for record in group.records], group.event.get("request"))
        for group in read_groups(_archive(crawled))
        if group.event
    ][:8]
    url = f"{HOME}/friss"
    assert told == [
        ("loaded", ["request", "response", "metadata"], f"GET {HOME}/app.js"),
        ("loaded", ["request", "response", "metadata"], f"GET {HOME}/api/friss?step=0"),
        ("archive-page", ["request", "response", "conversion", "metadata"], f"GET {url}"),
        ("loaded", ["request", "response", "metadata"], f"GET {HOME}/api/friss?step=1"),
        ("archive-page", ["conversion", "metadata"], f"GET {url} step 1"),
        ("loaded", ["request", "response", "metadata"], f"GET {HOME}/api/friss?step=2"),
        ("archive-page", ["conversion", "metadata"], f"GET {url} step 2"),
        ("loaded", ["request", "response", "metadata"], f"GET {HOME}/api/friss?step=3"),
    ]


def test_a_conversion_refers_to_the_response_that_it_was_made_of(crawled: RenderedCorpus) -> None:
    records = list(read_records(_archive(crawled)))
    response = next(record for record in records if record.type == "response" and record.url == f"{HOME}/friss")
    conversions = [record for record in records if record.type == "conversion" and record.url == f"{HOME}/friss"]
    assert [record.field("WARC-Refers-To") for record in conversions] == [f"<{response.id}>"] * 4
    assert {record.field("Content-Type") for record in conversions} == {"text/html; charset=utf-8"}


def test_each_file_names_the_browser_that_showed_its_pages(tmp_path: Path) -> None:
    corpus = RenderedCorpus(SiteInBrowser(), tmp_path, PORTAL.replace("next: a.tovabb", "next: a.tovabb, fetch: {via: http}"))
    corpus.file = corpus.file.replace(
        "columns:\n", "columns:\n  cimlap: {url: 'https://pelda.example/', pages: none, fetch: {via: http}}\n"
    )
    corpus.crawl()
    for path in corpus.corpus.warc_files():
        records = list(read_records(path))
        shown = any(record.type == "conversion" for record in records)
        assert (b"curator-browser: Chromium 1.2.3\r\n" in records[0].block) == shown
    assert sum("-archive-" in path.name for path in corpus.corpus.warc_files()) == 2


def test_what_has_not_changed_of_what_pages_load_is_stored_once(crawled: RenderedCorpus) -> None:
    scripts = _records(crawled, "/app.js")
    whole = [record for record in scripts if record.type == "response"]
    assert len(whole) == 1
    assert whole[0].block.endswith(SCRIPT)
    assert {record.type for record in scripts} == {"request", "response", "revisit", "metadata"}


def test_an_archive_page_that_came_as_before_is_stored_as_it_was_shown(crawled: RenderedCorpus, tmp_path: Path) -> None:
    crawled.crawl(full=True)
    assert [record.type for record in _records(crawled, "/regi") if record.type in ("response", "revisit", "conversion")] == [
        *("response", "conversion"),
        *("revisit", "conversion"),
    ]
    assert crawled.replay(tmp_path / "replayed").fetched == 20


def test_the_files_are_right_for_every_checker(crawled: RenderedCorpus) -> None:
    crawled.crawl(full=True)
    assert _findings(crawled) == []
    for path in crawled.corpus.warc_files():
        with path.open("rb") as file:
            for record in ArchiveIterator(file, parse_http=False):
                assert record.verify_block_digest()
        done = subprocess.run([sys.executable, "-m", "warcio.cli", "check", "-v", path], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


def test_a_ledger_made_of_the_files_is_the_same(crawled: RenderedCorpus) -> None:
    crawled.crawl(full=True)
    before = crawled.folder / "before.sqlite"
    shutil.copy(crawled.corpus.ledger, before)
    crawled.corpus.ledger.unlink()
    pipeline.index(crawled.portal, corpus=crawled.corpus.folder)
    assert differences(before, crawled.corpus.ledger) == []


def test_a_replay_finds_the_same_without_a_browser(crawled: RenderedCorpus, tmp_path: Path) -> None:
    summary = crawled.replay(tmp_path / "replayed")
    assert (summary.fetched, summary.failures, summary.incomplete) == (20, (), ())
    again = RenderedCorpus(crawled.site, tmp_path / "x")
    again.folder.mkdir()
    shutil.move(tmp_path / "replayed", again.folder / "corpus")
    assert (again.found(), again.ends()) == (crawled.found(), crawled.ends())
    # and so does a replay of the replay, which got what was loaded from nobody
    assert again.replay(tmp_path / "third").fetched == 20


@pytest.mark.parametrize("after", [1, 2, 3, 4, 5, 6, 9])
def test_a_crawl_that_was_killed_is_finished_by_the_next_ones(after: int, tmp_path: Path) -> None:
    corpus = RenderedCorpus(SiteInBrowser(), tmp_path)
    for answers in (after, after + 3):
        corpus.site.kill_after = len(corpus.site.asked) + answers
        with pytest.raises(KilledError):
            corpus.crawl()
        corpus.site = SiteInBrowser()  # no page is open any more
    corpus.crawl()
    assert corpus.found() == corpus.site.articles
    assert {end for end, _ in corpus.ends().values()} <= {"proved", "known"}


def test_a_kill_between_two_records_loses_nothing_that_was_whole(crawled: RenderedCorpus, tmp_path: Path) -> None:
    archive = _archive(crawled)
    cuts = [record.end for record in read_records(archive)]
    whole = archive.read_bytes()
    for number, cut in enumerate(cuts[4:18]):
        folder = tmp_path / f"cut{number}"
        folder.mkdir()
        corpus = RenderedCorpus(SiteInBrowser(), folder)
        corpus.corpus.warc.mkdir(parents=True)
        (corpus.corpus.warc / f"{archive.name}.open").write_bytes(whole[:cut])
        corpus.crawl()
        assert corpus.found() == corpus.site.articles, cut
        assert set(_findings(corpus)) <= {"missing-record"}


def test_documents_are_made_of_what_the_browser_showed(crawled: RenderedCorpus) -> None:
    summary = build(crawled.portal, corpus=crawled.corpus.folder)
    assert summary.written == 20
    documents = [etree.parse(path) for path in sorted(crawled.corpus.folder.glob("tei/**/*.xml"))]
    assert all("csak böngészőben látszik, ékezetekkel: árvíztűrő" in one.xpath("string()") for one in documents)
    for one in documents:
        (shown,) = one.xpath("//t:relatedItem[@type='capture']/t:bibl", namespaces=TEI)
        ids = shown.xpath(".//t:idno[@type='WARC-Record-ID']/text()", namespaces=TEI)
        (response,) = shown.xpath("t:relatedItem[@type='isBasedOn']/t:bibl/t:idno[@type='WARC-Record-ID']/text()", namespaces=TEI)
        assert len(ids) == 2
        assert ids[1] == response


def test_what_a_browser_could_not_show_is_evidence_and_no_capture(tmp_path: Path) -> None:
    corpus = RenderedCorpus(SiteInBrowser(unshown={f"{HOME}/cikk/3"}), tmp_path)
    summary = corpus.crawl()
    assert corpus.found() == corpus.site.articles - {f"{HOME}/cikk/3"}
    assert summary.failures == ("1 article failed",)
    assert corpus.replay(tmp_path / "replayed").fetched == 19
    corpus.site.unshown.clear()
    corpus.crawl()
    assert corpus.found() == corpus.site.articles
    assert build(corpus.portal, corpus=corpus.corpus.folder).written == 20


def test_a_page_that_once_was_shown_is_not_hidden_by_a_later_failure(crawled: RenderedCorpus) -> None:
    crawled.site.unshown.add(f"{HOME}/cikk/3")
    crawled.crawl(recheck=timedelta(days=-1))  # all, however new
    assert build(crawled.portal, corpus=crawled.corpus.folder).written == 20


def test_an_archive_page_that_was_not_shown_to_its_end_is_a_limit(tmp_path: Path) -> None:
    corpus = RenderedCorpus(SiteInBrowser(limits={f"{HOME}/regi": "200 steps, the `scroll.most` of the portal file"}), tmp_path)
    summary = corpus.crawl()
    assert corpus.ends()["regi"][0] == "limit"
    assert "`scroll.most`" in " ".join(map(str, summary.incomplete))


def test_pages_of_which_none_ever_grew_prove_nothing(tmp_path: Path) -> None:
    corpus = RenderedCorpus(SiteInBrowser(fresh=4), tmp_path)
    summary = corpus.crawl()
    assert corpus.ends()["friss"][0] == "unproved"
    assert "`pages: scroll` never brought a new article: scrolling seems to do nothing" in " ".join(summary.failures)


def test_what_a_browser_did_not_show_whole_is_told(tmp_path: Path) -> None:
    corpus = RenderedCorpus(SiteInBrowser(limits={f"{HOME}/cikk/3": "it was still loading after 30 seconds"}), tmp_path)
    summary = corpus.crawl()
    assert corpus.found() == corpus.site.articles
    told = f"perhaps not shown whole in the browser: 1 article {HOME}/cikk/3 (it was still loading after 30 seconds)"
    assert any(remark.startswith(told) for remark in summary.remarks)


def test_an_article_whose_data_could_not_be_had_is_asked_for_again(tmp_path: Path) -> None:
    lacking = f"{HOME}/cikk/3"
    corpus = RenderedCorpus(SiteInBrowser(lacking={lacking}), tmp_path)
    summary = corpus.crawl()
    assert corpus.found() == corpus.site.articles - {lacking}
    assert summary.failures
    replayed = RenderedCorpus(SiteInBrowser(), tmp_path / "replayed")
    corpus.replay(replayed.corpus.folder)
    assert replayed.found() == corpus.found(), "what is stored of it is evidence"
    corpus.site.lacking.clear()
    corpus.crawl()
    assert corpus.found() == corpus.site.articles


def test_what_another_program_imports_is_the_page_as_it_was_shown(crawled: RenderedCorpus, tmp_path: Path) -> None:
    other = RenderedCorpus(SiteInBrowser(), tmp_path / "other")
    other.folder.mkdir()
    imported = pipeline.import_warcs(other.portal, crawled.corpus.warc_files(), corpus=other.corpus.folder)
    assert imported.articles == 20
    again = pipeline.import_warcs(other.portal, crawled.corpus.warc_files(), corpus=other.corpus.folder)
    assert again.articles == 0
    assert build(other.portal, corpus=other.corpus.folder).written == 20


def test_whoever_reads_the_files_gets_what_was_shown(crawled: RenderedCorpus) -> None:
    captures = {capture.url: capture for capture in iter_warc(crawled.corpus.folder) if capture.is_rendered}
    assert set(captures) >= crawled.site.articles
    assert "árvíztűrő" in captures[f"{HOME}/cikk/3"].entity.decode()
    assert captures[f"{HOME}/cikk/3"].header("X-Robots-Tag") == "noai"


def test_a_portal_without_a_browser_reads_what_one_showed_before(crawled: RenderedCorpus) -> None:
    crawled.file = PORTAL.replace("via: browser, ", "").replace("pages: scroll", "pages: none")
    assert build(crawled.portal, corpus=crawled.corpus.folder).written == 20


def test_a_list_of_a_file_tells_which_pages_were_shown(crawled: RenderedCorpus) -> None:
    articles = next(path for path in crawled.corpus.warc_files() if "-articles-" in path.name)
    listed = {one.url: one for one in list_exchanges(articles, on_damage=refuse) if one.outcome == "fetched"}
    assert len(listed) == 20
    assert all(one.rendered and one.status == 200 and one.record == "response" for one in listed.values())
