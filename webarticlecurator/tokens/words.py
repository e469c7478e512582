"""What stands between two blanks, taken apart: words with their hyphens, numbers, addresses, marks.

This never looks beyond the blanks: so a word that came before need not be taken apart again, which is what makes it fast.
"""

from __future__ import annotations

from enum import Enum
from functools import cache, lru_cache
from typing import NamedTuple

import regex

from webarticlecurator.tokens.language_words import Language, Stop

_REMEMBERED = 1 << 15
_LONGEST_REMEMBERED = 40
_LONGEST_READ = 10_000
"""Characters that are looked at together: no token is longer. A pattern that goes on for millions would fill the memory."""

_UNSPACED = r"[\p{Han}\p{Hiragana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}]"
_FIRST_UNSPACED = "\u0e00"
_W = rf"[[\p{{L}}\p{{M}}\p{{N}}\p{{Cf}}_]--{_UNSPACED}]"
_SUFFIX = rf"(?:[-‐‑]{_W}++)*+"
_ADDRESS = r"(?:[^\s<>\"„“”«»‘’.,;:!?'()\[\]…]|[.,;:!?'…]++(?=[^\s<>\"„“”«»‘’.,;:!?'()\[\]…])|\((?:[^\s<>\"„“”«»()\[\]])*+\))++"
_DOMAINS = (
    "hu|de|at|ch|fr|cz|pl|sk|ro|rs|hr|si|it|es|pt|nl|be|uk|ie|us|ca|au|eu|se|no|fi|dk|ru|ua|jp|cn|in|br|tv|me|io|fm|ly|gg|ai|app|dev|blog|"
    "com|org|net|info|biz|edu|gov|int|news|online|site|shop|media|example|test"
)
_SHORT = r"(?:\p{L}|\p{Lu}\p{Ll}{1,2})\."
_RUNS = "|".join(rf"{regex.escape(mark)}{{2,}}+" for mark in "-–—=_*~#•|<>+/\\")
_PIECES = (
    rf"(?:https?|ftp)://{_ADDRESS}",
    rf"www\.{_ADDRESS}",
    rf"[\p{{L}}\p{{N}}._%+-]{{1,64}}+@(?:[\p{{L}}\p{{N}}-]{{1,63}}\.){{1,8}}\p{{L}}{{2,24}}+{_SUFFIX}",
    rf"(?:[\p{{L}}\p{{N}}][\p{{L}}\p{{N}}-]{{0,62}}\.){{1,5}}(?:{_DOMAINS})(?!{_W})(?:/{_ADDRESS})?{_SUFFIX}",
    rf"(?<!{_W})@{_W}++(?:[.-]{_W}++)*+",
    rf"#(?=[\p{{N}}_]*+\p{{L}}){_W}++{_SUFFIX}",
    r"(?<![^!?.…])(?:[:;=]['’]?[-^o]?[)(\]\[DPpO/\\|3*](?!/)|<3|\^_*\^)(?![\p{L}\p{N}])",
    r"[\d#*]\uFE0F?\u20E3",
    rf"(?<![^(\[„“\"])['’]\d\d{_W}*+{_SUFFIX}",
    rf"(?:(?<![^(\[„“\"])[-−+±])?\d++(?:[.,:/'’]\d++|-\d++)*+(?:,[-–]{{1,2}}+(?!{_W})|{_W}*+(?:\.?[%‰°€$£]?[-‐‑]{_W}++)*+\+?(?!{_W}))",
    rf"°[CFK]?{_SUFFIX}|[§%‰€$£&]{_SUFFIX}",
    rf"(?:{_SHORT})(?:-?{_SHORT})++(?:\p{{Lu}}(?!{_W}))?{_SUFFIX}",
    rf"(?:(?<![^(\[„“”\"«»/])-(?=\p{{Ll}}))?{_W}++"
    rf"(?:(?:['’ʼ‧·\-‐‑]|\.(?=[\p{{Ll}}\d])|(?<=\p{{Lu}})&(?=\p{{Lu}})|[*:](?=in(?:nen)?(?!{_W}))){_W}++)*+(?:\+(?!{_W})|-(?![-\p{{L}}\p{{N}}]))?",
    rf"\.{{2,}}+|…++\.*+|[!?‼⁇⁈⁉]++|{_RUNS}|''|``|,,(?={_W})",
    r"\X",
)
_ROMAN = regex.compile("(?=[IVXL])(?:X{1,3}|X?LX{0,3})?(?:IX|IV|V?I{0,3})")
_NUMBER = regex.compile(r"[-−+±]?\d+(?:[.,:/-]\d+)*")
OPENING = frozenset("([{<\"'„“”‚‘«»‹›¿¡-–—*•「『【〈《（［")
_CLOSING = frozenset(")]}\"'”“’«»‹›」』】〉》）］''")
_PUNCTUATION = frozenset(",;:%)]}/|=&+")
_WIDE = frozenset("。！？｡．؟۔।॥։።၊။།")
_EMOJI = regex.compile(r"(?:\p{So}|\p{Sk}|\p{Extended_Pictographic}|\p{Regional_Indicator}).*|[:;=].{1,4}", regex.DOTALL)
_VOWELS = frozenset("aeiouyáéíóöőúüűàâèêëîïôùûäěůýąęæœ")


