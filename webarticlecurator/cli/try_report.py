"""What `curator try` says to a person of one page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from webarticlecurator.cli import console
from webarticlecurator.cli.refused_links import refused_links

Line = dict[str, Any]
_LONGEST = 100
"""Characters of a text of which only the beginning matters."""
_MOST_UNDECIDED = 15


def in_words(line: Line) -> Iterator[str]:
    """Line by line what the rules made of the page."""
    yield f"{line['url']}  ({line['kind']})"
    if "outcome" in line:
        yield f"  {line['outcome']}{': ' + line['reason'] if line['reason'] else ''}"
    yield from _archive(line) if "articles" in line else ()
    yield from _article(line) if "metadata" in line else ()


def head_in_words(line: Line) -> Iterator[str]:
    """The same of a page of which only the sum matters."""
    yield f"  {line['url']}"
    yield from _summed(line) if "articles" in line else (f"  {line['outcome']}: {line['reason']}",)


def _archive(line: Line) -> Iterator[str]:
    for article in line["articles"]:
        yield f"  {article['url']}"
        yield from (f"      {name}: {_listed(value)}" for name, value in article.items() if name != "url")
    yield from _summed(line)


def _summed(line: Line) -> Iterator[str]:
    yield f"  {len(line['articles'])} articles; next page: {line['next'] or 'none'}"
    yield from (f"  {told}" for told in refused_links(line["refused"]))
    yield from (f"  Look at this: {remark}" for remark in line["remarks"])


def _listed(value: str | list[str]) -> str:
    return value if isinstance(value, str) else "; ".join(value)


def _article(line: Line) -> Iterator[str]:
    yield from _found(line["metadata"], "")
    yield from _found(line["disagreements"], ", otherwise")
    yield f"  next page of the article: {line['next_page'] or 'none'}"
    if "goes_on" in line:
        yield f"    but it seems to go on ({line['goes_on']}): articles.next has to lead there"
    yield from _titled("Text", console.aligned([(block["type"], block["text"]) for block in _shown(line["blocks"])], indent="    "))
    yield from _titled("Left out", _left_out(line["dropped"]))
    yield from _titled("Undecided (`curator tags` shows them for all pages)", _undecided(line["unknown_tags"]))


def _found(metadata: dict[str, list[Line]], note: str) -> Iterator[str]:
    for name, values in metadata.items():
        yield from (f"  {name}{note}: {one['value']}   ({one['source']})" for one in values)


def _titled(title: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield f"  {title}:"
        yield from lines


def _shown(blocks: list[Line]) -> Iterator[Line]:
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
