"""Single values of a portal file, as many keys have them: how text becomes a value, and what is said where it
is none."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from difflib import get_close_matches
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import SplitResult, urlsplit
from zoneinfo import ZoneInfo, available_timezones

from babel import Locale
from babel.core import get_global

from webarticlecurator.config.keys import Shape, all_parsed, closest, parsed, several
from webarticlecurator.config.template import ARCHIVE_NAMES, UrlTemplate
from webarticlecurator.config.yaml_reading import FilePlace, ScalarNode, YamlNode, items, quoted, text
from webarticlecurator.errors import Mistake
from webarticlecurator.jmespaths import JsonPath
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.patterns import Pattern
from webarticlecurator.resources import read_word_lists
from webarticlecurator.selectors import Selector, SelectorError

T = TypeVar("T")


def lies_within(path: Path, folder: Path) -> bool:
    """True if a path lies in a folder or below it, when every symbolic link is followed."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):
        return False


def leads_out(name: str) -> str:
    """Return what is said of a file that a portal file names and may not read: a portal file may be a
    stranger's."""
    return (
        f"{name} leads out of the folder of this file; copy the file there and name it without `..` or `/` "
        "at its start"
    )


@dataclass(slots=True, eq=False)
class NodeCompiler:
    """Turns nodes of a checked tree into values; a mistake is noted, and None stands for its value."""

    language: str | None = None
    """The language in which templates write month names."""
    in_json: bool = False
    """True if picks look at JSON."""
    placeholders: frozenset[str] = ARCHIVE_NAMES
    """The names of the placeholders that templates may hold."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Values of further placeholders, which are filled in at once: `{home}`, and the `vars` of a column."""
    mistakes: dict[Mistake, None] = field(default_factory=dict)
    """The mistakes in the order in which they are found; hundreds of columns may share one that `archive`
    makes."""
    warnings: set[Mistake] = field(default_factory=set)
    """Mistakes that are hardly meant, and keep no portal from being used."""
    lost: Collection[tuple[str | int, ...]] = ()
    """The paths where something was taken out of the tree: nothing is said of what contradicts that."""
    _known: dict[tuple[YamlNode | None, object], Any] = field(default_factory=dict)
    """The values that were read, by node and purpose."""

    def note(self, place: FilePlace, message: str) -> None:
        self.mistakes.setdefault(place.mistake(message))

    def warn(self, place: FilePlace, message: str) -> None:
        self.warnings.add(place.mistake(message))

    def has_lost(self, *path: str | int) -> bool:
        """Say whether a value at or below this path was taken out."""
        return any(lost[: len(path)] == path for lost in self.lost)

    def parse(self, node: YamlNode | None, parser: Callable[[str], T]) -> T | None:
        """Return what `parser` makes of a scalar's text."""
        if not isinstance(node, ScalarNode) or node.value is None:
            return None
        try:
            value = parser(node.text)
        except ValueError as error:
            message = f"{error}{_advice_on(node.text) if isinstance(error, SelectorError) else ''}"
            is_told = node.text in message or _USER.match(node.text)  # a secret is not repeated
            self.note(node.place, message if is_told else f"{message} (in {quoted(node.text)})")
            return None
        if isinstance(value, Selector):
            for advice in _advice_on_names(node.text):
                self.warn(node.place, advice)
        if isinstance(value, ZoneInfo) and value.key in _WITHOUT_SUMMER:
            city = _WITHOUT_SUMMER[value.key]
            self.warn(
                node.place,
                f"{value.key} knows no summer time; where clocks change, expected a region and a city, such "
                f"as {city}",
            )
        return value

    def template(self, node: YamlNode | None) -> UrlTemplate | None:
        return self.parse(
            node,
            partial(UrlTemplate.parse, names=self.placeholders, language=self.language, known=self.variables),
        )

    def template_of_value(self, node: YamlNode | None) -> UrlTemplate | None:
        """A template that is filled with a value that was picked."""
        return replace(self, placeholders=frozenset({"value"})).template(node)

    def once(self, node: YamlNode | None, purpose: object, compute: Callable[[], T]) -> T:
        """Read a file the first time: hundreds of columns may share what `archive` says."""
        if (node, purpose) not in self._known:
            self._known[node, purpose] = compute()
        value: T = self._known[node, purpose]
        return value

    def parse_all(self, node: YamlNode | None, parser: Callable[[str], T]) -> tuple[T, ...]:
        """Return what `parser` makes of each scalar of a list, or of one scalar in place of it."""
        return tuple(value for item in items(node) if (value := self.parse(item, parser)) is not None)

    def selector(self, node: YamlNode | None) -> Selector | None:
        """A selector; of a list, what matches any of them."""
        selectors = self.parse_all(node, Selector.parse)
        return Selector(", ".join(selector.text for selector in selectors)) if selectors else None

    def replacements(self, node: YamlNode | None) -> tuple[tuple[Pattern, str], ...]:
        """Return the pairs of pattern and replacement; a group that a replacement names must exist."""
        pairs = []
        for before, after in (pair for pair in map(items, items(node)) if len(pair) == 2):
            pattern = self.parse(before, Pattern.parse)
            replacement = self.parse(after, pattern.check_replacement) if pattern is not None else None
            if pattern is not None and replacement is not None:
                pairs.append((pattern, replacement))
        return tuple(pairs)

    def file(self, node: YamlNode | None) -> Path | None:
        """A file that the portal file names: beside it or below, and there."""
        if node is None or (name := text(node)) is None:
            return None
        folder = node.place.file.parent
        path = folder / name
        if not lies_within(path, folder):
            self.note(node.place, leads_out(name))
        elif os.path.isfile(path):  # noqa: PTH113  # unlike Path.is_file, it takes any text
            return path
        else:
            self.note(node.place, f"there is no file {name}; it is looked for relative to this file")
        return None

    def table(self, node: YamlNode | None, form: Callable[[str], str] = str) -> dict[str, str]:
        """A tab-separated file of two columns, the first in a form of which there is one."""

        def read() -> dict[str, str]:
            lines = self._lines(node)
            whole = next((number for number, line in lines.items() if "\t" not in line), None)
            if whole is not None and node is not None:
                self.note(
                    node.place, f"line {whole} of {text(node)} has no tab; expected two columns, from and to"
                )
            cells = (line.partition("\t") for line in lines.values())
            return {form(before.strip()): after.strip() for before, _, after in cells}

        return self.once(node, form, read)

    def _lines(self, node: YamlNode | None) -> dict[int, str]:
        """The lines of such a file by their numbers, without empty ones."""
        path = self.file(node)
        if path is None or node is None:
            return {}
        try:
            content = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            self.note(node.place, f"{path.name} cannot be read as UTF-8 text: {error}")
            return {}
        return {number: line for number, line in enumerate(content.splitlines(), 1) if line.strip()}


