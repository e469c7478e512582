"""Publishers of fundus: what its table says of each (addresses, languages, patterns), never its parsers.

The table is asked as Python objects, so a newer one of the same shape can be read, too.
"""

from __future__ import annotations

import os.path
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import import_module, metadata
from inspect import getclosurevars, isfunction, signature
from itertools import chain
from string import ascii_letters, digits
from typing import Any, NamedTuple
from urllib.parse import unquote

from webarticlecurator.amounts import part, text_if
from webarticlecurator.config.spoken_names import Country, countries
from webarticlecurator.config.template import literal
from webarticlecurator.converting.portal_file import CannotSay, Conversion
from webarticlecurator.errors import CuratorError, UsageError
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.urls import bare_host

PROGRAM = "fundus"
_FITS = "0.5.7"
"""Version whose table was read."""
_KINDS = {"RSSFeed": "feed", "NewsMap": "news"}
"""Classes of sources, with the first word in the name of a column; all others are sitemaps."""
_DATE = linear(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)(?:(?P<before_month>\D{0,4})(?P<month>0[1-9]|1[0-2])"
    r"(?:(?P<before_day>\D{0,4})(?P<day>0[1-9]|[12]\d|3[01]))?)?(?!\d)"
)
"""A year in an address, perhaps with a month and a day."""
_FEWEST_OF_FAMILY = 3
"""Addresses that differ by their years or months alone, and stand for all others of the kind."""
_LONGEST_NAME = 40
"""Letters of what tells columns apart."""
_NO_TRAINING = "Its publisher forbids to train models with its articles (as fundus has it)."


class Publisher(NamedTuple):
    """The file that becomes of one publisher, and its country."""

    country: Country
    conversion: Conversion


class _Filter(NamedTuple):
    """Patterns of addresses: one of the first must be found where there are some, and none of the others."""

    only: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


class _Family(NamedTuple):
    """Addresses of feeds or sitemaps that are all made alike."""

    kind: str
    template: str
    since: str
    """First day of those that have a date in their addresses; empty of others."""
    languages: frozenset[str]
    files: _Filter


def installed_fundus() -> tuple[Any, str]:
    """Return the table of the fundus that is installed, and which fundus that is. Raises UsageError."""
    try:
        collection = import_module(PROGRAM).PublisherCollection
    except Exception as error:  # whatever goes wrong in another program
        why = f"{type(error).__name__}: {error}"
        raise UsageError(
            f"fundus cannot be imported ({why}): install it where curator is, `pip install fundus`."
        ) from None
    try:
        return collection, f"{PROGRAM} {metadata.version(PROGRAM)}"
    except metadata.PackageNotFoundError:
        return collection, PROGRAM


def read_all(collection: Any, source: str, day: str) -> list[Publisher]:
    """Return the file of each publisher. Raises UsageError where the table has another shape."""
    try:
        return list(read_publishers(collection, source, day))
    except CuratorError:
        raise
    except Exception as error:  # a table of another program may hold anything
        raise UsageError(
            f"{source} has a table of another shape ({type(error).__name__}: {error}): {PROGRAM} {_FITS} is "
            f"known to fit, `pip install {PROGRAM}=={_FITS}`."
        ) from None


def read_publishers(collection: Any, source: str, day: str) -> Iterator[Publisher]:
    """Yield the file of each publisher that fundus has not given up; `day` is when that was known.

    A name that two countries have is followed by the code of the country, in both.
    """
    publishers = [publisher for publisher in collection if not publisher.deprecated]
    names = Counter(publisher.__name__.lower() for publisher in publishers)
    for publisher in publishers:
        code, name = publisher.__group__.__name__.lower(), publisher.__name__.lower()
        name = name if names[name] == 1 else f"{name}-{code}"
        country = countries().get(code, Country(code, name=code))
        conversion = Conversion(
            name,
            PROGRAM,
            f"{publisher.domain.rstrip('/')}/",
            [source],
            remarks=[
                "`curator check --online` asks whether home page, a sitemap, a feed and a list still answer."
            ],
        )
        _say_identity(conversion, publisher, country, day)
        _say_columns(conversion, publisher, day)
        _say_addresses(conversion, publisher)
        _leave_others(conversion, publisher)
        yield Publisher(country, conversion)


def _place(publisher: Any) -> str:
    """Return where something stands in the table."""
    return f"{publisher.__group__.__name__.lower()}.{publisher.__name__}"


