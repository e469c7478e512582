"""All places of a field, each tried by the code of picks: what the general reader says, its sources one by one, visible ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.metadata.publication import UNMARKED
from webarticlecurator.learning.element_selectors import selected
from webarticlecurator.learning.metadata.comparison import VISIBLE, Candidate, given_by, tried
from webarticlecurator.learning.metadata.known_sources import known_picks
from webarticlecurator.learning.metadata.plausible import Values
from webarticlecurator.learning.metadata.read_pages import ReadPage
from webarticlecurator.learning.metadata.visible_places import FIELDS as WITH_PLACES
from webarticlecurator.learning.metadata.visible_places import literal, name_pick, site_endings, times_in, visible_places
from webarticlecurator.model.proposals import Plain
from webarticlecurator.text import element_text

GENERAL, LISTED = "the general reader", "`archive.fields`"
_TITLES: tuple[Mapping[str, Plain], ...] = ({"css": "title"}, {"meta": "og:title"})


def general(name: str, pages: Sequence[ReadPage]) -> Candidate:
    """What is read without any rule."""
    sources = [found.source for read in pages for found in read.metadata.get(name, ())[:1]]
    listed = sum(source.startswith("listing:") for source in sources)
    return Candidate(
        pick=None,
        source=LISTED if 2 * listed > len(sources) else GENERAL,
        values=tuple(read.texts(name) for read in pages),
        unmarked=sources.count(UNMARKED),
    )


def candidates(name: str, own: Candidate, pages: Sequence[ReadPage], portal: Portal) -> list[Candidate]:
    """The places that give something, the most trusted first; of those that give the same the first alone."""
    found: dict[tuple[Values, ...], Candidate] = {}
    for rank, (source, pick) in enumerate(_picks(name, own, pages, portal)):
        candidate = tried(name, source, pick, pages, portal, rank)
        if candidate is not None:
            found.setdefault(candidate.values, candidate)
    return list(found.values())


def _picks(name: str, own: Candidate, pages: Sequence[ReadPage], portal: Portal) -> Iterator[tuple[str, Plain]]:
    for source, pick in known_picks(name):
        yield source, _fitted(name, pick, pages, portal)
    if name not in WITH_PLACES:
        return
    for selector in visible_places(name, pages, own.values):
        yield from ((VISIBLE, pick) for pick in _of_place(name, selector, pages, portal))
    if name == "headline":
        for pick in _TITLES:
            yield from ((VISIBLE, one) for one in _without_site(pick, pages, portal))


def _of_place(name: str, selector: str, pages: Sequence[ReadPage], portal: Portal) -> Iterable[Plain]:
    if FIELDS[name].holds is Holds.DATE:
        return times_in(selector)
    if name == "articleSection":  # of breadcrumbs the first behind the front page, and the last
        links = selector if selector.startswith("a.") else f"{selector} a"
        whole = () if _is_path(selector, pages) else (selector,)
        return (*whole, {"css": links, "take": 1}, {"css": links, "take": "last"})
    return (_fitted(name, selector, pages, portal),)


def _is_path(selector: str, pages: Sequence[ReadPage]) -> bool:
    """Whether it holds a link and more beside it, as breadcrumbs do: all of that together is no section."""
    elements = (element for read in pages for element in selected(selector, read.page.tree))
    links = ((element, next(element.iter("a"), None)) for element in elements)
    return any(link is not None and element_text(link).split() != element_text(element).split() for element, link in links)


def _fitted(name: str, pick: Plain, pages: Sequence[ReadPage], portal: Portal) -> Plain:
    """A place with what takes the values out of its text: names out of a line, keywords out of a list."""
    if name == "author" and (isinstance(pick, str) or (isinstance(pick, dict) and "meta" in pick)):
        texts = [(text, read.language) for values, read in zip(given_by(name, pick, pages, portal), pages, strict=False) for text in values]
        return name_pick(pick, texts)
    if (
        name == "keywords"
        and isinstance(pick, dict)
        and any("," in text for values in given_by(name, pick, pages, portal) for text in values)
    ):
        return {**pick, "split": r"\s*,\s*"}
    return pick


def _without_site(pick: Mapping[str, Plain], pages: Sequence[ReadPage], portal: Portal) -> Iterator[Plain]:
    texts = [text for values in given_by("headline", pick, pages, portal) for text in values]
    yield from ({**pick, "replace": [[f"{literal(ending)}$", ""]]} for ending in site_endings(texts, portal.language))
