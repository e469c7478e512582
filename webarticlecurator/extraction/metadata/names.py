"""The names in a text, without what stands around them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import chain, dropwhile, takewhile
from typing import NamedTuple

from webarticlecurator.dates.cldr import any_of
from webarticlecurator.extraction.alike import first_of_each
from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.extraction.metadata.sources import Clue, has_no_case, plain_text
from webarticlecurator.model.metadata import AgentKind, Found
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.resources import read_word_lists
from webarticlecurator.text import folded, primary, squeeze

_MOST_NAMES = 40
_ADDRESSES = linear(
    r"(?:https?://|www\.)\S+"
    r"|\(?\b[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,190}\b\)?"
    r"|(?<!\w)@\w+",
    re.IGNORECASE,
)
_BRACKETS = linear(r" ?[\[(][^\[\]()]*[\])]")
_MONTH = r"(?:jan|feb|mar|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-zä]*\.? \d"
_DATE_TAIL = linear(
    r"(?<!\s)\s*(?:\b(?:on|am|at|le|el|il|om|den|dne)\s+)?"
    r"(?:(?<!\w)\d{1,2}(?:[./ ]|-\d)|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    rf"|(?<!\w)\d{{4}}\b|(?<!\d)\d{{4}}[./-]\d|{_MONTH}).*$",
    re.IGNORECASE,
)
_LABEL = linear(r"^[^\W\d_][^\s\d:：]{0,19}(?: [^\s\d:：]{1,20})?\s*[:：]\s*")
_EDGES = " \t.,:;–—-|/*•·・@&\"'“”„«»‘’，、：()[]"
_ABBREVIATED = linear(r"(?:^|[\s.])(?:[^\W\d_]|Jr|Sr)$")
_ALWAYS_DOTTED = linear(r"\b(?:Jr|Sr|[A-Z]\.[A-Z])$")
_IN_NO_NAME = linear(r"[!?…≈~<>=0-9]|^[^\w&]+$")
"""Signs in a word that is in no name."""
_GLUED = frozenset(
    (
        *("by", "von", "par", "por", "author", "written by", "posted by"),
        *("autor", "autorin", "auteur", "autora", "autore", "szerző"),
    )
)
"""Words that the name may follow without a blank, where the page parts them by its style sheet alone."""
_JOINED_PARTICLE = linear(r"^(?:(?:[dl]|d?all|[dns]ell)['’‘]|(?:al|el)[-'’‘])(?=.)")
"""A particle before a name, without a blank: d'Arc, dall'Acqua, al-Sayed."""
_CAPITAL = "[A-ZÀ-ÖØ-ÞŁŐŚŠŰŽČĐ]"

_PREPOSITION = linear(r"\s(?:on|am|at|le|el|il|om|den|dne|um|vom)$")
"""A word at the end of a text behind which a date stood."""
_BETWEEN = linear(r"(?<!\s)\s*(?:[;|•·\n\t，、；،؛]|\s/\s|/(?=\w{2,}\s)|\s[–—-]\s)\s*")
"""Signs that part names."""
_AMPERSAND = linear(r"(?<!\s)\s*(?:\s&\s|&amp;)\s*")
_SENTENCES = linear(r"[!?…] \w")
"""A text that goes on behind the end of a sentence."""
_ANY_SENTENCE = linear(rf"{_SENTENCES.pattern}|^(?:\S+ ){{5}}.*[^\W\d_A-Z]{{3}}[.!?…][\"'”»“]?$")
"""Such a text, and a sentence that may stand beside a byline and begin with a name."""
_COMMA = linear(r"(?<!\s)\s*,\s*")
_LETTER = linear(r"[^\W\d_]")
_TELLS_NAME = linear(r" |[:：]$")
"""A part of several words such as "written by", or a colon behind such words."""
_APOSTROPHE_OF_NAME = linear(r"^[^'].*[\u0590-\u08ff]'$")
"""An apostrophe behind a letter of Hebrew or Arabic, and none at the beginning."""

_WORDS = read_word_lists(__file__, "byline_words.txt")
AGENCIES = frozenset(_WORDS["agencies"])
NEWSROOMS = frozenset(_WORDS["newsrooms"])
_INSTITUTIONS = frozenset(_WORDS["institutions"])
_COMPANY_FORMS = frozenset(_WORDS["company forms"])
_NO_NAME_WORDS = frozenset(_WORDS["words of no name"])
_JOBS = frozenset((*_WORDS["jobs"], *_WORDS["roles"]))
_OF_POSITIONS = _JOBS | _INSTITUTIONS | {"of", "at"}
_GRADES = frozenset(_WORDS["grades"])
DESKS = NEWSROOMS | frozenset((*_WORDS["desks"], *_WORDS["agency words"]))
_OF_NOBODY = _INSTITUTIONS.union(_WORDS["agency words"], ("of", "the"))
"""A text of nothing else says that somebody works somewhere, and not who or where; a desk or a newsroom may
sign."""
_LISTS_OF_NO_NAMES = [name for name in _WORDS if name.startswith("by ")] + ["roles", "no names"]
NO_NAMES = frozenset(word for name in _LISTS_OF_NO_NAMES for word in _WORDS[name])
"""Texts that stand alone where a name should."""


_SUFFIX = linear_at(rf"(?:{any_of(_WORDS['suffixes'])})\.?\*?", re.IGNORECASE)
_TITLE = rf"(?:{any_of(_WORDS['titles'])})"
_TITLES = linear(rf"^(?:{_TITLE}\s*)+(?=..)|(?<=..)(?<!\s)(?:\s*{_TITLE})+$")
LABELS_OF_OTHERS = linear("|".join(_WORDS["labels of other hands"]), re.IGNORECASE)
_OTHER_HANDS = linear(rf"(?:^|(?<=[\s.,;|(]))(?:{any_of(_WORDS['other hands'])})(?!\w)", re.IGNORECASE)


class LanguageWords(NamedTuple):
    """Words around names, in a language and in English."""

    by: re.Pattern[str]
    """At the beginning of a text."""
    by_inside: re.Pattern[str]
    start: re.Pattern[str]
    """Fits every text that begins as a byline does, and few others, however its white space is written."""
    between: re.Pattern[str]
    """Two names."""


@lru_cache(maxsize=64)
def words_of(language: str | None) -> LanguageWords:
    """Return the words around names in a language."""
    tongue = primary(language or "en")
    own, own_and = _WORDS.get(f"by {tongue}", ()), _WORDS.get(f"and {tongue}", ())
    by = {*_WORDS["by en"], *own}
    parted = rf"(?:{any_of(by)})(?:\s*[:：/／・＝]\s*|\s+)"
    glued = rf"(?:{any_of(by & _GLUED)})(?-i:(?={_CAPITAL}[^\W\d_A-Z]))"
    inside = any_of({*_WORDS["by en"][:1], *own[:1]})
    firsts = any_of({word.split()[0] for word in by})
    between = any_of({*_WORDS["and en"], *own_and})
    return LanguageWords(
        by=linear_at(rf"(?:{parted}|{glued})+", re.IGNORECASE),
        by_inside=linear(rf"\s(?i:{inside})\s+(?=[^\W\d_])"),
        start=linear_at(rf"\s*(?:{firsts})", re.IGNORECASE),
        between=linear(rf"(?<!\s)\s+(?:{between})\s+"),
    )


# --- names in texts ---


def names_in(
    clues: Iterable[Clue],
    language: str | None,
    *,
    source: str = "",
    visible: bool = False,
    alone: bool = False,
) -> list[Found]:
    """Return the names in these clues, each once, in order; each with the page of its clue, where that is
    about nobody else.

    Of `visible` text only what looks like a name is one; where it stands `alone`, one word may be one.
    """
    names: list[Found] = []
    for clue in clues:
        given = _names_in_clue(clue, language, visible, alone)
        url = clue.url if len(given) == 1 else ""  # whose is the page of a text with two names?
        names += [_found(name, clue, source, url) for name in given]
    return _distinct(names)[:_MOST_NAMES]


def _found(name: str, clue: Clue, source: str, url: str) -> Found:
    kind: AgentKind = "organization" if _is_organization(name) else clue.kind
    return Found(value=name, raw=clue.text, source=source, kind=kind, url=url)


def _names_in_clue(clue: Clue, language: str | None, visible: bool, alone: bool) -> list[str]:
    """Return the names in one text."""
    text = _OTHER_HANDS.split(squeeze(_ADDRESSES.sub(" ", plain_text(clue.text))), maxsplit=1)[0]
    text, by = without_by(text, language)
    pieces = _pieces(text, clue.kind, language)
    if visible and not by:
        pieces = _pieces_behind_by(text, clue.kind, language) or pieces
    is_alone = len(pieces) == 1 and (alone or _TELLS_NAME.search(by) is not None)
    if (_SENTENCES if by else _ANY_SENTENCE).search(text):
        return []
    names = [_cleaned(_Piece(piece, clue.kind, language, visible)) for piece in pieces]
    return [name for name in names if _is_name(name) and (not visible or _looks_like_one(name, is_alone))]


def _looks_like_one(name: str, is_alone: bool) -> bool:
    words = name.split()
    return (is_alone and len(words) == 1) or looks_like_name(words)


def _pieces_behind_by(text: str, kind: AgentKind, language: str | None) -> list[str]:
    """Return the pieces behind a "by" within a text, if the first is a name; "Heinrich von Kleist" is one
    name."""
    _, *inside = words_of(language).by_inside.split(text, maxsplit=1)
    behind = _pieces("".join(inside), kind, language)
    return behind if behind and looks_like_name(behind[0].split()) else []


def without_by(text: str, language: str | None) -> tuple[str, str]:
    """Return the text behind "By ..."; and the words that it was behind."""
    match = words_of(language).by.match(f"{text} ")  # of which all may be such words
    by = match[0] if match else ""
    behind = text[len(by) :]
    return (behind, by.strip()) if behind.strip(_EDGES) else (text, "")


def starts_with_by(text: str, language: str | None) -> bool:
    """Return True if a text begins as a byline does, and goes on."""
    return bool(without_by(text, language)[1])


# --- the pieces of a text that may be a name each ---


def _pieces(text: str, kind: AgentKind, language: str | None) -> list[str]:
    """Return the pieces of a text without the date behind it; those of organisations have commas
    themselves."""
    text, dates = _DATE_TAIL.subn("", text)
    if dates and text.endswith((":", "：")):  # it says what that day is of, or how many minutes
        return []
    if kind == "organization":
        return [text]
    listed = list(chain.from_iterable(map(_between_commas, _BETWEEN.split(text))))
    # what an author is, and where: never the first name in a text
    names = listed[:1] + [piece for piece in listed[1:] if not _is_position(piece)]
    for between in (_AMPERSAND, words_of(language).between):
        names = list(chain.from_iterable(_connected_names(piece, between) for piece in names))
    return names


def _between_commas(text: str) -> list[str]:
    """Return the pieces of a text between its commas; "Ann Lee, Ph.D." and "Lee, Ann" are one name each."""
    pieces: list[str] = []
    written = [piece.strip() for piece in _COMMA.split(text) if piece.strip(_EDGES)]
    has_suffix = any(map(_SUFFIX.fullmatch, written[1:]))
    for piece in written:
        if pieces and (_SUFFIX.fullmatch(piece) or (has_suffix and piece.isupper())):
            pieces[-1] += f", {piece}"
        else:
            pieces.append(piece)
    return pieces


def _is_position(piece: str) -> bool:
    return not _OF_POSITIONS.isdisjoint(word.strip(_EDGES) for word in piece.casefold().split())


def _connected_names(piece: str, between: re.Pattern[str]) -> list[str]:
    """Return the names in a piece that words such as "and" connect; the piece where one of them is no name,
    as in "Ann and the Bees"."""
    names: Sequence[str] = list(filter(str.strip, between.split(f" {piece} ")))
    return [piece] if len(names) > 1 and first_reason(_AGAINST_CUT, names) else list(names)


def _is_cut_short(names: Sequence[str]) -> bool:
    """Return True if a part has fewer words than the one before: "North and South Valley" is cut, and "Zone
    North and South" is none of two names."""
    *before, last = (name.split() for name in names)
    return len(last) == 1 < min(map(len, before)) and last[0].casefold() not in AGENCIES


