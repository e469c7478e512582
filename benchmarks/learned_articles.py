"""What is learned of the pages of articles: metadata and bodies (`learned.py`)."""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import yaml
from processes import environment, run
from results import Record
from tags import PORTALS, WORKSHOP, body_f1
from truths import NOT_HERE, ROOT, Meta, curator_lines, is_chosen, page_of, pages, score_module, text_f1

sys.path.insert(0, str(ROOT))

from webarticlecurator import Outcome, Portal, load_portal
from webarticlecurator.config.article_rules import PostKind
from webarticlecurator.config.expectations import load_expectations
from webarticlecurator.config.fetch_rules import FetchRules
from webarticlecurator.extraction.metadata import read_metadata
from webarticlecurator.learning.bodies import Teacher, find_bodies, truths_in
from webarticlecurator.learning.element_selectors import picks_of
from webarticlecurator.learning.field_rules import find_metadata
from webarticlecurator.learning.lines_to_write import learned_file
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Plain, Proposal

# --- metadata ---

METADATA_SET = "fundus"
FIELDS = {"headline": "title", "datePublished": "date_day", "author": "authors"}
"""Field -> what the score calls it."""
CONFIRMED = ("default", "one page confirmed")


def right_fields(data: Path, portal: Portal, page: Page, meta: Meta) -> dict[str, float]:
    """How right the metadata are that a portal's picks give."""
    read = read_metadata(page, portal, portal.metadata).metadata
    values = {name: [found.value for found in read.get(name, ())] for name in FIELDS}
    told = {"title": next(iter(values["headline"]), ""), "date": next(iter(values["datePublished"]), None)}
    row = score_module(data / "extraction").page_fundus(meta["gold"], {**told, "authors": values["author"], "text": ""})
    if isinstance(row.get("authors"), tuple):
        both, ours, truth = row["authors"]
        row["authors"] = int(both == ours == truth)
    return {name: float(row[figure]) for name, figure in FIELDS.items() if row.get(figure) is not None}


def with_metadata(portal: Portal, values: Mapping[str, Plain]) -> Portal:
    rules = {name: picks_of(value, f"metadata.{name}") for name, value in values.items() if value is not None}
    return replace(portal, metadata={**portal.metadata, **{name: picks for name, picks in rules.items() if picks is not None}})


def metadata(asked: argparse.Namespace, record: Record) -> None:
    if not asked.data.is_dir():
        record.leave_out(f"learned metadata, {NOT_HERE}")
        return
    portals: dict[str, list[tuple[Meta, Page]]] = defaultdict(list)
    for meta, body in pages(asked.data, METADATA_SET):
        page = page_of(meta, body) if is_chosen(meta, asked.hosts) else None
        if page is not None:
            portals[meta["publisher"]].append((meta, page))
    rights: dict[tuple[str, str], list[float]] = defaultdict(list)
    several = [read for read in portals.values() if len(read) > 1]
    learned, pages_read, seconds = 0, 0, 0.0
    for read in several:
        host = read[0][0]["host"]
        portal = Portal(name=host, title=host, home=f"https://{host}/", language=None, timezone=ZoneInfo("UTC"), fetch=FetchRules())
        begin = time.process_time()
        confirmed = {read[0][1].requested_url: truth_of(read[0][0]["gold"])}
        proposed = find_metadata([page for _, page in read], portal, confirmed=confirmed).proposals
        seconds += time.process_time() - begin
        learned, pages_read = learned + len(proposed), pages_read + len(read)
        ruled = with_metadata(portal, {proposal.name: proposal.choices[0].value for proposal in proposed})
        for stage, rules in zip(CONFIRMED, (portal, ruled), strict=True):
            for meta, page in read[1:]:
                for field, is_right in right_fields(asked.data, rules, page, meta).items():
                    rights[stage, field].append(is_right)
                    if asked.show and stage == CONFIRMED[-1] and not is_right:
                        print(f"  {field} of {meta['url'][:120]}")
    rows = [(field, *(statistics.fmean(rights[stage, field]) for stage in CONFIRMED)) for field in FIELDS]
    note = f"{METADATA_SET}: {pages_read - len(several)} other pages of {len(several)} publishers; {learned} rules learned."
    record.table("Share of right values", ("field", *CONFIRMED), rows, note)
    for field, before, after in rows:
        record.figure(f"{field}: right after one page, minus right before", after - before, at_least=0)
    record.figure("time to learn from a page", 1000 * seconds / pages_read, "ms")


