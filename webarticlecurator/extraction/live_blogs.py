"""Live blogs: entries that repeat on a page, each with its time, and what JSON-LD tells of them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta, tzinfo
from itertools import accumulate, islice, takewhile
from typing import Any

from lxml.etree import _Element as Element

from webarticlecurator.config.article_rules import PostKind, PostRules
from webarticlecurator.config.fields import FIELDS
from webarticlecurator.config.picks import Pick, Picks
from webarticlecurator.dates import written_moment
from webarticlecurator.document.page import parse_html
from webarticlecurator.extraction.body.locate import Container
from webarticlecurator.extraction.body.lookup import Lookup
from webarticlecurator.extraction.body.rewrite import RewriteContext, rewrite
from webarticlecurator.extraction.metadata import ReadMetadata
from webarticlecurator.extraction.picks import PageContext
from webarticlecurator.extraction.posts import CLOCK, PostItem, clock_of, moment
from webarticlecurator.extraction.threads import MAX_POSTS, PagePosts, in_order, moments
from webarticlecurator.labelling.names import PagePart, role_of
from webarticlecurator.model.article import HOLDS, Block, Content, Post, plain_text
from webarticlecurator.model.metadata import Found
from webarticlecurator.patterns import Pattern
from webarticlecurator.selectors import Selector
from webarticlecurator.text import element_text, letters_of, squeeze
from webarticlecurator.urls import split

TYPE = "LiveBlogPosting"
_FEWEST, _FEWEST_TOLD = 5, 2
"""Entries of a live blog; and of one that the page's data call so."""
_SHORTEST, _MOST_OF_TEXT = 60, 0.4
"""Letters of an entry on average, and the share of the container's text that all of them are."""
_MOST_TIMED, _LONGEST_SPAN = 0.8, timedelta(days=3)
_LONGEST_TITLE = 300
_LIVE = re.compile(
    r"(?<![^\W_])(?:live-?(?:blog|ticker|updates?|feed|report|event|text)|live|news-?(?:blog|ticker)|ticker|"
    r"minute[ -]by[ -]minute|as it happened|percr[oő]l[ -]percre|[eé]l[oő] ?k[oö]zvet[ií]t[eé]s|en[ -](?:direct|vivo|directo)|"
    r"minut[oe][ -][aà][ -]minut[oe]|diretta|ao[ -]vivo|aovivo|"
    r"na ?[zż]ywo|relacja|[zž]iv[eě]|na[zž]ivo|uzivo|u[zž]ivo|online[ -]p[rř]enos|direkte|direkt|suora(?:na)?|canl[iı]|[iî]n direct|онлайн|"
    r"трансляция|наживо|ζωντανά|مباشر|实时|ライブ|速報)(?![^\W_])",
    re.IGNORECASE,
)
_OTHER_SENSE = frozenset(("live", "direkt", "direkte", "diretta", "relacja"))
"""Words of other sentences, too: in a headline they have to be set apart."""
_APART = re.compile(r"\s*(?:$|[^\w\s-]|[-–—]\s)")
_AUTHOR = Pattern.parse(r"(?i)(?:^|[\s_-])(?:author|byline|reporter|writer|autor|auteur|szerzo)s?(?:$|[\s_-])")
_NAME = Pattern.parse(r"^\p{Lu}\S*\p{Ll}\S*(?: \p{Lu}\S*\p{Ll}\S*){1,3}$")
_NOT_INSIDE = ("blockquote", "figure", "aside", "footer", "nav", "form")
"""Times in these are of something else."""
_OWN_TIME = Selector.parse("time:not(blockquote *, figure *)")
_QUARTER = 15
"""Minutes: by a multiple of them zones differ."""
_LONGEST = 1_000_000
"""Characters of all entries of JSON-LD together that blocks are looked for in."""
_LONGEST_LINE = 50
"""Characters of a line with the time of an entry."""
_TELLING = 20
"""Letters by which a block is known to be of an entry."""
_AROUND_ENTRIES = frozenset(("list", "item", "box"))
"""Blocks that entries may stand in."""


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


# --- entries by what repeats ---


