"""How much of a post the general reader finds on sites that real software made, without any portal rules.

    python benchmarks/software_sites.py [--posts 100] [--seed 1] [--sites wordpress,pelican] [--install] [--show 3] [--keep DIR]

The same invented posts go into every site. A value that its page does not hold anywhere (some themes print no time, or no tags)
is told as such, and leaves the post out of that share. `--install` installs the software: packages of the system as root, those of
the package index into an environment of their own; what is not there is skipped. `--show` tells that many failures of each kind.
"""

from __future__ import annotations

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
from urllib.request import urlopen

from invented_posts import Post, invented_posts
from site_servers import PATIENCE
from site_software import STATIC, Software, install
from site_wordpress import THEMES

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from webarticlecurator.extraction.article import extract  # noqa: E402

ALL: tuple[Software, ...] = (*THEMES, *STATIC)
FIELDS = ("title", "author", "date", "section", "tags", "text")
_TYPOGRAPHY = str.maketrans({"“": '"', "”": '"', "„": '"', "‟": '"', "‘": "'", "’": "'", "‚": "'", "–": "-", "—": "-", "…": "..."})


@dataclass(frozen=True, slots=True)
class Page:
    post: Post
    """As far as the software can take it."""
    url: str
    html: bytes


@dataclass(frozen=True, slots=True)
class Finding:
    """One field of one post."""

    field: str
    wanted: object
    given: object
    is_on_page: bool = True


@dataclass(frozen=True, slots=True)
class Told:
    """What was found of a post."""

    title: str
    authors: tuple[str, ...]
    date: str
    section: str
    tags: tuple[str, ...]
    text: str


def pages(software: Software, posts: Sequence[Post]) -> list[Page]:
    with tempfile.TemporaryDirectory(prefix="site-") as folder, software.serve(Path(folder)) as site:
        taken = [software.taken(post) for post in posts]
        urls = site.put(taken)
        return [Page(post, urls[post.number], page_of(urls[post.number])) for post in taken]


def page_of(url: str) -> bytes:
    with urlopen(url, timeout=PATIENCE) as answer:
        return bytes(answer.read())


def findings(page: Page) -> Iterator[Finding]:
    post, article = page.post, extract(page.html, page.url, captured=datetime(2026, 1, 1, tzinfo=UTC))
    tags = tuple(found.value for found in article.metadata.get("keywords", ()))
    told = Told(article.title or "", tuple(article.authors), article.date or "", article.section or "", tags, article.text)
    yield from compared(post, page.html, told)


def compared(post: Post, page: bytes, told: Told) -> Iterator[Finding]:
    """Each field of a post, and what was told of it; a date is an instant."""
    shown = plain(html.unescape(page.decode()))
    yield Finding("title", plain(post.title), plain(told.title))
    yield Finding("author", sorted(map(plain, post.authors)), sorted(map(plain, told.authors)), _all_in(shown, post.authors))
    yield Finding("date", instant(post.date.isoformat()), instant(told.date), _shows_time(shown, post.date))
    yield Finding("section", plain(post.section), plain(told.section), _all_in(shown, [post.section]))
    yield Finding("tags", sorted(map(plain, post.tags)), sorted(map(plain, told.tags)), _all_in(shown, post.tags))
    yield Finding("text", words(post.text), words(told.text))


def instant(date: str) -> str:
    return datetime.fromisoformat(date).astimezone(UTC).isoformat() if "T" in date else date


def _shows_time(shown: str, date: datetime) -> bool:
    times = {when.strftime(form).lstrip("0") for when in (date, date.astimezone(UTC)) for form in ("%H:%M", "%I:%M")}
    return any(time in shown for time in times)


def _all_in(shown: str, values: Sequence[str]) -> bool:
    return all(re.search(rf"(?<!\w){re.escape(plain(value))}(?!\w)", shown) for value in values)


def plain(text: str) -> str:
    """Software writes its own quotation marks and dashes."""
    return " ".join(text.translate(_TYPOGRAPHY).replace("---", "-").replace("--", "-").casefold().split())


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def report(name: str, found: Sequence[tuple[Post, Finding]], show: int) -> None:
    cells = []
    for field in FIELDS:
        of_field = [one for _, one in found if one.field == field]
        told = [one for one in of_field if one.is_on_page]
        missing = len(of_field) - len(told)
        share = f"{sum(one.wanted == one.given for one in told) / len(told):.3f}" if told else "-"
        cells.append(f"{share}{f' ({missing} not on the page)' if missing else ''}")
    print(f"{name:<38}" + "".join(f"{cell:>8}" if len(cell) < 8 else f"  {cell}" for cell in cells), flush=True)
    show_differences(found, show)


def show_differences(found: Sequence[tuple[Post, Finding]], show: int) -> None:
    shown = Counter[str]()
    for post, one in found:
        if one.is_on_page and one.wanted != one.given and shown[one.field] < show:
            shown[one.field] += 1
            print(f"    {post.number} {one.field}: {_difference(one)}")


def _difference(one: Finding) -> str:
    if not (isinstance(one.wanted, list) and isinstance(one.given, list) and one.field == "text"):
        return f"{one.wanted!r} is given as {one.given!r}"
    changes = [code for code in difflib.SequenceMatcher(None, one.wanted, one.given, autojunk=False).get_opcodes() if code[0] != "equal"]
    return "; ".join(f"at {a}: {' '.join(one.wanted[a:b])!r} -> {' '.join(one.given[c:d])!r}" for _, a, b, c, d in changes[:4])[:600]


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("--posts", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sites", default="", help="beginnings of names, with commas")
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="a folder that keeps the pages")
    asked = parser.parse_args()
    chosen = [one for one in ALL if one.name.lower().startswith(tuple(asked.sites.lower().split(",")))]
    if asked.install:
        install(chosen)
    posts = invented_posts(asked.posts, asked.seed)
    print(f"{asked.posts} posts, seed {asked.seed}".ljust(38) + "".join(f"{field:>8}" for field in FIELDS))
    for software in chosen:
        if missing := software.missing():
            print(f"{software.name}: skipped, not installed: {missing}")
            continue
        made = pages(software, posts)
        if asked.keep:
            place = asked.keep / software.name.replace(", ", "-")
            place.mkdir(parents=True, exist_ok=True)
            for page in made:
                (place / f"{page.post.number:03}.html").write_bytes(page.html)
        report(software.name, [(page.post, one) for page in made for one in findings(page)], asked.show)


if __name__ == "__main__":
    main()
