"""Stored pages that are damaged, or lie no more where they were noted: no document is made of them, and none is taken away."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from crawling import Crawling
from ledgers import changed_by_hand
from scripted_portal import Crawler, scripted_portal
from seams import ExitCode
from warc_records import records


@pytest.fixture
def site(crawled: Crawling) -> Crawling:
    return crawled


@pytest.fixture
def run(site: Crawling, curator: Any) -> Callable[..., Any]:
    """A command on the corpus, without processes of its own."""

    def command(name: str, *arguments: object) -> Any:
        jobs = ("--jobs", 1) if name == "build" else ()
        columns = [flag for column in site.columns for flag in ("--column", column)] if name == "crawl" else []
        return curator(name, site.file, "--corpus", site.corpus, *jobs, *columns, *arguments)

    return command


def documents(site: Crawling) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted((site.corpus / "tei").rglob("*.xml"))}


def exported(run: Callable[..., Any], site: Crawling) -> dict[str, str]:
    """URL -> text, of all that an export holds."""
    file = site.folder / "articles.jsonl"
    assert run("export", "--to", "jsonl", "-o", file).code in (ExitCode.OK, ExitCode.FAILURES)
    return {article["url"]: article["text"] for article in map(json.loads, file.read_text("utf-8").splitlines())}


def place(site: Crawling, url: str) -> tuple[Path, int, int]:
    """Where the newest response for a page is stored."""
    stored = [(path, record) for path in site.warcs for record in records(path) if (record.url, record.type) == (url, "response")]
    path, record = stored[-1]
    return path, record.offset, len(record.member)


def spoil(site: Crawling, url: str) -> None:
    path, offset, length = place(site, url)
    content = bytearray(path.read_bytes())
    content[offset + length // 2 : offset + length // 2 + 40] = bytes(40)
    path.write_bytes(content)


def misplace(site: Crawling, url: str) -> None:
    """The ledger leads to the record of another article."""
    other = next(other for other in sorted(site.expected) if other != url)
    with changed_by_hand(site.corpus / "ledger.sqlite") as ledger:
        lies = "SELECT file, offset, length FROM responses WHERE target = ?"
        (there,) = ledger.execute(lies, (other,)).fetchall()
        assert ledger.execute("UPDATE responses SET (file, offset, length) = (?, ?, ?) WHERE target = ?", (*there, url)).rowcount


def single(site: Crawling) -> str:
    """An article of one page."""
    return max(url for url in site.expected if len(site.portal.truth(url).page_urls) == 1)


DAMAGES = [spoil, misplace]


def test_no_article_gets_the_text_of_another_whose_record_lies_where_its_own_was_noted(site: Crawling, run: Callable[..., Any]) -> None:
    url = single(site)
    misplace(site, url)
    built = run("build")
    assert built.code == ExitCode.FAILURES
    assert "here is another record than that of" in built.err
    exports = exported(run, site)
    assert url not in exports
    assert len(set(exports.values())) == len(exports)


@pytest.mark.parametrize("command", [("audit",), ("learn",), ("try", "URL"), ("crawl", "--offline")], ids=" ".join)
def test_every_command_passes_over_a_record_that_is_another_one(site: Crawling, run: Callable[..., Any], command: tuple[str, ...]) -> None:
    url = single(site)
    misplace(site, url)
    ended = run(*(url if argument == "URL" else argument for argument in command))
    assert ended.code in (ExitCode.OK, ExitCode.FAILURES, ExitCode.INCOMPLETE, ExitCode.USAGE)
    if command[0] == "try":
        assert "here is another record than that of" in ended.out + ended.err


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.usefixtures("built")
def test_a_document_stays_when_its_page_is_damaged_and_every_command_says_so(
    site: Crawling, run: Callable[..., Any], damage: Callable[[Crawling, str], None]
) -> None:
    url = single(site)
    before, texts = documents(site), exported(run, site)
    damage(site, url)

    assert " 0 go;" in run("build", "--all", "--compare").out
    assert documents(site) == before
    built = run("build", "--all")
    assert built.code == ExitCode.FAILURES
    assert f"1 document is kept: its page is damaged: {url}" in built.err
    assert "The next crawl asks for these pages again" in built.err
    assert documents(site) == before
    assert exported(run, site) == texts
    (kept,) = json.loads(run("build", "--json").out)["kept"]
    assert (kept["why"], kept["documents"], kept["url"]) == ("page-damaged", 1, url)

    status = run("status")
    assert status.code == ExitCode.FAILURES
    assert f"Damaged: 1 document is kept: its page is damaged: {url}" in status.out
    assert "curator crawl" in status.err
    (problem,) = map(json.loads, (site.corpus / "problems.jsonl").read_text("utf-8").splitlines())
    assert (problem["url"], problem["outcome"]) == (url, "page-damaged")


@pytest.mark.nightly
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.usefixtures("built")
def test_a_damaged_page_is_fetched_again_by_the_next_crawl_and_then_built(
    site: Crawling, run: Callable[..., Any], damage: Callable[[Crawling, str], None]
) -> None:
    url = single(site)
    texts = exported(run, site)
    damage(site, url)
    run("build", "--all")
    site.portal.forget_requests()

    crawled = run("crawl")
    assert crawled.code == ExitCode.FAILURES
    assert f"a page of 1 article is damaged in the WARC files, such as that of {url}; 1 asked for again" in crawled.err
    assert [asked for asked in site.expected if site.portal.asked(asked)] == [url]
    assert "1 built article has other bytes since the last build" in run("status").out
    assert run("build").code == ExitCode.OK
    assert exported(run, site) == texts
    assert run("status").code == ExitCode.OK
    site.portal.forget_requests()
    assert run("crawl").code == ExitCode.OK
    assert not site.portal.asked(url)
    assert run("build", "--all").code == ExitCode.OK


@pytest.mark.usefixtures("built")
def test_a_document_that_cannot_be_made_by_other_rules_stays_as_it_is(site: Crawling, run: Callable[..., Any]) -> None:
    url = single(site)
    before = documents(site)
    spoil(site, url)
    assert run("build", "--all", "--template", "minimal").code == ExitCode.FAILURES
    kept = [path for path, document in documents(site).items() if document == before[path]]
    assert len(kept) == 1
    assert url in before[kept[0]].decode()


@pytest.mark.usefixtures("built")
def test_a_document_of_several_pages_stays_when_one_of_them_is_damaged(site: Crawling, run: Callable[..., Any]) -> None:
    several = next(url for url in sorted(site.expected) if len(site.portal.truth(url).page_urls) > 2)
    before, texts = documents(site), exported(run, site)
    second = site.portal.truth(several).page_urls[1]
    spoil(site, second)
    assert run("build", "--all").code == ExitCode.FAILURES
    assert documents(site) == before
    assert run("crawl").code == ExitCode.FAILURES
    assert run("build").code == ExitCode.OK
    assert exported(run, site) == texts


def test_the_newest_document_stays_though_an_older_capture_is_whole(site: Crawling, run: Callable[..., Any]) -> None:
    url = single(site)
    site.portal.edit(url)
    site.crawl(recheck=timedelta(days=30), archive=False)
    run("build")
    before, texts = documents(site), exported(run, site)
    spoil(site, url)
    assert run("build", "--all").code == ExitCode.FAILURES
    assert documents(site) == before
    assert run("crawl").code == ExitCode.FAILURES
    assert run("build").code == ExitCode.OK
    assert exported(run, site) == texts


def test_without_a_document_the_older_capture_is_read_and_the_document_says_so(site: Crawling, run: Callable[..., Any]) -> None:
    url = single(site)
    site.portal.edit(url)
    site.crawl(recheck=timedelta(days=30), archive=False)
    spoil(site, url)
    assert run("build").code == ExitCode.OK
    assert url in exported(run, site)
    assert run("build", "--all").code == ExitCode.OK, "what is made of the same capture again is not kept"


@pytest.mark.usefixtures("built")
def test_a_document_stays_when_a_ledger_made_anew_does_not_know_its_page(site: Crawling, run: Callable[..., Any], curator: Any) -> None:
    url = single(site)
    before, texts = documents(site), exported(run, site)
    spoil(site, url)
    assert curator("warc", "index", site.file, "--corpus", site.corpus).code == ExitCode.FAILURES
    built = run("build")
    assert built.code == ExitCode.FAILURES
    assert "1 document is kept: its page is damaged" in built.err
    assert documents(site) == before
    assert exported(run, site) == texts
    assert run("crawl").code == ExitCode.OK
    assert run("build").code == ExitCode.OK
    assert exported(run, site) == texts


@pytest.mark.usefixtures("built")
def test_a_document_stays_when_the_build_database_is_lost_besides(site: Crawling, run: Callable[..., Any]) -> None:
    url = single(site)
    before = documents(site)
    spoil(site, url)
    (site.corpus / "build.sqlite").unlink()
    assert "1 document is kept" in run("build").err
    assert documents(site) == before


@pytest.mark.usefixtures("built")
def test_a_document_that_a_person_deletes_is_not_kept(site: Crawling, run: Callable[..., Any]) -> None:
    url = single(site)
    spoil(site, url)
    run("build", "--all")
    (document,) = (path for path, content in documents(site).items() if url in content.decode())
    Path(document).unlink()
    built = run("build")
    assert built.code == ExitCode.FAILURES
    assert "kept" not in built.err
    assert "unreadable" in built.err
    assert url not in exported(run, site)
    assert run("crawl").code == ExitCode.FAILURES
    assert run("build").code == ExitCode.OK
    assert url in exported(run, site)


def test_an_article_that_never_had_a_document_stays_what_it_was_and_is_fetched_again(site: Crawling, run: Callable[..., Any]) -> None:
    url = single(site)
    spoil(site, url)
    built = run("build")
    assert built.code == ExitCode.FAILURES
    assert "1 unreadable" in built.err
    assert "kept" not in built.err
    assert run("crawl").code == ExitCode.FAILURES
    assert run("build").code == ExitCode.OK


def test_a_recheck_stores_no_page_as_unchanged_since_a_damaged_one(site: Crawling, run: Callable[..., Any]) -> None:
    url = single(site)
    spoil(site, url)
    assert run("crawl", "--recheck", "30d").code == ExitCode.OK
    assert run("build", "--all").code == ExitCode.OK
    assert url in exported(run, site)


@pytest.mark.nightly
@pytest.mark.usefixtures("built")
def test_a_document_whose_page_is_gone_from_the_portal_is_kept_and_asked_for_once(site: Crawling, run: Callable[..., Any]) -> None:
    url = single(site)
    texts = exported(run, site)
    spoil(site, url)
    run("build", "--all")
    site.portal.switch_on("missing", url)
    assert run("crawl").code == ExitCode.FAILURES
    site.portal.forget_requests()
    assert run("crawl").code == ExitCode.OK
    assert not site.portal.asked(url)
    assert run("build", "--all", "--zip").code == ExitCode.FAILURES
    assert run("build", "--all").code == ExitCode.FAILURES
    assert exported(run, site) == texts
    assert run("status").code == ExitCode.FAILURES


BLOG = """
archive: {url: HOME/blog, item: div.post, link: a, pages: none}
articles: {fetch: truncated}
posts: {blog: {item: div.post, url: a, title: h3, text: div.text}}
body: {root: div.text}
"""


def blog_page() -> str:
    posts = "".join(
        f"<div class=post><h3><a href=/post-{number}.html>Post {number}</a></h3>"
        f"<div class=text><p>The text of post {number}: a walk along the river, as long as it was.</p></div></div>"
        for number in (1, 2, 3)
    )
    return f"<html lang=en><head><title>A blog</title></head><body>{posts}</body></html>"


def test_documents_of_posts_stay_when_the_index_page_is_damaged_which_is_fetched_again(curator: Any, tmp_path: Path) -> None:
    with scripted_portal() as portal:
        crawler = Crawler(curator, tmp_path, portal, BLOG)
        portal.script["/blog"] = blog_page()
        assert crawler.crawl() == ExitCode.OK, crawler.said
        assert crawler.run("build", "--jobs", 1).code == ExitCode.OK
        before = {path: path.read_bytes() for path in (crawler.corpus / "tei").rglob("*.xml")}
        assert len(before) == 3
        for path in (crawler.corpus / "warc").glob("*-archive-*"):
            (page,) = (record for record in records(path) if record.type == "response" and record.url.endswith("/blog"))
            content = bytearray(path.read_bytes())
            middle = page.offset + len(page.member) // 2
            content[middle : middle + 40] = bytes(40)
            path.write_bytes(content)

        for command in (("build", "--jobs", 1, "--all"), ("build", "--jobs", 1, "--template", "minimal")):
            built = crawler.run(*command)
            assert built.code == ExitCode.FAILURES
            assert "3 documents are kept: their pages are damaged" in built.err
            assert {path: path.read_bytes() for path in (crawler.corpus / "tei").rglob("*.xml")} == before
        assert crawler.crawl() == ExitCode.FAILURES
        assert "the archive page" in crawler.said and "is damaged in the WARC files; it was asked for again" in crawler.said
        assert "/blog" in portal.asked
        built = crawler.run("build", "--jobs", 1)
        assert "kept" not in built.err
        assert {path: path.read_bytes() for path in (crawler.corpus / "tei").rglob("*.xml")}.keys() == before.keys()
        assert crawler.crawl() == ExitCode.OK
