"""What the general labeller says of each block of a page, for the general finder: it decides nothing alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from webarticlecurator.extraction.body.page_blocks import PageBlocks

NO_MAIN_TEXT = "no main text, says the labeller"
_LEAST, _MOST = 0.25, 1.5
"""What the worth of running text is multiplied by, where no word of it and where all is taken for main text."""
_DOUBTFUL = 0.1
"""A block counts as furniture if no text in it is taken for main text by more than this,"""
_AGREED = 0.6
"""as long as so much of the body is: else labeller and finder mean different things."""


@dataclass(frozen=True, slots=True)
class SecondOpinion:
    """For each row of the page's blocks; -1 and 0 where it holds no text."""

    own: list[float]
    """The share of the text that stands immediately in it."""
    surest: list[float]
    """The highest share of a text in it or below it."""
    share: list[float]
    """The share of all text in it and below it."""

    def weighed(self, values: Sequence[float]) -> list[float]:
        """What running text is worth, more where it is taken for main text."""
        return [
            value * (_LEAST + (_MOST - _LEAST) * share) if value > 0 and share >= 0 else value
            for value, share in zip(values, self.own, strict=True)
        ]

    def doubted(self, blocks: PageBlocks, root: int, furniture: Collection[int]) -> Iterator[int]:
        """Rows below the root that are furniture, outermost first, and in none that is known to be furniture."""
        if self.share[root] < _AGREED:
            return
        inside = {root}
        for row in blocks.below(root):
            if blocks.parents[row] in inside and row not in furniture:
                if 0 <= self.surest[row] < _DOUBTFUL:
                    yield row
                else:
                    inside.add(row)


def second_opinion(blocks: PageBlocks) -> SecondOpinion | None:
    """None for a page of too many blocks."""
    # numpy is loaded only where this is wanted
    from webarticlecurator.labelling.general import content_shares
    from webarticlecurator.labelling.text_blocks import text_blocks

    texts = text_blocks(blocks.elements[0])
    shares = content_shares(texts)
    if shares is None:
        return None
    rows = {element: row for row, element in enumerate(blocks.elements)}
    main, characters, surest = [0.0] * len(blocks), [0.0] * len(blocks), [-1.0] * len(blocks)
    for text, share in zip(texts, shares, strict=True):
        row = rows.get(text.element, -1)
        if row >= 0:
            main[row] += share * len(text.text)
            characters[row] += len(text.text)
            surest[row] = max(surest[row], share)
    own = [part / whole if whole else -1.0 for part, whole in zip(main, characters, strict=True)]
    for row in range(len(blocks) - 1, 0, -1):
        surest[blocks.parents[row]] = max(surest[blocks.parents[row]], surest[row])
    main, characters = blocks.summed(main), blocks.summed(characters)
    return SecondOpinion(own, surest, [part / whole if whole else 0.0 for part, whole in zip(main, characters, strict=True)])
