"""The values that the picks of a portal find in a page, or in one item of it.

when, unless -> where -> having, page_number -> text -> split ... drop -> route -> URL or date -> take
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import islice
from typing import Any

from webarticlecurator.config.fields import FIELDS, Field, Holds
from webarticlecurator.config.picks import AllOf, Pick, Picks, Take
from webarticlecurator.dates import LONGEST_WRITTEN, DateFormat, ReadDate, find_date, find_relative
from webarticlecurator.extraction.page_context import PageContext as PageContext
from webarticlecurator.extraction.page_context import PageNode as PageNode
from webarticlecurator.extraction.page_context import is_element as is_element
from webarticlecurator.extraction.picked_nodes import chosen, nodes_of
from webarticlecurator.extraction.picked_texts import PickedValue as PickedValue
from webarticlecurator.extraction.picked_texts import texts_at_place, texts_of_nodes
from webarticlecurator.model.metadata import Found
from webarticlecurator.own_patterns import linear_at
from webarticlecurator.text import squeeze, visible
from webarticlecurator.urls import web_link

_OTHER_SCHEME = linear_at(r"(?!https?:)[A-Za-z][A-Za-z0-9+.-]*:", re.IGNORECASE)
_ISO_MOMENT = linear_at(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)")
_DECIMAL = linear_at(r"-?\d+(?:\.\d+)?")
UNASKED_DATES = (DateFormat.parse("iso"), DateFormat.parse("auto"))
"""How dates are read of which no rule says how they are written."""
TEXT = Field()
"""A field whose values are taken as they are."""
_MOST_VALUES = 50_000
"""Of one pick."""


@dataclass(frozen=True, slots=True)
class Picked:
    """What a pick gave."""

    values: list[PickedValue] = field(default_factory=list)
    routed: dict[str, list[PickedValue]] = field(default_factory=dict)
    """Values that belong to another field."""
    elsewhere: list[str] = field(default_factory=list)
    """Links out of the web (ftp:, mailto:), where nothing else was found or all links were wanted."""


def pick_fields(fields: Mapping[str, Picks], context: PageContext) -> dict[str, tuple[Found, ...]]:
    """Return fields by name, each with its chosen values.

    Values that a pick routes elsewhere come after that field's own.
    """
    own: list[tuple[str, str, list[PickedValue]]] = []
    routed: list[tuple[str, str, list[PickedValue]]] = []
    for name, picks in fields.items():
        picked = pick_values(picks, context, FIELDS.get(name, TEXT))
        source = next((pick.source for pick in picks.each()), name)
        own.append((name, source, picked.values))
        routed.extend((other, source, values) for other, values in picked.routed.items())
    found: dict[str, dict[str, Found]] = {}
    for name, source, values in (*own, *routed):
        distinct = found.setdefault(name, {})
        for value in values:
            text = visible(value.text)
            distinct.setdefault(text, Found(value=text, raw=value.raw, source=source, written=value.written))
    return {name: tuple(distinct.values()) for name, distinct in found.items() if distinct}


def pick_values(picks: Picks | AllOf | Pick, context: PageContext, kind: Field, *, is_link: bool = False) -> Picked:
    """Return the values after all steps: of a pick, of the first alternative that gives any, or of several united.

    `kind`: what they are for. `is_link`: to be followed, so that the page itself is no value.
    """
    if isinstance(picks, Pick):
        return _values_of(picks, _Wanted(context, kind, is_link))
    if isinstance(picks, AllOf):
        return _united([pick_values(one, context, kind, is_link=is_link) for one in picks.picks])
    elsewhere: list[str] = []
    with context.page.budget:
        for alternative in picks.alternatives:
            picked = pick_values(alternative, context, kind, is_link=is_link)
            if picked.values or picked.routed:
                return picked
            elsewhere += picked.elsewhere
    return Picked(elsewhere=elsewhere)


def _united(parts: Iterable[Picked]) -> Picked:
    """Return the values of several picks as those of one, each once."""
    united: dict[str, PickedValue] = {}
    whole = Picked()
    for picked in parts:
        whole.elsewhere.extend(picked.elsewhere)
        for value in picked.values:
            united.setdefault(value.text, value)
        for name, others in picked.routed.items():
            whole.routed.setdefault(name, []).extend(others)
    return replace(whole, values=list(united.values()))


def pick_links(picks: Picks, context: PageContext, *, many: bool) -> Picked:
    """Return links to follow."""
    return pick_values(picks, context, Field(Holds.URL, many), is_link=True)


def pick_nodes(picks: Picks | AllOf | Pick, context: PageContext) -> list[PageNode]:
    """Return the elements or items that picks point at, each once: all, unless `take` says otherwise."""
    if isinstance(picks, Pick):
        nodes = _distinct(nodes_of(picks, context)) if _applies(picks, context) else []
        return chosen(nodes, "all" if picks.take is None else picks.take)
    if isinstance(picks, AllOf):
        return _distinct(node for one in picks.picks for node in pick_nodes(one, context))
    with context.page.budget:
        for alternative in picks.alternatives:
            nodes = pick_nodes(alternative, context)
            if nodes:
                return nodes
    return []


def _distinct(nodes: Iterable[PageNode]) -> list[PageNode]:
    """Return each once: items of JSON are compared by identity, for they may be equal and still be two."""
    return list({id(node): node for node in nodes}.values())


# --- the steps of one pick ---


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Where values are looked for, and what for."""

    context: PageContext
    kind: Field = TEXT
    is_link: bool = False
    """They are to be followed, so that the page itself is no value."""

    def are_urls(self, pick: Pick) -> bool:
        """Say whether the values of a pick are addresses."""
        return self.kind.holds is Holds.URL or pick.make_url is not None or pick.base is not None

    def take(self, pick: Pick) -> Take:
        """Return which of the values are taken."""
        usual: Take = "all" if self.kind.many else "first"
        return usual if pick.take is None else pick.take


