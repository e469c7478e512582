"""The labeller: trains the general model that ships, and measures it on pages of publishers that it never saw.

    OPENBLAS_NUM_THREADS=1 python benchmarks/labeller.py write
                                              the model again, byte for byte on one machine: webarticlecurator/labelling/general.npz
    python benchmarks/labeller.py alone [--words]
                                              cross-validation over the hosts of WCXB; the other sets by the model that ships
    python benchmarks/labeller.py finder      the general finder with the labeller (`body.labeller`) beside the finder without it

Text F1 is that of bags of words, block F1 counts each block by its words; intervals are bootstrap over pages. `--words` also trains on
BoilerNet's features, tags and words, in 6 GB of memory. With the finder no page is judged by a labeller that saw its host, on the other sets
neither. The pages are not part of the project: without them there is nothing to do.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch
from zlib import crc32
from zoneinfo import ZoneInfo

from reader_score import SetScore, groups_of
from reader_tools import OURS, curator
from results import Record, result_option, script_parser
from truths import DATA, NOT_HERE, WCXB, WITH_CAPTIONS, metas, page_of, pages, true_text

from webarticlecurator import Portal
from webarticlecurator.config.article_rules import BodyRules
from webarticlecurator.labelling import general
from webarticlecurator.labelling.evaluation import LabelledPage, mean, score
from webarticlecurator.labelling.general import FILE, general_labeller
from webarticlecurator.labelling.labeller import Labeller, written
from webarticlecurator.labelling.text_blocks import text_blocks
from webarticlecurator.labelling.training import Plan, labelled, train
from webarticlecurator.labelling.truth import shares_in
from webarticlecurator.labelling.words_and_tags import vocabulary_of
from webarticlecurator.urls import bare_host

FOLDS = 5
FIGURE_OF = {WCXB: "f1", "fundus": "body_f1", "scrapinghub": "f1", "cleanportaleval": "body_f1", "trafilatura": "f1"}
"""By which the finder is judged on each set."""
UNTOUCHED = ("fundus", "scrapinghub", "cleanportaleval")
ABOUT = {
    "trained on": "WCXB: A Multi-Type Web Content Extraction Benchmark, development part, by M. Foley, 2026, CC BY 4.0",
    "made by": "python benchmarks/labeller.py write",
}


def fold_of(host: str) -> int:
    """No page is judged by what saw its host."""
    return crc32(host.encode()) % FOLDS


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedPage(LabelledPage):
    """Its name is its host."""

    type: str


def labelled_pages(data: Path, name: str) -> Iterator[TypedPage]:
    for meta, body in pages(data, name):
        page = page_of(meta, body, classified=True)
        if page is not None and page.tree is not None:
            blocks, truth = text_blocks(page.tree), true_text(meta)
            shares = shares_in(blocks, truth)
            yield TypedPage(name=bare_host(meta["url"]), type=meta.get("type", name), blocks=blocks, shares=shares, text=truth)


def trained(learned_from: Sequence[TypedPage], *, words: bool = False, about: dict[str, Any] | None = None) -> Labeller:
    vocabulary = vocabulary_of(page.blocks for page in learned_from) if words else None
    examples = [labelled(page.blocks, page.shares, vocabulary) for page in learned_from if page.blocks]
    return Labeller(network=train(examples, Plan()), vocabulary=vocabulary, about=about or {})


def trained_on_others(known: Sequence[TypedPage], *, words: bool = False) -> list[Labeller]:
    """One for the pages of each fold, which it has not seen."""
    return [trained([page for page in known if fold_of(page.name) != fold], words=words) for fold in range(FOLDS)]


def write(known: Sequence[TypedPage], _: argparse.Namespace, record: Record) -> None:
    labeller = trained(known, about={**ABOUT, "pages": len(known), "seed": Plan().seed})
    FILE.write_bytes(written(labeller))
    record.figure("weights", sum(layer.weights.size + layer.bias.size for layer in labeller.network.layers))
    record.figure("size of the file", FILE.stat().st_size, "bytes")


def alone(known: Sequence[TypedPage], asked: argparse.Namespace, record: Record) -> None:
    unseen = [page for name in UNTOUCHED for page in labelled_pages(asked.data, name)]
    rows: list[tuple[str | int, ...]] = []

    def note(label: str, shares_of: Callable[[TypedPage], Sequence[float]]) -> None:
        for kind in sorted({page.type for page in chain(known, unseen)}):
            scores = [score(page, shares_of(page)) for page in chain(known, unseen) if page.type == kind]
            means = [mean([scored.text for scored in scores]), mean([scored.blocks for scored in scores])]
            rows.append((label, kind, len(scores), *(f"{share.value:.4f} [{share.low:.4f}, {share.high:.4f}]" for share in means)))

    for label, words in (("labeller", False), ("tags and words", True))[: 1 + asked.words]:
        folds, whole = trained_on_others(known, words=words), trained(known, words=True) if words else general_labeller()
        is_known = {id(page) for page in known}

        def shares(page: TypedPage, folds: list[Labeller] = folds, whole: Labeller = whole) -> Sequence[float]:
            return (folds[fold_of(page.name)] if id(page) in is_known else whole).shares(page.blocks) or []

        note(label, shares)
    note("best possible", lambda page: page.shares)
    record.table("The labeller alone", ("by", "pages", "number", "text F1", "block F1"), rows, "With 95 % intervals.")
    walk = milliseconds(known, lambda page: text_blocks(page.blocks[0].element.getroottree().getroot()) if page.blocks else None)
    record.figure("time for the blocks of a page, beyond parsing", walk, "ms")
    record.figure("time for their features and the network", milliseconds(known, lambda page: general_labeller().shares(page.blocks)), "ms")


def milliseconds(known: Sequence[TypedPage], work: Callable[[TypedPage], object]) -> float:
    begin = time.process_time()
    for page in known:
        work(page)
    return (time.process_time() - begin) / len(known) * 1000


def finder(known: Sequence[TypedPage], asked: argparse.Namespace, record: Record) -> None:
    """Figures of the reader's benchmark: the mean of each set, and the paired difference with its interval."""
    home, body = "https://any.example/", BodyRules(labeller=True)
    rules = Portal(name="any", title="any", home=home, language=None, timezone=ZoneInfo("UTC"), body=body)
    labellers, rows = trained_on_others(known), []
    with TemporaryDirectory() as temporary:
        for name, figure in FIGURE_OF.items():
            files = {OURS: Path(temporary) / f"with.{name}", "without": Path(temporary) / f"without.{name}"}
            readers = {OURS: curator(name in WITH_CAPTIONS, extends=rules), "without": curator(name in WITH_CAPTIONS)}
            lines: dict[str, list[str]] = {reader: [] for reader in readers}
            for meta, content in pages(asked.data, name):
                labeller = labellers[fold_of(bare_host(meta["url"]))]
                with patch.object(general, "general_labeller", lambda labeller=labeller: labeller):
                    for reader, predict in readers.items():
                        told = {**predict(meta, content), "id": meta["id"], "ms": 0.0}
                        lines[reader].append(json.dumps(told, default=str) + "\n")
            for reader, file in files.items():
                file.write_text("".join(lines[reader]), encoding="utf-8")
            for label, group in groups_of(name, metas(asked.data, name)):
                scored = SetScore(asked.data, name, files, group)
                gain, low, high = scored.gain("without", figure) or (0.0, 0.0, 0.0)
                without, with_labeller = (scored.figures[reader][figure] for reader in ("without", OURS))
                rows.append((label, len(group), without, with_labeller, f"{gain:+.4f} [{low:+.4f}, {high:+.4f}]"))
    record.table("The general finder with the labeller", ("set", "pages", "text F1 without", "with", "gain"), rows)


QUESTIONS = {"write": write, "alone": alone, "finder": finder}


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("question", choices=QUESTIONS)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--words", action="store_true")
    asked = result_option(parser).parse_args()
    record = Record("The labeller", "The general labeller on pages of publishers that it never saw.")
    if asked.data.is_dir():
        QUESTIONS[asked.question](list(labelled_pages(asked.data, WCXB)), asked, record)
    else:
        record.leave_out(f"the labeller, {NOT_HERE}")
    record.end(asked.result)


if __name__ == "__main__":
    main()
