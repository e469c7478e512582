"""From an address to a corpus without an edit: what `curator new` finds out of sites that real software made, and a crawl collects then.

    python benchmarks/new_sites.py [--posts 60] [--seed 1] [--sites pelican,nikola] [--example-portal] [--install] [--keep DIR]

Each software is filled with the same invented posts, and served on loopback. The commands are those of a person who does nothing else:
`curator new URL`, `curator crawl portal.yaml`; delays are switched off in the crawl alone. Told are the requests and minutes of `new`,
what it is not sure of, and of all posts that there are how many the crawl had, beside how many addresses that are no posts.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from invented_posts import invented_posts
from site_forums import FORUMS
from site_ghost import GHOSTS
from site_software import STATIC, Software, install
from site_wordpress import THEMES

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from webarticlecurator import load_portal  # noqa: E402
from webarticlecurator.corpus.folder import corpus_of  # noqa: E402
from webarticlecurator.corpus.ledger import Ledger  # noqa: E402
from webarticlecurator.crawling.options import CrawlSummary  # noqa: E402
from webarticlecurator.example_portal import ExamplePortal  # noqa: E402
from webarticlecurator.pipeline import crawl  # noqa: E402
from webarticlecurator.urls import normalise  # noqa: E402

ALL: tuple[Software, ...] = (*THEMES, *GHOSTS, *STATIC, *FORUMS)
_CURATOR = Path(sys.executable).with_name("curator")


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of one site."""

    name: str
    code: int
    requests: int
    seconds: float
    """Of `curator new`."""
    columns: tuple[str, ...]
    preset: str | None
    unsure: int
    articles: int
    """That there are."""
    collected: int
    others: int
    """Addresses that were fetched and are no articles."""
    proved: bool
    """The crawl says that it has all."""


def tried(name: str, home: str, articles: Sequence[str], folder: Path) -> Tried:
    """Both commands, as a person types them."""
    file = folder / "portal.yaml"
    began = time.monotonic()
    ended = subprocess.run([_CURATOR, "new", home, "-o", file, "--json"], stdout=subprocess.PIPE, check=False)
    seconds = time.monotonic() - began
    told = json.loads(ended.stdout or "{}")
    wanted = {normalise(url) for url in articles}
    had, summary = _crawled(file) if file.exists() else (set[str](), None)
    return Tried(
        name=name,
        code=ended.returncode,
        requests=told.get("requests", 0),
        seconds=seconds,
        columns=tuple(one["name"] for one in told.get("columns", ()) if one["articles"]),
        preset=told.get("preset"),
        unsure=len(told.get("unsure", ())),
        articles=len(wanted),
        collected=len(wanted & had),
        others=len(had - wanted),
        proved=summary is not None and not (summary.failures or summary.incomplete),
    )


def _crawled(file: Path) -> tuple[set[str], CrawlSummary | None]:
    portal = load_portal(file)
    if not portal.columns:
        return set(), None
    summary = crawl(replace(portal, fetch=replace(portal.fetch, delay=timedelta(0))))
    with closing(Ledger.open(corpus_of(portal, None).ledger, read_only=True)) as ledger:
        return {url for (url,) in ledger.rows("SELECT url FROM urls WHERE outcome IN ('fetched', 'duplicate')")}, summary


@contextmanager
def _folder(name: str, keep: Path | None) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="new-") as temporary:
        folder = keep / name.lower().replace(", ", "-").replace(" ", "-") if keep is not None else Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        yield folder


def of_software(software: Software, posts: int, seed: int, keep: Path | None) -> Tried:
    with tempfile.TemporaryDirectory(prefix="site-") as folder, software.serve(Path(folder)) as site, _folder(software.name, keep) as place:
        urls = site.put([software.taken(post) for post in invented_posts(posts, seed)])
        return tried(software.name, site.home, list(urls.values()), place)


def of_example_portal(keep: Path | None) -> Tried:
    with ExamplePortal() as served, _folder("example portal", keep) as place:
        return tried("the example portal", served.url, sorted(served.article_urls), place)


_HEADINGS = f"{'site':34}{'exit':>5}{'asked':>7}{'s':>6}{'unsure':>8}{'articles':>10}{'collected':>11}{'others':>8}{'proved':>8}  columns"


def row(one: Tried) -> str:
    figures = f"{one.code:>5}{one.requests:>7}{one.seconds:>6.0f}{one.unsure:>8}{one.articles:>10}{one.collected:>11}{one.others:>8}"
    columns = f"preset {one.preset}: {', '.join(one.columns)}" if one.preset else ", ".join(one.columns)
    return f"{one.name[:33]:34}{figures}{'yes' if one.proved else 'no':>8}  {columns}"


def main() -> int:
    parser = script_parser(__doc__)
    parser.add_argument("--posts", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sites", default="", help="beginnings of names, separated by commas")
    parser.add_argument("--example-portal", action="store_true", help="only that one")
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep portal files and corpora here")
    asked = parser.parse_args()
    names = tuple(name.lower() for name in asked.sites.split(",") if name)
    chosen = [one for one in ALL if not asked.example_portal and (not names or one.name.lower().startswith(names))]
    if asked.install:
        install(chosen)
    print(_HEADINGS)
    for one in chosen:
        if missing := one.missing():
            print(f"{one.name:34}not installed: {missing}")
            continue
        print(row(of_software(one, asked.posts, asked.seed, asked.keep)), flush=True)
    if asked.example_portal or not names:
        print(row(of_example_portal(asked.keep)), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
