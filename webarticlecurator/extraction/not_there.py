"""Pages that say that they are not there, though the server answered as if they were."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from webarticlecurator.model.metadata import Metadata
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import squeeze

_ADDRESS = linear(r"/404(?:\.[a-z]{3,5}|/)?$")
"""The address of a page that software dates like all others."""
_LINES = Path(__file__).with_name("not_there_words.txt").read_text(encoding="utf-8").splitlines()
_PHRASES = "|".join(_LINES[1:])
"""Sentences of pages that are not there, in a regular expression."""
_ERROR = r"error|fehler|erreur|errore|erro|hiba|błąd|chyba|fout|fel|feil|fejl|virhe|eroare|greška|ошибка"
_BEFORE = rf"({_ERROR}|http|oops|sorry|whoops)"
"""Words before a sentence, or beside 404, in a regular expression."""
_SAYS_SO = linear_at(rf"({_BEFORE}\W+)*(404( {_BEFORE})?|(404\W+)?({_PHRASES})(\W+404)?)")
"""A whole title, lower case, without the site's name and marks around it."""
_BETWEEN_PARTS = linear(r"(?<!\s)\s+[|–—·»:-]\s+")
"""Stands between a title and the site's name."""
_MARKS = " .,:;!?…¡¿'\"„“”«»()[]"
_LONGEST = 800
"""Characters of such a page, which says what to do instead, and not much."""
_A_SENTENCE = 200
"""Characters of a page beside whose text a rule may find the date of another article, in a box."""
_OF_OTHERS = ("listing:", "url")
"""Sources of dates that are not the page's own."""


def title_of_missing(page: Page, metadata: Metadata, length: int) -> str | None:
    """Return the title by which a page says that it is not there; None where it does not.

    A page with a date of its own, or with a text, is an article, whatever it is called.
    `length` is that of the text.
    """
    if length > _LONGEST or (_has_own_date(metadata, length) and not _ADDRESS.search(page.url)):
        return None
    for part in _parts_of_titles(page):
        if _SAYS_SO.fullmatch(part.casefold().strip(_MARKS)):
            return part
    return None


def _has_own_date(metadata: Metadata, length: int) -> bool:
    of_others = (*_OF_OTHERS, "metadata.") if length <= _A_SENTENCE else _OF_OTHERS
    return any(not date.source.startswith(of_others) for date in metadata.get("datePublished", ()))


def _parts_of_titles(page: Page) -> Iterator[str]:
    """Give the titles and first headings of a page, each as a whole and in its parts."""
    rows = (*page.outline.rows("title"), *page.outline.rows("h1"))
    for row in rows[:3]:
        title = squeeze(page.outline.text(row))
        yield title
        yield from _BETWEEN_PARTS.split(title)
