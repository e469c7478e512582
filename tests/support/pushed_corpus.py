"""A corpus of invented articles whose WARC files are brought elsewhere, all by the command line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warc_records import foreign

SITE = "https://pelda.example"
TEXT = "<html lang=en><title>{0}</title><body><article><h1>{0}</h1><p>The council met and talked for hours about {0}.</p></article>"


@dataclass(slots=True)
class PushedCorpus:
    """One portal, one corpus, and where its files are brought."""

    curator: Any
    base: Path
    to: object = ""
    imports: int = 0

    def __post_init__(self) -> None:
        self.base.mkdir()

    @property
    def file(self) -> Path:
        path = self.base / "portal.yaml"
        path.write_text(f"portal: pelda\nhome: {SITE}/\nlanguage: en\n", encoding="utf-8")
        return path

    @property
    def folder(self) -> Path:
        return self.base / "corpus"

    @property
    def names(self) -> list[str]:
        return sorted(path.name for path in (self.folder / "warc").glob("*.warc.gz"))

    def store(self, *names: str) -> None:
        self.imports += 1
        pages = [(f"{SITE}/{name}", "200 OK", TEXT.format(name)) for name in names]
        self.run("warc", "import", foreign(self.base / f"{self.imports}.warc.gz", pages))

    def run(self, *command: object, at: object = None) -> Any:
        words = command[:2] if command[0] == "warc" else command[:1]
        return self.curator(*words, self.file, *command[len(words) :], "--corpus", self.folder if at is None else at)

    def push(self, *flags: object, to: object = None) -> dict[str, Any]:
        ended = self.run("warc", "push", "--to", to or self.to, *flags, "--json")
        assert ended.code in (0, 4), ended.err
        return {**json.loads(ended.out), "code": ended.code}

    def refused(self, *flags: object, to: object = None) -> str:
        """Why a push did not what it should have done."""
        ended = self.run("warc", "push", "--to", to or self.to, *flags)
        assert ended.code in (1, 2), ended.out
        return str(ended.err)

    def status(self, at: object = None) -> dict[str, Any]:
        return dict(json.loads(self.run("status", "--json", at=at).out))

    def built(self, *flags: object) -> dict[str, Any]:
        return dict(json.loads(self.run("build", "--jobs", 1, "--json", *flags).out))
