"""Places of the page that may hold a field and that no source of data names: elements by their class, with what is cut off their text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, pairwise

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.dates.names import tells_when
from webarticlecurator.extraction.metadata.people import names_in
from webarticlecurator.extraction.metadata.sources import Clue
from webarticlecurator.labelling.names import ClassHint, hints_of
from webarticlecurator.learning.element_selectors import named_selectors, selectors_of
from webarticlecurator.learning.metadata.plausible import Values
from webarticlecurator.learning.metadata.read_pages import ReadPage
from webarticlecurator.model.proposals import Plain
from webarticlecurator.selectors.dialect import identifier
from webarticlecurator.text import folded, short_text

MAX_ELEMENTS = 50_000
"""Of a page that are looked at."""
MAX_PLACES = 24
"""Of a field, those on most pages."""
_PER_PAGE = 200
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
FIELDS = tuple(_HINTS)
"""That are looked for."""
_LISTS = frozenset({"keywords"})
_OF_HEAD = frozenset({"html", "head", "meta", "link", "title", "script", "style", "noscript", "template", "body"})
_OTHER_HEADINGS = frozenset({"h2", "h3", "h4"})
_BLANKS = re.compile(r"(?:\\?\s)+")
_BETWEEN = re.compile(r"\s*(?:,|;|\||&|/|·|•)\s*|\s+[^\W\d_]{1,4}\s+")


def visible_places(name: str, pages: Sequence[ReadPage], known: Sequence[Values]) -> list[str]:
    """Selectors for places that hold the field by their class, or that say on some page what is `known` to be its value."""
    counted: Counter[str] = Counter()
    for read, values in zip(pages, known, strict=True):
        if read.page.tree is not None:
            counted.update(set(islice(_places(name, read.page.tree, set(map(folded, values))), _PER_PAGE)))
    return sorted(counted, key=lambda one: (-counted[one], one.isalnum(), len(one), one))[:MAX_PLACES]


def _places(name: str, tree: Element, known: set[str]) -> Iterator[str]:
    longest = _LONGEST.get(name, _LONGEST_LINE)
    for element in islice(tree.iter(etree.Element), MAX_ELEMENTS):
        if element.tag in _OF_HEAD:
            continue
        hinted = bool(_HINTS[name] & hints_of(f"{element.get('class') or ''} {element.get('id') or ''}"))
        is_heading = name == "headline" and element.tag == "h1"
        if not hinted and not is_heading and not known:
            continue
        text = short_text(element, longest)
        if text and (hinted or is_heading or folded(text) in known):
            yield from _selectors(element, with_links=name in _LISTS)
            if name == "headline" and element.tag in _OTHER_HEADINGS:
                yield from named_selectors(element)
            if is_heading:
                yield from _around(element, longest)


def _around(heading: Element, longest: int) -> Iterator[str]:
    """What holds the heading and a line above it; and its parts, of which one may be the headline without that line."""
    for above in islice(heading.iterancestors(), 2):
        if above.tag in _OF_HEAD or not short_text(above, longest):
            return
        yield from _selectors(above)
    for inner in islice(heading.iterdescendants(etree.Element), 20):
        yield from _selectors(inner)
        if not inner.get("class"):
            yield f"h1 {identifier(str(inner.tag))}" if str(inner.tag).isalnum() else "h1"


def _selectors(element: Element, *, with_links: bool = False) -> Iterator[str]:
    behind = " a" if with_links and element.tag != "a" else ""
    yield from (f"{selector}{behind}" for selector in selectors_of(element))


# --- what is cut off ---


def name_pick(pick: str | Mapping[str, Plain], texts: Iterable[tuple[str, str | None]]) -> Plain:
    """The pick of the names that stand in lines like these (each with its language): without what they begin with ("By "), parted."""
    heads: Counter[str] = Counter()
    between: Counter[str] = Counter()
    for text, language in texts:
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
        steps["replace"] = [[f"^(?:{'|'.join(map(literal, before))})", ""]]
    parting = sorted({one for one in between if _BETWEEN.fullmatch(one)})[:4]
    if parting:
        steps["split"] = "|".join(map(literal, parting))
    return {**({"css": pick} if isinstance(pick, str) else pick), **steps} if steps else pick


def literal(text: str) -> str:
    return _BLANKS.sub(r"\\s+", re.escape(text))


def site_endings(texts: Iterable[str], language: str | None) -> list[str]:
    """What the titles of several pages end with alike, from a sign that parts them: " | Daily News"; not their day."""
    ends: Counter[str] = Counter(text[found.start() :] for text in set(texts) for found in re.finditer(r"\s[|–—·•»«:-]+\s|\s?\|\s?", text))
    return sorted(
        (end for end, count in ends.items() if count > 1 and len(end) < 80 and not tells_when(end, language)),
        key=lambda end: (-ends[end], -len(end), end),
    )[:1]


def times_in(selector: str) -> Iterable[Plain]:
    """A date's place, and the moment that it, or a `time` in it, has for machines."""
    return chain(({"css": selector, "attr": "datetime"}, {"css": f"{selector} time[datetime]", "attr": "datetime"}), (selector,))
