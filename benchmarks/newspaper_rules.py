"""What the portal files of newspapers make better on real pages: read without a file, by its facts alone, and by its rules, too.

    python benchmarks/newspaper_rules.py [--pages] [FILE.yaml ...]

The facts are language, time zone and title. Pages of a newspaper are numbered by their day; rules are written for those of even number,
or for those of odd number, and kept if they make the others better. `--pages` tells each page whose text or metadata have a fault; a
FILE stands for the one that came with the program. The pages are not part of the project: without them there is nothing to do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from reader_tools import bare_portal, plain, told_by
from results import Record, result_option, script_parser
from truths import DATA, HALVES, NOT_HERE, Meta, captured_at, pages, score_module

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal

SET = "fundus"
WAYS = ("no file", "facts alone", "facts and rules")
FIGURES = {"body_f1": "text F1", "title": "title", "authors_f1": "authors F1", "date_day": "day", "topics_f1": "topics F1"}


class Reading(NamedTuple):
    """One page, read in each of the WAYS."""

    newspaper: str
    page: str
    half: str
    rows: tuple[Any, ...]
    """Scores of each way."""


def shipped(files: Iterable[Path]) -> Mapping[str, Portal]:
    """Return the newspapers that came with the program, and the drafts in their place, by their hosts without `www.`."""
    from webarticlecurator.config.load import load_portal
    from webarticlecurator.resources import newspapers, shipped_portals
    from webarticlecurator.urls import bare_host

    known = [path for path in shipped_portals().values() if newspapers() in path.parents]
    return {bare_host(portal.home): portal for portal in map(load_portal, (*known, *files))}


def read(data: Path, files: Iterable[Path]) -> list[Reading]:
    """Return the readings of all pages of the newspapers that came with the program."""
    from webarticlecurator.urls import bare_host

    portals = shipped(files)
    by_newspaper: dict[str, list[tuple[Meta, bytes, Portal]]] = defaultdict(list)
    for meta, body in pages(data, SET):
        host = bare_host(meta["url"])
        portal = next((portal for known, portal in portals.items() if f".{host}".endswith(f".{known}")), None)
        if portal is not None:
            by_newspaper[portal.name].append((meta, body, portal))
    readings = []
    for name, its_pages in sorted(by_newspaper.items()):
        for number, (meta, body, portal) in enumerate(sorted(its_pages, key=lambda page: page[0]["crawl_date"])):
            half = HALVES[number % 2] if len(its_pages) > 1 else "single"
            readings.append(Reading(name, meta["id"], half, tuple(_scores(data, meta, body, portal))))
    return readings


def _scores(data: Path, meta: Meta, body: bytes, portal: Portal) -> Iterable[Any]:
    from webarticlecurator import extract
    from webarticlecurator.config.article_rules import BodyRules
    from webarticlecurator.urls import bare_host

    facts = replace(portal, metadata={}, body=BodyRules(), posts={}, layouts=())
    score = score_module(data / "extraction").SETS[SET][0]
    for way in (bare_portal(bare_host(meta["url"]), meta["encoding"]), facts, portal):
        yield score(meta["gold"], plain(told_by(extract(body, meta["url"], way, captured=captured_at(meta)), captions=False)))


def figures_of(data: Path, rows: Iterable[Any]) -> list[Any]:
    """Return the figures of some pages, in the order of FIGURES; None where no page has what is counted."""
    summed = score_module(data / "extraction").SETS[SET][1](list(rows))
    return [summed.get(key) for key in FIGURES]


def note(record: Record, data: Path, readings: list[Reading], *, each_page: bool) -> None:
    """Note the figures of all pages, of both halves, and of single pages."""
    groups = {"": readings} | {f", of {half} number": [each for each in readings if each.half == half] for half in HALVES}
    for which, group in groups.items():
        rows = [(way, *figures_of(data, (each.rows[number] for each in group))) for number, way in enumerate(WAYS)]
        title = f"{len(group)} pages of {len({each.newspaper for each in group})} newspapers{which}"
        record.table(title, ("read by", *FIGURES.values()), rows)
    for name, figure in zip(FIGURES.values(), figures_of(data, (each.rows[-1] for each in readings)), strict=True):
        record.figure(f"{name} of all pages, by facts and rules", figure)
    for each in readings:
        if each.rows[1] != each.rows[2]:
            lines = [(way, *figures_of(data, [row])) for way, row in zip(WAYS, each.rows, strict=True)]
            record.table(f"{each.page}, of {each.half} number", ("read by", *FIGURES.values()), lines)
    lines = [(each.page, each.half, *figures_of(data, each.rows[-1:])) for each in readings if each_page]
    faulty = [line for line in lines if not {1, None}.issuperset(line[2:])]
    record.table("Pages with a fault, by facts and rules", ("page", "number", *FIGURES.values()), faulty)


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE.yaml")
    parser.add_argument("--pages", action="store_true", help="tell each page that has a fault")
    parser.add_argument("--data", type=Path, default=DATA)
    asked = result_option(parser).parse_args()
    record = Record("Portal files of newspapers", "Pages of newspapers whose portal file came with the program, read without it and by it.")
    if asked.data.is_dir():
        note(record, asked.data, read(asked.data, asked.files), each_page=asked.pages)
    else:
        record.leave_out(f"newspapers by name, {NOT_HERE}")
    record.end(asked.result)


if __name__ == "__main__":
    main()
