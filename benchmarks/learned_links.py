"""Links to articles: how often the rules that are found in archive pages alone give exactly the right ones.

python benchmarks/learned_links.py [--data DIR] [--one-page] [--hosts even|odd] [--verbose]
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from webarticlecurator.document.page import read_page
from webarticlecurator.learning.links import LinkFindings, find_links
from webarticlecurator.model.capture import Request
from webarticlecurator.model.page import Page
from webarticlecurator.urls import normalise
from webarticlecurator.warc.source import WarcSource

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"
MOST_EXAMPLES = 5
FIGURES = {"exact": 1, "among the best three": 2, "with an example": 3}


@dataclass(frozen=True)
class Case:
    portal: str
    page: Page
    expected: frozenset[str]


def recorded(data: Path) -> Iterator[Case]:
    place = data / "archive-pages"
    if not place.is_dir():
        return
    source = WarcSource([place / "pages.warc.gz"], on_damage=print)
    for line in (place / "cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case["kind"] == "article_urls":
            capture = source.fetch(Request(url=case["page_url"])).capture
            if capture is None:
                continue
            is_json = capture.entity.lstrip()[:1] in (b"{", b"[")
            page = read_page(capture, format="json" if is_json else "html")
            if isinstance(page, Page):
                yield Case(case["portal"], page, frozenset(normalise(url) for url in case["expected"]))
    source.close()


def sets_of(findings: LinkFindings, page: Page) -> list[frozenset[str]]:
    return [findings.links_of(page, number) for number in range(len(findings.rules))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--one-page", action="store_true", help="each page alone, as if the portal had no other")
    parser.add_argument("--verbose", action="store_true")
    asked = parser.parse_args()
    cases = list(recorded(asked.data))
    if not cases:
        print(f"{asked.data} has no archive pages: nothing to do")
        return 0
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(case.page.url if asked.one_page else case.portal, []).append(case)
    rows = []
    for group in groups.values():
        begun = time.perf_counter()
        pages = [case.page for case in group]
        findings = find_links(pages)
        took = time.perf_counter() - begun
        for case in group:
            sets = sets_of(findings, case.page)
            examples = sorted(case.expected)
            step = max(1, len(examples) // MOST_EXAMPLES)
            hits = [
                sets_of(find_links(pages, examples=[url]), case.page)[:1] == [case.expected] for url in examples[::step][:MOST_EXAMPLES]
            ]
            row = (case.portal, sets[:1] == [case.expected], case.expected in sets[:3], statistics.mean(hits), took)
            rows.append(row)
            if asked.verbose:
                print(f"{case.page.url[:60]:62}{row[1]!s:6}{row[2]!s:6}{row[3]:.2f} {took:.2f}s")
                if not row[1]:
                    for rule, found in zip(findings.rules, sets, strict=True):
                        more, less = found - case.expected, case.expected - found
                        print(f"    {rule.link!s:60} {rule.score} +{len(more)} -{len(less)}", *sorted(more)[:2], *sorted(less)[:2])
    for half in (None, 0, 1):
        own = [row for row in rows if half is None or crc32(row[0].encode()) % 2 == half]
        if own:
            title = "all portals" if half is None else f"half {half + 1}"
            figures = ", ".join(f"{name} {statistics.mean(row[at] for row in own):.3f}" for name, at in FIGURES.items())
            print(f"{title}: {len(own)} pages: {figures}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
