"""Sentences and tokens as Universal Dependencies have them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial

from webarticlecurator.annotations.layer import Token
from webarticlecurator.exporting.annotated import TokenSentence
from webarticlecurator.exporting.articles import ExportArticle, Node
from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.formats import Format
from webarticlecurator.exporting.layers import ShownLayer, origin_of
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.passage_tokens import (
    is_glued,
    one_line,
    tokenized,
    told_of,
    write_articles,
)
from webarticlecurator.exporting.table import TableColumn, as_text, columns_of, row_of
from webarticlecurator.exporting.token_lines import NAMES

_CONLLU_NAMES = {**NAMES, "datePublished": "date", "language": "lang"}
_CONLLU_USUAL = (
    "portal", "headline", "datePublished", "author", "articleSection", "keywords", "url", "language", "type",
)  # fmt: skip
_SPACES = defaultdict(lambda: r"\s", str.maketrans({"\n": r"\n", "\t": r"\t", "\r": r"\r", "\u200b": None}))
"""The signs that UDPipe writes for white space that is not one blank."""

_ONLY_TOKENS = "# annotation = tokens only\n"
_UNSAID = "\t_" * 7
"""Nothing from LEMMA to DEPS."""


def write_conllu(export: Exporter, output: Output) -> None:
    """The sentences, with comments on what they stand in."""
    columns = [
        column
        for column in columns_of(export.options.fields or _CONLLU_USUAL)
        if column.name not in ("id", "text")
    ]
    write_articles(export, output, partial(_lines_of, columns, export.layer))


def _lines_of(
    columns: Sequence[TableColumn], layer: ShownLayer | None, article: ExportArticle
) -> Iterator[str]:
    """Give the lines of an article, some at a time; nothing where it holds no word."""
    post: Node | None = None
    for number, (passage, _, sentences) in enumerate(tokenized(article), start=1):
        if number == 1:
            yield _head(columns, layer, article)
        if passage.post is not post:
            post = passage.post
            yield from _comments("post", told_of(post)) if post is not None else ()
        yield f"# newpar id = {article.id}-p{number}\n"
        yield f"# par_type = {passage.kind}\n# par_part = {passage.part}\n"
        if passage.level is not None:
            yield f"# par_level = {passage.level}\n"
        # another than the article's
        language = f"# lang = {one_line(passage.language)}\n" if passage.language is not None else ""
        for nth, (sentence, is_last) in enumerate(_with_last(sentences), start=1):
            yield f"# sent_id = {article.id}-p{number}-s{nth}\n{language}"
            if layer is not None and not sentence.words:
                yield _ONLY_TOKENS
            yield sentence_lines(sentence, ends_paragraph=is_last)


def _head(columns: Sequence[TableColumn], layer: ShownLayer | None, article: ExportArticle) -> str:
    about = layer.about(article.portal) if layer is not None else None
    annotation = _ONLY_TOKENS
    if layer is not None and about is not None:
        annotation = f"# annotation = {layer.name}\n# annotation_by = {origin_of(about)}\n"
    names = (_CONLLU_NAMES.get(column.name, column.name).lower() for column in columns)
    metadata = _comments("doc", dict(zip(names, map(as_text, row_of(article, columns)), strict=True)))
    return "".join([f"# newdoc id = {article.id}\n{annotation}", *metadata])


def _with_last(sentences: Iterator[TokenSentence]) -> Iterator[tuple[TokenSentence, bool]]:
    """Give each sentence, and whether it is the last."""
    before = next(sentences)
    for sentence in sentences:
        yield before, False
        before = sentence
    yield before, True


def sentence_text(sentence: TokenSentence) -> str:
    """Return a sentence on one line."""
    shown = [text if _is_glued(space) else f"{text} " for text, space in sentence.tokens]
    return "".join(shown).rstrip(" ")


_is_glued = lru_cache(1 << 10)(is_glued)
"""True if a reader sees nothing in such white space, of which there are few kinds."""


def sentence_lines(sentence: TokenSentence, *, ends_paragraph: bool) -> str:
    """Return the lines of a sentence: its text, its tokens, and an empty line."""
    spaces = [_space_in_misc(space) for _, space in sentence.tokens]
    if ends_paragraph:  # what ends it is followed by a line's end
        spaces[-1] = ""
    lines = [f"# text = {sentence_text(sentence)}"]
    if sentence.words:
        lines += _rows_of_words(sentence, spaces)
    else:
        written = zip(sentence.tokens, spaces, strict=True)
        lines += [
            f"{number}\t{text}{_UNSAID}\t{space or '_'}"
            for number, ((text, _), space) in enumerate(written, 1)
        ]
    lines.append("\n")
    return "\n".join(lines)


@lru_cache(1 << 10)
def _space_in_misc(space: str) -> str:
    """Return what MISC says of the white space behind a token: nothing of one blank."""
    if is_glued(space):
        return "SpaceAfter=No"
    # a line break, an indented line of code
    written = space.translate(_SPACES)
    return f"SpacesAfter={written}" if written != r"\s" else ""


def _rows_of_words(sentence: TokenSentence, spaces: Sequence[str]) -> Iterator[str]:
    """Give the lines of the tokens of a sentence that a layer knows."""
    number = 1
    for (text, _), space, words in zip(sentence.tokens, spaces, sentence.words, strict=True):
        yield from _rows(number, text, words, space)
        number += len(words) or 1


def _rows(number: int, text: str, words: Sequence[Token], misc: str) -> list[str]:
    """Return the line of a token; of a multiword token a line of its own, and one of each of its words."""
    if not words:
        return [f"{number}\t{text}{_UNSAID}\t{misc or '_'}"]
    if len(words) == 1:
        return [_row(number, text, words[0], misc)]
    numbered = list(enumerate(words, start=number))
    whole = f"{number}-{numbered[-1][0]}\t{text}{_UNSAID}\t{misc or '_'}"
    return [whole, *(_row(at, one_line(word.form) or "_", word, "") for at, word in numbered)]


def _row(number: int, text: str, word: Token, misc: str) -> str:
    head = str(word.head) if word.head >= 0 else "_"
    before, behind = (word.lemma, word.upos, word.xpos, word.feats), (word.deprel, word.deps)
    said = [*map(_value, before), head, *map(_value, behind)]
    both = "|".join(filter(None, (misc, _without_spaces(word.misc))))
    return "\t".join([str(number), text, *said, both or "_"])


@lru_cache(maxsize=1 << 16)
def _value(value: str) -> str:
    return one_line(value) or "_"


@lru_cache(maxsize=1 << 12)
def _without_spaces(misc: str) -> str:
    """Return what a program says besides, without the white space, which the text tells."""
    return "|".join([said for said in one_line(misc).split("|") if not said.startswith("Space")])


def _comments(subject: str, values: Mapping[str, str | None]) -> list[str]:
    """Return the lines on what is known of a document or a post."""
    comments = ((name, one_line(value or "")) for name, value in values.items())
    return [f"# {subject}_{name} = {value}\n" for name, value in comments if value]


FORMATS = (
    Format(
        "conllu",
        write_conllu,
        "sentences and tokens in the format of Universal Dependencies",
        ".conllu",
        analysed=True,
        options=("layer",),
    ),
)