def read_entries(container: Container, context: PageContext, read: ReadMetadata, day: date | None, lookup: Lookup) -> PagePosts | None:
    """The entries of a live blog, if the text is one: alike, side by side, each with a time, in the order of their times.

    That alone are teasers and comments, too; so the page has to say that it is live, in its data, its headline, its address or its names.
    """
    told = read.type == TYPE
    fewest = _FEWEST_TOLD if told else _FEWEST
    times = [time for root in container.elements for time in islice(root.iter("time"), MAX_POSTS)]
    items = _items([time for time in times if _may_be_of_entry(time, container)]) if len(times) >= fewest else []
    if len(items) < fewest or not (told or _is_live(context, read, next(iter(items)))):
        return None
    whole, letters = (sum(len(squeeze(element_text(element))) for element in elements) for elements in (container.elements, items))
    if letters < max(_SHORTEST * len(items), _MOST_OF_TEXT * whole):
        return None
    found = PagePosts()
    posts = (PostItem(context.item(item), PostKind.LIVEBLOG, _ENTRY).read(lookup, day, found, container) for item in items)
    entries = in_order(as_shown([post for post in posts if post is not None]), context.portal.timezone)
    timed = [when for _, when in moments(entries or ())]
    if entries is None or len(timed) < _MOST_TIMED * len(items) or max(timed) - min(timed) > _LONGEST_SPAN:
        return None
    found.posts = _completed(entries, told_entries(context, lookup))
    return found


def _may_be_of_entry(time: Element, container: Container) -> bool:
    for element in time.iterancestors():
        if element in container.elements:
            return True
        role = role_of(element.get("class"), element.get("id"))
        is_of_others = role is not None and role.certain and role.part in (PagePart.COMMENTS, PagePart.RELATED)
        if is_of_others or element.tag in _NOT_INSIDE or element in container.furniture:
            return False
    return True


def _items(times: Sequence[Element]) -> list[Element]:
    """The largest elements that hold one time each, of the make that most have."""
    parents = dict.fromkeys(parent for time in times if (parent := time.getparent()) is not None)
    held = Counter(around for parent in parents for around in (parent, *parent.iterancestors()))
    alike: dict[tuple[Element | None, str, str], list[Element]] = {}
    for parent in parents:
        *_, item = (None, *takewhile(lambda around: held[around] == 1, (parent, *parent.iterancestors())))
        if item is not None:
            alike.setdefault((item.getparent(), item.tag, " ".join((item.get("class") or "").split()[:1])), []).append(item)
    return max(alike.values(), key=len, default=[])


def _is_live(context: PageContext, read: ReadMetadata, item: Element) -> bool:
    names = [f"{element.get('class') or ''} {element.get('id') or ''}" for element in (item, *islice(item.iterancestors(), 4))]
    headlines = [found.value for name in ("headline", "alternativeHeadline") for found in read.metadata.get(name, ())]
    return any(map(_is_said_live, headlines)) or any(map(_LIVE.search, (split(context.page.url).path.replace("/", " "), *names)))


def _is_said_live(headline: str) -> bool:
    """ "Live: the new bridge", and not "where animals live today"."""
    for found in _LIVE.finditer(headline[:_LONGEST_TITLE]):
        if found[0].lower() not in _OTHER_SENSE:
            return True
        after, before = headline[found.end() :], headline[: found.start()][::-1]
        is_compound = after[:1] == "-" and after[1:2].isalnum()  # "Live-Musik"
        if not is_compound and (_APART.match(after) or _APART.match(before)):
            return True
    return False


def as_shown(posts: Sequence[Post]) -> list[Post]:
    """The posts, with the times that the page shows, where no zone makes those of most entries what is stated of them.

    Some pages state of an entry when it was changed last, or of all of them the same.
    """
    entries, found = moments(posts), list(posts)
    contradicted = 0
    one_day = len({when.date() for _, when in entries}) == 1
    for number, when in entries:
        if clock := CLOCK.search(posts[number].time or ""):
            contradicted += (int(clock[2]) - when.minute) % _QUARTER != 0
            shown = written_moment(datetime.combine(when.date(), clock_of(clock), when.tzinfo))
            found[number] = replace(posts[number], when=shown, day_counted=posts[number].day_counted or one_day)
    return found if 2 * contradicted > len(entries) else list(posts)


