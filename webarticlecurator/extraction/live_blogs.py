"""Live blogs: entries that repeat on a page, each with its time, and what JSON-LD tells of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import chain, islice, takewhile
from operator import itemgetter
from typing import Any, NamedTuple

from lxml.etree import _Element as Element

from webarticlecurator.config.article_rules import PostKind, PostRules
from webarticlecurator.config.picks import Pick, Picks
from webarticlecurator.dates import written_moment
from webarticlecurator.extraction.alike import by_make, held_in, make_of
from webarticlecurator.extraction.body.article_parts import LINE_OF_AUTHOR
from webarticlecurator.extraction.body.locate import GENERAL_FINDER, Container, element_of_data
from webarticlecurator.extraction.body.rewrite import RewriteContext, rewrite
from webarticlecurator.extraction.body.signs import all_hold, any_holds
from webarticlecurator.extraction.body.tag_rules import Lookup
from webarticlecurator.extraction.metadata import ReadMetadata
from webarticlecurator.extraction.metadata.data import texts_of
from webarticlecurator.extraction.picked_nodes import flattened
from webarticlecurator.extraction.picked_values import PageContext
from webarticlecurator.extraction.posts import CLOCK, PostItem, clock_of, moment
from webarticlecurator.extraction.threads import MAX_POSTS, PagePosts, in_order, moments, ordered_fields
from webarticlecurator.labelling.element_names import PagePart, sure_part
from webarticlecurator.model.article import Block, Post, blocks_in, plain_text
from webarticlecurator.model.metadata import Found
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear
from webarticlecurator.patterns import Pattern
from webarticlecurator.resources import read_word_lists
from webarticlecurator.selectors import Selector
from webarticlecurator.text import element_text, letters_of, squeeze
from webarticlecurator.urls import split

TYPE = "LiveBlogPosting"
_WORDS = {name: "|".join(words) for name, words in read_word_lists(__file__, "live_words.txt", r"\n").items()}
_IN_OTHER_SENSES = rf"(?<![^\W_])(?:{_WORDS['in other senses, too']})(?![^\W_])(?!-[^\W_])"
_LIVE = linear(rf"(?<![^\W_])(?:{'|'.join(_WORDS.values())})(?![^\W_])", re.IGNORECASE)
_SAID_LIVE = (
    linear(rf"(?<![^\W_])(?:{_WORDS['live']})(?![^\W_])", re.IGNORECASE),
    linear(rf"{_IN_OTHER_SENSES}\s*(?:$|[^\w\s-]|[-–—]\s)", re.IGNORECASE),
    linear(rf"(?:^|[^\w\s-]|\s[-–—])\s*{_IN_OTHER_SENSES}", re.IGNORECASE),
)
"""Headlines of what is live: "Live: the new bridge", and neither "where animals live today" nor
"Live-Musik"."""
_AUTHOR = Pattern.parse(
    r"(?i)(?:^|[\s_-])(?:author|byline|reporter|writer|autor|auteur|szerzo)s?(?:$|[\s_-])",
)
_NAME = Pattern.parse(r"^\p{Lu}\S*\p{Ll}\S*(?: \p{Lu}\S*\p{Ll}\S*){1,3}$")
_OWN_TIME = Selector.parse("time:not(blockquote *, figure *)")


def _first(*picks: Pick) -> Picks:
    return Picks(alternatives=picks)


_ENTRY = PostRules(
    item=_first(),
    id=_first(
        *(Pick(attr=name) for name in ("id", "data-id", "data-post-id", "data-block-id", "data-entry-id")),
    ),
    time=_first(Pick(css=_OWN_TIME, attr="datetime"), Pick(css=_OWN_TIME)),
    author=_first(
        Pick(css=Selector.parse("[class]"), having={"class": _AUTHOR, "text": Pattern.parse("^.{1,50}$")}),
        Pick(css=Selector.parse("[rel=author], [itemprop=author]")),
        Pick(css=Selector.parse("time + :not(h2, h3, h4, h5, h6)"), having={"text": _NAME}),
    ),
    title=_first(
        Pick(css=Selector.parse("h2, h3, h4, h5, h6"), having={"text": Pattern.parse("^.{1,300}$")}),
    ),
)
"""Rules for entries that no portal file describes, as one would write them."""


def read_entries(
    container: Container,
    context: PageContext,
    read: ReadMetadata,
    day: date | None,
    lookup: Lookup,
) -> PagePosts:
    """Return the entries of a live blog, if the text is one: alike, side by side, each with a time, in the
    order of their times.

    That alone are teasers and comments, too; so the page has to say that it is live, in its data, its
    headline, its address or its names.
    """
    shown = _ShownEntries(_items_in(container), container, context, read)
    if not all_hold(_SIGNS_OF_LIVE_BLOG, shown):
        return PagePosts()
    read_posts = PagePosts()
    items = (PostItem(context.item(item), PostKind.LIVEBLOG, _ENTRY) for item in shown.items)
    posts = [item.read(lookup, day, read_posts, container) for item in items]
    entries = in_order(as_shown(list(filter(None, posts))), context.portal.timezone)
    if entries is None or not _are_of_one_event(entries, len(shown.items)):
        return PagePosts()
    read_posts.posts = entries
    return read_posts


class _ShownEntries(NamedTuple):
    """Elements that may be the entries of a live blog."""

    items: list[Element]
    container: Container
    context: PageContext
    read: ReadMetadata

    def are_several(self) -> bool:
        return len(self.items) >= (_FEWEST_IF_CALLED_LIVE if self.read.type == TYPE else _FEWEST)

    def are_called_live(self) -> bool:
        return self.read.type == TYPE or _is_called_live(self.items[0], self.context, self.read)

    def hold_the_text(self) -> bool:
        """Return True if entries are long enough, and much of what is to be read."""
        least = max(
            _LETTERS_OF_ENTRY * len(self.items),
            _SHARE_OF_ENTRIES * _length_of(self.container.elements),
        )
        return _length_of(self.items) >= least


_SIGNS_OF_LIVE_BLOG = (_ShownEntries.are_several, _ShownEntries.are_called_live, _ShownEntries.hold_the_text)
_FEWEST = 5
"""Entries of a live blog."""
_FEWEST_IF_CALLED_LIVE = 2
"""Entries of a live blog that its data call so."""
_LETTERS_OF_ENTRY = 60
"""On average."""
_SHARE_OF_ENTRIES = 0.4
"""Least share of the entries in all text."""
_LONGEST_EVENT = timedelta(days=3)


def _items_in(container: Container) -> list[Element]:
    """Return the largest elements that hold one time each, of the make that most have."""
    times = chain.from_iterable(islice(root.iter("time"), MAX_POSTS) for root in container.elements)
    parents = list(
        dict.fromkeys(next(time.iterancestors()) for time in times if _may_be_of_entry(time, container))
    )
    held = held_in(parents)
    held.update(parents)
    with_one_time = (
        takewhile(lambda around: held[around] == 1, (parent, *parent.iterancestors())) for parent in parents
    )
    items = chain.from_iterable(list(around)[-1:] for around in with_one_time)
    return max(by_make(items, _make_of).values(), key=len, default=[])


def _make_of(item: Element) -> tuple[Element | None, str]:
    """Return what entries of one blog have in common: where they stand, and their make."""
    return item.getparent(), make_of(item)


def _may_be_of_entry(time: Element, container: Container) -> bool:
    """Return True if nothing between a time and the text says that it is of something else."""
    around = takewhile(lambda element: element not in container.elements, time.iterancestors())
    return not any(any_holds(_AGAINST_ENTRY, _AroundTime(element, container)) for element in around)


class _AroundTime(NamedTuple):
    """An element of a text around a time."""

    element: Element
    container: Container

    def is_of_no_entry_by_tag(self) -> bool:
        return self.element.tag in _NO_ENTRIES

    def is_furniture(self) -> bool:
        """Return True if it is none of the text; but a line of an author and a day may be the entry's own."""
        return self.container.furniture.get(self.element, _BYLINE) != _BYLINE

    def is_named_otherwise(self) -> bool:
        part = sure_part(self.element.get("class"), self.element.get("id"))
        return part in (PagePart.COMMENTS, PagePart.RELATED)


