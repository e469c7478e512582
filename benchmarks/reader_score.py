"""The general reader without any portal rules: bodies and metadata, ours beside every known tool, in one run with intervals.

    python benchmarks/reader_score.py [--sets wcxb,fundus] [--ours-only] [--hosts even|odd] [--captions] [--keep DIR]

Every figure comes with the paired difference to each tool and its 95 % interval. Most truths leave captions out, as the tools do; so ours
are counted only where the truth has them, or `--captions` asks for it. `--hosts` takes half of the publishers: what is tuned on one half
is checked on the other. `--keep` keeps the predictions: a tool's are not made twice, and `score.py` beside the pages tells the worst of
them. The pages are not part of the project: without them there is nothing to do.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

from processes import environment, run
from reader_tools import OURS, TOOLS, TRAFILATURA
from results import Record, result_option, script_parser
from truths import DATA, HALVES, NOT_HERE, ROOT, WCXB, Meta, is_chosen, metas, score_module

WITHOUT_TEXT = "extruct"
FIGURES = {
    "fundus": ("body_f1", "body_p", "body_r", "para_f1", "empty", "title", "authors_f1", "date_day", "date_instant", "topics_f1"),
    "scrapinghub": ("f1", "precision", "recall"),
    "trafilatura": ("f1", "precision", "recall", "accuracy", "title", "authors_f1", "date_day", "topics_f1"),
    "cleanportaleval": ("body_f1", "body_p", "body_r", "para_f1", "empty"),
    WCXB: ("f1", "p", "r", "with", "without", "empty", "listing", "title", "author", "day"),
}
"""What is compared on each set."""
COMPARED = ("body_f1", "f1", "title", "authors_f1", "author", "date_day", "day", "topics_f1")
"""Of which the difference to each tool is told with its interval."""
METADATA = ("title", "authors_f1", "author", "date_day", "day", "date_instant", "topics_f1")
TARGETS = {
    "fundus": {"body_f1": 0.970, "title": 0.90, "authors_f1": 0.91, "date_day": 0.985, "date_instant": 0.97, "topics_f1": 0.86},
    "scrapinghub": {"f1": 0.968},
    "trafilatura": {"f1": 0.940, "authors_f1": 0.74, "date_day": 0.915},
    "cleanportaleval": {"body_f1": 0.9047},
    "wcxb article": {"f1": 0.955},
    "wcxb forum": {"f1": 0.80},
    "wcxb documentation": {"f1": 0.93},
    "wcxb listing": {"listing": 0.90},
}
"""The least that ours is to have."""
MOST_ARTICLES_AS_LISTINGS = 0.01
WHY = {
    "listing": "Most listings that are missed are products and courses, or lists written like articles. What finds more of them takes "
    "short articles for listings, too.",
    "precision": "The text of a listing is read less completely than by trafilatura, since lists of links are left out.",
    "empty": "Forums that a script fills, of which others read the menu, and a gate that asks whether one is a robot, which is no article.",
}
NAMES = {
    "body_f1": "text F1", "body_p": "text precision", "body_r": "text recall", "para_f1": "paragraphs F1", "f1": "text F1",
    "p": "text precision", "precision": "text precision", "r": "text recall", "recall": "text recall", "accuracy": "accuracy of snippets",
    "with": "wanted snippets there", "without": "unwanted snippets away", "empty": "empty pages", "listing": "called a listing",
    "title": "title", "authors_f1": "authors F1", "author": "author", "date_day": "day", "day": "day", "date_instant": "day and time",
    "topics_f1": "topics F1",
}  # fmt: skip
"""What each figure of a set is called."""
ROUNDS = 500
"""Of the bootstrap."""

Figures = Mapping[str, float | None]


class SetScore:
    """The rows of one set, or of one type of its pages, by tool, and how they are summed up."""

    def __init__(self, data: Path, name: str, files: Mapping[str, Path], chosen: list[Meta]) -> None:
        self.predictions = {
            tool: {page["id"]: page for page in map(json.loads, file.open(encoding="utf-8"))} for tool, file in files.items()
        }
        self.summed: Callable[[Sequence[Any]], Figures]
        if name == WCXB:
            self.summed = _wcxb_figures
            score = score_module(data / WCXB).score
            self.rows = {
                tool: [_wcxb_row(score(meta, told[meta["id"]]), told[meta["id"]], has_text=bool(meta["text"])) for meta in chosen]
                for tool, told in self.predictions.items()
            }
        else:
            module = score_module(data / "extraction")
            self.summed = module.SETS[name][1]
            self.rows = {tool: module.score(name, file, chosen)[0] for tool, file in files.items()}
        self.figures = {tool: self.summed(rows) for tool, rows in self.rows.items()}
        self.samples = cache(self._samples)

    def _samples(self, tool: str) -> list[Figures]:
        """The figures of bootstrapped pages, of all tools the same pages."""
        draw, rows = random.Random(1), self.rows[tool]
        return [self.summed(draw.choices(rows, k=len(rows))) for _ in range(ROUNDS)]

    def cost(self, tool: str) -> float:
        return statistics.fmean(page["ms"] for page in self.predictions[tool].values())

    def interval(self, key: str) -> tuple[float, float]:
        """Of ours."""
        return _middle([sample[key] or 0.0 for sample in self.samples(OURS)])

    def gain(self, tool: str, key: str) -> tuple[float, float, float] | None:
        """By how much we are better, with its interval: the same pages of both."""
        pairs = zip(self.samples(OURS), self.samples(tool), strict=True)
        gains = [a - b for ours, theirs in pairs if (a := ours.get(key)) is not None and (b := theirs.get(key)) is not None]
        ours, theirs = self.figures[OURS].get(key), self.figures[tool].get(key)
        return (ours - theirs, *_middle(gains)) if gains and ours is not None and theirs is not None else None

    def told(self, tool: str, key: str) -> float | int | None:
        """None where the tool has no such thing to give: it finds none on any page, or reads no text at all."""
        value = self.figures[tool].get(key)
        if value is None or (not value if key in METADATA else tool == WITHOUT_TEXT):
            return None
        return int(value) if key == "empty" else value


def _middle(values: list[float]) -> tuple[float, float]:
    """Where 95 % of them lie."""
    ordered = sorted(values)
    return ordered[int(0.025 * len(ordered))], ordered[int(0.975 * len(ordered)) - 1]


def _wcxb_row(scored: dict[str, float | None], told: dict[str, Any], *, has_text: bool) -> dict[str, float | None]:
    """Nothing is right where the record has nothing, either."""
    return {**scored, "empty": float(has_text and not told["text"].strip()), "listing": float(told.get("outcome") == "listing")}


def _wcxb_figures(rows: Sequence[Mapping[str, float | None]]) -> Figures:
    columns = {key: [value for row in rows if (value := row[key]) is not None] for key in FIGURES[WCXB]}
    return {key: sum(values) if key == "empty" else statistics.fmean(values) if values else None for key, values in columns.items()}


def note(record: Record, label: str, keys: Sequence[str], scored: SetScore) -> None:
    """The tables of one group of pages."""
    rows = [(tool, *(scored.told(tool, key) for key in keys), scored.cost(tool)) for tool in scored.rows]
    record.table(f"{label}: {len(scored.rows[OURS])} pages", ("reader", *(NAMES[key] for key in keys), "CPU ms a page"), rows)
    compared = [key for key in keys if key in COMPARED]

    def difference(tool: str, key: str) -> str | None:
        gain = scored.gain(tool, key) if scored.told(tool, key) is not None else None
        return None if gain is None else f"{gain[0]:+.3f} ({gain[1]:+.3f} to {gain[2]:+.3f})"

    differences = [(tool, *(difference(tool, key) for key in compared)) for tool in scored.rows if tool != OURS]
    headings = ("ours minus", *(NAMES[key] for key in compared))
    record.table(f"{label}: by how much ours is better", headings, differences, "With the 95 % interval of a bootstrap over pages.")


def want(record: Record, label: str, scored: SetScore) -> None:
    """What was wanted of ours on this group."""
    ours, theirs = scored.figures[OURS], scored.figures.get(TRAFILATURA, {})
    for key, least in TARGETS.get(label, {}).items():
        if (value := ours.get(key)) is not None:
            low, high = scored.interval(key)
            name = f"{label}: {NAMES[key]}"
            record.figure(name, value, at_least=least, why=WHY.get(key, ""), low=low, high=high, interval="95 %")
    if label == f"{WCXB} article" and ours["listing"] is not None:
        record.figure(f"{label}: called a listing", ours["listing"], at_most=MOST_ARTICLES_AS_LISTINGS)
    for key in ("precision", "body_p", "p", "empty"):
        if (own := ours.get(key)) is not None and (other := theirs.get(key)) is not None:
            why = "empty" if key == "empty" else "precision"
            bound = {"at_most": 0} if key == "empty" else {"at_least": 0}
            value = int(own - other) if key == "empty" else own - other
            record.figure(f"{label}: {NAMES[key]}, ours minus trafilatura's", value, why=WHY[why], **bound)


def groups_of(name: str, chosen: list[Meta]) -> Iterator[tuple[str, list[Meta]]]:
    """A set's pages; those of WCXB apart by their type."""
    if name != WCXB:
        yield name, chosen
        return
    for kind in sorted({meta["type"] for meta in chosen}):
        yield f"{name} {kind}", [meta for meta in chosen if meta["type"] == kind]


