"""An article's running text as tokens, one a line: for Sketch Engine, for the Corpus Workbench, and as
Universal Dependencies have it.

The first two read the same kind of file, with tags between the tokens, and differ in a few points, which are
a `Dialect`. An article is written while it is cut into tokens, some lines at a time: so the longest takes no
more memory than others.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from itertools import chain, groupby

from webarticlecurator.exporting.articles import ExportArticle, Node, Passage
from webarticlecurator.exporting.export_options import ExportOptions
from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.formats import Format
from webarticlecurator.exporting.harmless import plain
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.table import ColumnType, TableColumn, as_text, columns_of, row_of
from webarticlecurator.own_patterns import linear
from webarticlecurator.tei.markup import language_name
from webarticlecurator.text import nfc, primary, squeeze
from webarticlecurator.tokens.sentences import Sentence, stretches, tokenize

MISSING = "===NONE==="
"""The value of every attribute that has none, as Sketch Engine itself writes it."""
MULTIPLE = "|"
"""The sign between the values of one attribute."""

_NAMES = {
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

_WRITTEN_AT_ONCE = 1 << 20
"""Characters."""

_HEAD, _P, _POST = (
    ("type", "level", "language"),
    ("type", "language"),
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
    sets: bool = False
    """True if a list of values begins and ends with `|` too, and an empty one is `|`."""
    plain_ids: bool = False
    """True if an id has letters, digits and `_` alone, with the article's own beside it."""


ALL_MARKUP = linear('[&<>"]')


def escaped(text: str, markup: re.Pattern[str] = ALL_MARKUP) -> str:
    """Return a text with entities in the place of markup."""
    return markup.sub(lambda match: escape(match[0]), text)


class TokenLines:
    """Makes of every article the lines that it is in the file."""

    def __init__(self, dialect: Dialect, options: ExportOptions) -> None:
        self._dialect = dialect
        fields = ("id", *options.fields) if options.fields else _USUAL
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
        for _, together in groupby(tokenized(article), key=lambda tokens: id(tokens[0].post)):
            first = next(together)
            post = first[0].post
            if post is not None:
                yield self._tag("post", told_of(post))
            for passage, language, sentences in chain([first], together):
                name, names = ("head", _HEAD) if passage.kind in ("title", "head") else ("p", _P)
                given = {"type": passage.kind, "level": str(passage.level or ""), "language": language}
                yield self._tag(name, {key: given[key] for key in names})
                yield from self._sentences(sentences)
                yield f"</{name}>\n"
            if post is not None:
                yield "</post>\n"

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
        """Return the words of a sentence as they are written: mostly as they are, which the whole sentence is
        asked at once."""
        words = [text for text, _ in sentence.tokens]
        together = "".join(words)
        if len(together) <= LONGEST_TOKEN and ALL_MARKUP.search(together) is None:
            return words
        between = f"\n{self._dialect.glue}\n" if self._dialect.glue else "\n"
        starts = ((word, range(0, len(word), LONGEST_TOKEN)) for word in words)
        return [
            between.join([escaped(word[at : at + LONGEST_TOKEN], self._dialect.markup) for at in places])
            for word, places in starts
        ]

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


def write_articles(
    export: Exporter, output: Output, lines_of: Callable[[ExportArticle], Iterator[str]]
) -> Counter[str]:
    """Write every article with a word, a note tells of the others; gives how many words were written in which
    language."""
    words, without_words = Counter[str](), 0
    for article in export.articles():
        is_written = False
        for piece in _joined(lines_of(article)):
            output.main.write(piece.encode())
            is_written = True
        without_words += not is_written
        words[article.built.language or ""] += article.built.words if is_written else 0
    if without_words:
        output.notes.append(
            f"Articles without a word of running text, which are not in this file: {without_words}."
        )
    return words


def _joined(texts: Iterable[str]) -> Iterator[str]:
    """Texts put together until they are long enough to be written."""
    waiting: list[str] = []
    length = 0
    for text in texts:
        waiting.append(text)
        length += len(text)
        if length > _WRITTEN_AT_ONCE:
            yield "".join(waiting)
            waiting, length = [], 0
    if waiting:
        yield "".join(waiting)


