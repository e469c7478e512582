"""Which texts may be a value of a field at all: what is none, or is but a worse spelling of one, would only make a person read more."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from webarticlecurator.extraction.metadata.people import names_in
from webarticlecurator.extraction.metadata.sources import Clue
from webarticlecurator.learning.metadata.read_pages import ReadPage
from webarticlecurator.text import folded

Values = tuple[str, ...]
"""Of one field on one page."""
LONGEST = 400
"""Characters of a value; what is longer is no metadata but the article."""
_MOST_VALUES = 30
_LONGEST_SECTION = 60
_DATE = re.compile(r"(?:19|20)\d\d-\d\d-\d\d(?:T|$)")
_SIGNS_OF_NO_NAME = re.compile(r"[\d@,;:|]")
_SITE_BEHIND = re.compile(r"\s*[|–—·•»«›/\\：:｜-]")
_SHARED = 0.5
"""Of the words of a headline that the page's other titles have, too."""


def plausible(name: str, values: Sequence[str], read: ReadPage, *, visible: bool) -> Values:
    """These values, or none at all where one of them cannot be meant; of what is `visible` less can, since anything may stand there."""
    told = tuple(filter(None, values))
    if len(told) > _MOST_VALUES or any(len(one) > LONGEST for one in told):
        return ()
    test = _TESTS.get(name)
    return told if test is None or all(test(one, read, visible) for one in told) else ()


def _is_date(text: str, _: ReadPage, __: bool) -> bool:
    return _DATE.match(text) is not None


def _is_name(text: str, read: ReadPage, visible: bool) -> bool:
    """A name, and not the site's; data may put several into one text, if these are not those that are read from it anyway."""
    if folded(text) in read.outlets:
        return False
    names = {folded(one.text) for one in names_in([Clue(text)], read.language, visible=visible, alone=True)}
    if names == {folded(text)}:
        return True
    return not visible and bool(names) and not _SIGNS_OF_NO_NAME.search(text) and names != set(map(folded, read.texts("author")))


def _is_title(text: str, read: ReadPage, _: bool) -> bool:
    """Not the headline with the site's name behind it."""
    own = next(iter(read.texts("headline")), "")
    if own and text.startswith(own) and _SITE_BEHIND.match(text, len(own)):
        return False
    words, known = ({folded(word) for word in one.split()} - {""} for one in (text, read.titles))
    return not known or len(words & known) >= _SHARED * len(words) > 0


def _is_section(text: str, read: ReadPage, _: bool) -> bool:
    return len(text) <= _LONGEST_SECTION and any(map(str.isalpha, text)) and "@" not in text and folded(text) not in folded(read.titles)


_TESTS: Mapping[str, Callable[[str, ReadPage, bool], bool]] = {
    "headline": _is_title,
    "author": _is_name,
    "articleSection": _is_section,
    **dict.fromkeys(("datePublished", "dateModified", "dateCreated"), _is_date),
}
