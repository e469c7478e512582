"""What a preset gains on real pages of its software over the general reader alone, whatever theme or publisher, in one run with intervals.

    python benchmarks/preset_pages.py [--presets wordpress,drupal] [--sets wcxb,fundus] [--types article] [--hosts even|odd] [--worst 10]

The software is told by what it writes itself: its `generator`, or the folders of its files. Each page is read twice: by rules that know of
its site no more than `extends: PRESET`, and without any rules. A figure is a mean over the pages that have a truth for it: `body` is the
set's own F1 of a page, `title` and `day` are right or wrong, `author` is the F1 of the names. The pages are not part of the project:
without them there is nothing to do.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from reader_score import DATA, ROUNDS, WCXB, WITH_CAPTIONS, Meta, curator, is_chosen, pages, score_module

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal

SETS = ("trafilatura", "scrapinghub", "fundus", WCXB)
MARKS = {
    "wordpress": r"<meta[^>]*generator[^>]*wordpress|/wp-content/|/wp-includes/",
    "blogger": r"<meta[^>]*generator[^>]*blogger|blogger\.com/(?:static|feeds)|class=.widget Blog\b",
    "drupal": r"<meta[^>]*generator[^>]*drupal|drupalSettings|Drupal\.settings|/sites/(?:default|all)/",
    "typo3-news": r"<meta[^>]*generator[^>]*typo3|/typo3(?:conf|temp)/",
    "ghost": r"<meta[^>]*generator[^>]*ghost",
}
"""Preset -> what the software writes into its pages."""
FIGURES = ("body", "title", "author", "day")

Row = dict[str, float | None]


def software_of(body: bytes) -> str | None:
    """The first that left its marks."""
    return next((name for name, mark in MARKS.items() if re.search(mark.encode(), body, re.IGNORECASE)), None)


def preset_portal(name: str) -> Portal:
    """A portal that is nothing but the preset."""
    told = f"portal: any\nhome: https://any.example/\nextends: {name}\n"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "portal.yaml"
        file.write_text(told, encoding="utf-8")
        return load_portal(file)


def row_of(data: Path, name: str, meta: Meta, told: dict[str, Any]) -> Row:
    """What is right of one page, by the set's own score."""
    if name == WCXB:
        scored = score_module(data / WCXB).score(meta, told)
        wanted = meta["author"]
        said = Counter(re.findall(r"\w+", " ".join(told["authors"]).lower())), Counter(re.findall(r"\w+", (wanted or "").lower()))
        return {"body": scored["f1"], "title": scored["title"], "day": scored["day"], "author": _f1(*said) if wanted else None}
    module = score_module(data / "extraction")
    scored = module.SETS[name][0](meta["gold"], told)
    right, given, wanted = scored.get("authors", (0, 0, 0))
    author = 2 * right / (given + wanted) if given + wanted else None
    return {"body": scored["key"], "title": scored.get("title"), "day": scored.get("date_day"), "author": author}


def _f1(said: Counter[str], wanted: Counter[str]) -> float:
    return 2 * (said & wanted).total() / (said.total() + wanted.total())


def read(asked: argparse.Namespace, presets: Sequence[str]) -> Iterator[tuple[str, Meta, Row, Row]]:
    """Every chosen page with what the preset and what the general reader make of it."""
    portals = {name: preset_portal(name) for name in presets}
    for name in asked.sets.split(","):
        captions = name in WITH_CAPTIONS
        general = curator(captions)
        by_rules = {preset: curator(captions, portal) for preset, portal in portals.items()}
        for meta, body in pages(asked.data, name):
            software = software_of(body)
            if software not in portals or not is_chosen(meta, asked.hosts):
                continue
            if name == WCXB and asked.types and meta["type"] not in asked.types.split(","):
                continue
            yield (
                software,
                {**meta, "set": name},
                *(row_of(asked.data, name, meta, predict(meta, body)) for predict in (by_rules[software], general)),
            )


def print_figures(label: str, ours: Sequence[Row], general: Sequence[Row]) -> None:
    print(f"\n{label}: {len(ours)} pages\n{'':10}{'pages':>8}{'preset':>10}{'general':>10}   gain, 95 % interval")
    for key in FIGURES:
        pairs = [(a, b) for one, other in zip(ours, general, strict=True) if (a := one[key]) is not None and (b := other[key]) is not None]
        if pairs:
            low, high = _interval([a - b for a, b in pairs])
            mine, other = (statistics.fmean(column) for column in zip(*pairs, strict=True))
            print(f"{key:10}{len(pairs):8}{mine:10.4f}{other:10.4f}   {mine - other:+.4f} [{low:+.4f}, {high:+.4f}]")


def _interval(gains: Sequence[float]) -> tuple[float, float]:
    """Bootstrap over pages."""
    draw = random.Random(1)
    means = sorted(statistics.fmean(draw.choices(gains, k=len(gains))) for _ in range(ROUNDS))
    return means[int(0.025 * ROUNDS)], means[int(0.975 * ROUNDS) - 1]


def print_worst(rows: Sequence[tuple[Meta, Row, Row]], most: int) -> None:
    """Where the preset loses most, figure by figure."""
    for key in FIGURES:
        losses = [(a - b, meta) for meta, one, other in rows if (a := one[key]) is not None and (b := other[key]) is not None]
        for loss, meta in sorted(losses, key=lambda pair: pair[0])[:most]:
            if loss < 0:
                print(f"    {key:8}{loss:+.3f} {meta['set']} {meta['id']} {meta['url']}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--presets", default=",".join(MARKS))
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--types", default="", help="of the pages of wcxb: article, forum, documentation, listing")
    parser.add_argument("--hosts", choices=("even", "odd"))
    parser.add_argument("--worst", type=int, default=0)
    parser.add_argument("--data", type=Path, default=DATA)
    asked = parser.parse_args()
    if not asked.data.is_dir():
        raise SystemExit(f"no pages in {asked.data}; --data says where they are")
    presets = asked.presets.split(",")
    found: dict[str, list[tuple[Meta, Row, Row]]] = {name: [] for name in presets}
    for software, *told in read(asked, presets):
        found[software].append(tuple(told))
    for name, rows in found.items():
        for one in ("", *asked.sets.split(",")):
            chosen = [row for row in rows if one in ("", row[0]["set"])]
            if chosen:
                print_figures(f"{name}, {one or 'all sets'}", [row[1] for row in chosen], [row[2] for row in chosen])
        print_worst(rows, asked.worst)


if __name__ == "__main__":
    main()
