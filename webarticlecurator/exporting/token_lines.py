"""An article's running text as tokens, one a line, with tags between them: for Sketch Engine, and for the
Corpus Workbench.

The two read the same kind of file and differ in a few points, which are a `Dialect`. An article is written
while it is cut into tokens, some lines at a time: so the longest takes no more memory than others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from itertools import chain, groupby, repeat

from webarticlecurator.annotations.layer import Token
from webarticlecurator.exporting.annotated import SHOWN, TokenSentence, lines_of_heads
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.passage_tokens import is_glued, one_line, tokenized, told_of
from webarticlecurator.exporting.table import ColumnType, TableColumn, as_text, columns_of, row_of
from webarticlecurator.own_patterns import linear

MISSING = "===NONE==="
"""The value of every attribute that has none, as Sketch Engine itself writes it."""
MULTIPLE = "|"
"""The sign between the values of one attribute."""

NAMES = {
    "headline": "title",
    "alternativeHeadline": "subtitle",
    "dateModified": "modified",
    "articleSection": "section",
}
"""Columns of the table that have another name here."""
_DATE = {"date": (4, 10), "datetime": (4, 40), "yearmonth": (7, 7)}
"""Attributes made of the moment of publication: how many characters of it there must be, and how many are
taken. A year is no January."""
_USUAL = (
    *(
        "id", "portal", "datePublished", "year", "month", "author", "articleSection", "type", "url",
        "headline", "alternativeHeadline",
    ),
    *("keywords", "words", "dateModified", "language", "language_identified", "column", "source", "outcome"),
    *("duplicates", "near_duplicates"),
)  # fmt: skip
LONGEST_TOKEN = 1_000
"""Characters. What is longer is no word of any language, and breaks the programs: it becomes several tokens,
glued."""
_LONGEST_VALUE = 2_000
"""Bytes. `cwb-encode` reads lines of less than 65,536; an article's attributes of this length fit."""

