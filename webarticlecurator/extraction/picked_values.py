"""The values that the picks of a portal find in a page, or in one item of it.

when, unless -> where -> having, page_number -> text -> split ... drop -> URL or date -> take
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar

from webarticlecurator.budget import Budget
from webarticlecurator.config.fields import FIELDS, Field, Holds
from webarticlecurator.config.picks import AllOf, Pick, Picks, Take
from webarticlecurator.dates import LONGEST_WRITTEN, DateFormat, ReadDate, find_date, find_relative
from webarticlecurator.extraction.alike import first_of_each
from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.extraction.page_context import PageContext as PageContext
from webarticlecurator.extraction.page_context import PageNode as PageNode
from webarticlecurator.extraction.page_context import is_element as is_element
from webarticlecurator.extraction.page_context import selected_on
from webarticlecurator.extraction.picked_nodes import chosen, nodes_of
from webarticlecurator.extraction.picked_texts import PickedValue as PickedValue
from webarticlecurator.extraction.picked_texts import texts_of
from webarticlecurator.extraction.stated_dates import date_stated_in
from webarticlecurator.model.metadata import Found
from webarticlecurator.own_patterns import linear_at
from webarticlecurator.patterns import Pattern
from webarticlecurator.text import squeeze, visible
from webarticlecurator.urls import web_link

_OTHER_SCHEME = linear_at(r"(?!https?:)[A-Za-z][A-Za-z0-9+.-]*:", re.IGNORECASE)
_ISO_MOMENT = linear_at(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)")
_DECIMAL = linear_at(r"-?\d+(?:\.\d+)?")
_AUTO = DateFormat.parse("auto")
UNASKED_DATES = (DateFormat.parse("iso"), _AUTO)
"""Formats of dates of which no rule says how they are written."""
TEXT = Field()
"""A field whose values are taken as they are."""
_MOST_VALUES = 50_000
"""Values of one pick."""


@dataclass(frozen=True, slots=True)
class Picked:
    """The values that a pick gave."""

    values: list[PickedValue] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    """Links out of the web (ftp:, mailto:), where nothing else was found or all links were wanted."""

    def __bool__(self) -> bool:
        """Return True if there is a value."""
        return bool(self.values)


Result = TypeVar("Result")
"""Values or nodes that a pick gives."""


class _Way(NamedTuple, Generic[Result]):
    """A way to follow picks: what one gives, and how the results of several are united."""

    read: Callable[[Pick], Result]
    unite: Callable[[Iterable[Result]], Result]

    def follow(self, picks: Picks | AllOf | Pick | None, budget: Budget) -> Result:
        """Return what one pick gives, several united, or the first alternative that gives anything; nothing
        where there is no rule."""
        if picks is None:
            return self.unite(())
        if isinstance(picks, Pick):
            return self.read(picks)
        if isinstance(picks, AllOf):
            return self.unite([self.follow(each, budget) for each in picks.picks])
        tried: list[Result] = []
        with budget:
            for alternative in picks.alternatives:
                result = self.follow(alternative, budget)
                if result:
                    return result
                tried.append(result)
        return self.unite(tried)


def pick_fields(fields: Mapping[str, Picks], context: PageContext) -> dict[str, tuple[Found, ...]]:
    """Return fields by name, each with its chosen values."""
    found: dict[str, dict[str, Found]] = {}
    for name, picks in fields.items():
        source = next(picks.each()).source
        for value in pick_values(picks, context, FIELDS.get(name, TEXT)).values:
            text = visible(value.text)
            value_found = Found(value=text, raw=value.raw, source=source, written=value.written)
            found.setdefault(name, {}).setdefault(text, value_found)
    return {name: tuple(distinct.values()) for name, distinct in found.items()}


def pick_values(
    picks: Picks | AllOf | Pick | None,
    context: PageContext,
    kind: Field,
    *,
    is_link: bool = False,
) -> Picked:
    """Return the values after all steps: of a pick, of the first alternative that gives any, or of several
    united; none where there is no rule.

    `kind`: what they are for. `is_link`: to be followed, so that the page itself is no value.
    """
    wanted = _Wanted(context, kind, is_link)
    return _Way(lambda pick: _values_of(pick, wanted), _united).follow(picks, context.page.budget)


def _united(parts: Iterable[Picked]) -> Picked:
    """Return the values of several picks as those of one, each once."""
    whole = Picked()
    for picked in parts:
        whole.elsewhere.extend(picked.elsewhere)
        whole.values.extend(picked.values)
    return replace(whole, values=_each_once(whole.values))


def _each_once(values: Iterable[PickedValue]) -> list[PickedValue]:
    """Return the first of the values with each text."""
    return first_of_each(values, attrgetter("text"))


def pick_links(picks: Picks | None, context: PageContext, *, many: bool) -> Picked:
    """Return links to follow."""
    return pick_values(picks, context, Field(Holds.URL, many), is_link=True)


def pick_nodes(picks: Picks | AllOf | Pick | None, context: PageContext) -> list[PageNode]:
    """Return the elements or items that picks point at, each once: all, unless `take` says otherwise."""
    way = _Way(lambda pick: _chosen_nodes(pick, context), _distinct_of_all)
    return way.follow(picks, context.page.budget)


def _chosen_nodes(pick: Pick, context: PageContext) -> list[PageNode]:
    """Return the nodes that one pick points at, and takes."""
    if not _applies(pick, context):
        return []
    return chosen(_distinct(nodes_of(pick, context)), "all" if pick.take is None else pick.take)


def _distinct_of_all(lists: Iterable[list[PageNode]]) -> list[PageNode]:
    return _distinct(chain.from_iterable(lists))


def _distinct(nodes: Iterable[PageNode]) -> list[PageNode]:
    """Return each node once: items of JSON are compared by identity, for they may be equal and still be
    two."""
    return list({id(node): node for node in nodes}.values())


# --- the steps of one pick ---


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The page where values are looked for, and their purpose."""

    context: PageContext
    kind: Field = TEXT
    is_link: bool = False
    """True for links to follow, so that the page itself is no value."""

    def are_urls(self, pick: Pick) -> bool:
        """Return True if the values of a pick are addresses."""
        return self.kind.holds is Holds.URL or pick.make_url is not None or pick.base is not None

    def take(self, pick: Pick) -> Take:
        """Return which of the values are taken."""
        usual: Take = "all" if self.kind.many else "first"
        return usual if pick.take is None else pick.take