class Token(NamedTuple):
    """A word, a number, a mark: never empty, and never with white space in it."""

    text: str
    space_after: str
    """The white space between this token and the next, as written; mostly one blank, or nothing."""


class Start(Enum):
    """What the first token after opening marks is."""

    LOWER = "lower"
    UPPER = "upper"
    DIGIT = "digit"
    OTHER = "other"
    """An address, a name after @, a word of a script without cases, a brand that is written as it likes."""
    PUNCTUATION = "punctuation"
    """What goes on with the sentence before it."""
    CLOSING = "closing"
    """Only closing marks and emoji: they belong to what stands before."""
    NOTHING = "nothing"
    """Only opening marks and dashes: what follows decides."""


class Chunk(NamedTuple):
    """What stands between two blanks."""

    tokens: tuple[Token, ...]
    """One blank after the last."""
    start: Start
    first: str
    """The first word in lower case."""
    stop: Stop | None
    """What its end says; None where no sentence can end with it."""
    stop_at: int
    """Which of its tokens says so; closing marks may follow."""
    inside: tuple[int, ...]
    """After how many of its tokens a sentence ends, though no blank follows."""


def chunk_of(text: str, language: Language) -> Chunk:
    """Take apart what holds no white space, and is not empty."""
    return _remembered(text, language) if len(text) <= _LONGEST_REMEMBERED else _taken_apart(text, language)


def _taken_apart(text: str, language: Language) -> Chunk:
    word = text[:-1] if text[-1] in ".," else text
    if word.isalpha() and max(word) < _FIRST_UNSPACED and len(word) < _LONGEST_READ:  # most words: no pattern need look at them
        pieces = [word] if word is text else [word, text[-1]]
    else:
        find = _pattern(language).findall
        pieces = [piece for at in range(0, len(text), _LONGEST_READ) for piece in find(text, at, at + _LONGEST_READ)]
    pieces, stops = _with_full_stops(_leaning_apart(pieces, language), language)
    inside = _ends_inside(pieces, stops)
    at = len(pieces) - 1
    while at > 0 and at not in stops and (pieces[at] in _CLOSING or _EMOJI.match(pieces[at])):
        at -= 1
    stop = Stop.WEAK if stops.get(at) is Stop.FULL and at < len(pieces) - 1 else stops.get(at)  # „Jövök.” mondta
    first = next((piece for piece in pieces if piece.strip(".…") and (piece[0] not in OPENING or len(piece) > 1)), "")
    tokens = (*(Token(piece, "") for piece in pieces[:-1]), Token(pieces[-1], " "))
    return Chunk(tokens, _start(pieces, first), first.lower(), stop, at, inside)


_remembered = lru_cache(_REMEMBERED)(_taken_apart)


@cache
def _pattern(language: Language) -> regex.Pattern[str]:
    kept = "|".join(regex.escape(word).replace("'", "['’]") for word in sorted(language.kept, key=len, reverse=True))
    own = [rf"(?<!{_W})(?i:{kept})(?!{_W})"] + ([rf"(?<!{_W})(?i:{language.elided})(?={_W})"] if language.elided else [])
    return regex.compile("|".join((*_PIECES[:4], *own, *_PIECES[4:])), regex.VERSION1)


