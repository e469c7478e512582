"""Every mechanism of the reader of pages by name, and how each is switched off from outside (`rule_value.py`).

A place is written `module:attribute`, below the package; the names of sources, software and words are those of the package's own tables.
A place that is no longer there is a plain mistake: who takes a mechanism away, takes its row away.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from inspect import isgenerator
from typing import Any, NamedTuple
from unittest.mock import patch

PACKAGE = "webarticlecurator"
Fires = Callable[[], None]


class Gone(Exception):
    """What a row names is no longer in the package."""


def found(place: str) -> tuple[Any, str, Any]:
    """What holds an attribute, or an entry (`module:TABLE[name]`), its name there, and what it is."""
    module, _, path = place.partition(":")
    path, _, entry = path.rstrip("]").partition("[")
    try:
        holder: Any = import_module(f"{PACKAGE}.{module}")
        *above, name = path.split(".")
        for step in above:
            holder = getattr(holder, step)
        found = vars(holder)[name]  # of a class as it was written: a method is no bound one
        return (found, entry, found[entry]) if entry else (holder, name, found)
    except (ImportError, AttributeError, KeyError) as problem:
        raise Gone(f"{place} is no longer there") from problem


@contextmanager
def switched_off(rule: Rule) -> Iterator[None]:
    """While the block lasts."""
    with ExitStack() as stack:
        for change in rule.changes:
            holder, name, old = found(change.place)
            new = change.off(old)
            # a table is changed in its place, whoever has imported it
            stack.enter_context(patch.dict(old, new, clear=True) if isinstance(old, dict) else _instead(holder, name, new))
        yield


@contextmanager
def watched(rules: Iterable[Rule]) -> Iterator[set[str]]:
    """While the block lasts, everything is as it is, and the set is given the names of those that do something."""
    fired: set[str] = set()
    with ExitStack() as stack:
        for rule in rules:
            for change in (rule.watch or rule.changes) if rule.is_watched else ():
                holder, name, old = found(change.place)
                stack.enter_context(_instead(holder, name, change.watched(old, partial(fired.add, rule.name))))  # type: ignore[misc]
        yield fired


def _instead(holder: Any, name: str, new: Any) -> AbstractContextManager[Any]:
    return patch.dict(holder, {name: new}) if isinstance(holder, dict) else patch.object(holder, name, new)


# --- what stands there instead, and what notices that it does something ---


class Change(NamedTuple):
    """At one place."""

    place: str
    off: Callable[[Any], Any]
    """What stands there instead, made of what stands there."""
    watched: Callable[[Any, Fires], Any] | None = None
    """The same as it is, but that it says when it does something; None: that cannot be noticed."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One mechanism."""

    name: str
    """Its question, a colon, and what it does."""
    changes: tuple[Change, ...]
    watch: tuple[Change, ...] = ()
    """What tells, where the changes themselves cannot, on which pages it may matter; nothing is changed there."""

    @property
    def is_watched(self) -> bool:
        return bool(self.watch) or all(change.watched for change in self.changes)

    @property
    def is_of_metadata(self) -> bool:
        """Whether it does nothing but by the metadata that are read."""
        return all(change.place.partition(":")[0] in OF_METADATA for change in self.changes)


def _function(place: str, of: Callable[..., Any], *, is_asked: bool) -> Change:
    """A function that gives what `of` makes of its result, and of what it was asked."""

    def off(old: Any) -> Any:
        return lambda *asked, **named: of(old(*asked, **named) if is_asked else None, *asked, **named)

    def watched(old: Any, fires: Fires) -> Any:
        def ask(*asked: Any, **named: Any) -> Any:
            result = old(*asked, **named)
            if isgenerator(result):
                return _noticed(result, fires)
            if of(result, *asked, **named) != result:
                fires()
            return result

        return ask

    return Change(place, off, watched)


def _noticed(results: Iterator[Any], fires: Fires) -> Iterator[Any]:
    for result in results:
        fires()
        yield result


class _WatchedPattern:
    """A pattern that says when it fits something."""

    def __init__(self, pattern: Any, fires: Fires) -> None:
        self._pattern, self._fires = pattern, fires

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._pattern, name)
        if not callable(method):
            return method

        def ask(*asked: Any, **named: Any) -> Any:
            if self._pattern.search(asked[name in ("sub", "subn")]):
                self._fires()
            return method(*asked, **named)

        return ask


def _watched_entries(entries: Any, fires: Fires) -> Any:
    """A set or table that says when something is found in it."""

    class Watched(type(entries)):  # type: ignore[misc]
        def __contains__(self, one: object) -> bool:
            is_in = bool(super().__contains__(one))
            if is_in:
                fires()
            return is_in

        def isdisjoint(self, others: Iterable[object]) -> bool:
            return not any(one in self for one in others)

        def get(self, one: object, default: Any = None) -> Any:
            return self[one] if one in self else default  # noqa: SIM401

    return Watched(entries)


# --- ways to write rows ---


def result(name: str, of: Callable[..., Any], *places: str) -> Rule:
    """Functions of whose result `of` makes another, and of what they are asked."""
    return Rule(name, tuple(_function(place, of, is_asked=True) for place in places))


