"""Invented pages, and what `curator learn` proposes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seams import learned

from webarticlecurator import extract, load_portal

AT = "https://pelda.example"
HEAD = f"portal: pelda\ntitle: Példa\nhome: {AT}/\nlanguage: en\n"

Pages = Mapping[str, str]
"""Path (or address) of each page -> its HTML."""


def addresses(pages: Pages) -> dict[str, str]:
    return {f"{AT}{path}" if path.startswith("/") else path: html for path, html in pages.items()}


@dataclass(frozen=True, slots=True)
class Learned:
    """The answer of `learn --json`, and the portal file that comes of it."""

    told: Mapping[str, Any]

    @property
    def proposals(self) -> dict[str, dict[str, Any]]:
        return {one["name"]: one for one in self.told["proposals"]}

    @property
    def remarks(self) -> list[str]:
        return list(self.told["remarks"])

    def remark(self, part: str) -> str:
        """The one remark with these words."""
        (said,) = [remark for remark in self.remarks if part in remark]
        return said

    @property
    def after(self) -> str:
        """The portal file with what is sure, and what was answered."""
        return str(self.told["after"])

    def values(self, *, sure: bool = True) -> dict[str, Any]:
        """The first choice of each proposal that is sure, or that is not."""
        return {name: one["choices"][0]["value"] for name, one in self.proposals.items() if one["sure"] is sure}

    def choices(self, name: str) -> list[Any]:
        return [choice["value"] for choice in self.proposals[name]["choices"]]

    def best(self, name: str) -> dict[str, Any]:
        """The first choice: value, reason, samples, differs."""
        return dict(self.proposals[name]["choices"][0])

    def states(self) -> dict[str, str]:
        return {name: one["state"] for name, one in self.proposals.items()}

    def document(self, html: str, path: str) -> Any:
        """The article that the rules of the file afterwards make of a page."""
        portal = load_portal(Path("portal.yaml"), content=self.after.encode())
        return extract(html, f"{AT}{path}", portal)


def learn(
    rules: str = "",
    *,
    archive: Pages | Mapping[str, Pages] | None = None,
    articles: Pages | None = None,
    head: str = HEAD,
    examples: Sequence[str] = (),
    listings: Mapping[str, Any] | None = None,
    **more: Any,
) -> Learned:
    """`archive`: pages of the one archive, or of each column."""
    by_column = archive or {}
    if by_column and isinstance(next(iter(by_column.values())), str):
        by_column = {"archive": by_column}  # type: ignore[assignment]
    given = {name: addresses(pages) for name, pages in by_column.items()}  # type: ignore[arg-type]
    more["listings"] = {f"{AT}{path}": fields for path, fields in (listings or {}).items()}
    examples = tuple(f"{AT}{path}" for path in examples)
    return Learned(learned(head + rules, archive=given, articles=addresses(articles or {}), examples=examples, **more))
