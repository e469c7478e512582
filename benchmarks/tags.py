"""Do rules, and what is suggested for tags, decide as people do?

    python benchmarks/tags.py agreement [--losses N]
    python benchmarks/tags.py suggestions [--articles 200] [--losses N]
    python benchmarks/tags.py workshop [--begin DIR] [--rules DIR]

`agreement`: tables that were labelled by hand for another tool are applied through `curator tags apply`. How many of the elements does the
general table alone decide as the person did, and how many the rules that are made of the rows? Then the same where labels that our
vocabulary says more exactly (`EXACTER`) count as right, too.
`suggestions`: every rule of a portal file is taken away by itself, and what `curator tags` then suggests for its tags (or, without a
suggestion, what farther rules decide) is compared with what it said: of the example portal, and of the portals in site_configs/.
`workshop`: the body scores of two portals under the rules of benchmarks/workshop, and under none. `--begin` writes the
pages as WARC, and portal files without rules, to try it oneself; `--rules` scores the rules found so. The truth has the headline as its
first line, so ours is put there too; only what has the outcome `article` has text.

`--losses` tells of the N heaviest that are decided otherwise. Tables and real pages are not part of the project.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import shutil
import statistics
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path

from lxml import etree
from lxml.etree import _Element as Element
from results import Record, result_option, script_parser
from truths import DATA, NOT_HERE, ROOT, Meta, curator_lines, pages, score_module
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from webarticlecurator import Outcome, Portal, crawl, extract, load_portal
from webarticlecurator.config.article_rules import BodyRules
from webarticlecurator.config.tag_dictionary import TagLayer, TagRule
from webarticlecurator.databases import Row
from webarticlecurator.example_portal import ExamplePortal
from webarticlecurator.labelling.simplified_tags import TagNotationError
from webarticlecurator.stages import survey as corpus_survey
from webarticlecurator.stages.pipeline import import_warcs
from webarticlecurator.survey.inventory.assembling import inventory_of
from webarticlecurator.survey.inventory.element_rules import Decider
from webarticlecurator.survey.inventory.tag_question import TagQuestion
from webarticlecurator.survey.table_rules import LayerDecisions, apply_table
from webarticlecurator.survey.tag_table import ATTRIBUTE, IN_MEDIA, SECTION, START_TAG, operation_of, read_table, tag_of
from webarticlecurator.workers.pool import Workers

# --- agreement with tables of people ---

AGREEMENT, RULES, LONGEST, GENERAL = 0.985, 15, 120, 0.78
"""Wanted: on every portal, on average, of any selector (characters), and of the general table alone."""
SHARE = 0.99
"""Of the elements that the rules have to decide as the table says."""
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
class Labelled:
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


def labelled_in(path: Path) -> Iterator[Labelled]:
    with path.open(encoding="utf-8", newline="") as file:
        for cells in csv.DictReader(file, delimiter="\t"):
            tag = START_TAG.fullmatch(cells["tag"].strip())
            if tag is not None:
                name, in_media = tag["name"].removeprefix(IN_MEDIA), tag["name"].startswith(IN_MEDIA)
                attributes = tuple(ATTRIBUTE.findall(tag["attributes"]))
                operation = operation_of(cells["label"], float(cells["mean_immediate_words"] or 0))
                element = element_of(name, attributes, in_media)
                yield Labelled(element, name, attributes, in_media, int(cells["frequency"]), cells["label"], operation)


def element_of(name: str, attributes: Iterable[tuple[str, str]], in_media: bool) -> Element:
    """As the HTML parser makes elements, whatever characters are in their names."""
    page = etree.fromstring("<html><body></body></html>", etree.HTMLParser())
    element = etree.SubElement(etree.SubElement(page[0], MEDIA_BLOCK) if in_media else page[0], name)
    for key, value in attributes:
        element.set(key, value)
    return element


def write_table(labelled: Iterable[Labelled], path: Path) -> None:
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


def agreement_of(labelled: Sequence[Labelled], layers: tuple[TagLayer, ...], losses: int) -> tuple[float, float]:
    """Shares of the elements that are decided as the person did; the second where exacter words count as right."""
    decisions = LayerDecisions(layers)
    decided = [(row, decisions.of(row.element)[0].operation) for row in labelled]
    total = sum(row.frequency for row in labelled)
    lost = sorted(((row, given) for row, given in decided if not row.is_right(given)), key=lambda pair: -pair[0].frequency)
    for row, given in lost[:losses]:
        name, label = row.where or row.name, f"{row.label} ({row.operation})"
        print(f"    {row.frequency / total:7.4f}  {name}: {label}, not {given or 'undecided'}{' by its rules' if layers else ''}")
    strict, exacter = (sum(row.frequency for row, given in decided if row.is_right(given, exacter=also)) for also in (False, True))
    return strict / total, exacter / total


def agreement(asked: argparse.Namespace, record: Record) -> None:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted((asked.data / "tag-tables").glob("*.tsv")):
            labelled = list(labelled_in(path))
            table, portal = Path(folder) / f"{path.stem}.tsv", Path(folder) / f"{path.stem}.yaml"
            write_table(labelled, table)
            portal.write_text("portal: bench\nhome: https://bench.example/\n", encoding="utf-8")
            begin = time.process_time()
            applied = apply_table(read_table(table), portal, agreement=SHARE)
            seconds = time.process_time() - begin
            portal.write_bytes(applied.after)
            by_general = agreement_of(labelled, (), asked.losses)
            tags = load_portal(portal).body.tags
            by_rules = agreement_of(labelled, tags, asked.losses)
            longest = max(len(rule.css.text) for layer in tags for rule in layer.rules)
            elements = sum(row.frequency for row in labelled)
            rows.append((path.stem, len(labelled), elements, *by_general, applied.added, *by_rules, longest, seconds))
    if not rows:
        record.leave_out("the agreement with tables of people, since they are no part of the project and are not here")
        return
    headings = (
        "portal",
        "rows",
        "elements",
        "general table",
        "exacter words right",
        "rules",
        "agreement",
        "exacter words right",
        "longest selector",
        "CPU s",
    )
    record.table("Tables of people, and the rules made of them", headings, rows)
    _, _, _, general, exacter, rules, by_rules, _, longest_selectors, _ = zip(*rows, strict=True)
    record.figure("least agreement of the rules on a portal", min(by_rules), at_least=AGREEMENT)
    record.figure("rules a portal", statistics.mean(rules), at_most=RULES)
    record.figure("characters of the longest selector", max(longest_selectors), at_most=LONGEST)
    record.figure("agreement of the general table alone", statistics.fmean(general), at_least=GENERAL, why=WHY)
    name = "the same, where a word of ours that says more exactly the same is right"
    record.figure(name, statistics.fmean(exacter), at_least=GENERAL)


# --- suggestions beside the rules of portal files ---


@dataclass(frozen=True, slots=True)
class Verdict:
    """One tag that a rule decided."""

    row: Row
    operation: str
    """What is suggested, or what farther rules decide, where the rule is not there."""
    is_suggestion: bool

    @property
    def is_right(self) -> bool:
        return self.operation == self.row.operation


def verdicts(portal: Portal, corpus: Path) -> Iterator[Verdict]:
    """Of all tags that the portal's own rules decide."""
    decided = [row for row in tag_rows(portal, corpus) if row.decided_by == Decider.PORTAL]
    bodies = (portal.body, *(layout.body for layout in portal.layouts))
    for rule in dict.fromkeys(rule for body in bodies for layer in body.tags for rule in layer.rules if "portal.yaml" in rule.source):
        css = " ".join(rule.css.text.split())
        ruled = [row for row in decided if row.rule.startswith(f"{rule.source} ") and row.rule.endswith(css)]
        without = {(row.tag, row.where): row for row in (tag_rows(without_rule(portal, rule), corpus) if ruled else ())}
        for row in ruled:
            left = without.get((row.tag, "")) or without.get((row.tag, row.where))
            if left is not None:
                yield Verdict(row, (left.suggestion or left).operation, left.suggestion is not None)


