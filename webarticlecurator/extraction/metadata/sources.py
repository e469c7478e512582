"""The order of trust in sources, field by field; what the sources of a page say, as it stood there; and how
their texts are read."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from itertools import chain, islice, product
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from babel import Locale, UnknownLocaleError

from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.dates import Clock, ReadDate, find_age, find_shown, read_moment
from webarticlecurator.model.metadata import AgentKind, Found
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.resources import read_word_lists
from webarticlecurator.text import folded, squeeze, unescaped, visible
from webarticlecurator.urls import web_link

if TYPE_CHECKING:
    from webarticlecurator.extraction.metadata.visible import VisibleParts  # which makes clues

Read = TypeVar("Read")
_SYNTAXES = ("json-ld", "microdata", "json-ld-page")
_NOT_READ = frozenset({"name", "creator", "mainEntityOfPage", "isPartOf"})
"""Fields that say the same as another one; and the outlet, which is the portal: pages name products, front
pages and companies there."""


_FILE = Path(__file__).with_name("sources.txt").read_text(encoding="utf-8")
_TABLE = linear(r"^#.*\n", re.MULTILINE).sub("", _FILE)
_ROWS = (row.partition(" = ")[::2] for row in linear(r"\n(?! )").split(_TABLE.strip()))
_WRITTEN = {name: _SYNTAXES[:2] for name in FIELDS if name not in _NOT_READ}
_WRITTEN |= {name: tuple(sources.split()) for name, sources in _ROWS}


def _source(written: str, field: str) -> str:
    """Return the name of a source; those of data have the property of the field's name."""
    return f"{written}:{field}" if written in _SYNTAXES else written


SOURCES = {name: tuple(_source(written, name) for written in sources) for name, sources in _WRITTEN.items()}
"""Field -> where it is looked for, the most trusted place first."""
SITE_NAMES = (
    *("meta:og:site_name", "json-ld:publisher", "microdata:publisher"),
    *("meta:application-name", "meta:apple-mobile-web-app-title"),
    *("meta:twitter:site", "meta:publisher", "meta:dc.publisher", "html:site-name"),
)
"""Sources of a site's own name."""
CARD = tuple((f"meta:twitter:label{number}", f"meta:twitter:data{number}") for number in "12")
"""A card for social media carries two labelled values."""
READ = frozenset(chain(chain(*SOURCES.values()), SITE_NAMES, chain(*CARD)))
"""Every source that anyone asks."""


AGES = "html:age"
"""The source of ages in elements that hold a date; they count only where no date stands on the page."""


def is_visible(source: str) -> bool:
    """Return True for what a reader of the page sees, where values stand among other words and beside those
    of other articles."""
    return source.startswith("html:") and source != "html:lang"


SECTIONS_TOLD = tuple(source for source in SOURCES["articleSection"] if not is_visible(source))
"""Sources of data that tell the section."""


WORDS = read_word_lists(__file__, "value_words.txt")
"""Words around values, or instead of one."""
MAX_TEXT = 2_000
"""Characters of a value; what is longer is no metadata."""
_TAG = linear(
    r"</?(?:a|abbr|b|big|blockquote|br|center|cite|code|del|div|em|figure|font|h[1-6]|hr|i|iframe|img|ins|"
    r"li|mark|meta|nobr|o:p|ol|p|q|s|script|"
    r"small|span|strike|strong|style|sub|sup|table|tbody|td|tr|tt|u|ul|wbr)(?:\s[^<>]{0,300})?/?>",
    re.IGNORECASE,
)
"""Markup that programs left in a value; what else stands in angle brackets is what somebody wrote."""
_CONTROLS = linear(r"[\x00-\x08\x0e-\x1f\x7f]")
"""Characters that nobody sees, which some software leaves within words; those that part words are left."""


_MOST_CLUES = 200
"""Texts of one place that are kept."""
_MOST_SHOWN = 40
"""Texts of one place among what the page shows."""


class Clue(NamedTuple):
    """One text that may be a value."""

    text: str
    kind: AgentKind = ""
    """The kind of its bearer, as the page says."""
    url: str = ""
    """As it stood, of the page about its bearer."""