def tokenized(article: ExportArticle) -> Iterator[tuple[Passage, str | None, Iterator[Sentence]]]:
    """The passages of an article, each with its language, else the article's, and its sentences; one without
    a token is left out.

    The sentences of a passage are to be read before the next passage is asked for.
    """
    declared = article.built.language or (article.analysis.language if article.analysis is not None else None)
    for passage in article.each_passage():
        language = passage.language or declared
        sentences = tokenize(map(composed, stretches(passage.text)), language)
        first = next(sentences, None)
        if first is not None:
            yield passage, language, chain([first], sentences)


def composed(text: str) -> str:
    """Return a text without what no file should hold, its accents composed (NFC): so that a search for a word
    finds it however a page wrote it.

    Any part of such a text is composed, too; so the tokens are.
    """
    return nfc(plain(text))


def is_glued(space: str) -> bool:
    """True if a reader sees nothing between a token, which this white space follows, and the next."""
    return not space.strip("\u200b")


def one_line(value: str) -> str:
    """Return what stands in a line: without line feeds, tabs and what no file should hold, its accents
    composed."""
    return squeeze(composed(value))


def told_of(post: Node) -> dict[str, str | None]:
    """Return what a post is known by; its kind is `post` where the rules found one in the body."""
    return {"kind": post.get("kind", "post"), **{name: post.get(name) for name in _POST[1:]}}


def _names(column: TableColumn) -> tuple[str, ...]:
    """Return what a column of the table is called here."""
    return tuple(_DATE) if column.name == "datePublished" else (_NAMES.get(column.name, column.name).lower(),)


# --- Sketch Engine ---

SKETCH_ENGINE = Dialect(
    root="doc",
    glue="<g/>",
    # A line that begins like a tag would be one. Of the rest only what a reader of entities would take for
    # one: the program shows words as they stand in the file, and nobody searches for `AT&amp;T`.
    markup=linear(r"^<|&(?=(?:lt|gt|amp|quot|apos|#[0-9]+|#[xX][0-9A-Fa-f]+);)"),
)

_SUBCORPORA = (
    "portal", "year", "yearmonth", "section", "author", "keywords", "type", "language", "column", "source",
)  # fmt: skip
"""The attributes by which people choose parts of a corpus."""
_REFERENCE = ("portal", "date", "author", "title", "url")
"""The attributes that tell where a hit stands."""

_WORD = """\
ATTRIBUTE word
ATTRIBUTE lc {
    LABEL "word (lowercase)"
    DYNAMIC utf8lowercase
    DYNLIB internal
    ARG1 "C"
    FUNTYPE s
    FROMATTR word
    DYNTYPE index
    TRANSQUERY yes
}
"""
_GLUE = """\
STRUCTURE g {
    DISPLAYTAG 0
    DISPLAYBEGIN "_EMPTY_"
}
"""


def write_vertical(export: Exporter, output: Output) -> None:
    """The vertical file, and the registry file beside it."""
    lines = TokenLines(SKETCH_ENGINE, export.options)
    words = write_articles(export, output, lines.of)
    output.notes += lines.notes
    name = output.path.name if output.path is not None else f"{output.stem}.vert"
    corpus = corpus_name(output.stem)
    place = f"/corpora/{corpus}/vertical/{name}"
    unpack = {".gz": "zcat", ".zst": "zstdcat"}.get(name[name.rfind(".") :])
    about = {
        "NAME": ", ".join(portal.file.title for portal in export.portals),
        "PATH": f"/corpora/{corpus}/indexed",
        "VERTICAL": f"| {unpack} {shlex.quote(place)}" if unpack else place,
        "ENCODING": "UTF-8",
        "LANGUAGE": _language_of(words),
        "INFOHREF": export.portals[0].file.home,
        "DOCSTRUCTURE": "doc",
        "DEFAULTATTR": "word",
        "SHORTREF": "=doc.portal" if "portal" in lines.attributes else "=doc.id",
        "FULLREF": ",".join(f"doc.{name}" for name in ("id", *_REFERENCE) if name in lines.attributes),
        "SUBCORPATTRS": ",".join(f"doc.{name}" for name in _SUBCORPORA if name in lines.attributes),
    }
    # the quotation marks of a registry file have no way to hold one
    written = {
        name: " ".join(value.replace('"', "'").replace("\\", "/").split()) for name, value in about.items()
    }
    registry = [f'{name} "{value}"\n' for name, value in written.items() if value]
    structures = [
        _structure(name, attributes, lines.multiple) for name, attributes in lines.structures.items()
    ]
    output.add(f"{output.stem}.registry", "".join([*registry, _WORD, *structures, _GLUE]).encode())


