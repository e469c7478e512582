"""Rules for bodies as they are learned: the text of real articles before and after, without any label, and after one corrected page.

    python benchmarks/learned_bodies.py [--data DIR] [--hosts even|odd] [--ours-only] [--rules]

The pages of one host are one portal, whose file says nothing but what it is. All is learned from these pages, written into the file by the
editor that `curator learn --write` uses, and read through that file. `no label`: the rules that are sure, nothing is answered; all pages.
`one corrected page`: what a person would write into tests.yaml of the first page, its paragraphs, is taken as truth; only the other pages
are scored. Body F1 is that of words, the mean over pages; with the headline where the truth has it. `--rules` prints what was written.
The workshop: the two portals of docs/tutorials/workshop.md, scored as `workshop_score.py` does; `answered` after five questions at most,
each of them answered by somebody who knows the truth of all pages. The pages are not part of the project: without them there is
nothing to do.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import yaml
from processes import environment, run
from reader_score import DATA, ROOT, TRAFILATURA, Meta, curator_lines, is_chosen, pages, score_module
from results import Record, result_option
from workshop_score import PORTALS, RULES, body_f1

from webarticlecurator.config.expectations import parse_expectations
from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.document.page import read_page
from webarticlecurator.learning.answers import learned_file
from webarticlecurator.learning.bodies import find_bodies, truths_in
from webarticlecurator.learning.bodies.reading import Reader
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Proposal

WITH_HEADLINE = "cleanportaleval"
SETS = (WITH_HEADLINE, "scrapinghub", "fundus")
MOST_ANSWERS = 5
CORRECTED_TARGET = 0.972
"""On second pages of scrapinghub, after one corrected page."""
BY_HAND = {"bbc.yaml": 0.9765, "brussels.yaml": 0.9988}
"""What a person reached in the workshop when it was written."""
Row = tuple[str, str, int, float, float, int, int, float | None]


@dataclass(frozen=True)
class Article:
    meta: Meta
    page: Page

    @property
    def truth(self) -> list[str]:
        gold = self.meta["gold"]
        return [gold["articleBody"]] if "articleBody" in gold else [block["text"] for block in gold["blocks"]]

    @property
    def paragraphs(self) -> list[str]:
        """What a person expects of the body: without the headline, where that is the first line."""
        lines = [" ".join(line.split()) for text in self.truth for line in text.split("\n") if line.strip()]
        return lines[1:] if self.meta.get("portal") else lines


def portals_of(data: Path, name: str, hosts: str | None) -> Iterator[tuple[str, list[Article]]]:
    """Those with several pages that can be read."""
    found = defaultdict(list)
    for meta, body in pages(data, name):
        url = meta["url"]
        capture = Capture(url=url, requested_url=url, status=200, headers=(), entity=body, date=datetime(2024, 1, 1, tzinfo=UTC))
        page = read_page(capture, encoding=meta.get("encoding"))
        if is_chosen(meta, hosts) and isinstance(page, Page):
            found[meta.get("portal") or meta["host"]].append(Article(meta, page))
    return ((host, articles) for host, articles in sorted(found.items()) if len(articles) > 1)


class Scorer:
    """How near a text is to the truth."""

    def __init__(self, data: Path, name: str) -> None:
        self._module = score_module(data / "extraction")
        self._with_headline = name == WITH_HEADLINE

    def of(self, text: str, meta: Meta) -> float:
        gold = meta["gold"].get("articleBody") or "\n".join(block["text"] for block in meta["gold"]["blocks"])
        return float(self._module.prf(*self._module.bag(self._module.tokens(text), self._module.tokens(gold)))[2])

    def ours(self, portal: Portal, article: Article) -> float:
        read = Reader(portal, {}).read(article.page).article
        if read.outcome is not PageOutcome.ARTICLE:
            return self.of("", article.meta)
        own = [*read.blocks, *(block for post in read.own_posts for block in post.blocks)]
        lines = [text for _, text in curator_lines(own, captions=self._with_headline)]
        return self.of("\n".join([read.title or "", *lines] if self._with_headline else lines), article.meta)


def portal_of(host: str, folder: Path) -> Portal:
    """Its file says what it is, and nothing else."""
    path = folder / host.replace("/", "_") / "portal.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(yaml.safe_dump({"portal": "portal", "title": host, "home": f"http://{host.partition('_')[0]}/"}), encoding="utf-8")
    return load_portal(path)


def tests_yaml(article: Article) -> bytes:
    """What a person writes of a page that they have looked at: its paragraphs."""
    expect = {"contains": article.paragraphs, "paragraphs": len(article.paragraphs)}
    return bytes(yaml.safe_dump([{"url": article.page.requested_url, "expect": expect}], allow_unicode=True), "utf-8")


def learned(portal: Portal, articles: Sequence[Article], *, corrected: Article | None = None) -> Learned:
    """What is learned, and the portal by the file in which it was written."""
    truths = truths_in(parse_expectations(tests_yaml(corrected), Path("tests.yaml"))) if corrected is not None else ()
    begin = time.process_time()
    found = find_bodies([one.page for one in articles], truths, portal=portal)
    seconds = time.process_time() - begin
    return Learned(learned_file(portal, found.learned.proposals, {}).portal_after, found.learned.proposals, seconds)


@dataclass(frozen=True)
class Learned:
    portal: Portal
    proposals: tuple[Proposal, ...]
    seconds: float


# --- the sets ---


def note_set(data: Path, name: str, hosts: str | None, theirs: Mapping[str, str], record: Record, *, rules: bool) -> Iterator[Row]:
    """One row without labels, one after a corrected page; beside the general finder, and trafilatura where it is there."""
    scorer = Scorer(data, name)
    rows: dict[str, list[tuple[float, ...]]] = {"no label": [], "one corrected page": []}
    seconds, read = 0.0, 0
    with tempfile.TemporaryDirectory() as folder:
        for host, articles in portals_of(data, name, hosts):
            portal = portal_of(host, Path(folder))
            without = [scorer.ours(portal, one) for one in articles]
            other = [scorer.of(theirs.get(one.meta["id"], ""), one.meta) for one in articles]
            for label, corrected in (("no label", None), ("one corrected page", articles[0])):
                found = learned(portal, articles, corrected=corrected)
                seconds, read = seconds + found.seconds, read + len(articles)
                after = [scorer.ours(found.portal, one) for one in articles]
                rows[label] += list(zip(without, after, other, strict=True))[corrected is not None :]
                if rules and found.portal.sources != portal.sources:
                    print(f"{host}, {label}: {statistics.fmean(without):.4f} to {statistics.fmean(after):.4f}")
                    print("    " + found.portal.sources[0].content.decode().replace("\n", "\n    "))
    for label, scores in rows.items():
        means = [statistics.fmean(column) for column in zip(*scores, strict=True)]
        better, worse = (sum(sign * (after - before) > 0.0005 for before, after, _ in scores) for sign in (1, -1))
        other_f1 = means[2] if theirs else None
        if label == "no label" and name != "fundus" and other_f1 is not None:
            record.figure(f"{name}: text F1 after learning without a label, minus trafilatura's", means[1] - other_f1, at_least=0)
        if label != "no label" and name == "scrapinghub":
            record.figure(f"{name}: text F1 of other pages after one corrected page", means[1], at_least=CORRECTED_TARGET)
        yield name, label, len(scores), means[0], means[1], better, worse, other_f1
    record.figure(f"{name}: time to learn from a page", 1000 * seconds / read, "ms")


def texts_of_trafilatura(data: Path, name: str, python: Path | None, folder: Path) -> Mapping[str, str]:
    """Its text of each page; for the set with headlines, with the one that it found."""
    if python is None:
        return {}
    out = folder / f"{name}.jsonl"
    script = Path(__file__).with_name("reader_score.py")
    run([python, script, "--data", data, "--predict", TRAFILATURA, name, out], env={"PYTHONPATH": str(ROOT)})
    told = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    return {one["id"]: "\n".join([one.get("title") or "", one["text"]] if name == WITH_HEADLINE else [one["text"]]) for one in told}


# --- the workshop ---


def note_workshop(data: Path, record: Record) -> Iterator[tuple[str, float, float, float, int, float]]:
    for name, file in PORTALS.items():
        portal = load_portal(RULES / "without-rules" / file)
        articles = next(articles for host, articles in portals_of(data, WITH_HEADLINE, None) if host == name)
        begin, after = (body_f1(data, name, one) for one in (portal, learned(portal, articles).portal))
        answers, best = answered(portal, articles, Scorer(data, WITH_HEADLINE))
        answered_f1, by_hand = (body_f1(data, name, one) for one in (best, load_portal(RULES / file)))
        record.figure(f"workshop, {name}: text F1 after {len(answers)} answers", answered_f1, at_least=BY_HAND[file])
        yield name, begin, after, answered_f1, len(answers), by_hand


def answered(portal: Portal, articles: Sequence[Article], scorer: Scorer) -> tuple[Mapping[str, int], Portal]:
    """The questions whose best answer brings most, and the portal after them."""

    def score(one: Portal) -> float:
        return statistics.fmean(scorer.ours(one, article) for article in articles)

    found = learned(portal, articles)
    answers: dict[str, int] = {}
    best, best_score = found.portal, score(found.portal)
    questions = [one for one in found.proposals if not one.sure]
    while len(answers) < MOST_ANSWERS:
        tries = [
            (score(after), one.name, number, after)
            for one in questions
            if one.name not in answers
            for number in range(1, len(one.choices) + 1)
            for after in [learned_file(portal, found.proposals, {**answers, one.name: number}).portal_after]
        ]
        if not tries or (top := max(tries, key=lambda one: (round(one[0], 6), one[1], -one[2])))[0] <= best_score + 1e-6:
            break
        best_score, best = top[0], top[3]
        answers[top[1]] = top[2]
    return answers, best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--hosts", choices=("even", "odd"))
    parser.add_argument("--ours-only", action="store_true")
    parser.add_argument("--rules", action="store_true")
    asked = result_option(parser).parse_args()
    record = Record(
        "Learning: rules for bodies",
        "The pages of one host are one portal, whose file says nothing but what it is. `curator learn` proposes rules from these pages; "
        "what is sure is written, and the pages are read by it. After one corrected page, only the others are scored.",
    )
    if asked.data.is_dir():
        tools = None if asked.ours_only else environment("readers", record)
        record.versions.update({} if tools is None else {TRAFILATURA: tools.version(TRAFILATURA)})
        with tempfile.TemporaryDirectory() as folder:
            rows = []
            for name in SETS:
                theirs = texts_of_trafilatura(asked.data, name, tools.python if tools else None, Path(folder))
                rows += note_set(asked.data, name, asked.hosts, theirs, record, rules=asked.rules)
        headings = ("set", "stage", "pages", "text F1 without rules", "text F1 learned", "pages better", "pages worse", "trafilatura")
        record.table("Text F1 of bodies", headings, rows)
        if asked.hosts is None:
            columns = ("portal", "no rules", "learned", "answered", "answers", "by hand")
            record.table("The two portals of the workshop", columns, note_workshop(asked.data, record))
    else:
        record.leave_out("learned rules for bodies, since the real pages are no part of the project and are not here")
    record.end(asked.result)


if __name__ == "__main__":
    main()
