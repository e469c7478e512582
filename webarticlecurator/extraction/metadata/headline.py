"""The headline of an article: what most of the titles of its page agree on, without the name of the
site."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.extraction.metadata.sources import WORDS, Offer, PageClues, others_than, plain_text
from webarticlecurator.model.metadata import Found
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import folded, squeeze
from webarticlecurator.urls import bare_host

_SEPARATOR = linear(r"(?<!\s)(?:\s+(?:[|–—·•»«/\\-]+|::?|›)\s+|\s*[|｜]\s*|\s*::\s*|\s+:\s*)|:\s+|,\s+")
_WEAK = linear_at(r"\s*[:,]\s*")
"""Signs that a headline has itself."""
_WORD = linear(r"\w+")
_OF_MARKUP = linear(r"^[^<]*<(?!/)[^<]*(?:<(?!/)[^<]*)*$")
"""A text that names a tag, and closes none."""
_MOST_PARTS = 20
_SHORTEST_NAME = 4
"""Folded characters of a name that a host holds not by chance."""
_MIN_TITLE = 12
"""Folded characters of a text that another one must hold to repeat it."""
_LONGEST_OTHER = 200
"""Characters of a heading that may be the headline in other words."""
_LEAST_WORDS = 4
_LEAST_COMMON = 0.3
"""Share of its words that the headline in other words has in common with it."""
_LABELS = frozenset(map(folded, ("", *WORDS["no headline"])))
"""Texts that programs write where nobody wrote a headline; folded."""

_WEIGHTS = {
    **dict.fromkeys(("json-ld:headline", "html:h1"), 3.0),
    "meta:og:title": 2.5,
    **dict.fromkeys(("microdata:headline", "html:heading", "meta:citation_title"), 2.0),
    **dict.fromkeys(("meta:parsely-title", "meta:dc.title", "meta:dcterms.title", "html:title"), 1.0),
}
"""Weights of sources."""
_OTHER_WEIGHT = 0.5
"""Weight of every other source."""
_DISPLAYED = ("meta:og:title", "json-ld:headline", "html:h1")
"""Sources whose spelling is taken of those that agree: the first of these, since in the heading words of two
lines may have grown together."""


def choose_headline(known: PageClues) -> list[Offer]:
    """Return what most of the titles say, then all of them, each without the name of the site."""
    written = _written_titles(known)
    sites = known.outlets.union(_names_of_site(known))
    titles = [replace(title, value=without_site(title.value, sites)) for title in written]
    titles = others_than(titles, known.outlets | _LABELS)
    if not titles:
        return []
    whole = _whole_titles(written, known)
    bare = [replace(title, value=_without_more(title.value, whole)) for title in titles]
    agreeing = _agreeing(bare)
    best = _with_all_signs(min(agreeing, key=_place_in_display), agreeing)
    if not known.types[0].endswith("NewsArticle"):  # newspapers write their data with care
        best = _as_seen(best, known)
    return [[title] for title in (best, *titles)]


def _written_titles(known: PageClues) -> list[Found]:
    """Return the first title of each source; a heading of the first level does not count where another one is
    the headline."""
    titles: list[Found] = []
    is_other = known.texts("html:heading") not in ([], known.texts("html:h1")[:1])
    for source in known.sources_of("headline"):
        if source == "html:h1" and is_other:
            continue
        titles += [Found(value=plain_text(text), raw=text, source=source) for text in known.texts(source)[:1]]
    return titles


def _whole_titles(written: Sequence[Found], known: PageClues) -> set[str]:
    """Return the titles, folded, of which one may be the beginning of another one."""
    keys = {folded(title.value) for title in written}
    if not known.parts.first_level:  # the page may link to itself by its headline
        keys.update(folded(clue.text) for clue in known.parts.texts(known.parts.linked["own"]))
    return keys


# --- what the titles agree on ---


def _agreeing(titles: Sequence[Found]) -> list[Found]:
    """Return the titles that say what most of them say, or else the most trusted one."""
    keys = dict.fromkeys(folded(title.value) for title in titles)  # in the order of trust
    told = max(keys, key=lambda key: _support(key, titles))
    return [title for title in titles if folded(title.value) == told]


def _support(key: str, titles: Sequence[Found]) -> float:
    """Return the weight of the titles that agree on this; less where one of them was cut off there."""
    total = sum(_WEIGHTS.get(title.source, _OTHER_WEIGHT) for title in titles if _agrees(title, key))
    return total - any(_is_cut_off(title) for title in titles if folded(title.value) == key)


def _agrees(title: Found, key: str) -> bool:
    """Return True for a title that says the same; for a cut-off one; for the title of a document that holds
    it among other things."""
    other = folded(title.value)
    if title.source == "html:title" and len(key) >= _MIN_TITLE and key in other:
        return True
    return other == key or (_is_cut_off(title) and key.startswith(other))


def _is_cut_off(title: Found) -> bool:
    return title.value.endswith(("…", "..."))


def _place_in_display(title: Found) -> int:
    """Return which spelling is taken: the lowest."""
    return (*_DISPLAYED, title.source).index(title.source)


def _with_all_signs(title: Found, agreeing: Sequence[Found]) -> Found:
    """Return the heading that has the words of the title with more signs, if there is one.

    Some software takes for markup what stands between words, or what is said of markup: "The <table>
    element".
    """
    for heading in agreeing:
        shown = squeeze(heading.raw) if _OF_MARKUP.search(heading.raw) else heading.value
        if heading.source == "html:h1" and _has_more_signs(shown, title.value):
            return replace(heading, value=shown)
    return title


def _has_more_signs(text: str, title: str) -> bool:
    """Return True for a text that has the words of a title, the same end, and more signs between."""
    more, fewer = "".join(text.split()), "".join(title.split())
    has_same_words = _WORD.findall(plain_text(text)) == _WORD.findall(title)
    return has_same_words and len(more) > len(fewer) and more[-1] == fewer[-1]


# --- the heading in other words ---


class _OtherHeading(NamedTuple):
    """The only heading of the first level, beside the title that was chosen."""

    text: str
    """Its text without the name of the site."""
    key: str
    """Folded."""
    title: str
    """The title that was chosen, folded."""
    known: PageClues


def _says_the_same(heading: _OtherHeading) -> bool:
    return heading.key in heading.title or heading.title in heading.key


def _stands_beside_headline(heading: _OtherHeading) -> bool:
    return any(heading.key in folded(title) for title in heading.known.texts("html:title"))


def _is_heading_in_text(heading: _OtherHeading) -> bool:
    parts = heading.known.parts
    return parts.headline.row < parts.first_level[0].row and parts.headline.key == heading.title


_AGAINST_HEADING: tuple[Check[_OtherHeading], ...] = (
    Check("it says the same", _says_the_same),
    Check("it is the name of the portal", lambda heading: heading.key in heading.known.outlets),
    Check("it is a sentence or more", lambda heading: len(heading.text) > _LONGEST_OTHER),
    Check("it stands in the title of the page beside the headline: the site's name", _stands_beside_headline),
    Check("the first level is of headings in the text", _is_heading_in_text),
)
"""Reasons why the only heading of the first level is not the headline in other words."""


def _as_seen(title: Found, known: PageClues) -> Found:
    """Return the heading that readers see, where it words otherwise what search engines are told; else the
    title."""
    headings = known.texts("html:h1")
    if len(headings) != 1:
        return title
    text = without_site(plain_text(headings[0]), known.outlets)
    if first_reason(_AGAINST_HEADING, _OtherHeading(text, folded(text), folded(title.value), known)):
        return title
    return Found(value=text, raw=text, source="html:h1") if _have_common_words(text, title.value) else title


def _have_common_words(text: str, title: str) -> bool:
    """Return True for a text that says in other words what a title says."""
    words, others = _words(text), _words(title)
    return len(words) >= _LEAST_WORDS and len(words & others) >= _LEAST_COMMON * min(len(words), len(others))


def _words(text: str) -> set[str]:
    return set(map(folded, text.split())) - {""}


# --- the name of the site in a title ---


class _Cut(NamedTuple):
    """A place in a title at which a name may begin or end."""

    head: str
    tail: str
    is_weak: bool
    """True if a headline has such signs itself: only the site's name goes behind them."""


