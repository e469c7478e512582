"""Sites that real software made of invented posts: how much of them is found without rules, by presets, and by `curator new`?

    python benchmarks/sites/software_sites.py reader [--posts 100]
    python benchmarks/sites/software_sites.py presets [--posts 120]
    python benchmarks/sites/software_sites.py new [--posts 60] [--example-portal]
    all: [--seed 1] [--sites wordpress,pelican] [--install] [--show 3] [--keep DIR]

Each software is filled with the same invented posts, and served on loopback. `--install` installs the software: packages of the system as
root, those of package indexes into environments of their own; what is not there is skipped. `--show` tells that many failures of each
kind, `--keep` keeps pages, portal files and corpora. A value that a page does not hold anywhere (some themes print no time, or no tags) is
told as such, and leaves the post out of that share.

`reader`: each page alone, without any portal rules.
`presets`: a portal file that says name, home, language, time zone and what to extend is crawled and built, and what the documents say is
compared with what was published. Then posts are added, edited, answered and removed, and both commands run once more: of how many posts
that changed is everything right then (of a removed one: as it was)?
`new`: `curator new URL`, then `curator crawl portal.yaml`, as a person who does nothing else types them. Told are the requests and seconds
of `new`, what it is not sure of, and of all posts that there are how many the crawl had, beside how many addresses that are no posts.

Delays are switched off in crawls.
"""

from __future__ import annotations

import argparse
import json
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.request import urlopen

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from findings import (
    FIELDS,
    FIELDS_OF_DOCUMENTS,
    Finding,
    Findings,
    Told,
    compared,
    compared_documents,
    documents,
    headings,
    print_differences,
    print_shares,
    told_by,
)
from forums import FORUMS
from ghost import GHOSTS
from invented_posts import ZONE, Post, answered, edited, invented_posts
from processes import run
from results import script_parser
from servers import PATIENCE
from software import STATIC, Site, Software, install
from wordpress import THEMES, VARIANTS

from webarticlecurator import CrawlSummary, crawl, extract, load_portal
from webarticlecurator.corpus.folder import corpus_of
from webarticlecurator.example_portal import ExamplePortal
from webarticlecurator.urls import normalise

_CURATOR = Path(sys.executable).with_name("curator")


def page_of(url: str) -> bytes:
    with urlopen(url, timeout=PATIENCE) as answer:
        return bytes(answer.read())


@contextmanager
def place_of(name: str, keep: Path | None) -> Iterator[Path]:
    """A folder for what comes of a site."""
    with tempfile.TemporaryDirectory(prefix="site-") as temporary:
        folder = keep / re.sub(r"\W+", "-", name) if keep else Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        yield folder


@contextmanager
def served(software: Software) -> Iterator[Site]:
    with tempfile.TemporaryDirectory(prefix="site-") as folder:
        Path(folder).chmod(0o755)
        with software.serve(Path(folder)) as site:
            yield site


# --- without rules ---


def reader(software: Software, asked: argparse.Namespace) -> None:
    posts = [software.taken(post) for post in invented_posts(asked.posts, asked.seed)]
    with served(software) as site, place_of(software.name, asked.keep) as folder:
        urls = site.put(posts)
        pages = {post.number: page_of(urls[post.number]) for post in posts}
        for number, page in pages.items():
            (folder / f"{number:03}.html").write_bytes(page)
    found: list[tuple[Post, Finding]] = []
    for post in posts:
        article = extract(pages[post.number], urls[post.number], captured=datetime(2026, 1, 1, tzinfo=UTC))
        found += [(post, finding) for finding in compared(post, pages[post.number], told_by(article))]
    print_shares(software.name, found, FIELDS, asked.show)


# --- by presets ---

_CHANGED = {"edited": 7, "answered": 3, "removed": 5}
"""What is done, and the last digit of the numbers of the posts that it is done to: many comments have those that end in 3."""
_ADDED = 6
_STRANGE = replace(invented_posts(1, 0)[0], number=0)
"""Whose documents nobody published."""


