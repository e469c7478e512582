"""The headline of an article: what most of the titles of its page agree on, without the name of the
site."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple
from urllib.parse import unquote

from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.extraction.metadata.sources import (
    SOURCES,
    WORDS,
    Offer,
    PageClues,
    folded_values,
    others_than,
    plain_text,
)
from webarticlecurator.model.metadata import Found
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import folded, squeeze
from webarticlecurator.urls import bare_host

_SEPARATOR = linear(r"(?<!\s)(?:\s+(?:[|–—·•»«/\\-]+|::?|›)\s+|\s*[|｜]\s*|\s*::\s*|\s+:\s*)|:\s+|,\s+")
_WEAK = linear_at(r"\s*[:,]\s*")
"""Signs that a headline has itself."""
_WORD = linear(r"\w+")
_NO_MORE = linear(r"^$|\d")
"""A text that says no more than the headline before it: an empty one, a date, a number."""
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
_SHORTEST_SPELT = 8
"""Folded characters of a title that an address spells not by chance."""
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
_HEADINGS = ("html:h1", "html:heading")
"""Sources that readers see: what one of these says is not put in other words by another one."""
_LEAST_OF = {**dict.fromkeys(_WEIGHTS, 0.0), **dict.fromkeys(_HEADINGS, _LEAST_COMMON)}
"""Share of its words that the headline in other words has in common with it, by source: a page may have other
headings than its headline."""
_OF_DOCUMENT = ("html:title", "meta:og:title")
"""Sources of the title of the document, which names the site, too."""
_DISPLAYED = ("meta:og:title", "json-ld:headline", "html:h1")
"""Sources whose spelling is taken of those that agree: the first of these, since in the heading words of two
lines may have grown together."""


def choose_headline(known: PageClues) -> list[Offer]:
    """Return what most of the titles say, then all of them, each without the name of the site; a page whose
    titles are but that name has it for its headline."""
    written = _written_titles(known)
    behind = {folded(tail) for title in known.texts(*_OF_DOCUMENT) for tail in names_behind(title)}
    names = known.outlets | frozenset(_names_of_site(known))
    alone = set(map(folded, known.texts("meta:og:title", "html:h1"))) - behind
    titles = [replace(title, value=_without_names(title.value, names - alone, known)) for title in written]
    titles = next(
        filter(None, (others_than(titles, others | _LABELS) for others in (names, behind, _LABELS))), []
    )
    if not titles:
        return []
    labelled = {folded(title.value) for title in titles if _is_of_thread(title, known)}
    bare = [
        replace(title, value=_without_more(title.value, folded_values(written), labelled)) for title in titles
    ]
    agreeing = _agreeing(bare)
    best = _as_seen(_with_all_signs(min(agreeing, key=_place_in_display), agreeing), names - alone, known)
    return [[title] for title in (best, *titles)]


def other_wordings(headline: Found, titles: Iterable[Found]) -> Iterator[Found]:
    """Yield the titles that say the headline in other words, what readers see before what search engines and
    pictures of the page are told; no part of another one is such."""
    words = _words(headline.value)
    others = (
        title for title in titles if _common(_words(title.value), words) >= _LEAST_OF.get(title.source, 2)
    )
    told = sorted(others, key=lambda title: title.source != "html:h1")
    keys = [folded(headline.value)]
    for title in told:
        key = folded(title.value)
        if not any(key in other or other in key for other in keys):
            keys.append(key)
            yield title


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


def _is_of_thread(title: Found, known: PageClues) -> bool:
    """Return True for the title of a thread that has no label before it."""
    return title.source == "json-ld:headline" and known.types[0] == "DiscussionForumPosting"


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
    """The first heading of the first level, beside the title that was chosen."""

    text: str
    """Its text without the name of the site."""
    key: str
    """Folded."""
    title: str
    """The title that was chosen."""
    known: PageClues

    @property
    def title_key(self) -> str:
        """The title, folded."""
        return folded(self.title)

    def has_words_of(self, title: str) -> bool:
        """Return True if the heading says in other words what a title says."""
        return _common(_words(self.text), _words(title)) >= _LEAST_COMMON


def _has_no_more_words(heading: _OtherHeading) -> bool:
    """Return True for a heading that says the same, perhaps behind a label, or before a date or a number."""
    _, found, behind = heading.key.partition(heading.title_key)
    return bool(found) and _NO_MORE.search(behind) is not None


def _stands_beside_headline(heading: _OtherHeading) -> bool:
    titles = map(folded, (heading.title, *heading.known.texts("html:title")))
    return any(title.find(heading.key) > 0 for title in titles)


def _is_heading_in_text(heading: _OtherHeading) -> bool:
    parts = heading.known.parts
    return parts.headline.row < next(iter(parts.first_level), parts.headline).row


def _is_newspaper_s(heading: _OtherHeading) -> bool:
    """Return True for a heading of a newspaper, which writes its data with care, that has the words of the
    title, and holds none of the other titles that data tell."""
    known = heading.known
    if not known.types[0].endswith("NewsArticle"):
        return False
    told = map(folded, known.texts("microdata:headline", "meta:og:title", *SOURCES["alternativeHeadline"]))
    return not any(title in heading.key for title in told) and heading.has_words_of(heading.title)


def _says_another_thing(heading: _OtherHeading) -> bool:
    """Return True for a heading that has not the words of any title, nor of a description; a short one may
    have words of titles alone."""
    titles = (heading.title, *heading.known.texts(*_OF_DOCUMENT))
    words = _words(heading.text)
    if len(words) < _LEAST_WORDS:
        return not any(map(words.issubset, map(_words, titles)))
    return not any(map(heading.has_words_of, (*titles, *heading.known.texts(*SOURCES["description"]))))


_AGAINST_HEADING: tuple[Check[_OtherHeading], ...] = (
    Check("it says the same", _has_no_more_words),
    Check("it is the name of the portal", lambda heading: heading.key in heading.known.outlets),
    Check("it is a sentence or more", lambda heading: len(heading.text) > _LONGEST_OTHER),
    Check("it stands in a title beside the headline: the site's name", _stands_beside_headline),
    Check("the first level is of headings in the text", _is_heading_in_text),
    Check("a newspaper's data say it with care", _is_newspaper_s),
    Check("it says another thing", _says_another_thing),
)
"""Reasons why the only heading of the first level is not the headline in other words."""


def _as_seen(title: Found, names: Container[str], known: PageClues) -> Found:
    """Return the heading that readers see, where it words otherwise what search engines are told; else the
    title."""
    source = "html:h1" if known.texts("html:h1") else "html:heading"
    headings = known.texts(source)
    if not headings or title.source in _HEADINGS:
        return title
    text = _without_names(plain_text(headings[0]), names, known)
    if first_reason(_AGAINST_HEADING, _OtherHeading(text, folded(text), title.value, known)):
        return title
    return Found(value=text, raw=text, source=source)


def _common(words: set[str], others: set[str]) -> float:
    """Return the share of the words of two texts that they have in common, of the shorter one."""
    return len(words & others) / max(min(len(words), len(others)), 1)


def _words(text: str) -> set[str]:
    return set(map(folded, _WORD.findall(text))) - {""}


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


def ends_of(title: str) -> Iterator[str]:
    """Yield the ends of a title that begin with a sign of those that part names, the longest first."""
    for sign in islice(_SEPARATOR.finditer(title), _MOST_PARTS):
        yield title[sign.start() :]


def _strong_cuts(title: str) -> list[_Cut]:
    return [cut for cut in _cuts(title) if not cut.is_weak]


def names_behind(title: str) -> list[str]:
    """Return what stands behind the signs of a title that part names, and may be one, the longest first."""
    return [cut.tail for cut in _strong_cuts(title)]


class _NameInTitle(NamedTuple):
    """Text that stands behind a title of a page, and may be a name of the site."""

    title: str
    name: str
    known: PageClues

    @property
    def key(self) -> str:
        """The name, folded."""
        return folded(self.name)


def _is_of_host(told: _NameInTitle) -> bool:
    """Return True for a name whose words are all in the letters of the host, as `| Jane's Pies` is on
    getjanespies.com."""
    letters = folded(bare_host(told.known.page.url))
    return len(told.key) >= _SHORTEST_NAME and all(word in letters for word in map(folded, told.name.split()))


def _is_folder(told: _NameInTitle) -> bool:
    """Return True for the name of a section, in whose folder the page lies."""
    return told.key in _parts_of_address(told.known.page.url)[:-1] and not told.key.isdigit()


def _is_behind_spelt(told: _NameInTitle) -> bool:
    """Return True for what stands behind the title that the address of the page spells."""
    spelt = folded(told.title)
    return len(spelt) >= _SHORTEST_SPELT and _parts_of_address(told.known.page.url)[-1].endswith(spelt)


def _is_in_heading(told: _NameInTitle) -> bool:
    return any(told.key in heading.key != told.key for heading in told.known.parts.first_level)


_SIGNS_OF_SITE: tuple[Check[_NameInTitle], ...] = (
    Check("", _is_in_heading),  # it is a part of the headline
    Check("the address spells what stands before it", _is_behind_spelt),
    Check("the host is made of its letters", _is_of_host),
    Check("the page lies in a folder of that name", _is_folder),
)
"""Reasons why a name behind a title is the site's, or that of a section of it; the first that holds
decides."""


@lru_cache(maxsize=256)
def _parts_of_address(url: str) -> tuple[str, ...]:
    """Return the folders of an address and its last part, without an ending, folded; that may be empty."""
    parts = unquote(linear(r"[?#].*").sub("", url)).rstrip("/").split("/")[3:]
    return (*map(folded, parts[:-1]), folded(linear(r"\.\w{2,5}$").sub("", "".join(parts[-1:]))))


def _names_of_site(known: PageClues) -> Iterator[str]:
    """Yield what names the site behind the titles of the page, before the names that it is known by;
    folded."""
    for title in known.texts(*_OF_DOCUMENT):
        for cut in _strong_cuts(_without_names(title, known.outlets, known)):
            told = _NameInTitle(cut.head, cut.tail, known)
            if first_reason(_SIGNS_OF_SITE, told):
                yield told.key


def _without_names(title: str, names: Container[str], known: PageClues) -> str:
    """Return the title without the names of the site around it, which are folded; those behind a sign that
    headlines have themselves stay where a heading has them, too."""
    has_signs = any(heading.key == folded(title) for heading in known.parts.first_level)
    for _ in range(_MOST_PARTS):
        shorter = _without_name(title, names, _strong_cuts(title) if has_signs else _cuts(title))
        if shorter is None:
            break
        title = shorter
    return title


def _without_name(title: str, names: Container[str], cuts: Sequence[_Cut]) -> str | None:
    """Return the title without the site's name behind or before it; None where there is none."""
    before = [cut.head for cut in cuts if folded(cut.tail) in names]  # the longest tail first
    behind = [cut.tail for cut in reversed(_strong_cuts(title)) if folded(cut.head) in names]
    return next(chain(before, behind), None)


def _without_more(title: str, others: Collection[str], told: Collection[str]) -> str:
    """Return the title without what stands behind another title, as the name of a section does, or before the
    one that data have, as the label of a thread does; all are folded."""
    for cut in _strong_cuts(title):
        if len(folded(cut.head)) >= _MIN_TITLE and folded(cut.head) in others:
            return cut.head
        if folded(cut.tail) in told:
            return cut.tail
    return title
