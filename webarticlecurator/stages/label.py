"""Joins the stages of labelling: pages whose main text is known, of a corpus by its rules or of a folder, and
labellers made of them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from zlib import crc32

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import crawled_corpus
from webarticlecurator.corpus.saved_pages import saved_page
from webarticlecurator.databases import Row
from webarticlecurator.errors import UsageError
from webarticlecurator.extraction.article_reader import read_article
from webarticlecurator.labelling.labeller import MOST_BLOCKS, Labeller, chosen, labeller_in
from webarticlecurator.labelling.text_blocks import TextBlock, shares_in, text_blocks
from webarticlecurator.labelling.training import AT_ONCE, ROUNDS, SEED, labelled, train
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.own_patterns import linear
from webarticlecurator.survey.stored_page_sample import StoredPageReader, StoredPageSample

FILE_NAME = "labeller.npz"
"""The name of the labeller's file, beside the portal file, or in the folder of the pages."""
PAGES = 300
"""The number of a corpus's pages that are learned from; of one portal, more teach no more."""
MOST_BYTES = 60_000_000
"""The most bytes of all pages together: a tree takes ten times as much memory."""
FOLDS = 5
FEWEST = 10
"""Pages from which a labeller can be trained."""
MARK = "__boilernet_label"
"""The attribute by which BoilerNet's pages say what is main text (1) and what is not (0); it holds for all
below the element."""
DRAWS = 1_000
"""The number of draws of the bootstrap."""
_WORD = linear(r"\w+")

Told = Callable[[str], None]
"""A function that hears how far it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledPage:
    """A page whose main text is known."""

    name: str
    """A file, or an address: what is of one name is never judged by what was trained on it."""
    blocks: Sequence[TextBlock]
    shares: Sequence[float]
    """The share of each block that is main text."""
    text: str
    """The main text."""


@dataclass(slots=True)
class KnownPages:
    """Pages whose main text is known, as many as there is room for, and what was left out."""

    told: Told
    pages: list[LabelledPage] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    _bytes: int = 0

    def add(self, name: str, page: Page, text: str) -> None:
        blocks = text_blocks(page.tree)
        if not 0 < len(blocks) <= MOST_BLOCKS:
            self.left_out[f"no text blocks, or more than {MOST_BLOCKS:,}"] += 1
        else:
            self.pages.append(
                LabelledPage(name=name, blocks=blocks, shares=shares_in(blocks, text), text=text)
            )
            self.told(f"{amount(len(self.pages), 'page')} read")

    def has_room(self, length: int) -> bool:
        if self._bytes + length > MOST_BYTES:
            self.left_out[f"together they have more than {MOST_BYTES // 1_000_000} MB"] += 1
            return False
        self._bytes += length
        return True

    @property
    def remarks(self) -> tuple[str, ...]:
        return tuple(
            f"{amount(count, 'page was', 'pages were')} left out: {why}"
            for why, count in self.left_out.items()
        )


def pages_of_portal(portal: Portal, *, corpus: Path | None, sample: int, told: Told) -> KnownPages:
    """Stored articles, with what the portal's rules keep of them; of every year some. Raises UsageError where
    nothing is stored."""
    known = KnownPages(told)
    chosen = StoredPageSample(crawled_corpus(portal, corpus), portal, sample)
    with closing(StoredPageReader(chosen.warc, portal)) as reader, chosen as stored:
        for stored_page in stored:
            if not known.has_room(stored_page.location.length):
                continue
            page = reader.page(stored_page)
            if isinstance(page, NoPage):
                known.left_out[page.reason] += 1
                continue
            article = read_article(
                [page],
                portal,
                id="page",
                identity=stored_page.url,
                url=stored_page.url,
                listing=stored_page.listing,
            )
            if article.outcome is PageOutcome.ARTICLE:
                known.add(stored_page.url, page, article.text)
            else:
                known.left_out[f"by the rules: {article.outcome.value}"] += 1
    return known


def pages_of_folder(folder: Path, *, told: Told) -> KnownPages:
    """Files of HTML in a folder and below it, each with its main text in a .txt file beside it, or with
    BoilerNet's marks."""
    known = KnownPages(told)
    for path in sorted(path for pattern in ("*.html", "*.htm") for path in folder.rglob(pattern)):
        if not known.has_room(path.stat().st_size):
            continue
        try:
            page = saved_page(path)
        except UsageError as problem:
            known.left_out[str(problem)] += 1
            continue
        beside = path.with_suffix(".txt")
        text = (
            beside.read_text(encoding="utf-8-sig", errors="replace")
            if beside.is_file()
            else _marked_text(page.tree)
        )
        if text is None:
            known.left_out[f"it has neither a .txt file beside it nor the mark {MARK}"] += 1
        else:
            known.add(str(path.relative_to(folder)), page, text)
    return known