# --- what may be meant by a selector that is none, or that names elements which no page can have ---

ELEMENT_NAMES = frozenset(
    name for names in read_word_lists(__file__, "element_names.txt", r"\s+").values() for name in names
)
_STRING = linear(r"""\"[^\"]*\"|'[^']*'""")
_XPATH = linear(
    r"(?<!\\)/[/@*.A-Za-z]|\[@|^\s*@|text\(\)|(?:ancestor|descendant|following|preceding|parent|child|self)[\w-]*::"
)
_NO_NAME = linear(r"\[[^\]]*\]|:(?:contains|lang|nth-[a-z-]+)\([^()]*\)|[.#:](?:[\w-]|\\.)*")
_NAME = linear(r"(?:[\w-]|\\.)+")


def _advice_on(text: str) -> str:
    if text.lstrip().startswith("$"):
        return (
            "; this is JSONPath: a path into JSON is a JMESPath, without `$.` at its start, as in `{json: "
            "items[*].url}`"
        )
    if _XPATH.search(_STRING.sub("", text)):
        return (
            '; this is XPath, and selectors are CSS: `//div[@class="x"]//a/@href` is `{css: div.x a, attr: '
            "href}`"
        )
    if linear(r":contains\((?!\s*[\"'])").search(text):
        return '; the text of :contains() needs quotes: :contains("...")'
    if linear_at(r"\s*[+~]").match(text):
        return "; it would lead out of the element it starts from"
    return ""