def _values_of(pick: Pick, wanted: _Wanted) -> Picked:
    context = wanted.context
    if not _applies(pick, context) or (pick.only_drops and not context.is_item):  # a whole page is nobody's value
        return Picked()
    stay, routed = _routed(pick, _texts(pick, wanted))
    finished = _as_urls(pick, stay, wanted) if wanted.are_urls(pick) else _as_dates(pick, stay, wanted)
    picked = _taken(wanted.take(pick), finished)
    others = {name: _taken("all", _as_dates(pick, _made(pick, values), _Wanted(context))) for name, values in routed.items()}
    tells_elsewhere = wanted.is_link and (wanted.kind.many or not picked)
    return Picked(
        picked,
        others,
        [value.text for value in stay if _OTHER_SCHEME.match(value.text)] if tells_elsewhere else [],
    )


def _applies(pick: Pick, context: PageContext) -> bool:
    """Say whether `when` is on the page and `unless` is not."""
    tree = context.page.tree
    if tree is None:
        return pick.when is None
    has_needed = pick.when is None or bool(pick.when.select(tree))
    return has_needed and (pick.unless is None or not pick.unless.select(tree))


def _texts(pick: Pick, wanted: _Wanted) -> list[PickedValue]:
    """Return the values after the steps that change their texts."""
    is_url = wanted.are_urls(pick)
    sources = texts_at_place(pick, wanted.context) if pick.has_texts else texts_of_nodes(pick, wanted.context, is_url=is_url)
    tidy = str.strip if is_url else squeeze
    values = [value.now(tidy(value.text)) for value in islice(sources, _MOST_VALUES)]
    for step in _text_steps(pick):
        values = [value.now(tidy(text)) for value in values for text in step(value.text)]
    return values


def _text_steps(pick: Pick) -> Iterator[Callable[[str], Iterable[str]]]:
    """Give what makes any number of texts of one, in order."""
    if pick.split is not None:
        yield pick.split.split
    if (pattern := pick.match) is not None:
        yield lambda text: () if (captured := pattern.captured(text)) is None else (captured,)
    if pick.replace:
        yield lambda text: (reduce(lambda replaced, pair: pair[0].sub(pair[1], replaced), pick.replace, text),)
    if table := pick.map:
        yield lambda text: (table.get(text, text),)


