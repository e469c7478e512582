"""Sites made by real software out of posts: each class says what it lacks here, and serves a site that can be changed.

Here is the software that makes files of texts; WordPress and the forums have modules of their own.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import venv
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from invented_posts import Post, markdown, without
from processes import run
from servers import files_served, free_port

TITLE = "Példa Napló"


class Site(Protocol):
    """A site that is served while it is looked at."""

    home: str

    def put(self, posts: Sequence[Post]) -> dict[int, str]:
        """Publish these posts, or edit those of the same number; gives the address of each."""

    def remove(self, posts: Sequence[Post]) -> None: ...


class Software(ABC):
    name: str
    packages: tuple[str, ...] = ()
    """Of Debian."""
    tools: Tools | None = None
    """Of a package index."""
    rules = "extends: blog\n"
    """What a person writes into the portal file beside name, home, language and time zone."""
    tells_nothing_of: tuple[str, ...] = ()
    """Changes of old posts (`edited answered`) that what is walked of it does not show."""
    tells_minutes = False
    """Of changes, and no seconds."""
    most_authors: int | None = None
    """Of a post."""

    def missing(self) -> str | None:
        """What is not installed."""
        return self.tools.missing() if self.tools else None

    def taken(self, post: Post) -> Post:
        """As far as the software can take it."""
        return replace(post, authors=post.authors[: self.most_authors])

    @abstractmethod
    def serve(self, folder: Path) -> AbstractContextManager[Site]:
        """An empty site, made in an empty folder."""


# --- what it takes to have it ---


def install(software: Sequence[Software]) -> None:
    """What is missing, by the system's own means."""
    wanted = [each for each in software if each.missing()]
    packages = sorted({package for each in wanted for package in each.packages})
    if packages and os.geteuid() == 0:
        run(["apt-get", "install", "--yes", "--no-install-recommends", *packages], env={"DEBIAN_FRONTEND": "noninteractive"})
    elif packages:
        print(f"only root can install {' '.join(packages)}", file=sys.stderr)
    for tools in {each.tools for each in wanted if each.tools}:
        tools.install()


@dataclass(frozen=True, slots=True)
class Tools:
    """Programs of a package index, in an environment of their own, which is kept for the next time."""

    name: str
    packages: tuple[str, ...]
    index: str = "PyPI"

    @property
    def folder(self) -> Path:
        return Path(tempfile.gettempdir()) / "site-software-for-benchmarks" / self.name

    def missing(self) -> str | None:
        return None if (self.folder / "installed").exists() else f"{self.packages[0]} (from {self.index})"

    def install(self) -> None:
        if not self.missing():
            return
        try:
            _INSTALLERS[self.index](self)
        except SystemExit as error:
            print(error, file=sys.stderr)
        else:
            (self.folder / "installed").touch()

    def program(self, name: str) -> Path:
        return self.folder / ("bin" if self.index == "PyPI" else "node_modules/.bin") / name


def _install_from_pypi(tools: Tools) -> None:
    venv.create(tools.folder, with_pip=True, clear=True)
    run([tools.folder / "bin" / "python", "-m", "pip", "install", "--quiet", *tools.packages])


def _install_from_npm(tools: Tools) -> None:
    tools.folder.mkdir(parents=True, exist_ok=True)
    (tools.folder / "package.json").write_text("{}", encoding="utf-8")
    run(["npm", "install", "--no-audit", "--no-fund", *tools.packages], cwd=tools.folder)


def _unpack_from_npm(tools: Tools) -> None:
    """Software that is no library: it runs in the folder of its package."""
    tools.folder.mkdir(parents=True, exist_ok=True)
    packed = run(["npm", "pack", "--silent", *tools.packages], cwd=tools.folder).output.split()[-1]
    run(["tar", "--extract", "--strip-components=1", f"--file={packed}"], cwd=tools.folder)
    told = json.loads((tools.folder / "package.json").read_text(encoding="utf-8"))
    (tools.folder / "package.json").write_text(json.dumps({**told, "devDependencies": {}}), encoding="utf-8")
    run(["npm", "install", "--omit=dev", "--legacy-peer-deps", "--no-audit", "--no-fund"], cwd=tools.folder)


_INSTALLERS: dict[str, Callable[[Tools], None]] = {
    "PyPI": _install_from_pypi,
    "npm": _install_from_npm,
    "npm, unpacked": _unpack_from_npm,
}


# --- software that makes files ---