def score_all(asked: argparse.Namespace, folder: Path, record: Record) -> None:
    others = None if asked.ours_only else environment("readers", record)
    pythons = {OURS: Path(sys.executable), **({} if others is None else dict.fromkeys(TOOLS, others.python))}
    record.versions.update({} if others is None else {tool: others.version(tool) for tool in TOOLS})
    files = {name: {tool: folder / f"{tool}.{name}.jsonl" for tool in pythons} for name in asked.sets.split(",")}

    def predict(tool: str, name: str) -> None:
        script, captions = Path(__file__).with_name("reader_tools.py"), ["--captions"] * asked.captions
        words = [pythons[tool], script, tool, name, files[name][tool], "--data", asked.data, *captions]
        run(words, env={"PYTHONPATH": str(ROOT)})

    missing = [(tool, name) for name in files for tool in pythons if tool == OURS or not files[name][tool].exists()]
    with ThreadPoolExecutor(2) as at_once:
        list(at_once.map(lambda pair: predict(*pair), missing))
    for name in files:
        for label, group in groups_of(name, [meta for meta in metas(asked.data, name) if is_chosen(meta, asked.hosts)]):
            if group:
                scored = SetScore(asked.data, name, files[name], group)
                note(record, label, FIGURES[name], scored)
                want(record, label, scored)


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("--sets", default=",".join(FIGURES))
    parser.add_argument("--ours-only", action="store_true")
    parser.add_argument("--hosts", choices=HALVES)
    parser.add_argument("--captions", action="store_true")
    parser.add_argument("--keep", type=Path, help="a folder that keeps the predictions")
    parser.add_argument("--data", type=Path, default=DATA)
    asked = result_option(parser).parse_args()
    record = Record(
        "Reading without any rules: text and metadata",
        "Every page of five sets is read without a portal file, by ours and by each known tool. Text F1 is that of the words of the body, "
        "metadata is right or wrong page by page, and the sets are those of other projects, which know what is on each page. Captions are "
        "left out of our text where the truth has none. A dash: the tool does not give it.",
    )
    if asked.data.is_dir():
        with tempfile.TemporaryDirectory() as temporary:
            folder = asked.keep or Path(temporary)
            folder.mkdir(parents=True, exist_ok=True)
            score_all(asked, folder, record)
    else:
        record.leave_out(f"reading without rules, {NOT_HERE}")
    record.end(asked.result)


if __name__ == "__main__":
    main()