def _routed(pick: Pick, values: Iterable[PickedValue]) -> tuple[list[PickedValue], dict[str, list[PickedValue]]]:
    """Return the values that stay, and those that another field gets; without those that are dropped."""
    stay: list[PickedValue] = []
    routed: dict[str, list[PickedValue]] = {}
    for value in values:
        if value.text and not pick.drops(value.text):
            route = _route(pick, value.text)
            (stay if route is None else routed.setdefault(route, [])).append(value)
    return stay, routed


def _route(pick: Pick, text: str) -> str | None:
    """Return the field that gets a value."""
    for name, patterns in (pick.route or {}).items():
        if any(pattern.search(text) for pattern in patterns):
            return name
    return None


def _made(pick: Pick, values: list[PickedValue]) -> list[PickedValue]:
    """Return the addresses that are built of values, or else these themselves."""
    template = pick.make_url
    return values if template is None else [value.now(template.fill({"value": value.text})) for value in values]


def _as_urls(pick: Pick, values: list[PickedValue], wanted: _Wanted) -> list[PickedValue]:
    """Return values as addresses; what is none is left out."""
    page = wanted.context.page
    base = pick.base or wanted.context.base_of_links
    urls = []
    for value in _made(pick, values):
        leads_on = bool(value.text) and not value.text.startswith("#")
        url = web_link(base, value.text, encoding=page.encoding) if leads_on else None
        if url is not None and not (wanted.is_link and page.is_at(url)):
            urls.append(value.now(url))
    return urls


def _as_dates(pick: Pick, values: list[PickedValue], wanted: _Wanted) -> list[PickedValue]:
    """Return values as dates, if they are such; what cannot be read is left out."""
    if not pick.date and wanted.kind.holds is not Holds.DATE:
        return values
    read = [(value, _dated(pick, value.text, wanted.context)) for value in values]
    return [value.now(date.value, date.written if _is_seen(pick, value, date) else "") for value, date in read if date is not None]


def _is_seen(pick: Pick, value: PickedValue, date: ReadDate) -> bool:
    """Say whether readers see the words of a date: in no attribute, and in nothing that only programs
    read."""
    if pick.attr or pick.meta or pick.head_link or not is_element(value.node):
        return False
    return value.node.tag != "script" and len(date.written) <= LONGEST_WRITTEN


def _dated(pick: Pick, text: str, context: PageContext) -> ReadDate | None:
    """Return a date as ISO 8601; without a `date` rule a short text that cannot be read stays as it is."""
    if not pick.date and _ISO_MOMENT.fullmatch(text):
        return ReadDate(text, text)
    language, timezone, now = context.language, context.portal.timezone, context.page.date
    read = find_date(pick.date or UNASKED_DATES, text, language=language, timezone=timezone, now=now)
    if read is None and any(pattern.text == "auto" for pattern in pick.date):
        read = find_relative(text, language=language, timezone=timezone, now=now)
    return read if read is not None or pick.date or len(text) > LONGEST_WRITTEN else ReadDate(text, text)


def _taken(take: Take, values: list[PickedValue]) -> list[PickedValue]:
    """Return what `take` takes, each once."""
    if take in ("min", "max"):
        return _outermost(take, values)
    # only now: the last link of a pager is often the second one to its page
    distinct: dict[str, PickedValue] = {}
    for value in chosen(values, take):
        distinct.setdefault(value.text, value)
    return list(distinct.values())


def _outermost(take: Take, values: list[PickedValue]) -> list[PickedValue]:
    """Return the least or the greatest value, by number if all are numbers."""
    are_numbers = all(_DECIMAL.fullmatch(value.text) for value in values)
    size: Callable[[PickedValue], Any] = (lambda value: float(value.text)) if are_numbers else (lambda value: value.text)
    outermost = min if take == "min" else max
    return [outermost(values, key=size)] if values else []


def unread_date(picks: Picks, context: PageContext) -> tuple[str, str] | None:
    """Return the text at which a pick of dates points, where its patterns read none, and these patterns."""
    dated = [pick for pick in picks.each() if pick.date]
    if not dated or pick_values(picks, context, TEXT).values:
        return None
    patterns = ", ".join(f"`{form.text}`" for pick in dated for form in pick.date)
    for pick in dated:
        values = pick_values(replace(pick, date=()), context, TEXT).values
        if values:
            return values[0].text, patterns
    return None