class PortalNames(Container[str]):
    """The names that a portal goes by on a page, folded.

    It notes which texts the `title` of the portal file alone could make a name: a page where none of them is
    the title is read the same without it.
    """

    def __init__(self, known: frozenset[str], title: str, asked: set[str]) -> None:
        self._known, self._title, self._asked = known, title, asked

    def __contains__(self, text: object) -> bool:
        if text in self._known:
            return True
        self._asked.add(str(text))
        return text == self._title != ""

    def __or__(self, more: frozenset[str]) -> PortalNames:
        return PortalNames(self._known | more, self._title, self._asked)

    def __sub__(self, others: set[str]) -> PortalNames:
        title = "" if self._title in others else self._title
        return PortalNames(self._known - others, title, self._asked)


class PageClues:
    """The clues of a page: where they stood ("json-ld:headline", "meta:og:title", "html:h1") -> what stood
    there, in page order."""

    def __init__(
        self,
        page: Page,
        clock: Clock,
        parts: VisibleParts,
        readers: Mapping[str, Callable[[VisibleParts], Iterable[Clue]]],
    ) -> None:
        self.page = page
        self.clock = clock
        """With the language of the page."""
        self.outlets = PortalNames(frozenset(), "", page.asked)
        self.is_forum = False
        self.front_pages: frozenset[str] = frozenset()
        """The portal's home and the root of its host, however they are written."""
        self.parts = parts
        """The parts that a reader of the page sees; empty if it is none of HTML."""
        self.types: list[str] = []
        """Types of the article in JSON-LD and microdata; empty texts where they tell none."""
        self._to_look_for = dict(readers)
        """Readers of places that are looked at only when somebody asks, since that costs time."""
        self._clues: dict[str, list[Clue]] = {source: [] for source in self._to_look_for}

    def add(self, source: str, text: str | None, kind: AgentKind = "", url: str = "") -> None:
        """File a text; empty ones, endless ones and repetitions are not kept."""
        if not text or len(text) > MAX_TEXT:
            return
        clue = Clue(squeeze(_CONTROLS.sub("", text)), kind, url)
        clues = self._clues.setdefault(source, [])
        if clue.text and len(clues) < _MOST_CLUES and clue not in clues:
            clues.append(clue)

    def get(self, source: str) -> Sequence[Clue]:
        """Return what stood there."""
        if source in self._to_look_for:
            look = self._to_look_for.pop(source)
            for clue in islice(look(self.parts), _MOST_SHOWN):
                self.add(source, *clue)
        return self._clues.get(source, ())

    def sources_of(self, field: str) -> list[str]:
        """Return the places where something may stand that tells a field; the most trusted first."""
        return list(filter(self._clues.__contains__, SOURCES.get(field, ())))

    def texts(self, *sources: str) -> list[str]:
        """Return the texts that stood at these places."""
        return [clue.text for source in sources for clue in self.get(source)]

    @cached_property
    def sections_told(self) -> frozenset[str]:
        """Names of the section of the article in data, folded."""
        return frozenset(map(folded, self.texts(*SECTIONS_TOLD)))

    def is_front_page(self, url: str) -> bool:
        """Return True for an address without a path, if that of the page has one."""
        return url.rstrip("/").count("/") <= 2 < self.page.url.rstrip("/").count("/")


Offer = list[Found]
"""Values of one source for a field."""
_MAY_BE_ADDRESS = linear_at(r"[^ ]*$|(?:https?:/)?/(?!.* https?://)")
"""Fits a text without blanks, and one that is the address of a file whose name has some, and neither a
sentence nor several addresses."""
_YES_NO = {
    **dict.fromkeys(("true", "1", "yes", "free"), "true"),
    **dict.fromkeys(("false", "0", "no", "locked"), "false"),
}


def plain_text(raw: str) -> str:
    """Return a text without entities and tags that were written into it."""
    # some software writes an ampersand of an entity as an entity
    text = unescaped(unescaped(raw)) if "&" in raw else raw
    return visible(squeeze(_TAG.sub(" ", text) if "<" in text else text))


def has_no_case(text: str) -> bool:
    """Return True for a text of letters without case, or of none."""
    return text.upper() == text.lower()


