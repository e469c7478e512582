"""Style sheets, pictures and fonts that pages of articles name are stored too, each once, where the portal file wants them."""

from __future__ import annotations

import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import Any

import pytest
from crawling import wait_for
from scripted_portal import Crawler, Reply, ScriptedPortal, listing, moved, serving
from seams import known_urls, limit_requisites, stored_file
from warc_records import records

RULES = "archive: {url: 'HOME/l', item: li.t, link: {css: h2 a, attr: href}, pages: none}\n"
CSS, PICTURE, FONT = "text/css", "image/png", "font/woff2"
HEAD = """\
<link rel=stylesheet href=/a.css><link rel='shortcut ICON' href=/icon.png>
<style>@import "/in-page.css"; h1 { background: url(/in-page.png) }</style>"""
BODY = """\
<p style="background: url('/in-style.png')">Szöveg.<img src=/plain.png><img src=/blank.png data-src=/lazy.png>
<picture><source srcset="/wide.png, /small.png 1x"><img src='data:image/gif;base64,R0lGOD'></picture><a href=/c/2>2</a><img src=''>"""
SHEET = """\
@import url("deeper.css"); /* url(/comment.png) */ @font-face { src: url(old.eot); src: url(old.eot?#iefix), url('new.woff2'), url(new.ttf)}
body { background: URL( "back ground.png" ) } b { background: url(#mark) }
@namespace svg url(http://names.example/svg); u { background: url(/v;2.png) }"""
FILES = {
    "/a.css": Reply(SHEET, kind=CSS),
    "/deeper.css": Reply("i { background: url(deep.png) }", kind=CSS),
    "/in-page.css": Reply("", kind=CSS),
    "/new.woff2": Reply(b"wOF2\x00\x01", kind="application/octet-stream"),
    **{
        f"/{name}.png": Reply(f"\x89PNG {name}", kind=PICTURE)
        for name in ("icon", "in-page", "in-style", "plain", "blank", "lazy", "wide", "small", "back%20ground", "deep", "v;2")
    },
}
SHEETS = {"/a.css", "/deeper.css", "/in-page.css"}
FONTS = {"/new.woff2"}


def wanting(crawler: Crawler, kinds: str) -> Crawler:
    crawler.fetch = f"fetch: {{delay: 0s, retries: 0, timeout: 5s, requisites: [{kinds}]}}\n"
    return crawler


@pytest.fixture
def site(site: ScriptedPortal) -> ScriptedPortal:
    article = f"<html><head>{HEAD}</head><body><h1>Cikk</h1>{BODY}</body></html>"
    site.script |= {"/l": listing(1, 2), "/c/1": article, "/c/2": article.replace("</body>", "<p>2</body>"), **FILES}
    return site


def asked(site: ScriptedPortal) -> list[str]:
    """The files of pages that were asked for, in their order."""
    return [path for path in site.asked if path in FILES or path.startswith("/file")]


@pytest.mark.parametrize(
    ("kinds", "wanted"),
    [("", set()), ("css", SHEETS), ("css, fonts", SHEETS | FONTS), ("css, images, fonts", FILES.keys()), ("fonts", set())],
)
def test_the_kinds_that_are_wanted_are_asked_for_once_and_never_again(kinds: str, wanted: set[str], crawler: Crawler) -> None:
    crawler = wanting(crawler, kinds)
    assert crawler.crawl() == 0, crawler.said
    assert sorted(asked(crawler.portal)) == sorted(wanted)
    assert crawler.fetched == {"/c/1", "/c/2"}
    files = list((crawler.corpus / "warc").glob("*-requisites-*"))
    assert bool(files) == bool(kinds)
    assert crawler.crawl() == 0
    assert asked(crawler.portal) == []


def test_without_the_key_a_crawl_asks_as_if_there_were_none(crawler: Crawler) -> None:
    assert crawler.crawl() == 0
    assert set(crawler.portal.asked) == {"/robots.txt", "/.well-known/tdmrep.json", "/l", "/c/1", "/c/2", "/", "/sitemap.xml"}


