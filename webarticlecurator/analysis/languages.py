"""Which language a text is in, and which of its blocks are in another: told by the letter sequences of 140 languages (py3langid)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from py3langid.langid import MODEL_FILE, LanguageIdentifier

from webarticlecurator.model.analysis import same_language

FEWEST_LETTERS = 40
"""Of an article: less says nothing of its language."""
FEWEST_LETTERS_OF_PART = 80
"""Of a block that is to be in another language than its article: a name, a title or a motto is no evidence."""
CERTAIN = 0.8
"""How probable the other language of a block must be, at least."""
PROBABLE = 0.5
"""The same of an article's language: where none is, its language may be one that the model does not know."""
_OF_A_BLOCK = 100
_OF_AN_ARTICLE = 1_600
"""Characters that are enough. To tell the language of an article, so much is read of each block from its beginning, and more where there
are few blocks; a block whose beginning seems to be in another language is read again, up to the second figure."""
_NO_PROSE = frozenset({"code", "divider", "embed", "figure", "gallery", "list", "page-break", "table"})
"""Blocks of names, captions and figures, more often than of sentences."""
_ADDRESSES = re.compile(r"https?://\S+|www\.\S+|[^\s@]{0,64}@\S+|#\w+")
"""What is English, if anything, in a text of any language."""
_NO_LANGUAGE = "zxx"


class LanguageModel:
    """The model of py3langid: 0.5 s and 120 MB to load, once a process."""

    def __init__(self) -> None:
        self._model: Any = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)

    def languages(self, blocks: Sequence[Mapping[str, Any]]) -> tuple[str | None, float, list[tuple[int, str]]]:
        """Of an article, by the `blocks` of its line of JSON: its own, how certain that is, and the blocks in another one."""
        texts = [(number, _of_prose(block["text"])) for number, block in enumerate(blocks) if block["text"]]
        prose = [(number, text) for number, text in texts if blocks[number]["type"] not in _NO_PROSE]
        read = prose or texts
        if not _has_letters((text for _, text in read), FEWEST_LETTERS):
            return None, 0.0, []
        most = max(_OF_A_BLOCK, _OF_AN_ARTICLE // len(read))
        language, certainty = self._model.classify("\n".join([text[:most] for _, text in read]))
        if language == _NO_LANGUAGE or certainty < PROBABLE:
            return None, 0.0, []
        parts = [(number, other) for number, text in prose if (other := self._other_language(text, language))]
        return language, round(float(certainty), 2), parts

    def _other_language(self, text: str, language: str) -> str | None:
        """Of a block, if it surely is in another language than the article: at first sight, and when more of it is read."""
        words = [word for word in text.split() if word[0].isalpha()]
        # it is long enough, and not names: where there are capital letters, most words of a sentence begin with none
        if not _has_letters([text], FEWEST_LETTERS_OF_PART) or 2 * sum(not word[0].isupper() for word in words) < len(words):
            return None
        other, certainty = self._model.classify(text[:_OF_A_BLOCK])
        if len(text) > _OF_A_BLOCK and _is_another(other, language):
            other, certainty = self._model.classify(text)
        return str(other) if certainty >= CERTAIN and _is_another(other, language) else None


def _of_prose(text: str) -> str:
    """So much of a text as is read at most, without addresses: the pattern is slow, and most texts have none."""
    text = text[:_OF_AN_ARTICLE]
    return _ADDRESSES.sub(" ", text) if any(sign in text for sign in ("://", "www.", "@", "#")) else text


def _has_letters(texts: Iterable[str], fewest: int) -> bool:
    letters = 0
    for text in texts:
        letters += sum(map(str.isalpha, text))
        if letters >= fewest:
            return True
    return False


def _is_another(language: str, articles: str) -> bool:
    return language != _NO_LANGUAGE and not same_language(language, articles)