_BYLINE = f"{GENERAL_FINDER}: {LINE_OF_AUTHOR}"
_AGAINST_ENTRY = (_AroundTime.is_of_no_entry_by_tag, _AroundTime.is_furniture, _AroundTime.is_named_otherwise)


_NO_ENTRIES = frozenset(("blockquote", "figure", "aside", "footer", "nav", "form"))


def _is_called_live(item: Element, context: PageContext, read: ReadMetadata) -> bool:
    """Return True if the headline, the address, or the names around an entry say that the page is live."""
    headlines = chain.from_iterable(
        read.metadata.get(name, ()) for name in ("headline", "alternativeHeadline")
    )
    if any(_is_said_live(headline.value) for headline in headlines):
        return True
    around = (item, *islice(item.iterancestors(), 4))
    names = (f"{element.get('class', '')} {element.get('id', '')}" for element in around)
    return any(map(_LIVE.search, (split(context.page.url).path.replace("/", " "), *names)))


def _length_of(elements: Iterable[Element]) -> int:
    return sum(len(squeeze(element_text(element))) for element in elements)


def _are_of_one_event(entries: Sequence[Post], items: int) -> bool:
    """Return True if it is known of most when they were written, and that is not too far apart."""
    times = [when for _, when in moments(entries)]
    return len(times) >= 0.8 * items and max(times) - min(times) <= _LONGEST_EVENT