def _values_of(pick: Pick, wanted: _Wanted) -> Picked:
    context = wanted.context
    if not _applies(pick, context):
        return Picked()
    kept = [_made(pick, value) for value in _texts(pick, wanted) if value.text and not pick.drops(value.text)]
    as_kind = _as_urls if wanted.are_urls(pick) else _as_dates
    picked = _taken(wanted.take(pick), as_kind(pick, kept, wanted))
    if not wanted.is_link or (picked and not wanted.kind.many):
        return Picked(picked)
    return Picked(picked, [value.text for value in kept if _OTHER_SCHEME.match(value.text)])


class _AskedPick(NamedTuple):
    """A pick, and the page or item that it is asked of."""

    pick: Pick
    context: PageContext


def _lacks_needed(asked: _AskedPick) -> bool:
    return asked.pick.when is not None and not selected_on(asked.context.page, asked.pick.when)


_NOT_ASKED: tuple[Check[_AskedPick], ...] = (
    Check(
        "a whole page is nobody's value", lambda asked: asked.pick.only_drops and not asked.context.is_item
    ),
    Check("`when` is not on the page", _lacks_needed),
    Check("`unless` is on the page", lambda asked: bool(selected_on(asked.context.page, asked.pick.unless))),
)
"""Reasons why a pick gives nothing."""


def _applies(pick: Pick, context: PageContext) -> bool:
    return not first_reason(_NOT_ASKED, _AskedPick(pick, context))


def _texts(pick: Pick, wanted: _Wanted) -> list[PickedValue]:
    """Return the values after the steps that change their texts."""
    is_url = wanted.are_urls(pick)
    tidy = str.strip if is_url else squeeze
    sources = islice(texts_of(pick, wanted.context, is_url=is_url), _MOST_VALUES)
    values = [value.now(tidy(value.text)) for value in sources]
    for key, step in _TEXT_STEPS.items():
        rule = getattr(pick, key)
        if rule is not None:
            values = [value.now(tidy(text)) for value in values for text in step(rule, value.text)]
    return values


def _captured(pattern: Pattern, text: str) -> tuple[str, ...]:
    captured = pattern.captured(text)
    return () if captured is None else (captured,)


def _replaced(replacements: Iterable[tuple[Pattern, str]], text: str) -> tuple[str]:
    for pattern, replacement in replacements:
        text = pattern.sub(replacement, text)
    return (text,)


