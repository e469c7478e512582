"""A desk: a folder in which somebody sits with a portal file, and the portal that it is about."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from scripted_portal import Reply, ScriptedPortal, listing

HOME = "https://pelda.example"
HEAD = f"portal: pelda\nhome: {HOME}/\n"
RULES = f"archive:\n  url: {HOME}/l/{{page}}\n  item: li.t\n  link: h2 a\n"
TEXT = "The council met on Tuesday and talked for hours about the bridge and the money that it needs. "


def story(title: str, *, day: str = "2024-05-01", head: str = "", text: str = "", more: str = "") -> str:
    """The page of an article."""
    body = "".join(f"<p>{TEXT}{text or title} {number}.</p>" for number in range(4))
    return (
        f'<html lang="en"><head><title>{title}</title><meta property="article:published_time" content="{day}T10:00:00+02:00">{head}</head>'
        f"<body><nav><a href=/>Home</a></nav><article><h1>{title}</h1>{body}</article>{more}</body></html>"
    )


@dataclass(frozen=True, slots=True)
class Said:
    """How a command ended, as if the portal and the folder had the names that people give them."""

    code: int
    out: str
    err: str

    @property
    def all(self) -> str:
        return f"{self.out}\n{self.err}"


@dataclass(slots=True)
class Desk:
    curator: Callable[..., Any]
    site: ScriptedPortal
    folder: Path
    monkeypatch: pytest.MonkeyPatch
    until_the_end: ExitStack
    head: str = HEAD + "language: en\ntimezone: Europe/Budapest\nfetch: {delay: 0s, retries: 0}\n"
    corpus: Path = field(default=Path("corpora/pelda"))

    def file(self, text: str, name: str = "portal.yaml") -> None:
        Path(name).write_text(text.replace(HOME, self.site.home), encoding="utf-8")

    def rules(self, rules: str = RULES, *archive: str | Reply, **pages: str | Reply) -> None:
        """A portal file for the portal on loopback, with these archive pages and articles."""
        self.file(self.head + rules)
        self.site.script |= {f"/l/{number}": page for number, page in enumerate(archive, 1)}
        self.site.script |= {path.replace("_", "/"): page for path, page in pages.items()}

    def portals(self, *names: str) -> str:
        """Portal files of these names, each of a portal of one article; what one types to name them."""
        for name in names:
            text = self.head.replace("portal: pelda", f"portal: {name}")
            self.file(f"{text}archive: {{url: '{HOME}/{name}/{{page}}', item: li.t, link: h2 a}}\n", f"{name}.yaml")
            self.site.script |= {f"/{name}/1": listing(f"/c/{name}"), f"/{name}/2": listing()}
        return " ".join(f"{name}.yaml" for name in names)

    def crawled(self, *flags: str, **pages: str | Reply) -> None:
        """A portal of two articles that was crawled without a failure."""
        self.rules(RULES, listing(1, 2), listing(), **pages)
        assert self.types(f"crawl portal.yaml {' '.join(flags)}").code == 0

    def built(self, **pages: str | Reply) -> None:
        """The same with documents."""
        self.crawled(**{"_c_1": story("A bridge"), "_c_2": story("A school", day="2023-05-01"), **pages})
        assert self.types("build portal.yaml --jobs 1").code == 0

    def types(self, line: str) -> Said:
        ended = self.curator(*shlex.split(line.replace(HOME, self.site.home)))
        return Said(int(ended.code), self._told(ended.out), self._told(ended.err))

    def _told(self, text: str) -> str:
        text = text.replace(self.site.home, HOME).replace(self.site.home.partition("//")[2], HOME.partition("//")[2])
        return text.replace(str(self.folder), "/home/you")


@pytest.fixture
def desk(curator: Callable[..., Any], site: ScriptedPortal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.chdir(tmp_path)
    with ExitStack() as until_the_end:
        yield Desk(curator, site, tmp_path, monkeypatch, until_the_end)


@pytest.fixture
def article_page() -> Callable[..., str]:
    return story
