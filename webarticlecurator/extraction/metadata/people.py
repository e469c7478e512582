"""Names from what pages write where an author is due: separated, stripped of what stands around them, each once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from webarticlecurator.extraction.metadata.sources import Clue, plain_text
from webarticlecurator.model.metadata import AgentKind
from webarticlecurator.text import folded
from webarticlecurator.word_lists import read_word_lists

MAX_AUTHORS = 40
_LONGEST, _MOST_WORDS = 80, 8
_LONGEST_ARTICLE = 3
"""Of "La redazione"."""

_URL = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_EMAIL = re.compile(r"\(?\b[\w.+-]+@[\w-]+\.[\w.-]+\b\)?")
_HANDLE = re.compile(r"(?<!\w)@\w+")
_BRACKETS = re.compile(r" ?[\[(][^\[\]()]*[\])]")
_SEPARATORS = re.compile(r"\s*(?:[;|•·\n\t，、；]|\s/\s|/(?=\w{2,}\s)|\s[–—-]\s|\s&\s|&amp;)\s*")
_COMMA = re.compile(r"\s*,\s*")
_SUFFIX = re.compile(
    r"(?:jr|sr|ii|iii|iv|phd|ph\.d|md|m\.d|mba|ll\.m|esq|msc|dds|rn|rd|rdn|dvm|vmd|cpa|cfp|mph|msn|dnp|psyd|edd|jd|inc|ltd|llc|gmbh)\.?\*?",
    re.IGNORECASE,
)
_MONTH = r"(?:jan|feb|mar|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-zä]*\.? \d"
_DATE_TAIL = re.compile(
    r"\s*(?:\b(?:on|am|at|le|el|il|om|den|dne)\s+)?"
    r"(?:(?<![\d_])\d{1,2}(?:[./ ]|-\d)|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    rf"|(?<!\w)\d{{4}}\b|(?<!\d)\d{{4}}[./-]\d|{_MONTH}).*$",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^[^\W\d_]{1,20}(?: [^\W\d_]{1,20})?\s*[:：]\s*")
_EDGES = " \t.,:;–—-|/*•·@&\"'“”„«»‘’，、：()[]"
_ABBREVIATED = re.compile(r"(?:^|[\s.])(?:[^\W\d_]|Jr|Sr)$")
_ALWAYS_DOTTED = re.compile(r"\b(?:Jr|Sr|[A-Z]\.[A-Z])$")
_DATE_WORD_BEHIND = re.compile(r"\s(?:on|am|at|le|el|il|om|den|dne|um|vom)$")
_IN_NO_NAME = re.compile(r"[!?…≈~<>=0-9]|^[^\w&]+$")
"""Of a word."""
_LETTER = re.compile(r"[^\W\d_]")
_VOWEL = re.compile(r"[aeiouyáéíóúàèìòùäëïöüâêîôûøåæœ]", re.IGNORECASE)


_GLUED = frozenset(
    {"by", "von", "par", "por", "author", "written by", "posted by", "autor", "autorin", "auteur", "autora", "autore", "szerző"}
)
"""What the name may follow without a blank, where the page parts them by its style sheet alone."""
_JOINED_PARTICLE = re.compile(r"(?:[dl]['’‘]|(?:al|el)[-'’‘])(?=.)")
"""Before names, without a blank: d'Arc, al-Sayed."""
_CAPITAL = "[A-ZÀ-ÖØ-ÞŁŐŚŠŰŽČĐ]"

_WORDS = read_word_lists(__file__, "byline_words.txt")
AGENCIES, NEWSROOMS, _INSTITUTIONS, _COMPANY_FORMS, _NO_NAME_WORDS = (
    frozenset(_WORDS[name]) for name in ("agencies", "newsrooms", "institutions", "company forms", "words of no name")
)
DESKS = NEWSROOMS | frozenset((*_WORDS["desks"], *_WORDS["agency words"]))
_OF_NOBODY = _INSTITUTIONS.union(_WORDS["agency words"], ("of", "the"))
"""A text of nothing else says that somebody works somewhere, and not who or where; a desk or a newsroom may sign."""
_JOBS = frozenset((*_WORDS["jobs"], *(role for role in _WORDS["roles"] if " " not in role)))
_GRADES = frozenset(_WORDS["grades"])
_NEVER = frozenset(word for name, words in _WORDS.items() if name.startswith("by ") or name in ("roles", "no names") for word in words)


