"""A person who writes a portal file and saves a page, then asks `curator try` or `curator check` about them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent
from typing import Any

HOME = "https://pelda.example"
HEAD = """\
portal: pelda
home: https://pelda.example/
language: hu
timezone: Europe/Budapest
"""


@dataclass(slots=True)
class WrittenPortal:
    """One folder with a portal file in it."""

    curator: Callable[..., Any]
    folder: Path
    head: str = field(default=HEAD)

    def write(self, rules: str, files: Mapping[str, str] | None = None) -> Path:
        """The portal file; `files` lie beside it."""
        for name, content in (files or {}).items():
            (self.folder / name).write_text(dedent(content), encoding="utf-8")
        path = self.folder / "portal.yaml"
        path.write_text(self.head + dedent(rules), encoding="utf-8")
        return path

    def check(self, rules: str, files: Mapping[str, str] | None = None) -> Any:
        return self.curator("check", self.write(rules, files))

    def effective(self, rules: str, files: Mapping[str, str] | None = None) -> str:
        """What `check --show` prints."""
        ended = self.curator("check", self.write(rules, files), "--show")
        assert ended.code == 0, ended.err + ended.out
        return str(ended.out)

    def look(self, rules: str, page: str | bytes, at: str, *flags: str, files: Mapping[str, str] | None = None) -> dict[str, Any]:
        """The object that `try --json` prints for this page at this URL (or path of the home)."""
        saved = self.folder / "saved.page"
        saved.write_bytes(page.encode() if isinstance(page, str) else page)
        url = at if "://" in at else HOME + at
        ended = self.curator("try", self.write(rules, files), url, "--html", saved, "--json", *flags)
        assert ended.out.count("\n") == 1, f"exit code {ended.code}: {ended.out}{ended.err}"
        line: dict[str, Any] = json.loads(ended.out)
        assert line["url"] == url
        return line

    def archive(self, rules: str, page: str | bytes, at: str, *flags: str, **more: Any) -> dict[str, Any]:
        line = self.look(rules, page, at, *(flags or ("--as", "archive")), **more)
        assert line["kind"] == "archive", line
        return line

    def links(self, rules: str, page: str | bytes, at: str, *flags: str, **more: Any) -> list[str]:
        """The article URLs of an archive page, those of the home host as paths."""
        return [article["url"].removeprefix(HOME) for article in self.archive(rules, page, at, *flags, **more)["articles"]]

    def next(self, rules: str, page: str | bytes, at: str, *flags: str, **more: Any) -> str | None:
        found = self.archive(rules, page, at, *flags, **more)["next"]
        return None if found is None else str(found).removeprefix(HOME)

    def metadata(self, rules: str, page: str | bytes, at: str, **more: Any) -> dict[str, list[str]]:
        """What an article's metadata picks give."""
        line = self.look(rules, page, at, "--as", "article", **more)
        return {name: [one["value"] for one in values] for name, values in line["metadata"].items()}
