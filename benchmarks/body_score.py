"""Article bodies without any portal rules: ours beside readability-lxml and trafilatura, with the paired difference to each.

    python benchmarks/body_score.py [--sets fundus,scrapinghub] [--hosts even|odd] [--captions] [--data DIR]

The truths of all sets leave captions out, as the tools do; so our captions are not counted, unless `--captions` asks for it. `--hosts`
takes half of the publishers: what is tuned on one half is checked on the other. The tools are installed into an environment of
their own, below the system's temporary folder, and kept there for the next time. The pages are not part of the project: without
them there is nothing to do.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any
from zlib import crc32

from metadata_score import DATA, ROOT, pages
from processes import run

OURS, READABILITY, TRAFILATURA = "curator", "readability-lxml", "trafilatura"
TOOLS = (READABILITY, TRAFILATURA)
PACKAGES = ("readability-lxml[html-clean]", "lxml_html_clean", "trafilatura")
FIGURES = {
    "fundus": ("body_f1", "body_p", "body_r", "para_f1"),
    "scrapinghub": ("f1", "precision", "recall"),
    "trafilatura": ("f1", "precision", "recall", "accuracy"),
    "cleanportaleval": ("body_f1", "body_p", "body_r", "para_f1"),
}
"""What is compared on each set; the first decides."""
MOST_BEHIND = {READABILITY: 0.0, TRAFILATURA: 0.03}
"""By how much a tool may be better."""
ROUNDS = 1_000
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


def tools_python() -> Path | None:
    """The Python that has the tools; None when they cannot be installed."""
    folder = Path(tempfile.gettempdir()) / "body-finders-for-benchmarks"
    python = folder / "bin" / "python"
    if not (folder / "installed").exists():
        venv.create(folder, with_pip=True, clear=True)
        try:
            run([python, "-m", "pip", "install", "--quiet", "--upgrade", "pip"])
            run([python, "-m", "pip", "install", "--quiet", *PACKAGES])
        except SystemExit as refused:
            print(f"skipped: {' and '.join(TOOLS)} could not be installed from the package index.\n{refused}")
            return None
        (folder / "installed").touch()
    return python


# --- predictions ---


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


def curator(captions: bool) -> Predict:
    from functools import cache
    from zoneinfo import ZoneInfo

    from webarticlecurator.config.fetch_rules import FetchRules
    from webarticlecurator.config.portal import Portal
    from webarticlecurator.extraction.article import extract

    @cache
    def portal(encoding: str | None) -> Portal:
        home = "https://bench.example/"
        rules = FetchRules(encoding=encoding)
        return Portal(name="bench", title="Bench", home=home, language=None, timezone=ZoneInfo("UTC"), fetch=rules)

    def predict(meta: Meta, body: bytes) -> Prediction:
        found = list(curator_lines(extract(body, meta["url"], portal(meta.get("encoding"))).blocks, captions))
        return {"paragraphs": [{"type": kind, "text": text} for kind, text in found], "text": "\n".join(text for _, text in found)}

    return predict


def readability() -> Predict:
    import re

    from lxml import html as parser
    from readability import Document
    from trafilatura.utils import decode_file

    def pieces(element: Any) -> Iterator[str]:
        around = "\n" if element.tag in BLOCKS else ""
        yield around + " ".join((element.text or "").splitlines())
        for child in element:
            if isinstance(child.tag, str) and child.tag not in ("script", "style"):
                yield from pieces(child)
            yield " ".join((child.tail or "").splitlines())
        yield around

    def predict(meta: Meta, body: bytes) -> Prediction:
        text = body.decode(meta["encoding"], "replace") if meta.get("encoding") else decode_file(body)
        summary = Document(re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", "", text)).summary()
        return {"text": "\n".join(line for line in map(str.strip, "".join(pieces(parser.fromstring(summary))).split("\n")) if line)}

    return predict


def trafilatura() -> Predict:
    from trafilatura import extract

    def predict(meta: Meta, body: bytes) -> Prediction:
        text = body.decode(meta["encoding"], "replace") if meta.get("encoding") else body
        return {"text": extract(text, url=meta["url"], include_comments=False) or ""}

    return predict


def write_predictions(tool: str, data: Path, name: str, out: Path, captions: bool) -> None:
    """What one tool makes of every page; a page that it fails on has an empty prediction."""
    predict = {OURS: lambda: curator(captions), READABILITY: readability, TRAFILATURA: trafilatura}[tool]()
    with out.open("w", encoding="utf-8") as file:
        for meta, body in pages(data, name):
            begin = time.process_time()
            prediction: Prediction = {"text": ""}
            with suppress(Exception):  # a tool's failure is a result
                prediction = predict(meta, body)
            prediction.update(id=meta["id"], ms=(time.process_time() - begin) * 1000)
            file.write(json.dumps(prediction) + "\n")


# --- scoring ---


def score_module(data: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("score", data / "score.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def is_chosen(meta: Meta, hosts: str | None) -> bool:
    return hosts is None or crc32(meta["host"].encode()) % 2 == ("even", "odd").index(hosts)


def print_scores(data: Path, name: str, files: dict[str, Path], hosts: str | None) -> None:
    score = score_module(data)
    meta = [one for one in score.load_jsonl(score.meta_path(name)) if is_chosen(one, hosts)]
    if not meta:
        print(f"\n{name}: no pages of that half")
        return
    summed, keys = score.SETS[name][1], FIGURES[name]
    rows = {tool: score.score(name, file, meta)[0] for tool, file in files.items()}
    figures = {tool: summed(one) for tool, one in rows.items()}
    print(f"\n{name}: {len(meta)} pages\n{'':18}" + "".join(f"{key:>12}" for key in keys) + f"{'ms a page':>12}")
    for tool, file in files.items():
        predictions = score.load_jsonl(file)
        cost = sum(prediction["ms"] for prediction in predictions) / len(predictions)
        print(f"{tool:18}" + "".join(f"{figures[tool][key]:12.4f}" for key in keys) + f"{cost:12.2f}")
    for tool in (tool for tool in files if tool != OURS):
        key = keys[0]
        gain = figures[OURS][key] - figures[tool][key]
        gains = sorted(score.boot(summed, rows[OURS], ROUNDS, (key,), rows[tool])[key])
        low, high = gains[int(0.025 * len(gains))], gains[int(0.975 * len(gains)) - 1]
        reached = "reached" if gain >= -MOST_BEHIND[tool] else "NOT REACHED"
        print(f"{key} to {tool}: {gain:+.4f} [{low:+.4f}, {high:+.4f}]; at least {-MOST_BEHIND[tool]:+.2f}: {reached}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(FIGURES))
    parser.add_argument("--hosts", choices=("even", "odd"))
    parser.add_argument("--captions", action="store_true")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--predict", nargs=3, metavar=("TOOL", "SET", "OUT"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.predict:
        tool, name, out = asked.predict
        write_predictions(tool, asked.data, name, Path(out), asked.captions)
        return
    if not asked.data.is_dir():
        raise SystemExit(f"no pages in {asked.data}; --data says where they are")
    others = tools_python()
    pythons = {OURS: Path(sys.executable), **({} if others is None else dict.fromkeys(TOOLS, others))}
    with tempfile.TemporaryDirectory() as folder:
        for name in asked.sets.split(","):
            files = {tool: Path(folder) / f"{tool}.{name}.jsonl" for tool in pythons}
            for tool, file in files.items():
                command = [pythons[tool], __file__, "--data", asked.data, "--predict", tool, name, file, *(["--captions"] * asked.captions)]
                run(command, env={"PYTHONPATH": str(ROOT)})
            print_scores(asked.data, name, files, asked.hosts)


if __name__ == "__main__":
    main()
