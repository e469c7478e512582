"""docs/reference/troubleshooting.md: each message is provoked, and stands there as curator writes it."""

from __future__ import annotations

import re
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from scripted_portal import MISSING, Reply, listing

from webarticlecurator import Outcome, crawl

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "troubleshooting.md").read_text(encoding="utf-8")
_MESSAGE = re.compile(
    r"^### ([^\n]+)\n\nTold by `curator ([^\n]+)`, exit code (\d+)\.\n\n```text\n(.+?)```\n\n- \*\*Why:\*\* .+?\n- \*\*What to do:\*\* ",
    re.MULTILINE | re.DOTALL,
)
MESSAGES = {title: (command, int(code), text) for title, command, code, text in _MESSAGE.findall(PAGE)}
PELDA, HOME = "portal: pelda\nhome: https://pelda.example/\n", "https://pelda.example"
RULES = "archive:\n  url: https://pelda.example/l/{page}\n  item: li.t\n  link: h2 a\n"
NEXT = RULES.replace("{page}", "1") + "  pages: next-link\n  next: a.next\n"


def squeezed(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture
def desk(desk: Any) -> Any:
    """A portal file of which nothing but the address and the patience is known."""
    desk.head = f"{PELDA}fetch: {{delay: 0s, retries: 0}}\n"
    return desk


def _elsewhere(desk: Any) -> None:
    desk.crawled()
    desk.monkeypatch.setenv("CURATOR_CORPORA", str(Path("disk").absolute()))


def _running(desk: Any) -> None:
    desk.crawled()
    begun, go_on = Event(), Event()

    def slowly(_: str) -> str:
        begun.set()
        go_on.wait(20)
        return listing(1, 2)

    desk.site.script["/l/1"] = slowly
    other = Thread(target=crawl, args=("portal.yaml",))
    other.start()
    desk.until_the_end.callback(other.join)
    desk.until_the_end.callback(go_on.set)
    assert begun.wait(20)


def _redesigned(desk: Any) -> None:
    desk.crawled()
    desk.site.script["/l/1"] = "<main>Something else</main>"


def _missing(desk: Any) -> None:
    desk.crawled()
    next(Path("corpora/pelda/warc").glob("*-articles-*")).unlink()


def _of_another_version(desk: Any) -> None:
    desk.crawled()
    with closing(sqlite3.connect("corpora/pelda/ledger.sqlite")) as ledger:
        ledger.execute("PRAGMA user_version = 1")


def _damaged(desk: Any) -> None:
    desk.crawled()
    assert desk.types("build portal.yaml --jobs 1").code == 0
    with Path("corpora/pelda/build.sqlite").open("r+b") as database:
        database.seek(4096)
        database.write(b"\xa5" * 4096 * 8)


def _in_use(desk: Any) -> None:
    desk.crawled()
    database = sqlite3.connect("corpora/pelda/build.sqlite", isolation_level=None)
    desk.until_the_end.callback(database.close)
    database.execute("BEGIN EXCLUSIVE")


def _without_library(desk: Any) -> None:
    desk.crawled()
    assert desk.types("build portal.yaml --jobs 1").code == 0
    desk.monkeypatch.setitem(sys.modules, "pyarrow", None)
    for name in [name for name in sys.modules if name.endswith("formats.parquet")]:
        desk.monkeypatch.delitem(sys.modules, name)


PREPARED: dict[str, Callable[[Any], object]] = {
    "There is no portal file of that name": lambda desk: desk.file(PELDA),
    "A key is misspelt": lambda desk: desk.file(PELDA + "lnaguage: hu\n"),
    "YAML took a selector for something else": lambda desk: desk.file(PELDA + RULES.replace("li.t", "#lista")),
    "A line is indented too far": lambda desk: desk.file(PELDA.replace("home", "  home")),
    "A placeholder has nothing to fill it": lambda desk: desk.file(PELDA + RULES.replace("{page}", "{year}")),
    "A secret stands in the portal file": lambda desk: desk.file(PELDA + "fetch: {headers: {Authorization: Bearer 1}}\n" + RULES),
    "A variable is not set": lambda desk: desk.file(PELDA + RULES + "fetch: {headers: {Authorization: {env: CURATOR_TOKEN}}}\n"),
    "Nobody knows who crawls": lambda _: Path("portal.yaml").write_text(PELDA + RULES, encoding="utf-8"),
    "The portal file tells of no archive": lambda desk: desk.rules(""),
    "There is no corpus": lambda desk: desk.file(PELDA + RULES),
    "A second corpus would begin": _elsewhere,
    "Another crawl is running": _running,
    "The machine refuses": lambda desk: desk.rules(RULES, listing(1), listing()),
    "No archive page gave an article link": lambda desk: desk.rules(RULES, "<p>Más szerkezet</p>"),
    "No archive page is there": lambda desk: desk.rules(RULES, MISSING),
    "The archive goes on where no rule leads": lambda desk: desk.rules(
        RULES.replace("{page}", "1"), listing(1, 2, next="/l/2"), listing(3)
    ),
    "The link to the next page was never found": lambda desk: desk.rules(NEXT, listing(1, 2)),
    "The link to the next page leads back": lambda desk: desk.rules(NEXT, listing(1, next="/l/2"), listing(2, next="/l/1")),
    "The second page lists what the first one lists": lambda desk: desk.rules(RULES, *[listing(1, 2)] * 3),
    "The last page of the portal file was not the last": lambda desk: desk.rules(
        RULES + "  pages: {mode: numbered, last: 2}\n", *(listing(number) for number in range(3))
    ),
    "Links lead to another host": lambda desk: desk.rules(RULES, listing(1, "https://elsewhere.example/x"), listing()),
    "The layout seems to have changed": _redesigned,
    "The portal keeps us out": lambda desk: desk.rules(
        RULES, listing(*range(6)), listing(), **{f"_c_{number}": Reply("no", 403) for number in range(6)}
    ),
    "robots.txt disallows it": lambda desk: desk.rules(RULES, listing(1), **{"_robots.txt": Reply("User-agent: *\nDisallow: /")}),
    "The portal cannot be reached": lambda desk: desk.file((PELDA + RULES + "fetch: {retries: 0}\n").replace(HOME, "http://127.0.0.1:9")),
    "The portal asks to be left alone": lambda desk: desk.rules(
        RULES, listing(1, 2), listing(), _c_1=Reply("no", 429, {"Retry-After": "3600"})
    ),
    "The page is not in the corpus": lambda desk: desk.crawled(),
    "No text was found on a page": lambda desk: desk.crawled(_c_2="<html><body><h1></h1></body></html>"),
    "Nothing is built yet": lambda desk: desk.crawled(),
    "A library is not installed": _without_library,
    "A WARC file is missing": _missing,
    "The ledger is of another version": _of_another_version,
    "A database of the corpus is damaged": _damaged,
    "A database of the corpus is in use": _in_use,
}
"""What stands before the command: a portal file, a portal, and what was done before."""


def test_every_message_of_the_page_is_provoked_here() -> None:
    assert list(MESSAGES) == list(PREPARED) == re.findall("(?m)^### (.+)$", PAGE)


@pytest.mark.parametrize("title", PREPARED)
def test_curator_says_what_the_page_says(title: str, desk: Any) -> None:
    command, code, text = MESSAGES[title]
    PREPARED[title](desk)
    ended = desk.types(command)
    pattern = ".+?".join(map(re.escape, squeezed(text).split("...")))
    assert re.search(pattern, squeezed(ended.all)), ended.all
    assert ended.code == code


def test_every_exit_code_and_outcome_of_an_article_has_something_to_look_at_first() -> None:
    named = set(re.findall(r"(?m)^\| `?([\w-]+)`? \|", PAGE))
    assert {"0", "1", "2", "3", "4", "5", "70", "130", *map(str, Outcome)} <= named
