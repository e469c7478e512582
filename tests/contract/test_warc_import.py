"""WARC files of other programs come into a corpus, and the next crawl knows what is there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from arc_files import arc_file, arc_record
from scripted_portal import ScriptedPortal, scripted_portal
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

Page = tuple[str, str, str]
"""URL, status line, HTML."""

RULES = """portal: pelda
home: {home}/
fetch: {{delay: 0, retries: 0}}
archive: {{url: "{home}/lista/{{page}}", pages: infinite, link: h2 a}}
articles: {{identity: "/c/(\\\\d+)"}}
"""


def foreign(path: Path, pages: Iterable[Page], *, packed: bool = True) -> Path:
    """A WARC file as another program writes it: no events, no request records."""
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=packed, warc_version="1.0")
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "another crawler"}))
        for url, status, html in pages:
            headers = StatusAndHeaders(status, [("Content-Type", "text/html; charset=utf-8")], protocol="HTTP/1.1")
            writer.write_record(
                writer.create_warc_record(
                    url,
                    "response",
                    payload=BytesIO(html.encode()),
                    http_headers=headers,
                    warc_headers_dict={"WARC-Date": "2019-03-04T05:06:07Z"},
                )
            )
    return path


def listing(*numbers: int) -> str:
    return "".join(f'<h2><a href="/c/{number}">{number}</a></h2>' for number in numbers) or "<p>nothing</p>"


@pytest.fixture
def site(tmp_path: Path) -> Iterable[ScriptedPortal]:
    with scripted_portal() as served:
        (tmp_path / "pelda.yaml").write_text(RULES.format(home=served.home.rstrip("/")), encoding="utf-8")
        yield served


@pytest.fixture
def two_files(tmp_path: Path, site: ScriptedPortal) -> list[Path]:
    """The predecessor's layout: archive pages in one file, articles in another."""
    home = site.home.rstrip("/")
    archive = foreign(
        tmp_path / "archive.warc.gz", [(f"{home}/lista/1", "200 OK", listing(3, 2)), (f"{home}/lista/2", "200 OK", listing(1))]
    )
    articles = [(f"{home}/c/{number}", "200 OK", f"<h1>{number}</h1>") for number in (3, 1)]
    broken = [
        (f"{home}/c/9", "404 Not Found", "gone"),
        ("https://elsewhere.example/c/4", "200 OK", "other"),
        (f"{home}/robots.txt", "200 OK", ""),
    ]
    return [archive, foreign(tmp_path / "articles.warc", [*articles, *broken], packed=False)]


def take_in(curator: Callable[..., Any], tmp_path: Path, files: list[Path]) -> dict[str, Any]:
    ended = curator("warc", "import", tmp_path / "pelda.yaml", *files, "--corpus", tmp_path / "corpus", "--json")
    assert ended.code == 0, ended.err
    return dict(json.loads(ended.out))


def outcomes(curator: Callable[..., Any], tmp_path: Path) -> dict[str, int]:
    return dict(json.loads(curator("status", tmp_path / "pelda.yaml", "--corpus", tmp_path / "corpus", "--json").out)["outcomes"])


def test_archive_pages_and_articles_are_told_apart_by_the_rules(curator: Callable[..., Any], tmp_path: Path, two_files: list[Path]) -> None:
    imported = take_in(curator, tmp_path, two_files)
    assert (imported["archive_pages"], imported["articles"]) == (2, 3)
    assert sum(imported["skipped"].values()) == 2
    assert outcomes(curator, tmp_path) == {"queued": 1, "fetched": 2, "gone": 1}


def test_importing_twice_takes_in_nothing_twice(curator: Callable[..., Any], tmp_path: Path, two_files: list[Path]) -> None:
    take_in(curator, tmp_path, two_files)
    again = take_in(curator, tmp_path, two_files)
    assert (again["archive_pages"], again["articles"]) == (0, 0)


def test_the_records_keep_their_date_and_the_files_are_sound(curator: Callable[..., Any], tmp_path: Path, two_files: list[Path]) -> None:
    take_in(curator, tmp_path, two_files)
    assert curator("warc", "check", tmp_path / "corpus").code == 0
    listed = [json.loads(line) for line in curator("warc", "list", tmp_path / "corpus", "--json").out.splitlines()]
    dates = {line["date"] for line in listed if line["status"] is not None}
    assert len(dates) == 1
    assert dates.pop().startswith("2019-03-04T05:06:07")


def test_the_next_crawl_fetches_only_what_was_not_imported(
    curator: Callable[..., Any], tmp_path: Path, site: ScriptedPortal, two_files: list[Path]
) -> None:
    take_in(curator, tmp_path, two_files)
    site.script |= {"/lista/1": listing(3, 2), "/lista/2": listing(1), "/lista/3": listing()}
    assert curator("crawl", tmp_path / "pelda.yaml", "--corpus", tmp_path / "corpus").code == 0
    assert site.articles_asked == ["/c/2"]
    assert outcomes(curator, tmp_path) == {"fetched": 3, "gone": 1}


def test_a_portal_without_an_archive_takes_everything_as_articles(
    curator: Callable[..., Any], tmp_path: Path, two_files: list[Path]
) -> None:
    file = tmp_path / "pelda.yaml"
    rules = file.read_text("utf-8").splitlines(keepends=True)
    file.write_text("".join(line for line in rules if not line.startswith("archive")), encoding="utf-8")
    imported = take_in(curator, tmp_path, two_files)
    assert (imported["archive_pages"], imported["articles"]) == (0, 5)


@pytest.mark.parametrize("packed", ["plain", "members", "one member"])
def test_arc_files_come_in_with_what_arc_knows(curator: Callable[..., Any], tmp_path: Path, site: ScriptedPortal, packed: str) -> None:
    home = site.home.rstrip("/")

    def answer(status: str, html: str) -> bytes:
        return f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\n\r\n{html}".encode()

    records = [
        arc_record("dns:pelda.example", b"20080430204825\npelda.example. 3600 IN A 192.0.2.7\n"),
        arc_record(f"{home}/lista/1", answer("200 OK", listing(2, 1))),
        arc_record(f"{home}/c/1", answer("200 OK", "<h1>1</h1>")),
        arc_record(f"{home}/c/2", answer("404 Not Found", "")),
    ]
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "IAH-2008.arc.gz").write_bytes(arc_file(records, packed=packed))

    imported = take_in(curator, tmp_path, [tmp_path / "old"])

    assert (imported["archive_pages"], imported["articles"], imported["skipped"]) == (1, 2, {"not a page of the web": 1})
    assert outcomes(curator, tmp_path) == {"fetched": 1, "gone": 1}
    assert curator("warc", "check", tmp_path / "corpus").code == 0
    listed = [json.loads(line) for line in curator("warc", "list", tmp_path / "corpus", "--json").out.splitlines()]
    assert {line["date"] for line in listed if line["status"] is not None} == {"2008-04-30T20:48:25.000000Z"}
    assert curator("warc", "cat", tmp_path / "corpus", f"{home}/c/1").out == answer("200 OK", "<h1>1</h1>").decode()
