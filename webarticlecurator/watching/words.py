"""The signs of a drift in sentences, each with its counts."""

from __future__ import annotations

from collections.abc import Sequence

from webarticlecurator.watching.drift import Seen

_SENTENCES = {
    "empty": "the rules find no text in {after}; before, in {before}",
    "metadata": "{after} have no {what}; before, {before} had none",
    "unknown-tags": "no rule decides {what}, which stands in {after}; before, in {before}",
    "repeated-text": "the same line is kept in {after}; before, in {before}",
    "names": "the classes and ids of the page are others than those of earlier pages in {after}; before, in {before}",
    "lost-text": "text that looks like the article's is left out in {after}; before, in {before}",
    "foreign-text": "text that does not look like the article's is kept in {after}; before, in {before}",
    "new-structure": "{what} stands in the kept text of {after}; before, of {before}",
}
_OF_A_KIND = 2
_MOST = 6


def told(seen: Sequence[Seen]) -> tuple[tuple[str, str], ...]:
    """Kind and sentence of each; of one kind not all."""
    shown: list[tuple[str, str]] = []
    for one in seen:
        if sum(kind == one.sign.kind for kind, _ in shown) < _OF_A_KIND and len(shown) < _MOST:
            shown.append((one.sign.kind, _sentence(one)))
    return tuple(shown)


def _sentence(seen: Seen) -> str:
    after, before = (f"{odd:,} of {of:,} articles" for odd, of in (seen.after, seen.before))
    return _SENTENCES[seen.sign.kind].format(what=seen.sign.what, after=after, before=before)
