"""A portal on loopback that answers as a script says, and remembers what it was asked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from textwrap import dedent
from threading import Lock, Thread
from typing import Any

from seams import known_urls


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server says."""

    body: str | bytes = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = "text/html; charset=utf-8"


Script = str | Reply | Callable[[str], str | Reply]
"""What is said at one path; a function is given the body of the request."""


def listing(*articles: object, next: str | None = None, more: str = "") -> str:
    """An archive page with a link to each article (a number, or an address) and perhaps to the next page."""
    items = (f"<li class=t><h2><a href='{one if isinstance(one, str) else f'/c/{one}'}'>Cikk {one}</a></h2>" for one in articles)
    arrow = f"<a class=next href='{next}'>tovább</a>" if next else ""
    return f"<html><body><a href=/>Címlap</a><ul>{''.join(items)}</ul>{more}{arrow}</body></html>"


def urlset(*places: str, lastmod: str | Mapping[str, str] = "") -> str:
    """A sitemap with these addresses, all of one day or each of its own."""
    dates = lastmod if isinstance(lastmod, Mapping) else dict.fromkeys(places, lastmod)
    entries = (f"<url><loc>{place}</loc>{f'<lastmod>{dates[place]}</lastmod>' if dates.get(place) else ''}</url>" for place in places)
    return f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{"".join(entries)}</urlset>'


def sitemap_index(*places: str, lastmod: str = "") -> str:
    date = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
    return (
        f"<?xml version='1.0'?><sitemapindex>{''.join(f'<sitemap><loc>{place}</loc>{date}</sitemap>' for place in places)}</sitemapindex>"
    )


def feed(*places: str, head: str = "") -> Reply:
    items = "".join(f"<item><title>Cikk {place}</title><link>{place}</link></item>" for place in places)
    return Reply(f"<rss version='2.0'><channel><title>Hírek</title>{head}{items}</channel></rss>", kind="application/rss+xml")


def moved(to: str) -> Reply:
    return Reply(status=302, headers={"Location": to})


API_WAY = """\
archive:
  item: li.t
  next: a.next
  ways:
    api: {url: "{home}api?page={page}", format: json, item: {json: "@"}, link: {json: link},
      pages: {mode: numbered, last: {header: X-WP-TotalPages}}}
"""
_PROGRESS = re.compile(r"(?m)^\S+: (?:archive|articles) \S.* failed\b.*\n")
"""What --verbose tells of each request."""
GONE, MISSING, BROKEN = Reply("gone", 410), Reply("not here", 404), Reply("broken", 500)
_TOLD = {"missing": MISSING, "gone": GONE, "broken": BROKEN, "HTTP 403": Reply("", 403), "blank": Reply(""), "empty": listing()}
_TOLD["missing, with links"] = Reply(listing(7, 8), 404)


def told_page(told: Any) -> str | Reply:
    """An archive page as files of cases tell it: its articles, these with what else is there, or what is answered in its place."""
    if isinstance(told, str):
        return moved(told.removeprefix("moved to ")) if told.startswith("moved to ") else _TOLD.get(told, told)
    return listing(*told) if isinstance(told, list) else listing(*told["links"], next=told.get("next"), more=told.get("more", ""))


class AnyPath(dict[str, Any]):
    """A script that has an answer to other paths, too; robots.txt and its like apart."""

    def __init__(self, answer: Callable[[str], Script | None], script: Mapping[str, Script] = {}) -> None:
        super().__init__(script)
        self.answer = answer

    def get(self, path: str, default: Any = None) -> Any:
        return super().get(path, default) if path in self or path.startswith(("/robots.txt", "/.well-known/")) else self.answer(path)