def _structure(name: str, attributes: Iterable[str], multiple: Collection[str]) -> str:
    """Declare a structure of a vertical file with its attributes; `multiple`: those of documents that hold
    several values."""
    inside = []
    for attribute in attributes:
        options = ""
        if name == "doc" and attribute in multiple:
            options = f' {{\n        MULTIVALUE yes\n        MULTISEP "{MULTIPLE}"\n    }}'
        elif name == "doc" and attribute == "id":
            options = ' {\n        TYPE "UNIQUE"\n    }'
        inside.append(f"    ATTRIBUTE {attribute}{options}\n")
    return f"STRUCTURE {name} {{\n{''.join(inside)}}}\n" if inside else f"STRUCTURE {name}\n"


def corpus_name(stem: str) -> str:
    """Return the name by which a corpus can be called in these programs: small letters, digits and `_`, a
    letter first."""
    name = linear("[^a-z0-9_]").sub("_", stem.lower())[:100]
    return name if name[:1].isalpha() else f"corpus_{name}"


def _language_of(words: Mapping[str, int]) -> str:
    """Return the English name of the language that most words are in; empty where nobody knows."""
    most_first = sorted((-number, code.lower()) for code, number in words.items() if code)
    code = most_first[0][1] if most_first else ""
    # Sketch Engine's list of languages has other names for Chinese than CLDR
    chinese = {"zh": "Chinese Simplified", "zh-hant": "Chinese Traditional", "zh-tw": "Chinese Traditional"}
    return chinese.get(code) or chinese.get(primary(code)) or language_name(code)


# --- the Corpus Workbench ---

_SCRIPT = """\
#!/bin/sh
# Makes a corpus for the Corpus Workbench of the file beside this one:
#     sh {script} [FOLDER OF THE INDEX [FOLDER OF THE REGISTRY]]
set -eu
cd -- "$(dirname -- "$0")"
data=${{1:-"$PWD/cwb/data/{corpus}"}}
registry=${{2:-"$PWD/cwb/registry"}}
mkdir -p -- "$data" "$registry"
{encode}
if command -v cwb-make >/dev/null; then
    cwb-make -r "$registry" -V {upper}
else
    cwb-makeall -r "$registry" -V {upper}
fi
"""


def write_cwb(export: Exporter, output: Output) -> None:
    """The vertical file and the script; CQPweb takes the metadata of texts from the attributes of `text`."""
    # `cwb-encode -x` reads entities as XML has them, so every token is written with them
    lines = TokenLines(
        Dialect(root="text", glue="", markup=ALL_MARKUP, sets=True, plain_ids=True), export.options
    )
    stem = output.stem
    write_articles(export, output, lines.of)
    output.notes += lines.notes
    attributes = ("id", "original_id", *(name for name in lines.attributes if name != "id"))
    main, corpus = output.path.name if output.path is not None else f"{stem}.vrt", corpus_name(stem)
    packed = main.endswith(".zst")  # which cwb-encode does not read by itself
    encode = [
        # a broken file ends the script; behind the bar nobody would notice
        *([f"zstd -tq -- {shlex.quote(main)} &&", f"zstdcat -- {shlex.quote(main)} |"] if packed else []),
        f'cwb-encode -c utf8 -xsB -d "$data" -R "$registry/{corpus}"'
        + ("" if packed else f" -f {shlex.quote('./' + main)}"),
        *(
            f"    -S {'+'.join((f'{name}:0', *inside))}"
            for name, inside in {**lines.structures, "text": attributes}.items()
        ),
    ]
    in_comment = linear(r"[\x00-\x1f\x7f]").sub("?", f"{stem}.cwb.sh")  # so that nothing of it is run
    script = _SCRIPT.format(
        script=in_comment, corpus=corpus, upper=corpus.upper(), encode=" \\\n".join(encode)
    )
    output.add(f"{stem}.cwb.sh", script.encode())


# --- Universal Dependencies ---

_CONLLU_NAMES = {**_NAMES, "datePublished": "date", "language": "lang"}
_CONLLU_USUAL = (
    "portal", "headline", "datePublished", "author", "articleSection", "keywords", "url", "language", "type",
)  # fmt: skip
_SPACES = defaultdict(lambda: r"\s", str.maketrans({"\n": r"\n", "\t": r"\t", "\r": r"\r", "\u200b": None}))
"""The signs that UDPipe writes for white space that is not one blank."""