def _say_identity(conversion: Conversion, publisher: Any, country: Country, day: str) -> None:
    """Say what the portal is, and since when that is known."""
    place, languages = _place(publisher), _languages(publisher)
    conversion.say("title", publisher.name, place)
    if len(languages) == 1:
        conversion.say("language", min(languages), place)
    if country.timezone:
        conversion.say("timezone", country.timezone, place)
    else:
        conversion.leave("timezone", place, f"the country {country.code}")
    if publisher._disallows_training:
        conversion.say("publisher|rights|statement", _NO_TRAINING, place)
    conversion.say("known", {"source": conversion.sources[0], "date": day}, place)


def _sources(publisher: Any) -> list[Any]:
    """Return feeds and sitemaps of a publisher in the order of their kinds."""
    return [source for sources in publisher.source_mapping.values() for source in sources]


def _languages(publisher: Any) -> frozenset[str]:
    return frozenset().union(*(source.languages for source in _sources(publisher)))


def _say_columns(conversion: Conversion, publisher: Any, day: str) -> None:
    """Say a column for each feed and sitemap, and one for all sitemaps that differ by their dates alone."""
    sources = _sources(publisher)
    makes = Counter(_template(source) for source in sources)
    alike: dict[tuple[str, str], list[Any]] = {}
    for source in sources:
        template = _template(source)
        is_dated = makes[template] >= _FEWEST_OF_FAMILY or "{day}" in template
        kind = _KINDS.get(type(source).__name__, "sitemap")
        alike.setdefault((kind, template if is_dated else literal(source.url)), []).append(source)
    families = []
    for (kind, template), members in alike.items():
        files = _any_of([_files_below(conversion, publisher, source) for source in members])
        languages = frozenset().union(*(source.languages for source in members))
        urls = [source.url for source in members]
        since = text_if(template != literal(urls[0]), _since(urls, day))
        families.append(_Family(kind, template, since, languages, files))
    one_language = len(_languages(publisher)) == 1
    for name, family in zip(_names(families), families, strict=True):
        conversion.say(f"columns|{name}", _column(family, one_language), _place(publisher))


def _template(source: Any) -> str:
    """Return the address of a source with placeholders for its date."""
    return _DATE.sub(_placeholders, literal(source.url))


def _since(urls: Sequence[str], day: str) -> str:
    """Return the first day of a family. Alone, an address with a day in it is that of the day on which fundus
    is asked."""
    first = _DATE.search(min(urls))
    if first is None or len(urls) == 1:
        return day
    return f"{first['year']}-{first['month'] or '01'}-{first['day'] or '01'}"


def _placeholders(written: re.Match[str]) -> str:
    month = text_if(written["month"], f"{written['before_month']}{{month}}")
    day = text_if(written["day"], f"{written['before_day']}{{day}}")
    return f"{{year}}{month}{day}"


def _files_below(conversion: Conversion, publisher: Any, source: Any) -> _Filter:
    """Return which sitemaps below one are read; all, where its class says nothing else."""
    given = getattr(source, "sitemap_filter", None)
    if given is getattr(type(source), "sitemap_filter", None):
        return _Filter()
    return _meaning(conversion, publisher, "sitemap_filter", given)


def _column(family: _Family, one_language: bool) -> dict[str, Any]:
    """Return the column of a family."""
    column: dict[str, Any] = {"url": family.template}
    if family.since:
        column["dates"] = {"from": family.since}
    column["format"] = "feed" if family.kind == "feed" else "sitemap"
    if len(family.languages) == 1 and not one_language:
        column["language"] = min(family.languages)
    if family.files != _Filter():
        column["urls"] = {"sitemaps": _only(family.files)}
    return column


def _any_of(filters: Sequence[_Filter]) -> _Filter:
    """Return the filter that takes what any of these does; all, where no pattern says that."""
    if len(set(filters)) == 1:
        return filters[0]
    if any(each.exclude or not each.only for each in filters):
        return _Filter()
    return _Filter(only=tuple(dict.fromkeys(chain.from_iterable(each.only for each in filters))))


def _only(files: _Filter) -> list[str]:
    """Return a filter as patterns of what is taken."""
    if not files.exclude:
        return list(files.only)
    wanted = part(".*(?:{})", "|".join(files.only))
    return [f"^(?!.*(?:{'|'.join(map(_scoped, files.exclude))})){wanted}"]


