"""What a reader of one source says: texts as they stood in the page, filed under where exactly they stood."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from webarticlecurator.extraction.structured_data import MAX_TEXT
from webarticlecurator.model.metadata import AgentKind
from webarticlecurator.text import squeeze, visible

MAX_CLUES = 200
"""Clues of one place."""
MAX_PROMISED = 40
"""Of those that the reader has to look for."""

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_TAG = re.compile(
    r"</?(?:a|abbr|acronym|address|article|b|bdi|big|blockquote|br|center|cite|code|dd|del|dfn|div|dl|dt|em|figcaption|figure|font|footer|"
    r"h[1-6]|header|hr|i|iframe|img|ins|kbd|label|li|link|mark|meta|nobr|o:p|ol|p|pre|q|rp|rt|ruby|s|samp|script|section|small|span|strike|"
    r"strong|style|sub|summary|sup|table|tbody|td|th|thead|time|tr|tt|u|ul|var|wbr)(?:\s[^<>]{0,300})?/?>",
    re.IGNORECASE,
)
"""Markup that programs left in a value; what else stands in angle brackets is what somebody wrote."""


class Clue(NamedTuple):
    """One text that may be a value."""

    text: str
    kind: AgentKind = ""
    """What the page says its bearer is."""
    url: str = ""
    """As it stood, of the page about its bearer."""


_MOST_ESCAPED = 2
"""Times that some software writes an ampersand of an entity as an entity, beside what the reader of the page has undone."""


def plain_text(raw: str) -> str:
    """Without entities and tags that were written into a value."""
    text = raw
    for _ in range(_MOST_ESCAPED):
        text = _ENTITY.sub(lambda found: html.unescape(found[0]), text) if "&" in text else text
    return visible(squeeze(_TAG.sub(" ", text) if "<" in text else text))


class Clues:
    """What all readers say: where it stood ("json-ld:headline", "meta:og:title", "html:h1") -> what stood there, in page order.

    What costs time to look for is promised, and looked for when it is asked for.
    """

    def __init__(self) -> None:
        self._clues: dict[str, list[Clue]] = {}
        self._promised: dict[str, Callable[[], Iterable[Clue]]] = {}
        self._begun: dict[str, Iterator[Clue]] = {}
        """Of the promises, those that somebody asked for."""

    def add(self, source: str, text: str | None, kind: AgentKind = "", url: str = "") -> None:
        """File a text; empty ones, endless ones and repetitions are not kept."""
        if not text or len(text) > MAX_TEXT or not (text := " ".join(text.split())):
            return
        clue, clues = Clue(text, kind, url), self._clues.setdefault(source, [])
        if len(clues) < MAX_CLUES and clue not in clues:
            clues.append(clue)

    def promise(self, source: str, texts: Callable[[], Iterable[Clue]]) -> None:
        """What will be filed under this source when it is asked for."""
        self._promised[source] = texts

    def get(self, source: str) -> Sequence[Clue]:
        for _ in self._looked_for(source):
            pass
        return self._clues.get(source, ())

    def each(self, source: str) -> Iterator[Clue]:
        """The same, one by one: those behind the last one that is asked for are not looked for."""
        filed = tuple(self._clues.get(source, ()))
        yield from filed
        number = len(filed)
        for _ in self._looked_for(source):
            clues = self._clues.get(source, ())
            yield from clues[number:]
            number = len(clues)

    def _looked_for(self, source: str) -> Iterator[None]:
        """File what was promised, clue by clue."""
        if source in self._promised and source not in self._begun:
            self._begun[source] = islice(self._promised[source](), MAX_PROMISED)
        for clue in self._begun.get(source, ()):
            self.add(source, *clue)
            yield

    def texts(self, *sources: str) -> list[str]:
        return [clue.text for source in sources for clue in self.get(source)]

    def sources(self) -> list[str]:
        """Where something stood, or may stand."""
        return [*self._clues, *self._promised]
