"""How much of a post the general reader finds on sites that real software made, without any portal rules.

    python benchmarks/software_sites.py [--posts 100] [--seed 1] [--sites wordpress,pelican] [--install] [--show 3] [--keep DIR]

The same invented posts go into every site. A value that its page does not hold anywhere (some themes print no time, or no tags)
is told as such, and leaves the post out of that share. `--install` installs the software: packages of the system as root, those of
the package index into an environment of their own; what is not there is skipped. `--show` tells that many failures of each kind.
"""

from __future__ import annotations

import argparse
import difflib
import html
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from invented_posts import Post, invented_posts
from site_software import ALL, Page, Software, install

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from webarticlecurator.extraction.article import extract  # noqa: E402
from webarticlecurator.model.article import Article  # noqa: E402

FIELDS = ("title", "author", "date", "section", "tags", "text")
_TYPOGRAPHY = str.maketrans({"“": '"', "”": '"', "„": '"', "‟": '"', "‘": "'", "’": "'", "‚": "'", "–": "-", "—": "-", "…": "..."})


@dataclass(frozen=True, slots=True)
class Finding:
    """One field of one post."""

    field: str
    wanted: object
    given: object
    is_on_page: bool = True


def findings(page: Page) -> Iterator[Finding]:
    post, article = page.post, extract(page.html, page.url, captured=datetime(2026, 1, 1, tzinfo=UTC))
    shown = _plain(html.unescape(page.html.decode()))
    yield Finding("title", _plain(post.title), _plain(article.title or ""))
    yield Finding("author", sorted(map(_plain, post.authors)), sorted(map(_plain, article.authors)), _all_in(shown, post.authors))
    yield _date(post, article, shown)
    yield Finding("section", _plain(post.section), _plain(article.section or ""), _all_in(shown, [post.section]))
    tags = [found.value for found in article.metadata.get("keywords", ())]
    yield Finding("tags", sorted(map(_plain, post.tags)), sorted(map(_plain, tags)), _all_in(shown, post.tags))
    yield Finding("text", _words(post.text), _words(article.text))


def _date(post: Post, article: Article, shown: str) -> Finding:
    """The instant; where the page holds no time of day, only whether it is told so."""
    times = {when.strftime(form).lstrip("0") for when in (post.date, post.date.astimezone(UTC)) for form in ("%H:%M", "%I:%M")}
    given = article.date or ""
    instant = datetime.fromisoformat(given).astimezone(UTC).isoformat() if "T" in given else given
    return Finding("date", post.date.astimezone(UTC).isoformat(), instant, any(time in shown for time in times))


def _all_in(shown: str, values: Sequence[str]) -> bool:
    return all(re.search(rf"(?<!\w){re.escape(_plain(value))}(?!\w)", shown) for value in values)


def _plain(text: str) -> str:
    """Software writes its own quotation marks and dashes."""
    return " ".join(text.translate(_TYPOGRAPHY).replace("---", "-").replace("--", "-").casefold().split())


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def report(software: Software, pages: Sequence[Page], show: int) -> None:
    found = [(page, one) for page in pages for one in findings(page)]
    cells = []
    for field in FIELDS:
        told = [one for _, one in found if one.field == field and one.is_on_page]
        missing = len(pages) - len(told)
        share = f"{sum(one.wanted == one.given for one in told) / len(told):.3f}" if told else "-"
        cells.append(f"{share}{f' ({missing} not on the page)' if missing else ''}")
    print(f"{software.name:<38}" + "".join(f"{cell:>8}" if len(cell) < 8 else f"  {cell}" for cell in cells), flush=True)
    shown = Counter[str]()
    for page, one in found:
        if one.is_on_page and one.wanted != one.given and shown[one.field] < show:
            shown[one.field] += 1
            print(f"    {page.post.number} {one.field}: {_difference(one)}")


def _difference(one: Finding) -> str:
    if not (isinstance(one.wanted, list) and isinstance(one.given, list) and one.field == "text"):
        return f"{one.wanted!r} is given as {one.given!r}"
    changes = [code for code in difflib.SequenceMatcher(None, one.wanted, one.given, autojunk=False).get_opcodes() if code[0] != "equal"]
    return "; ".join(f"at {a}: {' '.join(one.wanted[a:b])!r} -> {' '.join(one.given[c:d])!r}" for _, a, b, c, d in changes[:4])[:600]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--posts", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sites", default="", help="beginnings of names, with commas")
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="a folder that keeps the pages")
    asked = parser.parse_args()
    chosen = [one for one in ALL if one.name.lower().startswith(tuple(asked.sites.lower().split(",")))]
    if asked.install:
        install(sorted({package for one in chosen if one.missing() for package in one.packages}))
    posts = invented_posts(asked.posts, asked.seed)
    print(f"{asked.posts} posts, seed {asked.seed}".ljust(38) + "".join(f"{field:>8}" for field in FIELDS))
    for software in chosen:
        if missing := software.missing():
            print(f"{software.name}: skipped, not installed: {missing}")
            continue
        with tempfile.TemporaryDirectory(prefix="site-") as folder:
            pages = list(software.pages(posts, Path(folder)))
        if asked.keep:
            place = asked.keep / software.name.replace(", ", "-")
            place.mkdir(parents=True, exist_ok=True)
            for page in pages:
                (place / f"{page.post.number:03}.html").write_bytes(page.html)
        report(software, pages, asked.show)


if __name__ == "__main__":
    main()
