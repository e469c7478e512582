"""What JSON-LD tells of the entries of a live blog, and which parts of the page repeat them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from itertools import accumulate
from typing import Any

from webarticlecurator.document.page import parse_html
from webarticlecurator.extraction.body.lookup import Lookup
from webarticlecurator.extraction.body.rewrite import RewriteContext, rewrite
from webarticlecurator.extraction.live_blogs import CLOCK, sortable
from webarticlecurator.extraction.picks import PageContext
from webarticlecurator.extraction.posts import MAX_POSTS, moment
from webarticlecurator.model.article import HOLDS, Block, Content, Post, plain_text
from webarticlecurator.text import letters_of, squeeze

_LONGEST = 1_000_000
"""Characters of all entries together that blocks are looked for in."""
_LONGEST_LINE = 50
"""Characters of a line with the time of an entry."""
_TELLING = 20
"""Letters by which a block is known to be of an entry."""
_AROUND_ENTRIES = frozenset(("list", "item", "box"))
"""Blocks that entries may stand in."""
_ZONE = re.compile(r"(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)")


def live_entries(context: PageContext, lookup: Lookup) -> list[Post]:
    """The `liveBlogUpdate`s of the page's LiveBlogPosting."""
    for one in context.page.json_ld_objects:
        updates = one.get("liveBlogUpdate")
        if isinstance(updates, dict):
            updates = [updates]
        if isinstance(updates, list) and updates:
            return [post for update in updates[:MAX_POSTS] if isinstance(update, dict) and (post := _entry(update, context, lookup))]
    return []


def _entry(update: Mapping[str, Any], context: PageContext, lookup: Lookup) -> Post | None:
    body, title = _string(update.get("articleBody")), _string(update.get("headline") or update.get("name"))
    parsed = parse_html(_as_html(body)) if body else None
    around = RewriteContext(base=context.page.base, budget=context.page.budget)
    blocks = [] if parsed is None else rewrite([parsed], lookup, around).blocks
    if not blocks and not title:
        return None
    return Post(
        kind="liveblog",
        id=_string(update.get("@id")),
        when=moment(_string(update.get("datePublished")), context, None),
        author=_name(update.get("author")),
        title=squeeze(title) if title else None,
        url=_string(update.get("url")),
        blocks=tuple(blocks),
    )


def _as_html(body: str) -> str:
    """A body without tags has its paragraphs as lines."""
    return body if "<" in body else "".join(f"<p>{line}" for line in body.splitlines())


def _string(value: Any) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


def _name(author: Any) -> str | None:
    names = [one.get("name") if isinstance(one, dict) else one for one in (author if isinstance(author, list) else [author])]
    return ", ".join(name for name in names if isinstance(name, str)) or None


def claimed(posts: list[Post], blocks: Iterable[Block], zone: tzinfo) -> tuple[list[Post], list[Block]]:
    """Blocks of the page that repeat an entry are that entry's text, better marked up than in JSON-LD; the others stay.

    What is shown behind the text of an entry is of the entry, and so is the line with its time.
    """
    texts = [_post_letters(post) + "\n" for post in posts]
    starts = list(accumulate(map(len, texts[:-1]), initial=0))
    everything = "".join(texts)[:_LONGEST]
    titles = {letters_of(post.title): number for number, post in enumerate(posts) if post.title}
    shown = [_minutes(post, zone) for post in posts]
    minutes = Counter(minute for each in shown for minute in each)
    timed = {minute: number for number, each in enumerate(shown) for minute in each if minutes[minute] == 1}
    taken: dict[int, list[Block]] = {}
    times: dict[int, str] = {}
    left: list[Block] = []
    current: int | None = None
    for block, letters, at in _places(blocks, everything):
        text = plain_text(block)
        if at < 0 and current is not None and letters and letters == letters_of(posts[current].author or ""):
            continue
        clock = CLOCK.search(text) if at < 0 and len(text) <= _LONGEST_LINE else None
        minute = f"{int(clock[1]):02}:{clock[2]}" if clock else ""
        if clock and minute in timed:
            current = timed[minute]
            times[current] = clock[0]
            if letters_of(text.replace(clock[0], "")) not in ("", letters_of(posts[current].author or "")):
                taken.setdefault(current, []).append(block)
            continue
        if clock and minute in minutes and not letters_of(text.replace(clock[0], "")):
            continue  # of one of several entries of that minute
        number = titles.get(letters) if at < 0 else bisect_right(starts, at) - 1
        current = number if number is not None or not _is_shown(block) else current
        (left if current is None else taken.setdefault(current, [])).append(block)
    found = [replace(post, time=post.time or times.get(n), blocks=_with_blocks(post, taken.get(n, []))) for n, post in enumerate(posts)]
    shown_so = list(taken)
    if len(shown_so) > 1 and shown_so == sorted(shown_so, reverse=True):
        found.reverse()  # the page shows them in the other direction
    return found, left


