"""Values of a portal file that can hardly do what they are for as they are written: `check` warns of them,
and says what to write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from babel.dates import tokenize_pattern

from webarticlecurator.config.scalars import NodeCompiler
from webarticlecurator.config.yaml_reading import MapNode, ScalarNode, YamlNode, entries, items, mapping
from webarticlecurator.dates.cldr import of_strftime
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.urls import bare_host

OF_LINKS = ("archive.link", "archive.sections", "archive.next", "articles.next")
"""Picks whose values are addresses."""
_SIGNS_OF_REGEX = linear(r"[\\^$*+?{}\[\]|()]")
_HOST = linear(r"https?\??:(?:/|\\/){2}((?:[\w-]|\\?\.)+)")
_MAY_STAND_ALONE = linear(r"[/.?#:]")


# --- patterns of dates ---


def odd_date_pattern(pattern: str) -> str | None:
    """Say what is odd about a pattern of dates, and what to write in its place; None where nothing is."""
    return next(filter(None, (check(pattern) for check in _DATE_CHECKS)), None)


def _minutes_for_months(pattern: str) -> str | None:
    """Say that `m` are minutes, where a day and a year stand beside it and no hour."""
    letters = set(_letters(pattern))
    if (
        "m" not in letters
        or not letters.isdisjoint("ML")
        or not letters.isdisjoint("HhKk")
        or letters.isdisjoint("yd")
    ):
        return None
    return (
        f"in `{pattern}` m are minutes, and no hour stands beside them; months are M: write "
        f"`{_with(pattern, {'m': 'M'})}`"
    )


def _months_for_minutes(pattern: str) -> str | None:
    """Say that `M` are months, where it stands behind the hour, and `m` before it."""
    letters = "".join(dict.fromkeys(_letters(pattern)))
    hour = next((letters.index(letter) for letter in "HhKk" if letter in letters), None)
    if hour is None or not {"m", "M"} <= set(letters) or not letters.index("m") < hour < letters.index("M"):
        return None
    return f"in `{pattern}` m are minutes and M are months; write `{_with(pattern, {'m': 'M', 'M': 'm'})}`"


_DATE_CHECKS: tuple[Callable[[str], str | None], ...] = (
    of_strftime,
    _minutes_for_months,
    _months_for_minutes,
)


def _letters(pattern: str) -> list[str]:
    return [part[0] for kind, part in tokenize_pattern(pattern) if kind == "field"]


def _with(pattern: str, letters: dict[str, str]) -> str:
    """Return a pattern with other letters; what stands in apostrophes stays."""
    pieces = pattern.split("'")
    pieces[::2] = ["".join(letters.get(letter, letter) for letter in piece) for piece in pieces[::2]]
    return "'".join(pieces)


# --- rules for addresses ---


def warn_of_addresses(compiler: NodeCompiler, root: MapNode, hosts: Iterable[str]) -> None:
    """Warn of regexes for addresses that none can have; `hosts` are the portal's."""
    own = frozenset(hosts)
    for name, node, further in _regexes_for_addresses(root):
        for item in items(node):
            if isinstance(item, ScalarNode) and (odd := _odd_address(item.text, own | further)) is not None:
                compiler.warn(item.place, f"`{name}`: {odd}")


def _regexes_for_addresses(root: MapNode) -> Iterator[tuple[str, YamlNode | None, frozenset[str]]]:
    """Give each value of such a rule, with its name, and the hosts that are let in beside it."""
    for holder in (
        root.get("archive"),
        *entries(root.get("columns")).values(),
        *entries(mapping(root.get("archive")).get("ways")).values(),
    ):
        urls = mapping(mapping(holder).get("urls"))
        further = frozenset(item.text for item in items(urls.get("hosts")) if isinstance(item, ScalarNode))
        yield "urls.exclude", urls.get("exclude"), further
        yield "urls.only", urls.get("only"), further
        yield "urls.sitemaps", urls.get("sitemaps"), further
    articles = mapping(root.get("articles"))
    yield "articles.skip.url", mapping(articles.get("skip")).get("url"), frozenset("*")
    yield "articles.identity", articles.get("identity"), frozenset("*")


def _odd_address(pattern: str, hosts: frozenset[str]) -> str | None:
    return next(filter(None, (_blank_in_address(pattern), _other_host(pattern, hosts))), None)


def _blank_in_address(pattern: str) -> str | None:
    """Say that an address has no blank."""
    if " " not in pattern.replace("[ ", "[").replace(" ]", "]"):
        return None
    return (
        f"no address has a blank, and `{pattern}` has one; there it is written `%20`, or `-` and `+` stand "
        "in its place"
    )


def _other_host(pattern: str, hosts: frozenset[str]) -> str | None:
    """Say that links to another host are not followed anyway."""
    match = _HOST.search(pattern)
    if match is None or "|" in pattern or "*" in "".join(hosts):
        return None
    host = bare_host(match[1].replace("\\.", "."))
    behind = pattern[match.end() : match.end() + 1]
    if (
        behind not in ("/", ":", "", "\\", "$")
        or not host
        or any(_are_related(host, bare_host(own)) for own in hosts)
    ):
        return None
    return f"no link to {host} is followed, since it is no host of the portal: `{pattern}` finds nothing"


def _are_related(host: str, own: str) -> bool:
    return host == own or host.endswith(f".{own}") or own.startswith(host)


def odd_drop(value: str, source: str) -> str | None:
    """Say that a text without a sign of a regex is compared with the whole address of a link, which it can
    hardly be."""
    if source not in OF_LINKS or _SIGNS_OF_REGEX.search(value) or _may_be_address(value):
        return None
    return (
        f"`{value}` is compared with the whole address of a link, which it can hardly be; `.*{value}.*` "
        "finds it anywhere in one"
    )


def _may_be_address(value: str) -> bool:
    is_cut = linear_at(r"[&=]").match(value) is not None or value.endswith(("=", "&"))
    return _MAY_STAND_ALONE.search(value) is not None and not is_cut
