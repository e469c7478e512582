"""What commands say, word for word: command lines on small prepared folders, and what they print in `messages.txt` beside this file.

`REWRITE=1 pytest -n 0 tests/commands/test_messages.py` writes that file anew; what has changed in it is to be read over.
Names of places, times, sizes and speeds are replaced.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripted_portal import GONE, Reply, listing

FILE = Path(__file__).with_name("messages.txt")
HOME = "https://pelda.example"
BLOG = f"""\
columns:
  news: {{url: "{HOME}/l/{{page}}"}}
  days:
    url: "{HOME}/{{date:yyyy-MM-dd}}/{{page}}"
    dates: {{from: 2024-05-01, until: 2024-05-04}}
archive: {{item: li.t, link: h2 a}}
"""
BROKEN = """\
portal: pelda
home: https://pelda.example/
titel: x
language: hn
archive: {url: "https://pelda.example/{year}/{page}", link: "h2 a["}
fetch: {headers: {Authorization: Bearer 1}}
"""
LENIENT = [
    (r"/\S*no-settings\d*", "SETTINGS"),
    (r"^\w+: (archive|articles|done|build|export|tags|watch)\b.*\n?", ""),  # progress comes as time passes
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:\d\d| UTC)?", "WHEN"),
    (r"\b[\d.,]+ (kB|KB|MB|B|bytes)\b", "SIZE"),
    (r"\b[\d.,]+(/s| ms| s| min)\b", r"N\1"),
    (r"\b\d{8}T\d{6}Z\b|\b\d{14}\b", "STAMP"),
    (r"pelda-[0-9a-f]{16}", "pelda-ID"),
    (r"[ \t]+$", ""),
]


def nothing(desk: Any, story: Any) -> None:
    """An empty folder."""


def mistakes(desk: Any, story: Any) -> None:
    Path("broken.yaml").write_text(BROKEN, encoding="utf-8")
    for name in ("one", "two"):
        text = f"portal: {name}\nhome: https://{name}.example/\nextends: base.yaml\narchive: {{url: 'https://{name}.example/'}}\n"
        Path(f"{name}.yaml").write_text(text + "titel: x\n" * (name == "two"), encoding="utf-8")
    Path("base.yaml").write_text("archive: {link: h2 a, item: artcle}\n", encoding="utf-8")


def healthy(desk: Any, story: Any) -> None:
    more = "<li class=k><i class=w>Ann Lee</i><p>Well said.</p></li>"
    rules = "archive: {url: 'HOME/l/{page}', item: li.t, link: h2 a}\nposts: {comments: {item: .k, author: i, text: {css: p, take: all}}}\n"
    pages = {f"_c_{number}": story(f"Story {number}", day=f"202{number}-05-01", more=more) for number in (1, 2, 3)}
    desk.rules(rules.replace("HOME", HOME), listing(1, 2), listing(3), listing(), **pages)


def troubled(desk: Any, story: Any) -> None:
    days = {f"_2024-05-0{day}_1": listing(f"/c/d{day}") for day in (1, 2)} | {f"_2024-05-0{day}_2": listing() for day in (1, 2)}
    broken = {"_2024-05-03_1": Reply("broken", 500)}
    desk.rules(BLOG, listing(*range(3)), listing(7, "https://elsewhere.example/x"), **days, **broken, _c_1=GONE, _c_2=Reply("no", 500))


def redesigned(desk: Any, story: Any) -> None:
    desk.crawled()
    desk.site.script["/l/1"] = "<main>Something else</main>"


def blocked(desk: Any, story: Any) -> None:
    pages = {f"_c_{number}": Reply("no", 403) for number in range(6)}
    desk.rules(f"archive: {{url: '{HOME}/l/{{page}}', item: li.t, link: h2 a}}\n", listing(*range(6)), listing(), **pages)


def many(desk: Any, story: Any) -> None:
    """Twelve portals that end in every way."""
    for number in range(12):
        text = desk.head.replace("portal: pelda", f"portal: p{number:02}")
        desk.file(text + f"archive: {{url: '{HOME}/p{number}/{{page}}', item: li.t, link: h2 a}}\n", f"p{number:02}.yaml")
        desk.site.script[f"/p{number}/1"] = listing(f"/c/{number}a", f"/c/{number}b")
        desk.site.script[f"/p{number}/2"] = listing()
    desk.site.script |= {f"/c/{number}a": Reply("no", 500) for number in (7, 8)}
    desk.site.script |= {"/p5/1": "<p>Nothing"}


MANY = " ".join(f"p{number:02}.yaml" for number in range(12))
FOLDERS: dict[str, tuple[Callable[[Any, Any], None], tuple[str, ...]]] = {
    "an empty folder": (
        nothing,
        (
            "crwal", "crawl --colum x", "check", "check nincs.yaml", "crawl https://pelda.example/", "status https://pelda.example/ x.yaml",
            f"try nincs.yaml {HOME}/", "warc", "export nincs.yaml", "demo --switch captcha", "demo --serve --switch capcha",
        ),
    ),
    "portal files with mistakes": (mistakes, ("check broken.yaml", "crawl broken.yaml", "check one.yaml two.yaml", "check one.yaml")),
    "a portal that is well": (
        healthy,
        (
            "check portal.yaml", "status portal.yaml", "build portal.yaml", "crawl portal.yaml --dry-run --limit 5 --recheck 36h",
            "crawl portal.yaml --archive-only", "crawl portal.yaml --limit 1 --articles-only", "warc list corpora/pelda",
            "crawl portal.yaml", "crawl portal.yaml",
            "status portal.yaml", "build portal.yaml --jobs 1", "build portal.yaml --jobs 1", "status portal.yaml",
            "export portal.yaml --to txt -o out.txt", "export portal.yaml --to text -o out.txt --jobs 1",
            f"try portal.yaml {HOME}/c/1", f"try portal.yaml {HOME}/l/1", "tags portal.yaml --jobs 1", "open portal.yaml nincs --print",
            f"test portal.yaml --accept {HOME}/c/1 --accept {HOME}/l/1", "test portal.yaml", "watch portal.yaml",
            "warc check corpora/pelda",
        ),
    ),
    "a portal in trouble": (
        troubled,
        (
            "crawl portal.yaml", "status portal.yaml", "status portal.yaml --verbose", "COLUMNS=60 curator status portal.yaml",
            "crawl portal.yaml --from 2024-05-02 --column news",
            "crawl portal.yaml --from 2024-05-02", "crawl portal.yaml --from 2024-05-02 --until 2024-05-01",
            "crawl portal.yaml --archive-only --articles-only", "crawl portal.yaml --column nws", "crawl portal.yaml --recheck 30",
        ),
    ),
    "a portal whose archive looks otherwise now": (redesigned, ("crawl portal.yaml", "status portal.yaml")),
    "a portal that keeps us out": (blocked, ("crawl portal.yaml --limit 9", "status portal.yaml")),
    "twelve portals": (many, (f"crawl {MANY}", f"status {MANY}", "status p00.yaml p07.yaml", "crawl p00.yaml p07.yaml")),
}  # fmt: skip


def shown(desk: Any, name: str, story: Any) -> str:
    """The chapter of the file."""
    prepare, lines = FOLDERS[name]
    prepare(desk, story)
    chapter = [f"# {name}\n"]
    for line in lines:
        columns, _, command = line.rpartition("curator ")
        with pytest.MonkeyPatch.context() as terminal:
            if columns:
                terminal.setenv(*columns.strip().split("="))
            said = desk.types(command)
        text = "\n".join(part.strip("\n") for part in (said.out, said.err) if part.strip())
        for pattern, replacement in LENIENT:
            text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
        chapter.append(f"$ {columns}curator {command}   # exit code {said.code}\n{text}\n")
    return "\n".join(chapter)


@pytest.mark.parametrize("name", FOLDERS)
def test_commands_say_what_is_kept_of_them(name: str, desk: Any, article_page: Any) -> None:
    now = shown(desk, name, article_page).strip()
    text = FILE.read_text(encoding="utf-8") if FILE.exists() else ""
    kept = {chapter.partition("\n")[0]: f"# {chapter}".strip() for chapter in re.split(r"(?m)^# ", text) if chapter}
    if os.environ.get("REWRITE"):
        FILE.write_text("\n\n".join(({**kept, name: now})[one] for one in FOLDERS if one in kept or one == name) + "\n", encoding="utf-8")
    else:
        assert now == kept.get(name)
