"""`curator label`: labellers that tell main text from the rest of a page, trained on pages whose main text is
known."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.cli.command import (
    Call,
    WarcFiles,
    address,
    argument,
    command,
    load_portals,
    option,
    output_file,
    output_option,
)
from webarticlecurator.errors import UsageError, refuse
from webarticlecurator.model.progress import Silent, Work

if TYPE_CHECKING:
    from webarticlecurator.model.page import Page
    from webarticlecurator.stages.label import KnownPages

Source = Annotated[
    str,
    argument(
        "PORTAL|DIR", "A portal, or a folder of pages: *.html with the main text in a *.txt file beside each."
    ),
]
SampleOf = Annotated[
    int | None, option("--sample", "Of a portal: N pages, some of every year.  [default: 300]", "N", least=1)
]


@command(portals="none", json=None)
def train(
    call: Call,
    source: Source,
    sample: SampleOf = None,
    output: Annotated[
        Path | None, output_option("[default: labeller.npz beside the portal file, or in DIR]")
    ] = None,
) -> None:
    """
    \b
    Examples:
      curator label train portal.yaml                on what the rules keep of stored articles: labeller.npz beside the file
      curator label train pages/ -o mine.npz         on pages with labels, of any sites

    Train a labeller. Of a portal, its stored articles are learned from, by what its rules keep of them.
    In a folder, each page is a file NAME.html with its main text in NAME.txt beside it (UTF-8), or it has BoilerNet's marks:
    elements with the attribute __boilernet_label="1". The same pages make the same file on the same machine.
    """
    from webarticlecurator.corpus.folder import write_whole
    from webarticlecurator.labelling.labeller import written
    from webarticlecurator.resources import is_shipped
    from webarticlecurator.stages import label as corpus_labelling

    known, folder = _known(call, source, sample)
    file = folder / corpus_labelling.FILE_NAME
    no_place = f"{source} came with curator, and its folder is no place for your data"
    refuse((output is None and is_shipped(file), f"{no_place}: -o FILE says where the labeller goes."))
    file = output or output_file(str(file))
    labeller = corpus_labelling.trained(known.pages, told=known.told, source=source)
    content = written(labeller)
    write_whole(file, content)
    console.say(f"{file}: a labeller trained on {amount(len(known.pages), 'page')}, {len(content):,} bytes.")
    call.next("label", "trained", typed=shlex.quote(source))


@command(portals="none", json="One JSON object a page.")
def apply(
    call: Call,
    source: Annotated[
        str, argument("PORTAL|FILE", "A portal, then addresses of stored pages; or one saved page.")
    ],
    urls: Annotated[tuple[str, ...], argument("URL", "The stored pages, with PORTAL.", parse=address)] = (),
    warc: WarcFiles = (),
    model: Annotated[
        Path | None,
        option(
            "--model",
            "The labeller.  [default: labeller.npz beside the portal file, else the general one]",
            "FILE",
        ),
    ] = None,
) -> None:
    """
    \b
    Examples:
      curator label apply page.html                          each block with how much of it is taken for main text
      curator label apply portal.yaml URL --json             a stored page, for programs
      curator label apply page.html --model mine.npz         by a labeller of one's own

    Show the text blocks of a page, each with its share from 0 to 1; what is taken for main text has a plus sign.
    """
    from webarticlecurator.cli.page_sources import stored_pages
    from webarticlecurator.corpus.saved_pages import saved_page
    from webarticlecurator.document.parsed_page import fetched_page
    from webarticlecurator.model.capture import Request
    from webarticlecurator.model.page import Page
    from webarticlecurator.stages import label as corpus_labelling

    is_file = Path(source).is_file() and Path(source).suffix.lower() in (".html", ".htm")
    if is_file == bool(urls):
        told = "one saved page (FILE.html) alone" if is_file else "a portal, and the address of a stored page"
        raise UsageError(f"`curator label apply` takes {told}; --help shows examples.")
    if is_file:
        _show(call, source, saved_page(Path(source)), model)
        return
    (portal,) = load_portals([source])
    own = portal.sources[0].path.with_name(corpus_labelling.FILE_NAME)
    model = model or (own if own.is_file() else None)
    with stored_pages(portal, warc, call.corpus) as pages:
        for url in urls:
            page = fetched_page(pages.fetch(Request(url=url)), encoding=portal.fetch.encoding)
            if not isinstance(page, Page):
                raise UsageError(f"{url}: {page.reason}.")
            _show(call, url, page, model)


@command(portals="none")
def evaluate(call: Call, source: Source, sample: SampleOf = None) -> None:
    """
    \b
    Examples:
      curator label eval portal.yaml        the general labeller, and one of the portal's own
      curator label eval pages/             the same on pages with labels, of any sites

    Measure labellers on pages whose main text is known (see `curator label train --help`): the general one, and one trained
    on four fifths of the pages and asked about the last fifth, five times. F1 of words and of blocks, with 95 % intervals.
    """
    from webarticlecurator.stages import label as corpus_labelling

    known, _ = _known(call, source, sample)
    rows = corpus_labelling.evaluated(known, source=source)
    value = {"source": source, "pages": len(known.pages), "labellers": rows, "remarks": known.remarks}
    cells = [
        (row.name, *(f"{one.value:.4f} [{one.low:.4f}, {one.high:.4f}]" for one in (row.text, row.blocks)))
        for row in rows
    ]
    title = f"{amount(len(known.pages), 'page')}; F1 with its 95 % interval"
    call.tell(value, [title, *console.aligned([("", "words", "blocks"), *cells])])
    call.next("label", "measured", typed=shlex.quote(source))


def _known(call: Call, source: str, sample: int | None) -> tuple[KnownPages, Path]:
    """The pages, and the folder that they, or the portal file, lie in."""
    from webarticlecurator.stages import label as corpus_labelling

    folder, told = (
        Path(source),
        Work(source, "label", Silent() if console.is_quiet() else console.Lines(1)).show,
    )
    if folder.is_dir():
        refuse(
            (
                call.corpus or sample,
                f"{source} is a folder of pages: --corpus and --sample go with a portal.",
            )
        )
        known = corpus_labelling.pages_of_folder(folder, told=told)
    else:
        (portal,) = load_portals([source])
        most = sample or corpus_labelling.PAGES
        known = corpus_labelling.pages_of_portal(portal, corpus=call.corpus, sample=most, told=told)
        folder = portal.sources[0].path.parent
    console.say(*known.remarks)
    with_text, fewest = (
        sum(any(share >= 0.5 for share in page.shares) for page in known.pages),
        corpus_labelling.FEWEST,
    )
    few = f"{source}: {with_text} pages with main text are too few to train a labeller"
    refuse((with_text < fewest, f"{few}; it needs at least {fewest}."))
    return known, folder


def _show(call: Call, name: str, page: Page, model: Path | None) -> None:
    """Show the blocks of a page as a labeller sees them; `model`: None is the general one."""
    from webarticlecurator.labelling.labeller import MOST_BLOCKS, chosen, labeller_in
    from webarticlecurator.labelling.text_blocks import text_blocks

    blocks = text_blocks(page.tree)
    labeller = labeller_in() if model is None else labeller_in(model)
    if (shares := labeller.shares(blocks)) is None:
        raise UsageError(
            f"{name} has more than {MOST_BLOCKS:,} text blocks: no labeller looks at such a page."
        )
    rows: list[dict[str, Any]] = [
        {"share": share, "chosen": kept, "tag": block.element.tag, "text": block.text}
        for block, share, kept in zip(blocks, shares, chosen(shares), strict=True)
    ]
    words = (
        f"{'+' if row['chosen'] else ' '} {row['share']:.2f}  {row['tag']:<10} {console.cut(row['text'], 90)}"
        for row in rows
    )
    call.tell({"page": name, "labeller": str(model or "general labeller"), "blocks": rows}, words)