@lru_cache(maxsize=256)
def _cuts(title: str) -> tuple[_Cut, ...]:
    """Return the places in a title at which it may be cut, the first first."""
    signs = islice(_SEPARATOR.finditer(title), _MOST_PARTS)
    return tuple([_cut(title, *sign.span()) for sign in signs])


def _cut(title: str, start: int, end: int) -> _Cut:
    return _Cut(title[:start].strip(), title[end:].strip(), _WEAK.fullmatch(title[start:end]) is not None)


def _names_of_site(known: PageClues) -> Iterator[str]:
    """Yield what stands behind the titles of the page, in no heading, and is made of the host's letters.

    On getjanespies.com it is `| Jane's Pies`.
    """
    letters = folded(bare_host(known.page.url))
    headings = [heading.key for heading in known.parts.first_level]
    for title in known.texts("html:title", "meta:og:title"):
        for cut in _strong_cuts(title):
            name = folded(cut.tail)
            if _is_of_host(cut.tail, letters) and not any(name in heading for heading in headings):
                yield name


def _strong_cuts(title: str) -> list[_Cut]:
    return [cut for cut in _cuts(title) if not cut.is_weak]


def _is_of_host(name: str, letters: str) -> bool:
    """Return True for a name whose words are all in the letters of a host."""
    return len(folded(name)) >= _SHORTEST_NAME and all(word in letters for word in map(folded, name.split()))


def without_site(title: str, sites: Collection[str]) -> str:
    """Return the title without the names of the site around it, which are folded."""
    for _ in range(_MOST_PARTS):
        shorter = _without_name(title, sites)
        if shorter is None:
            break
        title = shorter
    return title


def _without_name(title: str, sites: Collection[str]) -> str | None:
    """Return the title without the site's name behind or before it; None where there is none."""
    before = [cut.head for cut in _cuts(title) if folded(cut.tail) in sites]  # the longest tail first
    behind = [cut.tail for cut in reversed(_strong_cuts(title)) if folded(cut.head) in sites]
    return next(chain(before, behind), None)


def _without_more(title: str, others: Collection[str]) -> str:
    """Return the title without what stands behind another title, as the name of a section does; `others` are
    folded."""
    for cut in _strong_cuts(title):
        key = folded(cut.head)
        if key in others and _MIN_TITLE <= len(key) < len(folded(title)):
            return cut.head
    return title
