"""Posts as they are proposed: comments, threads and live blogs of theme-true sites (`examples/sites`) without any preset, before and after.

    python benchmarks/learned_posts.py [NAME ...] [--variation usual|fresh|last] [--sites]

Of each site the pages of its posts are learned from, by a portal file without a rule. `no answer` takes what is proposed as sure;
`best answer` of every question the choice that gives the most right. A comment, post or entry is right with its author, its minute and
all its words; beside it what is true of the article: its headline, its authors, its date. `--sites` tells of each site.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from examples.sites import RunningSite  # noqa: E402
from examples.sites.content import ZONES  # noqa: E402
from examples.sites.scores import Score, compare  # noqa: E402
from examples.sites.site import Truth  # noqa: E402
from examples.sites.variations import KINDS, variations  # noqa: E402
from webarticlecurator.config.article_rules import PostKind, PostRules  # noqa: E402
from webarticlecurator.config.portal import Portal  # noqa: E402
from webarticlecurator.document.page import read_page  # noqa: E402
from webarticlecurator.example_portal.answers import Request  # noqa: E402
from webarticlecurator.extraction.article import read_article  # noqa: E402
from webarticlecurator.learning.metadata import find_metadata  # noqa: E402
from webarticlecurator.learning.plain_picks import picks_of  # noqa: E402
from webarticlecurator.learning.posts import find_posts  # noqa: E402
from webarticlecurator.model.capture import Capture  # noqa: E402
from webarticlecurator.model.page import Page  # noqa: E402
from webarticlecurator.model.proposals import Plain, Proposal  # noqa: E402
from webarticlecurator.urls import split  # noqa: E402

STAGES = ("default", "no answer", "best answer")
FIGURES = ("comments", "parents", "titles", "authors", "dates", "texts")
CAPTURED = datetime(2026, 6, 1, tzinfo=UTC)


def pages_of(site: RunningSite) -> list[tuple[Truth, Page]]:
    """Those that are about one post, thread or live blog each, and can be had."""
    found = []
    for truth in site.made.truths:
        target = truth.url.removeprefix(site.root)
        answer = site.answer(Request(target=target))
        if answer is None or answer.status != 200 or split(truth.url).fragment:
            continue
        headers = tuple(answer.headers)
        read = read_page(Capture(url=truth.url, requested_url=truth.url, status=200, headers=headers, entity=answer.body, date=CAPTURED))
        if isinstance(read, Page) and read.tree is not None:
            found.append((truth, read))
    return found


def with_rule(portal: Portal, proposal: Proposal, value: Plain) -> Portal:
    """The portal with what a choice would write."""
    if value is None:
        return portal
    section, name = proposal.path
    if section == "metadata":
        picks = picks_of(value, f"metadata.{name}")
        return portal if picks is None else replace(portal, metadata={**portal.metadata, name: picks})
    assert isinstance(value, dict)
    rules = {key: picks_of(pick, f"posts.{name}") for key, pick in value.items()}
    read = PostRules(**{key: picks for key, picks in rules.items() if picks is not None})
    return replace(portal, posts={**portal.posts, PostKind(name): read})


def right(portal: Portal, pages: Sequence[tuple[Truth, Page]], identity: str) -> Score:
    score = Score("")
    articles = [read_article([replace(page)], portal, id=f"x-{at}", identity=page.url, url=page.url) for at, (_, page) in enumerate(pages)]
    compare(score, articles, [truth for truth, _ in pages], identity)
    return score


def best(portal: Portal, proposal: Proposal, pages: Sequence[tuple[Truth, Page]], identity: str) -> Portal:
    choices = [with_rule(portal, proposal, choice.value) for choice in proposal.choices]
    return max(choices, key=lambda one: sum(right(one, pages, identity).counts[name].f1 for name in FIGURES))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--variation", choices=KINDS, default="usual")
    parser.add_argument("--sites", action="store_true", help="tell of each site")
    asked = parser.parse_args()
    totals: dict[tuple[str, str], list[float]] = {(stage, name): [] for stage in STAGES for name in FIGURES}
    told: Counter[str] = Counter()
    for variation in variations(asked.variation):
        if asked.names and not variation.name.startswith(tuple(asked.names)):
            continue
        site = RunningSite(variation)
        pages = pages_of(site)
        if not pages:
            continue
        language = variation.language
        portal = Portal(name="x", title="x", home=f"{site.root}/", language=language, timezone=ZoneInfo(str(ZONES[language])))
        read = [page for _, page in pages]
        proposals = [*find_metadata(read, portal).proposals, *find_posts(read, portal).proposals]
        sure = portal
        for one in proposals:
            sure = with_rule(sure, one, one.choices[0].value) if one.sure else sure
        answered = sure
        for one in proposals:
            answered = answered if one.sure else best(answered, one, pages, site.made.identity)
        told["sites"] += 1
        told["pages"] += len(pages)
        told["sure"] += sum(one.sure for one in proposals)
        told["questions"] += sum(not one.sure for one in proposals)
        scores = {stage: right(one, pages, site.made.identity) for stage, one in zip(STAGES, (portal, sure, answered), strict=True)}
        for (stage, name), figures in totals.items():
            count = scores[stage].counts[name]
            if count.wanted:
                figures.append(count.f1)
        if asked.sites:
            cells = "  ".join(f"{name} " + "/".join(f"{scores[stage].counts[name].f1:.2f}" for stage in STAGES) for name in FIGURES[:4])
            names = " ".join(one.name if one.sure else f"{one.name}?" for one in proposals)
            print(f"{variation.name:44}{len(pages):4} pages  {cells}  {names}")
    print(f"{told['sites']} sites, {told['pages']} pages: {told['sure']} rules proposed as sure, {told['questions']} questions")
    print(f"{'mean F1':14}" + "".join(f"{stage:>14}" for stage in STAGES))
    for name in FIGURES:
        cells = (totals[stage, name] for stage in STAGES)
        print(f"{name:14}" + "".join(f"{sum(cell) / len(cell) if cell else 0:14.4f}" for cell in cells))


if __name__ == "__main__":
    main()
