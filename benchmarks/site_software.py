"""Sites made by real software out of posts: each class says what it lacks here, and gives every post's page."""

from __future__ import annotations

import getpass
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Protocol
from urllib.request import Request, urlopen

from invented_posts import Post, markdown, wordpress_html
from processes import run

SITE = "http://naplo.example"
TITLE = "Példa Napló"
_PYTHON_PACKAGES = ("pelican", "markdown")
_WORDPRESS = Path("/usr/share/wordpress")
_PATIENCE = 60
"""Seconds in which a server must have started."""


@dataclass(frozen=True, slots=True)
class Page:
    post: Post
    """As far as the software can take it: one author where it knows no more."""
    url: str
    html: bytes


class Software(Protocol):
    name: str
    packages: tuple[str, ...]
    """Of Debian."""

    def missing(self) -> str | None:
        """What is not installed."""

    def pages(self, posts: Sequence[Post], folder: Path) -> Iterator[Page]:
        """Make the site in an empty folder."""


# --- made of files ---


def python_tools(install: bool) -> Path | None:
    """The folder with the programs of the package index; they have an environment of their own, which is kept for the next time."""
    folder = Path(tempfile.gettempdir()) / "site-software-for-benchmarks"
    if install and not (folder / "installed").exists():
        venv.create(folder, with_pip=True, clear=True)
        run([folder / "bin" / "python", "-m", "pip", "install", "--quiet", *_PYTHON_PACKAGES])
        (folder / "installed").touch()
    return folder / "bin" if (folder / "installed").exists() else None


@dataclass(frozen=True, slots=True)
class Pelican:
    theme: str
    packages: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"Pelican, {self.theme}"

    def missing(self) -> str | None:
        return None if python_tools(install=False) else "pelican (from PyPI)"

    def pages(self, posts: Sequence[Post], folder: Path) -> Iterator[Page]:
        (folder / "content").mkdir()
        for post in posts:
            head = {"Title": post.title, "Date": post.date.strftime("%Y-%m-%d %H:%M"), "Category": post.section, "Slug": post.slug}
            head |= {"Authors": "; ".join(post.authors), "Tags": "; ".join(post.tags)}
            text = "".join(f"{name}: {value}\n" for name, value in head.items() if value) + f"\n{markdown(post)}"
            (folder / "content" / f"{post.number}.md").write_text(text, encoding="utf-8")
        settings = {
            "SITENAME": TITLE,
            "SITEURL": SITE,
            "TIMEZONE": "Europe/Budapest",
            "DEFAULT_LANG": "en",
            "THEME": self.theme,
            "AUTHOR": TITLE,
        }
        settings |= {"LINKS": (("Másik", "https://masik.example/"),), "SOCIAL": (("rss", f"{SITE}/feed"),)}
        (folder / "conf.py").write_text("".join(f"{name} = {value!r}\n" for name, value in settings.items()), encoding="utf-8")
        tools = python_tools(install=False)
        assert tools is not None
        run([tools / "pelican", folder / "content", "-o", folder / "output", "-s", folder / "conf.py"])
        for post in posts:
            yield Page(post, f"{SITE}/{post.slug}.html", (folder / "output" / f"{post.slug}.html").read_bytes())


@dataclass(frozen=True, slots=True)
class Jekyll:
    name: str = "Jekyll, minima"
    packages: tuple[str, ...] = ("jekyll", "jekyll-theme-minima")

    def missing(self) -> str | None:
        return None if shutil.which("jekyll") else " ".join(self.packages)

    def pages(self, posts: Sequence[Post], folder: Path) -> Iterator[Page]:
        settings = {"title": TITLE, "url": SITE, "theme": "minima", "timezone": "Europe/Budapest", "permalink": "/:year/:title:output_ext"}
        (folder / "_config.yml").write_text(json.dumps(settings), encoding="utf-8")
        (folder / "_posts").mkdir()
        alone = [replace(post, authors=post.authors[:1]) for post in posts]
        for post in alone:
            head = {"layout": "post", "title": post.title, "date": post.date.isoformat(" "), "author": post.authors[0]}
            head |= {"categories": [post.section], "tags": post.tags}
            text = f"---\n{json.dumps(head, ensure_ascii=False)}\n---\n\n{markdown(post)}"
            (folder / "_posts" / f"{post.date:%Y-%m-%d}-{post.slug}.md").write_text(text, encoding="utf-8")
        run(["jekyll", "build", "-q", "-s", folder, "-d", folder / "_site"], cwd=folder, env={"LC_ALL": "C.UTF-8"})
        for post in alone:
            path = f"{post.date:%Y}/{post.slug}.html"
            yield Page(post, f"{SITE}/{path}", (folder / "_site" / path).read_bytes())


# --- WordPress ---

