"""`curator tags`: what a portal's pages are made of, and what is still to be decided; `curator tags apply`: the decisions."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from webarticlecurator.amounts import amount
from webarticlecurator.cli import arguments, console, tags_apply
from webarticlecurator.cli.arguments import Cluster, CorpusFolder, Jobs, PortalName, WarcFiles
from webarticlecurator.cli.exit_codes import ExitCode
from webarticlecurator.cli.progress import at_work
from webarticlecurator.errors import UsageError

if TYPE_CHECKING:
    from webarticlecurator.cli.tags_output import Typed

_LIMIT = 25
_SAMPLE = 2_000
"""Pages."""
_DEPTH = 8


class Tags(TyperGroup):
    """`apply` as the first word is a command; every other one is a portal."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        if args[:1] == ["apply"]:
            return super().make_context(info_name, args, parent, **extra)
        tags_apply.refuse_late_apply(args)
        return self.commands["PORTAL"].make_context(info_name, args, parent, **extra)


app = typer.Typer(
    cls=Tags,
    rich_markup_mode=None,
    add_completion=False,
    help="What a portal's pages are made of, and deciding what it means. A portal file that is called `apply` is reached as ./apply.",
)


@app.command("PORTAL")
def tags(
    portal: PortalName,
    warc: WarcFiles = None,
    corpus: CorpusFolder = None,
    sample: Annotated[
        int | None, typer.Option("--sample", metavar="N", min=1, help=f"Only N pages, some of every year.  [default: {_SAMPLE}]")
    ] = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    since: Annotated[int | None, typer.Option("--since", metavar="YEAR", help="Only tags that no page from before this year has.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every page, and also the tags that a rule decides.")] = False,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=0, help="Rows of a table on the screen; 0: all.")] = _LIMIT,
    tree: Annotated[bool, typer.Option("--tree", help="The paths of tags of all pages, merged into one tree.")] = False,
    depth: Annotated[int, typer.Option("--depth", metavar="N", min=1, help="With --tree: how deep it is unfolded.")] = _DEPTH,
    pairs: Annotated[bool, typer.Option("--pairs", help="Which tag stands in which, for rules that hold in a context.")] = False,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", parser=arguments.output_file, help="Write everything as one page for a browser."),
    ] = None,
    tsv: Annotated[
        Path | None,
        typer.Option("--tsv", metavar="FILE", parser=arguments.output_file, help="Write the table for `tags apply`; - is stdout."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as one JSON object.")] = False,
) -> None:
    """
    \b
    Examples:
      curator tags portal.yaml                            what is undecided, most words at stake first
      curator tags portal.yaml --all                      every page and every tag, where 2,000 pages are not enough
      curator tags portal.yaml --html tags.html           everything in one page: search, fold, decide
      curator tags portal.yaml --tsv tags.tsv             the same for a spreadsheet; then:
      curator tags apply tags.tsv portal.yaml             the operations filled in there become rules
      curator tags portal.yaml --tree --depth 4           the skeleton of all articles
      curator tags portal.yaml --warc old.warc.gz --json  without a corpus, for programs

    Show which tags the articles of PORTAL are made of, how often, with how much text, which rule decides each, and which no
    rule decides yet, each with a suggestion and what speaks for it. Tags are simplified: numbers and what differs from page to page
    are left out. Of a large corpus, 2,000 pages are read, some of every year, the same at every call.
    """
    from webarticlecurator import corpus_survey
    from webarticlecurator.cli.tags_output import Outputs, output
    from webarticlecurator.survey.inventory.assembling import inventory_of
    from webarticlecurator.survey.inventory.tag_question import TagQuestion
    from webarticlecurator.workers.carriers import Workers

    if as_json and tsv == arguments.STDOUT:
        raise UsageError("--json and --tsv - both write to stdout: give the table a file, --tsv tags.tsv.")
    tags_apply.refuse_table(portal)
    outputs = Outputs(
        html=html, tsv=tsv, json=as_json, tree=tree, pairs=pairs, everything=everything, since=since, limit=limit, depth=depth
    )
    (loaded,) = arguments.load_portals([portal])
    most = sample or (None if everything else _SAMPLE)
    workers = Workers.asked_for(jobs, cluster)
    with at_work() as (stop, progress):
        surveyed = corpus_survey.surveyed(
            TagQuestion(loaded),
            loaded,
            phase="tags",
            corpus=corpus,
            warcs=warc or (),
            workers=workers,
            sample=most,
            progress=progress,
            stop=stop,
        )
    with closing(surveyed.counts) as counts:
        inventory = inventory_of(counts, loaded, of_pages=surveyed.of_pages, notes=_notes(surveyed.of_pages, most))
    if not surveyed.complete:
        console.say(f"Interrupted after {amount(inventory.pages, 'page')}: the inventory is of these.")
    output(inventory, outputs, _typed(portal, corpus, warc or (), sample, everything), language=loaded.language)
    raise typer.Exit(ExitCode.OK if surveyed.complete else ExitCode.INCOMPLETE)


app.command("apply")(tags_apply.apply)


def _notes(of_pages: int, most: int | None) -> tuple[str, ...]:
    if most is None or of_pages <= most:
        return ()
    return (f"A sample of {amount(most, 'page')}, some of every year, the same at every call; --all reads every page.",)


def _typed(portal: str, corpus: Path | None, warcs: Sequence[Path], sample: int | None, everything: bool) -> Typed:
    from webarticlecurator.cli.tags_output import Typed

    place = arguments.as_typed(portal, corpus) + arguments.warc_flags(warcs)
    sampled = place + (f" --sample {sample}" if sample is not None else "")
    return Typed(portal=shlex.quote(portal), pages=place, audit=sampled, tags=sampled + (" --all" if everything else ""))
