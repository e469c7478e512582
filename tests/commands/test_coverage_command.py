"""What a web archive holds of a corpus is counted exactly, its index is asked politely and once, and what only it has comes in."""

from __future__ import annotations

import gzip
import json
from contextlib import ExitStack
from pathlib import Path
from subprocess import run
from sys import executable
from time import monotonic
from typing import Any

import pytest
from scripted_portal import GONE, listing
from web_archive import FILE, Archived, cdx, cdxj, web_archive

RULES = "archive:\n  url: https://pelda.example/l/{page}\n  item: li.t\n  link: h2 a\n"
ONLY = "  urls: {only: ['/c/\\d+/?$']}\n"


@pytest.fixture
def corpus(desk: Any, article_page: Any) -> Any:
    """Articles 1 to 4, of which the portal has lost the fourth."""
    pages = {f"_c_{number}": article_page(f"Bridge {number}", day=f"20{20 + number}-05-01") for number in (1, 2, 3)}
    desk.rules(RULES + ONLY, listing(1, 2, 3, 4), listing(), **pages, _c_4=GONE)
    assert desk.types("crawl portal.yaml").code == 0
    assert desk.types("build portal.yaml --jobs 1").code == 0
    return desk


def captured(desk: Any, path: str, stamp: str, *, scheme: str = "http", **more: str) -> Archived:
    return Archived(f"{scheme}://{desk.site.home.partition('//')[2]}{path}", stamp, **more)


def invented(desk: Any) -> list[Archived]:
    """Of the articles 1 and 2 both hold a page, 4 and 5 are in the archive alone, 3 is in the corpus alone. Later captures come first."""
    return [
        captured(desk, "/c/1", "20210601000000"),
        captured(desk, "/c/1", "20210503101112"),
        captured(desk, "/c/2/", "20220501090000", scheme="https"),
        captured(desk, "/c/3", "20230502000000", status="302"),
        captured(desk, "/c/3", "20230503000000", status="404"),
        captured(desk, "/c/3", "20230504000000", mime="image/png"),
        captured(desk, "/c/4", "20240601000000"),
        captured(desk, "/c/5", "20250102030405"),
        captured(desk, "/c/6", "20250102030405", mime="warc/revisit", status="-"),
        captured(desk, "/contact", "20250102030405"),
        Archived("http://elsewhere.example/c/9", "20250102030405"),
    ]


def counted(desk: Any, *flags: str, code: int = 0) -> dict[str, Any]:
    said = desk.types(f"coverage portal.yaml {' '.join(flags)} --json")
    assert said.code == code, said.all
    return dict(json.loads(said.out))


def row(both: int, only_ours: int, only_theirs: int, days: float | None) -> dict[str, Any]:
    return {"both": both, "only_ours": only_ours, "only_theirs": only_theirs, "days": days}


@pytest.mark.parametrize("form", ["cdx", "cdx without header", "cdx.gz", "cdxj", "wayback", "numbered"])
def test_what_both_hold_is_counted_exactly_whatever_tells_it(corpus: Any, form: str) -> None:
    captures = invented(corpus)
    with ExitStack() as stack:
        if form in ("wayback", "numbered"):
            archive = stack.enter_context(web_archive(captures, numbered=form == "numbered"))
            source = f"{archive.address}cdx"
        else:
            text = cdxj(*captures) if form == "cdxj" else cdx(*captures)
            source, lines = "index.cdx", (text.partition("\n")[2] if "without" in form else text).encode()
            Path(source).write_bytes(gzip.compress(lines) if form.endswith("gz") else lines)
        told = counted(corpus, "--cdx", source, "--cdx", source)  # what two sources tell is one capture
    assert told["totals"] == row(2, 1, 2, 1.0)
    assert told["lines"] == {
        "pages": 10,
        "revisits": 2,
        "redirects": 2,
        "errors": 2,
        "other types": 2,
        "other hosts": 2,
        "no articles by the portal file": 2,
    }
    years = {year.pop("name"): year for year in told["years"]}
    assert years == {
        "2021": row(1, 0, 0, 2.0),
        "2022": row(1, 0, 0, 0.0),
        "2023": row(0, 1, 0, None),
        "2024": row(0, 0, 1, None),
        "2025": row(0, 0, 1, None),
    }
    assert told["columns"] == [{"name": "archive", **row(2, 1, 1, 1.0)}, {"name": None, **row(0, 0, 1, None)}]
    only = [line.split()[1] for line in (corpus.corpus / "coverage/only-theirs.cdxj").read_text().splitlines()]
    assert only == ["20240601000000", "20250102030405"]
    assert "<svg" in (corpus.corpus / "coverage/coverage.html").read_text()