def _is_said_live(headline: str) -> bool:
    return any(pattern.search(headline[:300]) for pattern in _SAID_LIVE)


def as_shown(posts: Sequence[Post]) -> list[Post]:
    """Return the posts, with the times that the page shows, where no zone makes those of most entries what is
    stated of them.

    Some pages state of an entry when it was changed last, or of all of them the same.
    """
    entries, posts_shown = moments(posts), list(posts)
    contradicted = 0
    one_day = len({when.date() for _, when in entries}) == 1
    for number, when in entries:
        if clock := CLOCK.search(posts[number].time or ""):
            contradicted += (int(clock[2]) - when.minute) % 15 != 0  # by a multiple of that zones differ
            shown = written_moment(datetime.combine(when.date(), clock_of(clock), when.tzinfo))
            posts_shown[number] = replace(
                posts[number],
                when=shown,
                day_counted=posts[number].day_counted or one_day,
            )
    return posts_shown if 2 * contradicted > len(entries) else list(posts)


def with_coverage(read: ReadMetadata, posts: Sequence[Post]) -> ReadMetadata:
    """Add the time that a live blog covers: from its first entry to its last, where nothing surer says
    otherwise."""
    in_order_of_time = sorted(moments(posts), key=itemgetter(1))
    times = list(filter(None, (posts[number].when for number, _ in in_order_of_time)))
    metadata = dict(read.metadata)
    if times:
        metadata = {"coverageStartTime": _told(times[0]), "coverageEndTime": _told(times[-1]), **metadata}
    return replace(read, type=TYPE, metadata=ordered_fields(metadata))


def _told(time: str) -> tuple[Found, ...]:
    return (Found(value=time, raw=time, source="posts.liveblog"),)


def told_entries(context: PageContext, lookup: Lookup) -> list[Post]:
    """Return the `liveBlogUpdate`s of the page's LiveBlogPosting."""
    around = RewriteContext(base=context.page.base, budget=context.page.budget)
    updates = _updates(context.page.json_ld_objects)
    entries = (_told_entry(update, context, lookup, around) for update in updates)
    return [entry for entry in entries if _says_something(entry)]


def _says_something(entry: Post) -> bool:
    return bool(entry.blocks or entry.title)


def _updates(things: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the updates of the first thing that has any."""
    told = next(filter(None, [thing.get("liveBlogUpdate") for thing in things]), None)
    return [update for update in flattened(told)[:MAX_POSTS] if isinstance(update, dict)]


def _told_entry(
    update: Mapping[str, Any],
    context: PageContext,
    lookup: Lookup,
    around: RewriteContext,
) -> Post:
    title = _string(update.get("headline") or update.get("name"))
    return Post(
        kind=PostKind.LIVEBLOG.value,
        id=_string(update.get("@id")),
        when=moment(_string(update.get("datePublished")), context, None),
        author=", ".join(clue.text for clue in texts_of(update.get("author"))) or None,
        title=squeeze(title) if title else None,
        url=_string(update.get("url")),
        blocks=_blocks_in(context.page, _string(update.get("articleBody")) or "", lookup, around),
    )


def _blocks_in(page: Page, body: str, lookup: Lookup, around: RewriteContext) -> tuple[Block, ...]:
    """Return what a text of data says."""
    parsed = element_of_data(page, body)
    return tuple(rewrite([parsed], lookup, around)[0]) if parsed is not None else ()


def _string(value: Any) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


def without_entries(blocks: Sequence[Block], entries: Sequence[Post]) -> list[Block]:
    """Return the blocks but those that say again what one of the entries says, be it by whom or when."""
    if not entries:
        return list(blocks)
    said = "\n".join(_letters_in(post) for post in entries)
    return list(_not_said(blocks, said[:1_000_000]))


def _letters_in(post: Post) -> str:
    """Return what an entry says, each part of it in a line."""
    parts = filter(None, (post.title, post.author, "".join(map(plain_text, post.blocks))))
    return "\n".join(map(letters_of, parts))


def _not_said(blocks: Iterable[Block], said: str) -> Iterator[Block]:
    for block in blocks:
        if not _is_said(plain_text(block), said):
            inner = blocks_in(block) if block.type in {"list", "item", "box"} else []
            left = list(_not_said(inner, said))
            yield from [block] if left == inner else left


def _is_said(text: str, said: str) -> bool:
    """Return True if a text is said by entries, or is no more than a time."""
    letters = letters_of(text)
    return (letters != "" and letters in said) or (len(text) <= 50 and CLOCK.search(text) is not None)