def tag_rows(portal: Portal, corpus: Path) -> list[Row]:
    workers = Workers.asked_for(1, None)
    counts, _, of_pages, _ = corpus_survey.surveyed(portal, TagQuestion(portal), phase="tags", corpus=corpus, workers=workers)
    return inventory_of(counts, portal, of_pages=of_pages).rows


def without_rule(portal: Portal, rule: TagRule) -> Portal:
    def body_without(body: BodyRules) -> BodyRules:
        return replace(body, tags=tuple(replace(layer, rules=tuple(kept for kept in layer.rules if kept != rule)) for layer in body.tags))

    layouts = tuple(replace(layout, body=body_without(layout.body)) for layout in portal.layouts)
    return replace(portal, body=body_without(portal.body), layouts=layouts)


def suggestions(asked: argparse.Namespace, record: Record) -> None:
    found: dict[str, list[Verdict]] = {}
    with ExamplePortal(articles=asked.articles, page_size=20) as site, tempfile.TemporaryDirectory() as folder:
        portal = load_portal(site.portal_file(Path(folder), delay="0s"))
        crawl(portal, corpus=Path(folder) / "corpus")
        found["example portal"] = list(verdicts(portal, Path(folder) / "corpus"))
    warc = asked.data / "archive-pages" / "pages.warc.gz"
    if warc.exists():
        files = [
            file for file in sorted((ROOT / "site_configs").glob("*/portal.yaml")) if re.search(r"(?m)^  tags:", file.read_text("utf-8"))
        ]
        of_files: dict[str, list[Verdict]] = {}
        for portal in map(load_portal, files):
            with tempfile.TemporaryDirectory() as corpus:
                import_warcs(portal, [warc], corpus=Path(corpus))
                of_files[portal.name] = list(verdicts(portal, Path(corpus)))
        found |= of_files | {"all of site_configs": [verdict for several in of_files.values() for verdict in several]}
    else:
        record.leave_out(f"the portals of site_configs/, {NOT_HERE}")
    rows = []
    for name, told in found.items():
        right = [verdict for verdict in told if verdict.is_right]
        words = sum(verdict.row.words for verdict in right) / max(sum(verdict.row.words for verdict in told), 1)
        given = [verdict for verdict in told if verdict.is_suggestion]
        share = len(right) / max(len(told), 1)
        rows.append((name, len(told), len(right), share, words, len(given), sum(verdict.is_right for verdict in given)))
        wrong = sorted((verdict for verdict in told if not verdict.is_right), key=lambda verdict: -verdict.row.frequency)
        for verdict in wrong[: asked.losses]:
            print(f"    {name}: {verdict.row.tag} {verdict.row.frequency} x {verdict.row.operation}, not {verdict.operation}")
    headings = ("portal", "tags", "right without the rule", "share", "share of words", "suggestions", "of them right")
    record.table("Tags that a rule decided", headings, rows)