def write_conllu(export: Exporter, output: Output) -> None:
    """The sentences, with comments on what they stand in."""
    columns = [
        column
        for column in columns_of(export.options.fields or _CONLLU_USUAL)
        if column.name not in ("id", "text")
    ]
    write_articles(export, output, partial(_lines_of, columns))


def _lines_of(columns: Sequence[TableColumn], article: ExportArticle) -> Iterator[str]:
    """Give the lines of an article, some at a time; nothing where it holds no word."""
    post: Node | None = None
    for number, (passage, _, sentences) in enumerate(tokenized(article), start=1):
        if number == 1:
            yield _head(columns, article)
        if passage.post is not post:
            post = passage.post
            yield from _comments("post", told_of(post)) if post is not None else ()
        yield f"# newpar id = {article.id}-p{number}\n# par_type = {passage.kind}\n"
        if passage.level is not None:
            yield f"# par_level = {passage.level}\n"
        # another than the article's
        language = f"# lang = {one_line(passage.language)}\n" if passage.language is not None else ""
        for nth, (sentence, is_last) in enumerate(_with_last(sentences), start=1):
            yield f"# sent_id = {article.id}-p{number}-s{nth}\n{language}"
            yield sentence_lines(sentence, ends_paragraph=is_last)


def _head(columns: Sequence[TableColumn], article: ExportArticle) -> str:
    names = (_CONLLU_NAMES.get(column.name, column.name).lower() for column in columns)
    metadata = _comments("doc", dict(zip(names, map(as_text, row_of(article, columns)), strict=True)))
    return "".join([f"# newdoc id = {article.id}\n# annotation = tokens only\n", *metadata])


def _with_last(sentences: Iterator[Sentence]) -> Iterator[tuple[Sentence, bool]]:
    """Give each sentence, and whether it is the last."""
    before = next(sentences)
    for sentence in sentences:
        yield before, False
        before = sentence
    yield before, True


def sentence_text(sentence: Sentence) -> str:
    """Return a sentence on one line."""
    return _text(sentence, _glued(sentence))


def _glued(sentence: Sentence) -> list[bool]:
    """Tell of each token whether nothing parts it from the next."""
    return [space != " " and is_glued(space) for _, space in sentence.tokens]


def _text(sentence: Sentence, glued: list[bool]) -> str:
    shown = [
        text if no_blank else f"{text} " for (text, _), no_blank in zip(sentence.tokens, glued, strict=True)
    ]
    return "".join(shown).rstrip(" ")


def sentence_lines(sentence: Sentence, *, ends_paragraph: bool) -> str:
    """Return the lines of a sentence: its text, its tokens, and an empty line."""
    glued = _glued(sentence)
    lines = [f"# text = {_text(sentence, glued)}"]
    final = 0
    if ends_paragraph:  # what ends it is followed by a line's end
        glued[-1], final = False, len(glued)
    for at, ((text, space), no_blank) in enumerate(zip(sentence.tokens, glued, strict=True), start=1):
        misc = "SpaceAfter=No" if no_blank else "_"
        # white space inside a paragraph may be more or other than a blank: a line break, an indented line of
        # code
        spaces = space.translate(_SPACES)
        if not no_blank and at != final and spaces != r"\s":
            misc = f"SpacesAfter={spaces}"
        lines.append(f"{at}\t{text}\t_\t_\t_\t_\t_\t_\t_\t{misc}")  # nothing from LEMMA to DEPS
    lines.append("\n")
    return "\n".join(lines)


def _comments(subject: str, values: Mapping[str, str | None]) -> list[str]:
    """Return the lines on what is known of a document or a post."""
    comments = ((name, one_line(value or "")) for name, value in values.items())
    return [f"# {subject}_{name} = {value}\n" for name, value in comments if value]


FORMATS = (
    Format(
        "vertical", write_vertical, "one word a line and a registry file, for Sketch Engine and NoSketch "
                                    "Engine", ".vert",
        analysed=True, ignores=("fields",),
    ),
    Format(
        "cwb", write_cwb, "the same for the Corpus Workbench and CQPweb, with the script that makes a corpus "
                          "of it", ".vrt",
        analysed=True, ignores=("fields",),
    ),
    Format("conllu", write_conllu, "sentences and tokens in the format of Universal "
                                   "Dependencies", ".conllu", analysed=True),
)  # fmt: skip
