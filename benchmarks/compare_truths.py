"""What `curator compare` says of pages whose text is known: each reader, and ours without any rules, held against the truth.

    python benchmarks/compare_truths.py [--sets wcxb,fundus,cleanportaleval] [--pages N] [--data DIR]

Readers are asked and summed up by the code of that command, so they must be installed beside ours, as its extra `compare` does it.
The F1 of a text is that of `reader_score.py`, but for how the sets part words, and how a page's encoding is found. The pages are not
part of the project: without them there is nothing to do.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

from reader_tools import NAMES, OURS, curator, plain
from results import script_parser
from truths import DATA, NOT_HERE, WITH_CAPTIONS, Meta, capture_of, page_of, pages, true_text

from webarticlecurator.cli import console
from webarticlecurator.document.decode import Decoded, decode
from webarticlecurator.stages.known_readers import ComparedReaders, Given, ToolProcesses, ToolReading, Values
from webarticlecurator.text import element_text

SETS = "wcxb,fundus,cleanportaleval"
SECONDS = 20.0


def known(meta: Meta) -> Values:
    """What the truth says of metadata; a set that says nothing of a field leaves it out."""
    gold = meta.get("gold", meta)
    values = {
        "headline": gold.get("title"),
        "author": gold.get("authors") or gold.get("author"),
        "datePublished": gold.get("date"),
        "keywords": gold.get("topics"),
    }
    return {field: [value] if isinstance(value, str) else value for field, value in values.items() if value}


def ours(meta: Meta, body: bytes, captions: bool) -> ToolReading:
    told = plain(curator(captions)(meta, body))
    metadata = {field: told.get(name) or [] for field, name in NAMES.items()}
    return ToolReading(told["text"], {field: [value] if isinstance(value, str) else value for field, value in metadata.items()})


def compared(data: Path, name: str, number: int | None, tools: ToolProcesses) -> ComparedReaders:
    comparison = ComparedReaders("truth", [OURS, *tools.versions])
    for meta, body in islice(pages(data, name), number):
        decoded, page = decode(capture_of(meta, body), encoding=meta.get("encoding")), page_of(meta, body)
        text = decoded.text if isinstance(decoded, Decoded) else ""
        whole = element_text(page.tree) if page is not None and page.tree is not None else ""
        readings = tools.read([Given(meta["url"], text if meta.get("encoding") else body, text)])
        own, right = ours(meta, body, name in WITH_CAPTIONS), known(meta)
        comparison.add(ToolReading(true_text(meta), right), [whole], {OURS: [own], **readings}, right)
    return comparison


def in_words(name: str, comparison: ComparedReaders) -> Iterator[str]:
    tables = comparison.tables()
    yield f"{name}: {comparison.pages:,} pages"
    yield from console.table("\nWords", tables["words"], "reader page page_with_metadata")
    yield from console.table("\nText, held against the truth", tables["text"], "reader precision recall f1")
    yield from console.table("\nMetadata, held against the truth", tables["metadata"], "reader field precision recall said wanted")


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("--sets", default=SETS)
    parser.add_argument("--pages", type=int, help="so many of each set")
    parser.add_argument("--data", type=Path, default=DATA)
    asked = parser.parse_args()
    if not asked.data.is_dir():
        print(f"Left out: {NOT_HERE}.")
        return
    for name in asked.sets.split(","):
        with closing(ToolProcesses(SECONDS)) as tools:
            print("\n".join(in_words(name, compared(asked.data, name, asked.pages, tools))), end="\n\n")


if __name__ == "__main__":
    main()