@dataclass(slots=True)
class Trial:
    """One site, crawled before and after it changed."""

    software: Software
    site: Site
    folder: Path
    """With portal file and corpus."""
    published: dict[int, Post]
    """As they are now; what was removed, as it was."""
    urls: dict[int, list[str]] = field(default_factory=dict)
    """All that a post had: some software makes them of its title."""
    pages: dict[int, bytes] = field(default_factory=dict)

    def first_run(self) -> Findings:
        rules = (
            f"portal: site\nhome: {self.site.home}\nlanguage: en\ntimezone: Europe/Budapest\n{self.software.rules}fetch: {{delay: 0s}}\n"
        )
        (self.folder / "site.yaml").write_text(rules, encoding="utf-8")
        self._publish(list(self.published.values()))
        held = self._extended("first")
        known = {url for urls in self.urls.values() for url in urls}
        strange = [(_STRANGE, Finding("posts", "nothing", url)) for url in held if url not in known]
        return [*self._findings(held, self.published), *strange]

    def change(self, added: Sequence[Post]) -> dict[str, list[int]]:
        """A user of the software at work; gives the numbers of what was done."""
        if self.software.tells_minutes:
            time.sleep(60 - datetime.now(ZONE).second)  # nobody could see that it was later
        now = datetime.now(ZONE).replace(microsecond=0)
        old = list(self.published.values())
        done = {kind: [post for post in old if post.number % 10 == digit][:5] for kind, digit in _CHANGED.items()}
        new = [replace(post, date=now.replace(second=0) - timedelta(minutes=post.number % 60), comments=()) for post in added]
        edits = [edited(post, now) for post in done["edited"]]
        if any(self.software.taken(post).comments for post in old):
            edits += [answered(post, now) for post in done["answered"]]
        else:
            del done["answered"]
        self._publish([*new, *edits])
        self.site.remove(done["removed"])
        return {"new": [post.number for post in new], **{kind: [post.number for post in posts] for kind, posts in done.items()}}

    def second_run(self, done: Mapping[str, list[int]]) -> dict[str, Findings]:
        held = self._extended("second")
        return {kind: self._findings(held, numbers) for kind, numbers in done.items()}

    def _extended(self, name: str) -> Mapping[str, list[Told]]:
        """What the corpus says after a user's two commands."""
        for command in ("crawl", "build"):
            words = [_CURATOR, command, self.folder / "site.yaml"]
            ended = run(words, codes=range(8), env={"CURATOR_CONTACT": "bench@naplo.example"})
            (self.folder / f"{name}-{command}.txt").write_text(ended.errors, encoding="utf-8")
            for line in ended.errors.splitlines():
                if line.startswith("  Failed"):
                    print(f"    {name} {command}: {line.strip()}"[:300])
        return documents(self.folder / "corpora" / "site" / "tei")

    def _publish(self, posts: Sequence[Post]) -> None:
        taken = [self.software.taken(post) for post in posts]
        urls = self.site.put(taken)
        self.published |= {post.number: post for post in taken}
        for number, url in urls.items():
            self.urls[number] = sorted({url, *self.urls.get(number, ())})
        self.pages |= {number: page_of(url) for number, url in urls.items()}

    def _findings(self, held: Mapping[str, list[Told]], numbers: Iterable[int]) -> Findings:
        found: list[tuple[Post, Finding]] = []
        for number in numbers:
            post, told = self.published[number], [document for url in self.urls[number] for document in held.get(url, ())]
            found += [(post, finding) for finding in compared_documents(post, self.pages[number], told)]
        return found


def presets(software: Software, asked: argparse.Namespace) -> None:
    posts = invented_posts(asked.posts + _ADDED, asked.seed)
    with served(software) as site, place_of(software.name, asked.keep) as folder:
        trial = Trial(software, site, folder, {post.number: post for post in posts[: asked.posts]})
        print_shares(software.name, trial.first_run(), FIELDS_OF_DOCUMENTS, asked.show)
        for kind, found in trial.second_run(trial.change(posts[asked.posts :])).items():
            wrong = {post.number for post, finding in found if finding.is_on_page and not finding.is_right}
            numbers = {post.number for post, _ in found}
            is_told = kind not in software.tells_nothing_of
            said = "" if is_told else "; what is walked tells of none"
            print(f"    rerun, {kind}: {len(numbers - wrong)} of {len(numbers)} posts wholly right{said}", flush=True)
            print_differences(found, asked.show if is_told else 0)


