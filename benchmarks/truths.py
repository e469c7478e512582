"""Real pages and what is known of each: where they lie, how they are read, and how what was read is scored.

They are not part of the project: a script that needs them says where they are not, and has nothing to do then.
"""

from __future__ import annotations

import gzip
import importlib.util
import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any
from zlib import crc32

if TYPE_CHECKING:
    from webarticlecurator.model.capture import Capture
    from webarticlecurator.model.page import Page

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"
WCXB = "wcxb"
WITH_CAPTIONS = ("cleanportaleval",)
"""Sets whose truths have the captions, and the headline as their first line."""
HALVES = ("even", "odd")
_COLLECTED = datetime(2026, 6, 1, tzinfo=UTC)
"""When the last of the sets was collected: a page of which nobody tells when it was captured is no younger."""
NOT_HERE = "since the real pages are no part of the project and are not here"

Meta = dict[str, Any]
"""What is known of a page: its `url`, perhaps `encoding`, `crawl_date`, and what it says."""


def metas(data: Path, name: str) -> list[Meta]:
    folder = _folder(data, name)
    packed = folder / "meta.jsonl.gz"
    text = gzip.decompress(packed.read_bytes()) if packed.exists() else (folder / "meta.jsonl").read_bytes()
    return [json.loads(line) for line in text.split(b"\n") if line.strip()]


def pages(data: Path, name: str) -> Iterator[tuple[Meta, bytes]]:
    """Every page of a set with what is known of it."""
    for meta in metas(data, name):
        yield meta, body_of(data, name, meta)


def body_of(data: Path, name: str, meta: Meta) -> bytes:
    return gzip.decompress((_folder(data, name) / "pages" / f"{meta['id']}.html.gz").read_bytes())


def _folder(data: Path, name: str) -> Path:
    return data / WCXB if name == WCXB else data / "extraction" / "data" / name


def is_chosen(meta: Meta, hosts: str | None) -> bool:
    """Whether its publisher is in that half: what is tuned on one half is checked on the other."""
    host = meta.get("host") or meta["url"].partition("//")[2].partition("/")[0]
    return hosts is None or crc32(host.encode()) % 2 == HALVES.index(hosts)


def true_text(meta: Meta) -> str:
    """Of the body."""
    if "gold" not in meta:
        return meta["text"] or ""
    gold = meta["gold"]
    return (gold["articleBody"] or "") if "articleBody" in gold else "\n".join(block["text"] for block in gold.get("blocks", ()))


def captured_at(meta: Meta) -> datetime | None:
    return datetime.fromisoformat(meta["crawl_date"]).replace(tzinfo=UTC) if meta.get("crawl_date") else None


def capture_of(meta: Meta, body: bytes) -> Capture:
    from webarticlecurator import Capture

    date = captured_at(meta)
    told = {"date": date or _COLLECTED, "is_dated": date is not None}
    return Capture(url=meta["url"], requested_url=meta["url"], status=200, headers=(), entity=body, **told)


def page_of(meta: Meta, body: bytes, *, classified: bool = False) -> Page | None:
    """None where it cannot be read."""
    from webarticlecurator.document.parsed_page import read_page
    from webarticlecurator.model.page import Page

    page = read_page(capture_of(meta, body), encoding=meta.get("encoding"), classified=classified)
    return page if isinstance(page, Page) else None


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


@cache
def score_module(folder: Path) -> ModuleType:
    """The `score.py` that stands beside the pages."""
    spec = importlib.util.spec_from_file_location(f"score_{folder.name}", folder / "score.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def text_f1(data: Path, text: str, meta: Meta) -> float:
    """Of bags of words."""
    score = score_module(data / "extraction")
    return float(score.prf(*score.bag(score.tokens(text), score.tokens(true_text(meta))))[2])
