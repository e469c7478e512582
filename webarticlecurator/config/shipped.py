"""The portals and presets that come with the program, as a list: their files are read without being checked,
which takes a hundred times as long."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from webarticlecurator import resources
from webarticlecurator.amounts import amount
from webarticlecurator.config.spoken_names import Named, countries, named_by
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import folded
from webarticlecurator.urls import bare_host, is_http

_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Reads all scalars as texts."""
_MOST_NEAR = 3
"""Names that may be meant by a word, and are told."""
_NEARLY_ALIKE = 0.7
"""The least likeness of a name to a word that may mean it, of 1."""
_FEWEST_LETTERS = 3
"""Letters of a word that is looked for within names."""
_WORD = linear(r"\w+")


class ShippedPortal(NamedTuple):
    """A portal or a preset that came with the program."""

    name: str
    title: str
    country: str = ""
    """Its name in English; empty of presets."""
    languages: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    """Names of its lists, those of the newest articles first where a program knows them."""
    lists: tuple[str, ...] = ()
    """Where its articles are listed: in a sitemap, a feed, one of news alone, in pages of the portal."""
    since: str = ""
    """First day of lists that have a date in their address; empty where none has."""
    known: str = ""
    """From where its file knows what it says."""
    date: str = ""
    """Last day on which that was so."""
    rights: str = ""
    """Licence, or statement of its rights."""
    file: str = ""
    home: str = ""
    """The address of its home page; empty of presets."""

    @property
    def words(self) -> tuple[str, ...]:
        """Return the words of its name and its title, as they are compared."""
        return tuple(map(folded, _WORD.findall(f"{self.name} {self.title}")))

    def begins_with(self, words: Sequence[str]) -> bool:
        """Say whether words stand in its name, its title or its country one after the other: the last of them
        may be the beginning of one."""
        own = (*self.words, *map(folded, self.country.split()))
        return bool(words) and f" {' '.join(words)}" in f" {' '.join(own)}"

    def is_at(self, host: str) -> bool:
        """Say whether its home page is on a host, or on one above or below that."""
        if not (self.home and host):
            return False
        own = bare_host(self.home)
        return own == host or own.endswith(f".{host}") or host.endswith(f".{own}")


class Selection(NamedTuple):
    """The portals and presets that all words fit."""

    portals: Sequence[ShippedPortal]
    meanings: Mapping[str, str]
    """Words that name a country or a language -> which, in words."""
    near: Sequence[str] = ()
    """Names that may have been meant, where nothing fits."""


@cache
def shipped() -> Sequence[ShippedPortal]:
    """Return all portals by country and name, then the presets."""
    portals = [_portal(name, path) for name, path in resources.shipped_portals().items()]
    presets = [_preset(path) for path in sorted(resources.presets().glob("*.yaml"))]
    return (*sorted(portals, key=lambda portal: (portal.country, portal.name)), *presets)


def fitting(words: Iterable[str]) -> Selection:
    """Return the portals and presets that all words fit. A word may name a country or a language, or be an
    address; any other stands at the beginning of a word of a name or title."""
    fit, meanings, near = list(shipped()), {}, list[str]()
    for word in words:
        meaning = named(word)
        those = {portal.name for portal in shipped() if _fits(portal, word, meaning)}
        fit = [portal for portal in fit if portal.name in those]
        if any(meaning):
            meanings[word] = str(meaning)
        elif not those:
            near += near_names(word)
    return Selection(fit, meanings, near)


def named(word: str) -> Named:
    """Return the countries and languages that a word names."""
    return named_by(word, chain.from_iterable(portal.languages for portal in shipped()))


def _fits(portal: ShippedPortal, word: str, meaning: Named) -> bool:
    """Say whether a word fits a portal; one that names a country or a language is else a whole word of a name
    or title."""
    if any(meaning):
        return meaning.has(portal.country, portal.languages) or folded(word) in portal.words
    if "." in word and portal.is_at(bare_host(word)):
        return True
    return portal.begins_with([*map(folded, _WORD.findall(word))])


