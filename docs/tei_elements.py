"""The end of docs/reference/tei.md: every element of the ODD, what we put in it, its attributes, and an example from a document.

python docs/tei_elements.py     crawls a small example portal and keeps an example of each element in docs/tei_examples.json
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

DOCS = Path(__file__).resolve().parent
ODD, EXAMPLES = DOCS.parent / "schemas" / "tei" / "webarticle.odd", DOCS / "tei_examples.json"
_TEI = "{http://www.tei-c.org/ns/1.0}"
_LONGEST = 160
_COLUMNS = ("francais", "blog", "forum", "naptar", "english", "kultura")
_MODULES = {
    "textstructure": "The document and its parts", "core": "Blocks, inlines, sources", "figures": "Figures, tables, formulas",
    "linking": "Blocks that are no paragraphs", "tagdocs": "Code", "cmc": "Posts", "analysis": "Annotations", "header": "The header",
    "corpus": "People and settings",
    "namesdates": "Names",
}  # fmt: skip


def tei_elements() -> str:
    """Tables of all elements, and one of values."""
    odd = etree.parse(ODD)
    told = {str(spec.get("ident")): spec.findtext(f"{_TEI}desc", "") for spec in odd.iter(f"{_TEI}elementSpec")}
    included = {str(module.get("key")): module.get("include", "").split() for module in odd.iter(f"{_TEI}moduleRef")}
    examples = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    lines: list[str] = []
    for key, title in _MODULES.items():
        lines += [f"### {title}\n", "| element | what we put in it | attributes | example |", "|---|---|---|---|"]
        lines += [_row(name, told[name], examples.get(name)) for name in included[key]]
        lines.append("")
    return "\n".join([*lines, "### Values\n", "| attribute | values |", "|---|---|", *_values(odd), ""])


def _row(name: str, told: str, example: dict[str, str] | None) -> str:
    attributes, text = (example["attributes"], f"`{_cell(example['text']).replace('`', chr(39))}`") if example else ("", "")
    meaning = re.sub(r"(@[a-z:]+)", r"`\1`", _cell(told))
    return f"| `{name}` | {meaning} | {attributes} | {text} |"


def _values(odd: etree._ElementTree) -> Iterator[str]:
    for spec in odd.iter(f"{_TEI}elementSpec"):
        for attribute in spec.iter(f"{_TEI}attDef"):
            if values := [f"`{item.get('ident')}`" for item in attribute.iter(f"{_TEI}valItem")]:
                yield f"| `{spec.get('ident')}/@{attribute.get('ident')}` | {', '.join(values)} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def examples(documents: list[Path]) -> dict[str, dict[str, str]]:
    """Of each element the attributes that it has anywhere, and the shortest example that has the most of them."""
    found: dict[str, tuple[set[str], tuple[int, int], str]] = {}
    for path in documents:
        for element in etree.parse(path).iter(f"{_TEI}*"):
            name = etree.QName(element).localname
            text = _shown(element)
            names, best, kept = found.get(name, (set(), (0, 0), ""))
            names |= {f"`{attribute}`" for attribute in map(str, element.attrib) if not attribute.startswith("{")}
            rank = (len(element.attrib), -len(text))
            found[name] = (names, *((rank, text) if not kept or rank > best else (best, kept)))
    return {name: {"attributes": ", ".join(sorted(names)), "text": text} for name, (names, _, text) in sorted(found.items())}


def _shown(element: etree._Element) -> str:
    text = " ".join(etree.tostring(element, encoding="unicode", with_tail=False).split())
    text = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:8765", re.sub(r' xmlns(:\w+)?="[^"]*"', "", text))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _documents(folder: Path) -> list[Path]:
    from webarticlecurator import BuildOptions, CrawlOptions, build, crawl
    from webarticlecurator.example_portal import ExamplePortal

    with ExamplePortal(articles=120) as portal:
        file = portal.portal_file(folder, delay="0s")
        crawl(file, options=CrawlOptions(columns=_COLUMNS))
    build(file, options=BuildOptions(jobs=1))
    return sorted(folder.rglob("tei/**/*.xml"))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        kept = examples(_documents(Path(folder)))
    EXAMPLES.write_text(json.dumps(kept, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
