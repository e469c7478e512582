"""The tokens of an article, passage by passage: those of a layer of annotations where it knows the passage,
else those that the program cuts itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import NamedTuple

from webarticlecurator.exporting.annotated import TokenSentence, as_written, spans_of
from webarticlecurator.exporting.articles import ExportArticle, Node, Passage
from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.harmless import plain
from webarticlecurator.exporting.output import Output
from webarticlecurator.text import nfc, squeeze
from webarticlecurator.tokens.sentences import stretches, tokenize

_WRITTEN_AT_ONCE = 1 << 20
"""Characters."""
_OF_POSTS = ("id", "who", "when", "reply_to")


class PassageTokens(NamedTuple):
    """A passage with its tokens."""

    passage: Passage
    language: str | None
    """The passage's language, else the article's."""
    sentences: Iterator[TokenSentence]
    """The sentences, to be read before the next passage is asked for."""


def tokenized(article: ExportArticle) -> Iterator[PassageTokens]:
    """Give the passages of an article with their sentences; one without a token is left out."""
    declared = article.built.language or (article.analysis.language if article.analysis is not None else None)
    for passage in article.each_passage():
        language = passage.language or declared
        sentences = _annotated(article, passage.text) or _cut(passage.text, language)
        first = next(sentences, None)
        if first is not None:
            yield PassageTokens(passage, language, chain([first], sentences))


def _annotated(article: ExportArticle, text: str) -> Iterator[TokenSentence] | None:
    """Return the sentences of a passage as the layer has them; None where it does not know it."""
    if article.annotations is None:
        return None
    whole = composed(text)
    known = article.annotations(whole)
    return map(partial(as_written, whole), spans_of(whole, known)) if known else None


def _cut(text: str, language: str | None) -> Iterator[TokenSentence]:
    """Give the sentences as the program cuts them, one after the other."""
    for sentence in tokenize(map(composed, stretches(text)), language):
        yield TokenSentence(sentence.tokens)


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
    return {"kind": post.get("kind", "post"), **{name: post.get(name) for name in _OF_POSTS}}