def instead(name: str, of: Callable[..., Any], *places: str) -> Rule:
    """Functions instead of which `of` is asked."""
    return Rule(name, tuple(_function(place, lambda _, *asked, **named: of(*asked, **named), is_asked=False) for place in places))


def gives(name: str, value: Any, *places: str) -> Rule:
    """Functions that always give this."""
    return instead(name, lambda *_, **__: copy(value), *places)


def _no_posts(*_: Any, **__: Any) -> Any:
    _, _, page_posts = found("extraction.threads:PagePosts")
    return page_posts()


def leaves(name: str, *places: str, as_: Callable[[Any], Any] = lambda first: first) -> Rule:
    """Functions that give back what they were given first."""
    return instead(name, lambda first, *_, **__: as_(first), *places)


def never(name: str, *places: str) -> Rule:
    """Patterns that fit nothing."""
    return Rule(name, tuple(Change(place, _fits_nothing, _WatchedPattern) for place in places))


def _fits_nothing(old: re.Pattern[Any]) -> Any:
    return re.compile(r"(?!)" if isinstance(old.pattern, str) else rb"(?!)")


def value(name: str, instead: Any, *places: str) -> Rule:
    """Something else stands there; it is not known on which pages that may matter."""
    return Rule(name, tuple(Change(place, lambda _: instead) for place in places))


def empty(name: str, *places: str) -> Rule:
    """Sets and tables that hold nothing."""
    return Rule(name, tuple(Change(place, lambda old: type(old)(), _watched_entries) for place in places))


def watched_by(place: str, of: Callable[..., Any], rule: Rule) -> Rule:
    """It may matter where this function gives something else than `of` makes of it."""
    return replace(rule, watch=(_function(place, of, is_asked=True),))


def no_sign(name: str, *places: str) -> Rule:
    """Signs of tables (`extraction.body.signs`) that never hold."""
    return Rule(name, tuple(_sign(place, lambda _: True) for place in places))


def _sign(place: str, is_meant: Callable[[Any], bool]) -> Change:
    """A sign that does not hold for the things that are meant."""

    def off(old: Any) -> Any:
        return old._replace(conditions=(*old.conditions, lambda thing: not is_meant(thing)))

    def watched(old: Any, fires: Fires) -> Any:
        def reason(thing: Any) -> Any:
            why = old.reason(thing)
            if why is not None and is_meant(thing):
                fires()
            return why

        return old._replace(reason=reason)

    return Change(place, off, watched)


def no_check(name: str, place: str, check: str) -> Rule:
    """A table without one of its checks; it is not known on which pages that may matter."""
    return Rule(name, (Change(place, lambda old: tuple(row for row in old if row.name != check)),))


def both(name: str, *rules: Rule) -> Rule:
    return Rule(name, tuple(change for rule in rules for change in rule.changes))


_METADATA, _BODY = "extraction.metadata", "extraction.body"
_VISIBLE, _SOURCES = f"{_METADATA}.visible", f"{_METADATA}.sources"
_PARTS = f"{_VISIBLE}:VisibleParts"
_AUTHORS, _NAMES, _BYLINES, _TOPICS, _SHOWN_TOPICS = (
    f"{_METADATA}.{name}" for name in ("authors", "names", "bylines", "topics", "shown_topics")
)
_READER, _CHOICES, _CLUES, _DATES, _SHOWN_DATES = (f"{_METADATA}.{name}" for name in ("read", "choices", "clues", "dates", "shown_dates"))
_DATA, _MICRODATA, _HEAD, _HEADLINE = (f"{_METADATA}.{name}" for name in ("data", "microdata", "head", "headline"))
_SOURCES_OF_TITLES = found(f"{_HEADLINE}:_LEAST_OF")[2]
_SHOWN, _WRITTEN = "dates.shown", "dates.written"
_PATTERNS_OF_DATES = found(f"{_WRITTEN}:_auto_patterns")[2]
_JSON_LD = "model.page"
OF_METADATA = frozenset(
    (
        *(_AUTHORS, _NAMES, _BYLINES, _TOPICS, _SHOWN_TOPICS, _DATES, _SHOWN_DATES, _READER, _CHOICES, _CLUES, _VISIBLE),
        *(_SOURCES, _DATA, _MICRODATA, _HEAD, _HEADLINE),
    )
)
"""Modules of which nothing else that is read of a page makes use."""
_LOCATE, _ROOT, _PARTS_OF, _LEADS = (f"{_BODY}.{name}" for name in ("locate", "article_root", "article_parts", "leads_above"))
_BLOCKS, _FURNITURE = (f"{_BODY}.{name}" for name in ("page_blocks", "furniture"))
_JUDGE = f"{_FURNITURE}:Furniture"
_OF_TEXT = ("opened", "looks", "running text", "foot", "heading", "definitions", "words")
"""Signs that a block is text whatever its name is."""
_REWRITE, _OPEN, _STRUCTURE, _MEDIA = (f"{_BODY}.{name}" for name in ("rewrite", "open_blocks", "structure", "targets"))
_TABLE = f"{_BODY}.tag_rules"
_ARTICLE = "extraction.article_reader"
_PAGE_READING, _JOINED = "extraction.page_reading", "extraction.joined_pages"
_OUTCOME, _LISTINGS = "extraction.page_outcome", "extraction.listings"
_FORUMS, _FORUM_POSTS = "extraction.forums", "extraction.forum_posts"
_PAGE, _DECODE, _WALLS = "document.parsed_page", "document.decode", "document.walls"