def test_what_is_wanted_later_is_added_and_what_is_there_stays(crawler: Crawler) -> None:
    wanting(crawler, "css").crawl()
    wanting(crawler, "css, images, fonts").crawl()
    assert set(asked(crawler.portal)) == FILES.keys() - SHEETS
    crawler.portal.script["/l"] = listing(1, 2, 3)
    crawler.portal.script["/c/3"] = "<html><body><h1>3</h1><p>Szöveg.<img src=/plain.png><img src=/file.png></body></html>"
    crawler.portal.script["/file.png"] = Reply(b"\x89PNG", kind=PICTURE)
    crawler.crawl()
    assert asked(crawler.portal) == ["/file.png"]


def test_fonts_of_pages_themselves_need_no_style_sheet(crawler: Crawler) -> None:
    crawler.portal.script["/font.woff2"] = Reply(b"wOF2", kind=FONT)
    crawler.portal.script["/c/1"] = "<html><head><link rel=preload as=font href=/font.woff2></head><body><h1>1</h1><p>Szöveg.</body></html>"
    wanting(crawler, "fonts").crawl()
    assert stored_file(crawler.corpus, f"{crawler.portal.home}/font.woff2") == (FONT, b"wOF2")


def test_they_are_read_by_their_addresses_as_they_came(crawler: Crawler) -> None:
    wanting(crawler, "css, images, fonts").crawl()
    home = crawler.portal.home
    assert stored_file(crawler.corpus, f"{home}/a.css") == (CSS, SHEET.encode())
    assert stored_file(crawler.corpus, f"{home}/back%20ground.png") == (PICTURE, "\x89PNG back%20ground".encode())
    assert stored_file(crawler.corpus, f"{home}/comment.png") is None


def test_the_same_bytes_under_another_address_are_stored_once(crawler: Crawler) -> None:
    crawler.portal.script |= dict.fromkeys(("/plain.png", "/lazy.png"), Reply(b"\x89PNG alike", kind=PICTURE))
    crawler.portal.script["/in-page.css"] = Reply(SHEET, kind=CSS)
    wanting(crawler, "css, images").crawl()
    [path] = (crawler.corpus / "warc").glob("*-requisites-*")
    kinds = {record.url: record.type for record in records(path) if record.type in ("response", "revisit")}
    home = crawler.portal.home
    assert sorted((kinds[f"{home}/plain.png"], kinds[f"{home}/lazy.png"])) == ["response", "revisit"]
    assert crawler.curator("warc", "check", crawler.corpus).code == 0
    for name in ("plain", "lazy"):
        assert stored_file(crawler.corpus, f"{home}/{name}.png") == (PICTURE, b"\x89PNG alike")


def test_what_cannot_be_had_is_told_and_asked_for_by_three_crawls_at_most(crawler: Crawler) -> None:
    crawler.portal.script |= {"/plain.png": Reply("", 500), "/lazy.png": Reply("", 404), "/small.png": "<html>No picture.</html>"}
    wanting(crawler, "css, images")
    assert crawler.crawl() == 0
    assert "3 of 14 style sheets, pictures and fonts of pages could not be had" in crawler.said
    again = []
    for _ in range(3):
        assert crawler.crawl() == 0
        again.append(asked(crawler.portal))
    assert again == [["/plain.png"], ["/plain.png"], []]


def test_robots_txt_counts_for_them_too(crawler: Crawler) -> None:
    crawler.portal.script["/robots.txt"] = Reply("User-agent: *\nDisallow: /plain.png\n", kind="text/plain")
    wanting(crawler, "images").crawl()
    assert "/lazy.png" in asked(crawler.portal)
    assert "/plain.png" not in asked(crawler.portal)


