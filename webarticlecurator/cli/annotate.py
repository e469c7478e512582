"""`curator annotate`: what a program says of the words of a corpus, kept beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from webarticlecurator.amounts import amount, those_that_hold
from webarticlecurator.annotations.annotate_options import AnnotateOptions
from webarticlecurator.cli import console
from webarticlecurator.cli.command import Call, command
from webarticlecurator.cli.process import ExitCode, first_of

if TYPE_CHECKING:
    from webarticlecurator.annotations.annotate_options import AnnotateSummary


@command(json="Print one JSON object at the end.", options=AnnotateOptions)
def annotate(call: Call, options: AnnotateOptions) -> ExitCode:
    """
    \b
    Examples:
      curator annotate portal.yaml --with 'python udpipe.py hu.udpipe' --model hungarian-szeged
      curator annotate portal.yaml --python mine:lemmas        def lemmas(articles): yields CoNLL-U of each
      curator annotate portal.yaml --plain --with './tag.sh'   a sentence a line in, CoNLL-U out
      curator annotate portal.yaml --with 'python tag.py' --name spacy-hu --processes 2

    Have a program tell lemmas, parts of speech, and whatever else CoNLL-U has room for, of all texts of
    PORTAL that are built. It reads from stdin and writes to stdout; its words are found in the texts, which
    stay as they are. What it says is a layer in the folder annotations of the corpus. Run it again after a
    build: only what is new or changed is annotated.
    """
    from webarticlecurator.stages import annotate as corpus_annotation

    summary = call.run(corpus_annotation.annotate_portal, options)
    code = first_of((ExitCode.INCOMPLETE, summary.incomplete), (ExitCode.FAILURES, summary.failures))
    call.tell({**asdict(summary), "exit_code": int(code)}, ())
    console.say("\n".join(_in_words(summary)))
    call.next("annotate", "share" if options.share is not None and code is ExitCode.OK else code)
    return code


def _in_words(summary: AnnotateSummary) -> Iterator[str]:
    """Give what the screen says of an annotation."""
    counts = summary.counts
    file = f": {summary.path}" if counts.articles or counts.passages else "; no file was needed"
    yield (
        f"{summary.portal}: {amount(summary.asked, 'article')} annotated, {summary.unchanged:,} as before. "
        f"The layer {summary.layer} has {amount(counts.articles, 'article')}, "
        f"{amount(counts.passages, 'passage')}, {amount(counts.tokens, 'word')}{file}"
    )
    yield from those_that_hold(
        (
            counts.not_aligned,
            f"  Not kept, since it is not in the text: {amount(counts.not_aligned, 'word')} of the program",
        ),
        (counts.empty_nodes, f"  Not kept, since it is no word: {amount(counts.empty_nodes, 'empty node')}"),
        (summary.gone, f"  Gone, as they are built no more: {amount(summary.gone, 'article')}"),
        (summary.incomplete, f"  Incomplete: {summary.incomplete}; what was annotated is kept"),
    )
    yield from (f"  Not in the text of {example}" for example in summary.not_aligned)
    yield from console.each("Failed: ", summary.failures)