_AGAINST_CUT: tuple[Check[Sequence[str]], ...] = (
    Check("it is the name of a desk", lambda names: not DESKS.isdisjoint(" ".join(names).casefold().split())),
    Check("a part is no name", lambda names: not all(map(_may_be_part, names))),
    Check("the last part is short of a name", _is_cut_short),
)
"""Reasons why words such as "and" stand within one name."""


def _may_be_part(name: str) -> bool:
    """Return True for what begins as names do, and is more than a letter."""
    bare = name.strip(_EDGES)
    return bare.casefold() in AGENCIES or (len(bare) > 1 and _begins_as_names_do(bare))


# --- a name without what stands around it ---


class _Piece(NamedTuple):
    """A piece of a text that may be a name."""

    text: str
    kind: AgentKind
    """The kind of its bearer, as the page says."""
    language: str | None
    visible: bool
    """True if readers of the page see it."""


def _without_signs(name: str, piece: _Piece) -> str:
    """Remove brackets, signs around, and "by"; an apostrophe is the end of some names: יעל אברמוביץ'"""
    bare = _BRACKETS.sub("", name).strip()
    name = without_by(bare.strip(_EDGES), piece.language)[0]
    return f"{name}'" if _APOSTROPHE_OF_NAME.search(bare) else name