# --- rows of tables of the package ---

_NOT_OF_PAGES = ("feed:", "language", "publisher.")
"""Sources that a page read by itself has not."""
_TOGETHER = (
    ("meta of Parse.ly", r"meta:parsely-"),
    ("meta of cXense", r"meta:cxenseparse:"),
    ("meta of libraries (citation_)", r"meta:citation_"),
    ("meta of Dublin Core", r"meta:dc(?:terms)?\."),
    ("meta of Twitter", r"meta:twitter:"),
    ("meta of pictures and players", r"meta:(?:og:(?:image|video|audio)|thumbnail)"),
    ("meta of days of publication by other names", r"meta:pub|meta:datepublished"),
    ("meta of days of change by other names", r"meta:(?:last|datemodified)"),
    ("meta of languages", r"meta:(?:(?:content-)?language|og:locale)"),
    ("meta of rights and sources", r"meta:(?:copyright|original-source|syndication-source|geo\.)"),
    ("JSON-LD", r"json-ld:"),
    ("JSON-LD of the page", r"json-ld-page:"),
    ("microdata", r"microdata:"),
)
"""Sources that come and go together, by regular expressions; every other one is a row of its own."""
_ALONE = r"json-ld:(?:breadcrumb|creator|about|dateCreated|name)|microdata:dateCreated"


def _source_rules() -> Iterator[Rule]:
    sources = {source for offered in found(f"{_SOURCES}:SOURCES")[2].values() for source in offered}
    groups: dict[str, set[str]] = {}
    for source in sorted(source for source in sources if not source.startswith(_NOT_OF_PAGES)):
        together = next((name for name, pattern in _TOGETHER if re.match(pattern, source)), source)
        groups.setdefault(source if re.fullmatch(_ALONE, source) else together, set()).add(source)
    for name, group in groups.items():
        without = Rule(f"source: {name}", (Change(f"{_SOURCES}:SOURCES", _without_sources(group)),))
        yield watched_by(f"{_SOURCES}:PageClues.add", _unless_among(group), without)


def _without_sources(group: set[str]) -> Callable[[dict[str, Sequence[str]]], dict[str, Sequence[str]]]:
    return lambda table: {field: tuple(source for source in sources if source not in group) for field, sources in table.items()}


def _unless_among(group: set[str]) -> Callable[..., Any]:
    """A page that says nothing there is the same without them."""
    return lambda _, __, source, *___, **____: True if source in group else None


def _chooser_rules() -> Iterator[Rule]:
    for name in found(f"{_CHOICES}:_CHOOSERS")[2]:
        yield instead(f"choice: {name} by more than the order of sources", _plain(name), f"{_CHOICES}:_CHOOSERS[{name}]")


def _plain(name: str) -> Callable[..., Any]:
    offers_of = found(f"{_SOURCES}:offers_of")[2]
    return lambda known: offers_of(name, known)


def _name_rules() -> Iterator[Rule]:
    """What classes, ids and addresses say."""
    hinted = tuple(f"{module}:hints_of" for module in (_VISIBLE,))
    for hint in found("labelling.element_names:ClassHint")[2]:
        yield result(f"class for metadata: {hint.value}", _minus(hint), *hinted)
    for kind in found("labelling.element_names:LinkKind")[2]:
        yield result(f"address of a link: {kind.value}", _unless(kind), f"{_VISIBLE}:link_kind")
    named = tuple(f"{module}:role_of" for module in (_BLOCKS, _FURNITURE, "labelling.element_names"))
    for part in found("labelling.element_names:PagePart")[2]:
        yield result(f"class for the body: {part.value}", _unless_part(part), *named)
    yield result("class for the body: those that are not certain", lambda role, *_: role if role and role.certain else None, *named)


def _minus(hint: Any) -> Callable[..., Any]:
    return lambda hints, *_: hints - {hint} if hint in hints else hints


def _unless(kind: Any) -> Callable[..., Any]:
    return lambda found, *_: None if found is kind else found


def _unless_part(part: Any) -> Callable[..., Any]:
    return lambda role, *_: None if role is not None and role.part is part else role


def _forum_rules() -> Iterator[Rule]:
    for software in found(f"{_FORUMS}:SOFTWARE")[2]:
        yield result(f"forum: {software.name}", _no_posts_of(software.name), f"{_FORUMS}:posts_of")


def _no_posts_of(name: str) -> Callable[..., Any]:
    return lambda posts, _, software: [] if software.name == name else posts


_GENERAL_TABLE = {
    "quotations of forums": ("aside.quote", ".bbcode_quote", "aside.quote > .title", "blockquote > .bbCodeBlock-title"),
    "forms": ("form:not(:has(p + p + p))",),
    "nav": ("nav",),
    "button": ("button",),
    "svg": ("svg",),
    "aside": ("aside",),
    "captions of WordPress": (".wp-caption-text",),
    "headings by their role": ('[role="heading"]',),
}
"""Rows of the general table, as they are written there."""


