"""How well rules agree with people: tables that were labelled by hand for another tool, applied through `curator tags apply`.

    python benchmarks/tag_agreement.py [DIR] [--share 0.99] [--losses N] [--keep DIR]

For each table: what the general table says alone, how many rules were made of the rows, and how many of the elements the rules decide
as the person did. Then the same where labels that our vocabulary says more exactly (`EXACTER`) count as right, too. The tables
are not part of the project: without them there is nothing to do.
"""

from __future__ import annotations

import argparse
import csv
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from lxml import etree
from lxml.etree import _Element as Element
from results import Record, result_option

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.tag_dictionary import TagLayer
from webarticlecurator.survey.applying.application import apply_table
from webarticlecurator.survey.applying.html2tei_table import ATTRIBUTE, IN_MEDIA, SECTION, START_TAG, operation_of, tag_of
from webarticlecurator.survey.applying.table import TagDecision, read_table
from webarticlecurator.survey.applying.wanted import LayerDecisions
from webarticlecurator.survey.tag import TagNotationError

TABLES = Path(__file__).resolve().parents[2] / "shared" / "data" / "tag-tables"
PORTAL = "portal: bench\nhome: https://bench.example/\n"
AGREEMENT, RULES, GENERAL = 0.985, 65, 0.78
"""Wanted: on every portal, on average, and of the general table alone."""
WHY = (
    "The general table alone cannot agree with these tables: they unwrap line breaks and dividers, which ours keeps, and call pictures "
    "links. Where a word of ours that says more exactly the same counts as right, it is reached."
)
MEDIA_BLOCK = "figure"
EXACTER: dict[tuple[str, str], frozenset[str]] = {
    ("br", "unwrap"): frozenset({"line-break"}),
    ("hr", "unwrap"): frozenset({"divider"}),
    ("img", "link"): frozenset({"figure"}),
    ("figcaption", "paragraph"): frozenset({"caption"}),
}
"""Tag and label -> what we say. The tool made blanks of line breaks, had no dividers and no captions, and drew a picture's address out of
the `link` that it made of an `img`."""


@dataclass(frozen=True, slots=True)
class Row:
    """What a person said of a tag."""

    element: Element
    name: str
    attributes: tuple[tuple[str, str], ...]
    in_media: bool
    frequency: int
    label: str
    operation: str

    @property
    def where(self) -> str:
        return f"{MEDIA_BLOCK} {self.name}" if self.in_media else ""

    def is_right(self, operation: str, *, exacter: bool = False) -> bool:
        operation = operation or "unwrap"
        if self.label == SECTION and operation in ("paragraph", "unwrap"):
            return True
        return operation == self.operation or (exacter and operation in EXACTER.get((self.name, self.operation), ()))