def _without_label(name: str, piece: _Piece) -> str:
    """Remove the label before a colon; without capitals nothing tells that what a reader sees behind it is a
    name."""
    name, labels = _LABEL.subn("", name)
    return "" if labels and piece.visible and has_no_case(name) else name


def _without_titles(name: str, _: _Piece) -> str:
    return _TITLES.sub("", name)


def _without_job(name: str, _: _Piece) -> str:
    """Remove a job with its grade: "Ann Lee Senior Politics Reporter"."""
    words = name.split()
    if len(words) <= 2 or words[-1].casefold() not in _JOBS:
        return name
    return " ".join((*words[:2], *takewhile(lambda word: word.casefold() not in _GRADES, words[2:])))


def _without_small_words(name: str, piece: _Piece) -> str:
    """Remove words without capitals behind the names of a person: "Ann Lee vor etwa"."""
    words = name.split()
    if piece.kind == "organization" or not all(word[0].isupper() for word in words[:2]):
        return name
    behind_small_ones = dropwhile(str.islower, reversed(words))
    return " ".join(reversed(list(behind_small_ones)))


def _without_preposition(name: str, _: _Piece) -> str:
    return _PREPOSITION.sub("", name)


def _with_full_stop(name: str, piece: _Piece) -> str:
    """Give an abbreviation its full stop back."""
    is_dotted = _ALWAYS_DOTTED.search(name) or (_ABBREVIATED.search(name) and f"{name}." in piece.text)
    return f"{name}." if is_dotted else name


