"""Where the text stands on pages that differ from most, and on those that the portal's own rules no longer fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from webarticlecurator.labelling.general import content_shares
from webarticlecurator.labelling.text_blocks import text_blocks
from webarticlecurator.labelling.truth import words_of
from webarticlecurator.learning.bodies.clusters import Cluster, matches
from webarticlecurator.learning.bodies.drafts import Draft, without_place
from webarticlecurator.learning.bodies.page_words import agreement
from webarticlecurator.learning.bodies.reading import Reader, Reading
from webarticlecurator.model.proposals import Plain

_FEWEST, _TIMES = 3, 3
"""Pages of a layout, and how many times as many as there are strays, from which it is believed."""
_FEWEST_WORDS = 30
_TEXT, _BETTER = 0.5, 0.05
"""Share of a block that is taken for text from which it is; by how much more the text has to be like that."""
_AS_GOOD = 0.95
"""How near what a root gives has to come to what the general finder reads in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strays:
    """Pages on which the text was found elsewhere than on all others, though they have the same element."""

    within: tuple[str, ...]
    urls: tuple[str, ...]
    of: int
    """Pages on which it was found there."""


def place_of_strays(clusters: Sequence[Cluster], reader: Reader) -> Strays | None:
    """None: there are no such pages, or too few others."""
    roots: list[str] = []
    urls: list[str] = []
    others = 0
    for cluster in filter(lambda one: one.root, clusters):
        if len(cluster.readings) < max(_FEWEST, _TIMES * len(cluster.strays)) or any(
            matches(cluster.root, one) != 1 for one in cluster.readings
        ):
            continue
        portal = Draft(within=(cluster.root,)).applied(reader.portal)
        moved = [one for one in cluster.strays if is_better(reader.read(one.page, portal), one)]
        if moved:
            roots.append(cluster.root)
            urls += [one.url for one in moved]
            others += len(cluster.readings)
    return Strays(within=tuple(roots), urls=tuple(urls), of=others) if roots else None


def is_better(read: Reading, before: Reading) -> bool:
    """Whether it is text, and more like what the general labeller takes for that than what was found before."""
    words, blocks = words_of(read.article.text), text_blocks(read.page.tree) if read.page.tree is not None else []
    shares = content_shares(blocks)
    if len(words) < _FEWEST_WORDS or shares is None:
        return False
    taken = words_of(" ".join(block.text for block, share in zip(blocks, shares, strict=True) if share >= _TEXT))
    return agreement(words, taken) >= agreement(words_of(before.article.text), taken) + _BETTER


def lost_layouts(clusters: Sequence[Cluster], others: Sequence[Reading], reader: Reader) -> list[Mapping[str, Plain]]:
    """For each layout that the portal's root does not fit what would stand under `body`; nothing where no element tells it."""
    return [_lost(cluster, others, reader) for cluster in clusters]


def _lost(cluster: Cluster, others: Sequence[Reading], reader: Reader) -> Mapping[str, Plain]:
    if not cluster.root or any(matches(cluster.root, one) for one in others):
        return {"root": None}
    draft = Draft(root=(cluster.root,))
    portal = draft.applied(without_place(reader.portal))
    same = [agreement(words_of(reader.read(one.page, portal).article.text), words_of(one.article.text)) for one in cluster.readings]
    return {"root": cluster.root} if min(same) >= _AS_GOOD else {"root": None, "within": cluster.root}