def _scoped(pattern: str) -> str:
    """Return a pattern whose flags hold for it alone."""
    return linear(r"^\(\?([a-z]+)\)(.*)$", re.DOTALL).sub(r"(?\1:\2)", pattern)


def _names(families: Sequence[_Family]) -> list[str]:
    """Return a name for each column: its kind, and where there are several the language, or what else tells
    them apart, or a number."""
    words: dict[str, Iterator[str]] = {}
    for kind in dict.fromkeys(family.kind for family in families):
        words[kind] = iter(_words([family for family in families if family.kind == kind]))
    return [f"{family.kind}-{next(words[family.kind])}".rstrip("-") for family in families]


def _words(families: Sequence[_Family]) -> list[str]:
    """Return a word for each of several columns of one kind; none is needed for a single one."""
    if len(families) == 1:
        return [""]
    languages = ["-".join(sorted(family.languages)) for family in families]
    numbers = [str(number) for number in range(1, len(families) + 1)]
    choices = (languages, _own_parts([family.template for family in families]), numbers)
    return next(words for words in choices if len(set(words)) == len(families))


def _own_parts(urls: Sequence[str]) -> list[str]:
    """Return what stands in each address alone, as a word."""
    start, end = _common_start(urls), _common_start([url[::-1] for url in urls])
    middles = [unquote(url[len(start) : len(url) - len(end)]) for url in urls]
    return [linear(r"[^a-z0-9]+").sub("-", middle.lower()).strip("-")[:_LONGEST_NAME] for middle in middles]


def _common_start(texts: Sequence[str]) -> str:
    """Return what all texts begin with, up to the end of a word."""
    start = os.path.commonprefix(texts)  # noqa: RUF071  # of letters
    return start.rstrip(f"{ascii_letters}{digits}{{}}")


def _say_addresses(conversion: Conversion, publisher: Any) -> None:
    """Say which addresses are those of articles. Any host counts for fundus; here those below the portal's,
    and those that it had before."""
    place = _place(publisher)
    host = linear_at(r"www\d*\.").sub("", bare_host(publisher.domain))
    hosts = [f"*.{host}", *map(bare_host, publisher.deprecated_domains)]
    conversion.say("archive|urls|hosts", hosts, place)
    if publisher.url_filter is None:
        return
    articles = _meaning(conversion, publisher, "url_filter", publisher.url_filter)
    if articles.only:
        conversion.say("archive|urls|only", list(articles.only), place)
    if articles.exclude:
        conversion.say("archive|urls|exclude", list(articles.exclude), place)


def _meaning(conversion: Conversion, publisher: Any, name: str, given: Any) -> _Filter:
    """Return what a filter means; one that no pattern says is left."""
    try:
        return _filter(given)
    except CannotSay as part:
        conversion.leave(name, _place(publisher), f"{name}: {part}")
        return _Filter()


def _filter(given: Any) -> _Filter:
    """Return the patterns that a filter was made of. Raises CannotSay."""
    if not isfunction(given):
        raise CannotSay("an object of its own")
    inner = getclosurevars(given).nonlocals
    if "regex" in inner:
        return _Filter(exclude=(inner["regex"],))
    if "filter_func" in inner:
        return _opposite(_filter(inner["filter_func"]))
    if "filters" in inner and given.__qualname__.startswith("lor."):
        return _together([_filter(each) for each in inner["filters"]])
    raise CannotSay("a function of its own")


def _opposite(refused: _Filter) -> _Filter:
    if refused.only:
        raise CannotSay("the opposite of an opposite")
    return _Filter(only=refused.exclude)


def _together(filters: Sequence[_Filter]) -> _Filter:
    """Return the filter that leaves out what any of these does."""
    wanted = [each.only for each in filters if each.only]
    if len(wanted) > 1:
        raise CannotSay("several patterns that must all be found")
    return _Filter(tuple(chain(*wanted)), tuple(chain(*(each.exclude for each in filters))))


def _leave_others(conversion: Conversion, publisher: Any) -> None:
    """Name what is said of a publisher otherwise than of most, and has no place in a portal file."""
    usual = signature(type(publisher)).parameters
    for name in ("query_parameter", "request_header", "impersonate"):
        given = getattr(publisher, name)
        if given != usual[name].default:
            conversion.leave(name, _place(publisher), name)
