"""An article's running text as tokens, one a line, with tags between them: what Sketch Engine and the Corpus Workbench read.

Both read the same kind of file and differ in a few points, which are a `Dialect`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from unicodedata import is_normalized, normalize

from webarticlecurator.exporting.articles import ExportArticle, Node, Passage
from webarticlecurator.exporting.export_options import ExportOptions
from webarticlecurator.exporting.exporter import Exporter, Maker
from webarticlecurator.exporting.harmless import plain
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.table import ColumnType, TableColumn, as_text, columns_of, row_of
from webarticlecurator.text import squeeze
from webarticlecurator.tokens.sentences import Sentence, tokenize

MISSING = "===NONE==="
"""The value of every attribute that has none, as Sketch Engine itself writes it."""
MULTIPLE = "|"
"""Between the values of one attribute."""

_NAMES = {"headline": "title", "alternativeHeadline": "subtitle", "dateModified": "modified", "articleSection": "section"}
"""Columns of the table that have another name here."""
_DATE = {"date": (4, 10), "datetime": (4, 40), "yearmonth": (7, 7)}
"""Attributes made of the moment of publication: how many characters of it there must be, and how many are taken. A year is no January."""
_USUAL = (
    *("id", "portal", "datePublished", "year", "month", "author", "articleSection", "type", "url", "headline", "alternativeHeadline"),
    *("keywords", "words", "dateModified", "language", "language_identified", "column", "source", "outcome"),
    *("duplicates", "near_duplicates"),
)
LONGEST_TOKEN = 1_000
"""Characters. What is longer is no word of any language, and breaks the programs: it becomes several tokens, glued."""
_LONGEST_VALUE = 2_000
"""Bytes. `cwb-encode` reads lines of less than 65,536; an article's attributes of this length fit."""

_HEAD, _P, _POST = ("type", "level", "language"), ("type", "language"), ("kind", "id", "who", "when", "reply_to")


@dataclass(frozen=True, slots=True)
class Dialect:
    """What differs between the programs."""

    root: str
    """The structure that holds an article."""
    glue: str
    """The line between two tokens that nothing parts; empty where a program knows none."""
    markup: re.Pattern[str]
    """The characters of a token that are written as entities, of those in ALL_MARKUP."""
    sets: bool = False
    """Whether a list of values begins and ends with `|` too, and an empty one is `|`."""


_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
ALL_MARKUP = re.compile('[&<>"]')


def escaped(text: str, markup: re.Pattern[str] = ALL_MARKUP) -> str:
    """With entities in the place of markup."""
    return markup.sub(lambda match: _ENTITIES[match[0]], text)


ArticleLines = tuple[dict[str, str], bytes | None, dict[str, int]]
"""The attributes of the root of an article, its lines (None where it holds no token), and of which attributes how many values were cut."""
TokenizedPassage = tuple[Passage, str | None, tuple[Sentence, ...]]
"""A passage with its language, else the article's, and its sentences, each with a token at least."""


