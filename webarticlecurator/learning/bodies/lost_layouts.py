"""Pages by the element in which their text stands, and what would stand under `body` for those that the portal's root does not fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from webarticlecurator.labelling.labeller import content_shares
from webarticlecurator.labelling.text_blocks import text_blocks
from webarticlecurator.labelling.truth import words_of
from webarticlecurator.learning.bodies.drafts import Draft, without_place
from webarticlecurator.learning.bodies.page_words import agreement
from webarticlecurator.learning.bodies.reading import Reader, Reading
from webarticlecurator.learning.element_selectors import named_selectors, selected
from webarticlecurator.model.proposals import Plain

_MOST_LAYOUTS = 12
_FEWEST_WORDS = 30
"""Of what is found elsewhere, for it to be a text."""
_TEXT, _BETTER = 0.5, 0.05
"""Share of a block that is taken for text from which it is; by how much more the text has to be like that."""
_AS_GOOD = 0.95
"""How near what a root gives has to come to what the general finder reads in it."""


def by_root(readings: Sequence[Reading]) -> dict[str, list[Reading]]:
    """The selector of the element that holds the text -> the pages, most pages first; "": it has no name that others have."""
    rest = [one for one in readings if one.root is not None]
    names = {id(one): named_selectors(one.root) for one in rest if one.root is not None}
    found: dict[str, list[Reading]] = {}
    while len(found) < _MOST_LAYOUTS and (counts := Counter(name for one in rest for name in names[id(one)])):
        likeliest = [name for name, count in counts.items() if count == max(counts.values())]
        root = min(likeliest, key=lambda name: (_others(name, rest), "[" not in name, " " in name, len(name), name))
        found[root] = [one for one in rest if root in names[id(one)]]
        rest = [one for one in rest if root not in names[id(one)]]
    return {**found, "": rest} if rest else found


def body_for(root: str, lost: Sequence[Reading], others: Sequence[Reading], reader: Reader) -> dict[str, Plain]:
    """The root for pages without the portal's; none where no element tells it, or where it gives another text than the general finder."""
    if not root or any(selected(root, one.page.tree) for one in others):
        return {"root": None}
    portal = Draft(root=root).applied(without_place(reader.portal))
    same = [agreement(words_of(reader.read(one.page, portal).article.text), words_of(one.article.text)) for one in lost]
    return {"root": root} if min(same) >= _AS_GOOD else {"root": None, "within": root}


def condition_of(root: str, pages: Sequence[Reading], others: Sequence[Reading]) -> Mapping[str, Plain]:
    """By which an entry of `layouts` holds for these pages: the element where no other page has it, else their days; none: nothing does."""
    if root and not any(selected(root, one.page.tree) for one in others):
        return {"when": root}
    days = sorted(day for one in pages if (day := one.day) is not None)
    return {"from": days[0].isoformat(), "until": days[-1].isoformat()} if days else {}


def is_better(read: Reading, before: Reading) -> bool:
    """Whether it is text, and more like what the general labeller takes for that than what was found before."""
    words, blocks = words_of(read.article.text), text_blocks(read.page.tree) if read.page.tree is not None else []
    shares = content_shares(blocks)
    if len(words) < _FEWEST_WORDS or shares is None:
        return False
    taken = words_of(" ".join(block.text for block, share in zip(blocks, shares, strict=True) if share >= _TEXT))
    return agreement(words, taken) >= agreement(words_of(before.article.text), taken) + _BETTER


def _others(selector: str, readings: Sequence[Reading]) -> int:
    """Elements that it matches beside one on each page."""
    return sum(max(0, len(selected(selector, one.page.tree)) - 1) for one in readings)