@dataclass(slots=True)
class ScriptedPortal:
    """Paths (with their query) and what is said there. Articles are at /c/...; anything else that is not in the script is a 404."""

    home: str
    script: dict[str, Script] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    """Path and query of every request; a POST with its body behind it."""
    _lock: Lock = field(default_factory=Lock)

    def answer(self, path: str, body: str, headers: Mapping[str, str]) -> Reply:
        with self._lock:
            self.asked.append(f"{path} {body}".strip())
        said = self.script.get(path)
        if callable(said):
            said = said(body)
        if said is None:
            said = Reply(f"<h1>Cikk {path}</h1><p>Szöveg.") if path.startswith("/c/") else MISSING
        reply = Reply(said) if isinstance(said, str) else said
        return Reply(status=304) if headers.get("If-Modified-Since", "") == reply.headers.get("Last-Modified") else reply

    @property
    def archive_asked(self) -> list[str]:
        """The requests for what is neither an article nor robots.txt and its like, nor what a crawl ends with: a look for a sitemap and
        at the home page."""
        others = [path for path in self.asked if not path.startswith(("/c/", "/robots.txt", "/.well-known/"))]
        for path in ("/", "/sitemap.xml"):
            if others[-1:] == [path] and path not in self.script:
                others.pop()
        return others

    @property
    def articles_asked(self) -> list[str]:
        return [path for path in self.asked if path.startswith("/c/")]


@contextmanager
def serving(answer: Callable[[str, str, Mapping[str, str]], Reply]) -> Iterator[str]:
    """The address of a server that answers so while the block runs; it is given path, body and headers of each request."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and body leave together

        def do_GET(self) -> None:
            reply = answer(self.path, self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode(), dict(self.headers))
            body = reply.body.encode() if isinstance(reply.body, str) else reply.body
            self.send_response(reply.status)
            for name, value in {"Content-Type": reply.kind, "Content-Length": str(len(body)), **reply.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815

        def log_message(self, format: str, *args: Any) -> None:
            """Whoever answers remembers what was asked."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def scripted_portal() -> Iterator[ScriptedPortal]:
    """Serves while the block runs."""
    portal = ScriptedPortal("")
    with serving(portal.answer) as portal.home:
        yield portal


@dataclass(slots=True)
class Crawler:
    """A person with one portal file and one corpus, who runs `curator crawl` again and again."""

    curator: Callable[..., Any]
    folder: Path
    portal: ScriptedPortal
    rules: str = ""
    head: str = "portal: pelda\nhome: HOME/\nlanguage: hu\ntimezone: Europe/Budapest\n"
    fetch: str = "fetch: {delay: 0s, retries: 0, timeout: 5s}\n"
    verbose: bool = True
    """A crawl is to tell all that it has to say, as long as no flag says otherwise."""
    said: str = ""
    """What the last crawl told the person."""

    @property
    def file(self) -> Path:
        path = self.folder / "portal.yaml"
        path.write_text((self.head + self.fetch + dedent(self.rules)).replace("HOME", self.portal.home), encoding="utf-8")
        return path

    @property
    def corpus(self) -> Path:
        return self.folder / "corpus"

    def crawl(self, *flags: object) -> int:
        """The exit code; what was asked is counted from zero."""
        self.portal.asked.clear()
        told = ("--verbose",) if self.verbose and {"-q", "--quiet", "--verbose"}.isdisjoint(flags) else ()
        ended = self.curator("crawl", self.file, "--corpus", self.corpus, *told, *flags)
        self.said = _PROGRESS.sub("", ended.out + ended.err)
        return int(ended.code)

    def run(self, *command: object) -> Any:
        """Another command about the portal and its corpus; what it is called comes first."""
        words = command[:2] if command[0] == "warc" else command[:1]
        return self.curator(*words, self.file, *command[len(words) :], "--corpus", self.corpus)

    def status(self) -> dict[str, Any]:
        return dict(json.loads(self.run("status", "--json").out))

    @property
    def outcomes(self) -> dict[str, str]:
        """Path -> outcome of every article URL that is known."""
        return {url.removeprefix(self.portal.home): outcome for url, outcome in known_urls(self.corpus).items()}

    @property
    def fetched(self) -> set[str]:
        return {path for path, outcome in self.outcomes.items() if outcome == "fetched"}

    @property
    def problems(self) -> list[dict[str, str]]:
        path = self.corpus / "problems.jsonl"
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