@cache
def _leaning(language: Language) -> regex.Pattern[str]:
    return regex.compile(rf"(?<=\p{{L}})(?:{language.leaning})$", regex.IGNORECASE | regex.VERSION1)


def _leaning_apart(pieces: list[str], language: Language) -> list[str]:
    """`don't` -> `do`, `n't`."""
    if not language.leaning:
        return pieces
    parted: list[str] = []
    for piece in pieces:
        tail: list[str] = []
        while len(piece) < 100 and piece.lower().replace("’", "'") not in language.kept and (match := _leaning(language).search(piece)):
            tail.append(match[0])
            piece = piece[: match.start()]
        parted += [piece, *reversed(tail)]
    return parted


def _with_full_stops(pieces: list[str], language: Language) -> tuple[list[str], dict[int, Stop]]:
    """Full stops joined to what they belong to, and what each token that may end a sentence says."""
    joined: list[str] = []
    stops: dict[int, Stop] = {}
    for piece in pieces:
        if piece == "." and joined:
            kind = _of_full_stop(joined[-1], language)
            if kind in (Stop.WEAK, Stop.FULL):
                joined.append(piece)
            else:
                joined[-1] += piece
            stops[len(joined) - 1] = kind
            continue
        joined.append(piece)
        kind_of_mark = _of_mark(piece, language)
        if kind_of_mark:
            stops[len(joined) - 1] = kind_of_mark
    return joined, stops


def _of_full_stop(word: str, language: Language) -> Stop:
    known = language.abbreviation(word)
    if known:
        return known
    if len(word) == 1 and word.isupper():
        return Stop.INITIAL
    if language.ordinals and (_NUMBER.fullmatch(word) or _ROMAN.fullmatch(word)):
        return Stop.ORDINAL
    whole = len(word) > 5 or (len(word) > 2 and word[-1].lower() in _VOWELS)
    return Stop.FULL if whole else Stop.WEAK


def _of_mark(piece: str, language: Language) -> Stop | None:
    last = piece[-1]
    if last in "!?‼⁇⁈⁉":
        return Stop.MARK
    if last in _WIDE:
        return Stop.SURE
    if piece[0] in ".…" and last in ".…":
        return Stop.ELLIPSIS if len(piece) > 1 or last == "…" else Stop.WEAK
    if last == "." and len(piece) > 2:  # U.S.
        return language.abbreviation(piece[:-1]) or Stop.PERHAPS
    return None


def _ends_inside(pieces: list[str], stops: dict[int, Stop]) -> tuple[int, ...]:
    """Where scripts without blanks end sentences, and where the blank was forgotten."""
    ends = []
    for at, stop in stops.items():
        after = at + 1
        while after < len(pieces) and pieces[after] in _CLOSING:
            after += 1
        if after >= len(pieces):
            continue
        following = pieces[after]
        before = pieces[at - 1] if at and after == at + 1 and stop in (Stop.FULL, Stop.WEAK, Stop.MARK) else ""
        is_name = following[0].isupper() and (following[1:2].islower() or len(following) == 1)
        forgotten = len(before) > 1 and before[-2:].islower() and is_name
        if (stop is Stop.SURE and following[0] not in _WIDE) or forgotten:
            ends.append(after)
    return tuple(ends)


def _start(pieces: list[str], first: str) -> Start:
    if not first:
        return Start.CLOSING if all(piece in ")]}”»’" or not piece.strip(".…") for piece in pieces) else Start.NOTHING
    if first[0] in _PUNCTUATION and not first[1:2].isalnum() and not _EMOJI.match(first):
        return Start.CLOSING if all(piece in _CLOSING for piece in pieces) else Start.PUNCTUATION
    if _EMOJI.match(first):
        return Start.CLOSING if all(_EMOJI.match(piece) for piece in pieces) else Start.OTHER
    if first[0].isupper() or first[0].istitle():
        return Start.UPPER
    if first[0] in "§°%‰€$£":
        return Start.LOWER
    if first[0].isdigit() or first[1:2].isdigit():
        return Start.DIGIT
    if first[0].islower() and not any(letter.isupper() for letter in first[1:3]) and "://" not in first:
        return Start.LOWER
    return Start.LOWER if first[0] == "-" else Start.OTHER
