"""A layer as a careless program makes it: its sentences and names end wherever they like, and some of its words are several."""

from __future__ import annotations

import re

from seams import LayerSentence, LayerToken

_WORDS = re.compile(r"\w+|[^\w\s\u200b]")
_LABELS = ("B-PER", "I-PER", "O", "I-LOC", "PER", "")


def said_of(text: str, *, words: int = 3) -> tuple[LayerSentence, ...]:
    """So many words are a sentence; each seventh word is two, each ninth is unknown."""
    found = list(_WORDS.finditer(text))
    return tuple(map(_sentence, (found[start : start + words] for start in range(0, len(found), words))))


def _sentence(found: list[re.Match[str]]) -> LayerSentence:
    tokens: list[LayerToken] = []
    for match in found:
        if match.start() % 9 == 8:
            continue
        upos = "X" if match[0].isalnum() else "PUNCT"
        values = {"upos": upos, "xpos": "XX", "head": 1 if tokens else 0, "entity": _LABELS[match.start() % len(_LABELS)]}
        one = LayerToken(*match.span(), match[0], match[0].lower(), **values)
        tokens += [one, one._replace(form="'s", lemma='<be"')] if match.start() % 7 == 6 else [one]
    return LayerSentence(found[0].start(), found[-1].end(), tuple(tokens))
