"""The labeller: trains the general model that ships, and measures it on pages of publishers that it never saw.

    OPENBLAS_NUM_THREADS=1 python benchmarks/labeller.py --write
                                                     the model again, byte for byte on one machine: webarticlecurator/labelling/general.npz
    python benchmarks/labeller.py                    cross-validation over the hosts of WCXB; the other sets by the model that ships

Text F1 is that of bags of words, block F1 counts each block by its words; intervals are bootstrap over pages. The pages are not part of
the project: without them there is nothing to do.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any
from zlib import crc32

from results import Record, result_option, script_parser
from truths import DATA, NOT_HERE, WCXB, page_of, pages, true_text

from webarticlecurator.labelling.evaluation import LabelledPage, mean, score
from webarticlecurator.labelling.labeller import GENERAL, Labeller, labeller_in, written
from webarticlecurator.labelling.text_blocks import text_blocks
from webarticlecurator.labelling.training import SEED, labelled, train
from webarticlecurator.labelling.truth import shares_in
from webarticlecurator.urls import bare_host

FOLDS = 5
UNTOUCHED = ("fundus", "scrapinghub", "cleanportaleval")
ABOUT = {
    "trained on": "WCXB: A Multi-Type Web Content Extraction Benchmark, development part, by M. Foley, 2026, CC BY 4.0",
    "made by": "python benchmarks/labeller.py --write",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedPage(LabelledPage):
    """Its name is its host."""

    type: str


def fold_of(page: TypedPage) -> int:
    """No page is judged by what saw its host."""
    return crc32(page.name.encode()) % FOLDS


def labelled_pages(data: Path, name: str) -> Iterator[TypedPage]:
    for meta, body in pages(data, name):
        page = page_of(meta, body, classified=True)
        if page is not None and page.tree is not None:
            blocks, truth = text_blocks(page.tree), true_text(meta)
            shares = shares_in(blocks, truth)
            yield TypedPage(name=bare_host(meta["url"]), type=meta.get("type", name), blocks=blocks, shares=shares, text=truth)


def trained(learned_from: Sequence[TypedPage], about: dict[str, Any] | None = None) -> Labeller:
    examples = [labelled(page.blocks, page.shares) for page in learned_from if page.blocks]
    return Labeller(network=train(examples), about=about or {})


def write(known: Sequence[TypedPage], record: Record) -> None:
    labeller = trained(known, about={**ABOUT, "pages": len(known), "seed": SEED})
    GENERAL.write_bytes(written(labeller))
    record.figure("weights", sum(layer.weights.size + layer.bias.size for layer in labeller.network.layers))
    record.figure("size of the file", GENERAL.stat().st_size, "bytes")


def measure(known: Sequence[TypedPage], asked: argparse.Namespace, record: Record) -> None:
    unseen = [page for name in UNTOUCHED for page in labelled_pages(asked.data, name)]
    is_known = {id(page) for page in known}
    rows: list[tuple[str | int, ...]] = []

    def note(label: str, shares_of: Callable[[TypedPage], Sequence[float]]) -> None:
        for kind in sorted({page.type for page in chain(known, unseen)}):
            scores = [score(page, shares_of(page)) for page in chain(known, unseen) if page.type == kind]
            means = [mean(figures) for figures in zip(*scores, strict=True)]
            rows.append((label, kind, len(scores), *(f"{share.value:.4f} [{share.low:.4f}, {share.high:.4f}]" for share in means)))

    folds = [trained([page for page in known if fold_of(page) != fold]) for fold in range(FOLDS)]
    # by a labeller that did not see the page's host
    note("labeller", lambda page: (folds[fold_of(page)] if id(page) in is_known else labeller_in()).shares(page.blocks) or [])
    note("best possible", lambda page: page.shares)
    record.table("The labeller alone", ("by", "pages", "number", "text F1", "block F1"), rows, "With 95 % intervals.")
    walk = milliseconds(known, lambda page: text_blocks(page.blocks[0].element.getroottree().getroot()) if page.blocks else None)
    record.figure("time for the blocks of a page, beyond parsing", walk, "ms")
    record.figure("time for their features and the network", milliseconds(known, lambda page: labeller_in().shares(page.blocks)), "ms")


def milliseconds(known: Sequence[TypedPage], work: Callable[[TypedPage], object]) -> float:
    begin = time.process_time()
    for page in known:
        work(page)
    return (time.process_time() - begin) / len(known) * 1000


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--write", action="store_true")
    asked = result_option(parser).parse_args()
    record = Record("The labeller", "The general labeller on pages of publishers that it never saw.")
    if asked.data.is_dir():
        known = list(labelled_pages(asked.data, WCXB))
        if asked.write:
            write(known, record)
        else:
            measure(known, asked, record)
    else:
        record.leave_out(f"the labeller, {NOT_HERE}")
    record.end(asked.result)


if __name__ == "__main__":
    main()
