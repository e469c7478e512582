"""The labeller: trains the general model that ships, and measures it on pages of publishers that it never saw.

    python benchmarks/labeller.py --write            the model again, byte for byte on one machine: webarticlecurator/labelling/general.npz
    python benchmarks/labeller.py [--boilernet]      cross-validation over the hosts of WCXB; the other sets by the model that ships

Text F1 is that of bags of words, block F1 counts each block by its words; intervals are bootstrap over pages. `--boilernet` also trains
on BoilerNet's features, tags and words. The pages are not part of the project: without them there is nothing to do.
"""

from __future__ import annotations

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")  # numpy asks once; several threads add in another order

import argparse
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any
from zlib import crc32

from reader_score import DATA, WCXB, Meta, pages

from webarticlecurator.document.page import read_page
from webarticlecurator.labelling.general import FILE, general_labeller
from webarticlecurator.labelling.labeller import Labeller, chosen, written
from webarticlecurator.labelling.text_blocks import TextBlock, text_blocks
from webarticlecurator.labelling.training import Plan, labelled, train
from webarticlecurator.labelling.truth import shares_in
from webarticlecurator.labelling.words_and_tags import Vocabulary, vocabulary_of
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.page import Page
from webarticlecurator.urls import bare_host

FOLDS = 5
ROUNDS = 1_000
"""Of the bootstrap."""
UNTOUCHED = ("fundus", "scrapinghub", "cleanportaleval")
ABOUT = {
    "trained on": "WCXB: A Multi-Type Web Content Extraction Benchmark, development part, by M. Foley, 2026, CC BY 4.0",
    "made by": "python benchmarks/labeller.py --write",
}
WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledPage:
    """A page with its truth."""

    host: str
    type: str
    blocks: Sequence[TextBlock]
    shares: Sequence[float]
    truth: str

    @property
    def fold(self) -> int:
        return crc32(self.host.encode()) % FOLDS


def truth_of(name: str, meta: Meta) -> str:
    if name == WCXB:
        return meta["text"] or ""
    gold = meta["gold"]
    return (gold["articleBody"] or "") if "articleBody" in gold else "\n".join(block["text"] for block in gold["blocks"])


def labelled_pages(data: Path, name: str) -> Iterator[LabelledPage]:
    for meta, body in pages(data, name):
        capture = Capture(url=meta["url"], requested_url=meta["url"], status=200, headers=(), entity=body, date=datetime.now(UTC))
        page = read_page(capture, encoding=meta.get("encoding"), classified=True)
        if isinstance(page, Page) and page.tree is not None:
            blocks, truth = text_blocks(page.tree), truth_of(name, meta)
            shares = shares_in(blocks, truth)
            yield LabelledPage(host=bare_host(meta["url"]), type=meta.get("type", name), blocks=blocks, shares=shares, truth=truth)


def trained(learned_from: Sequence[LabelledPage], *, words: bool = False, about: dict[str, Any] | None = None) -> Labeller:
    vocabulary: Vocabulary | None = vocabulary_of(page.blocks for page in learned_from) if words else None
    examples = [labelled(page.blocks, page.shares, vocabulary) for page in learned_from if page.blocks]
    return Labeller(network=train(examples, Plan()), vocabulary=vocabulary, about=about or {})


# --- scoring ---


def words(texts: Sequence[str]) -> Counter[str]:
    return Counter(word for text in texts for word in WORD.findall(text.lower()))


def f1(both: float, said: float, wanted: float) -> float:
    return 2 * both / (said + wanted) if said + wanted else 1.0


def scores_of(page: LabelledPage, shares: Sequence[float]) -> tuple[float, float]:
    """Text F1 and block F1 of one page."""
    kept = chosen(shares)
    said, wanted = words([block.text for block, keep in zip(page.blocks, kept, strict=True) if keep]), words([page.truth])
    sizes = [len(WORD.findall(block.text)) for block in page.blocks]
    right = [size if share >= 0.5 else 0 for size, share in zip(sizes, page.shares, strict=True)]
    both = sum(size for size, keep in zip(right, kept, strict=True) if keep)
    of_blocks = f1(both, sum(size for size, keep in zip(sizes, kept, strict=True) if keep), sum(right))
    return f1((said & wanted).total(), said.total(), wanted.total()), of_blocks


def with_interval(values: Sequence[float]) -> str:
    draw = random.Random(1)
    means = sorted(sum(draw.choices(values, k=len(values))) / len(values) for _ in range(ROUNDS))
    return f"{sum(values) / len(values):.4f} [{means[ROUNDS // 40]:.4f}, {means[-1 - ROUNDS // 40]:.4f}]"


def print_scores(label: str, scored: Sequence[tuple[str, float, float]]) -> None:
    for kind in sorted({kind for kind, _, _ in scored}):
        text, block = ([figures[column] for of_kind, *figures in scored if of_kind == kind] for column in (0, 1))
        print(f"{label:18}{kind:18}{len(text):6}   {with_interval(text)}   {with_interval(block)}", flush=True)


def print_measured(data: Path, known: Sequence[LabelledPage], words_too: bool) -> None:
    print(f"{'':36}{'pages':>6}   {'text F1':26}{'block F1'}")
    untouched = {name: list(labelled_pages(data, name)) for name in UNTOUCHED}
    for label, by_words in (("labeller", False), ("tags and words", True))[: 1 + words_too]:
        scored: list[tuple[str, float, float]] = []
        for fold in range(FOLDS):
            labeller = trained([page for page in known if page.fold != fold], words=by_words)
            scored += [(page.type, *scores_of(page, labeller.shares(page.blocks) or [])) for page in known if page.fold == fold]
        print_scores(label, scored)
        whole = trained(known, words=True) if by_words else general_labeller()
        for unseen in untouched.values():
            print_scores(label, [(page.type, *scores_of(page, whole.shares(page.blocks) or [])) for page in unseen])
    print_scores("best possible", [(page.type, *scores_of(page, page.shares)) for page in chain(known, *untouched.values())])


def print_time(known: Sequence[LabelledPage]) -> None:
    def milliseconds(work: Callable[[LabelledPage], object]) -> float:
        begin = time.process_time()
        for page in known:
            work(page)
        return (time.process_time() - begin) / len(known) * 1000

    labeller = general_labeller()
    walk = milliseconds(lambda page: text_blocks(page.blocks[0].element.getroottree().getroot()) if page.blocks else None)
    whole = milliseconds(lambda page: labeller.shares(page.blocks))
    print(f"\nbeyond parsing: {walk:.2f} ms a page for its blocks, {whole:.2f} ms for their features and the network")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--boilernet", action="store_true")
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
    print_measured(asked.data, known, asked.boilernet)
    print_time(known)


if __name__ == "__main__":
    main()
