"""A site as values: all its pages by address, and what is true of it; and the server that gives them on this machine only."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from threading import Thread
from types import TracebackType
from typing import Any, Self
from urllib.parse import unquote

from webarticlecurator.example_portal.answers import Answer, Request, html_answer
from webarticlecurator.example_portal.server import Server

from .content import ZONES, Part, Post, Said, Topic, Voice


@dataclass(frozen=True, slots=True)
class Variation:
    """One site: a software, one of its themes, a language, and how it is set up."""

    software: str
    theme: str
    language: str
    options: frozenset[str] = frozenset()
    seed: int = 1

    @property
    def name(self) -> str:
        return "-".join((self.software, self.theme, self.language, *sorted(self.options)))

    @property
    def voice(self) -> Voice:
        return Voice(self.language, Random(f"{self.name}/{self.seed}"))

    def has(self, option: str) -> bool:
        return option in self.options


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """One post, thread or live blog as a perfect reader has it."""

    url: str
    title: str
    authors: tuple[str, ...]
    date: str
    """ISO 8601; without the time where the site shows it nowhere."""
    text: str
    """Of posts; threads have theirs in `said`."""
    said: tuple[Said, ...] = ()
    """Comments, posts of a thread, entries."""
    parents: bool = True
    """Whether the site shows what answers what."""
    loose_text: bool = False
    """Whether what stands outside the posts of a thread is nobody's business."""


@dataclass(slots=True)
class Made:
    """What a software makes of a variation."""

    pages: dict[str, Answer] = field(default_factory=dict)
    """By path and query."""
    truths: list[Truth] = field(default_factory=list)
    indexes: dict[str, list[Truth]] = field(default_factory=dict)
    """Pages that hold several posts, and what is to be had from them alone."""
    answer: Callable[[Request], Answer | None] = lambda _request: None
    """For addresses that are not written down in `pages`: interfaces with many parameters."""
    extends: str = ""
    """The preset, where it has another name than the software."""
    lines: str = ""
    """What a person would have to add to the portal file."""
    home: str = "/"
    folder: str = ""
    """Below which all pages lie, as `/blog`."""
    identity: str = ""
    """What makes two addresses one, where a software has several for a page."""

    def page(self, target: str, text: str, status: int = 200) -> None:
        self.pages[target] = html_answer(text, status=status)

    def give(self, target: str, kind: str, body: bytes | str) -> None:
        self.pages[target] = typed(kind, body)

    def moved(self, target: str, to: str) -> None:
        self.pages[target] = Answer(status=301, headers=(("Location", to),))


def typed(kind: str, body: bytes | str, *headers: tuple[str, str], status: int = 200) -> Answer:
    return Answer(status=status, headers=(("Content-Type", kind), *headers), body=body.encode() if isinstance(body, str) else body)


def json_answer(value: Any, *headers: tuple[str, str], status: int = 200) -> Answer:
    return typed("application/json; charset=utf-8", json.dumps(value), *headers, status=status)


def truth_of_post(url: str, post: Post, *, only_day: bool = False, said: Sequence[Said] | None = None) -> Truth:
    date = post.time.isoformat()[: 10 if only_day else None]
    found = post.comments if said is None else tuple(said)
    return Truth(url=url, title=post.title, authors=(post.author,), date=date, text=post.text, said=found)


def truth_on_index(whole: Truth, post: Post, *, cut: bool) -> Truth:
    """What a page of several posts alone shows of one."""
    return replace(whole, said=(), text=post.parts[0].text if cut else whole.text)


def untitled(posts: Sequence[Post]) -> tuple[Post, ...]:
    """Every sixth loses its title."""
    return tuple(replace(post, title="") if number % 6 == 4 else post for number, post in enumerate(posts))


def truth_of_topic(url: str, topic: Topic, *, parents: bool = False) -> Truth:
    first = topic.posts[0]
    # fmt: off
    return Truth(
        url=url, title=topic.title, authors=(first.author,), date=first.time.isoformat(), text="", said=topic.posts, parents=parents,
    )
    # fmt: on


