"""The inventory as one HTML file that needs nothing else: no server, no network, no program but a browser."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from importlib.resources import files
from string import Template

from webarticlecurator.survey.inventory.page.contents import contents
from webarticlecurator.survey.inventory.results import Inventory

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
        data=_embedded(contents(inventory, table, language)),
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
