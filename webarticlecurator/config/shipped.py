"""The portals and presets that come with the program, as a list: their files are read without being checked,
which takes a hundred times as long."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from webarticlecurator import resources
from webarticlecurator.amounts import amount
from webarticlecurator.dates.cldr import locale_of
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import primary

_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Reads all scalars as texts."""


class Country(NamedTuple):
    """A country that portals are of."""

    code: str
    timezone: str = ""
    """Empty of a country with several time zones, and of one that is not known here."""
    name: str = ""

    @property
    def folder(self) -> str:
        """Return the name of the folder of its newspapers."""
        return self.name.lower().replace(" ", "-")


@cache
def countries() -> Mapping[str, Country]:
    """Return the countries of countries.txt, by their codes; several codes may mean one."""
    lines = resources.read_word_lists(__file__, "countries.txt", r"\n")["countries"]
    parts = [line.split(maxsplit=2) for line in lines]
    return {code: Country(code, zone.removeprefix("-"), name) for code, zone, name in parts}


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

    def has(self, word: str) -> bool:
        """Say whether a word stands in its name, its title or its country, or names one of its languages."""
        is_language = word in chain.from_iterable(map(_names_of, self.languages))
        return is_language or any(word in text.casefold() for text in (self.name, self.title, self.country))

    def has_code(self, code: str) -> bool:
        """Say whether a code is that of one of its languages or of its country, or a whole word of its name
        or title."""
        words = linear(r"\w+").findall(f"{self.name} {self.title}".casefold())
        country = countries().get(code)
        return code in (*self.languages, *words) or (country is not None and country.name == self.country)


@cache
def _names_of(language: str) -> tuple[str, ...]:
    """Return the words of the names that a language has in English and in itself, as CLDR writes them."""
    names = (locale_of(tongue).languages.get(primary(language), "") for tongue in ("en", language))
    return tuple(chain.from_iterable(name.casefold().split() for name in names))


def shipped() -> list[ShippedPortal]:
    """Return all portals by country and name, then the presets."""
    portals = [_portal(name, path) for name, path in resources.shipped_portals().items()]
    presets = [_preset(path) for path in sorted(resources.presets().glob("*.yaml"))]
    return [*sorted(portals, key=lambda portal: (portal.country, portal.name)), *presets]


def fitting(words: Iterable[str]) -> list[ShippedPortal]:
    """Return the portals and presets that all words fit. What is a code of a language or a country is none of
    the letters in other words."""
    fit = shipped()
    codes = {*countries(), *chain.from_iterable(portal.languages for portal in fit)}
    for word in map(str.casefold, words):
        has = ShippedPortal.has_code if word in codes else ShippedPortal.has
        fit = [portal for portal in fit if has(portal, word)]
    return fit


def _portal(name: str, path: Path) -> ShippedPortal:
    said = yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER)  # texts alone
    lists = _lists(said)
    columns = list(lists.values())
    known, rights = said.get("known", {}), said.get("publisher", {}).get("rights", {})
    return ShippedPortal(
        name=name,
        title=said["title"],
        country=_country(path, said.get("timezone", "")),
        languages=_each_once(said.get("language", ""), *(column.get("language", "") for column in columns)),
        columns=tuple(lists),
        lists=_each_once(*map(_kind_of_list, lists, columns)),
        since=_since(columns, known.get("date", "")),
        known=", ".join(_each_once(known.get("source", ""), _tested(resources.tests_of(path)))),
        date=known.get("date", ""),
        rights=rights.get("licence", "") or rights.get("statement", ""),
        file=str(path),
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
