"""The places of a page that may hold a metadata field, as picks: the known sources, and elements by their class or by what they say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, pairwise

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.dates.names import tells_when
from webarticlecurator.extraction.metadata.people import names_in
from webarticlecurator.extraction.metadata.sources import SOURCES, Clue
from webarticlecurator.labelling.names import ClassHint, hints_of
from webarticlecurator.learning.element_selectors import selected, selectors_of
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Plain
from webarticlecurator.text import folded, short_text

_MOST_PLACES, _MOST_OF_PAGE = 24, 200
"""Selectors of a field, those on most pages; and those of one page."""
_LONGEST = {"headline": 300, "keywords": 400}
_LONGEST_LINE = 200
_HINTS = {
    "headline": {ClassHint.HEADING},
    "author": {ClassHint.AUTHOR, ClassHint.BYLINE},
    "datePublished": {ClassHint.DATE, ClassHint.PUBLISHED},
    "dateModified": {ClassHint.UPDATED},
    "articleSection": {ClassHint.SECTION, ClassHint.CRUMBS},
    "keywords": {ClassHint.TAGS},
}
"""Field -> what the class or id of an element that holds it says."""
LEARNED_FIELDS = tuple(_HINTS)
_OF_HEAD = frozenset({"html", "head", "meta", "link", "title", "script", "style", "noscript", "template", "body"})
_AGENTS = frozenset({"author", "creator", "contributor", "editor", "publisher"})
_ELEMENTS: dict[str, Plain] = {
    "html:h1": "h1",
    "html:title": "title",
    "html:date": {"css": "time[datetime]", "attr": "datetime"},
    "html:rel-author": 'a[rel~="author"]',
    "html:rel-tag": 'a[rel~="tag"]',
    "html:lang": {"css": "html", "attr": "lang"},
    "url:date": {"page_url": r"/((?:19|20)\d\d/\d\d?/\d\d?)(?:/|$)", "date": "yyyy/M/d"},
}
_BLANKS = re.compile(r"(?:\\?\s)+")
_BETWEEN_NAMES = re.compile(r"\s*(?:,|;|\||&|/|·|•)\s*|\s+[^\W\d_]{1,4}\s+")


def known_picks(name: str) -> Iterator[tuple[str, Plain]]:
    """The sources that the general reader knows, the most trusted first, each with its pick; some no pick can name."""
    for source in SOURCES.get(name, ()):
        syntax, _, written = source.partition(":")
        if source in _ELEMENTS:
            yield source, _ELEMENTS[source]
        elif syntax == "json-ld" and written != "breadcrumb":
            yield source, [{"jsonld": f"[{written}][].name"}, {"jsonld": written}] if name in _AGENTS else {"jsonld": written}
        elif syntax == "microdata":
            marked = f'[itemprop~="{written}"]'
            in_it: list[Plain] = [f'{marked} [itemprop~="name"]'] if name in _AGENTS else []
            yield source, [*({"css": f"{marked}[{held}]", "attr": held} for held in ("content", "datetime")), *in_it, marked]
        elif syntax in ("meta", "link"):
            yield source, {"meta" if syntax == "meta" else "head_link": written}


def named_picks(name: str, pages: Sequence[Page], known: Sequence[Sequence[str]]) -> Iterator[Plain]:
    """Elements that are called what the field is, or that say on some page what is `known` to be its value; those on most pages first."""
    counted: Counter[str] = Counter()
    for page, values in zip(pages, known, strict=True):
        if page.tree is not None:
            counted.update(set(islice(_named(name, page.tree, set(map(folded, values))), _MOST_OF_PAGE)))
    for selector in sorted(counted, key=lambda one: (-counted[one], one.isalnum(), len(one), one))[:_MOST_PLACES]:
        yield from _of_element(name, selector, pages)


def _named(name: str, tree: Element, known: set[str]) -> Iterator[str]:
    longest = _LONGEST.get(name, _LONGEST_LINE)
    for element in tree.iter(etree.Element):
        if element.tag not in _OF_HEAD:
            is_called_so = bool(_HINTS[name] & hints_of(f"{element.get('class') or ''} {element.get('id') or ''}"))
            text = short_text(element, longest) if is_called_so or known else None
            if text and (is_called_so or folded(text) in known):
                yield from selectors_of(element)


def _of_element(name: str, selector: str, pages: Sequence[Page]) -> Iterator[Plain]:
    if FIELDS[name].holds is Holds.DATE:  # the moment that it, or a `time` in it, has for machines
        yield from ({"css": selector, "attr": "datetime"}, {"css": f"{selector} time[datetime]", "attr": "datetime"}, selector)
    elif name == "articleSection":  # of breadcrumbs the first behind the front page, and the last
        links = selector if selector.startswith("a.") else f"{selector} a"
        yield from ({"css": links, "take": 1}, {"css": links, "take": "last"}, *(() if _holds_links(selector, pages) else (selector,)))
    else:
        yield f"{selector} a" if name == "keywords" and not selector.startswith("a") else selector


def _holds_links(selector: str, pages: Sequence[Page]) -> bool:
    """Whether there is a link in it, as in breadcrumbs: all of that together is no section."""
    return any(next(element.iterdescendants("a"), None) is not None for page in pages for element in selected(selector, page.tree))


def names_alone(pick: Plain, lines: Iterable[tuple[str, str | None]]) -> Plain:
    """The pick of the names that stand in lines like these (each with its language): without what they begin with ("By "), parted."""
    if not isinstance(pick, str) and not (isinstance(pick, dict) and "meta" in pick):
        return pick
    heads: Counter[str] = Counter()
    between: Counter[str] = Counter()
    for text, language in lines:
        names = [one.text for one in names_in([Clue(text)], language, visible=True, alone=True)]
        spans = [(at, at + len(one)) for one in names if (at := text.find(one)) >= 0]
        if not spans or len(spans) < len(names):
            continue
        if not tells_when(text[: spans[0][0]], language):  # another page has another day there
            heads[text[: spans[0][0]]] += 1
        between.update(text[end:start] for (_, end), (start, _) in pairwise(spans) if end < start)
    steps: dict[str, Plain] = {}
    before = sorted(one for one in heads if one.strip())[:4]
    if before:
        steps["replace"] = [[f"^(?:{'|'.join(map(_literal, before))})", ""]]
    parting = sorted(filter(_BETWEEN_NAMES.fullmatch, between))[:4]
    if parting:
        steps["split"] = "|".join(map(_literal, parting))
    return dict(chain({"css": pick}.items() if isinstance(pick, str) else pick.items(), steps.items())) if steps else pick


def _literal(text: str) -> str:
    return _BLANKS.sub(r"\\s+", re.escape(text))
