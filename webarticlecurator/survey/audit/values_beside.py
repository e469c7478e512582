"""Values of metadata that stand beside those which a rule takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice

from lxml.etree import _Element as Element

from webarticlecurator.config.picks import Pick, Picks
from webarticlecurator.extraction.metadata.authors import names_in
from webarticlecurator.extraction.metadata.sources import Clue
from webarticlecurator.extraction.picked_values import TEXT, PageContext, is_element, pick_nodes, pick_values
from webarticlecurator.survey.audit.audited_page import AuditedPage, FindingKind, PageFinding
from webarticlecurator.text import folded, short_text, word_count

_FAR = 3
"""Elements up to one that holds what stands together."""
_WRAPS = frozenset(("dd", "li", "p", "span", "td"))
"""What each value of a list may stand in."""


@FindingKind(
    165,
    "value-beside",
    "beside what {rule} takes, more of the same make is left out",
    "If these are values of the field, too, `take: all` takes all, or a selector without a place (:first-child, li + li).",
    share=0.04,
)
def values_beside(audited: AuditedPage) -> Iterator[PageFinding]:
    """Names of authors and topics in elements like those that a rule takes; sections in those of which it takes the first."""
    for name in ("author", "keywords", "articleSection"):
        rule = audited.reading.rules.metadata.get(name)
        if rule is None or (name == "author" and audited.article.type == "DiscussionForumPosting"):  # by whoever began it
            continue
        context = PageContext.whole(audited.page, audited.portal)
        said = " ".join(folded(f"{value.raw} {value.value}") for value in audited.article.metadata.get(name, ()))
        texts = _all_sections(rule, context) if name == "articleSection" else _of_the_same_make(rule, context)
        for text in (text for text in texts if folded(text) and folded(text) not in said):
            if name != "author" or names_in([Clue(text)], audited.portal.language, visible=True):
                yield PageFinding(rule=f"metadata.{name}", words=word_count(text), text=text)
                break


def _all_sections(rule: Picks, context: PageContext) -> Iterator[str]:
    """What the first alternative that gives something would give if it took all, where it does not say what it takes."""
    pick = next((pick for pick in rule.alternatives if pick_values(pick, context, TEXT).values), None)
    if isinstance(pick, Pick) and pick.take is None:
        yield from (value.text for value in pick_values(replace(pick, take="all"), context, TEXT).values)


def _of_the_same_make(rule: Picks, context: PageContext) -> Iterator[str]:
    """The texts of elements that the rule points at near those which it takes, or that are like these."""
    picks = (replace(pick, take="all") if isinstance(pick, Pick) else pick for pick in rule.alternatives)
    every = filter(is_element, pick_nodes(replace(rule, alternatives=tuple(picks)), context))
    taken = set(filter(is_element, pick_nodes(rule, context)))
    around = {above for node in taken for above in islice(node.iterancestors(), _FAR)}
    near = (node for node in every if not around.isdisjoint(islice(node.iterancestors(), _FAR)))
    for other in chain(near, *map(_alike, taken)):
        if other not in taken and (text := short_text(other, 60)) and not rule.drops(text):
            yield text


def _alike(node: Element) -> Iterator[Element]:
    """What has the tag and the classes of an element, beside it or beside what wraps it."""
    above = node.getparent()
    if above is None:
        return
    around = above.getparent() if above.tag in _WRAPS else None
    wraps = (other for other in around.iterchildren(above.tag) if other.get("class") == above.get("class")) if around is not None else ()
    for holder in (above, *wraps):
        yield from (other for other in holder.iterchildren(node.tag) if other.get("class") == node.get("class"))
