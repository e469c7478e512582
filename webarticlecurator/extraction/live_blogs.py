"""Live blogs: entries that repeat on a page, each with its time, and what JSON-LD tells of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import islice, takewhile
from typing import Any

from lxml.etree import _Element as Element

from webarticlecurator.config.article_rules import PostKind, PostRules
from webarticlecurator.config.fields import FIELDS
from webarticlecurator.config.picks import Pick, Picks
from webarticlecurator.dates import written_moment
from webarticlecurator.document.parsed_page import parse_html
from webarticlecurator.extraction.body.locate import Container
from webarticlecurator.extraction.body.rewrite import RewriteContext, rewrite
from webarticlecurator.extraction.body.tag_rules import Lookup
from webarticlecurator.extraction.metadata import ReadMetadata
from webarticlecurator.extraction.metadata.data import texts_of
from webarticlecurator.extraction.picked_values import PageContext
from webarticlecurator.extraction.posts import CLOCK, PostItem, clock_of, moment
from webarticlecurator.extraction.threads import MAX_POSTS, PagePosts, in_order, moments
from webarticlecurator.labelling.element_names import PagePart, sure_part
from webarticlecurator.model.article import Block, Post, blocks_in, plain_text
from webarticlecurator.model.metadata import Found
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.patterns import Pattern
from webarticlecurator.selectors import Selector
from webarticlecurator.text import element_text, letters_of, squeeze
from webarticlecurator.urls import split
from webarticlecurator.word_lists import read_word_lists

TYPE = "LiveBlogPosting"
_WORDS = "|".join(read_word_lists(__file__, "live_words.txt", r"\n")["live"])
_LIVE = linear(rf"(?<![^\W_])(?:{_WORDS})(?![^\W_])", re.IGNORECASE)
_APART = linear_at(r"\s*(?:$|[^\w\s-]|[-–—]\s)")
_AUTHOR = Pattern.parse(r"(?i)(?:^|[\s_-])(?:author|byline|reporter|writer|autor|auteur|szerzo)s?(?:$|[\s_-])")
_NAME = Pattern.parse(r"^\p{Lu}\S*\p{Ll}\S*(?: \p{Lu}\S*\p{Ll}\S*){1,3}$")
_OWN_TIME = Selector.parse("time:not(blockquote *, figure *)")


def _first(*picks: Pick) -> Picks:
    return Picks(alternatives=picks)


_ENTRY = PostRules(
    item=_first(),
    id=_first(*(Pick(attr=name) for name in ("id", "data-id", "data-post-id", "data-block-id", "data-entry-id"))),
    time=_first(Pick(css=_OWN_TIME, attr="datetime"), Pick(css=_OWN_TIME)),
    author=_first(
        Pick(css=Selector.parse("[class]"), having={"class": _AUTHOR, "text": Pattern.parse("^.{1,50}$")}),
        Pick(css=Selector.parse("[rel=author], [itemprop=author]")),
        Pick(css=Selector.parse("time + :not(h2, h3, h4, h5, h6)"), having={"text": _NAME}),
    ),
    title=_first(Pick(css=Selector.parse("h2, h3, h4, h5, h6"), having={"text": Pattern.parse("^.{1,300}$")})),
)
"""What entries are read by that no rule describes: the same as a portal file would say."""


def read_entries(container: Container, context: PageContext, read: ReadMetadata, day: date | None, lookup: Lookup) -> PagePosts | None:
    """The entries of a live blog, if the text is one: alike, side by side, each with a time, in the order of their times.

    That alone are teasers and comments, too; so the page has to say that it is live, in its data, its headline, its address or its names.
    """
    calls_itself_live = read.type == TYPE
    fewest = 2 if calls_itself_live else 5
    times = (time for root in container.elements for time in islice(root.iter("time"), MAX_POSTS) if _may_be_of_entry(time, container))
    # the largest elements that hold one time each, of the make that most have
    parents = dict.fromkeys(parent for time in times if (parent := time.getparent()) is not None)
    held = Counter(around for parent in parents for around in (parent, *parent.iterancestors()))
    alike: dict[tuple[Element | None, str, str], list[Element]] = {}
    for parent in parents:
        *_, item = (None, *takewhile(lambda around: held[around] == 1, (parent, *parent.iterancestors())))
        if item is not None:
            alike.setdefault((item.getparent(), item.tag, " ".join((item.get("class") or "").split()[:1])), []).append(item)
    items = max(alike.values(), key=len, default=[])
    if len(items) < fewest:
        return None
    if not calls_itself_live:
        around = (items[0], *islice(items[0].iterancestors(), 4))
        names = [f"{element.get('class') or ''} {element.get('id') or ''}" for element in around]
        headlines = [found.value for name in ("headline", "alternativeHeadline") for found in read.metadata.get(name, ())]
        places = (split(context.page.url).path.replace("/", " "), *names)
        if not (any(map(_is_said_live, headlines)) or any(map(_LIVE.search, places))):
            return None
    whole, letters = (sum(len(squeeze(element_text(element))) for element in elements) for elements in (container.elements, items))
    if letters < max(60 * len(items), 0.4 * whole):  # letters of an entry on average; and the share of all text
        return None
    read_posts = PagePosts()
    posts = (PostItem(context.item(item), PostKind.LIVEBLOG, _ENTRY).read(lookup, day, read_posts, container) for item in items)
    entries = in_order(as_shown([post for post in posts if post is not None]), context.portal.timezone)
    timed = [when for _, when in moments(entries or ())]
    if entries is None or len(timed) < 0.8 * len(items) or max(timed) - min(timed) > timedelta(days=3):
        return None
    read_posts.posts = entries
    return read_posts


def _may_be_of_entry(time: Element, container: Container) -> bool:
    for element in time.iterancestors():
        if element in container.elements:
            return True
        is_of_others = sure_part(element.get("class"), element.get("id")) in (PagePart.COMMENTS, PagePart.RELATED)
        if is_of_others or element.tag in ("blockquote", "figure", "aside", "footer", "nav", "form") or element in container.furniture:
            return False
    return True


def _is_said_live(headline: str) -> bool:
    """ "Live: the new bridge", and not "where animals live today"."""
    for match in _LIVE.finditer(headline[:300]):
        if match[0].lower() not in {"live", "direkt", "direkte", "diretta", "relacja"}:  # they stand in other sentences, too
            return True
        after, before = headline[match.end() :], headline[: match.start()][::-1]
        is_compound = after[:1] == "-" and after[1:2].isalnum()  # "Live-Musik"
        if not is_compound and (_APART.match(after) or _APART.match(before)):
            return True
    return False


def as_shown(posts: Sequence[Post]) -> list[Post]:
    """The posts, with the times that the page shows, where no zone makes those of most entries what is stated of them.

    Some pages state of an entry when it was changed last, or of all of them the same.
    """
    entries, posts_shown = moments(posts), list(posts)
    contradicted = 0
    one_day = len({when.date() for _, when in entries}) == 1
    for number, when in entries:
        if clock := CLOCK.search(posts[number].time or ""):
            contradicted += (int(clock[2]) - when.minute) % 15 != 0  # by a multiple of that zones differ
            shown = written_moment(datetime.combine(when.date(), clock_of(clock), when.tzinfo))
            posts_shown[number] = replace(posts[number], when=shown, day_counted=posts[number].day_counted or one_day)
    return posts_shown if 2 * contradicted > len(entries) else list(posts)


def with_coverage(read: ReadMetadata, posts: Sequence[Post]) -> ReadMetadata:
    """A live blog covers the time from its first entry to its last, where nothing surer says otherwise."""
    times = [posts[number].when or "" for number, _ in sorted(moments(posts), key=lambda entry: entry[1])]
    said = {"coverageStartTime": times[0], "coverageEndTime": times[-1]} if times else {}
    both = {**{name: (Found(value=value, raw=value, source="posts.liveblog"),) for name, value in said.items()}, **read.metadata}
    return replace(read, type=TYPE, metadata={name: both[name] for name in FIELDS if name in both})


def told_entries(context: PageContext, lookup: Lookup) -> list[Post]:
    """The `liveBlogUpdate`s of the page's LiveBlogPosting."""
    stated = (thing.get("liveBlogUpdate") for thing in context.page.json_ld_objects)
    several = ([updates] if isinstance(updates, dict) else updates for updates in stated)
    updates: list[Any] = next((updates for updates in several if isinstance(updates, list) and updates), [])
    around, entries = RewriteContext(base=context.page.base, budget=context.page.budget), list[Post]()
    for update in (update for update in updates[:MAX_POSTS] if isinstance(update, dict)):
        body, title = _string(update.get("articleBody")), _string(update.get("headline") or update.get("name"))
        if body and "<" not in body:
            body = "".join(f"<p>{line}" for line in body.splitlines())
        parsed = parse_html(body) if body else None
        blocks = rewrite([parsed], lookup, around)[0] if parsed is not None else []
        if not blocks and not title:
            continue
        entry = Post(
            kind=PostKind.LIVEBLOG.value,
            id=_string(update.get("@id")),
            when=moment(_string(update.get("datePublished")), context, None),
            author=", ".join(clue.text for clue in texts_of(update.get("author"))) or None,
            title=squeeze(title) if title else None,
            url=_string(update.get("url")),
            blocks=tuple(blocks),
        )
        entries.append(entry)
    return entries


def _string(value: Any) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


def without_entries(blocks: Sequence[Block], entries: Sequence[Post]) -> list[Block]:
    """The blocks but those that say again what one of the entries says, be it by whom or when."""
    said_by_entries = [part for post in entries for part in (post.title or "", post.author or "", "".join(map(plain_text, post.blocks)))]
    return list(_not_said(blocks, "\n".join(map(letters_of, said_by_entries))[:1_000_000])) if entries else list(blocks)


def _not_said(blocks: Iterable[Block], said: str) -> Iterator[Block]:
    for block in blocks:
        text = plain_text(block)
        if ((letters := letters_of(text)) and letters in said) or (len(text) <= 50 and CLOCK.search(text)):
            continue
        inner = blocks_in(block) if block.type in {"list", "item", "box"} else []
        left = list(_not_said(inner, said))
        yield from [block] if left == inner else left
