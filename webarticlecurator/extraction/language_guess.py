"""The language of a text, where nobody tells it: by its script, else by the little words that every
sentence has.

A few dozen words a language tell whole articles apart, give the same answer everywhere, and cost no model to
load.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, islice, repeat
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from webarticlecurator.model.article import Block, Certainty, Inline
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import primary, same_language

_SAMPLE = 6_000
"""Characters that are looked at."""
_WORD = linear(r"""[^\s\d.,;:!?"'’()\[\]…“”„»«–—/|।،؛؟-]+""")
_ENOUGH_WORDS, _LEAST_SHARE = 100, 25
"""Number of words in which the little ones are counted; of so many words one at least is little."""
_SYLLABLE = 2
"""Number of letters that a character that is a syllable or a word counts for: texts in Japanese are full of
Latin names and commands."""
_CERTAINTIES: tuple[tuple[Certainty, int, float, float], ...] = (
    ("high", 8, 0.12, 1.5),
    ("medium", 4, 0.08, 1.2),
    ("low", 2, 0.0, 1.01),
)
"""With how many little words, of which share of all words, and how many times as many as the next language
has."""
_SCRIPTS = {
    **{name: name.lower() for name in ("LATIN", "CYRILLIC", "ARABIC", "DEVANAGARI")},
    "CJK": "han", "HIRAGANA": "ja", "KATAKANA": "ja", "HANGUL": "ko", "GREEK": "el", "HEBREW": "he",
    "THAI": "th", "LAO": "lo", "KHMER": "km", "MYANMAR": "my", "BENGALI": "bn", "GURMUKHI": "pa",
    "GUJARATI": "gu", "TAMIL": "ta", "TELUGU": "te", "KANNADA": "kn",
    "MALAYALAM": "ml", "SINHALA": "si", "TIBETAN": "bo", "GEORGIAN": "ka", "ARMENIAN": "hy", "ETHIOPIC": "am",
}  # fmt: skip
"""Scripts by the first word of the names of their characters; those of one language have its name."""
_NO_LETTERS = bytes(code for code in range(0x80) if not chr(code).isalpha())
_LINES = Path(__file__).with_name("language_words.txt").read_text(encoding="utf-8").splitlines()
LITTLE_WORDS = {tag: frozenset(words.split()) for tag, _, words in (line.partition(":") for line in _LINES)}
"""Little words by BCP 47 tag: those that every few sentences have, whatever they are about."""
_LANGUAGES: dict[str, list[str]] = {}
"""The languages of each little word."""
for _tag, _words in LITTLE_WORDS.items():
    for _word in _words:
        _LANGUAGES.setdefault(_word, []).append(_tag)


class Identified(NamedTuple):
    """A language that the words show."""

    language: str
    """BCP 47."""
    certainty: Certainty | None
    """None where somebody says it."""


_WITH_SIGNS = frozenset((*LITTLE_WORDS, *_SCRIPTS.values(), "zh"))
_SEVERAL = frozenset({"latin", "cyrillic", "arabic", "devanagari", ""})
"""Scripts of many languages; empty where there is no letter."""
_CERTAINTY_OF_SCRIPT: tuple[tuple[Certainty, int], ...] = (("high", 40), ("medium", 10), ("low", 0))
"""Certainties, each with the number of letters of a script that must be exceeded."""


def identify(text: str) -> Identified | None:
    """Return the language of a text; None where too little shows it."""
    sample = text[:_SAMPLE].lower()
    letters = len(sample.encode("ascii", "ignore").translate(None, _NO_LETTERS))
    # nearly all are plain letters, as in most texts: told at once
    if letters > _SYLLABLE * (len(sample) - letters):
        return _by_words(sample)
    script, count = _main_script(sample)
    if script in _SEVERAL:
        return _by_words(sample)
    return Identified(script, next(certainty for certainty, fewer in _CERTAINTY_OF_SCRIPT if count > fewer))


def lacks_words(text: str, language: str) -> bool:
    """Return True for a text of many words of which hardly any are the little ones of a language, as in no
    text in that language."""
    own = LITTLE_WORDS.get(primary(language))
    words = [match[0] for match in islice(_WORD.finditer(text[:_SAMPLE].lower()), _ENOUGH_WORDS)]
    if own is None or len(words) < _ENOUGH_WORDS:
        return False
    return len(words) > _LEAST_SHARE * sum(map(own.__contains__, words))


def has_signs(language: str) -> bool:
    """Return True for a language that is known when it is met: by little words of its own, or its script."""
    return primary(language) in _WITH_SIGNS


def _main_script(sample: str) -> tuple[str, int]:
    """Return the script of most letters, or the only language that has it, and how many letters it has."""
    scripts = Counter(_script(character) for character in sample if character.isalpha())
    if not scripts:
        return "", 0
    kana = scripts.pop("ja", 0)
    han = scripts["han"]
    scripts["han"] = _SYLLABLE * (han + kana)
    scripts["ko"] *= _SYLLABLE
    script, count = scripts.most_common(1)[0]
    if script == "han":
        script = "ja" if 10 * kana > han else "zh"
    return script, count