@pytest.mark.parametrize("numbered", [False, True])
def test_what_only_the_archive_has_becomes_the_article_that_the_portal_would_have_given(
    corpus: Any, article_page: Any, numbered: bool
) -> None:
    page = article_page("Bridge 4 \u0151", day="2024-05-01")
    with web_archive([captured(corpus, "/c/1", "20210503101112"), captured(corpus, "/c/4", "20240601000000", body=page)]) as archive:
        archive.numbered = numbered
        counted(corpus, "--cdx", f"{archive.address}cdx")
        archive.asked.clear()
        said = corpus.types(f"crawl portal.yaml --from-archive --replay {archive.address}")
        assert (said.code, "1 page of articles" in said.err) == (0, True), said.all
        assert len(archive.asked) == 1
        assert corpus.types(f"crawl portal.yaml --from-archive --replay {archive.address}").code == 0
        assert len(archive.asked) == 1, "what is there is not asked for again"
        assert counted(corpus, "--cdx", f"{archive.address}cdx")["totals"] == row(2, 2, 0, 2.0)
    listed = [json.loads(line) for line in corpus.types("warc list corpora/pelda --json").out.splitlines()]
    assert [line["date"][:19] for line in listed if line["url"].endswith("/c/4") and line["status"] == 200] == ["2024-06-01T00:00:00"]
    records = gzip.decompress(max((corpus.corpus / "warc").glob("*articles*")).read_bytes()).decode()
    assert f'"source":"{archive.address}{FILE if numbered else "20240601000000id_/"}' in records
    from_archive = built(corpus)
    corpus.site.script["/c/4"] = page
    Path("corpora").rename("from-archive")
    assert corpus.types("crawl portal.yaml").code == 0
    assert built(corpus) == from_archive


def built(desk: Any) -> dict[str, Any]:
    """The fourth article as a program gets it, without what says where and when it was had."""
    assert desk.types("build portal.yaml --jobs 1").code == 0
    articles = map(json.loads, desk.types("export portal.yaml --to jsonl").out.splitlines())
    (article,) = (article for article in articles if article["url"].endswith("/c/4"))
    return {name: value for name, value in article.items() if name in ("id", "url", "metadata", "text", "blocks", "outcome")}


# --- servers and files that nobody can trust ---


@pytest.fixture
def crawled(desk: Any) -> Any:
    """Two articles, without documents, of a portal whose file does not say what addresses of articles look like."""
    desk.crawled()
    return desk


def of_article(desk: Any, *numbers: int) -> list[Archived]:
    return [captured(desk, f"/c/{number}", f"20240601{number:06}") for number in numbers]


def test_without_rules_for_addresses_all_pages_count_but_those_that_list_articles(crawled: Any) -> None:
    Path("index.cdxj").write_text(cdxj(*(captured(crawled, path, "20240601000000") for path in ("/", "/l/1", "/l/77", "/contact", "/c/1"))))
    told = counted(crawled, "--cdx", "index.cdxj")
    assert told["totals"] == row(1, 1, 1, None)
    assert told["lines"] == {"archive pages": 3, "pages": 2}
    shown = (crawled.corpus / "coverage/coverage.html").read_text()
    assert ("no date" in shown, "None" in shown) == (True, False)
    assert "has no urls.only" in crawled.types("coverage portal.yaml --cdx index.cdxj").out


@pytest.mark.parametrize("numbered", [False, True])
def test_a_server_that_fails_is_asked_on_where_it_failed(crawled: Any, numbered: bool) -> None:
    with web_archive(of_article(crawled, *range(1, 9)), numbered=numbered) as archive:
        archive.trouble[3] = (503, {}, b"busy")
        told = counted(crawled, "--cdx", f"{archive.address}cdx", code=4)
        assert (told["totals"], len(archive.asked)) == (row(2, 0, 1, None), 3)
        assert "could not be asked to the end (HTTP 503)" in told["troubles"][0]
        assert counted(crawled, "--cdx", f"{archive.address}cdx")["totals"] == row(2, 0, 6, None)
        assert len(archive.asked) == 6, "how many pages there are, and the two that had not come"
        assert counted(crawled, "--cdx", f"{archive.address}cdx")["totals"] == row(2, 0, 6, None)
        assert len(archive.asked) == 6, "all had come"


def test_two_may_ask_the_same_at_a_time(crawled: Any) -> None:
    class Meanwhile(dict[int, Any]):
        def get(self, number: int, _: object = None) -> Any:
            if number == 2:
                asked = ["coverage", "portal.yaml", "--json", "--cdx", f"{archive.address}cdx"]
                run([executable, "-m", "webarticlecurator", *asked], check=True, capture_output=True)

    with web_archive(of_article(crawled, *range(1, 9)), trouble=Meanwhile()) as archive:
        assert counted(crawled, "--cdx", f"{archive.address}cdx")["totals"] == row(2, 0, 6, None)