_CONFIG = """<?php
define('DB_NAME', 'site'); define('DB_USER', 'root'); define('DB_PASSWORD', ''); define('DB_HOST', 'localhost:%s');
define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
define('WP_HOME', '%s'); define('WP_SITEURL', '%s');
define('WP_HTTP_BLOCK_EXTERNAL', true); define('DISABLE_WP_CRON', true); define('WP_DEBUG', false);
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
"""
_SET_UP = r"""<?php
define('WP_INSTALLING', true);
function wp_new_blog_notification() {}
require __DIR__ . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
$site = json_decode(file_get_contents($argv[1]), true);
wp_install($site['title'], 'admin', 'admin@naplo.example', true, '', 'admin', $site['language']);
wp_set_current_user(1);
update_option('timezone_string', 'Europe/Budapest');
update_option('WPLANG', $site['language']);
$wp_rewrite->set_permalink_structure('/%year%/%monthnum%/%day%/%postname%/');
switch_theme($site['theme']);
$users = $sections = $urls = [];
function user_of($name, &$users) {
    $login = 'user' . (count($users) + 1);
    return $users[$name] ??= wp_insert_user(['user_login' => $login, 'user_pass' => 'x', 'display_name' => $name, 'role' => 'author']);
}
foreach ($site['posts'] as $post) {
    $sections[$post['section']] ??= wp_insert_term($post['section'], 'category')['term_id'];
    $id = wp_insert_post(wp_slash(['post_title' => $post['title'], 'post_content' => $post['html'], 'post_status' => 'publish',
        'post_author' => user_of($post['author'], $users), 'post_date' => $post['date'],
        'post_category' => [$sections[$post['section']]], 'tags_input' => $post['tags']]));
    foreach ($post['comments'] as [$who, $what])
        wp_insert_comment(['comment_post_ID' => $id, 'comment_author' => $who, 'comment_content' => $what, 'comment_approved' => 1]);
    $urls[] = get_permalink($id);
}
flush_rewrite_rules();
fwrite(STDOUT, "\n" . json_encode($urls));
"""


@dataclass(frozen=True, slots=True)
class WordPress:
    theme: str
    language: str

    @property
    def name(self) -> str:
        return f"WordPress, {self.theme}, {self.language or 'en_US'}"

    @property
    def packages(self) -> tuple[str, ...]:
        return ("wordpress", "wordpress-l10n", f"wordpress-theme-{self.theme}", "php-cli", "php-mysql", "mariadb-server")

    def missing(self) -> str | None:
        here = (_WORDPRESS / "wp-content" / "themes" / self.theme).exists() and shutil.which("php") and shutil.which("mariadbd")
        return None if here else " ".join(self.packages)

    def pages(self, posts: Sequence[Post], folder: Path) -> Iterator[Page]:
        root = folder / "wordpress"
        shutil.copytree(_WORDPRESS, root, ignore_dangling_symlinks=True)
        with ExitStack() as servers:
            database = servers.enter_context(_mariadb())
            (root / "wp-config.php").write_text(_CONFIG % (database, SITE, SITE), encoding="utf-8")
            alone = [replace(post, authors=post.authors[:1]) for post in posts]
            urls = self._fill(root, folder / "site.json", alone)
            port = _free_port()
            log = servers.enter_context((folder / "php.log").open("wb"))
            servers.enter_context(_process(["php", "-S", f"127.0.0.1:{port}", "-t", root], log))
            _wait_for(lambda: socket.create_connection(("127.0.0.1", port), 1).close())
            for post, url in zip(alone, urls, strict=True):
                asked = Request(url.replace(SITE, f"http://127.0.0.1:{port}"), headers={"Host": SITE.partition("//")[2]})
                with urlopen(asked, timeout=_PATIENCE) as answer:
                    yield Page(post, url, answer.read())

    def _fill(self, root: Path, told: Path, posts: Sequence[Post]) -> list[str]:
        filled = [
            {
                "title": post.title,
                "html": wordpress_html(post),
                "author": post.authors[0],
                "date": post.date.strftime("%Y-%m-%d %H:%M:%S"),
                "section": post.section,
                "tags": post.tags,
                "comments": post.comments,
            }
            for post in posts
        ]
        site = {"title": TITLE, "language": self.language, "theme": self.theme, "posts": filled}
        told.write_text(json.dumps(site), encoding="utf-8")
        (root / "set-up.php").write_text(_SET_UP, encoding="utf-8")
        urls: list[str] = json.loads(run(["php", root / "set-up.php", told]).output.rpartition("\n")[2])
        return urls


@contextmanager
def _mariadb() -> Iterator[Path]:
    """A database in a folder of its own, on a socket, as a user without rights; gives the socket."""
    with tempfile.TemporaryDirectory(prefix="db-") as name:
        folder = Path(name)
        user = "mysql" if os.geteuid() == 0 else getpass.getuser()
        if os.geteuid() == 0:
            shutil.chown(folder, user)
        own = [f"--datadir={folder}/data", f"--user={user}"]
        run(["mariadb-install-db", "--no-defaults", *own, "--auth-root-authentication-method=normal", "--skip-test-db"])
        place = folder / "socket"
        with (
            tempfile.TemporaryFile() as log,
            _process(["mariadbd", "--no-defaults", *own, f"--socket={place}", f"--pid-file={folder}/pid", "--skip-networking"], log),
        ):
            _wait_for(lambda: run(["mariadb", "--no-defaults", f"--socket={place}", "-uroot", "-e", "CREATE DATABASE site"]))
            yield place


@contextmanager
def _process(command: Sequence[str | Path], log: IO[bytes]) -> Iterator[None]:
    process = subprocess.Popen([str(part) for part in command], stdout=log, stderr=log)
    try:
        yield
    finally:
        process.terminate()
        process.wait(_PATIENCE)


def _wait_for(attempt: Callable[[], object]) -> None:
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            attempt()
        except (OSError, SystemExit):
            if time.monotonic() > end:
                raise
            time.sleep(0.2)
        else:
            return


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


ALL: tuple[Software, ...] = (
    WordPress("twentytwentyone", ""),
    WordPress("twentytwentytwo", "de_DE"),
    WordPress("twentytwentythree", "hu_HU"),
    Pelican("notmyidea"),
    Pelican("simple"),
    Jekyll(),
)


def install(packages: Sequence[str]) -> None:
    """What is missing, by the system's own means."""
    if packages and os.geteuid() == 0:
        run(["apt-get", "install", "--yes", "--no-install-recommends", *packages], env={"DEBIAN_FRONTEND": "noninteractive"})
    elif packages:
        print(f"only root can install {' '.join(packages)}", file=sys.stderr)
    python_tools(install=True)
