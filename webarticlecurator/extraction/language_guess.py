"""In which language a text is, where nobody says so: by its script, else by the little words that every sentence has.

A few dozen words a language tell whole articles apart, give the same answer everywhere, and cost no model to load.
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

from webarticlecurator.model.article import HOLDS, Block, Certainty, Content, Inline
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import primary, same_language

_SAMPLE = 6_000
"""Characters that are looked at."""
_WORD = linear(r"""[^\s\d.,;:!?"'’()\[\]…“”„»«–—/|।،؛؟-]+""")
_SYLLABLE = 2
"""How many letters a character that is a syllable or a word counts for: texts in Japanese are full of Latin names and commands."""
_CERTAINTIES: tuple[tuple[Certainty, int, float, float], ...] = (("high", 8, 0.12, 1.5), ("medium", 4, 0.08, 1.2), ("low", 2, 0.0, 1.01))
"""With how many little words, of which share of all words, and how many times as many as the next language has."""
_SCRIPTS = {
    **{name: name.lower() for name in ("LATIN", "CYRILLIC", "ARABIC", "DEVANAGARI")},
    "CJK": "han", "HIRAGANA": "ja", "KATAKANA": "ja", "HANGUL": "ko", "GREEK": "el", "HEBREW": "he", "THAI": "th", "LAO": "lo",
    "KHMER": "km", "MYANMAR": "my", "BENGALI": "bn", "GURMUKHI": "pa", "GUJARATI": "gu", "TAMIL": "ta", "TELUGU": "te", "KANNADA": "kn",
    "MALAYALAM": "ml", "SINHALA": "si", "TIBETAN": "bo", "GEORGIAN": "ka", "ARMENIAN": "hy", "ETHIOPIC": "am",
}  # fmt: skip
"""By the first word of the names of their characters. Scripts of one language have its name."""
_NO_LETTERS = bytes(code for code in range(0x80) if not chr(code).isalpha())
_LINES = Path(__file__).with_name("language_words.txt").read_text(encoding="utf-8").splitlines()
LITTLE_WORDS = {tag: frozenset(words.split()) for tag, _, words in (line.partition(":") for line in _LINES)}
"""By BCP 47 tag: those that every few sentences have, whatever they are about."""
_LANGUAGES: dict[str, tuple[str, ...]] = {}
"""Of each word."""
for _tag, _words in LITTLE_WORDS.items():
    for _word in _words:
        _LANGUAGES[_word] = (*_LANGUAGES.get(_word, ()), _tag)


class Identified(NamedTuple):
    """A language that the words show."""

    language: str
    """BCP 47."""
    certainty: Certainty | None
    """None where somebody says it."""


def identify(text: str, among: frozenset[str] | None = None) -> Identified | None:
    """The language of a text; None where too little shows it. `among`: only these come into question."""
    sample = text[:_SAMPLE].lower()
    letters = len(sample.encode("ascii", "ignore").translate(None, _NO_LETTERS))
    if letters > _SYLLABLE * (len(sample) - letters):  # nearly all are plain letters, as in most texts: told at once
        return _by_words(sample, among)
    scripts = Counter(_script(character) for character in sample if character.isalpha())
    if not scripts:
        return None
    kana = scripts.pop("ja", 0)
    scripts["han"] += kana
    for name in ("han", "ko"):
        scripts[name] *= _SYLLABLE
    script, count = scripts.most_common(1)[0]
    if script in {"latin", "cyrillic", "arabic", "devanagari", ""}:
        return _by_words(sample, among)
    if script == "han":
        script = "ja" if 10 * kana > count // _SYLLABLE - kana else "zh"
    return Identified(script, "high" if count > 40 else "medium" if count > 10 else "low")


@lru_cache(maxsize=4096)
def _script(character: str) -> str:
    return _SCRIPTS.get(unicodedata.name(character, "").partition(" ")[0], "")


def _by_words(sample: str, among: frozenset[str] | None) -> Identified | None:
    words = [match[0] for match in islice(_WORD.finditer(sample), 200)]
    hits = Counter(chain.from_iterable(map(_LANGUAGES.get, words, repeat(()))))
    if among is not None:
        hits = Counter({tag: count for tag, count in hits.items() if primary(tag) in among})
    (first, most), (_, next_) = [*hits.most_common(2), ("", 0), ("", 0)][:2]
    for certainty, fewest, share, times in _CERTAINTIES:
        if most >= fewest and most >= share * len(words) and most >= times * next_:
            return Identified(first, certainty)
    return None


_SHORTEST = 60
"""Characters of a block that may be found to be in another language."""
_NEAR = (
    *({"da", "no", "nb", "nn", "sv"}, {"hr", "sr", "bs", "sl", "mk", "bg"}, {"cs", "sk", "pl"}, {"id", "ms"}, {"es", "pt", "gl", "ca"}),
    *({"ru", "uk", "be", "bg"}, {"nl", "af"}, {"hi", "mr", "ne"}, {"ar", "fa", "ur", "ckb"}),
)
"""Languages that a sentence or two does not tell apart."""


def with_languages(blocks: Sequence[Block], texts: Sequence[str], main: str) -> tuple[Block, ...]:
    """The same blocks, of which these are the texts; what is clearly not in the article's language says so, nothing else does."""
    own = LITTLE_WORDS.get(primary(main), frozenset())
    telling = own if primary(main) == "en" else own - LITTLE_WORDS["en"]
    settled = list(blocks)
    for number, (block, text) in enumerate(zip(blocks, texts, strict=True)):
        only = block.children[0] if len(block.children) == 1 else None  # a stretch of text that is all of it says its language
        marked = block.attributes.get("language", only.language if isinstance(only, Inline) and only.type == "language" else None)
        if len(text) < _SHORTEST and not marked:
            continue
        language = None
        if len(telling.intersection(text[:160].lower().split())) < 2:  # else it is in the article's, as nearly all are
            language = marked if marked and primary(marked) != primary(main) else _other_language(block, text, primary(main), own)
        if language or "language" in block.attributes:
            others = {name: value for name, value in block.attributes.items() if name != "language"}
            settled[number] = replace(block, attributes={**others, "language": language} if language else others)
    return tuple(settled)


def _other_language(block: Block, text: str, main: str, own: frozenset[str]) -> str | None:
    """The language of a block that is not in the article's, as its words tell."""
    if len(text) < _SHORTEST or HOLDS[block.type] is Content.NOTHING or block.type == "code":
        return None
    words = _WORD.findall(text[:_SAMPLE].lower())
    if 10 * sum(map(own.__contains__, words)) > len(words):
        return None
    shown = identify(text)
    if shown is None or same_language(shown.language, main) or any({main, primary(shown.language)} <= near for near in _NEAR):
        return None
    if shown.language not in LITTLE_WORDS:
        return shown.language if shown.certainty == "high" and own else None
    hits = [word for word in words if word in LITTLE_WORDS[shown.language]]
    is_other = len(hits) >= 4 and len(set(hits)) >= 3 and 5 * len(hits) >= len(words)
    return shown.language if is_other else None
