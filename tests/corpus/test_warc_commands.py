"""`curator warc list, cat and sample`, and pages that are asked of WARC files instead of the portal."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from arc_files import PAGE as ARC_PAGE
from arc_files import arc_file, arc_record
from case_files import cases
from warc_records import foreign, pack, records, warc_record, write_again
from whole_corpus import ANSWERS, PAGE, Stored

SITE = "https://pelda.example"


# --- list and cat ---


@pytest.mark.parametrize(("flags", "shown"), [((), ANSWERS["/c/packed"]), (("--payload",), PAGE)])
def test_cat_shows_the_response_or_the_page(everything: Stored, curator: Any, tmp_path: Path, flags: Any, shown: bytes) -> None:
    first = everything.files[1]
    ended = curator("warc", "cat", first, f"{everything.home}/c/packed", *flags, "--out", tmp_path / "out")
    (file,) = (tmp_path / "out").iterdir()
    assert ended.code == 0
    assert ended.out.split("\t")[0] == str(file)
    assert file.read_bytes() == shown
    assert (file.suffix == ".html") == (flags == ("--payload",))


def test_cat_into_a_folder_tells_the_names_and_without_one_the_page(everything: Stored, curator: Any, tmp_path: Path) -> None:
    urls = [f"{everything.home}/c/{name}" for name in ("page", "dated")]
    ended = curator("warc", "cat", everything.folder, *urls, "--payload", "--out", tmp_path / "pages")
    assert sorted(line.split("\t")[0] for line in ended.out.splitlines()) == sorted(map(str, (tmp_path / "pages").iterdir()))
    assert "Árvíz" in curator("warc", "cat", everything.folder, urls[0], "--payload").out


def test_cat_of_an_unknown_url_fails_and_says_so(everything: Stored, curator: Any) -> None:
    ended = curator("warc", "cat", everything.folder, "https://pelda.example/nowhere")
    assert (ended.code, "https://pelda.example/nowhere" in ended.err) == (1, True)


def test_cat_of_a_corpus_reads_the_page_alone_and_the_files_only_for_what_the_ledger_does_not_know(stored: Stored, curator: Any) -> None:
    for file in stored.files[1:]:
        write_again(
            file, [record.member if record.url != f"{stored.home}/c/dated" else b"\0" * len(record.member) for record in records(file)]
        )
    ended = curator("warc", "cat", stored.folder, f"{stored.home}/c/page", "--payload")
    assert (ended.code, ended.err.count("passed over"), "Árvíz" in ended.out) == (0, 0, True)
    rights = curator("warc", "cat", stored.folder, f"{stored.home}/.well-known/tdmrep.json")
    assert (rights.code, "passed over" in rights.err, rights.out.startswith("HTTP/1.1")) == (1, True, True)


@cases("arguments, message", "corpus/cases/usage-errors-say-what-to-do")
def test_usage_errors_say_what_to_do(everything: Stored, curator: Any, tmp_path: Path, arguments: list[str], message: str) -> None:
    (tmp_path / "empty").mkdir()
    places = {"corpus": everything.folder, "empty": tmp_path / "empty", "portal": everything.rules}
    ended = curator("warc", *(argument.format(**places) for argument in arguments))
    assert (ended.code, message in ended.err) == (2, True), ended.err


# --- sample ---


@pytest.fixture
def years(tmp_path: Path) -> Path:
    """Ten pages of each of three years, and what is no page."""
    pages = [(f"{SITE}/{year}/cikk-{number}", "200 OK", f"{year} {number}") for year in (2009, 2010, 2011) for number in range(10)]
    more = [(f"{SITE}/2010/gone", "404 Not Found", "gone"), (f"{SITE}/robots.txt", "200 OK", ""), ("http://[::1/", "200 OK", "no address")]
    return foreign(tmp_path / "years.warc.gz", [*pages, *more])


@pytest.fixture
def sample(curator: Any, tmp_path: Path) -> Callable[..., Any]:
    """Takes a sample; gives the paths of what is in it, and what was said."""

    def take(source: Path, *flags: object, urls: Iterable[str] = ()) -> tuple[list[str], Any]:
        out = tmp_path / f"sample-{len(list(tmp_path.glob('sample-*')))}.warc.gz"
        (tmp_path / "wanted.txt").write_text("\n".join(["# wanted", *urls]))
        ended = curator("warc", "sample", source, *(("--urls", tmp_path / "wanted.txt") if urls else ()), *flags, "--out", out)
        listed = curator("warc", "list", out, "--json").out.splitlines() if out.exists() else []
        if out.exists():
            assert curator("warc", "check", out).code == 0
        return [json.loads(line)["url"].removeprefix(SITE) for line in listed], ended

    return take


def test_wanted_urls_are_copied_and_missing_ones_are_told_also_by_the_exit_code(years: Path, sample: Callable[..., Any]) -> None:
    wanted = [
        f"{SITE.upper()}/2009/cikk-3".replace("HTTPS://PELDA.EXAMPLE", "https://PELDA.example"),
        f"{SITE}/2011/cikk-1",
        f"{SITE}/nowhere",
    ]
    paths, ended = sample(years, urls=wanted)
    assert paths == ["/2009/cikk-3", "/2011/cikk-1"]
    assert f"{SITE}/nowhere" in ended.err
    assert ended.code == 1
    assert sample(years, urls=wanted[:2])[1].code == 0


def test_where_a_wanted_url_redirects_to_is_copied_too(everything: Stored, sample: Callable[..., Any]) -> None:
    paths, ended = sample(everything.files[1], urls=[f"{everything.home}/c/moved"])
    assert [path.removeprefix(everything.home) for path in paths] == ["/c/moved", "/c/there"]
    assert ended.code == 0


def test_a_sample_is_copied_byte_for_byte_with_the_beginning_of_its_file(everything: Stored, curator: Any, tmp_path: Path) -> None:
    source, out = everything.files[1], tmp_path / "s.warc.gz"
    (tmp_path / "wanted.txt").write_text(f"{everything.home}/c/page")
    assert curator("warc", "sample", source, "--urls", tmp_path / "wanted.txt", "--out", out).code == 0
    assert [record.type for record in records(out)] == ["warcinfo", "resource", "resource", "request", "response", "metadata"]
    assert {record.member for record in records(out)} <= {record.member for record in records(source)}
    assert curator("warc", "sample", source, "--urls", tmp_path / "wanted.txt", "--out", out).code == 2, "what is there is not overwritten"
    assert curator("warc", "sample", source, "--urls", everything.rules, "--out", tmp_path / "none.warc.gz").code == 1
    assert not (tmp_path / "none.warc.gz").exists()


@pytest.mark.parametrize("packed", ["plain", "one member"])
def test_badly_packed_files_are_packed_anew(years: Path, sample: Callable[..., Any], tmp_path: Path, packed: str) -> None:
    plain = gzip.decompress(years.read_bytes())
    source = tmp_path / "source.warc.gz"
    source.write_bytes(plain if packed == "plain" else pack(plain))
    assert sample(source, urls=[f"{SITE}/2011/cikk-9"])[0] == ["/2011/cikk-9"]


@pytest.mark.parametrize("packed", ["plain", "members", "one member"])
def test_arc_files_are_listed_shown_and_sampled(curator: Any, tmp_path: Path, packed: str) -> None:
    arc, out = tmp_path / "x.arc.gz", tmp_path / "s.warc.gz"
    pages = [arc_record("http://a.example/2007/a"), arc_record("http://a.example/2008/b", b"HTTP/1.0 404 No\r\n\r\n")]
    arc.write_bytes(arc_file(pages, packed=packed))
    assert curator("warc", "list", arc).out.splitlines() == [
        "http://a.example/2007/a\t2008-04-30T20:48:25Z\t200\ttext/html\t9\t-",
        "http://a.example/2008/b\t2008-04-30T20:48:25Z\t404\t-\t0\t-",
    ]
    assert curator("warc", "cat", arc, "http://a.example/2007/a").out.encode() == ARC_PAGE
    (tmp_path / "wanted.txt").write_text("http://a.example/2007/a\nhttp://a.example/2008/b")
    assert curator("warc", "sample", arc, "--urls", tmp_path / "wanted.txt", "--out", out).code == 0
    assert curator("warc", "check", out).code == 0
    assert curator("warc", "cat", out, "http://a.example/2007/a", "--payload").out == "<p>hi</p>"


# --- pages asked of files ---


def answer(status: str, body: str = "", *fields: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", "Content-Type: text/html", *fields, f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", body]).encode()


def text(number: str) -> str:
    return f"<title>{number}</title><article><h1>{number}</h1><p>The council met and talked for hours about {number}.</p></article>"


@pytest.fixture
def ask(curator: Any, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """What `try` finds at an address in a file with these records."""

    def asked(url: str, *stored: bytes) -> dict[str, Any]:
        (tmp_path / "x.warc.gz").write_bytes(pack(*stored))
        (tmp_path / "portal.yaml").write_text(f"portal: pelda\nhome: {SITE}/\n")
        ended = curator("try", tmp_path / "portal.yaml", url, "--warc", tmp_path / "x.warc.gz", "--as", "article", "--json")
        return dict(json.loads(ended.out))

    return asked


def title(found: dict[str, Any]) -> str:
    return str(found["metadata"]["headline"][0]["value"])


@pytest.mark.parametrize("url", [f"{SITE}/a%2Fb?q={{1}}", "HTTPS://PELDA.example:443/a%2fb?q={1}#part"])
def test_a_page_is_found_by_its_url_as_given_and_normalised(ask: Callable[..., dict[str, Any]], url: str) -> None:
    found = ask(url, warc_record("response", answer("200 OK", text("Bridge")), f"{SITE}/a%2Fb?q={{1}}"))
    assert title(found) == "Bridge"


def test_the_newest_whole_page_wins_over_older_ones_and_over_errors(ask: Callable[..., dict[str, Any]]) -> None:
    days = {"1": ("old", {}), "2": ("new", {}), "4": ("cut", {"WARC_Truncated": "disconnect"})}
    stored = [
        warc_record("response", answer("200 OK", text(said)), f"{SITE}/a", number=int(day), date=f"2020-01-0{day}T00:00:00Z", **more)
        for day, (said, more) in reversed(days.items())
    ]
    assert title(ask(f"{SITE}/a", *stored, warc_record("response", answer("404 No"), f"{SITE}/a", date="2020-01-03T00:00:00Z"))) == "new"


@pytest.mark.parametrize(
    ("stored", "reason"),
    [
        ([("/a", "404 Not Found", "")], "HTTP 404"),
        ([("/a", "503 Busy", "")], "HTTP 503"),
        ([("/b", "200 OK", "")], "not in the WARC"),
        ([("/a", "301 Moved", "Location: /a")], "redirects"),
        ([("/a", "301 Moved", "Location: /gone")], "not in the WARC"),
    ],
)
def test_what_is_not_there_is_told_with_its_reason(
    ask: Callable[..., dict[str, Any]], stored: list[tuple[str, str, str]], reason: str
) -> None:
    records = [warc_record("response", answer(status, "", *filter(None, [more])), f"{SITE}{path}") for path, status, more in stored]
    found = ask(f"{SITE}/a", *records)
    assert (found["outcome"] != "article", reason in found["reason"]) == (True, True), found["reason"]


def test_a_post_is_told_from_a_get_and_from_another_post(curator: Any, tmp_path: Path) -> None:
    """A crawl that asks the corpus alone gets to each request its own answer."""
    rules = tmp_path / "portal.yaml"
    archive = f"archive: {{url: '{SITE}/api', request: {{method: POST, form: {{page: '{{page}}'}}}}, pages: infinite, link: a}}\n"
    rules.write_text(f"portal: pelda\nhome: {SITE}/\n{archive}")
    stored = []
    for number, links in enumerate(("<a href=/c/1>1</a>", "<a href=/c/2>2</a>", "<p>none"), start=1):
        asked = f"POST /api HTTP/1.1\r\nHost: pelda.example\r\nContent-Length: 6\r\n\r\npage={number}".encode()
        stored += [warc_record("request", asked, f"{SITE}/api", number=number)]
        stored += [
            warc_record("response", answer("200 OK", links), f"{SITE}/api", number=number, WARC_Concurrent_To=f"<urn:x:request-{number}>")
        ]
    (tmp_path / "x.warc.gz").write_bytes(pack(*stored, warc_record("response", answer("200 OK", "<p>a get"), f"{SITE}/api", number=9)))
    corpus = ("--corpus", tmp_path / "corpus")
    assert curator("warc", "import", rules, tmp_path / "x.warc.gz", *corpus).code == 0
    curator("crawl", rules, *corpus, "--offline", "--archive-only")
    status = json.loads(curator("status", rules, *corpus, "--json").out)
    assert sum(status["outcomes"].values()) == 2


def test_what_a_browser_showed_goes_before_what_came(ask: Callable[..., dict[str, Any]], tmp_path: Path, curator: Any) -> None:
    shown = warc_record("conversion", text("shown").encode(), f"{SITE}/a", Content_Type="text/html; charset=utf-8")
    came = warc_record("response", answer("200 OK", text("shell")), f"{SITE}/a")
    names = "".join(f"WARC-Concurrent-To: <urn:x:{kind}-1>\r\n" for kind in ("request", "response")).removesuffix("\r\n")
    told = b'curator-rendered: {"browser": "Chromium 1.2.3"}\r\ncurator-event: {"kind": "article", "outcome": "fetched"}\r\n'
    ours = [
        warc_record("request", b"GET /a HTTP/1.1\r\nHost: pelda.example\r\n\r\n", f"{SITE}/a"),
        came,
        shown.replace(b"WARC/1.0\r\n", b"WARC/1.1\r\nWARC-Refers-To: <urn:x:response-1>\r\n"),
        warc_record("metadata", told, f"{SITE}/a", WARC_Refers_To="<urn:x:conversion-1>").replace(
            b"WARC/1.0", f"WARC/1.1\r\n{names}".encode()
        ),
    ]
    assert title(ask(f"{SITE}/a", *ours)) == "shown"
    assert title(ask(f"{SITE}/a", came)) == "shell"
