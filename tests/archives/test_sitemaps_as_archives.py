"""What a person gets who collects from sitemaps: every file read once, what its end proves, and articles that changed asked for again."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from collected import StopAfter
from crawling import clock_at
from ledgers import differences
from scripted_portal import BROKEN, MISSING, Crawler, Reply, ScriptedPortal, sitemap_index, urlset

from webarticlecurator import crawl

RULES = "archive: {url: '{home}sitemap.xml', format: sitemap}\n"


def now() -> str:
    """Later than any capture so far: they have parts of a second."""
    time.sleep(1.01 - time.time() % 1)
    return datetime.now(UTC).replace(microsecond=0).isoformat()


def two_files(portal: ScriptedPortal, lastmod: str = "") -> None:
    portal.script |= {
        "/sitemap.xml": sitemap_index("/a.xml", "/b.xml", lastmod=lastmod),
        "/a.xml": urlset("/c/1", "/c/2"),
        "/b.xml": urlset("/c/3"),
    }


def test_articles_that_changed_by_their_lastmod_are_asked_again_and_the_new_version_is_kept(crawler: Crawler) -> None:
    paths = [f"/c/{number}" for number in range(30)]
    crawler.portal.script["/sitemap.xml"] = urlset(*paths, lastmod="2024-05-01T10:00:00Z")
    assert crawler.crawl() == 0
    changed = dict.fromkeys(paths, "2024-05-01T10:00:00Z") | dict.fromkeys(paths[:3], now())
    crawler.portal.script |= {"/sitemap.xml": urlset(*paths, lastmod=changed), "/c/1": "<h1>Cikk</h1><p>Új szöveg.", "/c/2": "<p>Más."}
    assert crawler.crawl("--archive-only") == 0
    assert crawler.crawl("--offline") in (0, 1), "what is stored is no new version"
    assert crawler.crawl() == 0
    assert sorted(crawler.portal.articles_asked) == ["/c/0", "/c/1", "/c/2"]
    assert (
        "3 articles have changed by the `lastmod` of their listing: 3 asked for again, 2 of them with other bytes than before"
        in crawler.said
    )
    assert crawler.crawl() == 0
    assert crawler.portal.articles_asked == []


def asked_by(crawler: Crawler, *flags: str) -> tuple[int, list[str]]:
    """How a crawl ended, and the articles that it asked for."""
    return crawler.crawl(*flags), sorted(crawler.portal.articles_asked)


def test_from_a_day_on_leaves_what_was_changed_last_before_waiting_and_a_later_crawl_gets_it(crawler: Crawler) -> None:
    days = {"/c/old": "2023-11-05", "/c/eve": "2023-12-31T23:30:00Z", "/c/new": "2024-05-01T10:00:00Z", "/c/year": "2024"}
    crawler.portal.script |= {
        "/sitemap.xml": sitemap_index("/a.xml", "/b.xml"),
        "/a.xml": urlset(*days, lastmod=days),
        "/b.xml": urlset("/c/undated"),
    }
    assert asked_by(crawler, "--from", "2024-01-01", "--limit", "1") == (4, ["/c/eve"])
    assert crawler.run("warc", "index").code == 0, "as if the ledger had been lost"
    assert asked_by(crawler, "--from", "2024-01-01") == (0, ["/c/new", "/c/undated", "/c/year"])
    assert "fetches the 1 article that waits" in crawler.said
    assert asked_by(crawler, "--from", "2024-01-01") == (0, [])
    assert asked_by(crawler) == (0, ["/c/old"])


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ("urls: {sitemaps: ['2024']}", "all 2 addresses that the sitemaps list are refused: 2 by `urls.sitemaps`; look at `urls`"),
        ("urls: {only: ['/2024/']}", "all 3 addresses that the sitemaps list are refused: 3 by `urls.only`; look at `urls`"),
    ],
)
def test_rules_that_refuse_all_of_a_sitemap_are_named(crawler: Crawler, rules: str, says: str) -> None:
    two_files(crawler.portal)
    crawler.rules = f"archive: {{url: '{{home}}sitemap.xml', format: sitemap, {rules}}}\n"
    assert crawler.crawl() == 1
    assert says in crawler.said


def test_from_the_first_day_that_there_is_leaves_out_nothing(crawler: Crawler) -> None:
    crawler.portal.script["/sitemap.xml"] = urlset("/c/1", lastmod="2024-05-01")
    assert asked_by(crawler, "--from", "0001-01-01") == (0, ["/c/1"])


def test_until_a_day_is_refused_where_only_a_lastmod_is_told(crawler: Crawler) -> None:
    crawler.portal.script["/sitemap.xml"] = urlset("/c/1", lastmod="2024-05-01")
    assert asked_by(crawler, "--until", "2024-01-01") == (2, [])
    assert "it is known when they were changed last, and an older article may have been changed since" in crawler.said


def test_a_server_that_knows_of_no_change_is_not_asked_whether_there_was_one(crawler: Crawler) -> None:
    fixed = {"Last-Modified": "Wed, 01 May 2024 10:00:00 GMT"}
    crawler.portal.script |= {
        "/sitemap.xml": urlset("/c/1", lastmod="2024-05-01T10:00:00Z"),
        "/c/1": Reply("<h1>Cikk</h1><p>Szöveg.", headers=fixed),
    }
    assert crawler.crawl() == 0
    crawler.portal.script |= {"/sitemap.xml": urlset("/c/1", lastmod=now()), "/c/1": Reply("<h1>Cikk</h1><p>Új szöveg.", headers=fixed)}
    assert crawler.crawl() == 0
    assert "1 asked for again, 1 of them with other bytes than before" in crawler.said


def test_where_every_lastmod_is_always_now_a_crawl_asks_for_a_few_and_says_so(crawler: Crawler) -> None:
    paths = [f"/c/{number}" for number in range(60)]
    crawler.portal.script["/sitemap.xml"] = lambda _: urlset(*paths, lastmod=now())
    assert crawler.crawl() == 0

    assert crawler.crawl() == 0
    first = set(crawler.portal.articles_asked)
    assert crawler.crawl() == 0

    assert (len(first), len(crawler.portal.articles_asked)) == (20, 20)
    assert not first & set(crawler.portal.articles_asked)
    assert "wait for the next crawl, since so many at one time are rather the list's" in crawler.said


def test_where_most_articles_did_change_one_after_the_other_all_are_asked_again(crawler: Crawler) -> None:
    paths = [f"/c/{number}" for number in range(60)]
    crawler.portal.script["/sitemap.xml"] = urlset(*paths)
    crawl(crawler.file, corpus=crawler.corpus, now=clock_at(2023, 6, 1))
    moments = {path: f"2024-05-01T10:{number:02}:00Z" for number, path in enumerate(paths)}
    crawler.portal.script["/sitemap.xml"] = urlset(*paths, lastmod=moments)
    assert crawler.crawl() == 0
    assert len(crawler.portal.articles_asked) == 60


def test_a_page_of_any_format_may_tell_a_lastmod(crawler: Crawler) -> None:
    crawler.rules = "archive: {url: '{home}lista', link: a.cikk, fields: {lastmod: {attr: data-modositva, date: iso}}}\n"
    crawler.portal.script["/lista"] = "<a class=cikk data-modositva=2024-05-01 href=/c/1>Cikk</a>"
    assert crawler.crawl() == 0
    crawler.portal.script["/lista"] = f"<a class=cikk data-modositva={now()} href=/c/1>Cikk</a>"
    assert crawler.crawl() == 0
    assert crawler.portal.articles_asked == ["/c/1"]


@pytest.mark.parametrize("is_dated", [True, False])
def test_another_title_in_the_list_is_a_problem_only_where_no_lastmod_explains_it(crawler: Crawler, is_dated: bool) -> None:
    crawler.rules = "archive: {url: '{home}lista', item: a, fields: {headline: {css: a}, lastmod: {attr: data-modositva, date: iso}}}\n"
    for title in ("Hír", "Más hír"):
        crawler.portal.script["/lista"] = f"<a {f'data-modositva={now()}' if is_dated else ''} href=/c/1>{title}</a>"
        assert crawler.crawl() == 0

    assert ("1 problem for a human" in crawler.said) is not is_dated


def test_its_end_proves_that_it_was_read_and_not_that_it_is_all(crawler: Crawler) -> None:
    two_files(crawler.portal)
    assert crawler.crawl() == 0
    told = "archive: a sitemap read to its end, which need not list all that the portal has (the site's feeds and sitemaps may name more)"
    assert told in crawler.said

    (proof,) = crawler.status()["proofs"]
    assert (proof["ground"], proof["only_read"]) == ("a sitemap read to its end, which need not list all that the portal has", True)
    (row,) = crawler.status()["completeness"]
    assert (row["intervals"], row["proved"], row["only_read"], row["links"]) == (1, 0, 1, 3)
    shown = crawler.run("status")
    assert "says nothing of articles that it does not list" in shown.out
    assert f"`curator audit {crawler.file} --corpus {crawler.corpus} --archive --fetch` looks elsewhere for them" in shown.out
    summary = json.loads(crawler.run("crawl", "--json").out)
    assert told in summary["remarks"]


def test_gzip_files_robots_txt_text_and_indexes_below_indexes_are_read(crawler: Crawler) -> None:
    crawler.rules = "archive: {url: '{home}robots.txt', format: sitemap}\n"
    packed = gzip.compress(urlset("/c/1").encode())
    crawler.portal.script |= {
        "/robots.txt": Reply(f"User-agent: *\nAllow: /\nSitemap: {crawler.portal.home}/i.xml\nSitemap: /t.txt\n", kind="text/plain"),
        "/i.xml": sitemap_index("/deeper.xml", "/b.xml.gz"),
        "/deeper.xml": sitemap_index("/a.xml.gz", "/c.xml.gz"),
        "/a.xml.gz": Reply(packed, kind="application/x-gzip"),
        "/b.xml.gz": Reply(gzip.compress(urlset("/c/2").encode()), kind="application/octet-stream"),
        "/c.xml.gz": Reply(packed, kind="text/xml", headers={"Content-Encoding": "gzip"}),
        "/t.txt": Reply(f"{crawler.portal.home}/c/3\n", kind="text/plain"),
    }
    assert crawler.crawl() == 0
    assert crawler.fetched == {"/c/1", "/c/2", "/c/3"}
    assert [path for path in crawler.portal.asked if not path.startswith(("/c/", "/.well"))][1:] == [
        *("/robots.txt", "/i.xml", "/deeper.xml", "/a.xml.gz", "/c.xml.gz", "/b.xml.gz", "/t.txt")
    ]


UNREADABLE: dict[str, tuple[dict[str, Any], str]] = {
    "an error": ({"/a.xml": BROKEN}, "/a.xml (HTTP 500) could not be read"),
    "a damaged file": ({"/a.xml": urlset("/c/1", "/c/2")[:-10]}, "/a.xml"),
    "an empty file": ({"/a.xml": " \n"}, "/a.xml"),
    "a cut index": ({"/sitemap.xml": sitemap_index("/b.xml", "/a.xml").partition("/a.xml")[0]}, "/sitemap.xml"),
    "a page": ({"/a.xml": "<html>Nincs ilyen oldal</html>"}, "/a.xml"),
    "no sitemap": ({"/sitemap.xml": MISSING}, "/sitemap.xml (HTTP 404) could not be read"),
    "no article": (dict.fromkeys(("/a.xml", "/b.xml"), urlset()), "no sitemap lists an article"),
}


@pytest.mark.parametrize(("broken", "told"), UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_read_leaves_the_walk_open_and_is_named_and_the_next_crawl_reads_it(
    crawler: Crawler, broken: dict[str, Any], told: str
) -> None:
    two_files(crawler.portal)
    crawler.portal.script |= broken
    assert crawler.crawl() == 1
    assert told in crawler.said
    two_files(crawler.portal)
    assert crawler.crawl() == 0
    assert crawler.portal.archive_asked[:2] == ["/sitemap.xml", "/a.xml"]
    assert crawler.fetched == {"/c/1", "/c/2", "/c/3"}


def test_indexes_below_indexes_without_end_are_a_limit(crawler: Crawler) -> None:
    crawler.portal.script["/sitemap.xml"] = sitemap_index("/a.xml", "/1.xml")
    crawler.portal.script |= {f"/{depth}.xml": sitemap_index(f"/{depth + 1}.xml") for depth in range(1, 20)} | {"/a.xml": urlset("/c/1")}
    assert crawler.crawl() == 4
    assert crawler.fetched == {"/c/1"}
    assert "levels deep" in crawler.said
    assert len(crawler.portal.archive_asked) < 10


@pytest.mark.nightly
def test_a_file_with_too_many_addresses_is_a_limit_and_takes_little_memory(crawler: Crawler) -> None:
    entries = urlset(*(f"/c/{number}" for number in range(250_001)), lastmod="2024-05-01")
    crawler.portal.script["/sitemap.xml"] = Reply(gzip.compress(entries.encode()), kind="application/gzip")
    command = [sys.executable, "-m", "webarticlecurator", "crawl", crawler.file, "--corpus", crawler.corpus, "--archive-only"]
    running, peak = subprocess.Popen(command, stderr=subprocess.PIPE, text=True), 0
    while running.poll() is None:
        with suppress(OSError, StopIteration):
            status = Path(f"/proc/{running.pid}/status").read_text("ascii").splitlines()
            peak = max(peak, int(next(line for line in status if line.startswith("VmHWM:")).split()[1]) // 1024)
        with suppress(subprocess.TimeoutExpired):
            running.wait(0.1)
    assert running.stderr is not None
    with running.stderr as said:
        assert "is larger than a sitemap that is read whole" in said.read()
    assert running.returncode == 4
    assert len(crawler.outcomes) == 250_000
    assert peak < 150


def test_a_file_that_has_not_changed_since_it_was_read_is_asked_again_only_by_full(crawler: Crawler) -> None:
    two_files(crawler.portal, lastmod="2024-05-01")
    assert crawler.crawl() == 0

    assert crawler.crawl() == 0
    assert crawler.portal.archive_asked == ["/sitemap.xml"]
    assert crawler.crawl("--full") == 0
    assert crawler.portal.archive_asked == ["/sitemap.xml", "/a.xml", "/b.xml"]

    two_files(crawler.portal, lastmod=now())
    crawler.portal.script["/b.xml"] = urlset("/c/3", "/c/4")
    assert crawler.crawl() == 0
    assert crawler.portal.archive_asked == ["/sitemap.xml", "/a.xml", "/b.xml"]
    assert "/c/4" in crawler.fetched


def test_a_lastmod_that_never_moves_hides_a_file_for_a_month_at_most(crawler: Crawler) -> None:
    two_files(crawler.portal, lastmod="2024-05-01")
    crawl(crawler.file, corpus=crawler.corpus, now=lambda: datetime.now(UTC) - timedelta(days=31))
    crawler.portal.script["/b.xml"] = urlset("/c/3", "/c/4")
    assert crawler.crawl() == 0
    assert "/c/4" in crawler.fetched


def test_the_ledger_that_is_made_again_is_the_same(crawler: Crawler) -> None:
    paths = [f"/c/{number}" for number in range(25)]
    crawler.portal.script["/sitemap.xml"] = urlset(*paths, lastmod="2024-05-01")
    assert crawler.crawl() == 0
    crawler.portal.script["/sitemap.xml"] = urlset(*paths, lastmod={"/c/1": now()})
    assert crawler.crawl("--archive-only") == 0
    shutil.copy(crawler.corpus / "ledger.sqlite", before := crawler.folder / "before.sqlite")

    assert crawler.run("warc", "index").code == 0

    assert differences(before, crawler.corpus / "ledger.sqlite") == []
    assert crawler.crawl() == 0
    assert crawler.portal.articles_asked == ["/c/1"]


@pytest.mark.parametrize("requests", [2, 4, 6])
def test_a_crawl_that_was_cut_off_goes_on_with_the_files_that_it_has_not_read(crawler: Crawler, requests: int) -> None:
    files = [f"/{number}.xml" for number in range(6)]
    crawler.portal.script["/sitemap.xml"] = sitemap_index(*files)
    crawler.portal.script |= {path: urlset(*(f"/c{path[:2]}-{number}" for number in range(20))) for path in files}
    crawl(crawler.file, corpus=crawler.corpus, stop=StopAfter(crawler.portal, requests))
    read = set(crawler.portal.archive_asked) - {"/sitemap.xml"}
    assert len(read) < 6
    assert crawler.crawl("--archive-only") == 0
    assert set(crawler.portal.archive_asked) - {"/sitemap.xml"} >= set(files) - read
    assert len(crawler.portal.archive_asked) <= 1 + 6 - max(0, len(read) - 1), "what was read just before is not read again"
    assert len(crawler.outcomes) == 120


def test_a_lastmod_is_for_listing_picks_too_and_a_new_one_alone_builds_nothing_anew(crawler: Crawler) -> None:
    crawler.rules = RULES + "metadata: {dateModified: {listing: lastmod}}\n"
    crawler.portal.script |= {"/sitemap.xml": urlset("/c/1", lastmod="2024-05-01"), "/c/1": page_of_article()}
    assert crawler.crawl() == 0
    assert crawler.run("build").code == 0
    (document,) = (crawler.corpus / "tei").rglob("*.xml")
    assert '"dateModified": "2024-05-01"' in document.read_text("utf-8").replace('":"', '": "')

    crawler.portal.script["/sitemap.xml"] = urlset("/c/1", lastmod="2024-06-01")
    assert crawler.crawl() == 0
    built = crawler.run("build")
    assert "2024-06-01" not in document.read_text("utf-8")
    assert built.code == 0


@pytest.mark.parametrize("crawled", [True, False])
def test_a_page_that_is_fetched_for_a_trial_is_read_with_what_the_corpus_knows_of_it(crawler: Crawler, crawled: bool) -> None:
    crawler.rules = RULES + "metadata: {dateModified: {listing: lastmod}}\n"
    crawler.portal.script |= {"/sitemap.xml": urlset("/c/1", lastmod="2024-05-01"), "/c/1": page_of_article()}
    assert not crawled or crawler.crawl() == 0
    url = f"{crawler.portal.home}/c/1"
    line = json.loads(crawler.curator("try", crawler.file, url, "--corpus", crawler.corpus, "--fetch", "--json").out)
    assert [one["value"] for one in line["metadata"].get("dateModified", ())] == (["2024-05-01"] if crawled else [])


def page_of_article() -> str:
    text = "<p>Egy elég hosszú bekezdés, amely cikknek látszik, mert több mondata van. Ez a második mondata.</p>" * 5
    return f"<html><head><title>Cím</title></head><body><article><h1>Cím</h1>{text}</article></body></html>"


def test_an_article_of_several_pages_that_grew_is_asked_for_page_by_page(crawler: Crawler) -> None:
    crawler.rules = RULES + "articles: {next: a.tovabb}\n"
    pages = {"/c/1": "<h1>Fórum</h1><a class=tovabb href='/c/1?p=2'>2</a>", "/c/1?p=2": "<h1>Fórum</h1><p>Második"}
    crawler.portal.script |= {"/sitemap.xml": urlset("/c/1", lastmod="2024-05-01"), **pages}
    assert crawler.crawl() == 0
    grown = {"/c/1?p=2": "<h1>Fórum</h1><a class=tovabb href='/c/1?p=3'>3</a>", "/c/1?p=3": "<h1>Fórum</h1><p>Harmadik"}
    crawler.portal.script |= {"/sitemap.xml": urlset("/c/1", lastmod=now()), **grown}
    assert crawler.crawl() == 0
    assert crawler.portal.articles_asked == ["/c/1", "/c/1?p=2", "/c/1?p=3"]
    assert crawler.crawl() == 0
    assert crawler.portal.articles_asked == []


@pytest.mark.parametrize("kind", ["text/html", "application/octet-stream"])
def test_imported_sitemaps_are_archive_pages_and_no_articles(crawler: Crawler, tmp_path: Path, kind: str) -> None:
    two_files(crawler.portal)
    crawler.portal.script |= {path: Reply(str(said), kind=kind) for path, said in crawler.portal.script.items()}
    crawler.crawl()
    other = tmp_path / "other"
    warcs = sorted((crawler.corpus / "warc").glob("*-archive-*"))
    assert crawler.curator("warc", "import", crawler.file, *warcs, "--corpus", other).code == 0
    status = json.loads(crawler.curator("status", crawler.file, "--corpus", other, "--json").out)
    assert (status["archive_pages"], status["outcomes"]) == (3, {"queued": 3})