_HEAD, _P, _POST = (
    ("type", "level", "language", "part"),
    ("type", "language", "part"),
    ("kind", "id", "who", "when", "reply_to"),
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """The marks and rules by which the programs differ."""

    root: str
    """The structure that holds an article."""
    glue: str
    """The line between two tokens that nothing parts; empty where a program knows none."""
    markup: re.Pattern[str]
    """The characters of a token that are written as entities, of those in ALL_MARKUP."""
    unknown: str = MISSING
    """The value of a column that a token has none in."""
    sets: bool = False
    """True if a list of values begins and ends with `|` too, and an empty one is `|`."""
    plain_ids: bool = False
    """True if an id has letters, digits and `_` alone, with the article's own beside it."""


ALL_MARKUP = linear('[&<>"]')
MULTIPLE_COLUMN = "feats"
"""The column that has several values of one word."""


def escaped(text: str, markup: re.Pattern[str] = ALL_MARKUP) -> str:
    """Return a text with entities in the place of markup."""
    return markup.sub(lambda match: escape(match[0]), text)


@lru_cache(maxsize=1 << 16)
def _short_line(value: str, markup: re.Pattern[str]) -> str:
    """Return what a program says of a word as it is written: few values are many."""
    return escaped(one_line(value)[:LONGEST_TOKEN], markup)


class TokenLines:
    """Makes of every article the lines that it is in the file."""

    def __init__(self, dialect: Dialect, export: Exporter) -> None:
        self._dialect = dialect
        known = export.layer.columns if export.layer is not None else ()
        self.annotations = tuple(name for name in SHOWN if name in known)
        """The columns behind the word."""
        self._unsaid = "".join([f"\t{self._value(name, '')}" for name in self.annotations])
        fields = ("id", *export.options.fields) if export.options.fields else _USUAL
        self._columns = columns = [column for column in columns_of(fields) if column.name != "text"]
        self.attributes = tuple(name for column in columns for name in _names(column))
        """The attributes of the root, in their order."""
        self.multiple = frozenset(
            name for column in columns if column.holds is ColumnType.TEXTS for name in _names(column)
        )
        """The attributes of the root that may have several values."""
        self.structures = {dialect.root: self.attributes, "post": _POST, "head": _HEAD, "p": _P, "s": ()}
        """The structures from the outermost, with their attributes."""
        self._cut: Counter[str] = Counter()

    def values(self, article: ExportArticle) -> dict[str, str]:
        """The attributes of its root."""
        values: dict[str, str] = {}
        for column, value in zip(self._columns, row_of(article, self._columns), strict=True):
            if column.name == "month" and isinstance(value, int):
                text = f"{value:02}"
            elif isinstance(value, tuple):
                text = as_text(tuple(filter(None, map(one_line, value))), between=MULTIPLE)
                if self._dialect.sets:
                    text = f"|{text}|" if text else "|"
            else:
                text = one_line(value) if isinstance(value, str) else as_text(value)
            for name in _names(column):
                least, most = _DATE.get(name, (0, None))
                values[name] = (text[:most] if len(text) >= least else "") or MISSING
        if self._dialect.plain_ids:
            return {
                "id": linear("[^a-z0-9_]").sub("_", article.id),
                "original_id": values.pop("id"),
                **values,
            }
        return values

    def of(self, article: ExportArticle) -> Iterator[str]:
        """Give the lines of an article, some at a time; nothing where it holds no token."""
        body = self._body(article)
        first = next(body, None)
        if first is not None:
            root = self._dialect.root
            yield self._tag(root, self.values(article))
            yield first
            yield from body
            yield f"</{root}>\n"

    def _body(self, article: ExportArticle) -> Iterator[str]:
        for _, together in groupby(tokenized(article), key=lambda tokens: id(tokens.passage.post)):
            first = next(together)
            post = first.passage.post
            if post is not None:
                yield self._tag("post", told_of(post))
            for passage, language, sentences in chain([first], together):
                name, names = ("head", _HEAD) if passage.kind in ("title", "head") else ("p", _P)
                given = {
                    "type": passage.kind,
                    "level": str(passage.level or ""),
                    "language": language,
                    "part": passage.part,
                }
                yield self._tag(name, {key: given[key] for key in names})
                yield from self._sentences(sentences)
                yield f"</{name}>\n"
            if post is not None:
                yield "</post>\n"

    def _sentences(self, sentences: Iterable[TokenSentence]) -> Iterator[str]:
        glue = self._dialect.glue
        glued = False
        for sentence in sentences:
            lines = words = self._words(sentence)
            if glue:
                lines = []
                for word, (_, space) in zip(words, sentence.tokens, strict=True):
                    if glued:
                        lines.append(glue)
                    lines.append(word)
                    glued = space != " " and is_glued(space)
            yield "<s>\n" + "\n".join(lines) + "\n</s>\n"

    def _words(self, sentence: TokenSentence) -> list[str]:
        """Return the words of a sentence as they are written: mostly as they are, which the whole sentence is
        asked at once. Behind each stands what the layer says of it."""
        words, values = [text for text, _ in sentence.tokens], self._values(sentence)
        together = "".join(words)
        if len(together) <= LONGEST_TOKEN and ALL_MARKUP.search(together) is None:
            return list(map("".join, zip(words, values, strict=False)))
        between = f"\n{self._dialect.glue}\n" if self._dialect.glue else "\n"
        markup = self._dialect.markup
        cut = ([word[at : at + LONGEST_TOKEN] for at in range(0, len(word), LONGEST_TOKEN)] for word in words)
        return [
            between.join([escaped(piece, markup) + value for piece in pieces])
            for pieces, value in zip(cut, values, strict=False)
        ]

    def _values(self, sentence: TokenSentence) -> Iterable[str]:
        """Give what the layer says of each token, a tab before each column."""
        if not self.annotations or not sentence.words:
            return repeat(self._unsaid)
        return map(self._said, sentence.words, lines_of_heads(sentence))

    def _said(self, words: Sequence[Token], head: int) -> str:
        """Return the columns of a token; one of several words has a value of each."""
        if not words:
            return self._unsaid
        values = {
            name: MULTIPLE.join(filter(None, [getattr(word, name) for word in words]))
            for name in self.annotations
            if name != "head"
        }
        values["head"] = str(head) if head >= 0 else ""
        return "".join([f"\t{self._value(name, values[name])}" for name in self.annotations])

    def _value(self, name: str, text: str) -> str:
        """Return the value of a column."""
        value = _short_line(text, self._dialect.markup)
        if name == MULTIPLE_COLUMN and self._dialect.sets:
            return f"|{value}|" if value else "|"
        return value or self._dialect.unknown

    def _tag(self, name: str, values: Mapping[str, str | None]) -> str:
        """The line that opens a structure."""
        given = [
            f' {key}="{self._short(key, escaped(one_line(value or "") or MISSING))}"'
            for key, value in values.items()
        ]
        return f"<{name}{''.join(given)}>\n"

    def _short(self, name: str, value: str) -> str:
        """Return what is written of an escaped value: cut where it is too long for a line; of several values,
        so many as fit."""
        if len(value) * 4 <= _LONGEST_VALUE or len(content := value.encode()) <= _LONGEST_VALUE:
            return value
        self._cut[name] += 1
        kept = linear("&[a-z]*$").sub(
            "", content[: _LONGEST_VALUE - len("…".encode())].decode(errors="ignore")
        )
        if name not in self.multiple:
            return f"{kept}…"
        end = MULTIPLE if self._dialect.sets else ""
        last = kept.rfind(MULTIPLE)
        return (kept[:last] if last > 0 else f"{kept}…") + end

    @property
    def notes(self) -> list[str]:
        """Return what is to be told in the end: of which attributes how many values were cut."""
        names = ", ".join(f"{name} ({number})" for name, number in sorted(self._cut.items()))
        return [f"Values longer than {_LONGEST_VALUE} bytes are cut and end in …: {names}."] if names else []


def _names(column: TableColumn) -> tuple[str, ...]:
    """Return what a column of the table is called here."""
    return tuple(_DATE) if column.name == "datePublished" else (NAMES.get(column.name, column.name).lower(),)


def corpus_name(stem: str) -> str:
    """Return the name by which a corpus can be called in these programs: small letters, digits and `_`, a
    letter first."""
    name = linear("[^a-z0-9_]").sub("_", stem.lower())[:100]
    return name if name[:1].isalpha() else f"corpus_{name}"