def test_a_server_that_asks_us_to_wait_is_left_alone_for_so_long(crawled: Any) -> None:
    crawled.head = crawled.head.replace("retries: 0", "retries: 1")
    crawled.rules(RULES)
    with web_archive(of_article(crawled, 1)) as archive:
        archive.trouble[2] = (429, {"Retry-After": "1"}, b"slowly")
        began = monotonic()
        assert counted(crawled, "--cdx", f"{archive.address}cdx")["totals"] == row(1, 1, 0, None)
        assert monotonic() - began > 1
        assert len(archive.asked) == 3


@pytest.mark.parametrize(
    ("captures", "how", "trouble"),
    [(4, {"endless": True}, "page 2 is the same as one before"), (10_000, {"page": 10_000}, "no key to ask for more")],
)
def test_a_server_without_an_end_or_that_does_not_say_how_to_ask_for_more_is_no_whole_answer(
    crawled: Any, captures: int, how: dict[str, Any], trouble: str
) -> None:
    with web_archive(of_article(crawled, *range(1, captures + 1)), **how) as archive:
        told = counted(crawled, "--cdx", f"{archive.address}cdx", code=4)
    assert trouble in told["troubles"][0]
    assert len(archive.asked) <= 3


def test_lines_that_lie_are_counted_and_take_nothing_with_them(crawled: Any) -> None:
    lies = [
        b"<html>not an index</html>",
        b"com,pelda)/c/5 20241301000000 {}",
        b'{"url": ["x"], "timestamp": 20240601000000}',
        b'[["com,pelda)/c/5", "20240601000000"]]',
        b"x" * 5_000_000,
        b'{"url": "javascript:alert(1)", "timestamp": "20240601000000"}',
        b"\xff\xfe\x00",
        b"a b c d e f g h i j k",
        b"com,pelda)/c/5 99991231235959 {}",
        b'com,pelda)/c/5 00010101000000 {"url": "http://pelda.example/c/5"}',
        b"com,pelda)/c/5 20240601000000 " + b'{"a":' * 100_000,
        b"com,pelda)/c/5 20240601000000 " + b'{"url":' + b"[" * 60_000,
        b"com,pelda)/c/5 20240601000000 {\0}",
    ]
    truth = cdxj(*of_article(crawled, 1, 3)).encode()
    Path("index").write_bytes(b"\n".join([*lies, truth]))
    told = counted(crawled, "--cdx", "index")
    assert (told["totals"], told["lines"]) == (row(1, 1, 1, None), {"no lines of an index": len(lies), "pages": 2})
    packed = gzip.compress(truth * 5_000)
    Path("cut.gz").write_bytes(packed[: len(packed) // 2])
    told = counted(crawled, "--cdx", "cut.gz", code=4)
    assert told["totals"] == row(1, 1, 1, None)
    assert "damaged, and read up to there" in told["troubles"][0]


def test_an_archive_that_gives_something_else_gives_nothing(crawled: Any) -> None:
    with web_archive(of_article(crawled, 3, 4, 5, 6)) as archive:
        counted(crawled, "--cdx", f"{archive.address}cdx")
        archive.asked.clear()
        archive.trouble = {
            1: (302, {"Location": "http://127.0.0.1:1/20240601000003id_/x"}, b""),
            2: (302, {"Location": f"{archive.address}20240601000003id_/http://elsewhere.example/"}, b""),
            3: (200, {"Content-Type": "text/html"}, b"<h1>Not asked for"),
            4: (404, {}, b""),
            5: (200, {"Content-Type": "application/zip"}, b"PK"),
        }
        said = crawled.types(f"crawl portal.yaml --from-archive --replay {archive.address} --json")
    assert said.code == 1
    assert json.loads(said.out)["skipped"] == {
        "the archive did not give it (redirected: to another host)": 1,
        "the archive gave another page": 1,
        "the archive did not give it (HTTP 404)": 1,
        'the archive did not give it (type "application/zip")': 1,
    }


def test_what_waits_for_the_portal_is_not_taken_from_the_archive(crawled: Any) -> None:
    crawled.site.script["/l/1"] = listing(3, 1, 2)
    assert crawled.types("crawl portal.yaml --archive-only").code == 0
    with web_archive(of_article(crawled, 3)) as archive:
        counted(crawled, "--cdx", f"{archive.address}cdx")
        said = crawled.types(f"crawl portal.yaml --from-archive --replay {archive.address}")
        assert (said.code, "1 passed over: waits for the portal" in said.err) == (0, True)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("coverage portal.yaml --cdx nowhere.cdx", "nowhere.cdx: there is no such file"),
        ("coverage portal.yaml --cdx https://archive.example/cdx", "Before archive.example is asked for anything"),
        ("crawl portal.yaml --from-archive --contact a@b.example", "`curator coverage portal.yaml --cdx FILE` writes it"),
        ("crawl portal.yaml --from-archive --full", "With --from-archive only"),
        ("crawl portal.yaml --replay https://archive.example/", "give both"),
    ],
)
def test_what_cannot_be_done_is_told(crawled: Any, line: str, sentence: str) -> None:
    said = crawled.types(line)
    assert (said.code, sentence in said.err) == (2, True), said.all