def test_a_host_that_fails_again_and_again_is_left_alone_and_the_crawl_is_whole(crawler: Crawler) -> None:
    heard: list[str] = []

    def broken(path: str, *_: Any) -> Reply:
        heard.append(path)
        return Reply("", 500)

    with serving(broken) as elsewhere:
        pictures = "".join(f"<img src={elsewhere}/{number}.png>" for number in range(40))
        crawler.portal.script["/c/1"] = f"<html><body><h1>1</h1><p>Szöveg.{pictures}</body></html>"
        assert wanting(crawler, "images").crawl() == 0
    assert "asked for no more" in crawler.said
    assert len([path for path in heard if path.endswith(".png")]) < 10
    assert "/plain.png" in asked(crawler.portal)


def test_a_page_and_style_sheets_without_end_ask_for_a_bounded_number(crawler: Crawler) -> None:
    numbers = iter(range(10**9))

    def endless(_: str) -> Reply:
        return Reply("".join(f"@import '/file{next(numbers)}.css';" for _ in range(3)), kind=CSS)

    class Endless(dict[str, Any]):
        def get(self, path: str, default: Any = None) -> Any:
            return endless if path.startswith("/file") else super().get(path, default)

    crawler.portal.script = Endless(crawler.portal.script)
    pictures = "".join(f"<img src=/file/{number}.png>" for number in range(5_000))
    crawler.portal.script["/c/1"] = f"<html><head><link rel=stylesheet href=/file.css></head><body><h1>1</h1>{pictures}</body></html>"
    crawler.portal.script["/l"] = listing(1)
    wanting(crawler, "css, images").crawl()
    assert len(asked(crawler.portal)) == 199 + 1 + 3 + 9 + 27 + 81
    crawler.crawl()
    assert asked(crawler.portal) == []


def test_a_ledger_made_again_knows_what_was_asked_for(crawler: Crawler) -> None:
    wanting(crawler, "css, images, fonts").crawl()
    before = rows(crawler)
    for path in crawler.corpus.glob("ledger.sqlite*"):
        path.unlink()
    assert crawler.run("warc", "index").code == 0
    assert rows(crawler) == before
    crawler.crawl()
    assert asked(crawler.portal) == []


def test_what_lay_in_a_lost_file_is_asked_for_again(crawler: Crawler) -> None:
    wanting(crawler, "css, images, fonts").crawl()
    [path] = (crawler.corpus / "warc").glob("*-requisites-*")
    path.unlink()
    crawler.crawl()
    assert set(asked(crawler.portal)) == FILES.keys()
    assert stored_file(crawler.corpus, f"{crawler.portal.home}/plain.png") == (PICTURE, "\x89PNG plain".encode())


def test_pages_that_cannot_be_read_are_looked_through_when_they_can(crawler: Crawler) -> None:
    crawler.crawl()
    [path] = (crawler.corpus / "warc").glob("*-articles-*")
    content = path.read_bytes()
    path.write_bytes(bytes(len(content)))
    wanting(crawler, "css").crawl()
    assert asked(crawler.portal) == [], crawler.said
    path.write_bytes(content)
    crawler.crawl()
    assert set(asked(crawler.portal)) == SHEETS
    crawler.crawl()
    assert asked(crawler.portal) == []


def test_however_many_hosts_pages_name_one_crawl_asks_for_a_bounded_number(crawler: Crawler, monkeypatch: pytest.MonkeyPatch) -> None:
    limit_requisites(monkeypatch, 5)
    with serving(lambda *_: Reply(b"\x89PNG", kind=PICTURE)) as elsewhere:
        pictures = "".join(f"<img src={elsewhere}/{number}.png>" for number in range(6))
        crawler.portal.script["/c/1"] = f"<html><body><h1>1</h1><p>Szöveg.{pictures}</body></html>"
        wanting(crawler, "css, images")
        for _ in range(2):
            assert crawler.crawl() == 0
            assert "wait for the next crawl: 5 files in one crawl" in crawler.said
            assert "5 asked for" in crawler.said


