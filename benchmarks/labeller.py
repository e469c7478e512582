"""The labeller: trains the general model that ships, and measures it on pages of publishers that it never saw.

    OPENBLAS_NUM_THREADS=1 python benchmarks/labeller.py --write
                                                     the model again, byte for byte on one machine: webarticlecurator/labelling/general.npz
    python benchmarks/labeller.py [--boilernet]      cross-validation over the hosts of WCXB; the other sets by the model that ships
    python benchmarks/labeller.py --time             what it costs beyond parsing, in time of the processor
    python benchmarks/labeller.py --finder           the general finder with the labeller (`body.labeller`) beside the finder without it

Text F1 is that of bags of words, block F1 counts each block by its words; intervals are bootstrap over pages. `--boilernet` also trains
on BoilerNet's features, tags and words, in 6 GB of memory. With `--finder` no page is judged by a labeller that saw its host, on the
other sets neither. `--folds DIR` keeps the labellers of the cross-validation. The pages are not part of the project: without them
there is nothing to do.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch
from zlib import crc32
from zoneinfo import ZoneInfo

from reader_score import DATA, OURS, WCXB, WITH_CAPTIONS, Meta, SetScore, curator, gains, groups_of, metas, pages

from webarticlecurator.config.article_rules import BodyRules
from webarticlecurator.config.portal import Portal
from webarticlecurator.document.page import read_page
from webarticlecurator.labelling import general
from webarticlecurator.labelling.evaluation import LabelledPage, PageScore, mean, score
from webarticlecurator.labelling.general import FILE, general_labeller
from webarticlecurator.labelling.labeller import Labeller, read, written
from webarticlecurator.labelling.text_blocks import text_blocks
from webarticlecurator.labelling.training import Plan, labelled, train
from webarticlecurator.labelling.truth import shares_in
from webarticlecurator.labelling.words_and_tags import Vocabulary, vocabulary_of
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.page import Page
from webarticlecurator.urls import bare_host

FOLDS = 5
FIGURE_OF = {WCXB: "f1", "fundus": "body_f1", "scrapinghub": "f1", "cleanportaleval": "body_f1", "trafilatura": "f1"}
"""By which the finder is judged on each set."""
UNTOUCHED = ("fundus", "scrapinghub", "cleanportaleval")
ABOUT = {
    "trained on": "WCXB: A Multi-Type Web Content Extraction Benchmark, development part, by M. Foley, 2026, CC BY 4.0",
    "made by": "python benchmarks/labeller.py --write",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedPage(LabelledPage):
    """Its name is its host."""

    type: str

    @property
    def fold(self) -> int:
        """No page is judged by what saw its host."""
        return crc32(self.name.encode()) % FOLDS


def truth_of(name: str, meta: Meta) -> str:
    if name == WCXB:
        return meta["text"] or ""
    gold = meta["gold"]
    return (gold["articleBody"] or "") if "articleBody" in gold else "\n".join(block["text"] for block in gold["blocks"])


def labelled_pages(data: Path, name: str) -> Iterator[TypedPage]:
    for meta, body in pages(data, name):
        capture = Capture(url=meta["url"], requested_url=meta["url"], status=200, headers=(), entity=body, date=datetime.now(UTC))
        page = read_page(capture, encoding=meta.get("encoding"), classified=True)
        if isinstance(page, Page) and page.tree is not None:
            blocks, truth = text_blocks(page.tree), truth_of(name, meta)
            shares = shares_in(blocks, truth)
            yield TypedPage(name=bare_host(meta["url"]), type=meta.get("type", name), blocks=blocks, shares=shares, text=truth)


def trained(learned_from: Sequence[TypedPage], *, words: bool = False, about: dict[str, Any] | None = None) -> Labeller:
    vocabulary: Vocabulary | None = vocabulary_of(page.blocks for page in learned_from) if words else None
    examples = [labelled(page.blocks, page.shares, vocabulary) for page in learned_from if page.blocks]
    return Labeller(network=train(examples, Plan()), vocabulary=vocabulary, about=about or {})


# --- scoring ---


def print_scores(label: str, scored: Sequence[tuple[str, PageScore]]) -> None:
    for kind in sorted({kind for kind, _ in scored}):
        of_kind = [one for of_kind, one in scored if of_kind == kind]
        figures = [mean([one.text for one in of_kind]), mean([one.blocks for one in of_kind])]
        told = "   ".join(f"{one.value:.4f} [{one.low:.4f}, {one.high:.4f}]" for one in figures)
        print(f"{label:18}{kind:18}{len(of_kind):6}   {told}", flush=True)


def judged(page: TypedPage, labeller: Labeller) -> tuple[str, PageScore]:
    return page.type, score(page, labeller.shares(page.blocks) or [])


def of_folds(known: Sequence[TypedPage], folder: Path | None, *, words: bool = False) -> list[Labeller]:
    """One for the pages of each fold, which it has not seen."""
    labellers: list[Labeller] = []
    for fold in range(FOLDS):
        kept = None if folder is None else folder / f"{'words' if words else 'features'}{fold}.npz"
        if kept is None or not kept.exists():
            labeller = trained([page for page in known if page.fold != fold], words=words)
            if kept is not None:
                kept.write_bytes(written(labeller))
        labellers.append(labeller if kept is None else read(kept))
    return labellers


def print_measured(data: Path, known: Sequence[TypedPage], words_too: bool, folder: Path | None) -> None:
    print(f"{'':36}{'pages':>6}   {'text F1':26}{'block F1'}")
    untouched = {name: list(labelled_pages(data, name)) for name in UNTOUCHED}
    for label, by_words in (("labeller", False), ("tags and words", True))[: 1 + words_too]:
        labellers = of_folds(known, folder, words=by_words)
        print_scores(label, [judged(page, labellers[page.fold]) for page in known])
        whole = trained(known, words=True) if by_words else general_labeller()
        for unseen in untouched.values():
            print_scores(label, [judged(page, whole) for page in unseen])
    print_scores("best possible", [(page.type, score(page, page.shares)) for page in chain(known, *untouched.values())])


def print_finder(data: Path, labellers: Sequence[Labeller]) -> None:
    """Figures of the reader's benchmark: the mean of each set, and the paired difference with its interval."""
    rules = Portal(
        name="any", title="any", home="https://any.example/", language=None, timezone=ZoneInfo("UTC"), body=BodyRules(labeller=True)
    )
    with TemporaryDirectory() as temporary:
        for name, figure in FIGURE_OF.items():
            captions = name in WITH_CAPTIONS
            without, asked = Path(temporary) / f"without.{name}", Path(temporary) / f"with.{name}"
            with without.open("w", encoding="utf-8") as file, asked.open("w", encoding="utf-8") as other:
                for meta, body in pages(data, name):
                    labeller = labellers[crc32(bare_host(meta["url"]).encode()) % FOLDS]
                    with patch.object(general, "general_labeller", lambda labeller=labeller: labeller):
                        for predict, to in ((curator(captions), file), (curator(captions, extends=rules), other)):
                            to.write(json.dumps({**predict(meta, body), "id": meta["id"], "ms": 0.0}, default=str) + "\n")
            for label, group in groups_of(name, metas(data, name), ()):
                scored = SetScore(data, name, {OURS: asked, "without": without}, group)
                figures = {tool: scored.summed(rows)[figure] for tool, rows in scored.rows.items()}
                gain, low, high = gains(scored, "without", (figure,))[figure]
                told = f"without {figures['without']:.4f}  with {figures[OURS]:.4f}  {gain:+.4f} [{low:+.4f}, {high:+.4f}]"
                print(f"{label:20}{len(group):6}  {told}", flush=True)


