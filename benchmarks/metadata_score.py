"""Metadata without any portal rules: ours and each known tool that is installed, side by side, with the paired gain.

    python benchmarks/metadata_score.py [--tools-python PATH] [--sets fundus,trafilatura] [--data DIR] [--keep DIR]

The tools (extruct, trafilatura, newspaper4k, goose3) are run by `--tools-python`, the interpreter of an environment of their
own; one that is not installed there is left out. The pages are not part of the project: without them there is nothing to do.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any
from zoneinfo import ZoneInfo

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data" / "extraction"
OURS = "curator"
FIGURES = {
    "fundus": ("title", "authors_f1", "date_day", "date_instant", "topics_f1"),
    "trafilatura": ("title", "authors_f1", "date_day", "topics_f1"),
}
ROUNDS = 1_000
"""Of the bootstrap."""

Prediction = dict[str, Any]
Predict = Callable[[dict[str, Any], bytes], Prediction]


def pages(data: Path, name: str) -> Iterator[tuple[dict[str, Any], bytes]]:
    folder = data / "data" / name
    for line in (folder / "meta.jsonl").read_text(encoding="utf-8").splitlines():
        meta = json.loads(line)
        yield meta, gzip.decompress((folder / "pages" / f"{meta['id']}.html.gz").read_bytes())


# --- ours ---


def _curator() -> Predict:
    from webarticlecurator.config.portal import Portal
    from webarticlecurator.document.page import read_page
    from webarticlecurator.extraction.metadata import read_metadata
    from webarticlecurator.model.capture import Capture
    from webarticlecurator.model.page import Page
    from webarticlecurator.urls import bare_host

    def predict(meta: dict[str, Any], body: bytes) -> Prediction:
        host, url = bare_host(meta["url"]), meta["url"]
        portal = Portal(name=host, title=host, home=f"https://{host}/", language=None, timezone=ZoneInfo("UTC"))
        when = datetime.fromisoformat(meta["crawl_date"]).replace(tzinfo=UTC) if meta.get("crawl_date") else datetime.now(UTC)
        capture = Capture(url=url, requested_url=url, status=200, headers=(), entity=body, date=when)
        page = read_page(capture, encoding=meta.get("encoding"))
        if not isinstance(page, Page):
            return {}
        values = {name: [one.value for one in found] for name, found in read_metadata(page, portal, {}).metadata.items()}
        return {
            "title": next(iter(values.get("headline", [])), None),
            "authors": values.get("author", []),
            "date": next(iter(values.get("datePublished", [])), None),
            "topics": values.get("keywords", []),
        }

    return predict


# --- the known tools ---


def _text(meta: dict[str, Any], body: bytes) -> str:
    return body.decode(meta.get("encoding") or "utf-8", "replace")


def _listed(value: Any) -> list[str]:
    """A plain mapping: texts, names of things, lists of both."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return _listed(value.get("name"))
    return [text for one in value for text in _listed(one)] if isinstance(value, list) else []


def _first(*values: Any) -> str | None:
    return next((text for value in values for text in _listed(value) if text.strip()), None)


def _extruct() -> Predict:
    import extruct

    def predict(meta: dict[str, Any], body: bytes) -> Prediction:
        found = extruct.extract(
            _text(meta, body), base_url=meta["url"], syntaxes=["json-ld", "opengraph", "microdata"], uniform=True, errors="ignore"
        )
        things = [one for block in found.get("json-ld", []) for one in block.get("@graph", [block]) if isinstance(one, dict)]
        articles = [
            one for one in [*things, *found.get("microdata", [])] if str(one.get("@type")).endswith(("Article", "Posting']", "Posting"))
        ]
        article: dict[str, Any] = articles[0] if articles else {}
        graph: dict[str, Any] = next(iter(found.get("opengraph", [])), {})
        keywords = _listed(article.get("keywords") or graph.get("article:tag"))
        return {
            "title": _first(article.get("headline"), graph.get("og:title")),
            "authors": _listed(article.get("author")),
            "date": _first(article.get("datePublished"), graph.get("article:published_time")),
            "topics": [topic.strip() for text in keywords for topic in text.split(",")],
        }

    return predict


def _trafilatura() -> Predict:
    from trafilatura import bare_extraction

    def predict(meta: dict[str, Any], body: bytes) -> Prediction:
        content = _text(meta, body) if meta.get("encoding") else body
        found = bare_extraction(content, url=meta["url"], with_metadata=True)
        if found is None:
            return {}
        return {"title": found.title, "authors": found.author, "date": found.date, "topics": [*(found.tags or ())]}

    return predict


