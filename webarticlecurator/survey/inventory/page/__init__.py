"""The inventory as one HTML file that needs nothing else: no server, no network, no program but a browser."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.resources import files
from string import Template

from webarticlecurator.config.tag_dictionary import NAMES, REMOVALS
from webarticlecurator.extraction.body.tag_names import Tag, TagNotationError, selector_of
from webarticlecurator.survey.inventory.results import BY_NO_TAG_RULE, Decider, Inventory, JsonRow, TagRow, as_json, row_as_json

_SCRIPTS = ("dom", "sliced_rows", "sorted_table", "overview", "decisions", "tag_columns", "fold_out", "tags", "tree", "pairs", "main")
"""In the order in which they need one another."""


def inventory_page(inventory: Inventory, table: str, *, language: str = "") -> str:
    """The whole file. `table`: the same for spreadsheets; `language`: the one of the portal's texts (BCP 47)."""
    style = _part("page.css")
    script = "\n".join(_part(f"{name}.js") for name in _SCRIPTS)
    return Template(_part("page.html")).substitute(
        policy=_policy(style, script),
        portal=_plain(inventory.portal),
        style=style,
        data=_embedded(_contents(inventory, table, language)),
        script=script,
    )


def _policy(style: str, script: str) -> str:
    """Nothing may be loaded, nothing may run but our own script, and that may not make markup out of text."""
    return (
        f"default-src 'none'; style-src 'sha256-{_digest(style)}'; script-src 'sha256-{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def _embedded(data: object) -> str:
    """JSON that no HTML parser can leave: without angle brackets and ampersands, and in ASCII, so that not even the encoding matters."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _plain(text: str) -> str:
    return html.escape(text).encode("ascii", "xmlcharrefreplace").decode("ascii")


def _part(name: str) -> str:
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


# --- what the page shows: what programs are given, and what its script needs beside that ---


def _contents(inventory: Inventory, table: str, language: str) -> JsonRow:
    """Everything that the page shows. `table`: the one for spreadsheets, a line a row; no cell of it holds a tab or a line break."""
    columns, *lines = table.removesuffix("\n").split("\n")
    return {
        **as_json(replace(inventory, trees={}), ()),
        "language": language,
        "vocabulary": {"operations": (*REMOVALS, *NAMES), "names": NAMES},
        "coverage": [_year(year) for year in inventory.coverage],
        "rows": [_row(row) for row in inventory.rows],
        "trees": [{"layout": layout, "nodes": list(_nodes(roots))} for layout, roots in inventory.trees.items()],
        "pairs": [_pair(pair) for pair in inventory.pairs],
        "table": {"columns": columns.split("\t"), "lines": lines},
    }


def _year(year: JsonRow) -> JsonRow:
    """A share of nothing is none."""
    return {
        **year,
        "word_share": year["word_share"] if year["words"] else None,
        "element_share": year["element_share"] if year["elements"] else None,
    }


def _row(row: TagRow) -> JsonRow:
    decided = row.decided
    return {
        **row_as_json(row),
        "key": "\t".join((row.tag, decided.condition, decided.decider, decided.operation)),
        "selector": decided.condition or _selector(row.tag),
        "operation": "" if decided.decider in BY_NO_TAG_RULE else decided.operation,
        "fate": decided.becomes,
        "url": decided.url or "",
    }


def _selector(tag: str) -> str:
    """Empty for what no selector can say."""
    try:
        return selector_of(Tag.parse(tag))
    except TagNotationError:
        return ""


def _nodes(roots: Sequence[JsonRow]) -> Iterator[JsonRow]:
    """In the order in which they are read, each with its depth; no recursion, since pages may nest without end."""
    waiting = [(0, root) for root in reversed(roots)]
    while waiting:
        level, node = waiting.pop()
        shown = {name: node[name] for name in ("tag", "frequency", "words", "own_words", "more", "more_words")}
        yield {**shown, "level": level, "fate": node["operation"] or Decider.NOBODY}
        waiting += [(level + 1, child) for child in reversed(node["children"])]


def _pair(pair: JsonRow) -> JsonRow:
    outer, inner = _selector(pair["outer"]), _selector(pair["inner"])
    return {**pair, "selector": f"{outer}{' > ' if pair['adjacent'] else ' '}{inner}" if outer and inner else ""}
