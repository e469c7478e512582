"""A portal that publishes what a test says: pages are written, taken in out of a WARC file and built, all by commands."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from seams import main
from warc_records import write_warc

FIELDS = ("headline", "datePublished", "dateModified", "articleSection", "description", "isAccessibleForFree", "license", "image", "genre")
LISTS = ("author", "editor", "keywords", "source", "about", "mentions", "video", "isBasedOn")
OPERATIONS = ("box", "caption", "note", "question", "answer", "social", "verse", "source", "table-heading", "divider", "lead", "subheading")
_POST = {
    "id": {"attr": "data-id"},
    "time": {"attr": "data-when"},
    "author": {"attr": "data-who"},
    "title": ".title",
    "url": {"attr": "data-url"},
    "reply_to": {"attr": "data-reply-to"},
    "likes": {"attr": "data-likes"},
    "editor": {"attr": "data-editor"},
    "quoted": {"attr": "data-post"},
    "quoted_author": {"attr": "data-of"},
    "text": ".text",
}
RULES: dict[str, Any] = {
    "metadata": {
        **{name: {"meta": f"x:{name}"} for name in (*FIELDS, *LISTS, "copyrightYear", "wordCount", "commentCount", "inLanguage")},
        "url": {"meta": "x:url"},
    },
    "body": {"root": "div.body", "tags": {name: [f".x-{name}"] for name in OPERATIONS}},
    "posts": {kind: {"item": f"div.x-{kind}", **_POST} for kind in ("comments", "forum", "liveblog")},
    "layouts": [{"name": "old", "when": "body.old"}],
}


def article(
    number: int | str,
    *blocks: str,
    title: str | None = "A bridge",
    date: str | None = "2024-05-01T10:00:00+02:00",
    language: str | None = "en",
    posts: Sequence[str] = (),
    type: str | None = None,
    layout: str | None = None,
    portal: str = "pelda",
    captured: str = "2024-06-01T00:00:00Z",
    **metadata: str | Iterable[str],
) -> Published:
    """A page; a block is HTML, or the text of a paragraph; a metadata field has one value or several."""
    told = {"headline": title, "datePublished": date, "inLanguage": language, **metadata}
    values = [
        (name, value) for name, given in told.items() if given is not None for value in ([given] if isinstance(given, str) else given)
    ]
    head = "".join(f'<meta name="x:{name}" content="{escape(value)}">' for name, value in values)
    url = f"https://{portal}.example/{number}"
    data = {"@context": "https://schema.org", "@type": type, "url": url, "mainEntityOfPage": url, **({"headline": title} if title else {})}
    schema = f'<script type="application/ld+json">{json.dumps(data)}</script>' if type else ""
    body = "".join(one if one.startswith("<") else f"<p>{escape(one)}</p>" for one in blocks)
    page = (
        f'<!DOCTYPE html><html lang="{language or ""}"><head><meta charset="utf-8">{head}{schema}</head>'
        f'<body class="{layout or ""}"><div class="body">{body}</div>{"".join(posts)}</body></html>'
    )
    return Published(portal, f"/{number}", page, captured, type)


def post(text: str, kind: str = "comments", *, title: str | None = None, html: str | None = None, **told: str) -> str:
    """One post, to be put below a page; `html` in the place of a paragraph with the text."""
    attributes = "".join(f' data-{name.replace("_", "-")}="{escape(value)}"' for name, value in told.items())
    heading = f'<h3 class="title">{escape(title)}</h3>' if title else ""
    return f'<div class="x-{kind}"{attributes}>{heading}<div class="text">{html or f"<p>{escape(text)}</p>"}</div></div>'


@dataclass(frozen=True, slots=True)
class Published:
    """One page that a portal published."""

    portal: str
    path: str
    page: str
    captured: str
    type: str | None = None

    @property
    def url(self) -> str:
        return f"https://{self.portal}.example{self.path}"

    @property
    def id(self) -> str:
        return f"{self.portal}-{sha256(self.url.encode()).hexdigest()[:16]}"


@dataclass(slots=True)
class PublishedPortal:
    """A portal file in a folder, with its corpus beside it where commands look for it."""

    folder: Path
    name: str = "pelda"
    more: dict[str, Any] = field(default_factory=dict)
    """Further rules."""
    _taken_in: int = 0

    @property
    def file(self) -> Path:
        path = self.folder / f"{self.name}.yaml"
        head = {"portal": self.name, "title": "Example", "home": f"https://{self.name}.example/", "language": "en"}
        path.write_text(json.dumps({**head, "timezone": "Europe/Budapest", **RULES, **self.more}), encoding="utf-8")  # which is YAML, too
        return path

    @property
    def corpus(self) -> Path:
        return self.folder / "corpora" / self.name

    def take_in(self, *pages: Published) -> None:
        self._taken_in += 1
        path = self.folder / f"{self.name}-{self._taken_in}.warc.gz"
        path.touch()
        for page in pages:
            write_warc(path, {page.url: page.page}, date=page.captured, more=True)
        assert main(["warc", "import", str(self.file), str(path), "--quiet"]) == 0

    def build(self, *flags: str) -> None:
        assert main(["build", str(self.file), "--jobs", "1", "--quiet", *flags]) in (0, 1, 5)


def published(folder: Path, *pages: Published, name: str = "pelda", **more: Any) -> PublishedPortal:
    """The portal of these pages, taken in and built; pages are as old as they say."""
    folder.mkdir(exist_ok=True)
    portal = PublishedPortal(folder, name, more)
    portal.take_in(*pages)
    portal.build()
    return portal


Publish = Callable[..., PublishedPortal]
"""The portal of these pages, for one test alone (the fixture `publish`)."""