def folded_values(values: Iterable[Found]) -> set[str]:
    """Return what the values have in common with other spellings of theirs."""
    return {folded(value.value) for value in values}


def others_than(values: Iterable[Found], spellings: Container[str]) -> list[Found]:
    """Return the values that are none of these, which are folded."""
    return [value for value in values if folded(value.value) not in spellings]


def is_answered(source: str, found: Sequence[object]) -> bool:
    """Return True for what the page shows, where its data have said something: then nobody looks for it."""
    return is_visible(source) and len(found) > 0


def collect(
    field: str,
    known: PageClues,
    read: Callable[[str, PageClues], Read | None],
    is_enough: Callable[[str, Sequence[Read]], bool] = is_answered,
) -> list[Read]:
    """Return what is read from the sources of a field, one after the other, where it is anything.

    A source is not asked where, with what was found before, there is enough.
    """
    found: list[Read] = []
    for source in known.sources_of(field):
        told = None if is_enough(source, found) else read(source, known)
        if told:
            found.append(told)
    return found


def offers_of(field: str, known: PageClues) -> list[Offer]:
    """Return what each source says that is usable.

    What the page shows is looked for only where its data say nothing.
    """
    most = None if FIELDS[field].many else 1
    return collect(field, known, lambda source, _: list(islice(values_of(field, source, known), most)))


def values_of(field: str, source: str, known: PageClues) -> Iterator[Found]:
    """Yield what a source says, as values of this field."""
    if FIELDS[field].holds is Holds.DATE and is_visible(source):
        yield from _shown_dates(source, known)
        return
    read = _READERS[FIELDS[field].holds]
    for clue in known.get(source):
        value = read(clue.text, known)
        if value:
            yield Found(value=value, raw=clue.text, source=source, kind=clue.kind)


def _shown_dates(source: str, known: PageClues) -> Iterator[Found]:
    """Yield the dates that readers of the page see there, each with the words that say it; ages last."""
    for find, clue in product(_FINDERS.get(source, (find_shown, find_age)), known.get(source)):
        seen = find(clue.text, known.clock)
        if seen:
            yield Found(value=seen.value, raw=clue.text, source=source, written=seen.written)


_FINDERS: dict[str, tuple[Callable[[str, Clock], ReadDate | None], ...]] = {
    "html:date": (partial(find_shown, is_all=True),),
    AGES: (find_age,),
}
"""Readers of elements that hold a date: ages in them are a source of their own."""
_SCRIPT = linear_at(r"[^\W\d_]{4}")
"""The name of a script in a tag."""


@lru_cache(maxsize=256)
def language_tag(text: str) -> str | None:
    """Return BCP 47 for what pages write: `hu_HU.UTF-8`, `HU`, `de-de`, `sr-latn-rs`."""
    written = linear(r"[.@,;]").split(text.strip())[0].replace("_", "-")
    try:
        locale = Locale.parse(written, sep="-")
    except (UnknownLocaleError, ValueError, TypeError):
        return None
    scripts = [part.title() for part in written.split("-")[1:] if _SCRIPT.fullmatch(part)]
    return "-".join(filter(None, (locale.language, *scripts[:1], locale.territory)))


def read_url(text: str, known: PageClues) -> str | None:
    """Return the address that a text is."""
    # the title of a picture in Markdown goes, which some software leaves in
    text = html.unescape(text).partition(' "')[0]
    if not _MAY_BE_ADDRESS.match(text):
        return None
    return web_link(known.page.base, text, encoding=known.page.encoding)


def _read_number(text: str, _: PageClues) -> str | None:
    """Return the first number in a text."""
    digits = linear(r"\d+").search(text)
    return digits[0] if digits else None


_READERS: dict[Holds, Callable[[str, PageClues], str | None]] = {
    Holds.TEXT: lambda text, _: plain_text(text),
    Holds.DATE: lambda text, known: read_moment(text, known.clock),
    Holds.URL: read_url,
    Holds.LANGUAGE: lambda text, _: language_tag(text),
    Holds.NUMBER: _read_number,
    Holds.YES_NO: lambda text, _: _YES_NO.get(text.rpartition("/")[2].lower()),
}
"""Readers of texts, by what a field holds."""
