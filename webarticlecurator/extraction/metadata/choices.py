"""The values that each source offers for a field, the best offer first; and the fields for which more counts
than the order of their sources."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter

from webarticlecurator.config.picks import Picks
from webarticlecurator.extraction.alike import first_of_each
from webarticlecurator.extraction.metadata.authors import choose_authors
from webarticlecurator.extraction.metadata.dates import choose_publication
from webarticlecurator.extraction.metadata.headline import choose_headline
from webarticlecurator.extraction.metadata.sources import SOURCES, WORDS, Offer, PageClues, offers_of
from webarticlecurator.extraction.metadata.topics import choose_section, choose_topics
from webarticlecurator.model.metadata import Found
from webarticlecurator.own_patterns import linear, linear_at

_BREAKS_OFF = linear(r"(?:\.\.\.|…|\[…\]|\[\.\.\.\])\s*$")
_GOES_ON = linear_at(r"\w,?\s+\w")
"""The end of a word in a sentence that goes on."""
_FILE_NAME = r"[\w%.-]+\.(?:html?|php|aspx?|jpe?g|png|gif|webp|svg|pdf|docx?|txt|md)"
_SAYS_NOTHING = linear_at(rf"(?:{'|'.join(WORDS['no description'])})\W*|{_FILE_NAME}", re.IGNORECASE)
_SHORTEST_DESCRIPTION = 30
"""Characters; what is shorter is a slogan, or a title."""


def offers_for(field: str, clues: PageClues, rule: Picks) -> list[Offer]:
    """Return the offers for a field, each value once, without what the portal's rule for the field drops."""
    choose = _CHOOSERS.get(field, partial(offers_of, field))
    offers = [kept_by(rule, distinct(offer)) for offer in choose(clues)]
    return [offer for offer in offers if offer]


def kept_by(rule: Picks, values: list[Found]) -> list[Found]:
    """Return the values that the rule does not drop: its file says that those are no values of this field,
    whoever else tells them."""
    return [value for value in values if not rule.drops(value.value)]


def distinct(values: Iterable[Found]) -> list[Found]:
    """Return each value once, as it was told first."""
    return first_of_each(values, attrgetter("value"))


def _choose_description(clues: PageClues) -> list[Offer]:
    """Return the first description first; if a program cut that off, one that somebody wrote to its end."""
    offers = offers_of("description", clues)
    offers = [offer for offer in offers if not _SAYS_NOTHING.fullmatch(offer[0].value)]
    texts = [offer[0].value for offer in offers]
    others = [*texts, *clues.texts(*SOURCES["headline"])]
    if texts and _is_cut(texts[0], others):
        offers.sort(key=lambda offer: _is_no_whole_description(offer[0].value, others))
    return offers


def _is_no_whole_description(text: str, others: Sequence[str]) -> bool:
    return len(text) < _SHORTEST_DESCRIPTION or _is_cut(text, others)


def _is_cut(text: str, others: Sequence[str]) -> bool:
    """Return True for a text that breaks off, or that another one goes on where it ends."""
    return _BREAKS_OFF.search(text) is not None or any(_goes_on(text, other) for other in others)


def _goes_on(text: str, longer: str) -> bool:
    return _GOES_ON.match(text[-1:] + longer.removeprefix(text)) is not None


def _choose_url(clues: PageClues) -> list[Offer]:
    """Return all addresses but those of the portal's front page, which are mistakes of its template."""
    return [offer for offer in offers_of("url", clues) if not clues.is_front_page(offer[0].value)]


def _choose_types(clues: PageClues) -> list[Offer]:
    """Return what all sources say together."""
    return [list(chain(*offers_of("additionalType", clues)))]


def _choose_publisher(clues: PageClues) -> list[Offer]:
    """Return what names the publisher; else the company that the data have for an author."""
    companies = [author for author in chain(*offers_of("author", clues)) if author.kind == "organization"]
    return offers_of("publisher", clues) or [[company] for company in companies[:1]]


_CHOOSERS: dict[str, Callable[[PageClues], list[Offer]]] = {
    "headline": choose_headline,
    "description": _choose_description,
    "author": choose_authors,
    "publisher": _choose_publisher,
    "datePublished": choose_publication,
    "keywords": choose_topics,
    "articleSection": choose_section,
    "url": _choose_url,
    "additionalType": _choose_types,
}
"""Fields that are not plainly the first source's value."""
