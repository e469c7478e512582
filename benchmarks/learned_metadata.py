"""Metadata picks as they are proposed: headline, day and authors of real articles before, after, and with the best answers of a person.

    python benchmarks/learned_metadata.py [--data DIR] [--hosts even|odd] [--worst N]

The pages of one publisher are one portal. `no answer` takes what is proposed as sure and nothing else; `best answer` takes of every
question the choice that is right on the most pages of the publisher, as a person would who sees the texts side by side. A headline is
right if it is the truth's but for case and signs; a day if it is the same at the publisher; authors if they are the same set. The pages
are not part of the project: without them there is nothing to do.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from reader_score import DATA, Meta, is_chosen, pages, score_module
from results import Record, result_option

from webarticlecurator.config.fetch_rules import FetchRules
from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import Portal
from webarticlecurator.document.page import read_page
from webarticlecurator.extraction.metadata import read_metadata
from webarticlecurator.learning.metadata import find_metadata
from webarticlecurator.learning.plain_picks import picks_of
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Proposal

SET = "fundus"
FIGURES = {"headline": "title", "datePublished": "date_day", "author": "authors"}
"""Field -> what the score calls it."""
STAGES = ("default", "no answer", "best answer")


def page_of(meta: Meta, body: bytes) -> Page | None:
    url = meta["url"]
    captured = datetime.fromisoformat(meta["crawl_date"]).replace(tzinfo=UTC) if meta.get("crawl_date") else datetime.now(UTC)
    read = read_page(Capture(url=url, requested_url=url, status=200, headers=(), entity=body, date=captured), encoding=meta.get("encoding"))
    return read if isinstance(read, Page) else None


class Scorer:
    """How right the metadata are that a portal's picks give."""

    def __init__(self, data: Path) -> None:
        self._module = score_module(data / "extraction")

    def figures(self, portal: Portal, page: Page, meta: Meta) -> dict[str, float]:
        found = read_metadata(page, portal, portal.metadata).metadata
        values = {name: [one.value for one in found.get(name, ())] for name in FIGURES}
        told: dict[str, Any] = {
            "title": next(iter(values["headline"]), ""),
            "date": next(iter(values["datePublished"]), None),
            "authors": values["author"],
            "text": "",
        }
        row = self._module.page_fundus(meta["gold"], told)
        if isinstance(row.get("authors"), tuple):
            both, ours, truth = row["authors"]
            row["authors"] = int(both == ours == truth)
        return {name: float(row[figure]) for name, figure in FIGURES.items() if row.get(figure) is not None}


def with_rules(portal: Portal, values: Mapping[str, Any]) -> Portal:
    rules: dict[str, Picks] = {}
    for name, value in values.items():
        picks = picks_of(value, f"metadata.{name}") if value is not None else None
        if picks is not None:
            rules[name] = picks
    return replace(portal, metadata={**portal.metadata, **rules})


def best(proposal: Proposal, portal: Portal, read: Sequence[tuple[Meta, Page]], scorer: Scorer) -> Any:
    """The choice that is right most often."""

    def right(value: Any) -> float:
        chosen = with_rules(portal, {proposal.name: value})
        return sum(scorer.figures(chosen, page, meta).get(proposal.name, 0.0) for meta, page in read)

    return max((choice.value for choice in proposal.choices), key=right)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--hosts", choices=("even", "odd"))
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="tell of N publishers whose headline, day or authors stay wrong")
    asked = result_option(parser).parse_args()
    record = Record(
        "Learning: headline, day and authors",
        "The pages of one publisher are one portal. Without an answer, what is proposed as sure is taken and nothing else; the best "
        "answer is that of a person who sees the texts side by side.",
    )
    if not asked.data.is_dir():
        record.leave_out("learned metadata, since the real pages are no part of the project and are not here")
        record.end(asked.result)
        return
    portals: dict[str, list[tuple[Meta, Page]]] = defaultdict(list)
    for meta, body in pages(asked.data, SET):
        page = page_of(meta, body) if is_chosen(meta, asked.hosts) else None
        if page is not None:
            portals[meta["publisher"]].append((meta, page))
    scorer = Scorer(asked.data)
    rows: dict[tuple[str, str], list[float]] = defaultdict(list)
    questions = unasked = 0
    seconds = 0.0
    for name, read in portals.items():
        host = read[0][0]["host"]
        portal = Portal(name=host, title=host, home=f"https://{host}/", language=None, timezone=ZoneInfo("UTC"), fetch=FetchRules())
        begin = time.process_time()
        proposals = find_metadata([page for _, page in read], portal).proposals
        seconds += time.process_time() - begin
        sure = {one.name: one.choices[0].value for one in proposals if one.sure}
        answers = {one.name: best(one, portal, read, scorer) for one in proposals if one.name in FIGURES}
        questions += sum(one.question is not None for one in proposals)
        unasked += len(sure)
        stages = dict(zip(STAGES, (portal, with_rules(portal, sure), with_rules(portal, {**sure, **answers})), strict=True))
        for stage, ruled in stages.items():
            for meta, page in read:
                for field, figure in scorer.figures(ruled, page, meta).items():
                    rows[stage, field].append(figure)
                    if stage == STAGES[-1] and not figure and asked.worst > 0:
                        asked.worst -= 1
                        print(f"  {name}: {field} of {meta['url'][:120]}")
    count = sum(map(len, portals.values()))
    rows_of = [(field, *(sum(rows[stage, field]) / len(rows[stage, field]) for stage in STAGES)) for field in FIGURES]
    note = f"{SET}: {count} pages of {len(portals)} publishers; {questions} questions, {unasked} rules proposed without one."
    record.table("Share of right values", ("field", *STAGES), rows_of, note)
    for field, before, after, _ in rows_of:
        record.figure(f"{field}: right without an answer, minus right before", after - before, at_least=0)
    record.figure("questions a publisher", questions / len(portals))
    record.figure("time to learn from a page", 1000 * seconds / count, "ms")
    record.end(asked.result)


if __name__ == "__main__":
    main()