def _marked_text(tree: Element | None) -> str | None:
    """Return what stands in elements that are marked as main text, in order; None where nothing is marked."""
    if tree is None or next(tree.iterfind(f".//*[@{MARK}]"), None) is None:
        return None
    pieces: list[str] = []
    marked = [tree.get(MARK) == "1"]
    for event, element in etree.iterwalk(tree, events=("start", "end")):
        if event == "start":
            mark = element.get(MARK)
            marked.append(marked[-1] if mark is None else mark == "1")
            text = element.text
        else:
            marked.pop()
            text = element.tail
        if marked[-1] and text:
            pieces.append(text)
    return " ".join(pieces)


def trained(pages: Sequence[LabelledPage], *, told: Told, source: str) -> Labeller:
    """A labeller for pages like these."""
    examples = [labelled(page.blocks, page.shares) for page in pages]
    at_once = 4 if len(pages) < 100 else AT_ONCE
    rounds = min(
        max(ROUNDS, -(-300 * at_once // len(pages))), 100
    )  # at least 300 steps of training: of few pages each is seen more often
    labeller = train(
        examples,
        rounds=rounds,
        at_once=at_once,
        told=lambda done, loss: told(f"round {done} of {rounds}, loss {loss:.3f}"),
    )
    about = {"trained on": source, "pages": len(pages), "seed": SEED, "rounds": rounds}
    return replace(labeller, about=about)


def score(page: LabelledPage, shares: Sequence[float]) -> tuple[float, float]:
    """Return what a labeller's shares make of a page: F1 of the words that were chosen, and of the blocks,
    each as heavy as it is long."""
    kept, right = chosen(shares), [share >= 0.5 for share in page.shares]
    said, wanted = (
        _words(block.text for block, keep in zip(page.blocks, kept, strict=True) if keep),
        _words([page.text]),
    )
    sizes = [len(_WORD.findall(block.text)) for block in page.blocks]
    both = sum(size for size, keep, is_text in zip(sizes, kept, right, strict=True) if keep and is_text)
    of_blocks = sum(size * (keep + is_text) for size, keep, is_text in zip(sizes, kept, right, strict=True))
    return _f1((said & wanted).total(), said.total() + wanted.total()), _f1(both, of_blocks)


def mean(values: Sequence[float]) -> Row:
    """Return a mean with its 95 % interval, by bootstrap over the values; the same for the same ones."""
    draw = random.Random(1)
    means = sorted(sum(draw.choices(values, k=len(values))) / len(values) for _ in range(DRAWS))
    return Row(value=sum(values) / len(values), low=means[DRAWS // 40], high=means[-1 - DRAWS // 40])


def _words(texts: Iterable[str]) -> Counter[str]:
    return Counter(word for text in texts for word in _WORD.findall(text.lower()))


def _f1(both: int, of_two: int) -> float:
    return 2 * both / of_two if of_two else 1.0


def evaluated(known: KnownPages, *, source: str) -> list[Row]:
    """Return how well the text of pages is told by the general labeller, and by one that is trained on the
    pages themselves: each page is judged by one that did not see it."""

    def scores(labeller: Labeller, pages: Sequence[LabelledPage]) -> list[tuple[float, float]]:
        return [score(page, labeller.shares(page.blocks) or []) for page in pages]

    own: list[tuple[float, float]] = []
    for fold in range(FOLDS):
        unseen = [page for page in known.pages if crc32(page.name.encode()) % FOLDS == fold]
        others = [page for page in known.pages if crc32(page.name.encode()) % FOLDS != fold]
        if unseen:
            known.told(f"part {fold + 1} of {FOLDS}")
            own += scores(trained(others, told=known.told, source=source), unseen)
    judged = {"general labeller": scores(labeller_in(), known.pages), "trained on the other pages": own}
    means = ((name, map(mean, zip(*pairs, strict=True))) for name, pairs in judged.items())
    return [Row(name=name, text=text, blocks=blocks) for name, (text, blocks) in means]
