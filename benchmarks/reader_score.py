"""The general reader without any portal rules: bodies and metadata, ours beside every known tool, in one run with intervals.

    python benchmarks/reader_score.py [--sets wcxb,fundus] [--types forum] [--ours-only] [--hosts even|odd] [--captions] [--keep DIR]

Every figure comes with the paired difference to each tool and its 95 % interval. Most truths leave captions out, as the tools do; so ours
are counted only where the truth has them, or `--captions` asks for it. `--hosts` takes half of the publishers: what is tuned on one half
is checked on the other. `--keep` keeps the predictions: a tool's are not made twice, and `score.py` beside the pages tells the worst of
them. The tools are installed into an environment of their own, below the system's temporary folder, and kept there for the next time. The
pages are not part of the project: without them there is nothing to do.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import json
import random
import re
import statistics
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any
from zlib import crc32

from processes import run

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"
OURS, TRAFILATURA, READABILITY, NEWSPAPER = "curator", "trafilatura", "readability", "newspaper4k"
PACKAGES = ("trafilatura==2.3.*", "readability-lxml", "lxml_html_clean", "newspaper4k")
WCXB = "wcxb"
FIGURES = {
    "fundus": ("body_f1", "body_p", "body_r", "para_f1", "empty", "title", "authors_f1", "date_day", "date_instant", "topics_f1"),
    "scrapinghub": ("f1", "precision", "recall"),
    "trafilatura": ("f1", "precision", "recall", "accuracy", "title", "authors_f1", "date_day", "topics_f1"),
    "cleanportaleval": ("body_f1", "body_p", "body_r", "para_f1", "empty"),
    WCXB: ("f1", "p", "r", "with", "without", "empty", "listing", "title", "author", "day"),
}
"""What is compared on each set."""
WITH_CAPTIONS = ("cleanportaleval",)
"""Sets whose truths have the captions, too."""
ROUNDS = 500
"""Of the bootstrap."""

# fmt: off
BLOCKS = frozenset((
    "article", "aside", "blockquote", "br", "caption", "dd", "div", "dl", "dt", "figcaption", "footer", "h1", "h2", "h3", "h4", "h5", "h6",
    "header", "hr", "li", "main", "ol", "p", "pre", "section", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
))
# fmt: on
"""What begins a line of its own in the HTML that readability-lxml gives."""

Meta = dict[str, Any]
Prediction = dict[str, Any]
Predict = Callable[[Meta, bytes], Prediction]
Figures = Mapping[str, float | None]


def pages(data: Path, name: str) -> Iterator[tuple[Meta, bytes]]:
    """Every page of a set with what is known of it."""
    folder = _folder(data, name)
    for meta in metas(data, name):
        yield meta, gzip.decompress((folder / "pages" / f"{meta['id']}.html.gz").read_bytes())


def metas(data: Path, name: str) -> list[Meta]:
    folder = _folder(data, name)
    packed = folder / "meta.jsonl.gz"
    text = gzip.decompress(packed.read_bytes()) if packed.exists() else (folder / "meta.jsonl").read_bytes()
    return [json.loads(line) for line in text.split(b"\n") if line.strip()]


def _folder(data: Path, name: str) -> Path:
    return data / WCXB if name == WCXB else data / "extraction" / "data" / name


def tools_python() -> Path | None:
    """The Python that has the tools; None when they cannot be installed."""
    folder = Path(tempfile.gettempdir()) / "readers-for-benchmarks"
    python = folder / "bin" / "python"
    if not (folder / "installed").exists():
        venv.create(folder, with_pip=True, clear=True)
        try:
            run([python, "-m", "pip", "install", "--quiet", "--upgrade", "pip"])
            run([python, "-m", "pip", "install", "--quiet", *PACKAGES])
        except SystemExit as refused:
            print(f"skipped: {', '.join(TOOLS)} could not be installed from the package index.\n{refused}")
            return None
        (folder / "installed").touch()
    return python


# --- ours ---


def curator_lines(blocks: Iterable[Any], captions: bool = False) -> Iterator[tuple[str, str]]:
    """Our blocks as the truths have them: headings and paragraphs."""
    from webarticlecurator.model.article import HOLDS, Block, Content, plain_text

    for block in blocks:
        if not isinstance(block, Block) or (block.type == "caption" and not captions):
            continue
        if HOLDS[block.type] is Content.INLINES:
            yield ("head" if "heading" in block.type else "p"), plain_text(block)
        else:
            yield from curator_lines(block.children, captions)


def curator(captions: bool, extends: Portal | None = None) -> Predict:
    """The general reader; with the rules of a portal, whose name and address are those of each page."""
    from dataclasses import replace
    from zoneinfo import ZoneInfo

    from webarticlecurator.config.fetch_rules import FetchRules
    from webarticlecurator.config.portal import Portal
    from webarticlecurator.extraction.article import extract
    from webarticlecurator.model.article import COMMENTS
    from webarticlecurator.urls import bare_host

    @cache
    def portal(host: str, encoding: str | None) -> Portal:
        home, rules = f"https://{host}/", FetchRules(encoding=encoding)
        if extends is not None:
            return replace(extends, name=host, title=host, home=home, fetch=rules)
        return Portal(name=host, title=host, home=home, language=None, timezone=ZoneInfo("UTC"), fetch=rules)

    def predict(meta: Meta, body: bytes) -> Prediction:
        captured = datetime.fromisoformat(meta["crawl_date"]).replace(tzinfo=UTC) if meta.get("crawl_date") else None
        article = extract(body, meta["url"], portal(bare_host(meta["url"]), meta.get("encoding")), captured=captured)
        own = [block for post in article.posts if post.kind != COMMENTS for block in post.blocks]
        lines = list(curator_lines([*article.blocks, *own], captions))
        return {
            "text": "\n".join(text for _, text in lines),
            "paragraphs": [{"type": kind, "text": text} for kind, text in lines],
            "title": article.title,
            "authors": list(article.authors),
            "date": article.date,
            "topics": [found.value for found in article.metadata.get("keywords", ())],
            "outcome": article.outcome.value,
        }

    return predict


# --- the known tools ---


def trafilatura() -> Predict:
    from trafilatura import bare_extraction, extract

    def predict(meta: Meta, body: bytes) -> Prediction:
        content = body.decode(meta["encoding"], "replace") if meta.get("encoding") else body
        found = bare_extraction(content, url=meta["url"], with_metadata=True, include_comments=False)
        text = extract(content, url=meta["url"], include_comments=False) or ""
        told = {} if found is None else {"title": found.title, "authors": found.author, "date": found.date, "topics": [*(found.tags or ())]}
        return {"text": text, **told}

    return predict


def readability() -> Predict:
    from lxml import html as parser
    from readability import Document

    def pieces(element: Any) -> Iterator[str]:
        around = "\n" if element.tag in BLOCKS else ""
        yield around + " ".join((element.text or "").splitlines())
        for child in element:
            if isinstance(child.tag, str) and child.tag not in ("script", "style"):
                yield from pieces(child)
            yield " ".join((child.tail or "").splitlines())
        yield around

    def predict(meta: Meta, body: bytes) -> Prediction:
        document = Document(re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", "", _text(meta, body)))
        lines = map(str.strip, "".join(pieces(parser.fromstring(document.summary()))).split("\n"))
        return {"text": "\n".join(filter(None, lines)), "title": document.title()}

    return predict


def newspaper4k() -> Predict:
    from newspaper import Article

    def predict(meta: Meta, body: bytes) -> Prediction:
        article = Article(meta["url"], fetch_images=False)
        article.download(input_html=_text(meta, body))
        article.parse()
        return {
            "text": article.text,
            "title": article.title,
            "authors": article.authors,
            "date": article.publish_date.isoformat() if article.publish_date else None,
            "topics": sorted(article.tags or ()) or article.meta_keywords,
        }

    return predict


def _text(meta: Meta, body: bytes) -> str:
    from trafilatura.utils import decode_file

    return body.decode(meta["encoding"], "replace") if meta.get("encoding") else str(decode_file(body))


TOOLS: Mapping[str, Callable[[], Predict]] = {
    TRAFILATURA: trafilatura,
    READABILITY: readability,
    NEWSPAPER: newspaper4k,
}


def write_predictions(tool: str, data: Path, name: str, out: Path, captions: bool) -> None:
    """What one tool makes of every page, and the CPU it took; a page that it fails on has an empty prediction."""
    predict = curator(captions) if tool == OURS else TOOLS[tool]()
    unfinished = out.with_suffix(".part")
    with unfinished.open("w", encoding="utf-8") as file:
        for meta, body in pages(data, name):
            begin = time.process_time()
            prediction: Prediction = {"text": ""}
            with suppress(Exception):  # a tool's failure is a result
                prediction = predict(meta, body)
            prediction.update(id=meta["id"], ms=(time.process_time() - begin) * 1000)
            file.write(json.dumps(prediction, default=str) + "\n")
    unfinished.rename(out)


# --- scoring ---


def score_module(folder: Path) -> ModuleType:
    """The `score.py` that stands beside the pages."""
    spec = importlib.util.spec_from_file_location(f"score_{folder.name}", folder / "score.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


Summary = Callable[[Sequence[Any]], Figures]


class SetScore:
    """The rows of one set, or of one type of its pages, by tool, and how they are summed up."""

    def __init__(self, data: Path, name: str, files: Mapping[str, Path], chosen: list[Meta]) -> None:
        self.predictions = {tool: {one["id"]: one for one in map(json.loads, file.open(encoding="utf-8"))} for tool, file in files.items()}
        self.summed: Summary
        if name == WCXB:
            module = score_module(data / WCXB)
            self.summed = _wcxb_figures
            self.rows = {
                tool: [_wcxb_row(module.score(meta, told[meta["id"]]), told[meta["id"]]) for meta in chosen]
                for tool, told in self.predictions.items()
            }
        else:
            module = score_module(data / "extraction")
            self.summed = module.SETS[name][1]
            self.rows = {tool: module.score(name, file, chosen)[0] for tool, file in files.items()}

    def cost(self, tool: str) -> float:
        return statistics.fmean(one["ms"] for one in self.predictions[tool].values())


def _wcxb_row(scored: dict[str, float | None], told: Prediction) -> dict[str, float | None]:
    return {**scored, "empty": float(not told["text"].strip()), "listing": float(told.get("outcome") == "listing")}


def _wcxb_figures(rows: Sequence[Mapping[str, float | None]]) -> Figures:
    columns = {key: [value for row in rows if (value := row[key]) is not None] for key in FIGURES[WCXB]}
    return {key: sum(values) if key == "empty" else statistics.fmean(values) if values else None for key, values in columns.items()}


def print_scores(label: str, keys: Sequence[str], scored: SetScore) -> None:
    pages_of = len(scored.rows[OURS])
    print(f"\n{label}: {pages_of} pages\n{'':14}" + "".join(f"{key:>13}" for key in keys) + f"{'ms a page':>12}")
    for tool, rows in scored.rows.items():
        figures = scored.summed(rows)
        print(f"{tool:14}" + "".join(_cell(figures.get(key)) for key in keys) + f"{scored.cost(tool):12.2f}")
    for tool in (tool for tool in scored.rows if tool != OURS):
        print(f"gain on {tool}:")
        for key, (gain, low, high) in gains(scored, tool, keys).items():
            print(f"    {key:14}{gain:+.4f} [{low:+.4f}, {high:+.4f}]")


def _cell(value: float | None) -> str:
    return f"{'-':>13}" if value is None else f"{value:13.4f}"


def gains(scored: SetScore, tool: str, keys: Sequence[str]) -> dict[str, tuple[float, float, float]]:
    """By how much we are better, with its 95 % interval: bootstrap over pages, the same pages of both."""
    ours, theirs = scored.rows[OURS], scored.rows[tool]
    draw = random.Random(1)
    samples = [draw.choices(range(len(ours)), k=len(ours)) for _ in range(ROUNDS)]
    pairs = [(scored.summed([ours[i] for i in sample]), scored.summed([theirs[i] for i in sample])) for sample in samples]
    whole = scored.summed(ours), scored.summed(theirs)
    found = {}
    for key in keys:
        gains = sorted(a - b for one, other in pairs if (a := one.get(key)) is not None and (b := other.get(key)) is not None)
        mine, other = whole[0].get(key), whole[1].get(key)
        if gains and mine is not None and other is not None:
            found[key] = (mine - other, gains[int(0.025 * len(gains))], gains[int(0.975 * len(gains)) - 1])
    return found


def groups_of(name: str, chosen: list[Meta], types: Sequence[str]) -> Iterator[tuple[str, list[Meta]]]:
    """A set's pages; those of WCXB apart by their type."""
    if name != WCXB:
        yield name, chosen
        return
    for kind in types or sorted({meta["type"] for meta in chosen}):
        yield f"{name} {kind}", [meta for meta in chosen if meta["type"] == kind]


