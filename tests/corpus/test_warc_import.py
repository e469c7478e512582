"""WARC files of other programs come into a corpus, and the next crawl knows what is there."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from arc_files import arc_file, arc_record
from scripted_portal import ScriptedPortal, scripted_portal
from warc_records import Page, foreign

MISSING = r'<note type="missingPage" n="(\d+)"[^>]*>([^<]*)</note>'
RULES = """portal: pelda
home: {home}/
fetch: {{delay: 0, retries: 0}}
archive: {{url: "{home}/lista/{{page}}", pages: infinite, link: h2 a}}
articles: {{identity: "/c/(\\\\d+)"}}
"""


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


@pytest.mark.parametrize("quiet", [[], ["--quiet"]])
def test_a_cut_file_is_taken_in_as_far_as_it_goes_and_told(
    curator: Callable[..., Any], tmp_path: Path, two_files: list[Path], quiet: list[str]
) -> None:
    two_files[0].write_bytes(two_files[0].read_bytes()[:-8])
    ended = curator("warc", "import", tmp_path / "pelda.yaml", *two_files, "--corpus", tmp_path / "corpus", "--json", *quiet)
    assert ended.code == 1
    assert f"1 damaged place. Next: `curator warc check {two_files[0]} {two_files[1]}`" in ended.err
    imported = json.loads(ended.out)
    assert (imported["damaged"], imported["archive_pages"], imported["articles"]) == (1, 1, 3)


def test_a_block_in_the_files_takes_nothing_away_that_is_stored(curator: Callable[..., Any], tmp_path: Path, site: ScriptedPortal) -> None:
    home = site.home.rstrip("/")
    pages = [(f"{home}/c/{number}", "200 OK", f"<h1>{number}</h1><p>The article of that number.") for number in range(1, 7)]
    take_in(curator, tmp_path, [foreign(tmp_path / "pages.warc.gz", pages)])
    before = outcomes(curator, tmp_path)
    busy, wall = ("503 Service Unavailable", "busy"), ("200 OK", "<h1>Sign in</h1><p>One page for all.")
    for year, (status, content) in ((2020, busy), (2021, wall)):
        blocked = [(url, status, content) for url, *_ in pages]
        take_in(curator, tmp_path, [foreign(tmp_path / f"{year}.warc.gz", blocked, date=f"{year}-03-04T05:06:07Z")])
        assert outcomes(curator, tmp_path) == before


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


PAGES = ("/t/7", "/t/7?page=2", "/t/7?page=3", "/t/7?page=4")
ITEMS = ("/t/7", "/t/7?s=25", "/t/7?s=50", "/t/7?s=75")
NEXT, IDENTITY = "next: a.next", 'identity: "/t/(\\\\d+)"'


BOTH = f"{NEXT}, {IDENTITY}"
EIGHT = ("/t/7", *(f"/t/7?page={number}" for number in range(2, 9)))


def absent(number: int, at: str = "") -> str:
    return f"{number}: page {number} is not stored{f' ({at})' if at else ''}"


THREADS: dict[str, tuple[tuple[tuple[int, ...], ...], dict[str, Any], list[str]]] = {
    # the pages of each import, the rules, the posts and what is missing
    "in order": (((1, 2, 3, 4),), {}, ["1", "2", "3", "4"]),
    "backwards, by their identity": (((4, 2, 3, 1),), {"articles": IDENTITY}, ["1", "2", "3", "4"]),
    "backwards, by both": (((4, 2, 3, 1),), {"articles": BOTH}, ["1", "2", "3", "4"]),
    "each by itself": (((1, 4), (3,), (2,)), {}, ["1", "2", "3", "4"]),
    "without the second": (((1, 3, 4),), {}, ["1", "3", "4", absent(2, PAGES[1])]),
    "without the second where items are counted": (((1, 3, 4),), {"pages": ITEMS, "articles": BOTH}, ["1", "3", "4", absent(2, ITEMS[1])]),
    "without a late one": (((1, 2, 3, 4, 5, 7, 8),), {"pages": EIGHT}, [*"1234578", absent(6, EIGHT[5])]),
    "where no rule leads there": (((1, 3, 4),), {"articles": IDENTITY}, ["1", "3", "4", absent(2)]),
    "without the first and the last": (((2, 3),), {}, ["2", "3", absent(1), absent(4, PAGES[3])]),
    "the third alone": (((3,),), {}, ["3", absent(1), absent(2), absent(4, PAGES[3])]),
    "without those between": (((1, 4),), {}, ["1", "4", absent(2, PAGES[1]), absent(3)]),
    "the first alone": (((1,),), {}, ["1", absent(2, PAGES[1])]),
}


class TestArticlesOfSeveralPages:
    """A thread of four pages, of which not all were archived."""

    @pytest.fixture
    def thread(self, curator: Callable[..., Any], tmp_path: Path, site: ScriptedPortal) -> Callable[..., list[str]]:
        """Imports these pages of it, each by itself or all in one file, and builds; gives the posts of the document, and what it lacks."""
        home = site.home.rstrip("/")
        rules = tmp_path / "pelda.yaml"
        posts = "posts: {forum: {item: div.post, id: {attr: id}, author: b, text: p}}"

        def page(number: int, addresses: tuple[str, ...], title: str) -> Page:
            following = f'<a class="next" href="{addresses[number]}">next</a>' if number < len(addresses) else ""
            said = "".join(f'<div class="post" id="p{number}{one}"><b>Anna</b><p>Post {number}.{one} of it.</p></div>' for one in "ab")
            return f"{home}{addresses[number - 1]}", "200 OK", f"<title>{title}</title><h1>{title}</h1>{said}{following}"

        def take(*imports: tuple[int, ...], articles: str = NEXT, pages: tuple[str, ...] = PAGES, title: str = "A bridge") -> list[str]:
            archive = 'archive: {url: "HOME/lista/{page}", pages: infinite, link: h2 a}'
            lines = ["portal: pelda", "home: HOME/", "kind: forum", "fetch: {delay: 0, retries: 0}", archive, posts]
            rules.write_text("\n".join([*lines, f"articles: {{{articles}}}"]).replace("HOME", home), encoding="utf-8")
            site.script |= {address: page(number, pages, title)[2] for number, address in enumerate(pages, start=1)}
            for place, numbers in enumerate(imports):
                take_in(curator, tmp_path, [foreign(tmp_path / f"{place}.warc.gz", [page(number, pages, title) for number in numbers])])
            return self.built(curator, tmp_path, home)

        return take

    @staticmethod
    def built(curator: Callable[..., Any], tmp_path: Path, home: str) -> list[str]:
        assert curator("build", rules := tmp_path / "pelda.yaml", "--corpus", tmp_path / "corpus", "--jobs", 1).code == 0, rules
        (document,) = (tmp_path / "corpus" / "tei").rglob("*.xml")
        text = document.read_text("utf-8").replace(home, "")
        return [*re.findall(r"Post (\d)\.a", text), *(f"{number}: {text}" for number, text in re.findall(MISSING, text))]

    @pytest.mark.parametrize(("imports", "how", "told"), THREADS.values(), ids=THREADS)
    def test_pages_become_one_article_whose_document_names_what_is_missing(
        self, thread: Callable[..., list[str]], imports: tuple[tuple[int, ...], ...], how: dict[str, Any], told: list[str]
    ) -> None:
        assert thread(*imports, **how) == told

    def test_status_and_import_tell_what_is_missing_and_the_next_crawl_asks_for_it(
        self, curator: Callable[..., Any], tmp_path: Path, site: ScriptedPortal, thread: Callable[..., list[str]]
    ) -> None:
        thread((1, 3, 4))
        status = curator("status", tmp_path / "pelda.yaml", "--corpus", tmp_path / "corpus").out
        assert "1 queued: a page of it was in none of the imported files" in status
        assert curator("crawl", tmp_path / "pelda.yaml", "--corpus", tmp_path / "corpus", "--articles-only").code == 0
        assert "/t/7?page=2" in site.asked
        assert self.built(curator, tmp_path, site.home.rstrip("/")) == ["1", "2", "3", "4"]

    def test_the_ledger_can_be_made_again(self, curator: Callable[..., Any], tmp_path: Path, thread: Callable[..., list[str]]) -> None:
        thread((3, 1, 4))
        of_it = (tmp_path / "pelda.yaml", "--corpus", tmp_path / "corpus")
        before = curator("status", *of_it, "--json").out
        (tmp_path / "corpus" / "ledger.sqlite").unlink()
        assert curator("warc", "index", *of_it).code == 0
        assert curator("status", *of_it, "--json").out == before

    def test_other_articles_are_no_pages_of_it(self, curator: Callable[..., Any], tmp_path: Path, site: ScriptedPortal) -> None:
        home = site.home.rstrip("/")
        rules = tmp_path / "pelda.yaml"
        rules.write_text(rules.read_text("utf-8").replace("articles: {", "articles: {next: a.next, "), encoding="utf-8")

        def article(number: int) -> str:
            head = f"<title>Title {number}{'ABC'[number]}</title><link rel=canonical href='{home}/c/{number}'>"
            return f"{head}<h1>Title {number}{'ABC'[number]}</h1><p>Text.</p><a class=next href='/c/{number + 1}'>next article</a>"

        take_in(
            curator, tmp_path, [foreign(tmp_path / "x.warc.gz", [(f"{home}/c/{number}", "200 OK", article(number)) for number in (1, 2)])]
        )
        assert outcomes(curator, tmp_path) == {"fetched": 1, "queued": 1}
