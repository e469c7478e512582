"""A site told as paths and bodies, and what `curator new` makes of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import scripted_portal
import yaml
from scripted_portal import Reply, Script, ScriptedPortal, sitemap_index, urlset

from webarticlecurator import Portal, load_portal

HOME = "HOME/"
"""Stands for the address of the site in what its lists say."""
WORDS = ("Újra járnak a villamosok a hídon", "Elkészült a folyó új töltése", "Vita a régi piac sorsáról", "Megnyílt a felújított múzeum")


def sitemap(*paths: str, index: bool = False) -> str:
    return (sitemap_index if index else urlset)(*(HOME + path for path in paths))


def feed(*paths: str) -> str:
    return f"<?xml version='1.0'?>{scripted_portal.feed(*(HOME + path for path in paths)).body!s}"


@dataclass(frozen=True, slots=True)
class Look:
    """What `curator new` said, and the file that it wrote."""

    code: int
    told: Mapping[str, Any]
    text: str
    err: str
    asked: Sequence[str]
    home: str
    file: Path

    @property
    def portal(self) -> Portal:
        return load_portal(Path("portal.yaml"), content=self.text.encode())

    @property
    def rules(self) -> dict[str, Any]:
        return dict(yaml.safe_load(self.text))

    @property
    def columns(self) -> list[str]:
        return [column.name for column in self.portal.columns]

    @property
    def listed(self) -> dict[str, int]:
        """Articles on the first page of each column."""
        return {column["name"]: column["articles"] for column in self.told["columns"]}

    @property
    def remarks(self) -> list[str]:
        return [remark.replace(f"{self.home}/", HOME) for remark in self.told["remarks"]]

    @property
    def unsure(self) -> list[str]:
        return [one["name"] for one in self.told["unsure"]]

    @property
    def comments(self) -> str:
        """The comments of the file as running text, reasons among them."""
        return re.sub(r"\s*\n\s*#\s*", " ", self.text).replace(f"{self.home}/", HOME)

    def left_out(self, column: int, paths: Sequence[str]) -> list[str]:
        """Those that a column's rules for addresses leave out."""
        patterns = self.portal.columns[column].urls.exclude
        return [path for path in paths if any(pattern.search(f"{self.home}/{path}") for pattern in patterns)]


Looking = Callable[..., Look]
"""What the fixture `look` does."""


@dataclass(slots=True)
class NewSite:
    curator: Callable[..., Any]
    site: ScriptedPortal
    folder: Path
    head: str = "<meta charset=utf-8>"
    lang: str = "hu"
    _looks: list[Look] = field(default_factory=list)

    def serve(self, pages: Mapping[str, str | Reply], **lists: str) -> None:
        """The pages of these paths (home page: "") and lists in XML, whose addresses begin with HOME."""
        script: dict[str, Script] = {}
        for path, body in pages.items():
            if isinstance(body, Reply):
                script[f"/{path}"] = body
                continue
            content = body.replace(HOME, f"{self.site.home}/")
            script[f"/{path}"] = f"<!DOCTYPE html><html lang={self.lang}><head>{self.head}</head><body>{content}</body></html>"
        for path, body in lists.items():
            content = body.replace(HOME, f"{self.site.home}/")
            kind = "application/xml" if body.startswith("<?xml") else "text/plain"
            script[f"/{path}"] = Reply(content, kind=kind)
        self.site.script = script

    def look(self, pages: Mapping[str, str | Reply], *flags: object, home: str = "", **lists: str) -> Look:
        """`home`: the path of the home page."""
        self.serve(pages, **lists)
        file = self.folder / f"look-{len(self._looks)}" / "portal.yaml"
        self.site.asked.clear()
        ended = self.curator("new", f"{self.site.home}/{home}", "-o", file, "--json", *flags)
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        look = Look(ended.code, json.loads(ended.out), text, ended.err, tuple(self.site.asked), self.site.home, file)
        self._looks.append(look)
        return look