def with_coverage(read: ReadMetadata, posts: Sequence[Post]) -> ReadMetadata:
    """A live blog covers the time from its first entry to its last, where nothing surer says otherwise."""
    times = [posts[number].when or "" for number, _ in sorted(moments(posts), key=lambda entry: entry[1])]
    said = {"coverageStartTime": times[0], "coverageEndTime": times[-1]} if times else {}
    both = {**{name: (Found(value=value, raw=value, source="posts.liveblog"),) for name, value in said.items()}, **read.metadata}
    return replace(read, type=TYPE, metadata={name: both[name] for name in FIELDS if name in both})


# --- entries of JSON-LD ---


def told_entries(context: PageContext, lookup: Lookup) -> list[Post]:
    """The `liveBlogUpdate`s of the page's LiveBlogPosting."""
    for thing in context.page.json_ld_objects:
        updates = thing.get("liveBlogUpdate")
        updates = [updates] if isinstance(updates, dict) else updates
        if isinstance(updates, list) and updates:
            entries = (_told_entry(update, context, lookup) for update in updates[:MAX_POSTS] if isinstance(update, dict))
            return [entry for entry in entries if entry is not None]
    return []


def _told_entry(update: Mapping[str, Any], context: PageContext, lookup: Lookup) -> Post | None:
    body, title = _string(update.get("articleBody")), _string(update.get("headline") or update.get("name"))
    if body and "<" not in body:
        body = "".join(f"<p>{line}" for line in body.splitlines())
    parsed = parse_html(body) if body else None
    blocks = [] if parsed is None else rewrite([parsed], lookup, RewriteContext(base=context.page.base, budget=context.page.budget)).blocks
    if not blocks and not title:
        return None
    authors = update.get("author")
    names = [author.get("name") if isinstance(author, dict) else author for author in (authors if isinstance(authors, list) else [authors])]
    return Post(
        kind=PostKind.LIVEBLOG.value,
        id=_string(update.get("@id")),
        when=moment(_string(update.get("datePublished")), context, None),
        author=", ".join(name for name in names if isinstance(name, str)) or None,
        title=squeeze(title) if title else None,
        url=_string(update.get("url")),
        blocks=tuple(blocks),
    )


def _string(value: Any) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


def claimed(posts: Sequence[Post], blocks: Sequence[Block], zone: tzinfo) -> tuple[list[Post], list[Block]]:
    """Blocks of the page that repeat an entry are that entry's text, better marked up than in JSON-LD; the others stay.

    What is shown behind the text of an entry is of the entry, and so is the line with its time and its author.
    """
    texts = [_letters(post) + "\n" for post in posts]
    starts = list(accumulate(map(len, texts[:-1]), initial=0))
    titles = {letters_of(post.title): number for number, post in enumerate(posts) if post.title}
    names = [letters_of(post.author or "") for post in posts]
    by_minute: dict[str, set[int]] = {}
    for number, when in moments(posts):
        for minute in (f"{when:%H:%M}", f"{when.astimezone(zone):%H:%M}"):
            by_minute.setdefault(minute, set()).add(number)
    found, left = list(posts), list[Block]()
    taken: dict[int, list[Block]] = {}
    current: int | None = None
    for block, letters, at in _apart(blocks, "".join(texts)[:_LONGEST]):
        if at < 0 and letters and current is not None and letters == names[current]:
            continue
        text = plain_text(block)
        clock = CLOCK.search(text) if at < 0 and len(text) <= _LONGEST_LINE else None
        of_minute = by_minute.get(f"{clock_of(clock):%H:%M}", set()) if clock else set()
        beside = squeeze(text.replace(clock[0], "")).strip(" ,|•·–—-") if clock else ""
        if clock and len(of_minute) == 1:
            current = entry = next(iter(of_minute))
            found[entry] = replace(found[entry], time=clock[0])
            if _NAME.search(beside) and len(set(names)) == 1:  # all are said to be by the author of the whole
                found[entry] = replace(found[entry], author=beside)
            elif letters_of(beside) not in ("", names[entry]):
                taken.setdefault(entry, []).append(block)
        elif not (of_minute and not letters_of(beside)):  # of which of several entries of that minute, is not known
            place = titles.get(letters) if at < 0 else bisect_right(starts, at) - 1
            current = place if place is not None or not _is_shown(block) else current
            (left if current is None else taken.setdefault(current, [])).append(block)
    found = [replace(post, blocks=_with_blocks(post, taken.get(number, []))) for number, post in enumerate(found)]
    if len(taken) > 1 and list(taken) == sorted(taken, reverse=True):
        found.reverse()  # the page shows them in the other direction
    return found, left


