"""What `curator try` says to a person of one page, and what to do next."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.model.links import OTHER_HOST
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.status import Refused

Line = dict[str, Any]
_LONGEST = 100
"""Characters of a text of which only the beginning matters."""
_MOST_UNDECIDED = 15
_MOST_REFUSED = 6
_ENOUGH = 50
"""Words, from which on a page as it was sent is more than its furniture."""


def in_words(line: Line) -> Iterator[str]:
    """Line by line what the rules made of the page."""
    yield f"{line['url']}  ({line['kind']})"
    yield from _browser(line["in_browser"]) if "in_browser" in line else ()
    if "outcome" in line:
        yield f"  {line['outcome']}{': ' + line['reason'] if line['reason'] else ''}"
    yield from _archive(line) if "articles" in line else ()
    yield from _article(line) if "metadata" in line else ()
    yield from _posts(line["posts"]) if "posts" in line and "articles" not in line else ()


def _browser(found: Line) -> Iterator[str]:
    """What a browser made of the page, and whether it was worth it."""
    sent, shown = (f"words: {found[name]['words']:,}, links: {found[name]['links']:,}" for name in ("sent", "shown"))
    cost = f"{amount(found['loaded'], 'more request')}, {found['bytes'] / 1000:,.0f} KB"
    yield f"  In a browser ({found['browser']}; {cost}) outside of menus {shown}"
    if found["is_needed"]:
        yield f"    without one {sent}"
    elif found["sent"]["words"] >= _ENOUGH:
        yield f"  Look at this: without a browser the page shows hardly less ({sent}); `via: http` is quicker, and kinder to the portal"
    if found["limit"]:
        yield f"  Look at this: the browser did not come to the end of the page: {found['limit']}"


def head_in_words(line: Line) -> Iterator[str]:
    """The same of a page of which only the sum matters."""
    yield f"  {line['url']}"
    yield from _summed(line) if "articles" in line else (f"  {line['outcome']}: {line['reason']}",)


def _archive(line: Line) -> Iterator[str]:
    if guessed := line.get("guessed"):
        yield f"  No column makes this address: read by the rules of {guessed!r}; `--column NAME` takes those of another one"
    for article in line["articles"]:
        yield f"  {article['url']}"
        yield from (f"      {name}: {_listed(value)}" for name, value in article.items() if name != "url")
    yield from _summed(line)


def _summed(line: Line) -> Iterator[str]:
    onward = f"none, the page grows (`pages: {line['grows']}`)" if "grows" in line else line["next"] or "none"
    yield f"  {amount(len(line['articles']), 'article')}; next page: {onward}"
    if posts := line.get("posts"):
        counts = sum(one["url"] is None for one in posts), sum(not one["whole"] for one in posts)
        told = [f"{number} {what}" for number, what in zip(counts, ("without an address", "truncated"), strict=True) if number]
        yield (
            f"  {amount(len(posts), 'post stands', 'posts stand')} on it{': ' if told else ''}{', '.join(told)}; `--as article` shows them"
        )
    yield from (f"  sitemap: {one['url']}{' of ' + one['lastmod'] if one['lastmod'] else ''}" for one in line.get("sitemaps", ()))
    yield from (f"  section: {url}" for url in line.get("sections", ()))
    yield from (f"  {told}" for told in refused_links(line["refused"]))
    yield from (f"  Look at this: {remark}" for remark in line["remarks"])


def refused_links(refused: Sequence[Refused]) -> list[str]:
    """Where links led that were not followed, and what lets in those of other hosts."""
    shown = refused[:_MOST_REFUSED]
    lines = [f"  {amount(one.links, 'link')} to {one.host or 'no host'}: {one.reason}" for one in shown]
    more = len(refused) - len(shown)
    hosts = [one.host for one in shown if one.reason == OTHER_HOST]
    return [
        *(["Links that were not followed", *lines] if lines else []),
        *([f"  and {amount(more, 'more host and reason', 'more hosts and reasons')} (--json shows all)"] if more > 0 else []),
        *([f"  To follow them, write under `archive`: urls: {{hosts: [{', '.join(hosts)}]}}"] if hosts else []),
    ]


def _listed(value: str | list[str]) -> str:
    return value if isinstance(value, str) else "; ".join(value)


def _article(line: Line) -> Iterator[str]:
    yield from _found(line["metadata"], "")
    yield from _found(line["disagreements"], ", otherwise")
    yield f"  next page of the article: {line['next_page'] or 'none'}"
    if "goes_on" in line:
        yield f"    but it seems to go on ({line['goes_on']}): articles.next has to lead there"
    yield from _titled("Text", console.aligned([(block["type"], block["text"]) for block in _shown(line["blocks"])], indent="    "))
    yield from _titled("Comments", console.aligned([(one["text"],) for one in _shown(line.get("comments", ()))], indent="    "))
    yield from _titled("Left out", _left_out(line["dropped"]))
    yield from _titled("Undecided (`curator tags` shows them for all pages)", _undecided(line["unknown_tags"]))


def _posts(posts: list[Line]) -> Iterator[str]:
    """Of each post the head and where its text begins."""
    for post in posts:
        yield f"  {post['url'] or 'a post without an address (posts.blog.url), so that it is no article'}"
        yield from (f"  {line}" for line in _found(post.get("metadata", {}), ""))
        yield from (f"    flag: {flag}" for flag in post["flags"])
        yield f"    text: {_begin(' / '.join(post['text'].splitlines()))}" if post.get("text") else f"    {post['reason']}"


def _found(metadata: dict[str, list[Line]], note: str) -> Iterator[str]:
    for name, values in metadata.items():
        yield from (f"  {name}{note}: {one['value']}   ({one['source']})" for one in values)


def _titled(title: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield f"  {title}:"
        yield from lines


def _shown(blocks: Sequence[Line]) -> Iterator[Line]:
    """One line a block; of a post its parts."""
    for block in blocks:
        text = " | ".join(filter(None, (block.get("when"), block.get("who"), block.get("title"), block["text"] or block.get("url"))))
        yield {"type": block["type"], "text": " / ".join(text.splitlines())}


def _left_out(dropped: list[Line]) -> list[str]:
    """By the rule that did it, with where it begins."""
    by_rule: dict[str, list[str]] = {}
    for one in dropped:
        by_rule.setdefault(one["rule"], []).append(one["text"])
    rows = [(f"{sum(len(text.split()) for text in texts):,}", "words", rule, _begin(texts[0])) for rule, texts in by_rule.items()]
    return console.aligned(rows, indent="    ") if rows else []


def _begin(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."


def _undecided(tags: list[Line]) -> list[str]:
    most = sorted(tags, key=lambda one: (-one["words"], -one["count"]))
    rows = [(one["tag"], f"{one['count']:,}", "times", f"{one['words']:,}", "words") for one in most[:_MOST_UNDECIDED]]
    more = [f"    ... and {len(most) - _MOST_UNDECIDED} more"] if len(most) > _MOST_UNDECIDED else []
    return [*(console.aligned(rows, indent="    ") if rows else ()), *more]


# --- what to do next ---


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
    has_articles: bool = False
    """The corpus has some, wherever this page came from."""
    is_built: bool = False
    """There are documents of all of them, by the rules of now."""

    def command(self, url: str, *more: str) -> str:
        """To try a page from the same source."""
        return " ".join((f"`curator try {self.portal} {shlex.quote(url)}{self.pages}", *more)) + "`"


def next_step(line: Line, tried: Tried, is_stored: Callable[[str], bool]) -> str:
    """The most useful thing to do now. `is_stored`: whether the corpus or the WARC files have a page."""
    if "articles" in line:
        return _after_archive(line, tried, is_stored)
    if "posts" in line:
        return _after_article({"unknown_tags": []}, tried)
    if line.get("outcome") == FetchOutcome.BAD_URL:
        return f"`curator try {tried.portal} URL` with the whole address of the page, as a browser shows it: https://..."
    if "metadata" not in line:
        live = f"`curator try {tried.portal} {shlex.quote(line['url'])} --fetch`"
        return f"when that is put right, {live}" if tried.source is Source.PORTAL else f"{live} gets the page from the portal"
    if line["outcome"] == "listing" and tried.has_archive:
        return f"if this page lists articles, {tried.command(line['url'], '--as', 'archive')}"
    if line["outcome"] != "article":
        return f"if this is an article, mend `body` in the portal file, then {tried.command(line['url'], '--as', 'article')}"
    return _after_article(line, tried)


def _after_archive(line: Line, tried: Tried, is_stored: Callable[[str], bool]) -> str:
    if line.get("sitemaps") and not line["articles"]:
        return f"{tried.command(line['sitemaps'][0]['url'], '--as', 'archive')} shows what that one lists"
    if not line["articles"] and line.get("sections"):
        return f"{tried.command(line['sections'][0], '--as', 'archive')} shows a part of the archive that it leads to"
    if not line["articles"]:
        return f"mend `item` and `link` in the portal file, then {tried.command(line['url'], '--as', 'archive')}"
    article = line["articles"][0]["url"]
    if tried.source is Source.PORTAL or (tried.source is not Source.HTML and is_stored(article)):
        return f"{tried.command(article, '--as', 'article')} shows what the rules make of an article"
    return _crawl(tried)


def _after_article(line: Line, tried: Tried) -> str:
    is_new = tried.source in (Source.PORTAL, Source.HTML)
    if is_new and not tried.has_articles:
        return _crawl(tried)
    if is_new:
        tried = replace(tried, pages="", source=Source.CORPUS)
    if line["unknown_tags"]:
        return f"`curator tags {tried.portal}{tried.pages}` shows what is undecided in all pages"
    if tried.source is Source.WARC or tried.is_built:
        return f"`curator audit {tried.portal}{tried.pages}` looks at all pages"
    shown = ", from what is stored; this page was only looked at" if is_new else ""
    return f"`curator build {tried.portal}` brings the TEI documents up to date{shown}"


def _crawl(tried: Tried) -> str:
    if not tried.has_archive:
        return f"`curator warc import {tried.portal} FILES` takes pages into a corpus"
    if tried.has_articles:
        return f"`curator crawl {tried.portal}` gets the articles that are not stored yet"
    return f"`curator crawl {tried.portal} --limit 20` gets the first articles"