class MakesFiles(Software):
    """Writes a text for each post, and makes a folder of pages of all of them."""

    tells_nothing_of = ("edited",)
    pages = "output"
    """The folder that it fills."""

    @abstractmethod
    def prepare(self, folder: Path, home: str) -> None: ...

    @abstractmethod
    def source(self, post: Post) -> tuple[str, str]:
        """Where in the folder a post lies, and its text."""

    @abstractmethod
    def address(self, post: Post) -> str: ...

    @abstractmethod
    def build(self, folder: Path) -> None: ...

    def taken(self, post: Post) -> Post:
        return replace(super().taken(post), comments=())

    @contextmanager
    def serve(self, folder: Path) -> Iterator[Site]:
        port = free_port()
        home = f"http://127.0.0.1:{port}/"
        self.prepare(folder, home)
        (folder / self.pages).mkdir(exist_ok=True)
        with files_served(folder / self.pages, port):
            yield _SiteOfFiles(home, self, folder)


@dataclass(frozen=True, slots=True)
class _SiteOfFiles:
    home: str
    software: MakesFiles
    folder: Path

    def put(self, posts: Sequence[Post]) -> dict[int, str]:
        for post in posts:
            name, text = self.software.source(post)
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text, encoding="utf-8")
        self.software.build(self.folder)
        return {post.number: self.home + self.software.address(post) for post in posts}

    def remove(self, posts: Sequence[Post]) -> None:
        for post in posts:
            (self.folder / self.software.source(post)[0]).unlink()
            (self.folder / self.pages_of(post)).unlink(missing_ok=True)
        self.software.build(self.folder)

    def pages_of(self, post: Post) -> str:
        address = self.software.address(post)
        return f"{self.software.pages}/{address}{'index.html' if address.endswith('/') else ''}"


def _with_head(head: dict[str, object], text: str) -> str:
    return f"---\n{json.dumps(head, ensure_ascii=False)}\n---\n\n{text}"


class Pelican(MakesFiles):
    tools = Tools("pelican", ("pelican", "markdown"))

    def __init__(self, theme: str) -> None:
        self.theme, self.name = theme, f"Pelican, {theme}"

    def prepare(self, folder: Path, home: str) -> None:
        settings: dict[str, object] = {"SITENAME": TITLE, "SITEURL": home.rstrip("/"), "TIMEZONE": "Europe/Budapest", "DEFAULT_LANG": "en"}
        settings |= {"THEME": self.theme, "AUTHOR": TITLE, "FEED_ALL_ATOM": "feeds/all.atom.xml", "DEFAULT_PAGINATION": 10}
        settings |= {"LINKS": (("Másik", "https://masik.example/"),), "SOCIAL": (("rss", f"{home}feed"),)}
        (folder / "conf.py").write_text("".join(f"{name} = {value!r}\n" for name, value in settings.items()), encoding="utf-8")

    def source(self, post: Post) -> tuple[str, str]:
        head = {"Title": post.title, "Date": f"{post.date:%Y-%m-%d %H:%M}", "Category": post.section, "Slug": post.slug}
        head |= {"Authors": "; ".join(post.authors), "Tags": "; ".join(post.tags)}
        head |= {"Modified": f"{post.changed:%Y-%m-%d %H:%M}" if post.changed else ""}
        text = "".join(f"{name}: {value}\n" for name, value in head.items() if value)
        return f"content/{post.number}.md", f"{text}\n{markdown(post)}"

    def address(self, post: Post) -> str:
        return f"{post.slug}.html"

    def build(self, folder: Path) -> None:
        run([self.tools.program("pelican"), folder / "content", "-o", folder / "output", "-s", folder / "conf.py"])


class Jekyll(MakesFiles):
    name = "Jekyll, minima"
    packages = ("jekyll", "jekyll-theme-minima")
    pages = "_site"
    most_authors = 1

    def missing(self) -> str | None:
        return None if shutil.which("jekyll") else " ".join(self.packages)

    def prepare(self, folder: Path, home: str) -> None:
        settings = {"title": TITLE, "url": home.rstrip("/"), "theme": "minima", "timezone": "Europe/Budapest"}
        settings |= {"permalink": "/:year/:title:output_ext"}
        (folder / "_config.yml").write_text(json.dumps(settings), encoding="utf-8")
        (folder / "index.md").write_text(_with_head({"layout": "home"}, ""), encoding="utf-8")

    def source(self, post: Post) -> tuple[str, str]:
        head: dict[str, object] = {"layout": "post", "title": post.title, "date": post.date.isoformat(" "), "author": post.authors[0]}
        head |= {"categories": [post.section], "tags": post.tags}
        if post.changed:
            head["last_modified_at"] = post.changed.isoformat(" ")
        return f"_posts/{post.date:%Y-%m-%d}-{post.slug}.md", _with_head(head, markdown(post))

    def address(self, post: Post) -> str:
        return f"{post.date:%Y}/{post.slug}.html"

    def build(self, folder: Path) -> None:
        run(["jekyll", "build", "-q", "-s", folder, "-d", folder / "_site"], cwd=folder, env={"LC_ALL": "C.UTF-8"})