def _advice_on_names(selector: str) -> Iterator[str]:
    """A sentence about each name in a selector that is no element's; those with a hyphen or a colon are a
    portal's own."""
    for name in dict.fromkeys(_NAME.findall(_NO_NAME.sub(" ", _STRING.sub(" ", selector)))):
        if name.lower() not in ELEMENT_NAMES and not linear(r"[-\\]").search(name):
            close = get_close_matches(name.lower(), ELEMENT_NAMES, n=1, cutoff=0.8)
            meant = (
                f"did you mean `{close[0]}`, or the class `.{name}`?"
                if close
                else f"a class begins with a dot: `.{name}`"
            )
            yield f"no element of HTML is called `{name}`; {meant}"


# --- texts that are values: a ValueError says what is wrong with one ---

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}
_LONGEST = timedelta(days=36_500)
"""The longest duration: what lies so long ago still has a date."""
_USER = linear_at(r"[^/?#]*//[^/?#]*@")
MOST_PAGES = 100_000
SECRET_HEADER = linear(r"(?i)cookie|auth|token|secret|passw|session|credential|api-?key|^x-key$")


def duration(text: str) -> timedelta:
    """Return a duration: `1s`, `30m` (minutes), `3d`, in the portal file and on the command line; a plain
    number counts seconds."""
    match = linear_at(r"([0-9]{1,8}(?:\.[0-9]+)?) ?(ms|s|m|h|d|w)?").fullmatch(text)
    length = timedelta(seconds=float(match[1]) * _UNITS[match[2] or "s"]) if match else _LONGEST * 2
    if length > _LONGEST:
        raise ValueError(
            f"{text!r} is not a duration like 1s, 500ms, 3d or a number of seconds, of a hundred years at "
            "most"
        )
    return length


