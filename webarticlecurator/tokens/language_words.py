"""What is known of a language: its abbreviations, months, ordinal numbers, and words that begin sentences."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path

from webarticlecurator.word_lists import read_word_lists


class Stop(Enum):
    """What the end of a token says of the end of the sentence."""

    NEVER = "never"
    """An abbreviation that something must follow: "Dr."."""
    PERHAPS = "perhaps"
    """One that may stand last: "Ltd."; a sentence ends where the next word is one that begins sentences."""
    OFTEN = "often"
    """One that mostly stands last: "etc."."""
    NUMBERED = "numbered"
    """An abbreviation where a number follows, else a word with a full stop: "No. 5"."""
    ORDINAL = "ordinal"
    """A number or a Roman numeral with a full stop."""
    INITIAL = "initial"
    """A capital letter with a full stop."""
    WEAK = "weak"
    """A full stop after what may be an abbreviation that no list knows."""
    FULL = "full"
    """A full stop after a whole word."""
    MARK = "mark"
    """A question mark, an exclamation mark."""
    ELLIPSIS = "ellipsis"
    SURE = "sure"
    """The end of a sentence, whatever follows."""


_ABBREVIATIONS = (Stop.NEVER, Stop.PERHAPS, Stop.OFTEN, Stop.NUMBERED)
_APOSTROPHE = "['’]"
_ELIDED = {
    "fr": rf"(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu){_APOSTROPHE}",
    "it": rf"(?:[cdlmnstv]|un|(?:d?[aeo]|ne|su|co)ll|quest|quell|bell|sant|tutt|anch|com|dov|cos){_APOSTROPHE}",
    "ca": rf"[dlmnst]{_APOSTROPHE}",
}
"""What is a word of its own before the word that it leans on."""
_LEANING = {
    "en": rf"n{_APOSTROPHE}t|{_APOSTROPHE}(?:s|re|ve|ll|d|m)|(?<=^can)not",
    "fr": "-t-(?:ils?|elles?|on)|-(?:je|tu|ils?|elles?|on|ce|nous|vous|moi|toi|lui|leur|les?|la|y|en)",
}
"""What is a word of its own after the word that it leans on."""
_WITHOUT_ORDINALS = frozenset(
    (
        *("en", "fr", "it", "es", "pt", "ca", "gl", "oc", "ro", "nl", "sv", "el", "ru", "uk"),
        *("be", "bg", "mk", "ga", "cy", "mt", "id", "vi", "zh", "ja", "ko", "th"),
    )
)
"""Where a full stop after a number is the end of a sentence."""

_KNOWN = frozenset(("hu", "de", "en", "fr", "cs", "pl", *_ELIDED, *_WITHOUT_ORDINALS))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Language:
    """The tables of one language."""

    abbreviations: dict[str, Stop]
    """Without the full stop at their end."""
    endings: tuple[tuple[str, Stop], ...]
    """What words are shortened to that others are put before: "Hauptstr."."""
    months: frozenset[str]
    before_ordinals: frozenset[str]
    """Words after which a number with a full stop is an ordinal, even where a capital letter follows."""
    beginnings: frozenset[str]
    """Words that begin a sentence where they have a capital letter after an abbreviation."""
    kept: tuple[str, ...]
    """Words that hold a mark which elsewhere parts words."""
    elided: str
    leaning: str
    ordinals: bool
    nouns_are_capital: bool
    """Then a capital letter says less of where a sentence begins."""
    numeral_before_name: bool
    """"II. Rákóczi Ferenc", and "2024. szeptember 18." with its full stop, at the end of a sentence as well."""

    def abbreviation(self, word: str) -> Stop | None:
        """What the full stop after a word is; None where it is no abbreviation."""
        kinds = self.abbreviations
        known = kinds.get(word) or (kinds.get(word[:1].lower() + word[1:]) if len(word) > 1 else None)
        if known is None and "-" in word:  # D-Calif.
            return self.abbreviation(word.rpartition("-")[2])
        return known or next((kind for ending, kind in self.endings if word.endswith(ending)), None)


def language_of(tag: str | None) -> Language:
    """The tables for a BCP 47 tag; those of any language where there are none for it."""
    code = (tag or "").replace("_", "-").partition("-")[0].lower()
    return _language(code if code in _KNOWN else "")


@cache
def _language(code: str) -> Language:
    folder = Path(__file__).parent / "languages"
    any_language = read_word_lists(str(folder / "any"), "any.txt", r"\s+")
    sections = read_word_lists(str(folder / "any"), f"{code}.txt", r"\s+") if (folder / f"{code}.txt").is_file() else any_language
    kinds = {word.removesuffix("."): kind for kind in _ABBREVIATIONS for word in sections.get(kind.value, ())}
    return Language(
        abbreviations={word: kind for word, kind in kinds.items() if word[0] != "-"},
        endings=tuple((word[1:], kind) for word, kind in kinds.items() if word[0] == "-"),
        months=frozenset(sections.get("months", ())),
        before_ordinals=frozenset(sections.get("before ordinals", ())),
        beginnings=frozenset(sections.get("beginnings", ())),
        kept=tuple(dict.fromkeys((*sections.get("kept", ()), *any_language.get("kept", ())))),
        elided=_ELIDED.get(code, ""),
        leaning=_LEANING.get(code, ""),
        ordinals=code not in _WITHOUT_ORDINALS,
        nouns_are_capital=code == "de",
        numeral_before_name=code == "hu",
    )
