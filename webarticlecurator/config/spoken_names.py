"""The country or language that a word names: by a code, in English, or as it is called where it is spoken.
All names are CLDR's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from typing import NamedTuple

from babel import Locale, UnknownLocaleError
from babel.core import get_global
from babel.languages import get_official_languages

from webarticlecurator import resources
from webarticlecurator.text import folded, primary, same_language

_TWO_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ø": "oe", "ü": "ue", "å": "aa"})
"""Letters with marks as they are typed where a keyboard has none of them."""


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


class Named(NamedTuple):
    """The countries and languages that a word names."""

    countries: frozenset[str] = frozenset()
    """Their names in English, as in countries.txt."""
    languages: frozenset[str] = frozenset()
    """Their codes."""

    def has(self, country: str, languages: Iterable[str]) -> bool:
        """Say whether a portal of that country, in these languages, is meant."""
        are_alike = (same_language(own, named) for own in languages for named in self.languages)
        return country in self.countries or any(are_alike)

    def __str__(self) -> str:
        english = Locale("en").languages
        spoken = (f"in {english.get(code, code)}" for code in sorted(self.languages))
        return " or ".join([*(f"of {country}" for country in sorted(self.countries)), *spoken])


def named_by(word: str, languages: Iterable[str]) -> Named:
    """Return what a word names; nothing, where it is no such name. `languages`: codes of those that count
    beside the ones that have two letters."""
    key, spoken = folded(word), tuple(sorted(set(languages)))
    for names in (_by_codes, _in_english, _in_their_own_language):
        named = _table(names, spoken).get(key)
        if named is not None:
            return named
    return Named()


Names = Iterator[tuple[str, Named]]
"""Names, each with the country or the language that has it."""


@cache
def _table(names: Callable[[tuple[str, ...]], Names], languages: tuple[str, ...]) -> Mapping[str, Named]:
    """Return what each name means, as it may be spelt."""
    table: dict[str, Named] = {}
    for name, named in names(languages):
        for spelling in {folded(name), folded(name.casefold().translate(_TWO_LETTERS))}:
            before = table.get(spelling, Named())
            table[spelling] = Named(before.countries | named.countries, before.languages | named.languages)
    return table


def _by_codes(languages: tuple[str, ...]) -> Names:
    """Give the codes of countries, also those of three letters, and of languages."""
    for code, country in countries().items():
        yield code, _country(country)
    by_territory = {_territory(code): country for code, country in countries().items()}
    for code, territories in get_global("territory_aliases").items():
        if territories[0] in by_territory and code.isalpha():
            yield code, _country(by_territory[territories[0]])
    english = Locale("en").languages
    for code in map(str, english):
        if code.isalpha() and any(same_language(code, language) for language in languages):
            yield code, _language(code)


def _in_english(languages: tuple[str, ...]) -> Names:
    """Give the English names of countries and languages."""
    english = Locale("en")
    for alias, country in countries().items():
        yield country.name, _country(country)
        yield english.territories[_territory(alias)], _country(country)
    for code, name in english.languages.items():
        if len(code) == 2 or code in languages:
            yield name, _language(code)


def _in_their_own_language(languages: tuple[str, ...]) -> Names:
    """Give countries as they are called in their languages, and languages as they are called in
    themselves."""
    of_countries = [get_official_languages(_territory(code), de_facto=True) for code in countries()]
    locales = {code: _locale(code) for code in {*languages, *chain(*of_countries)}}
    for country, spoken in zip(countries().values(), of_countries, strict=True):
        for locale in filter(None, map(locales.get, spoken)):
            yield locale.territories.get(_territory(country.code), country.name), _country(country)
    for code, known in locales.items():
        if known is not None:
            yield known.languages.get(code, code), _language(primary(code))


def _locale(code: str) -> Locale | None:
    try:
        return Locale.parse(code)
    except (UnknownLocaleError, ValueError):
        return None


def _territory(code: str) -> str:
    """Return the code of a country as CLDR has it: GB of uk."""
    aliases: Mapping[str, list[str]] = get_global("territory_aliases")
    return aliases.get(code.upper(), [code.upper()])[0]


def _country(country: Country) -> Named:
    return Named(countries=frozenset({country.name}))


def _language(code: str) -> Named:
    return Named(languages=frozenset({code}))