def _apart(blocks: Iterable[Block], everything: str) -> Iterator[tuple[Block, str, int]]:
    """Blocks with their letters and where those stand in the entries; a list of entries is taken apart, one in an entry is not."""
    for block in blocks:
        letters = letters_of(plain_text(block))
        at = everything.find(letters) if len(letters) >= _TELLING else -1
        inside: list[tuple[Block, str, int]] = []
        if block.type in _AROUND_ENTRIES and (at < 0 or block.type == "item"):
            inside = list(_apart((child for child in block.children if isinstance(child, Block)), everything))
        if inside and (block.type == "item" or any(place >= 0 for *_, place in inside)):
            yield from inside
        else:
            yield block, letters, at


def _is_shown(block: Block) -> bool:
    return block.type == "social" or HOLDS[block.type] in (Content.CAPTION, Content.FIGURES)


def _with_blocks(post: Post, blocks: Sequence[Block]) -> tuple[Block, ...]:
    title = letters_of(post.title or "")
    text = [block for block in blocks if not title or letters_of(plain_text(block)) != title]
    return tuple(text) if any(not _is_shown(block) for block in text) else (*post.blocks, *text)


def _completed(posts: Sequence[Post], told: Sequence[Post]) -> list[Post]:
    """The entries of the page, with what JSON-LD tells of each; those that the page does not show stand where their times are."""
    left = {number: _letters(post) for number, post in enumerate(posts)}
    told_moments = dict(moments(told))
    found, missing, zones = list(posts), list[Post](), set[tzinfo | None]()
    for place, entry in enumerate(told):
        number = _same_entry(entry, found, left)
        if number is None:
            missing.append(entry)
            continue
        del left[number]
        page = found[number]
        if page.day_counted and (page.when or "")[11:16] == (entry.when or "")[11:16] and place in told_moments:
            zones.add(told_moments[place].tzinfo)
        found[number] = replace(
            page,
            id=entry.id or page.id,
            when=entry.when or page.when,
            day_counted=page.day_counted and not entry.when,
            author=page.author or entry.author,
            title=page.title or entry.title,
            url=entry.url,
        )
    for number, when in moments(found) if len(zones) == 1 else ():
        if found[number].day_counted:  # the page shows times of the same zone
            found[number] = replace(found[number], when=written_moment(when.replace(tzinfo=next(iter(zones)))))
    together = [*found, *missing]
    timed = moments(together)
    if missing and len(timed) == len(together):
        falls = len(found) > 1 and timed[0][1] > timed[len(found) - 1][1]
        return [together[number] for number, _ in sorted(timed, key=lambda entry: entry[1], reverse=falls)]
    return together


def _same_entry(entry: Post, posts: Sequence[Post], left: Mapping[int, str]) -> int | None:
    """The number of the post that says the same, the likeliest the one of the same minute; entries may quote one another."""
    wanted, minute = _letters(entry)[: 2 * _TELLING], (entry.when or "")[11:16]
    same = [number for number in left if minute and (posts[number].when or "")[11:16] == minute]
    saying = [number for number, text in left.items() if wanted and wanted in text]
    both = [number for number in same if number in saying]
    return next(iter(both or saying or (same if len(same) == 1 else [])), None)


def _letters(post: Post) -> str:
    return letters_of(post.title or "") + letters_of("".join(map(plain_text, post.blocks)))
