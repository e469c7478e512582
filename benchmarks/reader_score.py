"""The general reader without any portal rules: bodies and metadata, ours beside every known tool, in one run with intervals.

    python benchmarks/reader_score.py [--sets wcxb,fundus] [--types forum] [--ours-only] [--hosts even|odd] [--captions] [--keep DIR]

Every figure comes with the paired difference to each tool and its 95 % interval. Most truths leave captions out, as the tools do; so ours
are counted only where the truth has them, or `--captions` asks for it. `--hosts` takes half of the publishers: what is tuned on one half
is checked on the other. `--keep` keeps the predictions: a tool's are not made twice, and `score.py` beside the pages tells the worst of
them. extruct reads metadata alone, justext text alone. The pages are not part of the project: without them there is nothing to do.
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
from results import Record, result_option

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"
OURS, TRAFILATURA = "curator", "trafilatura"
WITHOUT_TEXT, WITHOUT_METADATA = "extruct", "justext"
WCXB = "wcxb"
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
    "empty": "Pages that are filled by scripts, or hold nothing but links.",
}
NAMES = {
    "body_f1": "text F1", "body_p": "text precision", "body_r": "text recall", "para_f1": "paragraphs F1", "f1": "text F1",
    "p": "text precision", "precision": "text precision", "r": "text recall", "recall": "text recall", "accuracy": "accuracy of snippets",
    "with": "wanted snippets there", "without": "unwanted snippets away", "empty": "empty pages", "listing": "called a listing",
    "title": "title", "authors_f1": "authors F1", "author": "author", "date_day": "day", "day": "day", "date_instant": "day and time",
    "topics_f1": "topics F1",
}  # fmt: skip
"""What each figure of a set is called."""
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


def goose3() -> Predict:
    from goose3 import Goose

    goose = Goose({"enable_image_fetching": False})

    def predict(meta: Meta, body: bytes) -> Prediction:
        article = goose.extract(raw_html=_text(meta, body))
        told = {"title": article.title, "authors": article.authors, "date": article.publish_date, "topics": sorted(article.tags or ())}
        return {"text": article.cleaned_text, **told}

    return predict


def justext() -> Predict:
    """Its list of stop words is that of the language which the page declares; English without one."""
    from babel import Locale
    from justext import get_stoplist, get_stoplists, justext

    known = get_stoplists()

    def predict(meta: Meta, body: bytes) -> Prediction:
        declared = re.search(rb"<html[^>]*\slang=[\"']?([a-zA-Z]{2})", body)
        name = "English"
        with suppress(Exception):
            name = str(Locale.parse(declared[1].decode().lower()).english_name) if declared else name
        paragraphs = justext(_text(meta, body).encode(), get_stoplist(name if name in known else "English"), encoding="utf-8")
        return {"text": "\n".join(one.text for one in paragraphs if not one.is_boilerplate)}

    return predict


def extruct() -> Predict:
    """What its syntaxes give, mapped plainly: the first article of JSON-LD or microdata, then Open Graph."""
    from extruct import extract

    def predict(meta: Meta, body: bytes) -> Prediction:
        found = extract(
            _text(meta, body), base_url=meta["url"], syntaxes=["json-ld", "microdata", "opengraph"], uniform=True, errors="ignore"
        )
        items = [*_items(found.get("json-ld", ())), *_items(found.get("microdata", ()))]
        item = next((one for one in items if any(kind.endswith(("Article", "Posting")) for kind in _list(one.get("@type")))), {})
        graph = next(iter(found.get("opengraph", ())), {})
        authors = [one.get("name") if isinstance(one, dict) else one for one in _list(item.get("author") or graph.get("article:author"))]
        topics = item.get("keywords") or graph.get("article:tag")
        return {
            "text": "",
            "title": item.get("headline") or item.get("name") or graph.get("og:title"),
            "authors": [one for one in authors if isinstance(one, str)],
            "date": item.get("datePublished") or graph.get("article:published_time"),
            "topics": [word.strip() for word in topics.split(",")] if isinstance(topics, str) else [str(one) for one in _list(topics)],
        }

    return predict


def _items(found: Iterable[Any]) -> Iterator[dict[str, Any]]:
    for one in found:
        if isinstance(one, dict):
            yield one
            yield from _items(_list(one.get("@graph")))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _text(meta: Meta, body: bytes) -> str:
    from trafilatura.utils import decode_file

    return body.decode(meta["encoding"], "replace") if meta.get("encoding") else str(decode_file(body))


def plain(told: Prediction) -> Prediction:
    """Texts where texts are scored: of lists in lists, which pages and tools give, every text; of a title or date, the first."""
    first = {key: next(_texts(told[key]), None) for key in ("title", "date") if key in told}
    return {**told, **first, **{key: list(_texts(told[key])) for key in ("authors", "topics") if key in told}}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _texts(one)


TOOLS: Mapping[str, Callable[[], Predict]] = {
    TRAFILATURA: trafilatura,
    "readability-lxml": readability,
    "newspaper4k": newspaper4k,
    "goose3": goose3,
    "justext": justext,
    "extruct": extruct,
}
"""By the names of their packages."""


def write_predictions(tool: str, data: Path, name: str, out: Path, captions: bool) -> None:
    """What one tool makes of every page, and the CPU it took; a page that it fails on has an empty prediction."""
    predict = curator(captions) if tool == OURS else TOOLS[tool]()
    unfinished = out.with_suffix(".part")
    with unfinished.open("w", encoding="utf-8") as file:
        for meta, body in pages(data, name):
            begin = time.process_time()
            prediction: Prediction = {"text": ""}
            with suppress(Exception):  # a tool's failure is a result
                prediction = plain(predict(meta, body))
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
        self._samples: dict[str, list[Figures]] = {}
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

    def samples(self, tool: str) -> list[Figures]:
        """The figures of bootstrapped pages, of all tools the same pages."""
        if tool not in self._samples:
            draw, rows = random.Random(1), self.rows[tool]
            self._samples[tool] = [self.summed(draw.choices(rows, k=len(rows))) for _ in range(ROUNDS)]
        return self._samples[tool]

    def cost(self, tool: str) -> float:
        return statistics.fmean(one["ms"] for one in self.predictions[tool].values())


def _wcxb_row(scored: dict[str, float | None], told: Prediction) -> dict[str, float | None]:
    return {**scored, "empty": float(not told["text"].strip()), "listing": float(told.get("outcome") == "listing")}


def _wcxb_figures(rows: Sequence[Mapping[str, float | None]]) -> Figures:
    columns = {key: [value for row in rows if (value := row[key]) is not None] for key in FIGURES[WCXB]}
    return {key: sum(values) if key == "empty" else statistics.fmean(values) if values else None for key, values in columns.items()}


def note(record: Record, label: str, keys: Sequence[str], scored: SetScore) -> Mapping[str, Figures]:
    """The tables of one group of pages, and what is wanted of ours; gives the figures of each tool."""
    figures = {tool: scored.summed(rows) for tool, rows in scored.rows.items()}
    told = {tool: [_told(tool, key, figures[tool].get(key)) for key in keys] for tool in figures}
    rows = [(tool, *cells, scored.cost(tool)) for tool, cells in told.items()]
    record.table(f"{label}: {len(scored.rows[OURS])} pages", ("reader", *(NAMES[key] for key in keys), "CPU ms a page"), rows)
    compared = [key for key in keys if key in COMPARED]
    differences = [
        (tool, *(_difference(found.get(key)) if _told(tool, key, figures[tool].get(key)) is not None else None for key in compared))
        for tool in scored.rows
        if tool != OURS
        for found in [gains(scored, tool, compared)]
    ]
    if differences:
        headings = ("ours minus", *(NAMES[key] for key in compared))
        record.table(f"{label}: by how much ours is better", headings, differences, "With the 95 % interval of a bootstrap over pages.")
    want(record, label, figures, scored)
    return figures


def want(record: Record, label: str, figures: Mapping[str, Figures], scored: SetScore) -> None:
    """What was wanted of ours on this group."""
    ours, theirs = figures[OURS], figures.get(TRAFILATURA)
    for key, least in TARGETS.get(label, {}).items():
        value = ours.get(key)
        if value is not None:
            drawn = sorted(one[key] or 0.0 for one in scored.samples(OURS))
            low, high = drawn[int(0.025 * len(drawn))], drawn[int(0.975 * len(drawn)) - 1]
            more = {"low": low, "high": high, "interval": "95 %"}
            record.figure(f"{label}: {NAMES[key]}", value, at_least=least, why=WHY.get(key, ""), **more)
    if label == f"{WCXB} article" and ours["listing"] is not None:
        record.figure(f"{label}: called a listing", ours["listing"], at_most=MOST_ARTICLES_AS_LISTINGS)
    if theirs is not None:
        for name, keys, wanted in (
            ("text precision", ("precision", "body_p", "p"), {"at_least": 0, "why": WHY["precision"]}),
            ("empty pages", ("empty",), {"at_most": 0, "why": WHY["empty"]}),
        ):
            for key in keys:
                if (own := ours.get(key)) is not None and (other := theirs.get(key)) is not None:
                    value = int(own - other) if key == "empty" else own - other
                    record.figure(f"{label}: {name}, ours minus trafilatura's", value, **wanted)


def _told(tool: str, key: str, value: float | None) -> float | int | None:
    """None where the tool has no such thing to give: it finds none on any page, or reads no text at all."""
    if value is None or (not value if key in METADATA else tool == WITHOUT_TEXT):
        return None
    return int(value) if key == "empty" else value


def _difference(gain: tuple[float, float, float] | None) -> str | None:
    return None if gain is None else f"{gain[0]:+.3f} ({gain[1]:+.3f} to {gain[2]:+.3f})"


def gains(scored: SetScore, tool: str, keys: Sequence[str]) -> dict[str, tuple[float, float, float]]:
    """By how much we are better, with its 95 % interval: bootstrap over pages, the same pages of both."""
    pairs = list(zip(scored.samples(OURS), scored.samples(tool), strict=True))
    whole = scored.summed(scored.rows[OURS]), scored.summed(scored.rows[tool])
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
    asked = result_option(parser).parse_args()
    if asked.predict:
        tool, name, out = asked.predict
        write_predictions(tool, asked.data, name, Path(out), asked.captions or name in WITH_CAPTIONS)
        return
    record = Record(
        "Reading without any rules: text and metadata",
        "Every page of five sets is read without a portal file, by ours and by each known tool. Text F1 is that of the words of the body, "
        "metadata is right or wrong page by page, and the sets are those of other projects, which know what is on each page. Captions are "
        "left out of our text where the truth has none. A dash: the tool does not give it.",
    )
    if asked.data.is_dir():
        score_all(asked, record)
    else:
        record.leave_out("reading without rules, since the real pages are no part of the project and are not here")
    record.end(asked.result)


def score_all(asked: argparse.Namespace, record: Record) -> None:
    from processes import environment

    others = None if asked.ours_only else environment("readers", record)
    pythons = {OURS: Path(sys.executable), **({} if others is None else dict.fromkeys(TOOLS, others.python))}
    record.versions.update({} if others is None else {tool: others.version(tool) for tool in TOOLS})
    with tempfile.TemporaryDirectory() as temporary:
        folder = asked.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        sets = asked.sets.split(",")
        files = {name: {tool: folder / f"{tool}.{name}.jsonl" for tool in pythons} for name in sets}
        wanted = [(tool, name) for name in sets for tool in pythons if tool == OURS or not files[name][tool].exists()]
        with ThreadPoolExecutor(2) as at_once:
            list(at_once.map(lambda pair: _predict(asked, pythons[pair[0]], *pair, files[pair[1]][pair[0]]), wanted))
        found: dict[str, Mapping[str, Figures]] = {}
        for name in sets:
            chosen = [meta for meta in metas(asked.data, name) if is_chosen(meta, asked.hosts)]
            for label, group in groups_of(name, chosen, [kind for kind in asked.types.split(",") if kind]):
                if group:
                    scored = SetScore(asked.data, name, files[name], group)
                    found[label] = note(record, label, FIGURES[name], scored)


def _predict(asked: argparse.Namespace, python: Path, tool: str, name: str, out: Path) -> None:
    captions = ["--captions"] * asked.captions
    run([python, __file__, "--data", asked.data, "--predict", tool, name, out, *captions], env={"PYTHONPATH": str(ROOT)})


if __name__ == "__main__":
    main()