@lru_cache(maxsize=4096)
def _script(character: str) -> str:
    return _SCRIPTS.get(unicodedata.name(character, "").partition(" ")[0], "")


def _by_words(sample: str) -> Identified | None:
    """Return the language whose little words a text has most of."""
    words = [match[0] for match in islice(_WORD.finditer(sample), 200)]
    hits = Counter(chain.from_iterable(map(_LANGUAGES.get, words, repeat(()))))
    (first, most), (_, next_) = [*hits.most_common(2), ("", 0), ("", 0)][:2]
    for certainty, fewest, share, times in _CERTAINTIES:
        if most >= max(fewest, share * len(words), times * next_):
            return Identified(first, certainty)
    return None


# --- blocks in another language than their article ---

_SHORTEST = 60
"""Characters of a block that may be found to be in another language."""
_BEGINNING = 160
"""Characters of a block in which a few little words show that it is in the language of the article."""
_NEAR = (
    *({"da", "no", "nb", "nn", "sv"}, {"hr", "sr", "bs", "sl", "mk", "bg"}, {"cs", "sk", "pl"}, {"id", "ms"}),
    *(
        {"es", "pt", "gl", "ca"},
        {"ru", "uk", "be", "bg"},
        {"nl", "af"},
        {"hi", "mr", "ne"},
        {"ar", "fa", "ur", "ckb"},
    ),
)
"""Languages that a sentence or two does not tell apart."""


_NAMES_LIKE = frozenset({("ja", "zh")})
"""Languages whose names alone look like a text in another one."""


class _ArticleLanguage(NamedTuple):
    """The language of an article, with its little words."""

    tag: str
    """The language without the script or the country."""
    words: frozenset[str]
    telling: frozenset[str]
    """Little words that are not English, too."""


def with_languages(blocks: Sequence[Block], texts: Sequence[str], main: str) -> tuple[Block, ...]:
    """Return the blocks, of which these are the texts; what is clearly not in the article's language says so,
    nothing else does."""
    tag = primary(main)
    words = LITTLE_WORDS.get(tag, frozenset())
    own = _ArticleLanguage(tag, words, words if tag == "en" else words - LITTLE_WORDS["en"])
    return tuple(_with_language(block, text, own) for block, text in zip(blocks, texts, strict=True))


def _with_language(block: Block, text: str, own: _ArticleLanguage) -> Block:
    """Return a block with its language, if that is another one."""
    language = _language_beside(block, text, own)
    if not language and "language" not in block.attributes:
        return block
    attributes = dict(block.attributes)
    attributes.pop("language", None)
    return replace(block, attributes=attributes | ({"language": language} if language else {}))


def _marked_language(block: Block) -> str | None:
    """Return what the page says of the language of a block, or of the stretch of text that is all of it."""
    only = block.children[0] if len(block.children) == 1 else None
    of_only = only.language if isinstance(only, Inline) and only.type == "language" else None
    return block.attributes.get("language", of_only)


def _language_beside(block: Block, text: str, own: _ArticleLanguage) -> str | None:
    """Return the language of a block; None where it is the article's, as that of nearly all is."""
    marked = _marked_language(block)
    if len(own.telling.intersection(text[:_BEGINNING].lower().split())) >= 2:
        return None
    if marked and primary(marked) != own.tag:
        return marked
    return _other_language(text, own) if _may_tell(block, text) else None


def _may_tell(block: Block, text: str) -> bool:
    """Return True for a block whose words may tell its language."""
    return len(text) >= _SHORTEST and block.type != "code"


def _other_language(text: str, own: _ArticleLanguage) -> str | None:
    """Return the language of a text that is not in the article's, as its words tell."""
    words = _WORD.findall(text[:_SAMPLE].lower())
    if 10 * sum(map(own.words.__contains__, words)) > len(words):
        return None
    shown = identify(text)
    if shown is None or _are_alike(shown.language, own.tag):
        return None
    is_of_script = shown.language not in LITTLE_WORDS
    return shown.language if is_of_script or _has_words_of(shown.language, words) else None


def _are_alike(language: str, main: str) -> bool:
    """Return True for languages that are one, or hardly told apart."""
    tag = primary(language)
    if same_language(language, main) or (main, tag) in _NAMES_LIKE:
        return True
    return any({main, tag} <= near for near in _NEAR)


def _has_words_of(language: str, words: Sequence[str]) -> bool:
    """Return True if enough of these words, and several of them, are little ones of a language."""
    hits = [word for word in words if word in LITTLE_WORDS[language]]
    return 5 * len(hits) >= len(words) and len(hits) >= 4 and len(set(hits)) >= 3