def print_time(known: Sequence[TypedPage]) -> None:
    def milliseconds(work: Callable[[TypedPage], object]) -> float:
        begin = time.process_time()
        for page in known:
            work(page)
        return (time.process_time() - begin) / len(known) * 1000

    labeller = general_labeller()
    walk = milliseconds(lambda page: text_blocks(page.blocks[0].element.getroottree().getroot()) if page.blocks else None)
    whole = milliseconds(lambda page: labeller.shares(page.blocks))
    told = f"{walk:.2f} ms a page for its blocks, {whole:.2f} ms for their features and the network, {walk + whole:.2f} ms together"
    print(f"\nbeyond parsing: {told}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--boilernet", action="store_true")
    parser.add_argument("--finder", action="store_true")
    parser.add_argument("--time", action="store_true")
    parser.add_argument("--folds", type=Path, metavar="DIR")
    asked = parser.parse_args()
    if not asked.data.is_dir():
        raise SystemExit(f"no pages in {asked.data}; --data says where they are")
    known = list(labelled_pages(asked.data, WCXB))
    if asked.write:
        begin = time.monotonic()
        labeller = trained(known, about={**ABOUT, "pages": len(known), "seed": Plan().seed})
        FILE.write_bytes(written(labeller))
        weights = sum(layer.weights.size + layer.bias.size for layer in labeller.network.layers)
        print(f"{FILE.name}: {weights:,} weights, {FILE.stat().st_size:,} bytes, {time.monotonic() - begin:.0f} s")
        return
    if asked.finder:
        print_finder(asked.data, of_folds(known, asked.folds))
        return
    if not asked.time:
        print_measured(asked.data, known, asked.boilernet, asked.folds)
    print_time(known)


if __name__ == "__main__":
    main()