def _places(blocks: Iterable[Block], everything: str) -> Iterator[tuple[Block, str, int]]:
    """Blocks with their letters and where those stand in the entries; a list of entries is taken apart, one in an entry is not."""
    waiting = list(blocks)[::-1]
    while waiting:
        block = waiting.pop()
        letters = letters_of(plain_text(block))
        at = everything.find(letters) if len(letters) >= _TELLING else -1
        if block.type == "item" or (at < 0 and block.type in _AROUND_ENTRIES and _holds_entry(block, everything)):
            waiting += [child for child in block.children[::-1] if isinstance(child, Block)]
        else:
            yield block, letters, at


def _holds_entry(block: Block, everything: str) -> bool:
    """Whether a text in it is one of an entry."""
    for child in block.children:
        if isinstance(child, Block):
            letters = letters_of(plain_text(child))
            found = len(letters) >= _TELLING and letters in everything
            if found or (child.type in _AROUND_ENTRIES and _holds_entry(child, everything)):
                return True
    return False


def _is_shown(block: Block) -> bool:
    return block.type == "social" or HOLDS[block.type] in (Content.CAPTION, Content.FIGURES)


def _with_blocks(post: Post, blocks: list[Block]) -> tuple[Block, ...]:
    title = letters_of(post.title or "")
    text = [block for block in blocks if not title or letters_of(plain_text(block)) != title]
    return tuple(text) if any(not _is_shown(block) for block in text) else (*post.blocks, *text)


def completed(posts: Sequence[Post], told: Sequence[Post]) -> list[Post]:
    """The entries of the page, with what JSON-LD tells of each; those that the page does not show stand where their times are."""
    left = {number: _post_letters(post) for number, post in enumerate(posts)}
    found = _in_zone_of(told, posts)
    missing: list[Post] = []
    for one in told:
        number = _same_entry(one, found, left)
        if number is None:
            missing.append(one)
            continue
        del left[number]
        page = found[number]
        found[number] = replace(
            page,
            id=one.id or page.id,
            when=one.when or page.when,
            day_counted=page.day_counted and not one.when,
            author=page.author or one.author,
            title=page.title or one.title,
            url=one.url,
        )
    if missing and all(post.when for post in (*found, *missing)):
        falls = len(found) > 1 and (found[0].when or "") > (found[-1].when or "")
        return sorted((*found, *missing), key=lambda post: sortable(post.when), reverse=falls)
    return [*found, *missing]


def _in_zone_of(told: Sequence[Post], posts: Sequence[Post]) -> list[Post]:
    """Times that the page shows without their zone are in that of the data, where both show the same minutes."""
    zones = {(one.when or "")[11:16]: (one.when or "")[19:] for one in told if _ZONE.fullmatch((one.when or "")[19:])}
    shared = {zones[minute] for post in posts if (minute := _minute(post)) in zones and post.time}
    if len(shared) != 1:
        return list(posts)
    zone = shared.pop()
    return [replace(post, when=post.when[:19] + zone) if post.when and _shows(post) else post for post in posts]


def _minute(post: Post) -> str:
    return (post.when or "")[11:16]


def _minutes(post: Post, zone: tzinfo) -> set[str]:
    """What a clock shows in the zone of the data, and in that of the portal."""
    try:
        local = datetime.fromisoformat(post.when or "").astimezone(zone)
    except (ValueError, OverflowError):
        return set()
    return {_minute(post), f"{local:%H:%M}"} - {""}


def _shows(post: Post) -> bool:
    """Whether its moment is what readers see, and no machine wrote it."""
    clock = CLOCK.search(post.time or "")
    return clock is not None and f"{int(clock[1]):02}:{clock[2]}" == _minute(post)


def _same_entry(one: Post, posts: Sequence[Post], left: Mapping[int, str]) -> int | None:
    """The number of the post that says the same, the likeliest the one of the same minute; entries may quote one another."""
    wanted = _post_letters(one)[: 2 * _TELLING]
    minute = _minute(one)
    same = [number for number in left if minute and _minute(posts[number]) == minute]
    saying = [number for number, text in left.items() if wanted and wanted in text]
    both = [number for number in same if number in saying]
    return next(iter(both or saying or (same if len(same) == 1 else [])), None)


def _post_letters(post: Post) -> str:
    return letters_of(post.title or "") + letters_of("".join(map(plain_text, post.blocks)))
