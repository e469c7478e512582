"""Signs of what slipped in: links that lead away, what is named like furniture, bylines; and the texts that are counted across pages."""

from __future__ import annotations

from collections.abc import Iterator

from webarticlecurator.extraction.body.furniture import is_label, leads_away
from webarticlecurator.extraction.body.lookup import Lookup
from webarticlecurator.selectors import Scope
from webarticlecurator.survey.audit.page import Leaf, Looked, Sign, named_furniture
from webarticlecurator.survey.audit.results import Kind

_RUNNING = frozenset({"paragraph", "item", "cell", "heading", "subheading"})
_MOSTLY_LINKS = 0.8
_SOME_LINKS = 0.2
_SHORTEST_LINK = 3
"""Words of a link that may be a headline."""
_LIST = 3
"""Links below one another that are a list."""
_LARGEST_NAMED = 0.3
"""Share of the kept text that an element may hold whose name says furniture; what holds more is only named badly."""


def kept_links(looked: Looked) -> Iterator[Sign]:
    """Lists of links, single ones that begin like "Read also", and signs such as "Advertisement"."""
    run: list[int] = []
    for number, leaf in enumerate(looked.leaves):
        if leaf.link_share >= _MOSTLY_LINKS and leaf.words >= _SHORTEST_LINK and leaf.type in _RUNNING:
            run.append(number)
            continue
        yield from _list_of_links(looked, run)
        run = []
        if leaf.type in _RUNNING and (is_label(leaf.text) or (leaf.link_share >= _SOME_LINKS and leads_away(leaf.text[:80]))):
            yield _sign(Kind.LINKS, looked, number)
    yield from _list_of_links(looked, run)


def _list_of_links(looked: Looked, run: list[int]) -> Iterator[Sign]:
    for number in run:
        if len(run) >= _LIST or leads_away(looked.leaves[number].text[:80]):
            yield _sign(Kind.LINKS, looked, number)


def named_blocks(looked: Looked, lookup: Lookup) -> Iterator[Sign]:
    """Kept blocks inside of something with the name of a share bar, an advertisement, a list of related articles."""
    found: list[Sign] = []
    for number, node in enumerate(looked.nodes):
        if node is None or looked.leaves[number].of_post:
            continue
        around = list(looked.ground.around(looked.ground.block_of(node)))
        named = [element for element in around if named_furniture((element,))]
        # a person who has a rule for it has seen it
        if named and all(lookup.decide(element, Scope(None)).general for element in around):
            found.append(_sign(Kind.NAMED, looked, number))
    if sum(sign.words for sign in found) <= _LARGEST_NAMED * looked.kept_words:
        yield from found


def bylines(looked: Looked) -> Iterator[Sign]:
    """Short paragraphs with the name of an author, or with the day of publication: they are metadata."""
    for number, leaf in enumerate(looked.leaves):
        if leaf.type == "paragraph" and not leaf.inside and not leaf.of_post and looked.byline.is_in(leaf.text):
            yield _sign(Kind.BYLINE, looked, number)


def _sign(kind: Kind, looked: Looked, number: int) -> Sign:
    leaf: Leaf = looked.leaves[number]
    return Sign(kind=kind, tag=looked.tag_of(number), words=leaf.words, text=leaf.text)