def rows(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        for cells in csv.DictReader(file, delimiter="\t"):
            found = START_TAG.fullmatch(cells["tag"].strip())
            if found is not None:
                name, in_media = found["name"].removeprefix(IN_MEDIA), found["name"].startswith(IN_MEDIA)
                attributes = tuple(ATTRIBUTE.findall(found["attributes"]))
                operation = operation_of(cells["label"], float(cells["mean_immediate_words"] or 0))
                element = element_of(name, attributes, in_media)
                yield Row(element, name, attributes, in_media, int(cells["frequency"]), cells["label"], operation)


def element_of(name: str, attributes: Iterable[tuple[str, str]], in_media: bool) -> Element:
    """As the HTML parser makes elements, whatever characters are in their names."""
    page = etree.fromstring("<html><body></body></html>", etree.HTMLParser())
    element = etree.SubElement(etree.SubElement(page[0], MEDIA_BLOCK) if in_media else page[0], name)
    for key, value in attributes:
        element.set(key, value)
    return element


def write_ours(labelled: Iterable[Row], path: Path) -> None:
    """One row a tag of ours; of several labels the one that was given most often. `<.>` is nothing that a table of ours can name."""
    votes: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for row in labelled:
        with suppress(TagNotationError):
            votes[tag_of(row.name, row.attributes).text, row.where][row.operation] += row.frequency
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(("tag", "where", "frequency", "operation"))
        for (tag, where), counts in votes.items():
            writer.writerow((tag, where, counts.total(), counts.most_common(1)[0][0]))


@dataclass(frozen=True, slots=True)
class Score:
    """Shares of the elements; `exacter` where the labels of `EXACTER` count as right."""

    rows: int
    elements: int
    rules: int
    seconds: float
    general: float
    general_exacter: float
    ours: float
    ours_exacter: float


def score(path: Path, folder: Path, share: float, losses: int) -> Score:
    labelled = list(rows(path))
    table, portal = folder / f"{path.stem}.tsv", folder / f"{path.stem}.yaml"
    write_ours(labelled, table)
    portal.write_text(PORTAL, encoding="utf-8")
    begin = time.process_time()
    applied = apply_table(read_table(table), portal, agreement=share)
    seconds = time.process_time() - begin
    applied.write()
    layers = load_portal(portal).body.tags
    if losses:
        print_losses(labelled, layers, losses)
    return Score(
        len(labelled),
        sum(row.frequency for row in labelled),
        applied.added,
        seconds,
        agreement(labelled, ()),
        agreement(labelled, (), exacter=True),
        agreement(labelled, layers),
        agreement(labelled, layers, exacter=True),
    )


def agreement(labelled: Iterable[Row], layers: Iterable[TagLayer], *, exacter: bool = False) -> float:
    decisions, right, total = LayerDecisions(tuple(layers)), 0, 0
    for row in labelled:
        total += row.frequency
        right += row.frequency * row.is_right(decided(decisions, row).operation, exacter=exacter)
    return right / total


def decided(decisions: LayerDecisions, row: Row) -> TagDecision:
    return decisions.decision(row.element, "", placed=True)


def print_losses(labelled: Iterable[Row], layers: tuple[TagLayer, ...], most: int) -> None:
    labelled = list(labelled)
    total = sum(row.frequency for row in labelled)
    for heading, chosen in (("the general table alone", ()), ("with its rules", layers)):
        decisions = LayerDecisions(chosen)
        lost = [(row, decided(decisions, row).operation) for row in labelled if not row.is_right(decided(decisions, row).operation)]
        print(f"  lost by {heading}:")
        for row, operation in sorted(lost, key=lambda pair: -pair[0].frequency)[:most]:
            share, tag, label = row.frequency / total, row.where or row.name, f"{row.label} ({row.operation})"
            print(f"    {share:7.4f}  {tag}: {label}, not {operation or 'undecided'}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", type=Path, nargs="?", default=TABLES)
    parser.add_argument("--share", type=float, default=0.99, help="of the elements that the rules have to decide as the table says")
    parser.add_argument("--losses", type=int, default=0, metavar="N", help="print the N heaviest rows that are decided otherwise")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="leave the tables and portal files there")
    asked = result_option(parser).parse_args()
    record = Record(
        "Tags as people decided them",
        "Tables in which people said what each tag of a portal means become rules by `curator tags apply`. Agreement is the share of "
        "elements that the rules, with the general table, decide as the person did.",
    )
    paths = sorted(asked.tables.glob("*.tsv"))
    if not paths:
        record.leave_out("the agreement with tables of people, since they are no part of the project and are not here")
        record.end(asked.result)
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = asked.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        scores = {path.stem: score(path, folder, asked.share, asked.losses) for path in paths}
    note(record, scores)
    record.end(asked.result)


def note(record: Record, scores: Mapping[str, Score]) -> None:
    headings = ("portal", "rows", "elements", "general table", "exacter words right", "rules", "agreement", "exacter words right", "CPU s")
    rows = [
        (name, one.rows, one.elements, one.general, one.general_exacter, one.rules, one.ours, one.ours_exacter, one.seconds)
        for name, one in scores.items()
    ]
    record.table("Tables of people, and the rules made of them", headings, rows)
    of = list(scores.values())
    record.figure("least agreement of the rules on a portal", min(one.ours for one in of), at_least=AGREEMENT)
    record.figure("rules a portal", sum(one.rules for one in of) / len(of), at_most=RULES)
    record.figure("agreement of the general table alone", sum(one.general for one in of) / len(of), at_least=GENERAL, why=WHY)
    exacter = sum(one.general_exacter for one in of) / len(of)
    record.figure("the same, where a word of ours that says more exactly the same is right", exacter, at_least=GENERAL)


if __name__ == "__main__":
    main()