_CLEANING: tuple[Callable[[str, _Piece], str], ...] = (
    _without_signs,
    _without_label,
    _without_titles,
    _without_job,
    _without_preposition,
    _without_small_words,
    _with_full_stop,
)
"""Steps by which a piece becomes a name, in this order."""


def _cleaned(piece: _Piece) -> str:
    """Return the name in a piece; empty where there is none."""
    name = piece.text
    for step in _CLEANING:
        name = step(name, piece)
    return name


# --- what is a name ---


def _is_a_number(text: str) -> bool:
    """Return True for a text with so many digits that it is a number, and no name of a user."""
    is_user = text.rstrip("0123456789").replace("_", "").replace("-", "").isalpha()
    return not is_user and sum(map(str.isdigit, text)) > 4


_AGAINST_NAME: tuple[Check[str], ...] = (
    Check("it is too short or too long", lambda text: not 2 <= len(text) <= 80),
    Check("it stands alone where a name should", lambda text: text.casefold() in NO_NAMES),
    Check("it has no letter", lambda text: _LETTER.search(text) is None),
    Check("it says where somebody works", lambda text: _OF_NOBODY.issuperset(text.casefold().split())),
    Check("it has too many words", lambda text: len(text.split()) > 8),
    Check("it is a number", _is_a_number),
    Check(
        "a word is of no name",
        lambda text: " " in text and not _NO_NAME_WORDS.isdisjoint(text.casefold().split()),
    ),
)
"""Reasons why a text is no name."""


