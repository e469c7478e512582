"""Each message is provoked, and is as it stands here or, where it needs more words, in docs/reference/outcomes.md."""

from __future__ import annotations

import re
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripted_portal import Reply, listing

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "outcomes.md").read_text(encoding="utf-8")
_, _, ROWS = PAGE.partition("\n## Messages\n")
_MESSAGE = re.compile(r"^\| (\d+) \| (`+) ?(.+?) ?\2 \| .+ \|$", re.MULTILINE)
EXPLAINED = {text: int(code) for code, _, text in _MESSAGE.findall(ROWS)}
SAY_ALL = {
    "Failed: archive: https://pelda.example/l/2 could not be read (no article links, and the list goes on behind it; ...)": 1,
    "Failed: archive: on https://pelda.example/l/2 the `next` rule (a.next) takes the link to https://pelda.example/l/1, an earlier page of"
    " this walk; it must match only the link to the next page": 1,
    "Failed: archive: https://pelda.example/l/3: robots.txt disallows it": 1,
    "Failed: 1 empty: no container of an article's text was found on the page (such as https://pelda.example/c/2)": 1,
    "pelda has no `archive` in its portal file, so there is nothing to crawl: it can only import WARCs.": 2,
    "... holds the corpus of a portal at pelda.example, and this one is at 127.0.0.1:9: give it another name (`portal`), ...": 2,
    "The machine says: Not a directory: ... Nothing finished was lost; mend this and run the command again.": 2,
    'This format needs pyarrow, which is not installed: pip install "webarticlecurator[parquet]"': 2,
    ".../build.sqlite is in use by another program (...). Close that, then run the command again.": 2,
}
"""Those that need no more words, and that no other test provokes; with the exit code."""
MESSAGES = {**EXPLAINED, **SAY_ALL}
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


def _of_another_portal(desk: Any) -> None:
    desk.crawled()
    desk.file((PELDA + RULES).replace(HOME, "http://127.0.0.1:9"))


def _redesigned(desk: Any) -> None:
    desk.crawled()
    desk.site.script["/l/1"] = "<main>Something else</main>"


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


PROVOKED: dict[str, tuple[str, Callable[[Any], object]]] = {
    "indented too far": ("check portal.yaml", lambda desk: desk.file(PELDA.replace("home", "  home"))),
    "CURATOR_TOKEN": (
        "crawl portal.yaml --contact anna@pelda.example",
        lambda desk: desk.file(PELDA + RULES + "fetch: {headers: {Authorization: {env: CURATOR_TOKEN}}}\n"),
    ),
    "nothing to crawl": ("crawl portal.yaml", lambda desk: desk.rules("")),
    "holds the corpus": ("crawl portal.yaml", _of_another_portal),
    "The machine says": ("crawl portal.yaml --corpus portal.yaml/corpus", lambda desk: desk.rules(RULES, listing(1), listing())),
    "look at `item` and `link`": ("crawl portal.yaml", lambda desk: desk.rules(RULES, "<p>Más szerkezet</p>")),
    "that no page of the walk lists": (
        "crawl portal.yaml",
        lambda desk: desk.rules(RULES.replace("{page}", "1"), listing(1, 2, next="/l/2"), listing(3)),
    ),
    "goes on behind it": ("crawl portal.yaml", lambda desk: desk.rules(RULES, listing(1), listing(), listing(2))),
    "an earlier page": ("crawl portal.yaml", lambda desk: desk.rules(NEXT, listing(1, next="/l/2"), listing(2, next="/l/1"))),
    "seems to do nothing": ("crawl portal.yaml", lambda desk: desk.rules(RULES, *[listing(1, 2)] * 3)),
    "still has links": (
        "crawl portal.yaml",
        lambda desk: desk.rules(RULES + "  pages: {mode: numbered, last: 2}\n", *(listing(number) for number in range(3))),
    ),
    "seems to have changed": ("crawl portal.yaml", _redesigned),
    "disallows it": (
        "crawl portal.yaml",
        lambda desk: desk.rules(RULES, listing(1), **{"_robots.txt": Reply("User-agent: *\nDisallow: /")}),
    ),
    "no connection": (
        "crawl portal.yaml",
        lambda desk: desk.file((PELDA + RULES + "fetch: {retries: 0}\n").replace(HOME, "http://127.0.0.1:9")),
    ),
    "not in the corpus": ("try portal.yaml https://pelda.example/c/9", lambda desk: desk.crawled()),
    "no container": ("build portal.yaml --jobs 1", lambda desk: desk.crawled(_c_2="<html><body><h1></h1></body></html>")),
    "not installed": ("export portal.yaml --to parquet -o articles.parquet", _without_library),
    "is in use": ("build portal.yaml", _in_use),
}
"""Words of a message -> the command that tells it, and what is done before: a portal file, a portal."""


def message(words: str) -> str:
    """The one of the page with these words."""
    (found,) = (text for text in MESSAGES if words in text)
    return found


def test_every_message_is_provoked_here() -> None:
    assert sorted(message(words) for words in PROVOKED) == sorted(MESSAGES)
    assert len(EXPLAINED) == len(re.findall(r"(?m)^\| \d+ \|", ROWS)), "every row is one of them"


@pytest.mark.parametrize("words", PROVOKED)
def test_curator_says_what_the_page_says(words: str, desk: Any) -> None:
    command, prepare = PROVOKED[words]
    text = message(words)
    prepare(desk)
    ended = desk.types(f"{command} --verbose" if command.startswith("crawl portal.yaml") else command)
    pattern = ".+?".join(map(re.escape, squeezed(text).split("...")))
    assert re.search(pattern, squeezed(ended.all)), ended.all
    assert ended.code == MESSAGES[text]
