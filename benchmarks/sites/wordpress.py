"""Sites that WordPress makes, with the themes that Debian has, on PHP's own server beside a MariaDB."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from invented_posts import Post, as_data, wordpress_html
from processes import run
from servers import free_port, mariadb, process, wait_for_port
from software import TITLE, Software

_WORDPRESS = Path("/usr/share/wordpress")
_FILL = Path(__file__).with_name("wordpress.php")
_CONFIG = """<?php
define('DB_NAME', 'site'); define('DB_USER', 'root'); define('DB_PASSWORD', ''); define('DB_HOST', 'localhost:%s');
define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
define('WP_HOME', '%s'); define('WP_SITEURL', '%s');
define('WP_HTTP_BLOCK_EXTERNAL', true); define('DISABLE_WP_CRON', true); define('WP_DEBUG', false);
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
"""
_ROUTER = """<?php
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path !== '/' && is_file(__DIR__ . $path)) return false;
if (%s && $path !== '/') { http_response_code(404); echo 'Not found'; return; }
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = '/index.php';
require __DIR__ . '/index.php';
"""
"""What the rewrite rules of a web server do; without pretty addresses there are none."""
_REFUSAL = "new WP_Error('rest_forbidden', 'Members only.', ['status' => 401])"
_APIS = {
    "open": "",
    "closed": f"add_filter('rest_authentication_errors', function () {{ return {_REFUSAL}; }});",
    "half": "add_filter('rest_request_before_callbacks', function ($answer, $handler, $request) "
    f"{{ return (int) $request['page'] > 1 ? {_REFUSAL} : $answer; }}, 10, 3);",
}
_PRETTY = "/%year%/%monthnum%/%day%/%postname%/"


@dataclass(frozen=True)
class WordPress(Software):
    theme: str
    language: str
    permalinks: str = _PRETTY
    """Empty: `?p=7`."""
    api: str = "open"
    """`open closed half`: of half an API only the first page answers."""
    front_page: bool = False
    """Home is a page, and the posts are elsewhere."""
    comments_on_a_page: int = 0
    note: str = ""
    rules = "extends: wordpress\n"
    most_authors = 1

    @property
    def name(self) -> str:
        return f"WordPress, {self.theme}, {self.language or 'en_US'}{self.note and f', {self.note}'}"

    @property
    def tells_nothing_of(self) -> tuple[str, ...]:
        """Only its API says when a post was edited, and when it was commented on."""
        return ("edited", "answered") if self.api == "closed" else ()

    @property
    def packages(self) -> tuple[str, ...]:
        return ("wordpress", "wordpress-l10n", f"wordpress-theme-{self.theme}", "php-cli", "php-mysql", "mariadb-server")

    def missing(self) -> str | None:
        here = (_WORDPRESS / "wp-content" / "themes" / self.theme).exists() and shutil.which("php") and shutil.which("mariadbd")
        return None if here else " ".join(self.packages)

    @contextmanager
    def serve(self, folder: Path) -> Iterator[WordPressSite]:
        root = folder / "wordpress"
        shutil.copytree(_WORDPRESS, root, ignore_dangling_symlinks=True)
        with ExitStack() as servers:
            database = servers.enter_context(mariadb())
            port = free_port()
            home = f"http://127.0.0.1:{port}"
            (root / "wp-config.php").write_text(_CONFIG % (database, home, home), encoding="utf-8")
            (root / "router.php").write_text(_ROUTER % ("false" if self.permalinks else "true"), encoding="utf-8")
            (root / "wp-content" / "mu-plugins").mkdir()
            (root / "wp-content" / "mu-plugins" / "api.php").write_text(f"<?php {_APIS[self.api]}\n", encoding="utf-8")
            shutil.copy(_FILL, root)
            log = servers.enter_context((folder / "php.log").open("wb"))
            site = WordPressSite(f"{home}/", self, root, folder)
            site.install()
            servers.enter_context(process(["php", "-S", f"127.0.0.1:{port}", "-t", root, root / "router.php"], log))
            wait_for_port(port)
            yield site


@dataclass(frozen=True, slots=True)
class WordPressSite:
    home: str
    software: WordPress
    root: Path
    folder: Path

    def install(self) -> None:
        options: dict[str, object] = {"timezone_string": "Europe/Budapest", "WPLANG": self.software.language, "thread_comments": 1}
        if self.software.comments_on_a_page:
            options |= {"page_comments": 1, "comments_per_page": self.software.comments_on_a_page}
        site = {"title": TITLE, "language": self.software.language, "theme": self.software.theme, "options": options}
        site |= {"permalinks": self.software.permalinks, "front_page": self.software.front_page}
        self._run({"install": site, "posts": [], "removed": []})

    def put(self, posts: Sequence[Post]) -> dict[int, str]:
        return self._run({"posts": [as_data(post, html=wordpress_html(post)) for post in posts], "removed": []})

    def remove(self, posts: Sequence[Post]) -> None:
        self._run({"posts": [], "removed": [post.number for post in posts]})

    def _run(self, told: dict[str, object]) -> dict[int, str]:
        (self.folder / "told.json").write_text(json.dumps(told), encoding="utf-8")
        printed = run(["php", self.root / _FILL.name, self.folder / "told.json"]).output
        return {int(number): url for number, url in json.loads(printed.rpartition("\n")[2]).items()}


THEMES = (WordPress("twentytwentyone", ""), WordPress("twentytwentytwo", "de_DE"), WordPress("twentytwentythree", "hu_HU"))
VARIANTS = (
    *THEMES,
    replace(THEMES[0], api="closed", note="API closed"),
    replace(THEMES[0], permalinks="", note="plain addresses"),
    replace(THEMES[0], permalinks="", api="closed", note="plain addresses, API closed"),
    replace(THEMES[0], permalinks="", front_page=True, api="closed", note="plain addresses, API closed, static front page"),
    replace(THEMES[0], comments_on_a_page=5, note="paged comments"),
    replace(THEMES[1], front_page=True, note="static front page"),
    replace(THEMES[1], front_page=True, api="closed", note="static front page, API closed"),
    replace(THEMES[2], api="half", note="API half closed"),
    replace(THEMES[2], api="closed", comments_on_a_page=5, note="API closed, paged comments"),
)
