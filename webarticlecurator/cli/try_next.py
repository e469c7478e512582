"""What to do after `curator try` of a page."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

Line = dict[str, Any]


class Source(Enum):
    """Where the pages came from."""

    CORPUS = auto()
    WARC = auto()
    HTML = auto()
    PORTAL = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """How the command line named things, for the commands that we suggest."""

    portal: str
    """With its corpus, where one was named."""
    pages: str
    """The flags that say where the pages are, with a blank before them; or nothing."""
    source: Source
    has_archive: bool

    def command(self, url: str, *more: str) -> str:
        """To try a page from the same source."""
        return " ".join((f"`curator try {self.portal} {shlex.quote(url)}{self.pages}", *more)) + "`"


def next_step(line: Line, tried: Tried, is_stored: Callable[[str], bool]) -> str:
    """The most useful thing to do now. `is_stored`: whether the corpus or the WARC files have a page."""
    if "articles" in line:
        return _after_archive(line, tried, is_stored)
    if "metadata" not in line:
        live = f"`curator try {tried.portal} {shlex.quote(line['url'])} --fetch`"
        return f"when that is put right, {live}" if tried.source is Source.PORTAL else f"{live} gets the page from the portal"
    if line["outcome"] == "listing" and tried.has_archive:
        return f"if this page lists articles, {tried.command(line['url'], '--as', 'archive')}"
    if line["outcome"] != "article":
        return f"if this is an article, mend `body` in the portal file, then {tried.command(line['url'], '--as', 'article')}"
    return _after_article(line, tried)


def _after_archive(line: Line, tried: Tried, is_stored: Callable[[str], bool]) -> str:
    if not line["articles"]:
        return f"mend `item` and `link` in the portal file, then {tried.command(line['url'], '--as', 'archive')}"
    article = line["articles"][0]["url"]
    if tried.source is Source.PORTAL or (tried.source is not Source.HTML and is_stored(article)):
        return f"{tried.command(article, '--as', 'article')} shows what the rules make of an article"
    return _first_crawl(tried)


def _after_article(line: Line, tried: Tried) -> str:
    if tried.source in (Source.PORTAL, Source.HTML):
        return _first_crawl(tried)
    if line["unknown_tags"]:
        return f"`curator tags {tried.portal}{tried.pages}` shows what is undecided in all pages"
    if tried.source is Source.WARC:
        return f"`curator audit {tried.portal}{tried.pages}` looks at all pages"
    return f"`curator build {tried.portal}` makes TEI documents"


def _first_crawl(tried: Tried) -> str:
    if not tried.has_archive:
        return f"`curator warc import {tried.portal} FILES` takes pages into a corpus"
    return f"`curator crawl {tried.portal} --limit 20` gets the first articles"