# --- the workshop ---

SET = "cleanportaleval"
WORKSHOP = Path(__file__).resolve().parent / "workshop"
PORTALS = {"bbc.co.uk_news": "bbc.yaml", "blogs.wsj.com_brussels": "brussels.yaml"}
TARGET, MOST_RULES = 0.97, 30


def of_portal(data: Path, name: str) -> list[tuple[Meta, bytes]]:
    return [(meta, body) for meta, body in pages(data, SET) if meta["portal"] == name]


def body_f1(data: Path, name: str, portal: Portal) -> float:
    """Over the pages of one portal."""
    score, read = score_module(data / "extraction"), of_portal(data, name)
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        for meta, body in read:
            article = extract(body, meta["url"], portal)
            lines: list[tuple[str, str]] = []
            if article.outcome is Outcome.ARTICLE:
                headline = [("head", found.value) for found in article.metadata.get("headline", ())[:1]]
                lines = [*headline, *curator_lines(article.blocks, captions=True)]  # the truth has the captions, too
            told = {"id": meta["id"], "paragraphs": [{"type": kind, "text": text} for kind, text in lines]}
            file.write(json.dumps(told) + "\n")
        file.flush()
        rows, _ = score.score(SET, file.name, [meta for meta, _ in read])
    return float(score.SETS[SET][1](rows)["body_f1"])


def rules_in(portal: Portal) -> int:
    """Selectors and patterns that say what an article is and what is in it."""
    root = len(portal.body.root.alternatives) if portal.body.root is not None else 0
    own = portal.body.tags[0].rules if portal.body.tags else ()
    return root + len(own) + len(portal.articles.skip.when) + len(portal.articles.skip.url)


def begin_workshop(data: Path, folder: Path) -> None:
    """The pages of each portal as a WARC, and its portal file as it is before the first rule."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, file in PORTALS.items():
        shutil.copyfile(WORKSHOP / "without-rules" / file, folder / file)
        warc = (folder / file).with_suffix(".warc.gz")
        with warc.open("wb") as stream:
            writer = WARCWriter(stream, gzip=True)
            for meta, body in of_portal(data, name):
                head = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
                writer.write_record(writer.create_warc_record(meta["url"], "response", payload=BytesIO(body), http_headers=head))
        print(f"{folder / file}, and its pages in {warc.name}")


def workshop(asked: argparse.Namespace, record: Record) -> None:
    if not asked.data.is_dir():
        record.leave_out(f"the rules of the workshop, {NOT_HERE}")
        return
    if asked.begin is not None:
        begin_workshop(asked.data, asked.begin)
        return
    rows = []
    for name, file in PORTALS.items():
        ruled = load_portal(asked.rules / file)
        without, by_rules = (body_f1(asked.data, name, portal) for portal in (load_portal(WORKSHOP / "without-rules" / file), ruled))
        rows.append((name, without, rules_in(ruled), by_rules))
        record.figure(f"{name}: text F1 by the rules", by_rules, at_least=TARGET)
        record.figure(f"{name}: rules", rules_in(ruled), at_most=MOST_RULES)
    record.table("The workshop", ("portal", "text F1 without rules", "rules", "text F1 by the rules"), rows)


QUESTIONS = {
    "agreement": (
        agreement,
        "Tags as people decided them",
        "Tables in which people said what each tag of a portal means become rules by `curator tags apply`. Agreement is the share of "
        "elements that the rules, with the general table, decide as the person did.",
    ),
    "suggestions": (suggestions, "Suggested tags", "How often is what `curator tags` suggests what a person decided?"),
    "workshop": (
        workshop,
        "Rules written by hand: the workshop",
        "The two portals of benchmarks/workshop, read without rules and by rules that were made of `curator tags` alone.",
    ),
}


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("question", choices=QUESTIONS)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--losses", type=int, default=0, metavar="N")
    parser.add_argument("--articles", type=int, default=200, help="of the example portal")
    parser.add_argument("--begin", type=Path, metavar="DIR")
    parser.add_argument("--rules", type=Path, metavar="DIR", default=WORKSHOP)
    asked = result_option(parser).parse_args()
    answer, title, about = QUESTIONS[asked.question]
    record = Record(title, about)
    answer(asked, record)
    record.end(asked.result)


if __name__ == "__main__":
    main()
