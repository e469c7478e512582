"""What each reader makes of every page of a set, ours without any portal rules; a tool of others is run by the Python of its environment.

    python benchmarks/reader_tools.py TOOL SET OUT.jsonl [--data DIR] [--captions]

extruct reads metadata alone, justext text alone. A page that a tool fails on has an empty prediction.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from results import script_parser
from truths import DATA, WITH_CAPTIONS, Meta, captured_at, curator_lines, pages

if TYPE_CHECKING:
    from webarticlecurator import Article
    from webarticlecurator.config.portal import Portal

OURS, TRAFILATURA = "curator", "trafilatura"
NAMES = {"headline": "title", "author": "authors", "datePublished": "date", "keywords": "topics"}
"""Schema.org's name -> that in a prediction."""

Prediction = dict[str, Any]
Predict = Callable[[Meta, bytes], Prediction]


# --- ours ---


def curator(captions: bool) -> Predict:
    """The general reader."""
    from webarticlecurator import extract
    from webarticlecurator.urls import bare_host

    def predict(meta: Meta, body: bytes) -> Prediction:
        portal = bare_portal(bare_host(meta["url"]), meta.get("encoding"))
        return told_by(extract(body, meta["url"], portal, captured=captured_at(meta)), captions)

    return predict


@cache
def bare_portal(host: str, encoding: str | None, timezone: str = "UTC") -> Portal:
    """Without any rules."""
    from zoneinfo import ZoneInfo

    from webarticlecurator.config.fetch_rules import FetchRules
    from webarticlecurator.config.portal import Portal

    home, rules = f"https://{host}/", FetchRules(encoding=encoding)
    return Portal(name=host, title=host, home=home, language=None, timezone=ZoneInfo(timezone), fetch=rules)


def told_by(article: Article, captions: bool) -> Prediction:
    from webarticlecurator.model.article import COMMENTS

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


# --- the known tools ---


def of_package(name: str) -> Predict:
    """One that `curator compare` asks, too: asked by the same code."""
    from webarticlecurator.stages.known_readers import TOOLS as READERS
    from webarticlecurator.stages.known_readers import Given

    def predict(meta: Meta, body: bytes) -> Prediction:
        content = body.decode(meta["encoding"], "replace") if meta.get("encoding") else body
        reading = READERS[name](Given(meta["url"], content, "" if name == TRAFILATURA else _text(meta, body)))
        return {"text": reading.text, **{NAMES[field]: values for field, values in reading.metadata.items()}}

    return predict


def goose3() -> Predict:
    from goose3 import Goose

    goose = Goose({"enable_image_fetching": False})

    def predict(meta: Meta, body: bytes) -> Prediction:
        article = goose.extract(raw_html=_text(meta, body))
        told = {"title": article.title, "authors": article.authors, "date": article.publish_date, "topics": sorted(article.tags or ())}
        return {"text": article.cleaned_text, **told}

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
    TRAFILATURA: partial(of_package, TRAFILATURA),
    "readability-lxml": partial(of_package, "readability-lxml"),
    "newspaper4k": partial(of_package, "newspaper4k"),
    "goose3": goose3,
    "justext": partial(of_package, "jusText"),
    "extruct": extruct,
}
"""By the names of their packages."""


def write_predictions(tool: str, data: Path, name: str, out: Path, captions: bool) -> None:
    """With the CPU that each page took."""
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


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("tool", choices=(OURS, *TOOLS))
    parser.add_argument("set")
    parser.add_argument("out", type=Path)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--captions", action="store_true")
    asked = parser.parse_args()
    write_predictions(asked.tool, asked.data, asked.set, asked.out, asked.captions or asked.set in WITH_CAPTIONS)


if __name__ == "__main__":
    main()
