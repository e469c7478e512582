"""The labeller: trains the general model that ships, and measures it on pages of publishers that it never saw.

    OPENBLAS_NUM_THREADS=1 python benchmarks/labeller.py --write
                                                     the model again, byte for byte on one machine: webarticlecurator/labelling/general.npz
    python benchmarks/labeller.py [--words]          cross-validation over the hosts of WCXB; the other sets by the model that ships

Text F1 is that of bags of words, block F1 counts each block by its words; intervals are bootstrap over pages. `--words` lets the
same network look at what BoilerNet looks at, too: trained on a quarter of the hosts of WCXB, asked about another one and the other sets.
The pages are not part of the project: without them there is nothing to do.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from lxml.etree import _Element as Element
from results import Record, result_option, script_parser
from truths import DATA, NOT_HERE, WCXB, page_of, pages, true_text

from webarticlecurator.labelling.labeller import GENERAL, Labeller, labeller_in, written
from webarticlecurator.labelling.text_blocks import TextBlock, shares_in, text_blocks, words_of
from webarticlecurator.labelling.training import SEED, labelled, train
from webarticlecurator.stages.label import LabelledPage, mean, score
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
    return replace(train(examples), about=about or {})


# --- what BoilerNet looks at ---

MOST_TAGS, MOST_WORDS = 50, 1_000
"""The figures of Leonhardt, Anand and Khosla: Boilerplate Removal using a Neural Sequence Labeling Model, 2020."""
QUARTERS, DEEPEST, HIGHEST = 4, 64, 32


def tags_around(element: Element) -> Iterator[str]:
    return (f"<{around.tag}>" for around in islice(chain((element,), element.iterancestors()), DEEPEST))


def most_frequent(known: Sequence[TypedPage]) -> list[str]:
    """The tags and words that are worth a column; of equally frequent ones the first in the alphabet."""
    blocks = list(chain.from_iterable(page.blocks for page in known))
    tags = Counter(chain.from_iterable(tags_around(block.element) for block in blocks))
    words = Counter(chain.from_iterable(words_of(block.text) for block in blocks))
    ranked = (sorted(counts, key=lambda name: (-counts[name], name))[:most] for counts, most in ((tags, MOST_TAGS), (words, MOST_WORDS)))
    return list(chain.from_iterable(ranked))


def counted(blocks: Sequence[TextBlock], names: Sequence[str]) -> Any:
    """One row a block: how often each tag is around it, and each word in it."""
    column = {name: number for number, name in enumerate(names)}
    rows = np.zeros((len(blocks), len(names)), np.float32)
    for row, block in zip(rows, blocks, strict=True):
        for name in filter(column.__contains__, chain(tags_around(block.element), words_of(block.text))):
            row[column[name]] += 1
    return np.minimum(rows, np.float32(HIGHEST))


def by_words(known: Sequence[TypedPage]) -> Callable[[TypedPage], Sequence[float]]:
    names = most_frequent(known)
    examples = [labelled(page.blocks, page.shares)._replace(features=counted(page.blocks, names)) for page in known if page.blocks]
    labeller = train(examples)
    return lambda page: labeller.shares_by(counted(page.blocks, names)) if page.blocks else []


def compare(known: Sequence[TypedPage], asked: argparse.Namespace, record: Record) -> None:
    """Both ways of looking at blocks, by a network of the same make, trained on the same pages."""
    learned_from, judged = ([page for page in known if crc32(page.name.encode()) % QUARTERS == part] for part in (0, 1))
    judged += [page for name in UNTOUCHED for page in labelled_pages(asked.data, name)]
    structure = trained(learned_from)
    ways = (lambda page: structure.shares(page.blocks) or [], by_words(learned_from))
    rows: list[tuple[str | int, ...]] = []
    for kind in sorted({page.type for page in judged}):
        first, second = ([score(page, way(page))[0] for page in judged if page.type == kind] for way in ways)
        differences = [other - own for own, other in zip(first, second, strict=True)]
        means = (f"{share.value:.4f} [{share.low:.4f}, {share.high:.4f}]" for share in map(mean, (first, second, differences)))
        rows.append((kind, len(first), *means))
    headings = ("pages", "number", "what blocks are like", "tags and words", "difference")
    record.table("Text F1 by what a network looks at", headings, rows, f"Trained on {len(learned_from)} pages. With 95 % intervals.")


def write(known: Sequence[TypedPage], record: Record) -> None:
    labeller = trained(known, about={**ABOUT, "pages": len(known), "seed": SEED})
    GENERAL.write_bytes(written(labeller))
    record.figure("weights", sum(layer.weights.size + layer.bias.size for layer in labeller.layers))
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
    parser.add_argument("--words", action="store_true")
    asked = result_option(parser).parse_args()
    record = Record("The labeller", "The general labeller on pages of publishers that it never saw.")
    if asked.data.is_dir():
        known = list(labelled_pages(asked.data, WCXB))
        if asked.write:
            write(known, record)
        elif asked.words:
            compare(known, asked, record)
        else:
            measure(known, asked, record)
    else:
        record.leave_out(f"the labeller, {NOT_HERE}")
    record.end(asked.result)


if __name__ == "__main__":
    main()