# --- by `curator new` ---

_COLUMNS_OF_NEW = ("exit", "asked", "s", "unsure", "articles", "collected", "others", "proved")
"""`others`: addresses that were fetched and are no articles; `proved`: the crawl says that it has all."""


def new(software: Software, asked: argparse.Namespace) -> None:
    with served(software) as site, place_of(software.name, asked.keep) as folder:
        urls = site.put([software.taken(post) for post in invented_posts(asked.posts, asked.seed)])
        collect_new(software.name, site.home, list(urls.values()), folder)


def new_of_example_portal(asked: argparse.Namespace) -> None:
    with ExamplePortal() as site, place_of("the example portal", asked.keep) as folder:
        collect_new("the example portal", site.url, sorted(site.article_urls), folder)


def collect_new(name: str, home: str, articles: Sequence[str], folder: Path) -> None:
    """Both commands, as a person types them."""
    file = folder / "portal.yaml"
    began = time.monotonic()
    ended = subprocess.run([_CURATOR, "new", home, "-o", file, "--json"], stdout=subprocess.PIPE, check=False)
    seconds = time.monotonic() - began
    told = json.loads(ended.stdout or "{}")
    wanted = {normalise(url) for url in articles}
    had, summary = crawled(file) if file.exists() else (set[str](), None)
    proved = summary is not None and not (summary.failures or summary.incomplete)
    counts = (ended.returncode, told.get("requests", 0), round(seconds), len(told.get("unsure", ())))
    cells = (*counts, len(wanted), len(wanted & had), len(had - wanted), "yes" if proved else "no")
    columns = ", ".join(column["name"] for column in told.get("columns", ()) if column["articles"])
    preset = f"preset {told['preset']}: " if told.get("preset") else ""
    print(f"{headings(name, [str(cell) for cell in cells])}  {preset}{columns}", flush=True)


def crawled(file: Path) -> tuple[set[str], CrawlSummary | None]:
    portal = load_portal(file)
    if not portal.columns:
        return set(), None
    summary = crawl(replace(portal, fetch=replace(portal.fetch, delay=timedelta(0))))
    with closing(sqlite3.connect(corpus_of(portal, None).ledger)) as ledger:
        return {url for (url,) in ledger.execute("SELECT url FROM urls WHERE outcome IN ('fetched', 'duplicate')")}, summary


QUESTIONS = {
    "reader": (reader, 100, FIELDS, (*THEMES, *STATIC)),
    "presets": (presets, 120, FIELDS_OF_DOCUMENTS, (*VARIANTS, *GHOSTS, *STATIC, *FORUMS)),
    "new": (new, 60, _COLUMNS_OF_NEW, (*THEMES, *GHOSTS, *STATIC, *FORUMS)),
}
"""What is done with each software, with how many posts; what is told of it; and of which software."""


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("question", choices=QUESTIONS)
    parser.add_argument("--posts", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sites", default="", help="beginnings of names, with commas, or with semicolons where names have commas")
    parser.add_argument("--example-portal", action="store_true", help="only that one")
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--show", type=int, default=0, help="so many failures of each kind")
    parser.add_argument("--keep", type=Path, metavar="DIR")
    asked = parser.parse_args()
    try_out, posts, columns, software = QUESTIONS[asked.question]
    asked.posts = asked.posts or posts
    names = tuple(re.split("[;]" if ";" in asked.sites else "[,]", asked.sites.lower()))
    chosen: list[Software] = [each for each in software if not asked.example_portal and each.name.lower().startswith(names)]
    if asked.install:
        install(chosen)
    print(headings(f"{asked.posts} posts, seed {asked.seed}", columns))
    for each in chosen:
        if missing := each.missing():
            print(f"{each.name}: skipped, not installed: {missing}")
        else:
            try_out(each, asked)
    if asked.question == "new" and (asked.example_portal or not asked.sites):
        new_of_example_portal(asked)


if __name__ == "__main__":
    main()
