"""What the reading of one page costs, beside parsing it once, and an element.

  python benchmarks/page_cost.py [--pages 120] [--rounds 3] [--sets fundus,wcxb,trafilatura]

`extract` reads pages of truth sets in a process of its own a round, and each is parsed once by the parser that it is read with; of two
readings the second counts, as in a crawl or a build that is under way. Parses are the goal, since machines differ; but they fall with the
scripts of a page, which cost a parse and no reading. So microseconds an element are told, too.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from lxml import etree
from processes import run
from results import Record, result_option, script_parser
from truths import DATA, NOT_HERE, body_of, capture_of, metas

from webarticlecurator import extract

MOST_PARSES = {"fundus": 7.0}
"""Parses that the reading of a page may cost."""
WHY_PARSES = (
    "The reading costs 12 to 19 calls of Python an element, which are spread evenly over metadata, outline, blocks and walk; no step is "
    "superlinear, and none is known that could go without another text or another value."
)


class Cost(NamedTuple):
    """Of the pages of one set, in one round."""

    pages: int
    elements: int
    parsed: float
    """Seconds of CPU."""
    read: float


def cost_of(name: str, data: Path, most: int) -> Cost:
    """Parse and read some pages of a set, evenly spread."""
    known = metas(data, name)
    elements, parsed, read, pages = 0, 0.0, 0.0, known[:: max(1, len(known) // most)][:most]
    for meta in pages:
        capture = capture_of(meta, body_of(data, name, meta))
        parser: Any = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, collect_ids=False)
        tree = etree.fromstring(capture.entity, parser)
        elements += sum(1 for _ in tree.iter("*")) if tree is not None else 0
        parsed += min(_seconds(lambda: etree.fromstring(capture.entity, parser)) for _ in range(2))  # noqa: B023 - it is called at once
        read += min(_seconds(lambda: extract(capture)) for _ in range(2))  # noqa: B023
    return Cost(len(pages), elements, parsed, read)


def _seconds(work: Callable[[], object]) -> float:
    begun = process_time()
    work()
    return process_time() - begun


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--pages", type=int, default=120, help="of each set (default 120)")
    parser.add_argument("--rounds", type=int, default=3, help="default 3")
    parser.add_argument("--sets", default="fundus,wcxb,trafilatura", help="with commas between")
    parser.add_argument("--one", metavar="SET", help="one round of one set, in this process; prints what it cost")
    asked = result_option(parser).parse_args()
    if asked.one:
        print(json.dumps(cost_of(asked.one, asked.data, asked.pages)))
        return
    record = Record(
        "Reading: one page", "Pages of truth sets are read by `extract` without a portal file, in a process of its own a round."
    )
    if not asked.data.is_dir():
        record.leave_out(f"reading pages, {NOT_HERE}")
    rows = []
    for name in asked.sets.split(",") if asked.data.is_dir() else ():
        command = [sys.executable, __file__, "--one", name, "--pages", str(asked.pages), "--data", asked.data]
        costs = [Cost(*json.loads(run(command).output)) for _ in range(asked.rounds)]
        least = min(costs, key=lambda cost: cost.read)
        rows.append((name, least.pages, least.elements / least.pages, 1000 * least.parsed / least.pages, 1000 * least.read / least.pages))
        wanted = {"at_most": MOST_PARSES[name], "why": WHY_PARSES} if name in MOST_PARSES else {}
        record.of_rounds(f"{name}: reading / one parse", [cost.read / cost.parsed for cost in costs], **wanted)
        record.of_rounds(f"{name}: reading, an element", [1e6 * cost.read / cost.elements for cost in costs], "µs")
    record.table("Of the best round", ("set", "pages", "elements a page", "ms a parse", "ms a reading"), rows)
    record.end(asked.result)


if __name__ == "__main__":
    main()