def _table_rules() -> Iterator[Rule]:
    table = found(f"{_TABLE}:GENERAL_TABLE")[2]
    groups: dict[str, Iterable[str]] = {name.partition(": ")[2]: rows for name, rows in table.items() if ":" in name}
    groups |= {"social posts": table["social"], "formulas": table["formula"], **_GENERAL_TABLE}
    known = {css for rows in table.values() for css in rows}
    for name, rows in groups.items():
        if missing := sorted(set(rows) - known):
            raise Gone(f"{missing[0]} is no longer in the general table")
        layer = Change(f"{_TABLE}:general_layer", _layer_without(frozenset(rows)))
        without = Rule(f"table: {name}", (layer, Change(f"{_PAGE_READING}:_LOOKUPS", lambda _: {})))
        yield watched_by(f"{_TABLE}:Lookup.decide", _undecided(frozenset(rows)), without)


def _undecided(rows: frozenset[str]) -> Callable[..., Any]:
    return lambda decision, *_: None if decision.selector in rows else decision


def _layer_without(rows: frozenset[str]) -> Callable[[Any], Any]:
    def made(old: Any) -> Any:
        layer = replace(old(), rules=tuple(rule for rule in old().rules if rule.css.text not in rows))
        return lambda: layer

    return made


def _sign_rules() -> Iterator[Rule]:
    for sign in _SIGNS_OF_LISTINGS:
        yield result(f"listing: {sign}", _without_sign(sign), f"{_LISTINGS}:_statements")


_SIGNS_OF_LISTINGS = (
    "a date of publication", "an article in JSON-LD", "an author", "og:type article", "the address of an article", "the address of a host",
    "the address of a section", "the body of a listing",
)  # fmt: skip


_SIGNS_OF_NAMES = (
    "the address spells what stands before it", "the host is made of its letters", "the page lies in a folder of that name",
)  # fmt: skip


def _without_sign(sign: str) -> Callable[..., Any]:
    return lambda says, *_, **__: {name: points for name, points in says.items() if name != sign}


def _no_furniture_by_tag(tag: str) -> Rule:
    return Rule(f"furniture: <{tag}>", (_sign(f"{_FURNITURE}:SIGNS[tag]", lambda block: block.site_tag == tag),))


# --- all of them ---


def _no_footnotes(*_: Any) -> Any:
    return found(f"{_BODY}.footnotes:Footnotes")[2]({}, {}, [])


