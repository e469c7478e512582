"""The way from text to sentences of tokens.

What stands between two blanks is taken apart first: words with their hyphens, numbers, addresses, marks. That
never looks beyond the blanks: so a word that came before need not be taken apart again, which is what makes
it fast. Then it is told where sentences end, by what is known of a language: its abbreviations, months,
ordinal numbers, and words that begin sentences.

A text is read stretch by stretch, and a sentence is given away as soon as it ends: so the longest text takes
no more memory than others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import regex

from webarticlecurator.own_patterns import linear, linear_at, linear_by_properties
from webarticlecurator.resources import read_word_lists
from webarticlecurator.text import primary


class Stop(Enum):
    """Meanings of the end of a token for the end of the sentence."""

    NEVER = "never"
    """An abbreviation that something must follow: "Dr."."""
    PERHAPS = "perhaps"
    """An abbreviation that may stand last: "Ltd."; a sentence ends where the next word is one that begins
    sentences."""
    OFTEN = "often"
    """An abbreviation that mostly stands last: "etc."."""
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


_APOSTROPHE = "['’]"
_ELIDED = {
    "fr": rf"(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu){_APOSTROPHE}",
    "it": r"(?:[cdlmnstv]|un|(?:d?[aeo]|ne|su|co)ll|quest|quell|bell|sant|tutt|anch|com|dov|cos)"
    rf"{_APOSTROPHE}",
    "ca": rf"[dlmnst]{_APOSTROPHE}",
}
"""Words of their own before the word that they lean on, by language."""
_LEANING = {
    "en": rf"n{_APOSTROPHE}t|{_APOSTROPHE}(?:s|re|ve|ll|d|m)|(?<=^can)not",
    "fr": "-t-(?:ils?|elles?|on)|-(?:je|tu|ils?|elles?|on|ce|nous|vous|moi|toi|lui|leur|les?|la|y|en)",
}
"""Words of their own after the word that they lean on, by language."""
_WITHOUT_ORDINALS = frozenset(
    (
        *("en", "fr", "it", "es", "pt", "ca", "gl", "oc", "ro", "nl", "sv", "el", "ru", "uk"),
        *("be", "bg", "mk", "ga", "cy", "mt", "id", "vi", "zh", "ja", "ko", "th"),
    )
)
"""Languages in which a full stop after a number is the end of a sentence."""

_KNOWN = frozenset(("hu", "de", "en", "fr", "cs", "pl", *_ELIDED, *_WITHOUT_ORDINALS))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Language:
    """The tables of one language."""

    abbreviations: dict[str, Stop]
    """Abbreviations without the full stop at their end, with their meaning."""
    endings: tuple[tuple[str, Stop], ...]
    """Shortened words that others are put before: "Hauptstr."."""
    months: frozenset[str]
    before_ordinals: frozenset[str]
    """Words after which a number with a full stop is an ordinal, even where a capital letter follows."""
    beginnings: frozenset[str]
    """Words that begin a sentence where they have a capital letter after an abbreviation."""
    kept: tuple[str, ...]
    """Words that hold a mark which elsewhere parts words."""
    pieces: regex.Pattern[str]
    """The pieces of a text between two blanks."""
    leaning: regex.Pattern[str] | None
    """The last word in what is taken apart, where it leans on the one before."""
    full_stops: tuple[tuple[Stop, regex.Pattern[str]], ...]
    """The meanings of a full stop by the looks of the word before; the first row that fits counts."""
    nouns_are_capital: bool
    """True if a capital letter says little of where a sentence begins."""
    names_follow_numerals: bool
    """True if names follow numerals: "II. Rákóczi Ferenc"."""
    days_end_dates: bool
    """True if days end dates: "2024. szeptember 18." keeps its full stop at the end of a sentence as well."""

    def abbreviation(self, word: str) -> Stop | None:
        """Return what the full stop after a word is; None where it is no abbreviation."""
        behind = word.rpartition("-")[2]  # D-Calif.
        for spelling in (word, _uncapitalised(word), behind, _uncapitalised(behind)):
            if spelling in self.abbreviations:
                return self.abbreviations[spelling]
        return next((kind for ending, kind in self.endings if word.endswith(ending)), None)


def _uncapitalised(word: str) -> str:
    """Return a word with a small letter first; a letter alone stays as it is."""
    return word[0].lower() + word[1:] if len(word) > 1 else word


def language_of(tag: str | None) -> Language:
    """Return the tables for a BCP 47 tag; those of any language where there are none for it."""
    code = primary(tag or "")
    return _language(code if code in _KNOWN else "")


@cache
def _language(code: str) -> Language:
    any_language = _sections_of("any")
    sections = {**dict.fromkeys(_SECTIONS, ()), **(_sections_of(code) or any_language)}
    abbreviations: dict[str, Stop] = {}
    endings: dict[str, Stop] = {}
    for kind in Stop:
        for word in sections[kind.value]:
            table = endings if word.startswith("-") else abbreviations
            table[word.removeprefix("-").removesuffix(".")] = kind
    kept = tuple(dict.fromkeys((*sections["kept"], *any_language["kept"])))
    return Language(
        abbreviations=abbreviations,
        endings=tuple(endings.items()),
        months=frozenset(sections["months"]),
        before_ordinals=frozenset(sections["before ordinals"]),
        beginnings=frozenset(sections["beginnings"]),
        kept=kept,
        pieces=_pieces_of(code, kept),
        leaning=_leaning_of(code),
        full_stops=tuple(_full_stops_of(code)),
        nouns_are_capital=code == "de",
        names_follow_numerals=code in ("hu", "de"),
        days_end_dates=code == "hu",
    )


def _leaning_of(code: str) -> regex.Pattern[str] | None:
    """Return the pattern of a word that leans on the one before; None where a language has no such word."""
    if code not in _LEANING:
        return None
    return linear_by_properties(rf"(?<=\p{{L}})(?:{_LEANING[code]})$", regex.IGNORECASE | regex.VERSION1)


_VOWELS = "aeiouyáéíóöőúüűàâèêëîïôùûäěůýąęæœAEIOUYÁÉÍÓÖŐÚÜŰÀÂÈÊËÎÏÔÙÛÄĚŮÝĄĘÆŒ"
_NUMBER = r"[-−+±]?\d+(?:[.,:/-]\d+)*"
_ROMAN = "(?=[IVXL])(?:X{1,3}|X?LX{0,3})?(?:IX|IV|V?I{0,3})"


def _full_stops_of(code: str) -> Iterator[tuple[Stop, regex.Pattern[str]]]:
    """Give what a full stop says in a language, by the word before it that is no known abbreviation."""
    yield Stop.INITIAL, linear_by_properties(r"\p{Lu}")
    if code not in _WITHOUT_ORDINALS:
        yield Stop.ORDINAL, linear_by_properties(rf"{_NUMBER}|{_ROMAN}")
    yield Stop.FULL, linear_by_properties(rf".{{6,}}|.{{2,}}[{_VOWELS}]", regex.DOTALL)
    yield Stop.WEAK, linear_by_properties(".*", regex.DOTALL)


_SECTIONS = (*(kind.value for kind in Stop), "kept", "months", "before ordinals", "beginnings")
"""Sections of the word lists of a language; it need not have all."""


def _sections_of(code: str) -> Mapping[str, tuple[str, ...]]:
    """Return the word lists of a language; nothing where there are none."""
    folder = Path(__file__).parent / "languages"
    file = folder / f"{code}.txt"
    return read_word_lists(str(folder / "any"), file.name, r"\s+") if file.is_file() else {}


def _pieces_of(code: str, kept: Iterable[str]) -> regex.Pattern[str]:
    """Return the pattern of what stands between two blanks, with the words of a language that are kept
    together, and those that lean."""
    by_length = sorted(kept, key=len, reverse=True)
    written = "|".join(regex.escape(word).replace("'", "['’]") for word in by_length)
    own = [rf"(?<!{_W})(?i:{written})(?!{_W})"]
    if code in _ELIDED:
        own.append(rf"(?<!{_W})(?i:{_ELIDED[code]})(?={_W})")
    return linear_by_properties("|".join((*_PIECES[:4], *own, *_PIECES[4:])), regex.VERSION1)


# --- from text to tokens ---

_LONGEST_READ = 10_000
"""Characters that are looked at together: no token is longer. A pattern that goes on for millions would fill
the memory."""

_UNSPACED = r"[\p{Han}\p{Hiragana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}]"
_W = rf"[[\p{{L}}\p{{M}}\p{{N}}\p{{Cf}}_]--{_UNSPACED}]"
_SUFFIX = rf"(?:[-‐‑]{_W}++)*+"
_IN_ADDRESS = r"[^\s<>\"„“”«»‘’.,;:!?'()\[\]…]"
_ADDRESS = rf"(?:{_IN_ADDRESS}|[.,;:!?'…]++(?={_IN_ADDRESS})|\((?:[^\s<>\"„“”«»()\[\]])*+\))++"
_DOMAINS = (
    "hu|de|at|ch|fr|cz|pl|sk|ro|rs|hr|si|it|es|pt|nl|be|uk|ie|us|ca|au|eu|se|no|fi|dk|ru|ua|jp|cn|in|br|"
    "tv|me|io|fm|ly|gg|ai|app|dev|blog|"
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
    rf"(?:(?<![^(\[„“\"])[-−+±])?\d++(?:[.,:/'’]\d++|-\d++)*+"
    rf"(?:,[-–]{{1,2}}+(?!{_W})|{_W}*+(?:\.?[%‰°€$£]?[-‐‑]{_W}++)*+\+?(?!{_W}))",
    rf"°[CFK]?{_SUFFIX}|[§%‰€$£&]{_SUFFIX}",
    rf"(?:{_SHORT})(?:-?{_SHORT})++(?:\p{{Lu}}(?!{_W}))?{_SUFFIX}",
    rf"(?:(?<![^(\[„“”\"«»/])-(?=\p{{Ll}}))?{_W}++"
    rf"(?:(?:['’ʼ‧·\-‐‑]|\.(?=[\p{{Ll}}\d])|(?<=\p{{Lu}})&(?=\p{{Lu}})|[*:](?=in(?:nen)?(?!{_W}))){_W}++)*+"
    rf"(?:\+(?!{_W})|-(?![-\p{{L}}\p{{N}}]))?",
    rf"\.{{2,}}+|…++\.*+|[!?‼⁇⁈⁉]++|{_RUNS}|''|``|,,(?={_W})",
    r"\p{Regional_Indicator}{2}\p{M}*+",
    r"\X",
)
OPENING = frozenset("([{<\"'„“”‚‘«»‹›¿¡-–—*•「『【〈《（［")
_CLOSING = frozenset(")]}\"'”“’«»‹›」』】〉》）］''")
_PUNCTUATION = frozenset(",;:%)]}/|=&+")
_WIDE = frozenset("。！？｡．؟۔।॥։።၊။།")
_EMOJI = linear_by_properties(
    r"(?:\p{So}|\p{Sk}|\p{Extended_Pictographic}|\p{Regional_Indicator}).*|[:;=].{1,4}",
    regex.DOTALL,
)


class Token(NamedTuple):
    """A word, a number, a mark: never empty, and never with white space in it."""

    text: str
    space_after: str
    """The white space between this token and the next, as written; mostly one blank, or nothing."""


class Start(Enum):
    """Kinds of the first token after opening marks."""

    LOWER = "lower"
    UPPER = "upper"
    DIGIT = "digit"
    OTHER = "other"
    """An address, a name after @, a word of a script without cases, a brand that is written as it likes."""
    PUNCTUATION = "punctuation"
    """A mark that goes on with the sentence before it."""
    CLOSING = "closing"
    """The token has only closing marks and emoji: they belong to what stands before."""
    NOTHING = "nothing"
    """The token has only opening marks and dashes: what follows decides."""
    GOES_ON = "goes on"
    """A small letter behind such marks: „Jövök.” – mondta."""


class Chunk(NamedTuple):
    """A stretch of text between two blanks."""

    tokens: tuple[Token, ...]
    """The tokens, with one blank after the last."""
    start: Start
    first: str
    """The first word in lower case."""
    stop: Stop | None
    """The meaning of its end; None where no sentence can end with it."""
    stop_at: int
    """The place of the token that says so; closing marks may follow."""
    inside: tuple[int, ...]
    """The numbers of its tokens after which a sentence ends, though no blank follows."""


def chunk_of(text: str, language: Language) -> Chunk:
    """Take apart what holds no white space, and is not empty."""
    return _remembered(text, language) if len(text) <= 40 else _taken_apart(text, language)


def _taken_apart(text: str, language: Language) -> Chunk:
    pieces, stops = _with_full_stops(_leaning_apart(_pieces_in(text, language), language), language)
    at = _last_but_closing(pieces, stops)
    stop = stops.get(at)
    if stop is Stop.FULL and at < len(pieces) - 1:
        stop = Stop.WEAK  # „Jövök.” mondta
    first = next((piece for piece in pieces if _is_more_than_marks(piece)), "")
    tokens = (*(Token(piece, "") for piece in pieces[:-1]), Token(pieces[-1], " "))
    return Chunk(tokens, _start(pieces, first), first.lower(), stop, at, _ends_inside(pieces, stops))


def _pieces_in(text: str, language: Language) -> list[str]:
    """Return words, marks and the like, as they stand side by side."""
    word = text[:-1] if text[-1] in ".," else text
    # most words: no pattern need look at them
    if word.isalpha() and max(word) < "\u0e00" and len(word) < _LONGEST_READ:
        return [word, *text[len(word) :]]
    find = language.pieces.findall
    starts = range(0, len(text), _LONGEST_READ)
    return [piece for start in starts for piece in find(text, start, start + _LONGEST_READ)]


def _last_but_closing(pieces: list[str], stops: dict[int, Stop]) -> int:
    """Return the place of the last token that is no closing mark or emoji, or that may end a sentence
    itself."""
    at = len(pieces) - 1
    while at > 0 and at not in stops and (pieces[at] in _CLOSING or _EMOJI.match(pieces[at])):
        at -= 1
    return at


def _is_more_than_marks(piece: str) -> bool:
    """Return True if it is no opening mark, dash or full stop."""
    return piece.strip(".…") != "" and (piece[0] not in OPENING or len(piece) > 1)


_remembered = lru_cache(1 << 15)(_taken_apart)


def _leaning_apart(pieces: list[str], language: Language) -> list[str]:
    """Take apart words that lean on each other: `don't` -> `do`, `n't`."""
    if language.leaning is None:
        return pieces
    parted: list[str] = []
    for piece in pieces:
        tail: list[str] = []
        while len(piece) < 100 and piece.lower().replace("’", "'") not in language.kept:
            match = language.leaning.search(piece)
            if match is None:
                break
            tail.append(match[0])
            piece = piece[: match.start()]
        parted += [piece, *reversed(tail)]
    return parted


def _with_full_stops(pieces: list[str], language: Language) -> tuple[list[str], dict[int, Stop]]:
    """Return the pieces with full stops joined to what they belong to, and the meaning of each that may end a
    sentence."""
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
        if kind_of_mark := _of_mark(piece, language):
            stops[len(joined) - 1] = kind_of_mark
    return joined, stops


def _of_full_stop(word: str, language: Language) -> Stop:
    """Return what the full stop after a word says."""
    looks = (kind for kind, pattern in language.full_stops if pattern.fullmatch(word))
    return language.abbreviation(word) or next(looks)


_MARKS = {
    **dict.fromkeys(_WIDE, Stop.SURE),
    **dict.fromkeys("!?‼⁇⁈⁉", Stop.MARK),
    "…": Stop.ELLIPSIS,
}
"""Single characters at the end of a token, with their meaning."""


def _of_mark(piece: str, language: Language) -> Stop | None:
    """Return what the end of a token says; None where no sentence can end with it."""
    if piece[-1] != ".":
        return _MARKS.get(piece[-1])
    if not piece.strip(".…"):
        return Stop.ELLIPSIS if len(piece) > 1 else Stop.WEAK
    return language.abbreviation(piece[:-1]) or Stop.PERHAPS  # U.S.


def _ends_inside(pieces: list[str], stops: dict[int, Stop]) -> tuple[int, ...]:
    """Return where scripts without blanks end sentences, and where the blank was forgotten."""
    ends = []
    for at, stop in stops.items():
        after = at + 1
        while after < len(pieces) and pieces[after] in _CLOSING:
            after += 1
        is_end = _ENDS_WITHOUT_BLANK.get(stop, _never_ends)
        if after < len(pieces) and is_end(pieces[max(at - 1, 0) : after + 1]):
            ends.append(after)
    return tuple(ends)


_BLANK_FORGOTTEN = linear_by_properties(
    r".*(?:\p{Ll}[^\p{Lu}\p{Lt}]|[^\p{Lu}\p{Lt}]\p{Ll})\n.+\n\p{Lu}(?:\p{Ll}.*)?",
)
"""A word in small letters, a mark, and a word that begins with a capital letter."""


def _goes_on_in_wide_script(around: Sequence[str]) -> bool:
    return around[-1][0] not in _WIDE


def _was_blank_forgotten(around: Sequence[str]) -> bool:
    return _BLANK_FORGOTTEN.fullmatch("\n".join(around)) is not None


def _never_ends(_: Sequence[str]) -> bool:
    return False


_ENDS_WITHOUT_BLANK: Mapping[Stop, Callable[[Sequence[str]], bool]] = {
    Stop.SURE: _goes_on_in_wide_script,
    **dict.fromkeys((Stop.FULL, Stop.WEAK, Stop.MARK), _was_blank_forgotten),
}
"""Questions whether a sentence ends though no blank follows, by what stands around: the token before, the
mark with the closing marks behind it, and the token after."""


def _is_emoji(piece: str) -> bool:
    return _EMOJI.match(piece) is not None


def _begins_as_punctuation(word: str) -> bool:
    return word[0] in _PUNCTUATION and not word[1:2].isalnum()


def _ends_what_stands_before(piece: str) -> bool:
    return piece in ")]}”»’" or not piece.strip(".…")


_MARKS_ALONE: tuple[tuple[Callable[[str], bool], Callable[[str], bool], Start], ...] = (
    (lambda first: not first, _ends_what_stands_before, Start.NOTHING),
    (_is_emoji, _is_emoji, Start.OTHER),
    (_begins_as_punctuation, _CLOSING.__contains__, Start.PUNCTUATION),
)
"""Rows for the first word: its kind, the marks that belong to what stands before, and its start where not all
are such."""


def _start(pieces: list[str], first: str) -> Start:
    for is_kind, belongs_before, otherwise in _MARKS_ALONE:
        if is_kind(first):
            return Start.CLOSING if all(map(belongs_before, pieces)) else otherwise
    return next(start for start, begins_so in _WORDS if begins_so(first))


def _is_small(word: str) -> bool:
    return word[0].islower() and not any(map(str.isupper, word[1:3])) and "://" not in word


_WORDS: tuple[tuple[Start, Callable[[str], bool]], ...] = (
    (Start.UPPER, lambda word: word[0].istitle()),
    (Start.LOWER, lambda word: word[0] in "§°%‰€$£"),
    (Start.DIGIT, lambda word: word[0].isdigit() or word[1:2].isdigit()),
    (Start.LOWER, lambda word: word[0] == "-"),
    (Start.LOWER, _is_small),
    (Start.OTHER, lambda _: True),
)
"""Beginnings of words; the first that fits counts."""


_BLANKS = linear(r"([\s\u200b]+)")
_LINE_END = linear("\r\n|[\n\r\u2028\x0b\x0c\x85]")
_LOOKED_AHEAD = 4
_STRETCH = 1 << 15
"""Characters of a text that are looked at together, where no run of blanks and no word is longer."""
LONGEST_SENTENCE = 100_000
"""Letters: no sentence of a longer text goes on for many more. What does is none, but a list, or a text that
shall fill the memory."""
_GOES_ON = frozenset(",;-–—([")
_PART_OF_DATE = linear_at(r"(?:\d.*|.{3,})\.")
_DATE = linear_at(
    r"(?:\d{4}\.)?(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])"
    r"|\d{4}\.(?:0?[1-9]|1[0-2])\.\d\d?",
)


class Sentence(NamedTuple):
    """The tokens from one end of a sentence to the next."""

    tokens: tuple[Token, ...]
    """The tokens; never empty."""


def stretches(text: str) -> Iterator[str]:
    """Cut a text into short pieces, each after a run of blanks; most texts are one piece. A word that is too
    long is cut, too."""
    start = 0
    while len(text) - start > _STRETCH:
        soonest, latest = start + _STRETCH, start + 2 * _STRETCH
        blanks = _BLANKS.search(text, soonest, latest)
        whole_run = _BLANKS.match(text, blanks.start()) if blanks is not None else None
        end = whole_run.end() if whole_run is not None else latest
        yield text[start:end]
        start = end
    yield text[start:]


def tokenize(pieces: Iterable[str], language: str | None) -> Iterator[Sentence]:
    """Give the sentences of a text in a language (BCP 47; None where it is not known), one after the other.

    The text comes in pieces, such as `stretches` makes: no more of it is held at a time than two of them and
    a sentence.
    """
    for tokens in _sentences(pieces, language_of(language)):
        yield Sentence(tuple(tokens))


def _windows(pieces: Iterable[str]) -> Iterator[tuple[list[str], range]]:
    """Give what stands between blanks and the blanks, in turn, and at which places are the words that are to
    be read now.

    The words behind these can be looked at; they come again in the next window.
    """
    parts = [""]
    for piece in pieces:
        if len(parts[-1]) > _STRETCH:  # a word without an end: what follows is another word
            following = _BLANKS.split(piece)
            parts += ["", *following] if following[0] else following[1:]
        else:  # the last word may go on in this piece, and so may the blanks before it
            parts[-3:] = _BLANKS.split("".join(parts[-3:]) + piece)
        behind = len(parts) - 1 - 2 * _LOOKED_AHEAD
        if behind > 0:
            yield parts, range(0, behind, 2)
            parts = parts[behind:]
    yield [*parts, ""], range(0, len(parts), 2)


def _sentences(pieces: Iterable[str], language: Language) -> Iterator[list[Token]]:
    """Give the tokens of each sentence; one that goes on and on ends where a window does."""
    tokens: list[Token] = []
    stop: Stop | None = None  # what the last token but closing marks said, and which one that was
    at = 0
    for parts, places in _windows(pieces):
        if _is_too_long(tokens):
            yield _ended(tokens, stop, at, language)
            tokens, stop = [], None
        for i in places:
            if not parts[i]:  # the text begins or ends with blanks
                continue
            chunk = chunk_of(parts[i], language)
            if stop is not None and chunk.start is not Start.CLOSING:
                if _ENDS[stop](_Place(tokens, at, _following(parts, i, language), language)):
                    yield _ended(tokens, stop, at, language)
                    tokens = []
                elif stop is Stop.NUMBERED and not _is_number(chunk):
                    _part(tokens, at)
                stop = None
            given = 0
            for end in chunk.inside:
                yield [*tokens, *chunk.tokens[given:end]]
                tokens = []
                given = end
            tokens += chunk.tokens[given:]
            if chunk.stop is not None:
                stop, at = chunk.stop, len(tokens) - len(chunk.tokens) + chunk.stop_at
            space = parts[i + 1]
            if space != " ":
                tokens[-1] = Token(tokens[-1].text, space)
                if _line_ends(space, tokens, stop, parts, i, language):
                    yield _ended(tokens, stop, at, language)
                    tokens, stop = [], None
    if tokens:
        yield _ended(tokens, stop, at, language)


def _is_too_long(tokens: list[Token]) -> bool:
    return sum([len(text) for text, _ in tokens]) > LONGEST_SENTENCE


def _following(parts: list[str], i: int, language: Language) -> Chunk:
    """Return the first that is more than opening marks and dashes."""
    ahead = (chunk_of(part, language) for part in parts[i : i + 2 * _LOOKED_AHEAD : 2] if part)
    first = next(ahead)
    if first.start is not Start.NOTHING:
        return first
    behind_marks = next((chunk for chunk in ahead if chunk.start is not Start.NOTHING), first)
    return behind_marks._replace(start=Start.GOES_ON) if behind_marks.start is Start.LOWER else behind_marks


def _word_before(tokens: list[Token], at: int) -> str:
    """Return the token before one, in small letters; empty where there is none."""
    return tokens[at - 1].text.lower() if at else ""


# --- whether a sentence ends ---


class _Place(NamedTuple):
    """A place at which a sentence may end."""

    tokens: list[Token]
    at: int
    """The place of the token that may end it; closing marks may stand behind that."""
    following: Chunk
    language: Language

    @property
    def start(self) -> Start:
        """The beginning of what follows."""
        return self.following.start

    @property
    def number(self) -> str:
        """The token without its full stop."""
        return self.tokens[self.at].text[:-1]

    @property
    def word_before(self) -> str:
        """The word before the token, in small letters; empty where there is none."""
        return _word_before(self.tokens, self.at)

    @property
    def is_beginning(self) -> bool:
        """True if a word follows that begins sentences."""
        return self.following.first.replace("’", "'") in self.language.beginnings


def _before(*starts: Start) -> Callable[[_Place], bool]:
    """Return the question whether what follows begins so."""
    return lambda place: place.start in starts


def _is_before_beginning(place: _Place) -> bool:
    return place.start is Start.UPPER and place.is_beginning


def _ends_numbered(place: _Place) -> bool:  # "No. 5", "W 2019 r. Sejm ..."
    return place.start in (Start.UPPER, Start.OTHER) and not _is_number(place.following)


def _ends_often(place: _Place) -> bool:
    return place.start in (Start.UPPER, Start.OTHER) and place.at >= 3


def _ends_ordinal(place: _Place) -> bool:
    """Return what the first row says that fits."""
    return next(ends for ends, fits in _ORDINALS if fits(place))


_YEAR_AND_NUMBER = linear_by_properties(r"\S{4} (?:\d{4}.*|\d{1,3})", regex.DOTALL)

_ORDINALS: tuple[tuple[bool, Callable[[_Place], bool]], ...] = (
    # "Das war 2019. 2020 ...", but "2024. 09. 18."
    (True, lambda place: _YEAR_AND_NUMBER.fullmatch(f"{place.number} {place.following.first}") is not None),
    (True, lambda place: place.start is Start.OTHER),
    (False, lambda place: place.start is not Start.UPPER),
    # "1. A csapat"
    (False, lambda place: OPENING.issuperset(token.text for token in place.tokens[: place.at])),
    (False, lambda place: place.following.first in place.language.months),
    (True, lambda place: place.is_beginning),
    (False, lambda place: place.word_before in place.language.before_ordinals),
    (False, lambda place: place.language.names_follow_numerals and not place.number[-1].isdigit()),
    (True, lambda place: not place.number[-1].isdigit() or not place.language.nouns_are_capital),
    (True, lambda place: len(place.number) == 4),
    (False, lambda _: True),
)
"""Rows for ordinal numbers: whether a sentence ends, and when so; the first that fits counts."""

_ENDS: Mapping[Stop, Callable[[_Place], bool]] = {
    Stop.NEVER: _before(),
    Stop.PERHAPS: _is_before_beginning,
    Stop.INITIAL: _is_before_beginning,
    Stop.ORDINAL: _ends_ordinal,
    Stop.NUMBERED: _ends_numbered,
    Stop.OFTEN: _ends_often,
    Stop.ELLIPSIS: _before(Start.UPPER, Start.OTHER),
    Stop.WEAK: _before(Start.UPPER, Start.DIGIT, Start.OTHER),
    Stop.MARK: _before(Start.UPPER, Start.DIGIT, Start.OTHER),
    Stop.FULL: _before(Start.UPPER, Start.DIGIT, Start.OTHER, Start.LOWER),
    Stop.SURE: lambda place: place.start is not Start.GOES_ON,
}
"""Questions whether a sentence ends, by the meaning of its last token."""


def _is_number(chunk: Chunk) -> bool:
    return chunk.start is Start.DIGIT or linear_at("[ivxlc]+").fullmatch(chunk.first.rstrip(".")) is not None


def _line_ends(
    space: str,
    tokens: list[Token],
    stop: Stop | None,
    parts: list[str],
    i: int,
    language: Language,
) -> bool:
    """Return True if a sentence ends because a line does; a blank line ends one always."""
    line_ends = len(_LINE_END.findall(space.replace("\u2029", "\n\n")))
    if line_ends > 1:
        return True
    following = "".join(parts[i + 2 : i + 3])
    if stop is not None or not following or not line_ends:
        return False
    return tokens[-1].text not in _GOES_ON and chunk_of(following, language).start not in _GOING_ON


_GOING_ON = frozenset({Start.LOWER, Start.PUNCTUATION, Start.CLOSING})
"""Beginnings of a line that goes on with the sentence of the line before."""


def _ended(tokens: list[Token], stop: Stop | None, at: int, language: Language) -> list[Token]:
    """Return the tokens of a sentence: a full stop that ended it, and only that, stands alone."""
    is_of_day = stop is Stop.ORDINAL and _is_in_date(tokens, at, language)
    if stop in (Stop.NUMBERED, Stop.ORDINAL) and not is_of_day:
        _part(tokens, at)
    return tokens


def _is_in_date(tokens: list[Token], at: int, language: Language) -> bool:
    """Return True for a number with a full stop that is a date, or the last part of one."""
    before = _word_before(tokens, at)
    is_last_part = before in language.months or _PART_OF_DATE.fullmatch(before) is not None
    return _DATE.fullmatch(tokens[at].text[:-1]) is not None or (language.days_end_dates and is_last_part)


def _part(tokens: list[Token], at: int) -> None:
    text, space = tokens[at]
    tokens[at : at + 1] = [Token(text[:-1], ""), Token(".", space)]
