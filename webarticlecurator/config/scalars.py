"""Single values of a portal file, as many keys have them: durations, days, addresses; a ValueError says what is wrong with one."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from difflib import get_close_matches
from urllib.parse import SplitResult, urlsplit
from zoneinfo import ZoneInfo, available_timezones

from babel import Locale
from babel.core import get_global

from webarticlecurator.config.keys import Shape, all_parsed, parsed, several
from webarticlecurator.config.node_compiler import LiteralSecretError, NodeCompiler
from webarticlecurator.paths import JsonPath
from webarticlecurator.patterns import Pattern
from webarticlecurator.selectors import Selector

_DURATION = re.compile(r"([0-9]{1,8}(?:\.[0-9]+)?) ?(ms|s|m|h|d|w)?")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}
_LONGEST = timedelta(days=36_500)
"""So that what lies so long ago still has a date."""
_SERIES = re.compile(r"(\d{1,9})\s*-\s*(\d{1,9})")
_USER = re.compile(r"[^/?#]*//[^/?#]*@")
_PROXIES = frozenset({"http", "https", "socks4", "socks4a", "socks5", "socks5h"})
MOST_PAGES = 100_000
SECRET_HEADER = re.compile(r"(?i)cookie|auth|token|secret|passw|session|credential|api-?key|^x-key$")


def duration(text: str) -> timedelta:
    """`1s`, `30m` (minutes), `3d`, in the portal file and on the command line; a plain number counts seconds."""
    found = _DURATION.fullmatch(text)
    length = timedelta(seconds=float(found[1]) * _UNITS[found[2] or "s"]) if found else _LONGEST * 2
    if length > _LONGEST:
        raise ValueError(f"{text!r} is not a duration like 1s, 500ms, 3d or a number of seconds, of a hundred years at most")
    return length


def day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"there is no day {text}; expected a date like 2015-01-31") from None


def time_zone(text: str) -> ZoneInfo:
    try:
        return ZoneInfo(text)
    except (KeyError, ValueError, OSError):  # no such name, or one that is no name of a file
        names = available_timezones()
    folded = {name.casefold(): name for name in names}
    close = get_close_matches(text.casefold(), folded, n=1)
    suggestion = f"did you mean {folded[close[0]]}?" if close else "expected a name like Europe/Budapest or UTC"
    raise ValueError(f"there is no time zone {text!r}; {suggestion}")


def language(text: str) -> str:
    """A well-formed tag (the schema sees to that) whose language exists; three-letter codes are too many to know."""
    code = text.split("-")[0].lower()
    # Nearly all are in the small table; the large one is read for those that are not.
    if len(code) == 2 and code not in get_global("likely_subtags") and code not in Locale("en").languages:
        raise ValueError(f"there is no language {code!r}; expected a BCP 47 tag like hu, en-GB or sr-Latn")
    return text


def encoding(text: str) -> str:
    try:
        if codecs.lookup(text)._is_text_encoding:
            return text
    except LookupError:
        pass
    raise ValueError(f"there is no encoding {text!r}; expected a name like utf-8, iso-8859-2 or windows-1250")


def web_address(text: str) -> str:
    """An http(s) URL that names a host and holds no password."""
    if _USER.match(text):
        raise LiteralSecretError(
            "a name or password stands in this address, and a portal file is shared; "
            "delete it, and write `Authorization: {env: CURATOR_NAME}` under `fetch.headers`"
        )
    parts = _split(text, "a web address like https://pelda.example/")
    if parts.scheme.lower() not in ("http", "https") or re.search(r"\s", parts.netloc):
        raise ValueError(f"{text!r} is not a web address like https://pelda.example/")
    return parts.geturl()


def proxy(text: str) -> str:
    """A proxy without a password."""
    if _USER.match(text):
        raise LiteralSecretError(
            "a proxy's name and password are secrets, and a portal file is shared; write `proxy: {env: CURATOR_NAME}` and set that variable"
        )
    expected = "a proxy's address like socks5h://localhost:9050 or http://proxy.pelda.example:3128"
    if _split(text, expected).scheme not in _PROXIES:
        raise ValueError(f"{text!r} is not {expected}")
    return text


def _split(text: str, expected: str) -> SplitResult:
    try:
        parts = urlsplit(text)
        if parts.hostname and parts.port != 0:
            return parts
    except ValueError:
        pass
    raise ValueError(f"{text!r} is not {expected}")


def host_pattern(text: str) -> str:
    """A host name, an address, or `*.pelda.example`."""
    name = text.removeprefix("*.")
    if not re.fullmatch(r"\[[0-9A-Fa-f:.]+\]|[0-9A-Fa-f:]*::[0-9A-Fa-f:.]*|[^\s/:?#@*\[\]]+", name):
        raise ValueError(f"{text!r} is not a host name like blog.pelda.example or *.pelda.example (no https://, no path, no port)")
    return text.lower()


def page_values(text: str) -> Iterator[str]:
    """`1-2, 4-5, 7-14` as single values; what is no series stands for itself."""
    count = 0
    for piece in filter(None, map(str.strip, text.split(","))):
        series = _SERIES.fullmatch(piece)
        first, last = (int(series[1]), int(series[2])) if series else (0, 0)
        if last < first:
            raise ValueError(f"the series {piece} runs backwards; expected the smaller number first")
        count += last - first + 1
        if count > MOST_PAGES:
            raise ValueError(f"more than {MOST_PAGES:,} page values")
        if series:
            yield from (str(number) for number in range(first, last + 1))
        else:
            yield piece


# --- shapes that many keys have ---

_HTTP = r"[hH][tT][tT][pP][sS]?://[^\s/?#]"
HEADER_NAME = Shape(kinds=("string",), title="a header name", null=False, pattern=r"^[!#$%&'*+.^_`|~0-9A-Za-z-]+$(?!\n)")

TEXT = Shape(kinds=("string",), shortest=1)
TEXTS = several(TEXT, "a text, or a list of texts", None, "texts")
FLAG = Shape(kinds=("boolean",))
FILE = replace(TEXT, read=NodeCompiler.file)
DURATION = Shape(
    kinds=("string", "number"),
    title="a duration like 1s, 500ms, 3d or a number of seconds",
    pattern=r"^[0-9]{1,7}(\.[0-9]{1,3})? ?(ms|s|m|h|d|w)?$(?!\n)",
    least=0,
    most=31536000,
    name="duration",
    read=parsed(duration),
)
DAY = Shape(kinds=("string",), title="a date like 2015-01-31", pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$(?!\n)", name="day", read=parsed(day))
LANGUAGE = Shape(
    kinds=("string",),
    title="a BCP 47 language tag like hu, en-GB or sr-Latn",
    pattern=r"^[A-Za-z]{2,3}(-[A-Za-z]{3}){0,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*"
    r"(-[A-WYZa-wyz0-9](-[A-Za-z0-9]{2,8})+)*(-[xX](-[A-Za-z0-9]{1,8})+)?$(?!\n)",
    name="language",
    read=parsed(language),
)
ADDRESS = Shape(
    kinds=("string",),
    title="a web address that begins with http:// or https://",
    pattern=f"^{_HTTP}",
    longest=4000,
    name="webAddress",
    read=parsed(web_address),
)
URL_TEMPLATE = replace(
    ADDRESS,
    title="a web address that begins with http://, https:// or {home}",
    pattern=rf"^({_HTTP}|\{{home\}})",
    name="urlTemplate",
    read=NodeCompiler.template,
)
SELECTOR = Shape(
    kinds=("string",),
    title="a CSS selector",
    null=False,
    shortest=1,
    longest=4000,
    holds="selector",
    name="selector",
    read=parsed(Selector.parse),
)
SELECTORS = several(SELECTOR, "a CSS selector, or a list of them", NodeCompiler.selector, "selectors")
REGEX = Shape(
    kinds=("string",), title="a regex", null=False, shortest=1, longest=2000, holds="regex", name="regex", read=parsed(Pattern.parse)
)
REGEXES = several(REGEX, "a regex, or a list of them", all_parsed(Pattern.parse), "regexes")
JSON_PATH = Shape(kinds=("string",), title="a JMESPath", null=False, shortest=1, longest=4000, read=parsed(JsonPath.parse))
REPLACEMENTS = Shape(
    kinds=("array",),
    title="a list of [pattern, replacement]",
    items=Shape(
        kinds=("array",),
        title="[pattern, replacement]",
        null=False,
        items=Shape(kinds=("string",), null=False, holds="regex"),
        fewest_items=2,
        most_items=2,
    ),
    name="replacements",
    read=NodeCompiler.replacements,
)
