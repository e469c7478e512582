"""`curator diff`: what changed in an article between its captures, and which articles changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.cli.command import Call, StoredArticle, command
from webarticlecurator.databases import Row

_MARKS = {"": "{}", "-": "[-{}-]", "+": "{{+{}+}}"}
"""The marks around words by their sign: those that programs which compare words have."""
_LISTED = 40
"""Articles that are listed."""


@command()
def diff(
    call: Call,
    article: StoredArticle = None,
) -> None:
    """
    \b
    Examples:
      curator diff portal.yaml                 the articles that changed since they were first stored
      curator diff portal.yaml URL             what changed in one, capture by capture
      curator diff portal.yaml URL --json      the same for programs

    Show what changed in an article between its captures. Each is read by the rules of now, so that what
    differs is what the portal changed: fields of metadata, and paragraphs, in which [-words that went-] and
    {+words that came+} are marked. Pages are stored anew by `curator crawl --recheck`.
    """
    from webarticlecurator.stages import differences as corpus_differences

    if article is None:
        rows = corpus_differences.changed_articles(call.portal, corpus=call.corpus)
        call.tell(rows, console.listed("", list(map(_listed, rows)), _LISTED)[1:])
        console.say(
            f"{amount(len(rows), 'article has', 'articles have')} another headline or text than when first "
            "stored"
        )
        call.next("diff", "some" if rows else "none", url=rows[0].url if rows else "")
        return
    told = corpus_differences.differences(call.portal, article, corpus=call.corpus)
    call.tell(told, _in_words(told))
    changes = amount(len(told.changes), "change")
    console.say(f"{amount(len(told.captures), 'capture')} of {told.url}, {changes} between them")
    call.next("diff", "shown", url=told.url)


def _listed(row: Row) -> str:
    captures = f"{amount(row.captures, 'capture')} from {row.first[:10]} to {row.last[:10]}"
    return f"{row.text_changed[:10]}  {row.url}  {row.headline or ''} ({captures})"


def _in_words(told: Row) -> Iterator[str]:
    """Tell each capture that cannot be read, and what each other one brought."""
    for capture in told.captures:
        if not capture.readable:
            yield f"{capture.date}: no article: {capture.why}"
    for change in told.changes:
        yield f"{change.since} -> {change.at}"
        for name, values in change.metadata.items():
            yield f"  {name}: [-{_values(values.before)}-] {{+{_values(values.after)}+}}"
        for pieces in change.text:
            yield f"  {' '.join(_MARKS[sign].format(words) for sign, words in pieces)}"


def _values(values: Sequence[str]) -> str:
    return "; ".join(values)