def truth_of(gold: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """What a person confirms of a page, who knows its truth."""
    values = {"headline": gold.get("title"), "datePublished": gold.get("date"), "author": gold.get("authors")}
    return {name: (value,) if isinstance(value, str) else tuple(value) for name, value in values.items() if value}


# --- bodies ---

WITH_HEADLINE = "cleanportaleval"
BODY_SETS = f"{WITH_HEADLINE},scrapinghub,fundus"
CORRECTED_TARGET = 0.972
"""On second pages of scrapinghub, after one corrected page."""
TRAFILATURA = "trafilatura"


@dataclass(frozen=True)
class Article:
    meta: Meta
    page: Page

    @property
    def tests_yaml(self) -> bytes:
        """What a person writes of a page that they have looked at: its paragraphs, without the headline, where that is the first line."""
        gold = self.meta["gold"]
        texts = [gold["articleBody"]] if "articleBody" in gold else [block["text"] for block in gold["blocks"]]
        lines = [" ".join(line.split()) for text in texts for line in text.split("\n") if line.strip()]
        paragraphs = lines[1:] if self.meta.get("portal") else lines
        expect = {"contains": paragraphs, "paragraphs": len(paragraphs)}
        return bytes(yaml.safe_dump([{"url": self.page.requested_url, "expect": expect}], allow_unicode=True), "utf-8")


def articles_by_host(data: Path, name: str, hosts: str | None = None) -> dict[str, list[Article]]:
    """Of hosts with several pages that can be read."""
    found: dict[str, list[Article]] = defaultdict(list)
    for meta, body in pages(data, name):
        page = page_of({**meta, "crawl_date": None}, body) if is_chosen(meta, hosts) else None
        if page is not None:
            found[meta.get("portal") or meta["host"]].append(Article(meta, page))
    return {host: articles for host, articles in sorted(found.items()) if len(articles) > 1}


def body_score(data: Path, name: str, portal: Portal, article: Article) -> float:
    """F1 of the words of the body; with the headline where the truth has it."""
    read = Teacher(portal, {}).read(article.page)
    lines: list[str] = []
    if read.outcome is Outcome.ARTICLE:
        posts = (post for post in read.posts if post.kind != PostKind.COMMENTS)
        own = [*read.blocks, *(block for post in posts for block in post.blocks)]
        lines = [read.title or ""] if name == WITH_HEADLINE else []
        lines += [text for _, text in curator_lines(own, captions=name == WITH_HEADLINE)]
    return text_f1(data, "\n".join(lines), article.meta)


@dataclass(frozen=True)
class Learned:
    portal: Portal
    """By the file in which what is sure was written."""
    proposals: tuple[Proposal, ...]
    seconds: float


def learned_bodies(portal: Portal, articles: Sequence[Article], *, corrected: Article | None = None) -> Learned:
    truths = truths_in(load_expectations(Path("tests.yaml"), corrected.tests_yaml)) if corrected is not None else {}
    begin = time.process_time()
    found = find_bodies([article.page for article in articles], truths, portal=portal).proposals
    seconds = time.process_time() - begin
    return Learned(learned_file(portal, found, {}).portal_after, found, seconds)


def note_set(asked: argparse.Namespace, name: str, theirs: Mapping[str, str], record: Record) -> Iterator[tuple[Any, ...]]:
    """One row without labels, one after a corrected page; beside the general finder, and trafilatura where it is there."""
    scores: dict[str, list[tuple[float, ...]]] = {"no label": [], "one corrected page": []}
    seconds, read = 0.0, 0
    for host, articles in articles_by_host(asked.data, name, asked.hosts).items():
        lines = {"portal": "portal", "title": host, "home": f"http://{host.partition('_')[0]}/"}
        portal = load_portal(Path("portal.yaml"), content=yaml.safe_dump(lines).encode())
        without = [body_score(asked.data, name, portal, article) for article in articles]
        other = [text_f1(asked.data, theirs.get(article.meta["id"], ""), article.meta) for article in articles]
        for stage, corrected in (("no label", None), ("one corrected page", articles[0])):
            learned = learned_bodies(portal, articles, corrected=corrected)
            seconds, read = seconds + learned.seconds, read + len(articles)
            after = [body_score(asked.data, name, learned.portal, article) for article in articles]
            scores[stage] += list(zip(without, after, other, strict=True))[corrected is not None :]
            if asked.show and learned.portal.sources != portal.sources:
                print(f"{host}, {stage}: {statistics.fmean(without):.4f} to {statistics.fmean(after):.4f}")
                print("    " + learned.portal.sources[0].content.decode().replace("\n", "\n    "))
    for stage, several in scores.items():
        before, after, other_f1 = (statistics.fmean(column) for column in zip(*several, strict=True))
        better, worse = (sum(sign * (new - old) > 0.0005 for old, new, _ in several) for sign in (1, -1))
        if stage == "no label" and name != "fundus" and theirs:
            record.figure(f"{name}: text F1 after learning without a label, minus trafilatura's", after - other_f1, at_least=0)
        if stage != "no label" and name == "scrapinghub":
            record.figure(f"{name}: text F1 of other pages after one corrected page", after, at_least=CORRECTED_TARGET)
        yield name, stage, len(several), before, after, better, worse, other_f1 if theirs else None
    record.figure(f"{name}: time to learn from a page", 1000 * seconds / read, "ms")


def texts_of_trafilatura(data: Path, name: str, python: Path) -> Mapping[str, str]:
    """Its text of each page; for the set with headlines, with the one that it found."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "predictions.jsonl"
        run([python, Path(__file__).with_name("reader_tools.py"), TRAFILATURA, name, out, "--data", data], env={"PYTHONPATH": str(ROOT)})
        told = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    titles = name == WITH_HEADLINE
    return {page["id"]: "\n".join([page.get("title") or "", page["text"]] if titles else [page["text"]]) for page in told}


def of_workshop(data: Path, record: Record) -> Iterator[tuple[Any, ...]]:
    for name, file in PORTALS.items():
        portal = load_portal(WORKSHOP / "without-rules" / file)
        articles = articles_by_host(data, WITH_HEADLINE)[name]
        learned = learned_bodies(portal, articles, corrected=articles[0])
        portals = (portal, learned.portal, load_portal(WORKSHOP / file))
        before, after, by_hand = (body_f1(data, name, ruled) for ruled in portals)
        record.figure(f"workshop, {name}: text F1 after one corrected page, minus before", after - before, at_least=0)
        yield name, before, after, by_hand


def bodies(asked: argparse.Namespace, record: Record) -> None:
    if not asked.data.is_dir():
        record.leave_out(f"learned rules for bodies, {NOT_HERE}")
        return
    tools = None if asked.ours_only else environment("readers", record)
    record.versions.update({} if tools is None else {TRAFILATURA: tools.version(TRAFILATURA)})
    rows = []
    for name in (asked.sets or BODY_SETS).split(","):
        rows += note_set(asked, name, texts_of_trafilatura(asked.data, name, tools.python) if tools else {}, record)
    headings = ("set", "stage", "pages", "text F1 without rules", "text F1 learned", "pages better", "pages worse", "trafilatura")
    record.table("Text F1 of bodies", headings, rows)
    if asked.hosts is None:
        columns = ("portal", "no rules", "one corrected page", "by hand")
        record.table("The two portals of the workshop", columns, of_workshop(asked.data, record))
