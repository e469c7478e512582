"""Find the words of a program in the text that it was given: it may write them otherwise, join and part
them, and leave some out. The text is never changed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from webarticlecurator.own_patterns import linear_at
from webarticlecurator.text import normalised

_BLANKS = linear_at(r"[\s\u200b\ufeff]*")
_SAME = {
    **dict.fromkeys(("``", "''", "“", "”", "„", "‟", "«", "»", "〝", "〞"), '"'),
    **dict.fromkeys("‘’‚‛`´ʼ", "'"),
    **dict.fromkeys(("‐", "‑", "‒", "–", "—", "―", "−", "--", "---"), "-"),
    **dict(zip(("-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-"), "()[]{}", strict=True)),
}
"""Quotation marks, dashes and brackets as programs write them -> the plainest of them."""
_FEW_BLANKS = 8
"""Characters of white space that may stand between two words that are written as in the text."""
_LONGEST = 1_000
"""Characters of a word that is written otherwise in the text."""
_SMALLEST_LOOK, _WIDEST_LOOK = 16, 2_000
"""Characters that are skipped at most to find a word: few at first, more the more words were not there."""


def find(text: str, form: str, start: int, missed: int = 0) -> tuple[int, int] | None:
    """Return the place of the next word of a text: where it begins and ends. None where it is not there.

    `start`: the end of the word before; `missed`: the length of the words since then that were not there.
    """
    blanks = _BLANKS.match(text, start)
    start = blanks.end() if blanks else start
    if form and text.startswith(form, start):
        return start, start + len(form)
    end = _end_of_alike(text, form, start)
    if end is not None:
        return start, end
    if not form.isalnum():  # marks are everywhere
        return None
    later, last = start - 1, start + look_ahead(missed, form)
    while (later := text.find(form, later + 1, last)) >= 0:
        end = later + len(form)
        if not (text[later - 1 : later].isalnum() or text[end : end + 1].isalnum()):
            return later, end
    return None


def places_as_written(text: str, forms: Sequence[str], start: int) -> tuple[list[int], list[int]] | None:
    """Return where words begin and end that follow one another in a text, written as they are there; None
    where one does not."""
    together = "".join(forms)
    if together.split() != [together] or "" in forms:
        return None
    starts, ends, end = list[int](), list[int](), start
    for form in forms:
        begin = text.find(form, end, end + _FEW_BLANKS + len(form))
        if begin < 0 or (begin > end and not text[end:begin].isspace()):
            return None
        end = begin + len(form)
        starts.append(begin)
        ends.append(end)
    return starts, ends


def look_ahead(missed: int, form: str) -> int:
    """Return how many characters may be skipped to find a word."""
    return min(_SMALLEST_LOOK + 4 * (missed + len(form)), _WIDEST_LOOK)


def _end_of_alike(text: str, form: str, start: int) -> int | None:
    """Return the end of what stands at a place of a text and is a word in other characters; None where that
    is something else."""
    wanted, read = _alike(form[:_LONGEST]), ""
    for signs in (text[start : start + 3], text[start : start + 2]):  # such as `` for a quotation mark
        if len(signs) > 1 and _SAME.get(signs) == wanted:
            return start + len(signs)
    for end in range(start, min(start + _LONGEST, len(text))):
        read += _alike(text[end])
        if (read and text[end] == "\n") or not wanted.startswith(read):
            return None
        if read == wanted != "":
            return end + 1
    return None


@lru_cache(1 << 14)
def _alike(written: str) -> str:
    """Return what is the same for all ways to write something: without blanks and capital letters."""
    return _SAME.get(written) or "".join(
        _SAME.get(sign, sign)
        for sign in normalised("NFKC", written).casefold()
        if not sign.isspace() and sign != "_"
    )
