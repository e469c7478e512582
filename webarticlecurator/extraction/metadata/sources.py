"""Which source wins for which field; what the sources of a page say, as it stood there; and how their texts are read."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from babel import Locale, UnknownLocaleError

from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.dates import LONGEST_WRITTEN, Clock, find_visible, read_moment
from webarticlecurator.model.metadata import AgentKind, Found
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import squeeze, unescaped, visible
from webarticlecurator.urls import is_http, join
from webarticlecurator.word_lists import read_word_lists

if TYPE_CHECKING:
    from webarticlecurator.extraction.metadata.visible import VisibleParts  # which makes clues

_SYNTAXES = ("json-ld", "microdata", "json-ld-page")
_NOT_READ = frozenset({"name", "creator", "mainEntityOfPage", "isPartOf"})
"""Fields that say the same as another one; and the outlet, which is the portal: pages name products, front pages and companies there."""


_TABLE = linear(r"^#.*\n", re.MULTILINE).sub("", Path(__file__).with_name("sources.txt").read_text(encoding="utf-8"))
_ROWS = (row.partition(" = ")[::2] for row in linear(r"\n(?! )").split(_TABLE.strip()))
_WRITTEN = {name: _SYNTAXES[:2] for name in FIELDS if name not in _NOT_READ} | {name: tuple(sources.split()) for name, sources in _ROWS}
SOURCES = {name: tuple(f"{source}:{name}" if source in _SYNTAXES else source for source in sources) for name, sources in _WRITTEN.items()}
"""Field -> where it is looked for, the most trusted place first."""
SITE_NAMES = (
    *("meta:og:site_name", "json-ld:publisher", "microdata:publisher", "meta:application-name", "meta:apple-mobile-web-app-title"),
    *("meta:twitter:site", "meta:publisher", "meta:dc.publisher", "html:site-name"),
)
"""Where a site's own name stands."""
CARD = tuple((f"meta:twitter:label{number}", f"meta:twitter:data{number}") for number in "12")
"""A card for social media carries two labelled values."""
READ = frozenset((*(one for sources in SOURCES.values() for one in sources), *SITE_NAMES, *(source for pair in CARD for source in pair)))
"""Every source that anyone asks."""


def is_visible(source: str) -> bool:
    """Whether it is what a reader of the page sees, where values stand among other words and beside those of other articles."""
    return source.startswith("html:") and source != "html:lang"


SECTIONS_TOLD = tuple(source for source in SOURCES["articleSection"] if not is_visible(source))
"""Where data tell the section."""


WORDS = read_word_lists(__file__, "value_words.txt")
"""Around values, or instead of one."""
MAX_TEXT = 2_000
"""Characters of a value; what is longer is no metadata."""
_TAG = linear(
    r"</?(?:a|abbr|b|big|blockquote|br|center|cite|code|del|div|em|figure|font|h[1-6]|hr|i|iframe|img|ins|li|mark|meta|nobr|o:p|ol|p|q|s|script|"
    r"small|span|strike|strong|style|sub|sup|table|tbody|td|tr|tt|u|ul|wbr)(?:\s[^<>]{0,300})?/?>",
    re.IGNORECASE,
)
"""Markup that programs left in a value; what else stands in angle brackets is what somebody wrote."""
_CONTROLS = linear(r"[\x00-\x08\x0e-\x1f\x7f]")
"""Characters that nobody sees, which some software leaves within words; those that part words are left."""


class Clue(NamedTuple):
    """One text that may be a value."""

    text: str
    kind: AgentKind = ""
    """What the page says its bearer is."""
    url: str = ""
    """As it stood, of the page about its bearer."""