RULES: tuple[Rule, ...] = (
    # What data say.
    gives("data: JSON-LD with comments", [], f"{_JSON_LD}:_with_comments"),
    gives("data: the article by its address or title", {}, f"{_DATA}:ArticleObjects._sure"),
    gives("data: the only object", {}, f"{_DATA}:_only"),
    gives("data: RDFa", "", f"{_DATA}:ArticleObjects.read_rdfa"),
    instead("data: teasers are others'", lambda _, thing: thing, f"{_DATA}:ArticleObjects._unless_elsewhere"),
    never("data: tags in values", f"{_SOURCES}:_TAG"),
    never("data: entities in values", "text:_ENTITY"),
    value("data: samples of code say nothing", (), f"{_VISIBLE}:SAMPLES"),
    *_source_rules(),
    *_chooser_rules(),
    # Which parts of a page are the article's, for its metadata.
    gives("parts: what is not the article's", False, f"{_PARTS}.is_outside"),
    value("parts: what stands close to the heading", {}, f"{_PARTS}.near"),
    gives("parts: the site's name as a heading", False, f"{_PARTS}._leads_home"),
    *_name_rules(),
    # Titles.
    gives("title: how many sources say the same", 0.0, f"{_HEADLINE}:_support"),
    gives("title: names of the site are cut off", None, f"{_HEADLINE}:_without_name"),
    leaves("title: parts that other titles lack are cut off", f"{_HEADLINE}:_without_more"),
    value("title: names that a page gives its site", (), f"{_CLUES}:SITE_NAMES"),
    *(no_check(f"title: names are cut off, since {sign}", f"{_HEADLINE}:_SIGNS_OF_SITE", sign) for sign in _SIGNS_OF_NAMES),
    gives("title: labels of threads are cut off", False, f"{_HEADLINE}:_is_of_thread"),
    no_check("title: newspapers keep its words", f"{_HEADLINE}:_AGAINST_HEADING", "a newspaper's data say it with care"),
    gives("title: the headline in other words is kept", (), f"{_READER}:other_wordings"),
    gives("title: what readers see of a heading", (), f"{_VISIBLE}:_unread_in"),
    value("title: other words of it have some of its words", dict.fromkeys(_SOURCES_OF_TITLES, 0.0), f"{_HEADLINE}:_LEAST_OF"),
    gives("title: headings on the way to the page", False, f"{_PARTS}._is_on_way_here"),
    empty("title: labels of programs are none", f"{_HEADLINE}:_LABELS"),
    leaves("title: the heading in other words", f"{_HEADLINE}:_as_seen"),
    empty("title: spelling of the data that agree", f"{_HEADLINE}:_DISPLAYED"),
    leaves("metadata: nothing is said twice, nothing based on itself", f"{_READER}:_without_itself"),
    never("description: one that is cut off", f"{_CHOICES}:_BREAKS_OFF"),
    gives("description: one that another one goes on", False, f"{_CHOICES}:_goes_on"),
    gives("address: a canonical one of the front page", False, f"{_SOURCES}:PageClues.is_front_page"),
    # Authors.
    leaves("author: pages about authors", f"{_AUTHORS}:_with_page"),
    no_check("author: the portal's own name comes last", f"{_AUTHORS}:_AGAINST_AUTHOR", "it is the portal's own name"),
    no_check("author: logins come behind persons", f"{_AUTHORS}:_AGAINST_AUTHOR", "it is a login"),
    value("author: what the page shows to be something else", (), f"{_AUTHORS}:_NO_AUTHOR"),
    gives("author: the portal and an agency sign as one", [], f"{_AUTHORS}:_house_and_agency"),
    never("author: given name first, of one name", f"{_AUTHORS}:_TWO_WORDS"),
    value("author: no cut leaves a part that is no name", (), f"{_NAMES}:_AGAINST_CUT"),
    never("author: sentences are none", f"{_NAMES}:_SENTENCES", f"{_NAMES}:_ANY_SENTENCE"),
    empty("author: given name first, of libraries", f"{_AUTHORS}:_OF_LIBRARIES"),
    empty("author: makers of sites are none", f"{_AUTHORS}:_BY_SITE_MAKERS"),
    instead("author: words such as by", lambda text, *_: (text, ""), f"{_NAMES}:without_by"),
    never("author: a date behind", f"{_NAMES}:_DATE_TAIL"),
    never("author: what stands in brackets", f"{_NAMES}:_BRACKETS"),
    empty("author: jobs behind names", f"{_NAMES}:_JOBS"),
    never("author: labels before a colon", f"{_NAMES}:_LABEL"),
    empty("author: positions in lists of names", f"{_NAMES}:_OF_POSITIONS"),
    never("author: who did something else, in a byline", f"{_NAMES}:_OTHER_HANDS"),
    never("author: who did something else, by the label before", f"{_BYLINES}:LABELS_OF_OTHERS"),
    never("author: suffixes such as Ph.D.", f"{_NAMES}:_SUFFIX"),
    never("author: addresses and handles", f"{_NAMES}:_ADDRESSES"),
    gives("author: the shape of a name", True, f"{_NAMES}:looks_like_name"),
    gives("author: organisations", False, f"{_NAMES}:_is_organization"),
    leaves("author: each name once", f"{_NAMES}:_distinct"),
    empty("author: words that are no names", f"{_NAMES}:NO_NAMES"),
    empty("author: words that no name has", f"{_NAMES}:_NO_NAME_WORDS"),
    instead("author: those who sign together", lambda parts, rows: list(parts.inside(rows)), f"{_BYLINES}:_together"),
    gives("author: names in lines", None, f"{_BYLINES}:name_in_line"),
    gives("author: bylines that nothing marks", [], f"{_BYLINES}:_text_byline"),
    # Dates.
    leaves("date: by the clock of the publisher", f"{_DATES}:_by_local_clock"),
    gives("date: the source that is more exact", False, f"{_DATES}:_is_more_exact"),
    empty("date: the first publication of several", f"{_DATES}:_FIRST_HAND"),
    never("date: words of updates before it", f"{_DATES}:_OF_UPDATE"),
    gives("date: a word of change beside a time", "", f"{_SHOWN_DATES}:word_of_change"),
    leaves("date: the creation that is shown, not the last change", f"{_DATES}:_unless_changed"),
    never("date: stories that tell of days", f"{_SHOWN_DATES}:_STORY"),
    instead("date: of change by the same clock", lambda told, _: told.get("dateModified", ()), f"{_READER}:by_one_clock"),
    gives("date: ages", None, f"{_SHOWN}:find_relative"),
    leaves("date: the order of day and month that others say", f"{_DATES}:_in_order_of_others"),
    gives("date: days that had not come", False, f"{_DATES}:_is_to_come", f"{_WRITTEN}:_is_to_come"),
    instead("date: years of two digits", lambda names, _: _PATTERNS_OF_DATES(names, False), f"{_WRITTEN}:_auto_patterns"),
    instead("date: titles of what shows no year", lambda shown, *_: shown, f"{_SHOWN_DATES}:_first_with_year"),
    never("date: months of languages that nobody told", f"{_SHOWN}:_NAMED_MONTH"),
    gives("date: what only dateutil reads", None, f"{_WRITTEN}:_read_english"),
    never("date: empty fields of programs", f"{_SHOWN}:_ZERO"),
    gives("date: odd ones are told", (), f"{_READER}:odd_dates"),
    # Topics and sections.
    no_check("topics: lists of what the portal writes about", f"{_TOPICS}:_GENERAL", "a meta element names the portal among them"),
    no_check("topics: words of the head that nothing says", f"{_TOPICS}:_GENERAL", "nothing says what they are"),
    empty("data: texts in figures are not the article's", f"{_MICRODATA}:_PICTURES"),
    gives("topics: those in teasers", False, f"{_VISIBLE}:VisibleParts.is_in_teaser"),
    never("topics: lists of codes", f"{_TOPICS}:_CODE"),
    never("topics: what is for machines", f"{_TOPICS}:_FOR_MACHINES"),
    never("topics: labels before them", f"{_TOPICS}:_LABEL"),
    never("topics: counts behind them", f"{_TOPICS}:COUNT", f"{_SHOWN_TOPICS}:COUNT"),
    empty("topics: words that are none", f"{_TOPICS}:_NONE"),
    value("topics: long lists of links are menus", 10**6, f"{_TOPICS}:MAX_SHOWN", f"{_SHOWN_TOPICS}:MAX_SHOWN"),
    instead("sections: several in one text", lambda text: [text], f"{_TOPICS}:_sections"),
    empty("sections: names of the front page are none", f"{_TOPICS}:HOME"),
    # Where the body is.
    gives("body: the text in JSON-LD", "", f"{_LOCATE}:article_body"),
    gives("body: the headline", -1, f"{_LOCATE}:headline_row"),
    gives("body: the article of the headline", None, f"{_ROOT}:_own_article"),
    instead("body: down to the block that holds nearly all", lambda *asked: asked[-1], f"{_ROOT}:_descend"),
    result("body: sections with headings of one level stay together",
        lambda make, *_: make if make and len(make) > 1 else None, f"{_ROOT}:_make_of",
    ),
    result("body: boxes of one make stay together",
        lambda make, *_: make if make and len(make) == 1 else None, f"{_ROOT}:_make_of",
    ),
    empty("body: weights of tags", f"{_ROOT}:_TAG_WEIGHTS"),
    empty("body: weights of names", f"{_ROOT}:_PART_WEIGHTS"),
    never("body: commas and full stops", f"{_BLOCKS}:_STOP"),
    replace(
        value("body: links where there is little else", 0.0, f"{_PARTS_OF}:_LEAST_LEFT"),
        watch=no_sign("", f"{_FURNITURE}:SIGNS[links]").changes,
    ),
    gives("body: lists of links where there is little else", None, f"{_ROOT}:root_of_links"),
    leaves("body: the links of a listing", f"{_PAGE_READING}:with_links"),
    gives("body: leads above it", [], f"{_LEADS}:_leads_above"),
    value("body: short titles below the headline, lines below a picture", 10**6,
        *(f"{_BODY}.{name}:WORDS_OF_TITLE" for name in ("leads_above", "lead_picture")),
    ),
    no_sign("body: leads that are lists or headings",
        *(f"{_LEADS}:SIGNS[{name}]" for name in ("list of sentences", "sentences in a heading")),
    ),
    gives("body: what stands between leads", (), f"{_LEADS}:pairwise"),
    value("body: texts of JSON-LD that are not shown", 10**9, f"{_LOCATE}:_SEVERAL_TIMES"),
    gives("body: the picture above it", None, f"{_LOCATE}:lead_picture"),
    gives("body: lines beside the picture above it", (), f"{_LOCATE}:boxes_of_pictures"),
    gives("body: a first heading that is a lead", (), f"{_LOCATE}:subtitles"),
    never("blocks: languages of code", f"{_OPEN}:_LANGUAGE_OF_CODE"),
    gives("blocks: figures around whole articles", False, f"{_STRUCTURE}:_is_article"),
    gives("body: menus and forms that were never closed", False, *(f"{module}:holds_article" for module in (_BLOCKS, _REWRITE))),
    # What in it is the site's.
    gives("furniture: all inside the body", {}, f"{_PARTS_OF}:_inside"),
    no_sign("furniture: by names", f"{_FURNITURE}:SIGNS[name]"),
    no_sign("furniture: by tags", f"{_FURNITURE}:SIGNS[tag]"),
    *map(_no_furniture_by_tag, ("aside", "footer", "dialog")),
    no_sign("furniture: by links", f"{_FURNITURE}:SIGNS[links]"),
    no_sign("furniture: by how a text begins", f"{_FURNITURE}:BY_WORDS[label]",
        *(f"{_FURNITURE}:BY_WORDS_OF_LINKS[{name}]" for name in ("comments", "front page", "beginning")),
    ),
    never("furniture: ways to the comments", f"{_FURNITURE}:_TO_COMMENTS"),
    gives("furniture: read more, sign up", None, f"{_FURNITURE}:leads_away"),
    gives("furniture: labels such as Advertisement", False, *(f"{module}:is_label" for module in (_FURNITURE, _FORUM_POSTS))),
    no_sign("furniture: hidden by style or class",
        *(f"{_FURNITURE}:{table}[style]" for table in ("BY_WORDS", "BY_WORDS_OF_LINKS")),
    ),
    gives("furniture: hidden at all", False, f"{_JUDGE}.is_hidden"),
    empty("furniture: boxes that are not read aloud are hidden", f"{_FURNITURE}:_BOXES"),
    gives("furniture: what unfolds is not hidden", False, f"{_JUDGE}._unfolds"),
    no_sign("furniture: lists under a sign of other articles", f"{_FURNITURE}:SIGNS[heading]"),
    gives("furniture: headings of what is left out", False, f"{_BODY}.text_end:_is_over"),
    *(
        no_sign(f"furniture: at the end of the text, {name}", f"{_BODY}.text_end:SIGNS[{name}]")
        for name in ("heading", "teaser", "byline", "copyright", "call")
    ),
    empty("furniture: footers and dialogs beside an article", f"{_FURNITURE}:_APART"),
    value("text all the same: lists amid text", 10**6, f"{_PARTS_OF}:_SEVERAL_LISTS"),
    *(
        no_sign(f"text all the same: lists of links, {name}", f"{_PARTS_OF}:LISTS_OF_AUTHOR[{name}]")
        for name in ("elsewhere", "announced", "under a heading")
    ),
    empty("body: terms that are links", f"{_ROOT}:_LINK_WEIGHTS"),
    empty("furniture: boxes that are said twice", f"{_PARTS_OF}:_BOXES"),
    gives("furniture: paragraphs that are said twice", False, f"{_PARTS_OF}:_Body._is_said_right_before"),
    empty("text all the same: labels open what stands behind them", f"{_FURNITURE}:_OPENING"),
    gives("furniture: lines of author and date", False, f"{_BODY}.bylines:Bylines.is_byline"),
    no_sign("furniture: buttons, and topics by their links", *(f"{_PARTS_OF}:SIGNS_OF_LINKS[{name}]" for name in ("button", "topics"))),
    no_sign("furniture: teasers amid the text", f"{_PARTS_OF}:SIGNS_OF_LINKS[teaser]"),
    no_sign("furniture: what stands above the headline", f"{_PARTS_OF}:SIGNS[above the headline]"),
    no_sign("furniture: lists of contents", f"{_PARTS_OF}:SIGNS[contents]"),
    gives("furniture: boxes around fields for an address", (), f"{_PARTS_OF}:_around_fields"),
    gives("furniture: calls, a few words before a link of its own", False, f"{_PARTS_OF}:_BlockOfBody.fits_call"),
    gives("furniture: leads about who wrote the article", False, f"{_BODY}.bylines:Bylines.is_about_author"),
    gives("furniture: lines in inlines", {}, f"{_JUDGE}.lines"),
    gives("furniture: beside a lead picture", False, f"{_JUDGE}.is_beside"),
    # What is text all the same.
    no_sign("text all the same: whatever its name", *(f"{_FURNITURE}:TEXT_WHATEVER_ITS_NAME[{name}]" for name in _OF_TEXT)),
    gives("text all the same: what something opens", False, f"{_JUDGE}.is_opened"),
    gives("text all the same: sections of lists", False, f"{_PARTS_OF}:_is_section"),
    gives("text all the same: asides with a heading and sentences", True, f"{_FURNITURE}:JudgedBlock.is_no_box_of_text"),
    gives("text all the same: items of lists of text", False, f"{_FURNITURE}:JudgedBlock._is_in_list_of_text"),
    gives("captions by names", (), f"{_JUDGE}.captions"),
    # From elements to blocks.
    gives("blocks: links of headings to themselves", False, f"{_TABLE}:is_mark", f"{_BLOCKS}:is_mark"),
    instead("blocks: footnotes", _no_footnotes, f"{_REWRITE}:footnotes_in"),
    gives("blocks: footnotes outside of the text", [], f"{_PAGE_READING}:notes_beyond"),
    gives("blocks: ways back from footnotes", (), f"{_BODY}.footnotes:_ways_back"),
    gives("blocks: labels that footnotes begin with", (), f"{_BODY}.footnotes:_labels_before"),
    gives("blocks: footnotes in lines", None, f"{_BODY}.footnotes:_right_behind"),
    gives("blocks: footnotes without links", None, f"{_BODY}.footnotes:_begun_by"),
    no_sign("blocks: marks between ways back from footnotes", f"{_OPEN}:SIGNS_OF_REPETITION[way back]"),
    gives("blocks: numbers of lines of code", (), f"{_REWRITE}:line_numbers_in"),
    gives("blocks: labels of fields", (), f"{_REWRITE}:labels_of_fields"),
    both("blocks: formulas", gives("", None, f"{_REWRITE}:tex_of"), gives("", False, f"{_REWRITE}:is_tex")),
    gives("blocks: notes with a role or a title are boxes", (), f"{_REWRITE}:callouts_in"),
    gives("text all the same: asides with a role or a title", False, f"{_FURNITURE}:is_callout"),
    gives("blocks: formulas among words", False, f"{_REWRITE}:draws_formulas"),
    gives("blocks: a picture with a line is a figure", (), f"{_REWRITE}:framed_pictures"),
    gives("blocks: words that touch are two", False, f"{_REWRITE}:_Walk._are_apart"),
    gives("pictures: in noscript", {}, f"{_REWRITE}:noscript_pictures_in"),
    gives("links: mail addresses that Cloudflare hides", "", *(f"{module}:mail_address" for module in (_REWRITE, _MEDIA))),
    gives("pictures: emoji", None, *(f"{module}:emoji_of" for module in (_REWRITE, _MEDIA))),
    gives("pictures: icons and what counts readers", False, *(f"{module}:is_decoration" for module in (_REWRITE, _MEDIA))),
    watched_by(f"{_MEDIA}:_written", lambda *_: (), value("pictures: addresses for scripts", (), f"{_MEDIA}:_LAZY")),
    watched_by(f"{_MEDIA}:_written", lambda *_: (), value("pictures: sets of sizes", (), f"{_MEDIA}:_SETS")),
    gives("pictures: placeholders", False, f"{_MEDIA}:_is_placeholder"),
    never("pictures: who made them", f"{_OPEN}:_CREDITS"),
    leaves("pictures: descriptions that are said beside them", f"{_JOINED}:without_repeated_descriptions"),
    no_sign("pictures: captions that are said again below them", f"{_OPEN}:SIGNS_OF_REPETITION[caption]"),
    never("social posts: who and when", f"{_MEDIA}:_SIGNED"),
    gives("social posts: which network", None, f"{_STRUCTURE}:network_at", f"{_OPEN}:network"),
    no_sign("blocks: the headline is left out", f"{_OPEN}:SIGNS_OF_REPETITION[headline]"),
    gives("blocks: lists and tables of pictures are galleries", [], f"{_STRUCTURE}:_only_pictures"),
    leaves("blocks: captions find their pictures", f"{_STRUCTURE}:_captions_before"),
    leaves("blocks: bold lines are headings", f"{_JOINED}:with_bold_headings", as_=tuple),
    *_table_rules(),
    # What the text shows.
    leaves("text shows: a description and a picture", f"{_JOINED}:with_values_of_body"),
    gives("text shows: in which direction it runs", "ltr", *(f"{module}:direction_of" for module in (_JOINED, _OPEN))),
    gives("text shows: what may be a lead that is left out", (), f"{_JOINED}:texts_above"),
    # Letters.
    gives("letters: UTF-8 that the page calls something else", False, "document.decode:_has_utf8"),
    # Language.
    gives("language: by its words", None, f"{_JOINED}:identify"),
    gives("language: of most of the words", None, f"{_JOINED}:_language_of_most"),
    empty("language: names that look like another one", "extraction.language_guess:_NAMES_LIKE"),
    gives("language: none of whose words is there", False, f"{_JOINED}:lacks_words"),
    leaves("language: blocks in another one", f"{_JOINED}:with_languages", as_=tuple),
    # What a page is.
    gives("page: what React sends at the end", None, f"{_PAGE}:_place_streamed"),
    gives("page: the text in noscript", None, f"{_PAGE}:_show_noscript"),
    never("page: what stands behind its end", f"{_PAGE}:_END_OF_PAGE"),
    instead("page: a base for its links", lambda _, url: url, f"{_PAGE}:_base_of"),
    gives("page: encodings that it declares", None, f"{_DECODE}:html_body_declared_encoding"),
    gives("page: encodings that the bytes contradict", True, f"{_DECODE}:_fits"),
    gives("page: guessed encodings", (), f"{_DECODE}:_guesses"),
    gives("page: walls of products", None, f"{_WALLS}:_product_of"),
    gives("page: walls by their titles", None, f"{_WALLS}:_titled_wall"),
    gives("outcome: listings", None, f"{_PAGE_READING}:why_listing"),
    gives("outcome: not found", None, f"{_OUTCOME}:title_of_missing"),
    empty("outcome: gates of software", f"{_OUTCOME}:_GATES_OF_SOFTWARE"),
    gives("outcome: gates by names", None, f"{_OUTCOME}:_gate"),
    gives("outcome: signs that it goes on", None, f"{_ARTICLE}:sign_of_more"),
    gives("outcome: counts of pages", (), "extraction.signs_of_more:stated_counts"),
    gives("listing: by headlines that lead to other pages", 0, f"{_LISTINGS}:listed_articles"),
    gives("listing: by what is seen", {}, f"{_LISTINGS}:_seen"),
    gives("listing: addresses of articles", False, f"{_LISTINGS}:names_article"),
    *_sign_rules(),
    gives("dates: those of data that nobody can read", (), "extraction.metadata.read:_dates_of_data_not_read"),
    # Posts.
    gives("posts: threads of forums", None, f"{_LOCATE}:find_thread"),
    gives("posts: threads by what repeats", None, f"{_FORUMS}:repeated_posts"),
    never("posts: signatures are none", f"{_FORUMS}:_NOTE", f"{_FORUM_POSTS}:SIGNATURE"),
    leaves("posts: a first one that is there twice", f"{_FORUMS}:_each_once"),
    leaves("posts: the last answer above the first one", f"{_FORUMS}:with_opening_of_its_own"),
    gives("posts: when they were changed", (None, None), f"{_FORUMS}:_last_change"),
    gives("posts: one without others looked at farther out", 0, f"{_FORUM_POSTS}:_left_to_look_at"),
    gives("posts: data that contradict the first one", (), "extraction.opening_posts:_contradictions"),
    leaves("posts: a thread is by who began it", f"{_PAGE_READING}:with_opening"),
    gives("posts: a page is as old as its first one", False, f"{_JOINED}:is_as_old_as_page", "extraction.comments:is_as_old_as_page"),
    *_forum_rules(),
    leaves("posts: who is quoted, before a quotation", "extraction.posts:with_sources", as_=tuple),
    instead("posts: names and times in the texts of comments", lambda _, text, *__: text, "extraction.comments:_text_in"),
    never("posts: moments in addresses", "extraction.signs_of_posts:_MILLISECONDS"),
    instead("posts: comments without rules", _no_posts, f"{_PAGE_READING}:read_comments"),
    leaves("posts: dates and flags by comments", f"{_PAGE_READING}:with_signs_of_readers"),
    instead("live blog: by what repeats", _no_posts, f"{_PAGE_READING}:read_entries"),
    gives("live blog: by JSON-LD", [], f"{_PAGE_READING}:told_entries", "extraction.live_blogs:told_entries"),
    leaves("live blog: the time that it covers", f"{_JOINED}:with_coverage"),
)  # fmt: skip