@dataclass(frozen=True, slots=True)
class Name:
    """One author."""

    text: str
    raw: str
    kind: AgentKind = ""


def names_in(clues: Iterable[Clue], language: str | None, *, visible: bool = False, alone: bool = False) -> list[Name]:
    """The names in these clues, each once, in order.

    Of `visible` text only what looks like a name is one; where it stands `alone`, one word may be one.
    """
    found = [name for clue in clues for name in _names_of(clue, language, visible, alone)]
    return _distinct(found)[:MAX_AUTHORS] if len(found) > 1 else found


def _names_of(clue: Clue, language: str | None, visible: bool, alone: bool) -> Iterator[Name]:
    text = _OTHER_HANDS.split(_without_addresses(plain_text(clue.text)), maxsplit=1)[0]
    text, by = _without_by(text, language)
    pieces = _pieces(text, clue.kind, language)
    if visible and not by and (inside := _words_of(language).by_inside.search(text)):
        behind = _pieces(text[inside.end() :], clue.kind, language)
        if any(_looks_like_name(piece.split()) for piece in behind[:1]):  # and not "Heinrich von Kleist"
            pieces = behind
    alone = len(pieces) == 1 and (alone or " " in by or by.endswith((":", "：")))
    for piece in pieces:
        name = _tidy(piece, language)
        words = name.split()
        if _is_name(name) and (not visible or (alone and len(words) == 1) or _looks_like_name(words)):
            yield Name(_readable_case(name, clue.kind), clue.text, "organization" if _is_organization(name) else clue.kind)


def _without_addresses(text: str) -> str:
    for pattern in (_URL, _EMAIL, _HANDLE):
        text = pattern.sub(" ", text)
    return " ".join(text.split())


def _without_by(text: str, language: str | None) -> tuple[str, str]:
    """The text behind "By ..."; the words that it was behind."""
    found = _words_of(language).by.match(text)
    return (text[found.end() :], found[0].strip()) if found and text[found.end() :].strip(_EDGES) else (text, "")


def starts_with_by(text: str, language: str | None) -> bool:
    """Whether a text begins as a byline does, and goes on."""
    return bool(_without_by(text, language)[1])


def byline_start(language: str | None) -> re.Pattern[str]:
    """Fits every text that begins as a byline does, and few others, however its white space is written."""
    return _words_of(language).start


def connected(text: str, behind: str, language: str | None) -> bool:
    """Whether a word that connects names stands at the end of a text, or at the beginning of the one behind it."""
    joins = _words_of(language).between
    return any(found.end() > len(text) for found in joins.finditer(f"{text} ")) or joins.match(f" {behind} ") is not None


class _LanguageWords(NamedTuple):
    """Around names, in a language and in English."""

    by: re.Pattern[str]
    """At the beginning of a text."""
    by_inside: re.Pattern[str]
    start: re.Pattern[str]
    """The first words of those that stand at the beginning."""
    between: re.Pattern[str]
    """Two names."""


@lru_cache(maxsize=64)
def _words_of(language: str | None) -> _LanguageWords:
    tongue = (language or "en").replace("_", "-").partition("-")[0].lower()
    by = {*_WORDS["by en"], *_WORDS.get(f"by {tongue}", ())}
    return _LanguageWords(
        by=re.compile(
            rf"(?:(?:{_any_of(by)})(?:\s*[:：/]\s*|\s+)|(?:{_any_of(by & _GLUED)})(?-i:(?={_CAPITAL}[^\W\d_A-Z])))+", re.IGNORECASE
        ),
        by_inside=re.compile(rf"\s(?i:{_any_of({*_WORDS['by en'][:1], *_WORDS.get(f'by {tongue}', ())[:1]})})\s+(?=[^\W\d_])"),
        start=re.compile(rf"\s*(?:{_any_of({word.split()[0] for word in by})})", re.IGNORECASE),
        between=re.compile(rf"\s+(?:{_any_of({*_WORDS['and en'], *_WORDS.get(f'and {tongue}', ())})})\s+"),
    )