def _is_name(text: str) -> bool:
    return not first_reason(_AGAINST_NAME, text)


_AGAINST_SHAPE: tuple[Check[Sequence[str]], ...] = (
    Check("it has too many words", lambda words: len(words) > 5),
    Check("a word is of no name", lambda words: not _NO_NAME_WORDS.isdisjoint(map(str.casefold, words))),
    Check("a word has signs that no name has", lambda words: any(map(_IN_NO_NAME.search, words))),
    Check("it has less than two capitals", lambda words: _count_of_capitals(words) < 2),
    Check("it has more small words than particles", lambda words: len(words) - _count_of_capitals(words) > 2),
)
"""Reasons why several words, which a reader sees, do not look like a name."""


def looks_like_name(words: Sequence[str]) -> bool:
    """Return True for two to five words, with capitals but for particles.

    One word of a script without capitals and blanks looks like a name, too, and so does "La redazione".
    """
    if len(words) == 1:
        return 2 <= len(words[0]) <= 8 and has_no_case(words[0])
    if len(words) == 2 and words[1] in NEWSROOMS:
        return words[0].istitle()
    return not first_reason(_AGAINST_SHAPE, words)


def _count_of_capitals(words: Sequence[str]) -> int:
    return sum(map(_begins_as_names_do, words))


def _begins_as_names_do(word: str) -> bool:
    """Return True for a word with a capital at its beginning, or behind a particle."""
    first = _JOINED_PARTICLE.sub("", word)[0]
    return first == first.title()


def is_company(name: str) -> bool:
    words = name.split()
    return len(words) > 1 and not _COMPANY_FORMS.isdisjoint((words[0], words[-1].rstrip(".")))


_SIGNS_OF_ORGANIZATIONS: tuple[Check[str], ...] = (
    Check("it has the form of a company", is_company),
    Check("it is an agency", lambda name: name.casefold() in AGENCIES),
    Check("it has a desk", lambda name: not DESKS.isdisjoint(name.casefold().split())),
    Check("it is an institution", lambda name: not _INSTITUTIONS.isdisjoint(name.casefold().split())),
)
"""Reasons why a name is no person's."""


def _is_organization(name: str) -> bool:
    return bool(first_reason(_SIGNS_OF_ORGANIZATIONS, name))


def _distinct(names: Sequence[Found]) -> list[Found]:
    """Return each name once; a part of another name is that name."""
    words = {_words_in(name) for name in names}
    whole = (name for name in names if not any(_words_in(name) < others for others in words))
    return first_of_each(whole, _words_in)


def _words_in(name: Found) -> frozenset[str]:
    """Return the words of a name, whatever their case, accents and order."""
    return frozenset(map(folded, name.value.split()))
