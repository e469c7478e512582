"""Sites that Ghost makes, with the themes that come with it, filled by its own API."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

from invented_posts import Post, plain_html, without
from servers import PATIENCE, free_port, process, wait_for
from software import TITLE, Site, Software, Tools

_OWNER = {"name": TITLE, "email": "admin@naplo.example", "password": "only-here-1234"}


class Ghost(Software):
    tools = Tools("ghost", ("ghost@5",), "npm, unpacked")
    rules = "extends: ghost\n"

    def __init__(self, theme: str) -> None:
        self.theme, self.name = theme, f"Ghost, {theme}"

    def taken(self, post: Post) -> Post:
        """Its first tag is the section; comments are for members alone, and drawn by a script from elsewhere."""
        return replace(without(post, "note"), comments=(), tags=tuple(dict.fromkeys((post.section, *post.tags))))

    @contextmanager
    def serve(self, folder: Path) -> Iterator[Site]:
        root = folder / "ghost"
        shutil.copytree(self.tools.folder, root, ignore=shutil.ignore_patterns("node_modules", "*.tgz"))
        (root / "node_modules").symlink_to(self.tools.folder / "node_modules")
        port = free_port()
        home = f"http://127.0.0.1:{port}/"
        settings: dict[str, object] = {"url": home, "server": {"host": "127.0.0.1", "port": port}, "logging": {"transports": ["stdout"]}}
        database = {"client": "sqlite3", "connection": {"filename": str(folder / "ghost.db")}, "useNullAsDefault": True}
        settings |= {"database": database, "paths": {"contentPath": str(root / "content")}, "security": {"staffDeviceVerification": False}}
        settings |= {"mail": {"transport": "stub"}, "privacy": {"useUpdateCheck": False, "useGravatar": False, "useRpcPing": False}}
        (root / "config.production.json").write_text(json.dumps(settings), encoding="utf-8")
        opener = build_opener(HTTPCookieProcessor(CookieJar()))
        site = GhostSite(home, folder / "ghost.db", opener)
        with (folder / "ghost.log").open("wb") as log, process(["node", "ghost.js"], log, cwd=root, env={"NODE_ENV": "production"}):
            wait_for(lambda: site.ask("GET", "site/"))
            site.ask("POST", "authentication/setup/", {"setup": [{**_OWNER, "blogTitle": TITLE}]})
            site.ask("POST", "session/", {"username": _OWNER["email"], "password": _OWNER["password"]})
            site.ask("PUT", "settings/", {"settings": [{"key": "timezone", "value": "Europe/Budapest"}]})
            site.ask("PUT", f"themes/{self.theme}/activate/", {})
            for post in site.ask("GET", "posts/?limit=all&fields=id")["posts"]:
                site.ask("DELETE", f"posts/{post['id']}/")
            yield site


@dataclass(frozen=True, slots=True)
class GhostSite:
    home: str
    database: Path
    opener: OpenerDirector
    known: dict[int, dict[str, Any]] = field(default_factory=dict)

    def ask(self, method: str, path: str, told: object = None) -> Any:
        asked = Request(f"{self.home}ghost/api/admin/{path}", method=method)
        asked.add_header("Origin", self.home.rstrip("/"))
        asked.add_header("Content-Type", "application/json")
        with self.opener.open(asked, None if told is None else json.dumps(told).encode(), PATIENCE) as answer:
            text = answer.read()
        return json.loads(text) if text.startswith(b"{") else None

    def put(self, posts: Sequence[Post]) -> dict[int, str]:
        for author in {author for post in posts for author in post.authors}:
            self._employ(author)
        return {post.number: self._put(post) for post in posts}

    def _put(self, post: Post) -> str:
        told: dict[str, object] = {"title": post.title, "slug": post.slug, "html": plain_html(post), "status": "published"}
        told |= {"published_at": post.date.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z"), "tags": [{"name": tag} for tag in post.tags]}
        told["authors"] = [{"email": _mail(author)} for author in post.authors]
        if known := self.known.get(post.number):
            told["updated_at"] = self.ask("GET", f"posts/{known['id']}/?fields=updated_at")["posts"][0]["updated_at"]
        path = f"posts/{known['id']}/" if known else "posts/"
        made = self.ask("PUT" if known else "POST", f"{path}?source=html", {"posts": [told]})["posts"][0]
        self.known[post.number] = made
        return str(made["url"])

    def remove(self, posts: Sequence[Post]) -> None:
        for post in posts:
            self.ask("DELETE", f"posts/{self.known[post.number]['id']}/")

    def _employ(self, author: str) -> None:
        """Nobody can answer an invitation here, so the owner's row is copied."""
        with closing(sqlite3.connect(self.database, timeout=PATIENCE)) as database, database:
            if database.execute("SELECT 1 FROM users WHERE email = ?", (_mail(author),)).fetchone():
                return
            columns = [row[1] for row in database.execute("PRAGMA table_info(users)")]
            row = dict(zip(columns, database.execute("SELECT * FROM users WHERE email = ?", (_OWNER["email"],)).fetchone(), strict=True))
            number = database.execute("SELECT count(*) FROM users").fetchone()[0]
            row |= {"id": f"{number:024x}", "name": author, "slug": f"author-{number}", "email": _mail(author)}
            database.execute(f"INSERT INTO users ({','.join(row)}) VALUES ({','.join('?' * len(row))})", tuple(row.values()))
            (role,) = database.execute("SELECT id FROM roles WHERE name = 'Author'").fetchone()
            database.execute("INSERT INTO roles_users VALUES (?, ?, ?)", (f"{number:024x}", role, row["id"]))


def _mail(author: str) -> str:
    return f"{author.encode().hex()[:40]}@naplo.example"


GHOSTS = (Ghost("casper"), Ghost("source"))
