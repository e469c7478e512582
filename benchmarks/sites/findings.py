"""What was found of an invented post, field by field, beside what was published: in an article, or in the document that was built of it."""

from __future__ import annotations

import difflib
import html
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from invented_posts import Comment, Post
from lxml import etree

from webarticlecurator import Article

FIELDS = ("title", "author", "date", "section", "tags", "text")
FIELDS_OF_DOCUMENTS = ("posts", *FIELDS, "comments", "by", "at", "says", "answers")
_TYPOGRAPHY = str.maketrans({"“": '"', "”": '"', "„": '"', "‟": '"', "‘": "'", "’": "'", "‚": "'", "–": "-", "—": "-", "…": "..."})


@dataclass(frozen=True, slots=True)
class Finding:
    """One field of one post."""

    field: str
    wanted: object
    given: object
    is_on_page: bool = True

    @property
    def is_right(self) -> bool:
        return self.wanted == self.given

    @property
    def difference(self) -> str:
        if not (isinstance(self.wanted, list) and isinstance(self.given, list) and self.field == "text"):
            return f"{self.wanted!r} is given as {self.given!r}"
        matcher = difflib.SequenceMatcher(None, self.wanted, self.given, autojunk=False)
        changes = [code for code in matcher.get_opcodes() if code[0] != "equal"]
        places = (f"at {a}: {' '.join(self.wanted[a:b])!r} -> {' '.join(self.given[c:d])!r}" for _, a, b, c, d in changes[:4])
        return "; ".join(places)[:600]


Findings = Sequence[tuple[Post, Finding]]


@dataclass(frozen=True, slots=True)
class Told:
    """What was found of a post."""

    title: str
    authors: tuple[str, ...]
    date: str
    section: str
    tags: tuple[str, ...]
    text: str
    comments: tuple[Comment, ...] = ()
    """Numbered in the order of the document; of a thread all but the first post, which nobody has to say that he answers."""


def told_by(article: Article) -> Told:
    tags = tuple(keyword.value for keyword in article.metadata.get("keywords", ()))
    return Told(article.title or "", tuple(article.authors), article.date or "", article.section or "", tags, article.text)


def compared(post: Post, page: bytes, told: Told) -> Iterator[Finding]:
    """Each field of a post, and what was told of it; a date is an instant."""
    shown = plain(html.unescape(page.decode()))
    yield Finding("title", plain(post.title), plain(told.title))
    yield Finding("author", sorted(map(plain, post.authors)), sorted(map(plain, told.authors)), _all_in(shown, post.authors))
    yield Finding("date", instant(post.date.isoformat()), instant(told.date), _shows_time(shown, post.date))
    yield Finding("section", plain(post.section), plain(told.section), _all_in(shown, [post.section]))
    yield Finding("tags", sorted(map(plain, post.tags)), sorted(map(plain, told.tags)), _all_in(shown, post.tags))
    yield Finding("text", words(post.text), words(told.text))


def compared_documents(post: Post, page: bytes, documents: Sequence[Told]) -> Iterator[Finding]:
    yield Finding("posts", 1, len(documents))
    for document in documents[:1]:
        yield from compared(post, page, document)
        yield from _compared_comments(post.comments, document.comments)


def _compared_comments(wanted: Sequence[Comment], given: Sequence[Comment]) -> Iterator[Finding]:
    """Each comment is looked for by its text, else by who wrote it when."""
    left = list(given)
    pairs: dict[int, Comment] = {}
    signs: tuple[Callable[[Comment], object], ...] = (
        lambda comment: (words(comment.text), comment.date),
        lambda comment: words(comment.text),
        lambda comment: (plain(comment.author), comment.date),
    )
    for sign in signs:
        for comment in wanted:
            other = next((other for other in left if sign(comment) == sign(other)), None) if comment.number not in pairs else None
            if other:
                left.remove(other)
                pairs[comment.number] = other
    for comment in wanted:
        yield Finding("comments", True, comment.number in pairs)
        if other := pairs.get(comment.number):
            yield Finding("by", plain(comment.author), plain(other.author))
            yield Finding("at", instant(comment.date.isoformat()), instant(other.date.isoformat()))
            yield Finding("says", words(comment.text), words(other.text))
            parent = pairs.get(comment.parent or 0)
            yield Finding("answers", parent.number if parent else comment.parent, other.parent)
    yield from (Finding("comments", None, other.text) for other in left)


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