def of_address(url: str) -> Sequence[str]:
    """Return the names of the portals whose home page is on the host of an address, or near it."""
    return [portal.name for portal in shipped() if is_http(url) and portal.is_at(bare_host(url))]


def near_names(word: str) -> list[str]:
    """Return the names of portals that may be meant by a word: those in whose name, title or address it
    stands, else those that are written nearly like that; and a country that is nearly called so."""
    key = folded(word)
    portals = [portal for portal in shipped() if portal.country and key]
    begin = [portal.name for portal in portals if portal.begins_with([key])]
    at_home = [portal.name for portal in portals if word.casefold() in bare_host(portal.home).split(".")]
    inside = [portal.name for portal in portals if key in "".join(portal.words)]
    inside = inside if len(key) >= _FEWEST_LETTERS else []
    if begin or at_home:
        return _first(begin, at_home, inside)
    names = {folded(country.name): country.name for country in countries().values()}
    names |= {folded(portal.name): portal.name for portal in portals}
    close = get_close_matches(key, names, n=_MOST_NEAR, cutoff=_NEARLY_ALIKE)
    return _first(map(names.__getitem__, close), inside)


def _first(*names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(chain(*names)))[:_MOST_NEAR]


def _portal(name: str, path: Path) -> ShippedPortal:
    said = yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER)  # texts alone
    lists = _lists(said)
    columns = list(lists.values())
    known, rights = said.get("known", {}), said.get("publisher", {}).get("rights", {})
    return ShippedPortal(
        name=name,
        title=said.get("title", name),
        country=_country(path, said.get("timezone", "")),
        languages=_each_once(said.get("language", ""), *(column.get("language", "") for column in columns)),
        columns=tuple(lists),
        lists=_each_once(*map(_kind_of_list, lists, columns)),
        since=_since(columns, known.get("date", "")),
        known=", ".join(_each_once(known.get("source", ""), _tested(resources.tests_of(path)))),
        date=known.get("date", ""),
        rights=rights.get("licence", "") or rights.get("statement", ""),
        file=str(path),
        home=said.get("home", ""),
    )


def _country(path: Path, timezone: str) -> str:
    """Return the country in whose folder a portal file lies; where it lies in none, that of its time zone."""
    by_folder, by_zone = _names_of_countries()
    folder = path.relative_to(resources.site_configs()).parts[1]
    return by_folder.get(folder) or by_zone.get(timezone, "elsewhere")


@cache
def _names_of_countries() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the names of countries by their folders, and by their time zones."""
    known = countries().values()
    by_zone = {country.timezone: country.name for country in known if country.timezone}
    return {country.folder: country.name for country in known}, by_zone


def _lists(said: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return each column as a mapping by its name, with what `archive` says of all of them."""
    archive, columns = said.get("archive", {}), said.get("columns", {"archive": {}})
    if not isinstance(columns, dict):
        return dict.fromkeys(columns, archive)
    return {
        name: {**archive, **rules} if isinstance(rules, dict) else archive for name, rules in columns.items()
    }


def _kind_of_list(name: str, column: Mapping[str, Any]) -> str:
    """Return what kind of list a column is: a word for pages, else how it is called ("news" of "news-de")."""
    return name.partition("-")[0] if column.get("format") in ("feed", "sitemap") else "pages"


def _since(columns: Iterable[Mapping[str, Any]], known: str) -> str:
    """Return the first day of lists by date; those that begin with the day of the knowledge tell nothing of
    the past."""
    days = {column.get("dates", {}).get("from", "") for column in columns} - {"", known}
    return min(days, default="")


def _each_once(*texts: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, texts)))


def _tested(tests: Path) -> str:
    """Return how many pages the rules are held against."""
    if not tests.is_file():
        return ""
    pages = f"\n{tests.read_text(encoding='utf-8')}".count("\n- url:")
    return f"tested on {amount(pages, 'page')}"


def _preset(path: Path) -> ShippedPortal:
    """Return a preset, with the first sentence of its comment."""
    comment = path.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")
    return ShippedPortal(path.stem, comment.partition(":")[0].partition(". ")[0], file=str(path))
