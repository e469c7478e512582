"""Five-line portal files on sites that real software made: what of every post comes into the corpus, and what a rerun adds.

    python benchmarks/preset_software.py [--posts 120] [--seed 1] [--sites wordpress,pelican] [--install] [--show 3] [--keep DIR]

Each software is filled with the same invented posts, and served on loopback. A portal file that says name, home, language, time zone and
what to extend is crawled and built, and what the documents say is compared with what was published. Then posts are added, edited,
answered and removed, and both commands run once more. The first table is after the first run; the second is of the posts that changed:
of how
many everything is right then (of a removed one: as it was).
A value that the page does not hold anywhere is left out of its share, and counted. Delays are switched off.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from invented_posts import ZONE, Comment, Post, answered, edited, invented_posts
from lxml import etree
from processes import run
from site_forums import FORUMS
from site_ghost import GHOSTS
from site_software import STATIC, Site, Software, install
from site_wordpress import VARIANTS
from software_sites import FIELDS as FIELDS_OF_POSTS
from software_sites import Finding, Told, compared, instant, page_of, plain, show_differences, words

ALL: tuple[Software, ...] = (*VARIANTS, *GHOSTS, *STATIC, *FORUMS)
FIELDS = ("posts", *FIELDS_OF_POSTS, "comments", "by", "at", "says", "answers")
_CHANGED = {"edited": 7, "answered": 3, "removed": 5}
"""What is done, and the last digit of the numbers of the posts that it is done to: many comments have those that end in 3."""
_ADDED = 6
_CURATOR = Path(sys.executable).with_name("curator")
_TEI = {"t": "http://www.tei-c.org/ns/1.0"}
_BODY = (
    ".//t:div[@type='article']//text()[not(parent::t:head[@type='main'] or ancestor::t:byline or ancestor::t:dateline"
    " or ancestor::t:div[@type='comments'])]"
)
_ID = "{http://www.w3.org/XML/1998/namespace}id"
_EXIT_CODES = range(8)
_STRANGE = replace(invented_posts(1, 0)[0], number=0)
"""Whose documents nobody published."""
_NO_MOMENT = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Document:
    """What the corpus says of a post."""

    told: Told
    comments: tuple[Comment, ...]
    """Numbered in the order of the document; of a thread all but the first post, which nobody has to say that he answers."""


def documents(folder: Path) -> Mapping[str, list[Document]]:
    """By the address that was asked for."""
    found: dict[str, list[Document]] = {}
    for path in sorted(folder.rglob("*.xml")):
        root = etree.parse(path).getroot()
        found.setdefault(_first(root, ".//t:idno[@subtype='requested']"), []).append(_document(root))
    return found


def _document(root: etree._Element) -> Document:
    header, text = root.find("t:teiHeader", _TEI), root.find("t:text", _TEI)
    thread, comments = (text.findall(f".//t:div[@type='{kind}']//t:post", _TEI) for kind in ("thread", "comments"))
    told = Told(
        title=_first(header, ".//t:titleStmt/t:title[@type='main']"),
        authors=tuple(map(_text, header.findall(".//t:titleStmt/t:author", _TEI))),
        date=next((one.get("when", "") for one in header.iterfind(".//t:imprint/t:date[@type='published']", _TEI)), ""),
        section=_first(header, ".//*[@ana='schema:articleSection']"),
        tags=tuple(map(_text, header.findall(".//*[@ana='schema:keywords']/t:term", _TEI))),
        text=_post_text(thread[0]) if thread else " ".join(text.xpath(_BODY, namespaces=_TEI)),
    )
    return Document(told, tuple(_comments(header, thread[1:] or comments)))


def _comments(header: etree._Element, posts: Sequence[etree._Element]) -> Iterator[Comment]:
    people = {f"#{one.get(_ID)}": _text(one) for one in header.iterfind(".//t:person", _TEI)}
    numbers = {f"#{post.get(_ID)}": number for number, post in enumerate(posts, 1)}
    for number, post in enumerate(posts, 1):
        when = datetime.fromisoformat(post.get("when")) if "T" in post.get("when", "") else _NO_MOMENT
        yield Comment(number, people.get(post.get("who"), ""), _post_text(post), when, numbers.get(post.get("replyTo")))


def _first(element: etree._Element, path: str) -> str:
    return next(map(_text, element.iterfind(path, _TEI)), "")


def _text(element: etree._Element) -> str:
    return " ".join("".join(element.itertext()).split())


def _post_text(post: etree._Element) -> str:
    return " ".join(post.xpath(".//text()[not(ancestor::t:note[@type='replyTo'] or parent::t:head/parent::t:post)]", namespaces=_TEI))


# --- compared with what was published ---


def post_findings(post: Post, page: bytes, documents: Sequence[Document]) -> Iterator[Finding]:
    yield Finding("posts", 1, len(documents))
    for document in documents[:1]:
        yield from compared(post, page, document.told)
        yield from comment_findings(post.comments, document.comments)


def comment_findings(wanted: Sequence[Comment], given: Sequence[Comment]) -> Iterator[Finding]:
    """Each comment is looked for by its text, else by who wrote it when."""
    left = list(given)
    pairs: dict[int, Comment] = {}
    for alike in (_same_text_and_time, _same_text, _same_writer_and_time):
        for one in wanted:
            found = next((other for other in left if alike(one, other)), None) if one.number not in pairs else None
            if found:
                left.remove(found)
                pairs[one.number] = found
    for one in wanted:
        yield Finding("comments", True, one.number in pairs)
        if other := pairs.get(one.number):
            yield Finding("by", plain(one.author), plain(other.author))
            yield Finding("at", instant(one.date.isoformat()), instant(other.date.isoformat()))
            yield Finding("says", words(one.text), words(other.text))
            parent = pairs.get(one.parent or 0)
            yield Finding("answers", parent.number if parent else one.parent, other.parent)
    yield from (Finding("comments", None, other.text) for other in left)


def _same_text_and_time(one: Comment, other: Comment) -> bool:
    return _same_text(one, other) and one.date == other.date


def _same_text(one: Comment, other: Comment) -> bool:
    return words(one.text) == words(other.text)


def _same_writer_and_time(one: Comment, other: Comment) -> bool:
    return plain(one.author) == plain(other.author) and one.date == other.date


# --- a user's two commands ---


@dataclass(frozen=True, slots=True)
class Corpus:
    folder: Path

    def write_portal_file(self, home: str, rules: str) -> None:
        text = f"portal: site\nhome: {home}\nlanguage: en\ntimezone: Europe/Budapest\n{rules}"
        (self.folder / "site.yaml").write_text(f"{text}fetch: {{delay: 0s}}\n", encoding="utf-8")

    def extend(self, name: str) -> Mapping[str, list[Document]]:
        for command in ("crawl", "build"):
            ended = run([_CURATOR, command, self.folder / "site.yaml"], codes=_EXIT_CODES, env={"CURATOR_CONTACT": "bench@naplo.example"})
            (self.folder / f"{name}-{command}.txt").write_text(ended.errors, encoding="utf-8")
            for line in ended.errors.splitlines():
                if line.startswith("  Failed"):
                    print(f"    {name} {command}: {line.strip()}"[:300])
        return documents(self.folder / "corpora" / "site" / "tei")


@dataclass(slots=True)
class Trial:
    """One site, crawled before and after it changed."""

    software: Software
    site: Site
    corpus: Corpus
    published: dict[int, Post]
    """As they are now; what was removed, as it was."""
    urls: dict[int, list[str]]
    """All that a post had: some software makes them of its title."""
    pages: dict[int, bytes]

    def first_run(self) -> list[tuple[Post, Finding]]:
        self._publish(list(self.published.values()))
        held = self.corpus.extend("first")
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

    def second_run(self, done: Mapping[str, list[int]]) -> dict[str, list[tuple[Post, Finding]]]:
        held = self.corpus.extend("second")
        return {kind: self._findings(held, numbers) for kind, numbers in done.items()}

    def _publish(self, posts: Sequence[Post]) -> None:
        taken = [self.software.taken(post) for post in posts]
        urls = self.site.put(taken)
        self.published |= {post.number: post for post in taken}
        for number, url in urls.items():
            self.urls[number] = sorted({url, *self.urls.get(number, ())})
        self.pages |= {number: page_of(url) for number, url in urls.items()}

    def _findings(self, held: Mapping[str, list[Document]], numbers: Iterable[int]) -> list[tuple[Post, Finding]]:
        return [
            (self.published[number], one)
            for number in numbers
            for one in post_findings(
                self.published[number], self.pages[number], [one for url in self.urls[number] for one in held.get(url, ())]
            )
        ]


def tried(software: Software, posts: Sequence[Post], added: Sequence[Post], asked: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory(prefix="site-") as made, tempfile.TemporaryDirectory(prefix="corpus-") as kept:
        Path(made).chmod(0o755)
        folder = Path(kept)
        if asked.keep:
            folder = asked.keep / re.sub(r"\W+", "-", software.name)
            folder.mkdir(parents=True)
        with software.serve(Path(made)) as site:
            trial = Trial(software, site, Corpus(folder), {post.number: post for post in posts}, {}, {})
            trial.corpus.write_portal_file(site.home, software.rules)
            report(software.name, trial.first_run(), asked.show)
            for kind, found in trial.second_run(trial.change(added)).items():
                report_change(kind, found, asked.show, is_told=kind not in software.tells_nothing_of)


def report(name: str, found: Sequence[tuple[Post, Finding]], show: int) -> None:
    counted = [one for _, one in found if one.is_on_page]
    shares = {field: _share([one for one in counted if one.field == field]) for field in FIELDS}
    print(f"{name:<64}" + "".join(f"{share:>9}" for share in shares.values()), flush=True)
    left_out = Counter(one.field for _, one in found if not one.is_on_page)
    if left_out:
        print("    not on the page: " + ", ".join(f"{field} of {number}" for field, number in left_out.items()))
    show_differences(found, show)


def report_change(kind: str, found: Sequence[tuple[Post, Finding]], show: int, *, is_told: bool) -> None:
    wrong = {post.number for post, one in found if one.is_on_page and one.wanted != one.given}
    numbers = {post.number for post, _ in found}
    said = "" if is_told else "; what is walked tells of none"
    print(f"    rerun, {kind}: {len(numbers - wrong)} of {len(numbers)} posts wholly right{said}", flush=True)
    show_differences(found, show if is_told else 0)


def _share(found: Sequence[Finding]) -> str:
    return f"{sum(one.wanted == one.given for one in found) / len(found):.3f}" if found else "-"


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("--posts", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sites", default="", help="beginnings of names, with semicolons")
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--show", type=int, default=0, help="so many failures of each kind")
    parser.add_argument("--keep", type=Path, help="a folder that keeps portal files and corpora")
    asked = parser.parse_args()
    chosen = [one for one in ALL if one.name.lower().startswith(tuple(asked.sites.lower().split(";")))]
    if asked.install:
        install(chosen)
    posts = invented_posts(asked.posts + _ADDED, asked.seed)
    print(f"{asked.posts} posts, seed {asked.seed}".ljust(64) + "".join(f"{field:>9}" for field in FIELDS))
    for software in chosen:
        if missing := software.missing():
            print(f"{software.name}: skipped, not installed: {missing}")
        else:
            tried(software, posts[: asked.posts], posts[asked.posts :], asked)


if __name__ == "__main__":
    main()