class RunningSite:
    """A site on loopback while a `with` block lasts."""

    def __init__(self, variation: Variation, port: int = 0) -> None:
        from . import SOFTWARE  # the table of softwares needs this module

        self.variation = variation
        self.requests: list[str] = []
        self._server = Server(port, self._respond)
        self.root = f"http://127.0.0.1:{self._server.port}"
        self.made: Made = SOFTWARE[variation.software](self.root, variation)
        self._by_meaning = {unquote(target): answer for target, answer in self.made.pages.items()}
        """What is escaped in an address depends on who writes it."""
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def home(self) -> str:
        return self.root + self.made.folder + self.made.home

    def portal_file(self) -> str:
        """What a person writes."""
        language, preset = self.variation.language, self.made.extends or self.variation.software
        head = f"portal: {self.variation.name[:60].rstrip('-')}\nhome: {self.home}\nextends: {preset}\n"
        return f"{head}language: {language}\ntimezone: {ZONES[language]}\n{self.made.lines}"

    def answer(self, request: Request) -> Answer | None:
        """What it says to that, or nothing."""
        target = request.target
        if self.made.folder and target != "/robots.txt":
            if not target.startswith(self.made.folder):
                return None
            target = target.removeprefix(self.made.folder) or "/"
            request = replace(request, target=target)
        return self.made.pages.get(target) or self._by_meaning.get(unquote(target)) or self.made.answer(request)

    def _respond(self, request: Request) -> Answer:
        self.requests.append(request.target)
        missing = "<html><head><title>404</title></head><body><h1>404</h1></body></html>"
        return self.answer(request) or html_answer(missing, status=404)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._server.stopped.set()
        self._server.shutdown()
        self._thread.join()
        self.close()

    def close(self) -> None:
        """Give the port back."""
        self._server.server_close()


# --- what several softwares write alike ---


def escape(text: str) -> str:
    return html.escape(text, quote=False)


def given(there: object, text: str) -> str:
    """The text where there is something that it is about."""
    return text if there else ""


def attribute(text: str) -> str:
    return html.escape(text, quote=True)


FRAMES = {
    "p": "<p>{}</p>", "h2": "<h2>{}</h2>", "h3": "<h3>{}</h3>", "ul": "<ul>\n{}\n</ul>", "ol": "<ol>\n{}\n</ol>",
    "quote": "<blockquote><p>{}</p></blockquote>", "code": "<pre>{}</pre>", "table": "<table><tbody>{}</tbody></table>",
    "picture": '<figure><img src="/files/kep.jpg" alt="" width="600" height="400"><figcaption>{}</figcaption></figure>',
}  # fmt: skip


def written_parts(parts: Iterable[Part], frames: dict[str, str] | None = None) -> str:
    """The HTML of blocks, by the software's frames."""
    known = {**FRAMES, **(frames or {})}
    return "\n".join(known[part.kind].format(_lines(part)) for part in parts)


def _lines(part: Part) -> str:
    if part.kind == "table":
        return "".join(f"<tr><td>{one.replace('|', '</td><td>')}</td></tr>" for one in part.lines)
    return "\n".join(f"<li>{one}</li>" for one in part.lines) if part.kind in ("ul", "ol") else "\n".join(part.lines)


def chunks(items: Sequence[Any], size: int) -> list[Sequence[Any]]:
    """At least one page."""
    return [items[at : at + size] for at in range(0, len(items), size)] or [()]


def document(title: str, body: str, *, language: str, head: str = "", classes: str = "", extra: str = "") -> str:
    kind = f' class="{classes}"' if classes else ""
    return (
        f'<!DOCTYPE html>\n<html lang="{language}"{extra}>\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>'
        f"\n{head}\n</head>\n<body{kind}>\n{body}\n</body>\n</html>\n"
    )