def _any_of(words: Iterable[str]) -> str:
    """The longest first, since what begins like a longer one would hide it."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


def _pieces(text: str, kind: AgentKind, language: str | None) -> list[str]:
    text = _DATE_TAIL.sub("", text)
    if kind == "organization":
        return [text]
    pieces: list[str] = []
    for part in _SEPARATORS.split(text):
        for listed in _joined_suffixes(one for one in _COMMA.split(part) if one.strip(_EDGES)):
            if pieces and _is_position(listed):
                continue
            desk = any(word in DESKS for word in listed.casefold().split())
            pieces.extend([listed] if desk else _words_of(language).between.split(f"{listed} "))
    return pieces


def _joined_suffixes(parts: Iterable[str]) -> list[str]:
    """As in "Ann Lee, Ph.D.", which is one name."""
    joined: list[str] = []
    for part in map(str.strip, parts):
        if joined and _SUFFIX.fullmatch(part):
            joined[-1] += f", {part}"
        else:
            joined.append(part)
    return joined


def _tidy(piece: str, language: str | None) -> str:
    name = _BRACKETS.sub("", piece).strip(_EDGES)
    name, _ = _without_by(name, language)
    name = _without_job(_LABEL.sub("", name))
    if _DATE_WORD_BEHIND.search(name):
        name = name.rpartition(" ")[0]
    return f"{name}." if _ALWAYS_DOTTED.search(name) or (_ABBREVIATED.search(name) and f"{name}." in piece) else name


def _without_job(name: str) -> str:
    """Of "Ann Lee Senior Politics Reporter" the name."""
    words = name.split()
    if len(words) < 3 or words[-1].casefold() not in _JOBS:
        return name
    return " ".join(words[: next((at for at, word in enumerate(words) if at > 1 and word.casefold() in _GRADES), None)])


def _is_position(piece: str) -> bool:
    """Whether it tells what an author is, and where: never of the first name in a text."""
    words = {word.strip(_EDGES) for word in piece.casefold().split()}
    return not words.isdisjoint(_JOBS | _INSTITUTIONS | {"of", "at"})


_OTHER_HANDS = re.compile(rf"(?:^|(?<=[\s.,;|(]))(?:{_any_of(_WORDS['other hands'])})(?!\w)", re.IGNORECASE)


def _is_name(text: str) -> bool:
    if not 2 <= len(text) <= _LONGEST or text.casefold() in _NEVER or not _LETTER.search(text):
        return False
    if _OF_NOBODY.issuperset(text.casefold().split()):
        return False
    is_user = text.rstrip("0123456789").replace("_", "").replace("-", "").isalpha()
    return len(text.split()) <= _MOST_WORDS and (is_user or sum(character.isdigit() for character in text) <= 4)


def _looks_like_name(words: Sequence[str]) -> bool:
    """Two to five words, with capitals but for particles; one word of a script without capitals and blanks; "La redazione"."""
    if len(words) == 1:
        return 2 <= len(words[0]) <= 8 and not any(character.isupper() or character.islower() for character in words[0])
    if len(words) == 2 and words[1] in NEWSROOMS and len(words[0]) <= _LONGEST_ARTICLE:
        return words[0].istitle()
    capitals = [word for word in words if _has_capital(word)]
    plain = not any(_IN_NO_NAME.search(word) for word in words)
    return (
        len(words) <= 5
        and len(capitals) >= 2
        and len(words) - len(capitals) <= 2
        and plain
        and _NO_NAME_WORDS.isdisjoint(word.casefold() for word in words)
    )


def _has_capital(word: str) -> bool:
    particle = _JOINED_PARTICLE.match(word)
    return not word[0].islower() or (particle is not None and word[particle.end()].isupper())


def _is_organization(name: str) -> bool:
    words = name.split()
    folded_words = {word.casefold() for word in words}
    formed = len(words) > 1 and not _COMPANY_FORMS.isdisjoint((words[0], words[-1].rstrip(".")))
    return formed or name.casefold() in AGENCIES or not folded_words.isdisjoint(DESKS) or not folded_words.isdisjoint(_INSTITUTIONS)


def _readable_case(name: str, kind: AgentKind) -> str:
    """Names in capitals get ordinary case; abbreviations keep theirs."""
    words = name.split()
    if kind == "organization" or len(words) < 2 or not name.isupper():
        return name
    return " ".join(word if (len(word) < 4 and not _VOWEL.search(word)) or "." in word else word.title() for word in words)


def _distinct(names: list[Name]) -> list[Name]:
    """Each name once, whatever its case, accents and order; a part of another name is that name."""
    keys = [frozenset(map(folded, name.text.split())) for name in names]
    first = dict(zip(reversed(keys), reversed(names), strict=True))
    return [name for name, key in zip(names, keys, strict=True) if first[key] is name and not any(key < other for other in keys)]