# --- documents ---

_TEI = {"t": "http://www.tei-c.org/ns/1.0"}
_BODY = (
    ".//t:div[@type='article']//text()[not(parent::t:head[@type='main'] or ancestor::t:byline or ancestor::t:dateline"
    " or ancestor::t:div[@type='comments'])]"
)
_POST = ".//text()[not(ancestor::t:note[@type='replyTo'] or parent::t:head/parent::t:post)]"
_ID = "{http://www.w3.org/XML/1998/namespace}id"
_NO_MOMENT = datetime.min.replace(tzinfo=UTC)


def documents(folder: Path) -> Mapping[str, list[Told]]:
    """By the address that was asked for."""
    found: dict[str, list[Told]] = {}
    for path in sorted(folder.rglob("*.xml")):
        root = etree.parse(path).getroot()
        found.setdefault(_first(root, ".//t:idno[@subtype='requested']"), []).append(_document(root))
    return found


def _document(root: etree._Element) -> Told:
    header, text = root.find("t:teiHeader", _TEI), root.find("t:text", _TEI)
    thread, comments = (text.findall(f".//t:div[@type='{kind}']//t:post", _TEI) for kind in ("thread", "comments"))
    return Told(
        title=_first(header, ".//t:titleStmt/t:title[@type='main']"),
        authors=tuple(map(_text, header.findall(".//t:titleStmt/t:author", _TEI))),
        date=next((date.get("when", "") for date in header.iterfind(".//t:imprint/t:date[@type='published']", _TEI)), ""),
        section=_first(header, ".//*[@ana='schema:articleSection']"),
        tags=tuple(map(_text, header.findall(".//*[@ana='schema:keywords']/t:term", _TEI))),
        text=" ".join(thread[0].xpath(_POST, namespaces=_TEI) if thread else text.xpath(_BODY, namespaces=_TEI)),
        comments=tuple(_comments(header, thread[1:] or comments)),
    )


def _comments(header: etree._Element, posts: Sequence[etree._Element]) -> Iterator[Comment]:
    people = {f"#{person.get(_ID)}": _text(person) for person in header.iterfind(".//t:person", _TEI)}
    numbers = {f"#{post.get(_ID)}": number for number, post in enumerate(posts, 1)}
    for number, post in enumerate(posts, 1):
        when = datetime.fromisoformat(post.get("when")) if "T" in post.get("when", "") else _NO_MOMENT
        text = " ".join(post.xpath(_POST, namespaces=_TEI))
        yield Comment(number, people.get(post.get("who"), ""), text, when, numbers.get(post.get("replyTo")))


def _first(element: etree._Element, path: str) -> str:
    return next(map(_text, element.iterfind(path, _TEI)), "")


def _text(element: etree._Element) -> str:
    return " ".join("".join(element.itertext()).split())


# --- told ---


def headings(name: str, fields: Sequence[str]) -> str:
    return f"{name:<64}" + "".join(f"{field:>10}" for field in fields)


def print_shares(name: str, found: Findings, fields: Sequence[str], show: int) -> None:
    """Of each field, the share that is right; what the page does not hold anywhere is left out of it, and counted."""
    cells = []
    for field in fields:
        rights = [finding.is_right for _, finding in found if finding.field == field and finding.is_on_page]
        cells.append(f"{sum(rights) / len(rights):.3f}" if rights else "-")
    print(headings(name, cells), flush=True)
    if left_out := Counter(finding.field for _, finding in found if not finding.is_on_page):
        print("    not on the page: " + ", ".join(f"{field} of {number}" for field, number in left_out.items()))
    print_differences(found, show)


def print_differences(found: Findings, show: int) -> None:
    """So many failures of each kind."""
    shown = Counter[str]()
    for post, finding in found:
        if finding.is_on_page and not finding.is_right and shown[finding.field] < show:
            shown[finding.field] += 1
            print(f"    {post.number} {finding.field}: {finding.difference}")
