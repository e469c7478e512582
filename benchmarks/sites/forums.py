"""Forums made by real software: posts are topics, their comments the answers."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from invented_posts import Post, as_data, markdown, without
from processes import run
from servers import free_port, process, wait_for, wait_for_port
from software import Site, Software, Tools

_HERE = Path(__file__).parent


class _Server:
    """Can be stopped and started."""

    def __init__(self, command: Sequence[str | Path], folder: Path, port: int) -> None:
        self._command = command
        self._folder = folder
        self._port = port
        self._running = ExitStack()

    def start(self) -> None:
        log = self._running.enter_context((self._folder / "server.log").open("ab"))
        self._running.enter_context(process(self._command, log, cwd=self._folder))
        wait_for_port(self._port)

    def stop(self) -> None:
        self._running.close()


@dataclass(frozen=True, slots=True)
class _SiteByScript:
    """A script that the software's own language runs does to it what a file says, while its server is down: servers remember pages."""

    home: str
    command: Sequence[str | Path]
    folder: Path
    server: _Server

    def put(self, posts: Sequence[Post]) -> dict[int, str]:
        return self._run([as_data(post, text=markdown(post)) for post in posts], [])

    def remove(self, posts: Sequence[Post]) -> None:
        self._run([], [post.number for post in posts])

    def _run(self, posts: list[dict[str, object]], removed: list[int]) -> dict[int, str]:
        (self.folder / "told.json").write_text(json.dumps({"posts": posts, "removed": removed}), encoding="utf-8")
        self.server.stop()
        printed = run([*self.command, self.folder / "told.json"], cwd=self.folder).output
        self.server.start()
        urls = json.loads(printed.strip().rpartition("\n")[2])
        return {int(number): self.home.rstrip("/") + quote(url, safe="/%") for number, url in urls.items()}


_SPIRIT = """\
kind: forum
archive:
  url: "{home}"
  item: .layout__topics__topic
  link: a.topic__link
  next: ".paginator__button a:has(.fa-chevron-right)"
  fields: {articleSection: .topic__category a, lastmod: {css: .topic__date, attr: title, date: auto}}
articles: {next: ".paginator__button a:has(.fa-chevron-right)"}
metadata: {headline: h1.headline, articleSection: {css: .breadcrumb_nav a, take: last}}
posts:
  forum:
    item: .comments_list__comment
    id: {attr: data-pk}
    author: .comment__info__username__link span
    time: {css: .comment__info__date li, attr: title, take: last}
    text: .comment__text
"""
"""No preset knows it: so much a person has to write."""


class Spirit(Software):
    tools = Tools("spirit", ("django-spirit",))
    name = "Spirit (forum)"
    rules = _SPIRIT
    tells_nothing_of = ("edited",)
    tells_minutes = True

    def taken(self, post: Post) -> Post:
        """It knows neither tags nor which post an answer is to."""
        comments = tuple(replace(one, parent=None) for one in post.comments)
        return replace(without(post, "note", "picture", "table"), authors=post.authors[:1], tags=(), comments=comments)

    @contextmanager
    def serve(self, folder: Path) -> Iterator[Site]:
        python, project = self.tools.program("python"), folder / "mysite"
        run([self.tools.program("spirit"), "startproject", "mysite"], cwd=folder, env={"PATH": str(python.parent)})
        with (project / "mysite" / "settings" / "dev.py").open("a", encoding="utf-8") as settings:
            settings.write("\nTIME_ZONE = 'Europe/Budapest'\nDEBUG = False\n")
        run([python, "manage.py", "spiritinstall"], cwd=project)
        port = free_port()
        server = _Server([python, "manage.py", "runserver", "--noreload", "--insecure", f"127.0.0.1:{port}"], project, port)
        try:
            yield _SiteByScript(f"http://127.0.0.1:{port}/", [python, _HERE / "spirit_fill.py"], project, server)
        finally:
            server.stop()


class NodeBB(Software):
    """The last that the index holds; newer ones are not there."""

    tools = Tools("nodebb", ("nodebb",), "npm, unpacked")
    name = "NodeBB (forum)"
    packages = ("redis-server",)
    rules = "extends: nodebb\n"
    tells_nothing_of = ("edited",)

    def missing(self) -> str | None:
        return self.tools.missing() or (None if shutil.which("redis-server") else "redis-server")

    def taken(self, post: Post) -> Post:
        return replace(without(post, "note", "picture"), authors=post.authors[:1])

    @contextmanager
    def serve(self, folder: Path) -> Iterator[Site]:
        root = folder / "nodebb"
        shutil.copytree(self.tools.folder, root, ignore=shutil.ignore_patterns("node_modules", "*.tgz"))
        (root / "node_modules").symlink_to(self.tools.folder / "node_modules")
        (root / "public" / "uploads" / "sounds").mkdir(parents=True)
        port = free_port()
        home = f"http://127.0.0.1:{port}"
        settings = {"url": home, "secret": "none", "database": "redis", "redis:host": str(folder / "redis"), "redis:port": "0"}
        settings |= {"redis:password": "", "redis:database": "0", "admin:username": "admin", "admin:email": "admin@naplo.example"}
        settings |= {"admin:password": "only-here", "admin:password:confirm": "only-here"}
        redis = ["redis-server", "--port", "0", "--unixsocket", folder / "redis", "--save", "", "--appendonly", "no"]
        server = _Server(["node", "app.js"], root, port)
        with (folder / "redis.log").open("wb") as log, process(redis, log, cwd=folder):
            wait_for(lambda: (folder / "redis").stat())
            run(["node", "app.js", f"--setup={json.dumps(settings)}"], cwd=root)
            told = json.loads((root / "config.json").read_text(encoding="utf-8"))
            (root / "config.json").write_text(json.dumps(told | {"bind_address": "127.0.0.1"}), encoding="utf-8")
            try:
                yield _SiteByScript(home, ["node", _HERE / "nodebb_fill.js"], root, server)
            finally:
                server.stop()


FORUMS = (Spirit(), NodeBB())