def day(text: str) -> date:
    """A day as portal files write it. Raises ValueError."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"there is no day {text}; expected a date like 2015-01-31") from None


_WITHOUT_SUMMER = {"EST": "America/New_York", "MST": "America/Denver"}
_CLOCK, _SOME_ZONES = linear_at(r"[A-Z]{2,5}(?:[+-]\d[\d:]*)?|[+-]\d[\d:]*"), 4
"""The form of a clock, as in `KST`, `GMT+9`, `+09:00`; and how many time zones are told that have it."""


def time_zone(text: str) -> ZoneInfo:
    """A time zone by its name. Raises ValueError."""
    try:
        return ZoneInfo(text)
    except (KeyError, ValueError, OSError):  # no such name, or one that is no name of a file
        names = available_timezones()
    close = closest(text, tuple(sorted(names)))
    suggestion = f"did you mean {close}?" if close else "expected a name like Europe/Budapest or UTC"
    if _CLOCK.fullmatch(text):
        zones = map(ZoneInfo, sorted(names.intersection(get_global("zone_territories"))))
        having = (
            zone.key
            for zone in zones
            if text in (zone.tzname(datetime(2024, 1, 1)), zone.tzname(datetime(2024, 7, 1)))
        )
        suggestion = (
            "expected a region and a city, such as "
            f"{', '.join(islice(having, _SOME_ZONES)) or 'Europe/Budapest'}"
        )
    raise ValueError(f"there is no time zone {text!r}; {suggestion}")


def language(text: str) -> str:
    """A well-formed tag (the schema sees to that) whose language exists; three-letter codes are too many to
    know."""
    code = text.split("-")[0].lower()
    # Nearly all are in the small table; the large one is read for those that are not.
    if len(code) == 2 and code not in get_global("likely_subtags") and code not in Locale("en").languages:
        raise ValueError(f"there is no language {code!r}; expected a BCP 47 tag like hu, en-GB or sr-Latn")
    return text


def encoding(text: str) -> str:
    """An encoding by its name. Raises ValueError."""
    try:
        if codecs.lookup(text)._is_text_encoding:
            return text
    except LookupError:
        pass
    raise ValueError(f"there is no encoding {text!r}; expected a name like utf-8, iso-8859-2 or windows-1250")


def web_address(text: str) -> str:
    """An http(s) URL that names a host and holds no password."""
    if _USER.match(text):
        raise ValueError(
            "a name or password stands in this address, and a portal file is shared; "
            "delete it, and write `Authorization: {env: CURATOR_NAME}` under `fetch.headers`"
        )
    parts = _split(text, "a web address like https://pelda.example/")
    if parts.scheme.lower() not in ("http", "https") or linear(r"\s").search(parts.netloc):
        raise ValueError(f"{text!r} is not a web address like https://pelda.example/")
    return parts.geturl()


def proxy(text: str) -> str:
    """A proxy without a password."""
    if _USER.match(text):
        raise ValueError(
            "a proxy's name and password are secrets, and a portal file is shared; write `proxy: {env: "
            "CURATOR_NAME}` and set that variable"
        )
    expected = "a proxy's address like socks5h://localhost:9050 or http://proxy.pelda.example:3128"
    if _split(text, expected).scheme not in ("http", "https", "socks4", "socks4a", "socks5", "socks5h"):
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
    if not linear_at(r"\[[0-9A-Fa-f:.]+\]|(?=[0-9A-Fa-f:.]*::)[0-9A-Fa-f:.]+|[^\s/:?#@*\[\]]+").fullmatch(
        name
    ):
        raise ValueError(
            f"{text!r} is not a host name like blog.pelda.example or *.pelda.example (no https://, no path, "
            "no port)"
        )
    return text.lower()


def page_values(text: str) -> Iterator[str]:
    """Yield `1-2, 4-5, 7-14` as single values; what is no series stands for itself."""
    count = 0
    for piece in filter(None, map(str.strip, text.split(","))):
        series = linear_at(r"(\d{1,9})\s*-\s*(\d{1,9})").fullmatch(piece)
        first, last = (int(series[1]), int(series[2])) if series else (0, 0)
        if last < first:
            raise ValueError(f"the series {piece} runs backwards; expected the smaller number first")
        count += last - first + 1
        if count > MOST_PAGES:
            raise ValueError(f"more than {MOST_PAGES:,} page values")
        yield from map(str, range(first, last + 1)) if series else [piece]


_HTTP = r"[hH][tT][tT][pP][sS]?://[^\s/?#]"
HEADER_NAME = Shape(
    kinds=("string",), title="a header name", null=False, pattern=r"^[!#$%&'*+.^_`|~0-9A-Za-z-]+$(?!\n)"
)

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
DAY = Shape(
    kinds=("string",),
    title="a date like 2015-01-31",
    pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$(?!\n)",
    name="day",
    read=parsed(day),
)
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
SELECTOR = replace(
    TEXT,
    title="a CSS selector",
    null=False,
    longest=4000,
    holds="selector",
    name="selector",
    read=parsed(Selector.parse),
)
SELECTORS = several(SELECTOR, "a CSS selector, or a list of them", NodeCompiler.selector, "selectors")
REGEX = replace(
    TEXT, title="a regex", null=False, longest=2000, holds="regex", name="regex", read=parsed(Pattern.parse)
)
REGEXES = several(REGEX, "a regex, or a list of them", all_parsed(Pattern.parse), "regexes")
JSON_PATH = replace(TEXT, title="a JMESPath", null=False, longest=4000, read=parsed(JsonPath.parse))
_PART = Shape(kinds=("string",), null=False, holds="regex")
_PAIR = Shape(
    kinds=("array",), title="[pattern, replacement]", null=False, items=_PART, fewest=2, most_in_it=2
)
REPLACEMENTS = Shape(
    kinds=("array",),
    title="a list of [pattern, replacement]",
    items=_PAIR,
    name="replacements",
    read=NodeCompiler.replacements,
)