def is_chosen(meta: Meta, hosts: str | None) -> bool:
    host = meta.get("host") or meta["url"].partition("//")[2].partition("/")[0]
    return hosts is None or crc32(host.encode()) % 2 == ("even", "odd").index(hosts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(FIGURES))
    parser.add_argument("--types", default="", help="of the pages of wcxb: article, forum, documentation, listing")
    parser.add_argument("--ours-only", action="store_true")
    parser.add_argument("--hosts", choices=("even", "odd"))
    parser.add_argument("--captions", action="store_true")
    parser.add_argument("--keep", type=Path, help="a folder that keeps the predictions")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--predict", nargs=3, metavar=("TOOL", "SET", "OUT"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.predict:
        tool, name, out = asked.predict
        write_predictions(tool, asked.data, name, Path(out), asked.captions or name in WITH_CAPTIONS)
        return
    if not asked.data.is_dir():
        raise SystemExit(f"no pages in {asked.data}; --data says where they are")
    others = None if asked.ours_only else tools_python()
    pythons = {OURS: Path(sys.executable), **({} if others is None else dict.fromkeys(TOOLS, others))}
    with tempfile.TemporaryDirectory() as temporary:
        folder = asked.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        sets = asked.sets.split(",")
        files = {name: {tool: folder / f"{tool}.{name}.jsonl" for tool in pythons} for name in sets}
        wanted = [(tool, name) for name in sets for tool in pythons if tool == OURS or not files[name][tool].exists()]
        with ThreadPoolExecutor(2) as at_once:
            list(at_once.map(lambda pair: _predict(asked, pythons[pair[0]], *pair, files[pair[1]][pair[0]]), wanted))
        for name in sets:
            chosen = [meta for meta in metas(asked.data, name) if is_chosen(meta, asked.hosts)]
            for label, group in groups_of(name, chosen, [kind for kind in asked.types.split(",") if kind]):
                if group:
                    print_scores(label, FIGURES[name], SetScore(asked.data, name, files[name], group))


def _predict(asked: argparse.Namespace, python: Path, tool: str, name: str, out: Path) -> None:
    captions = ["--captions"] * asked.captions
    run([python, __file__, "--data", asked.data, "--predict", tool, name, out, *captions], env={"PYTHONPATH": str(ROOT)})


if __name__ == "__main__":
    main()
