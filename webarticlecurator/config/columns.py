"""The archive side: `archive` and `columns` to columns with all defaults filled in, and what cannot be meant
together in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import NamedTuple

from webarticlecurator import resources
from webarticlecurator.config import scalars, yaml_reading
from webarticlecurator.config.contradictions_in_column import LACKS, Contradiction, contradictions
from webarticlecurator.config.dates_of_column import read_dates
from webarticlecurator.config.fetch_rules import in_steps, read_rendering
from webarticlecurator.config.gaps_in_dates import gaps_in_dates
from webarticlecurator.config.keys import closest, read_keys
from webarticlecurator.config.merge import FILLED_IN, as_mapping, merge, mode_of, without
from webarticlecurator.config.picks import read_picks
from webarticlecurator.config.portal import COLUMN, ArchiveFormat, Column, Paging, PagingMode, StopRules
from webarticlecurator.config.rules_digest import digest_of, rule_lines
from webarticlecurator.config.sample_urls import SAMPLE_DAY, filled, sample_url
from webarticlecurator.config.scalars import NodeCompiler
from webarticlecurator.config.template import HOME, UrlTemplate, placeholders
from webarticlecurator.config.yaml_reading import (
    FilePlace,
    ListNode,
    MapNode,
    ScalarNode,
    YamlNode,
    entries,
    is_null,
    mapping,
    text,
)
from webarticlecurator.model.capture import Rendering
from webarticlecurator.own_patterns import linear

ALONE = "archive"
"""Name of the only column of an archive without `columns`."""
_MOST_LISTED = 8


class _NamedRules(NamedTuple):
    """A column as it is written: its rules are merged with those of `archive`."""

    name: str
    place: FilePlace
    rules: MapNode


class _SoundColumn(NamedTuple):
    """A column without mistakes, and where it is written."""

    column: Column
    place: FilePlace
    url: FilePlace | None
    """The place of its address."""


def read_columns(
    compiler: NodeCompiler, root: MapNode, own: MapNode
) -> tuple[Column | None, tuple[Column, ...]]:
    """Return the defaults as a column, and the columns; `own` is the portal file without what it extends."""
    archive = mapping(root.get("archive"))
    ways = archive.get("ways")
    named_by = (
        node for node in (root.get("columns"), ways) if isinstance(node, ListNode) or mapping(node).entries
    )
    columns = next(named_by, None)
    if columns is None:
        is_archive = root.get("archive") is not None and (
            archive.get("url") is not None or own.get("archive") is not None
        )
        alone = (
            _read(compiler, [_NamedRules(ALONE, archive.place, archive)], (ALONE,), root)
            if is_archive
            else []
        )
        return next(iter(alone), None), tuple(alone)
    if ways is not None and archive.get("url") is not None:
        compiler.note(
            archive.keys["ways"],
            "`url` and `ways` stand side by side; make the `url` one of the ways, or delete one of the two",
        )
    named = [
        _NamedRules(name, place, merge(without(archive, "ways"), rules, COLUMN))
        for name, (place, rules) in _overrides(compiler, columns).items()
    ]
    if columns is ways:
        names = tuple(written.name for written in named)
        read = [replace(column, ways=names) for column in _read(compiler, named, ("archive", "ways"), root)]
    else:
        read = _read(compiler, named, ("columns",), root)
    if root.get("archive") is None:
        return None, tuple(read)
    # for pages that fit no column's URL; each column has already reported the mistakes in it
    defaults = _column(NodeCompiler(compiler.language, variables=compiler.variables), ALONE, archive, root)
    return defaults, tuple(read)


def _without_rules(name: str, columns: MapNode) -> str:
    """Return what is said of a column that is null, as one of an extended file may be that is left out, where
    none is called so."""
    others = tuple(other for other, rules in columns.entries.items() if not is_null(rules))
    close = closest(name, others)
    meant = f"did you mean `{close}: null`, which leaves that one out? Else " if close else ""
    empty = f"write `{name}: {{}}` for one that changes nothing, or delete the line"
    return f"the column {name!r} is empty; {meant}{empty}"


def _overrides(compiler: NodeCompiler, columns: YamlNode) -> dict[str, tuple[FilePlace, MapNode]]:
    """Return the place and the rules of each column by its name, whether they are a list of names or have
    rules of their own."""
    overrides: dict[str, tuple[FilePlace, MapNode]] = {}
    names = (
        [item for item in columns.items if isinstance(item, ScalarNode)]
        if isinstance(columns, ListNode)
        else []
    )
    for item in names:
        if item.text in overrides:
            compiler.note(item.place, f"the column {item.text!r} stands twice; keep one")
        else:
            overrides[item.text] = (item.place, MapNode(item.place, {}, {}))
    for name, value in mapping(columns).entries.items():
        place = mapping(columns).keys[name]
        if is_null(value):
            compiler.note(place, _without_rules(name, mapping(columns)))
        else:
            overrides[name] = (place, as_mapping(value, "url"))
    return overrides


@dataclass(slots=True)
class _Noted:
    """Mistakes that several columns may inherit from one place, each told once."""

    sentences: dict[tuple[FilePlace | None, str], tuple[FilePlace, str, list[str]]] = field(
        default_factory=dict
    )
    """Place and sentence, and the columns that it is said of, by the place where it can be mended."""
    number: int = 0
    """The number of times that a mistake was noted."""

    def add(self, name: str, where: FilePlace, sentence: str, *, is_lacking: bool = False) -> None:
        """Note what is wrong with a column; what is lacking has no place of its own, and by addresses alone
        sentences are no others."""
        alike = (None if is_lacking else where, linear(r"https?://\S+").sub("", sentence))
        self.sentences.setdefault(alike, (where, sentence, []))[2].append(name)
        self.number += 1

    def tell(self, compiler: NodeCompiler) -> None:
        for where, sentence, names in self.sentences.values():
            compiler.note(where, sentence if names == [ALONE] else f"{sentence} ({_called(names)})")


def _read(
    compiler: NodeCompiler, named: Sequence[_NamedRules], parts: tuple[str, ...], root: MapNode
) -> list[Column]:
    """Return the columns; what is wrong with what several of them inherit is told once. `parts`: the keys
    that they stand under."""
    values = {written.name: _variables(written.rules) for written in named}
    known = set(chain.from_iterable(values.values()))
    columns, sound, noted = list[Column](), list[_SoundColumn](), _Noted()
    for written in named:
        before = len(compiler.mistakes)
        is_whole = not compiler.has_lost("archive") and not compiler.has_lost(*parts, written.name)
        own_values = values[written.name]
        for asked, where in _values_lacking(compiler, written, parts, own_values, known).items():
            own_values[asked] = written.name  # so that nothing else is said of its templates
            if where is not None:
                noted.add(
                    written.name,
                    where,
                    f"{{{asked}}} has no value; give one to each column: `vars: {{{asked}: ...}}`",
                )
        of_column = noted.number
        column = _read_one(
            replace(compiler, variables={**compiler.variables, **own_values}),
            written,
            root,
            noted,
            is_whole=is_whole,
        )
        columns += [column] if column is not None else []
        if column is not None and len(compiler.mistakes) == before and noted.number == of_column:
            sound.append(_SoundColumn(column, written.place, written.rules.keys.get("url")))
    noted.tell(compiler)
    if parts == ("columns",):
        _check_columns(compiler, sound)
    _warn_of_gaps(compiler, sound)
    return columns


def _read_one(
    compiler: NodeCompiler, written: _NamedRules, root: MapNode, noted: _Noted, *, is_whole: bool
) -> Column | None:
    """Return a column, and note what contradicts itself in it; None where it has no address. `is_whole`:
    nothing of it was refused."""
    name, rules = written.name, written.rules
    if is_whole and rules.get("url") is None:
        where_to = "here" + ("" if name == ALONE else " or in `archive`")
        _note(noted, written, (LACKS, f"the URL of the archive pages is missing; give `url` {where_to}"))
        return None
    column = _column(compiler, name, rules, root)
    has_address = column.template.text or rules.get("url") is None
    for contradiction in contradictions(column, rules) if is_whole and has_address else ():
        _note(noted, written, contradiction)
    return column


def _variables(rules: MapNode) -> dict[str, str]:
    return {
        key: str(text(node))
        for key, node in entries(rules.get("vars")).items()
        if isinstance(node, ScalarNode)
    }


def _values_lacking(
    compiler: NodeCompiler,
    written: _NamedRules,
    parts: tuple[str, ...],
    values: Mapping[str, str],
    known: set[str],
) -> dict[str, FilePlace | None]:
    """Return the placeholders of a column that others have values for, and where they stand; no place where
    its own value was refused."""
    lacking = dict[str, FilePlace | None]()
    for asked, where in _asked_for(written.rules):
        is_refused = compiler.has_lost(*parts, written.name, "vars", asked)
        if asked not in values and asked not in lacking and (asked in known or is_refused):
            lacking[asked] = None if is_refused else where
    return lacking


def _note(noted: _Noted, written: _NamedRules, contradiction: Contradiction) -> None:
    """Note a contradiction at the key that it is about; one about what is lacking, at the address."""
    key, sentence = contradiction
    is_lacking = key == LACKS
    where = written.rules.keys.get("url" if is_lacking else key, written.place)
    noted.add(written.name, where, sentence, is_lacking=is_lacking)


def _warn_of_gaps(compiler: NodeCompiler, sound: Sequence[_SoundColumn]) -> None:
    places = {written.column.name: written.place for written in sound}
    for first, last, name in gaps_in_dates([written.column for written in sound]):
        nothing = f"nothing is asked for from {first} to {last}, but before and after that"
        compiler.warn(
            places[name],
            f"{nothing}; if there are articles, let one column begin where the one before it ends",
        )


def _asked_for(rules: MapNode) -> Iterator[tuple[str, FilePlace]]:
    """Yield the placeholders in all that is filled in like the URL."""
    for scalar in chain.from_iterable(yaml_reading.scalars_in(rules.get(key)) for key in FILLED_IN):
        yield from ((name, scalar.place) for name in placeholders(scalar.text))


def _called(columns: Sequence[str]) -> str:
    more = f" and {len(columns) - _MOST_LISTED} more" if len(columns) > _MOST_LISTED else ""
    return f"the column{'s' if len(columns) > 1 else ''} {', '.join(columns[:_MOST_LISTED])}{more}"


def _column(compiler: NodeCompiler, name: str, rules: MapNode, root: MapNode) -> Column:
    """Return a column; `rules` are its own, merged with those of `archive`."""
    language = compiler.parse(rules.get("language"), scalars.language) or compiler.language
    compiler = replace(compiler, language=language, in_json=text(rules.get("format")) in ("json", "feed"))
    template, mode = compiler.template(rules.get("url")), PagingMode(mode_of(rules))
    of_preset = {
        key for key, node in entries(rules).items() if node.place.file.is_relative_to(resources.presets())
    }
    column = read_keys(
        compiler,
        Column,
        rules,
        name=name,
        template=template or UrlTemplate.parse(""),
        paging=_paging(compiler, rules, mode),
        next=read_picks(compiler, rules.get("next"), "archive.next")
        if mode is PagingMode.NEXT_LINK
        else None,
        next_of_preset="next" in of_preset,
        stop=_stop_rules(compiler, rules),
    )
    dates = (
        read_dates(compiler, rules.get("dates"), (template, *column.request.templates))
        if rules.get("dates") is not None and template is not None
        else None
    )
    rendering = _rendering(compiler, column, mode, root.get("fetch"), rules.get("fetch"))
    fields = entries(rules.get("fields"))
    return replace(
        column,
        dates=dates,
        rendering=rendering,
        rules=digest_of(_lines_of_rules(compiler, replace(column, rendering=rendering), rules, root)),
        field_rules=" ".join(
            f"{name}:{digest_of(rule_lines(fields[name], ''))[:6]}" for name in sorted(fields)
        ),
    )


def _paging(compiler: NodeCompiler, rules: MapNode, mode: PagingMode) -> Paging:
    """Return how pages are counted; behind a first one that is written out, those that are counted begin with
    the next number."""
    pages = as_mapping(rules.get("pages"), "mode")
    paging = read_keys(compiler, Paging, pages, mode=mode, stated=pages.get("mode") is not None)
    if paging.first is None or pages.get("start") is not None:
        return paging
    is_number = paging.first.isascii() and paging.first.isdigit()
    return replace(paging, start=int(paging.first) + 1 if is_number else 2)


def _stop_rules(compiler: NodeCompiler, rules: MapNode) -> StopRules:
    """Return where a walk ends; without dates, and if nothing else is said, after pages of known articles."""
    stop = rules.entries.get("stop")
    walks_all = stop is not None and is_null(stop)
    return read_keys(compiler, StopRules, stop, at_known=not walks_all and rules.get("dates") is None)


def _rendering(
    compiler: NodeCompiler, column: Column, mode: PagingMode, of_portal: YamlNode | None, own: YamlNode | None
) -> Rendering | None:
    """Return how a browser shows its pages; only what is asked for by GET, and is HTML, is shown by one."""
    rendering = read_rendering(compiler, of_portal, own)
    if rendering is None or column.format is not ArchiveFormat.HTML or column.request.method != "GET":
        return None
    if not mode.in_steps:
        return rendering
    return in_steps(rendering, scrolled=mode is PagingMode.SCROLL, button=column.paging.button)


def _lines_of_rules(compiler: NodeCompiler, column: Column, rules: MapNode, root: MapNode) -> Iterator[str]:
    """Yield the rules after merging, what files and `{home}` in them stand for, and `articles.skip`, which
    refuses links, too."""
    yield from rule_lines(rules, "")
    if any(name == HOME for name, _ in _asked_for(rules)):
        yield f"home {compiler.variables[HOME]}"
    yield from sorted(f"map {old} {new}" for old, new in column.urls.map.items())
    rendering = column.rendering
    if rendering is not None:
        yield f"shown {rendering.wait} {rendering.scroll and rendering.scroll.until} {rendering.click}"
    skip = mapping(root.get("articles")).get("skip")
    if skip is not None:
        yield from rule_lines(skip, "skip")


class _Twins(NamedTuple):
    """Columns that begin with the same page."""

    place: FilePlace
    columns: list[Column]


def _check_columns(compiler: NodeCompiler, columns: Sequence[_SoundColumn]) -> None:
    """Check that no two columns ask for the same first page; those that inherit one URL are told of
    together."""
    seen: dict[tuple[str, ...], _SoundColumn] = {}
    twins: dict[tuple[FilePlace, str], _Twins] = {}
    for written in columns:
        asked = _first_request(written.column)
        earlier = seen.setdefault(asked, written)
        if earlier is not written:
            inherits = written.url is not None and written.url == earlier.url
            where = written.url if inherits and written.url is not None else written.place
            twins.setdefault((where, asked[0]), _Twins(written.place, [earlier.column])).columns.append(
                written.column
            )
    for (_, page), alike in twins.items():
        names = _called([column.name for column in alike.columns])
        lead_on = all(column.sections is not None for column in alike.columns)
        hint = (
            "one column with both selectors in its `sections` walks all of them"
            if lead_on
            else "is {column} missing?"
        )
        compiler.note(alike.place, f"{names} begin with the same page, {page}; {hint}")


def _first_request(column: Column) -> tuple[str, ...]:
    """Return the URL and the rest of the request of the first page, and for which dates it is one."""
    first, dates = column.paging.value_at(0) or "", column.dates
    return (
        sample_url(column, first),
        *(filled(part, column, first, SAMPLE_DAY) for part in column.request.templates),
        f"{dates.start} {dates.until}" if dates is not None else "",
    )