_TEXT_STEPS: Mapping[str, Callable[[Any, str], Iterable[str]]] = {
    "split": lambda pattern, text: pattern.split(text),
    "match": _captured,
    "replace": _replaced,
    "map": lambda table, text: (table.get(text, text),),
}
"""Keys of a pick that make any number of texts of one, in the order of the steps."""


def _made(pick: Pick, value: PickedValue) -> PickedValue:
    """Return the address that is built of a value, or else the value itself."""
    template = pick.make_url
    return value if template is None else value.now(template.fill({"value": value.text}))


def _as_urls(pick: Pick, values: Iterable[PickedValue], wanted: _Wanted) -> list[PickedValue]:
    """Return values as addresses; a text that is no address is left out, and so is a link to the page
    itself."""
    page = wanted.context.page
    base = pick.base or wanted.context.base_of_links
    urls = []
    for value in values:
        url = web_link(base, value.text, encoding=page.encoding)
        if url is not None and not value.text.startswith("#"):
            urls.append(value.now(url))
    return [value for value in urls if not page.is_at(value.text)] if wanted.is_link else urls


def _as_dates(pick: Pick, values: list[PickedValue], wanted: _Wanted) -> list[PickedValue]:
    """Return values as dates, if they are such; what cannot be read is left out."""
    if not pick.date and wanted.kind.holds is not Holds.DATE:
        return values
    dates = [(value, _dated(pick, value, wanted.context)) for value in values]
    return [_with_date(value, date) for value, date in dates if date is not None]


def _with_date(value: PickedValue, date: ReadDate) -> PickedValue:
    """Return a value as a date, with the words that readers of the page see of it."""
    return value.now(date.value, date.written if value.is_seen else "")


def _dated(pick: Pick, value: PickedValue, context: PageContext) -> ReadDate | None:
    """Return a date as ISO 8601; without a `date` rule a short text that cannot be read stays as it is."""
    as_written = ReadDate(value.text, value.text)
    if not pick.date and _ISO_MOMENT.fullmatch(value.text):
        return as_written
    formats, circumstances = pick.date or UNASKED_DATES, _circumstances(context)
    date = find_date(formats, value.text, **circumstances)
    if date is None and _AUTO in formats:
        date = _beside_or_age(value, circumstances, may_be_age=bool(pick.date) and context.page.is_dated)
    return as_written if date is None and not pick.date and len(value.text) <= LONGEST_WRITTEN else date


def _beside_or_age(
    value: PickedValue, circumstances: Mapping[str, Any], *, may_be_age: bool
) -> ReadDate | None:
    """Return the date that an element states for machines beside a text that is none, else the age that the
    text is."""
    stated = date_stated_in(value.node) if value.is_seen and is_element(value.node) else ""
    date = find_date((_AUTO,), stated, **circumstances)
    if date is None and may_be_age:
        return find_relative(value.text, **circumstances)
    return date._replace(written="") if date else None


def _circumstances(context: PageContext) -> dict[str, Any]:
    """Return what a date depends on beside its text."""
    return {"language": context.language, "timezone": context.portal.timezone, "now": context.page.date}


def _taken(take: Take, values: list[PickedValue]) -> list[PickedValue]:
    """Return what `take` takes, each once."""
    if take in ("min", "max"):
        return sorted(values, key=_size_among(values), reverse=take == "max")[:1]
    # only now: the last link of a pager is often the second one to its page
    return _each_once(chosen(values, take))


def _size_among(values: Iterable[PickedValue]) -> Callable[[PickedValue], Any]:
    """Return by what values are compared: by number, if all are numbers."""
    are_numbers = all(_DECIMAL.fullmatch(value.text) for value in values)
    return _number if are_numbers else attrgetter("text")


def _number(value: PickedValue) -> float:
    return float(value.text)


def unread_date(picks: Picks, context: PageContext) -> tuple[str, str] | None:
    """Return the text at which picks of dates point, if none of them gives a date, and their patterns."""
    dated = [pick for pick in picks.each() if pick.date]
    undated = Picks(alternatives=tuple(replace(pick, date=()) for pick in dated))
    unread = pick_values(undated, context, TEXT).values
    if not unread or pick_values(picks, context, TEXT).values:
        return None
    return unread[0].text, ", ".join(f"`{form.text}`" for pick in dated for form in pick.date)
