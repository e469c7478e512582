"""How often is what `curator tags` suggests what a person decided?

    python benchmarks/tag_suggestions.py [--articles 200] [--data DIR] [--wrong]

Every rule of a portal file is taken away by itself, and what is then suggested for its tags (or, without a suggestion, decided by farther
rules) is compared with what it said: of the example portal, and of the portals in site_configs/ with the article pages in the data, if
these are there. `--wrong` lists where they differ.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from reader_score import DATA, ROOT

sys.path.append(str(ROOT / "tests" / "support"))

from crawling import crawling

from webarticlecurator import corpus_survey
from webarticlecurator.config.article_rules import BodyRules
from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.tag_dictionary import TagRule
from webarticlecurator.survey.inventory.assembling import inventory_of
from webarticlecurator.survey.inventory.results import Decider, TagRow
from webarticlecurator.survey.inventory.tag_question import TagQuestion


@dataclass(frozen=True, slots=True)
class Verdict:
    """One tag that a rule decided."""

    row: TagRow
    suggested: str
    evidence: tuple[str, ...]
    is_suggestion: bool
    """False: nothing was suggested; farther rules decide."""

    @property
    def is_right(self) -> bool:
        return self.suggested == self.row.decided.operation


def verdicts(portal: Portal, warcs: list[Path]) -> Iterator[Verdict]:
    """Of all tags that the portal's own rules decide."""
    decided = [row for row in rows(portal, warcs) if row.decided.decider is Decider.PORTAL]
    for rule in own_rules(portal):
        ruled = [row for row in decided if row.decided.rule.startswith(f"{rule.source} ") and rule_names(row, rule)]
        if not ruled:
            continue
        without = {(row.tag, row.decided.condition): row for row in rows(without_rule(portal, rule), warcs)}
        for row in ruled:
            left = without.get((row.tag, "")) or without.get((row.tag, row.decided.condition))
            if left is not None and left.suggestion is not None:
                yield Verdict(row, left.suggestion.operation, left.suggestion.evidence, True)
            elif left is not None:
                yield Verdict(row, left.decided.operation, (), False)


def rows(portal: Portal, warcs: list[Path]) -> tuple[TagRow, ...]:
    options = corpus_survey.SurveyOptions(jobs=1)
    found = corpus_survey.surveyed(TagQuestion(portal), portal, phase="tags", warcs=warcs, options=options)
    return inventory_of(found.tally, portal, of_pages=found.of_pages).rows


def own_rules(portal: Portal) -> list[TagRule]:
    bodies = (portal.body, *(layout.body for layout in portal.layouts))
    return list(dict.fromkeys(rule for body in bodies for layer in body.tags for rule in layer.rules if "portal.yaml" in rule.source))


def rule_names(row: TagRow, rule: TagRule) -> bool:
    return row.decided.rule.endswith(" ".join(rule.css.text.split()))


def without_rule(portal: Portal, rule: TagRule) -> Portal:
    layouts = tuple(replace(layout, body=_without(layout.body, rule)) for layout in portal.layouts)
    return replace(portal, body=_without(portal.body, rule), layouts=layouts)


def _without(body: BodyRules, rule: TagRule) -> BodyRules:
    return replace(body, tags=tuple(replace(layer, rules=tuple(one for one in layer.rules if one != rule)) for layer in body.tags))


# --- what is measured ---


def example_portal(articles: int, folder: Path) -> list[Verdict]:
    with crawling(folder, articles=articles, page_size=20) as crawl:
        crawl.crawl()
        return list(verdicts(load_portal(crawl.file), list(crawl.warcs)))


def told(name: str, found: list[Verdict], wrong: bool) -> None:
    right, words = sum(one.is_right for one in found), sum(one.row.words for one in found)
    right_words = sum(one.row.words for one in found if one.is_right)
    given = [one for one in found if one.is_suggestion]
    print(
        f"{name:20} {len(found):4} tags decided by rules; suggested or left right {right:4} ({right / max(len(found), 1):.0%}), "
        f"by words {right_words / max(words, 1):.0%}; of {len(given)} suggestions {sum(one.is_right for one in given)} right"
    )
    for one in found if wrong else ():
        if not one.is_right:
            why = one.evidence[0] if one.evidence else "farther rules"
            print(f"    {one.row.tag[:50]:50} {one.row.frequency:6} x {one.row.decided.operation}, not {one.suggested}: {why}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--articles", type=int, default=200, help="of the example portal")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--wrong", action="store_true", help="list what was suggested otherwise than decided")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        told("example portal", example_portal(asked.articles, Path(folder)), asked.wrong)
    warc = asked.data / "archive-pages" / "pages.warc.gz"
    if not warc.exists():
        print(f"skipped: the portals of site_configs/, since there is no {warc}")
        return
    together: list[Verdict] = []
    for file in sorted((ROOT / "site_configs").glob("*/portal.yaml")):
        if re.search(r"(?m)^  tags:", file.read_text("utf-8")):
            found = list(verdicts(load_portal(file), [warc]))
            told(file.parent.name, found, asked.wrong)
            together += found
    told("all of site_configs", together, wrong=False)


if __name__ == "__main__":
    main()
