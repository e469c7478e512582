"""`conllu`: the tokens of sentences with their white space, in the format of Universal Dependencies; no lemmas, tags or trees."""

from __future__ import annotations

from collections.abc import Mapping

from webarticlecurator.exporting.articles import ExportArticle, Node
from webarticlecurator.exporting.export_options import ExportOptions
from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.formats import Format
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.table import as_text, columns_of, row_of
from webarticlecurator.exporting.token_lines import is_glued, note_on_words, one_line, tokenized, told_of

_NAMES = {"headline": "title", "datePublished": "date", "articleSection": "section", "alternativeHeadline": "subtitle", "language": "lang"}
_USUAL = ("portal", "headline", "datePublished", "author", "articleSection", "keywords", "url", "language", "type")
_LABEL = "annotation = tokens only"
_EMPTY = "\t_" * 7
"""From LEMMA to DEPS."""
_SPACES = {" ": r"\s", "\n": r"\n", "\t": r"\t", "\r": r"\r"}
"""As UDPipe writes white space that is not one blank."""


@Format("sentences and tokens in the format of Universal Dependencies", ".conllu", analysed=True)
def write(export: Exporter, output: Output) -> None:
    """The sentences."""
    without_words = 0
    for _, sentences in export.made(_Sentences, export.options):
        without_words += not sentences
        output.main.write(sentences)
    output.notes += note_on_words(without_words)


class _Sentences:
    """Makes those of an article; nothing of one without a word."""

    def __init__(self, options: ExportOptions) -> None:
        self._columns = [column for column in columns_of(options.fields or _USUAL) if column.name not in ("id", "text")]
        self._names = tuple(_NAMES.get(column.name, column.name).lower() for column in self._columns)

    def __call__(self, article: ExportArticle) -> bytes:
        passages = list(tokenized(article))
        if not passages:
            return b""
        values = map(as_text, row_of(article, self._columns))
        metadata = _comments("doc", dict(zip(self._names, values, strict=True)))
        lines = [f"# newdoc id = {article.id}", f"# {_LABEL}", *metadata]
        post: Node | None = None
        for number, (passage, _, sentences) in enumerate(passages, start=1):
            if passage.post is not post:
                post = passage.post
                lines += _comments("post", told_of(post)) if post is not None else []
            lines += [f"# newpar id = {article.id}-p{number}", f"# par_type = {passage.kind}"]
            lines += [f"# par_level = {passage.level}"] if passage.level is not None else []
            for nth, sentence in enumerate(sentences, start=1):
                lines.append(f"# sent_id = {article.id}-p{number}-s{nth}")
                lines += [f"# lang = {one_line(passage.language)}"] if passage.language is not None else []  # another than the article's
                glued = [space != " " and is_glued(space) for _, space in sentence.tokens]
                shown = [text if no_blank else f"{text} " for (text, _), no_blank in zip(sentence.tokens, glued, strict=True)]
                lines.append(f"# text = {''.join(shown).rstrip(' ')}")
                final = 0
                if nth == len(sentences):  # what ends a paragraph is followed by a line's end
                    glued[-1], final = False, len(glued)
                for at, ((text, space), no_blank) in enumerate(zip(sentence.tokens, glued, strict=True), start=1):
                    # white space inside a paragraph may be more or other than a blank: a line break, an indented line of code
                    spaces = "".join([_SPACES.get(character, r"\s") for character in space if character != "\u200b"])
                    misc = "SpaceAfter=No" if no_blank else "_" if at == final or spaces == r"\s" else f"SpacesAfter={spaces}"
                    lines.append(f"{at}\t{text}{_EMPTY}\t{misc}")
                lines.append("")
        lines.append("")
        return "\n".join(lines).encode()


def _comments(subject: str, values: Mapping[str, str | None]) -> list[str]:
    """What is known of a document or a post."""
    comments = ((name, one_line(value or "")) for name, value in values.items())
    return [f"# {subject}_{name} = {value}" for name, value in comments if value]