class Hexo(MakesFiles):
    name = "Hexo, landscape"
    pages = "public"
    tools = Tools(
        "hexo",
        (
            *("hexo", "hexo-cli", "hexo-theme-landscape", "hexo-renderer-ejs", "hexo-renderer-marked", "hexo-renderer-stylus"),
            *(f"hexo-generator-{name}" for name in ("archive", "category", "index", "tag", "feed", "sitemap")),
        ),
        "npm",
    )

    def taken(self, post: Post) -> Post:
        return replace(without(post, "note"), comments=(), authors=(TITLE,))

    def prepare(self, folder: Path, home: str) -> None:
        settings = {"title": TITLE, "author": TITLE, "url": home, "timezone": "Europe/Budapest", "permalink": ":year/:month/:title/"}
        settings |= {"theme": "landscape", "feed": {"type": "atom", "limit": 20}, "sitemap": {"path": "sitemap.xml"}}
        (folder / "_config.yml").write_text(json.dumps(settings), encoding="utf-8")
        told = json.loads((self.tools.folder / "package.json").read_text(encoding="utf-8"))
        (folder / "package.json").write_text(json.dumps({**told, "hexo": {"version": ""}}), encoding="utf-8")
        (folder / "node_modules").symlink_to(self.tools.folder / "node_modules")

    def source(self, post: Post) -> tuple[str, str]:
        head: dict[str, object] = {"title": post.title, "date": f"{post.date:%Y-%m-%d %H:%M:%S}", "categories": [post.section]}
        head |= {"tags": post.tags}
        if post.changed:
            head["updated"] = f"{post.changed:%Y-%m-%d %H:%M:%S}"
        return f"source/_posts/{post.slug}.md", _with_head(head, markdown(post))

    def address(self, post: Post) -> str:
        return f"{post.date:%Y/%m}/{post.slug}/"

    def build(self, folder: Path) -> None:
        run([self.tools.program("hexo"), "generate", "--force", "--silent"], cwd=folder)


class Nikola(MakesFiles):
    tools = Tools("nikola", ("nikola[extras]",))
    most_authors = 1

    def __init__(self, theme: str) -> None:
        self.theme, self.name = theme, f"Nikola, {theme}"

    def prepare(self, folder: Path, home: str) -> None:
        run([self.tools.program("nikola"), "init", "--quiet", "site"], cwd=folder)
        for path in (folder / "site").iterdir():
            path.rename(folder / path.name)
        settings: dict[str, object] = {"SITE_URL": home, "BLOG_TITLE": TITLE, "TIMEZONE": "Europe/Budapest", "THEME": self.theme}
        settings |= {"INDEX_DISPLAY_POST_COUNT": 10, "MARKDOWN_EXTENSIONS": ["markdown.extensions.extra"]}
        settings["POSTS"] = (("posts/*.md", "posts", "post.tmpl"),)
        with (folder / "conf.py").open("a", encoding="utf-8") as file:
            file.writelines(f"{name} = {value!r}\n" for name, value in settings.items())

    def source(self, post: Post) -> tuple[str, str]:
        head = {"title": post.title, "slug": post.slug, "date": post.date.isoformat(" "), "category": post.section}
        head |= {"tags": ", ".join(post.tags), "author": post.authors[0], "updated": post.changed.isoformat(" ") if post.changed else ""}
        lines = "".join(f".. {name}: {value}\n" for name, value in head.items() if value)
        return f"posts/{post.slug}.md", f"<!--\n{lines}-->\n\n{markdown(post)}"

    def address(self, post: Post) -> str:
        return f"posts/{post.slug}/"

    def build(self, folder: Path) -> None:
        run([self.tools.program("nikola"), "build", "--quiet"], cwd=folder)


STATIC: tuple[Software, ...] = (Pelican("notmyidea"), Pelican("simple"), Jekyll(), Hexo(), Nikola("bootblog4"))
