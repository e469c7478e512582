"""`curator label`: labellers that tell main text from the rest of a page, trained on pages whose main text is known."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webarticlecurator.amounts import amount
from webarticlecurator.cli import arguments, console
from webarticlecurator.cli.arguments import CorpusFolder, WarcFiles
from webarticlecurator.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webarticlecurator.corpus_labelling import Evaluated, KnownPages
    from webarticlecurator.labelling.labeller import Labeller
    from webarticlecurator.labelling.text_blocks import TextBlock
    from webarticlecurator.model.page import Page

_SHOWN = 90
"""Characters of a block on the screen."""

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Labellers: small models that tell main text from menus, teasers and the rest of a page. One ships; others are trained here.",
)

Source = Annotated[
    str, typer.Argument(metavar="PORTAL|DIR", help="A portal, or a folder of pages: *.html with the main text in a *.txt file beside each.")
]
SampleOf = Annotated[
    int | None, typer.Option("--sample", metavar="N", min=1, help="Of a portal: N pages, some of every year.  [default: 300]")
]
Words = Annotated[bool, typer.Option("--words", help="Look at tags and words, as BoilerNet does, not at what blocks are like.")]
Model = Annotated[
    Path | None,
    typer.Option("--model", metavar="FILE", help="The labeller.  [default: labeller.npz beside the portal file, else the general one]"),
]


@app.command("train", short_help="Train a labeller on pages whose main text is known.")
def train(
    source: Source,
    warc: WarcFiles = None,
    corpus: CorpusFolder = None,
    sample: SampleOf = None,
    words: Words = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", parser=arguments.output_file, help="[default: labeller.npz beside the portal file, or in DIR]"
        ),
    ] = None,
) -> None:
    """
    \b
    Examples:
      curator label train portal.yaml                on what the rules keep of stored articles: labeller.npz beside the file
      curator label train pages/ -o mine.npz         on pages with labels, of any sites
      curator label train pages/ --words             as BoilerNet: tags and words, for one language

    Train a labeller. Of a portal, its stored articles are learned from, by what its rules keep of them.
    In a folder, each page is a file NAME.html with its main text in NAME.txt beside it (UTF-8), or it has BoilerNet's marks:
    elements with the attribute __boilernet_label="1". The same pages make the same file on the same machine.
    """
    from webarticlecurator import corpus_labelling

    try:
        known, place = _known(source, warc, corpus, sample)
        file = output or _place_of(source, place)
        labeller = corpus_labelling.trained(known.pages, words=words, told=console.NowAndThen().say, source=source)
        corpus_labelling.keep(labeller, file)
    except KeyboardInterrupt:
        console.complain("Interrupted: no labeller was written. It is trained from the beginning next time.")
        raise
    console.say(f"{file}: a labeller trained on {amount(len(known.pages), 'page')}, {file.stat().st_size:,} bytes.")
    console.say(f"Next: curator label eval {shlex.quote(source)} says how good one is on pages that it has not seen")


@app.command("apply", short_help="Show the blocks of a page, and which are main text.")
def apply(
    source: Annotated[str, typer.Argument(metavar="PORTAL|FILE", help="A portal, then addresses of stored pages; or one saved page.")],
    urls: Annotated[
        list[str] | None, typer.Argument(metavar="URL", parser=arguments.address, help="The stored pages, with PORTAL.", show_default=False)
    ] = None,
    warc: WarcFiles = None,
    corpus: CorpusFolder = None,
    model: Model = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a page.")] = False,
) -> None:
    """
    \b
    Examples:
      curator label apply page.html                          each block with how much of it is taken for main text
      curator label apply portal.yaml URL --json             a stored page, for programs
      curator label apply page.html --model mine.npz         by a labeller of one's own

    Show the text blocks of a page, each with its share from 0 to 1; what is taken for main text has a plus sign.
    """
    from webarticlecurator import corpus_labelling
    from webarticlecurator.labelling.general import labeller_in
    from webarticlecurator.labelling.labeller import read

    is_file = Path(source).is_file() and Path(source).suffix.lower() in (".html", ".htm")
    if is_file == bool(urls):
        told = "one saved page (FILE.html) alone" if is_file else "a portal, and the address of a stored page"
        raise UsageError(f"`curator label apply` takes {told}; --help shows examples.")
    labeller, name = (read(model), str(model)) if model is not None else (labeller_in(), "general labeller")
    if is_file:
        from webarticlecurator.corpus.saved_pages import saved_page

        _show(source, saved_page(Path(source)), labeller, name, as_json=as_json)
        return
    (portal,) = arguments.load_portals([source])
    if model is None:
        labeller, name = corpus_labelling.labeller_for(portal)
    for url, page in _stored(source, urls or (), warc, corpus):
        _show(url, page, labeller, name, as_json=as_json)


@app.command("eval", short_help="Say how good labellers are on pages not seen.")
def evaluate(
    source: Source,
    warc: WarcFiles = None,
    corpus: CorpusFolder = None,
    sample: SampleOf = None,
    words: Words = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """
    \b
    Examples:
      curator label eval portal.yaml        the general labeller, and one of the portal's own
      curator label eval pages/ --words     BoilerNet's features on one's own data

    Measure labellers on pages whose main text is known (see `curator label train --help`): the general one, and one trained
    on four fifths of the pages and asked about the last fifth, five times. F1 of words and of blocks, with 95 % intervals.
    """
    from webarticlecurator import corpus_labelling

    known, _ = _known(source, warc, corpus, sample)
    rows = corpus_labelling.evaluated(known, words=words, told=console.NowAndThen().say, source=source)
    value = {"source": source, "pages": len(known.pages), "labellers": list(rows), "remarks": known.remarks}
    console.report(value, _in_words(rows, len(known.pages)), as_json=as_json)
    console.say(f"Next: curator label train {shlex.quote(source)} keeps one that is trained on all of them")


def _known(source: str, warc: list[Path] | None, corpus: Path | None, sample: int | None) -> tuple[KnownPages, Path]:
    """The pages, and the folder that they, or the portal file, lie in."""
    from webarticlecurator import corpus_labelling

    told, folder = console.NowAndThen().say, Path(source)
    if folder.is_dir():
        if warc or corpus or sample:
            raise UsageError(f"{source} is a folder of pages: --warc, --corpus and --sample go with a portal.")
        known = corpus_labelling.pages_of_folder(folder, told=told)
    else:
        (portal,) = arguments.load_portals([source])
        most = sample or corpus_labelling.PAGES
        known = corpus_labelling.pages_of_portal(portal, corpus=corpus, warcs=warc or (), sample=most, told=told)
        folder = corpus_labelling.labeller_file(portal).parent
    for remark in known.remarks:
        console.say(remark)
    return known, folder


def _place_of(source: str, folder: Path) -> Path:
    from webarticlecurator.corpus_labelling import FILE_NAME
    from webarticlecurator.resources import is_shipped

    if is_shipped(folder / FILE_NAME):
        raise UsageError(f"{source} came with curator, and its folder is no place for your data: -o FILE says where the labeller goes.")
    return arguments.output_file(str(folder / FILE_NAME))


def _stored(source: str, urls: Sequence[str], warc: list[Path] | None, corpus: Path | None) -> Iterator[tuple[str, Page]]:
    from webarticlecurator.cli.page_sources import stored_pages
    from webarticlecurator.document.page import read_page
    from webarticlecurator.model.capture import Request
    from webarticlecurator.model.page import Page

    (portal,) = arguments.load_portals([source])
    with stored_pages(portal, warc, corpus) as pages:
        for url in urls:
            fetched = pages.fetch(Request(url=url))
            if fetched.capture is None:
                raise UsageError(f"{url}: {fetched.verdict.reason}.")
            page = read_page(fetched.capture, encoding=portal.fetch.encoding)
            if not isinstance(page, Page):
                raise UsageError(f"{url}: {page.reason}.")
            yield url, page


def _show(name: str, page: Page, labeller: Labeller, by: str, *, as_json: bool) -> None:
    from webarticlecurator.labelling.labeller import MOST_BLOCKS, chosen
    from webarticlecurator.labelling.text_blocks import text_blocks

    blocks = text_blocks(page.tree) if page.tree is not None else []
    shares = labeller.shares(blocks)
    if shares is None:
        raise UsageError(f"{name} has more than {MOST_BLOCKS:,} text blocks: no labeller looks at such a page.")
    rows = list(zip(blocks, shares, chosen(shares), strict=True))
    told = [{"share": share, "chosen": kept, "tag": block.element.tag, "text": block.text} for block, share, kept in rows]
    console.report({"page": name, "labeller": by, "blocks": told}, _rows(rows), as_json=as_json)


def _rows(rows: Sequence[tuple[TextBlock, float, bool]]) -> Iterator[str]:
    for block, share, kept in rows:
        text = block.text if len(block.text) <= _SHOWN else f"{block.text[:_SHOWN]}…"
        yield f"{'+' if kept else ' '} {share:.2f}  {block.element.tag:<10} {text}"


def _in_words(rows: Sequence[Evaluated], pages: int) -> Iterator[str]:
    yield f"{amount(pages, 'page')}; F1 with its 95 % interval"
    told = ((row.name, *(f"{one.value:.4f} [{one.low:.4f}, {one.high:.4f}]" for one in (row.text, row.blocks))) for row in rows)
    yield from console.aligned([("", "words", "blocks"), *told])
