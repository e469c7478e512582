"""Live blogs: entries that repeat on a page, each with its time, and what JSON-LD tells of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import islice, pairwise

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.config.article_rules import PostKind
from webarticlecurator.config.fields import FIELDS
from webarticlecurator.dates import written_moment
from webarticlecurator.extraction.body.lookup import Lookup
from webarticlecurator.extraction.body.rewrite import RewriteContext, rewrite
from webarticlecurator.extraction.body.structure import without_leads
from webarticlecurator.extraction.container import Container
from webarticlecurator.extraction.metadata import ReadMetadata
from webarticlecurator.extraction.picks import PageContext
from webarticlecurator.extraction.posts import MAX_POSTS, PagePosts, moment, seen
from webarticlecurator.labelling.names import PagePart, role_of
from webarticlecurator.model.article import Post
from webarticlecurator.model.metadata import Found
from webarticlecurator.text import element_text, short_text, squeeze
from webarticlecurator.urls import split

TYPE = "LiveBlogPosting"
_FEWEST, _FEWEST_TOLD = 5, 2
"""Entries of a live blog; and of one that the page's data call so."""
_SHORTEST, _MOST_OF_TEXT = 60, 0.4
"""Letters of an entry on average, and the share of the container's text that all of them are."""
_IN_ORDER, _LONGEST_SPAN = 0.85, timedelta(days=3)
_WRAP = timedelta(hours=8)
"""By how much a time goes back where a new day begins."""
_LONGEST_TIME, _LONGEST_NAME, _LONGEST_TITLE = 40, 50, 300
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
CLOCK = re.compile(r"(?<!\d)(\d{1,2})[:.h](\d\d)(?!\d)")
_AUTHOR = re.compile(r"(?:^|[\s_-])(?:author|byline|reporter|writer|autor|auteur|szerzo)s?(?:$|[\s_-])", re.IGNORECASE)
_IDS = ("id", "data-id", "data-post-id", "data-block-id", "data-entry-id")
_TITLES = frozenset(("h2", "h3", "h4", "h5", "h6"))
_NOT_INSIDE = ("blockquote", "figure", "aside", "footer", "nav", "form")
"""Times in these are of something else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundEntry:
    """One entry, as elements of the page."""

    item: Element
    time: Element
    author: Element | None
    title: Element | None
    when: datetime
    day_counted: bool = False


# --- entries by what repeats ---


def find_entries(container: Container, context: PageContext, read: ReadMetadata, day: date | None) -> list[FoundEntry]:
    """The entries of a live blog, if the text is one: alike, side by side, each with a time, in the order of their times.

    That alone are teasers and comments, too; so the page has to say that it is live, in its data, its headline, its address or its names.
    """
    times = [time for root in container.elements for time in islice(root.iter("time"), MAX_POSTS)]
    told = read.type == TYPE
    if len(times) < (_FEWEST_TOLD if told else _FEWEST):
        return []
    items = _items([time for time in times if _may_be_of_entry(time, container)])
    if len(items) < (_FEWEST_TOLD if told else _FEWEST) or not (told or _is_live(context, read, next(iter(items)))):
        return []
    found = [entry for item, time in items.items() if (entry := _entry_of(item, time, context, day)) is not None]
    letters = [len(squeeze(element_text(entry.item))) for entry in found]
    whole = sum(len(squeeze(element_text(root))) for root in container.elements)
    if len(found) < 0.8 * len(items) or sum(letters) < max(_SHORTEST * len(found), _MOST_OF_TEXT * whole):
        return []
    return _in_order(found, dated=day is not None)


def _may_be_of_entry(time: Element, container: Container) -> bool:
    for one in time.iterancestors():
        if one in container.elements:
            return True
        if one.tag in _NOT_INSIDE or one in container.furniture or _is_of_others(one):
            return False
    return True


def _is_of_others(element: Element) -> bool:
    role = role_of(element.get("class"), element.get("id"))
    return role is not None and role.certain and role.part in (PagePart.COMMENTS, PagePart.RELATED)


def _items(times: Sequence[Element]) -> dict[Element, Element]:
    """The largest elements that hold one time each, of the make that most have, with their times."""
    first = {parent: time for time in reversed(times) if (parent := time.getparent()) is not None}
    times = sorted(first.values(), key={time: number for number, time in enumerate(times)}.__getitem__)
    held = Counter(ancestor for time in times for ancestor in time.iterancestors())
    groups: dict[tuple[Element | None, str, str], dict[Element, Element]] = {}
    for time in times:
        item = time
        for ancestor in time.iterancestors():
            if held[ancestor] > 1:
                break
            item = ancestor
        make = item.getparent(), str(item.tag), " ".join((item.get("class") or "").split()[:1])
        groups.setdefault(make, {})[item] = time
    return max(groups.values(), key=len, default={})


def _is_live(context: PageContext, read: ReadMetadata, item: Element) -> bool:
    names = [f"{one.get('class') or ''} {one.get('id') or ''}" for one in (item, *islice(item.iterancestors(), 4))]
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


def _entry_of(item: Element, time: Element, context: PageContext, day: date | None) -> FoundEntry | None:
    when = moment(time.get("datetime"), context, day) or moment(_clock(time), context, day or date(2000, 1, 1))
    try:
        value = datetime.fromisoformat(when or "")
    except ValueError:
        return None
    if value.tzinfo is None:
        return None
    title = next((one for one in item.iter(*_TITLES) if _is_short(one, _LONGEST_TITLE)), None)
    return FoundEntry(item=item, time=time, author=_author_of(item, time), title=title, when=value)


def _clock(time: Element) -> str | None:
    text = short_text(time, _LONGEST_TIME)
    found = CLOCK.search(text or "")
    return f"{int(found[1]):02}:{found[2]}" if found else None


def _is_short(element: Element, longest: int) -> bool:
    return bool(short_text(element, longest))


def _author_of(item: Element, time: Element) -> Element | None:
    """What is named so, else a name that stands behind the time in the same line."""
    for element in islice(item.iter(etree.Element), 60):
        if (element.get("rel") == "author" or _AUTHOR.search(element.get("class") or "")) and _is_short(element, _LONGEST_NAME):
            return element
    following = time.getnext()
    text = short_text(following, _LONGEST_NAME) if following is not None and following.tag not in _TITLES else None
    words = text.split() if text else []
    is_name = 2 <= len(words) <= 4 and all(word[0].isupper() and not word.isupper() for word in words)
    return following if is_name else None


def _in_order(entries: list[FoundEntry], *, dated: bool) -> list[FoundEntry]:
    """The entries with their days; none if their times are not in order, or span too much."""
    machine = sum(entry.time.get("datetime") is not None for entry in entries) > len(entries) / 2
    moments = _ordered([entry.when for entry in entries], has_days=machine) if machine or dated else None
    return [replace(entry, when=when, day_counted=not machine) for entry, when in zip(entries, moments or (), strict=bool(moments))]


def _ordered(times: Sequence[datetime], *, has_days: bool) -> list[datetime] | None:
    """Times of entries; where they had no day of their own, another one begins where the clock goes back. None if they are in no order."""
    falls = sum(later < earlier for earlier, later in pairwise(times)) > (len(times) - 1) / 2
    moments: list[datetime] = []
    shift = timedelta()
    for time in reversed(times) if falls else times:
        if not has_days and moments and moments[-1] - (time + shift) > _WRAP:
            shift += timedelta(days=1)
        moments.append(time + shift)
    in_order = sum(earlier <= later for earlier, later in pairwise(moments))
    if in_order < _IN_ORDER * (len(times) - 1) or max(moments) - min(moments) > _LONGEST_SPAN:
        return None
    return moments[::-1] if falls else moments


def read_entries(entries: Sequence[FoundEntry], container: Container, context: PageContext, lookup: Lookup) -> PagePosts:
    """The posts that the entries are; their times, names and titles are no text of theirs."""
    found = PagePosts()
    kind = f"posts.{PostKind.LIVEBLOG.value}"
    for entry in entries:
        parts = {"time": entry.time, "author": entry.author, "title": entry.title}
        around = RewriteContext(
            base=context.page.base,
            encoding=context.page.encoding,
            without={element: f"{kind}.{name}" for name, element in parts.items() if element is not None},
            furniture=container.furniture,
            captions=container.captions,
            budget=context.page.budget,
        )
        rewritten = rewrite((entry.item,), lookup, around)
        found.elsewhere[entry.item] = rewritten.account
        found.unknown_tags.extend(rewritten.account.unknown_tags())
        title, author = (squeeze(element_text(one)) if one is not None else None for one in (entry.title, entry.author))
        if rewritten.blocks or title:
            found.posts.append(
                Post(
                    kind=PostKind.LIVEBLOG.value,
                    id=next((id for name in _IDS if (id := entry.item.get(name))), None),
                    when=written_moment(entry.when),
                    day_counted=entry.day_counted,
                    time=seen(squeeze(element_text(entry.time))),
                    author=author,
                    title=title,
                    blocks=tuple(without_leads(rewritten.blocks)),
                )
            )
    return found


def with_coverage(read: ReadMetadata, posts: Sequence[Post]) -> ReadMetadata:
    """A live blog covers the time from its first entry to its last, where nothing surer says otherwise."""
    times = sorted((post.when for post in posts if post.when), key=sortable)
    said = {"coverageStartTime": times[0], "coverageEndTime": times[-1]} if times else {}
    told = {name: (Found(value=value, raw=value, source="posts.liveblog"),) for name, value in said.items()}
    both = {**told, **read.metadata}
    return replace(read, type=TYPE, metadata={name: both[name] for name in FIELDS if name in both})


def sortable(when: str | None) -> float:
    try:
        return datetime.fromisoformat(when or "").timestamp()
    except (ValueError, OverflowError):
        return 0.0
