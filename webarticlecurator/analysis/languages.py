"""Which language a text is in, and which of its blocks are in another: told by the letter sequences of 140 languages (py3langid)."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from py3langid.langid import MODEL_FILE, LanguageIdentifier, visit_counts

from webarticlecurator.model.analysis import same_language

FEWEST_LETTERS = 40
"""Of an article: less says nothing of its language."""
FEWEST_LETTERS_OF_PART = 80
"""Of a block that is to be in another language than its article: a name, a title or a motto is no evidence."""
CERTAIN = 0.8
"""How probable the other language of a block must be, at least."""
PROBABLE = 0.5
"""The same of an article's language: where none is, its language may be one that the model does not know."""
_OF_A_BLOCK = 160
_OF_AN_ARTICLE = 4_000
"""Characters that are enough: so much is read of each block from its beginning, and more where there are few blocks. What seems to be
in another language is read again, up to the second figure."""
_AT_A_TIME = 64
"""Blocks whose letter sequences are held."""
_NO_PROSE = frozenset({"code", "divider", "embed", "figure", "gallery", "list", "page-break", "table"})
"""Blocks of names, captions and figures, more often than of sentences."""
_ADDRESSES = re.compile(r"https?://\S+|www\.\S+|[^\s@]{0,64}@\S+|#\w+")
"""What is English, if anything, in a text of any language."""
_NO_LANGUAGE = "zxx"

_Best = tuple[str, float]
"""A language, and how probable it is."""


@dataclass(frozen=True, slots=True)
class Languages:
    """Of one article."""

    language: str | None
    certainty: float
    parts: tuple[tuple[int, str], ...]


class LanguageModel:
    """The model of py3langid: 0.5 s and 120 MB to load, once a process.

    Its own functions would read an article twice, as a whole and block by block; here what the blocks have is added up.
    """

    def __init__(self) -> None:
        self._model: Any = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
        names = self._model.nb_classes
        self._names = list(dict.fromkeys(names))
        self._table, self._priors = self._model.nb_ptc, self._model.nb_pc
        self._joined = np.array([[name == column for name in self._names] for column in names], dtype=np.float32)
        """Some languages have a column for each of their scripts."""

    def languages(self, blocks: Sequence[Mapping[str, Any]]) -> Languages:
        """Of an article, by the `blocks` of its line of JSON."""
        prose = [(number, block["text"]) for number, block in enumerate(blocks) if block["type"] not in _NO_PROSE and block["text"]]
        texts = prose or [(number, block["text"]) for number, block in enumerate(blocks) if block["text"]]
        if not texts:
            return Languages(None, 0.0, ())
        most = max(_OF_A_BLOCK, _OF_AN_ARTICLE // len(texts))
        found: list[_Best] = []
        whole = Counter[int]()
        bytes_read = 0
        for start in range(0, len(texts), _AT_A_TIME):
            encoded = [_encoded(text[:most]) for _, text in texts[start : start + _AT_A_TIME]]
            visits = [self._visits(text) for text in encoded]
            lengths = list(map(len, encoded))
            bytes_read += sum(lengths)
            if len(texts) <= _AT_A_TIME:
                *found, (language, certainty) = self._best(visits, [*lengths, bytes_read], with_sum=True)
            else:
                found += self._best(visits, lengths)
                for one in visits:
                    whole.update(one)
        if whole:
            ((language, certainty),) = self._best([whole], [bytes_read])
        if language == _NO_LANGUAGE or certainty < PROBABLE or not _has_letters((text for _, text in texts), FEWEST_LETTERS):
            return Languages(None, 0.0, ())
        parts = [
            (number, other)
            for (number, text), (first_sight, _) in zip(texts, found, strict=True)
            if prose and _is_another(first_sight, language) and (other := self._other_language(text, language))
        ]
        return Languages(language, round(certainty, 2), tuple(parts))

    def identify(self, text: str) -> tuple[str, float]:
        """The most probable language of a text, and how probable it is."""
        encoded = _encoded(text[:_OF_AN_ARTICLE])
        (best,) = self._best([self._visits(encoded)], [len(encoded)])
        return best

    def _other_language(self, text: str, language: str) -> str | None:
        """Of a block that seems to be in another language than the article's, if it surely is."""
        if not _is_evidence(text):
            return None
        other, certainty = self.identify(text)
        return other if certainty >= CERTAIN and _is_another(other, language) else None

    def _visits(self, text: bytes) -> Counter[int]:
        model = self._model
        return visit_counts(model.tk_nextmove, model._rowbase, model.tk_output, text) or Counter()

    def _best(self, visits: Sequence[Counter[int]], lengths: Sequence[int], *, with_sum: bool = False) -> list[_Best]:
        """The most probable language of each text, and of all together, by the letter sequences in them; of longer ones it is surer."""
        rows = {feature: row for row, feature in enumerate(dict.fromkeys(chain.from_iterable(visits)))}
        counts = np.zeros((len(lengths), len(rows)), dtype=np.float32)
        for text, one in enumerate(visits):
            counts[text, [rows[feature] for feature in one]] = list(one.values())
        if with_sum:
            counts[-1] = counts.sum(axis=0)
        scores = np.log1p(counts) @ self._table[list(rows)] + self._priors
        scores /= np.sqrt(np.maximum(lengths, 1))[:, None]
        shares = np.exp(scores - scores.max(axis=1, keepdims=True)) @ self._joined
        best = shares.argmax(axis=1)
        certainties = shares[np.arange(len(shares)), best] / shares.sum(axis=1)
        return list(zip(map(self._names.__getitem__, best.tolist()), certainties.tolist(), strict=True))


def _encoded(text: str) -> bytes:
    """As the model was taught to read."""
    if "@" in text or "#" in text or "www." in text or "://" in text:
        text = _ADDRESSES.sub(" ", text)
    if text.isupper():
        text = text.lower()
    return unicodedata.normalize("NFC", text).encode("utf-8", "replace")


def _has_letters(texts: Iterator[str], fewest: int) -> bool:
    letters = 0
    for text in texts:
        letters += sum(map(str.isalpha, text[:_OF_AN_ARTICLE]))
        if letters >= fewest:
            return True
    return False


def _is_another(language: str, articles: str) -> bool:
    return language != _NO_LANGUAGE and not same_language(language, articles)


def _is_evidence(text: str) -> bool:
    """Whether it is long enough, and not names: where there are capital letters, most words of a sentence begin with none."""
    text = _ADDRESSES.sub(" ", text[:_OF_AN_ARTICLE])
    if not _has_letters(iter([text]), FEWEST_LETTERS_OF_PART):
        return False
    words = [word for word in text.split() if word[0].isalpha()]
    return 2 * sum(not word[0].isupper() for word in words) >= len(words)
