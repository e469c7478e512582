"""How well rules agree with people: tables that were labelled by hand for another tool, applied through `curator tags apply`.

    python benchmarks/tag_agreement.py [DIR] [--share 0.99] [--losses N] [--keep DIR]

For each table: what the general table says alone, how many rules were made of the rows, and how many of the elements the rules decide
as the person did. Then the same where labels that our vocabulary says more exactly (`EXACTER`) count as right, too. The tables
are not part of the project: without them there is nothing to do.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.tag_dictionary import TagLayer
from webarticlecurator.survey.applying.application import apply_table
from webarticlecurator.survey.applying.table import TagDecision, read_table
from webarticlecurator.survey.applying.wanted import LayerDecisions
from webarticlecurator.survey.tag import Tag, TagNotationError, simplified

TABLES = Path(__file__).resolve().parents[2] / "shared" / "data" / "tag-tables"
PORTAL = "portal: bench\nhome: https://bench.example/\n"
AGREEMENT, RULES, GENERAL = 0.985, 65, 0.78
"""Wanted: on every portal, on average, and of the general table alone."""
IN_MEDIA = "0_MDESC_"
"""Before a tag that stands inside a media block."""
MEDIA_BLOCK = "figure"
# fmt: off
LABELS = {
    "decompose": "decompose", "bekezdes": "paragraph", "cimsor": "heading", "vez_bekezdes": "lead", "lista": "list", "listaelem": "item",
    "idezet": "quote", "inline_idezet": "inline-quote", "table_text": "table", "sor": "row", "oszlop": "cell",
    "tablazat_cimsor": "table-heading", "doboz": "box", "media_tartalom": "figure", "abra": "figure", "galeria": "gallery",
    "beagyazott_tartalom": "embed", "social_media": "social", "beagyazott_social": "social", "hivatkozas": "link",
    "media_hivatkozas": "link", "forras": "source", "felkover": "bold", "dolt": "italic", "kiemelt": "emphasis",
    "alahuzott": "underline", "athuzott": "strike", "felsoindex": "superscript", "alsoindex": "subscript", "kozvetites": "post",
    "komment": "post", "kviz": "quiz", "kerdes": "question", "valasz": "answer", "editorial_note": "note",
}
# fmt: on
ENDINGS = {"_ido": "time", "_szerzo": "author"}
SECTION = "szakasz"
"""A paragraph, or nothing."""
EXACTER: dict[tuple[str, str], frozenset[str]] = {
    ("br", "unwrap"): frozenset({"line-break"}),
    ("hr", "unwrap"): frozenset({"divider"}),
    ("img", "link"): frozenset({"figure"}),
    ("figcaption", "paragraph"): frozenset({"caption"}),
}
"""Tag and label -> what we say. The tool made blanks of line breaks, had no dividers and no captions, and drew a picture's address out of
the `link` that it made of an `img`."""
START_TAG = re.compile(r"<(?P<name>[^\s>]+)(?P<attributes>.*)>", re.DOTALL)
ATTRIBUTE = re.compile(r"\s([^\s=]+)=(.*?)(?=\s[^\s=]+=|$)", re.DOTALL)


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
    def tag(self) -> str:
        """With the attributes that an inventory leaves out, since the person saw them, too."""
        tag = simplified(self.name, self.attributes)
        known = {"class", "id", *(name for name, _ in tag.attributes)}
        return replace(tag, attributes=(*tag.attributes, *((name, "") for name, _ in self.attributes if name not in known))).text

    @property
    def where(self) -> str:
        return f"{MEDIA_BLOCK} {self.name}" if self.in_media else ""

    def is_right(self, operation: str, *, exacter: bool = False) -> bool:
        operation = operation or "unwrap"
        if self.label == SECTION and operation in ("paragraph", "unwrap"):
            return True
        return operation == self.operation or (exacter and operation in EXACTER.get((self.name, self.operation), ()))


def operation_of(label: str, own_words: float) -> str:
    """A label in our words; what is no label is unwrapped."""
    if label == SECTION:
        return "paragraph" if own_words > 0 else "unwrap"
    if ";" in label:
        inner, outer = (operation_of(part, own_words) for part in label.split(";", 1))
        return f"{outer} > {inner}"
    return next((operation for end, operation in ENDINGS.items() if label.endswith(end)), LABELS.get(label, "unwrap"))


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
            votes[Tag.parse(row.tag).text, row.where][row.operation] += row.frequency
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
            share, tag, label = row.frequency / total, row.where or row.tag, f"{row.label} ({row.operation})"
            print(f"    {share:7.4f}  {tag}: {label}, not {operation or 'undecided'}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", type=Path, nargs="?", default=TABLES)
    parser.add_argument("--share", type=float, default=0.99, help="of the elements that the rules have to decide as the table says")
    parser.add_argument("--losses", type=int, default=0, metavar="N", help="print the N heaviest rows that are decided otherwise")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="leave the tables and portal files there")
    asked = parser.parse_args()
    paths = sorted(asked.tables.glob("*.tsv"))
    if not paths:
        sys.exit(f"no tables in {asked.tables}: nothing to do")
    with tempfile.TemporaryDirectory() as temporary:
        folder = asked.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        print(f"{'':18}{'rows':>6}{'elements':>11}{'general':>9}{'exacter':>9}{'rules':>7}{'agree':>8}{'exacter':>9}{'CPU s':>7}")
        scores = [print_score(path, score(path, folder, asked.share, asked.losses)) for path in paths]
    print_summary(scores)


def print_score(path: Path, found: Score) -> Score:
    print(
        f"{path.stem:18}{found.rows:6}{found.elements:11,}{found.general:9.4f}{found.general_exacter:9.4f}{found.rules:7}"
        f"{found.ours:8.4f}{found.ours_exacter:9.4f}{found.seconds:7.1f}"
    )
    return found


def print_summary(scores: list[Score]) -> None:
    count = len(scores)
    general, exacter = (sum(getattr(one, name) for one in scores) / count for name in ("general", "general_exacter"))
    rules, least = sum(one.rules for one in scores) / count, min(one.ours for one in scores)
    print(f"{'average':18}{'':17}{general:9.4f}{exacter:9.4f}{rules:7.1f}{sum(one.ours for one in scores) / count:8.4f}")
    for what, value, wanted, reached in (
        ("agreement on every portal", f"{least:.4f}", f">= {AGREEMENT}", least >= AGREEMENT),
        ("rules a portal", f"{rules:.1f}", f"<= {RULES}", rules <= RULES),
        ("general table alone", f"{general:.4f}", f">= {GENERAL}", general >= GENERAL),
        ("the same, exacter words counted as right", f"{exacter:.4f}", f">= {GENERAL}", exacter >= GENERAL),
    ):
        print(f"{what}: {value}, wanted {wanted}: {'reached' if reached else 'NOT REACHED'}")


if __name__ == "__main__":
    main()