class TokenLines:
    """Makes of every article the lines that it is in the file."""

    def __init__(self, dialect: Dialect, options: ExportOptions) -> None:
        self._dialect = dialect
        fields = ("id", *options.fields) if options.fields else _USUAL
        self._columns = columns = [column for column in columns_of(fields) if column.name != "text"]
        self.attributes = tuple(name for column in columns for name in _names(column))
        """Of the root, in their order."""
        self.multiple = frozenset(name for column in columns if column.holds is ColumnType.TEXTS for name in _names(column))
        """Those of them that may have several values."""
        self.structures = {dialect.root: self.attributes, "post": _POST, "head": _HEAD, "p": _P, "s": ()}
        """All of them, from the outermost, with their attributes."""
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
        return values

    def __call__(self, article: ExportArticle) -> ArticleLines:
        self._cut = Counter()
        values, root = self.values(article), self._dialect.root
        body: list[str] = []
        for _, together in groupby(tokenized(article), key=lambda tokens: id(tokens[0].post)):
            inside = list(together)
            post = inside[0][0].post
            body += [self._tag("post", told_of(post))] if post is not None else []
            for passage, language, sentences in inside:
                name, names = ("head", _HEAD) if passage.kind in ("title", "head") else ("p", _P)
                given = {"type": passage.kind, "level": str(passage.level or ""), "language": language}
                body += [self._tag(name, {key: given[key] for key in names}), *self._sentences(sentences), f"</{name}>\n"]
            body += ["</post>\n"] if post is not None else []
        lines = f"{self._tag(root, values)}{''.join(body)}</{root}>\n".encode() if body else None
        return values, lines, dict(self._cut)

    def _sentences(self, sentences: Iterable[Sentence]) -> Iterator[str]:
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

    def _words(self, sentence: Sentence) -> list[str]:
        """As they are written: mostly as they are, which the whole sentence is asked at once."""
        words = [text for text, _ in sentence.tokens]
        together = "".join(words)
        if len(together) <= LONGEST_TOKEN and ALL_MARKUP.search(together) is None:
            return words
        between = f"\n{self._dialect.glue}\n" if self._dialect.glue else "\n"
        starts = ((word, range(0, len(word), LONGEST_TOKEN)) for word in words)
        return [between.join([escaped(word[at : at + LONGEST_TOKEN], self._dialect.markup) for at in places]) for word, places in starts]

    def _tag(self, name: str, values: Mapping[str, str | None]) -> str:
        """The line that opens a structure."""
        given = [f' {key}="{self._short(key, escaped(one_line(value or "") or MISSING))}"' for key, value in values.items()]
        return f"<{name}{''.join(given)}>\n"

    def _short(self, name: str, value: str) -> str:
        """What is written of an escaped value: cut where it is too long for a line; of several values, so many as fit."""
        if len(value) * 4 <= _LONGEST_VALUE or len(content := value.encode()) <= _LONGEST_VALUE:
            return value
        self._cut[name] += 1
        kept = re.sub("&[a-z]*$", "", content[: _LONGEST_VALUE - len("…".encode())].decode(errors="ignore"))
        if name not in self.multiple:
            return f"{kept}…"
        end = MULTIPLE if self._dialect.sets else ""
        last = kept.rfind(MULTIPLE)
        return (kept[:last] if last > 0 else f"{kept}…") + end


def written_lines(
    export: Exporter, output: Output, maker: Callable[..., Maker], *handed: object
) -> Iterator[tuple[ExportArticle, dict[str, str]]]:
    """Every article with a word, whose lines the main file has then, with the attributes of its root; notes tell of the others, and of
    values that were cut."""
    without_words, cut = 0, Counter[str]()
    for article, (values, lines, cut_here) in export.made(maker, *handed):
        cut.update(cut_here)
        if lines is None:
            without_words += 1
        else:
            output.main.write(lines)
            yield article, values
    output.notes += note_on_words(without_words)
    if cut:
        names = ", ".join(f"{name} ({number})" for name, number in sorted(cut.items()))
        output.notes.append(f"Values longer than {_LONGEST_VALUE} bytes are cut and end in …: {names}.")


def note_on_words(articles: int) -> list[str]:
    """What is told of articles that nothing could be written of."""
    return [f"Articles without a word of running text, which are not in this file: {articles}."] if articles else []


def tokenized(article: ExportArticle) -> Iterator[TokenizedPassage]:
    """The passages of an article with their tokens; a passage without one is left out."""
    declared = article.built.language or (article.analysis.language if article.analysis is not None else None)
    for passage in article.passages:
        language = passage.language or declared
        sentences = tuple(sentence for sentence in tokenize(composed(passage.text), language) if sentence.tokens)
        if sentences:
            yield passage, language, sentences


def composed(text: str) -> str:
    """Without what no file should hold, its accents composed (NFC): so that a search for a word finds it however a page wrote it.

    Any part of such a text is composed, too; so the tokens are.
    """
    text = plain(text)
    return text if text.isascii() or is_normalized("NFC", text) else normalize("NFC", text)


def is_glued(space: str) -> bool:
    """Whether a reader sees nothing between a token, which this white space follows, and the next."""
    return not space.strip("\u200b")


def one_line(value: str) -> str:
    """What stands in a line: without line feeds, tabs and what no file should hold, its accents composed."""
    return squeeze(composed(value))


def told_of(post: Node) -> dict[str, str | None]:
    """What a post is known by; its kind is `post` where the rules found one in the body."""
    return {"kind": post.get("kind", "post"), **{name: post.get(name) for name in _POST[1:]}}


def _names(column: TableColumn) -> tuple[str, ...]:
    """What a column of the table is called here."""
    return tuple(_DATE) if column.name == "datePublished" else (_NAMES.get(column.name, column.name).lower(),)