class PageClues:
    """What is known of a page: where it stood ("json-ld:headline", "meta:og:title", "html:h1") -> what stood there, in page order."""

    def __init__(
        self, page: Page, clock: Clock, parts: VisibleParts | None, readers: Mapping[str, Callable[[VisibleParts], Iterable[Clue]]]
    ) -> None:
        self.page = page
        self.clock = clock
        """With the language of the page."""
        self.outlets: frozenset[str] = frozenset()
        """The names that the portal goes by, folded."""
        self.is_forum = False
        self.front_pages: frozenset[str] = frozenset()
        """The portal's home and the root of its host, however they are written."""
        self.parts = parts
        """What a reader of the page sees, if it is one of HTML."""
        self.types: list[str] = []
        """What JSON-LD and microdata call the article; empty texts where they do not."""
        self._to_look_for = dict(readers) if parts is not None else {}
        """How that is read, which costs time: when somebody asks for it."""
        self._clues: dict[str, list[Clue]] = {source: [] for source in self._to_look_for}

    def add(self, source: str, text: str | None, kind: AgentKind = "", url: str = "") -> None:
        """File a text; empty ones, endless ones and repetitions are not kept."""
        if not text or len(text) > MAX_TEXT:
            return
        if not (text := squeeze(text if text.isprintable() else _CONTROLS.sub("", text))):
            return
        clue, clues = Clue(text, kind, url), self._clues.setdefault(source, [])
        if len(clues) < 200 and clue not in clues:
            clues.append(clue)

    def get(self, source: str) -> Sequence[Clue]:
        if self.parts is not None and (look := self._to_look_for.pop(source, None)) is not None:
            for clue in islice(look(self.parts), 40):
                self.add(source, *clue)
        return self._clues.get(source, ())

    def sources_of(self, field: str) -> list[str]:
        """Where something stood, or may stand, that tells it; the most trusted first."""
        return list(filter(self._clues.__contains__, SOURCES.get(field, ())))

    def texts(self, *sources: str) -> list[str]:
        return [clue.text for source in sources for clue in self.get(source)]

    def is_front_page(self, url: str) -> bool:
        """Whether it is an address without a path, and that of the page is none."""
        return url.rstrip("/").count("/") <= 2 < self.page.url.rstrip("/").count("/")


Offer = list[Found]
"""What one source has for a field."""
_ADDRESS_WITH_BLANKS = linear_at(r"(?:https?:/)?/(?!.* https?://)")
"""Of a text with blanks: the address of a file whose name has some, and neither a sentence nor several addresses."""
_YES_NO = {"true": "true", "1": "true", "yes": "true", "free": "true", "false": "false", "0": "false", "no": "false", "locked": "false"}


def plain_text(raw: str) -> str:
    """Without entities and tags that were written into a value."""
    text = unescaped(unescaped(raw)) if "&" in raw else raw  # some software writes an ampersand of an entity as an entity
    return visible(squeeze(_TAG.sub(" ", text) if "<" in text else text))


def offers_of(field: str, known: PageClues) -> list[Offer]:
    """What each source says that is usable; what the page shows is looked for only where its data say nothing."""
    offers: list[Offer] = []
    most = None if FIELDS[field].many else 1
    for source in known.sources_of(field):
        if not (offers and is_visible(source)) and (offer := list(islice(values_of(field, source, known), most))):
            offers.append(offer)
    return offers


def values_of(field: str, source: str, known: PageClues) -> Iterator[Found]:
    """What a source says, as values of this field."""
    holds = FIELDS[field].holds
    for clue in known.get(source):
        if holds is Holds.DATE and is_visible(source):
            if seen := find_visible(clue.text, known.clock):
                written = seen.written if len(seen.written) <= LONGEST_WRITTEN else ""
                yield Found(value=seen.value, raw=clue.text, source=source, written=written)
        elif value := _read(holds, clue.text, known):
            yield Found(value=value, raw=clue.text, source=source, kind=clue.kind)


def _read(holds: Holds, text: str, known: PageClues) -> str | None:
    if holds is Holds.TEXT:
        return plain_text(text)
    if holds is Holds.DATE:
        return read_moment(text, known.clock)
    if holds is Holds.URL:
        text = html.unescape(text).partition(' "')[0]  # the title of a picture in Markdown, which some software leaves in
        may_be_one = " " not in text or _ADDRESS_WITH_BLANKS.match(text)
        url = join(known.page.base, text, encoding=known.page.encoding) if may_be_one else None
        return url if url is not None and is_http(url) else None
    if holds is Holds.LANGUAGE:
        return language_tag(text)
    if holds is Holds.YES_NO:
        return _YES_NO.get(text.rpartition("/")[2].lower())
    digits = linear(r"\d+").search(text)
    return digits[0] if digits else None


@lru_cache(maxsize=256)
def language_tag(text: str) -> str | None:
    """BCP 47 from what pages write: `hu_HU.UTF-8`, `HU`, `de-de`, `sr-latn-rs`."""
    written = linear(r"[.@,;]").split(text.strip())[0].replace("_", "-")
    try:
        locale = Locale.parse(written, sep="-")
    except (UnknownLocaleError, ValueError, TypeError):
        return None
    script = next((part.title() for part in written.split("-")[1:] if len(part) == 4 and part.isalpha()), None)
    return "-".join(part for part in (locale.language, script, locale.territory) if part)