def _newspaper4k() -> Predict:
    from newspaper import Article

    def predict(meta: dict[str, Any], body: bytes) -> Prediction:
        article = Article(meta["url"], fetch_images=False)
        article.download(input_html=_text(meta, body))
        article.parse()
        date = article.publish_date.isoformat() if article.publish_date else None
        return {
            "title": article.title,
            "authors": article.authors,
            "date": date,
            "topics": sorted(article.tags or ()) or article.meta_keywords,
        }

    return predict


def _goose3() -> Predict:
    from goose3 import Goose

    goose = Goose()

    def predict(meta: dict[str, Any], body: bytes) -> Prediction:
        article = goose.extract(raw_html=_text(meta, body))
        date = article.publish_datetime_utc.isoformat() if article.publish_datetime_utc else article.publish_date
        return {"title": article.title, "authors": article.authors, "date": date, "topics": list(article.tags)}

    return predict


TOOLS: dict[str, Callable[[], Predict]] = {
    OURS: _curator,
    "extruct": _extruct,
    "trafilatura": _trafilatura,
    "newspaper4k": _newspaper4k,
    "goose3": _goose3,
}


def write_predictions(tool: str, data: Path, name: str, out: Path) -> None:
    """What one tool says of every page, and the CPU it took; a page that it fails on has no prediction."""
    predict = TOOLS[tool]()
    with out.open("w", encoding="utf-8") as file:
        for meta, body in pages(data, name):
            begin = time.process_time()
            prediction: Prediction = {}
            with suppress(Exception):  # a tool's failure is a result
                prediction = predict(meta, body)
            prediction.update(id=meta["id"], ms=(time.process_time() - begin) * 1000)
            file.write(json.dumps(prediction, default=str) + "\n")


# --- scoring ---


def _score_module(data: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("score", data / "score.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _interval(values: list[float]) -> str:
    values = sorted(values)
    return f"[{values[int(0.025 * len(values))]:+.3f}, {values[int(0.975 * len(values)) - 1]:+.3f}]"


def print_scores(data: Path, name: str, files: dict[str, Path]) -> None:
    score = _score_module(data)
    score.DATA = data / "data"
    meta = score.load_jsonl(score.meta_path(name))
    summed, keys = score.SETS[name][1], FIGURES[name]
    rows = {tool: score.score(name, file, meta)[0] for tool, file in files.items()}
    print(f"\n{name}: {len(meta)} pages\n{'':14}" + "".join(f"{key:>14}" for key in keys) + f"{'ms a page':>14}")
    for tool, one in rows.items():
        figures = summed(one)
        cost = sum(prediction["ms"] for prediction in score.load_jsonl(files[tool])) / len(meta)
        print(f"{tool:14}" + "".join(f"{figures.get(key) or 0:14.3f}" for key in keys) + f"{cost:14.2f}")
    for tool in rows.keys() - {OURS}:
        gains = score.boot(summed, rows[OURS], ROUNDS, keys, rows[tool])
        ours, theirs = summed(rows[OURS]), summed(rows[tool])
        for key in keys:
            if gains.get(key):
                print(f"gain over {tool:12} {key:14} {ours[key] - theirs[key]:+.3f} {_interval(gains[key])}")


def _installed(python: str, tool: str) -> bool:
    module = {"newspaper4k": "newspaper"}.get(tool, tool)
    return subprocess.run([python, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools-python", default=sys.executable)
    parser.add_argument("--sets", default="fundus,trafilatura")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--keep", type=Path, help="a folder that keeps the predictions")
    parser.add_argument("--predict", nargs=3, metavar=("TOOL", "SET", "OUT"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.predict:
        tool, name, out = options.predict
        write_predictions(tool, options.data, name, Path(out))
        return
    if not options.data.is_dir():
        raise SystemExit(f"no pages in {options.data}; --data says where they are")
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name in options.sets.split(","):
            files: dict[str, Path] = {}
            for tool in TOOLS:
                python = sys.executable if tool == OURS else options.tools_python
                if tool != OURS and not _installed(python, tool):
                    continue
                files[tool] = folder / f"{tool}.{name}.jsonl"
                command = [python, __file__, "--data", str(options.data), "--predict", tool, name, str(files[tool])]
                subprocess.run(command, check=True, cwd=ROOT, stderr=subprocess.DEVNULL)
            print_scores(options.data, name, files)


if __name__ == "__main__":
    main()