def test_the_picture_of_a_frame_without_one_is_not_shown_in_the_next(crawler: Crawler) -> None:
    frame = "<p>Szöveg.<picture><source srcset=/wide.png></picture></p>"
    crawler.portal.script["/c/1"] = f"<html><body><article><h1>1</h1>{frame}<p>Szöveg.<img src=/lost.png></p></article></body></html>"
    wanting(crawler, "images").crawl()
    crawler.run("build")
    view = Path(crawler.run("open", "c/1", "--print").out.strip()).read_text("utf-8")
    assert "[picture, not stored]" in view
    assert "data:image/png" not in view


def test_killed_again_and_again_it_goes_on_and_stores_each_file_once(crawler: Crawler) -> None:
    wanting(crawler, "css, images, fonts").fetch = "fetch: {delay: 30ms, retries: 0, requisites: [css, images, fonts]}\n"
    command = [sys.executable, "-m", "webarticlecurator", "crawl", crawler.file, "--corpus", crawler.corpus]
    for most in (2, 4, 4):
        crawler.portal.asked.clear()
        with Popen(command, stdout=DEVNULL, stderr=DEVNULL) as process:
            wait_for(lambda most=most: len(asked(crawler.portal)) >= most)
            process.kill()
    assert crawler.crawl() == 0
    home, stored = crawler.portal.home, Counter[str]()
    for path in (crawler.corpus / "warc").glob("*-requisites-*"):
        stored.update(record.url.removeprefix(home) for record in records(path) if record.type in ("response", "revisit"))
    assert {path: number for path, number in stored.items() if path in FILES} == dict.fromkeys(FILES, 1)
    assert None not in [stored_file(crawler.corpus, home + path) for path in FILES]


def test_what_a_redirected_style_sheet_names_lies_beside_where_it_is(crawler: Crawler) -> None:
    crawler.portal.script |= {"/a.css": moved("/far/away.css"), "/far/away.css": Reply("b { background: url(file.png) }", kind=CSS)}
    crawler.portal.script["/far/file.png"] = Reply(b"\x89PNG", kind=PICTURE)
    wanting(crawler, "css, images").crawl()
    home = crawler.portal.home
    assert stored_file(crawler.corpus, f"{home}/a.css") == (CSS, b"b { background: url(file.png) }")
    assert stored_file(crawler.corpus, f"{home}/far/file.png") == (PICTURE, b"\x89PNG")


def test_status_and_a_dry_run_count_them(crawler: Crawler) -> None:
    crawler.portal.script["/plain.png"] = Reply("", 500)
    wanting(crawler, "css, images, fonts").crawl()
    assert crawler.status()["requisites"] == {"stored": 14, "wait": 1}
    assert "pages: 14 stored, 1 left to the next crawl" in crawler.run("status").out
    crawler.crawl("--dry-run")
    assert "1 known style sheet, picture or font would be asked for" in crawler.said
    assert asked(crawler.portal) == []


def test_they_are_in_the_wacz(crawler: Crawler) -> None:
    pytest.importorskip("cdxj_indexer", reason="WACZ is an extra")
    wanting(crawler, "css, images, fonts").crawl()
    crawler.run("build")
    crawler.run("export", "--to", "cdxj", "-o", crawler.folder / "all.cdxj")
    index = (crawler.folder / "all.cdxj").read_text()
    assert [path for path in FILES if f'{crawler.portal.home}{path}"' not in index] == []


def test_they_are_no_pages_for_who_reads_the_files(crawler: Crawler) -> None:
    wanting(crawler, "css, images, fonts").crawl()
    taken = crawler.curator("warc", "import", crawler.file, crawler.corpus / "warc", "--corpus", crawler.folder / "other")
    assert taken.code == 0, taken.err
    known = known_urls(crawler.folder / "other")
    assert f"{crawler.portal.home}/c/1" in known
    assert [path for path in FILES if crawler.portal.home + path in known] == []


def rows(crawler: Crawler) -> list[Any]:
    def of_ledger() -> Iterator[Any]:
        with closing(sqlite3.connect(crawler.corpus / "ledger.sqlite")) as ledger:
            for table in ("requisites", "looked_through"):
                yield from ledger.execute(f"SELECT * FROM {table} ORDER BY 1")

    return list(of_ledger())
