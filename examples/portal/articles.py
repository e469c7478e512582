"""The articles of the example portal: what is in them, before any HTML; made from section, number and seed alone."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from types import MappingProxyType

from .prose import Prose, prose
from .sections import LAYOUT_CHANGE, Form, Section

POSTS_PER_PAGE = 5


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch of a block's text that stands out."""

    kind: str
    """bold, italic or link."""
    text: str


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of an article's body, by the name that it has in a corpus."""

    kind: str
    text: str = ""
    children: tuple[Block, ...] = ()
    mark: Mark | None = None
    address: str = ""
    """Of a picture, an embedded page or a social post."""

    @property
    def full_text(self) -> str:
        """Its own text and that of its children, a line each."""
        return "\n".join(filter(None, (self.text, *(child.full_text for child in self.children))))


@dataclass(frozen=True, slots=True)
class Post:
    """An entry of a live blog, a forum post or a comment."""

    id: str
    author: str
    time: datetime
    blocks: tuple[Block, ...]
    title: str = ""
    parent: str = ""
    """The id of the post that this one answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """One article with everything that its pages show of it."""

    section: Section
    number: int
    form: Form
    title: str
    authors: tuple[str, ...]
    published: datetime
    modified: datetime | None
    keywords: tuple[str, ...]
    lead: str
    pages: tuple[tuple[Block, ...], ...]
    posts: tuple[Post, ...] = ()
    comments: tuple[Post, ...] = ()

    @property
    def path(self) -> str:
        return self.section.path.format(number=self.number, slug=slug(self.title))

    def page_path(self, page: int) -> str:
        return self.path if page == 1 else f"{self.path}?oldal={page}"

    @property
    def old_layout(self) -> bool:
        return self.published < LAYOUT_CHANGE

    @property
    def page_count(self) -> int:
        if self.form is Form.THREAD:
            return -(-len(self.posts) // POSTS_PER_PAGE)
        return len(self.pages)


def slug(text: str) -> str:
    """The words of a title as they stand in a URL."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def write_article(section: Section, number: int, published: datetime, *, seed: int, edits: int = 0) -> Article:
    """The article of that number; each edit adds a paragraph and a date of modification."""
    dice = Random(f"{seed}/{section.name}/{number}")
    voice = prose(section.language)
    form = section.form(number) if published >= LAYOUT_CHANGE else Form.REPORT
    title = voice.title(dice)
    authors = tuple(dict.fromkeys(voice.person(dice) for _ in range(1 + (dice.random() < 0.2))))
    keywords = voice.some(dice, "topics", 2 + int(dice.random() * 4))
    lead = voice.sentence(dice)
    pages = _PAGES.get(form, _report)(voice, dice)
    modified = published + timedelta(minutes=int(dice.random() * 300)) if dice.random() < 0.4 else None
    posts = _posts(voice, dice, form, published)
    if form is Form.THREAD:
        authors = (posts[0].author,)
    comments = _comments(voice, dice, published) if form is Form.POST else ()
    if edits:
        modified = published + timedelta(days=edits)
        update = Block("paragraph", f"{voice.words['update']} {voice.sentence(Random(f'{number}/{edits}'))}")
        pages = (*pages[:-1], (*pages[-1], update))
    return Article(
        section=section, number=number, form=form, title=title, authors=authors, published=published, modified=modified,
        keywords=keywords, lead=lead, pages=pages, posts=posts, comments=comments,
    )  # fmt: skip


Pages = tuple[tuple[Block, ...], ...]


def _paragraphs(voice: Prose, dice: Random, least: int, most: int) -> list[Block]:
    blocks = []
    for _ in range(least + int(dice.random() * (most - least + 1))):
        text = voice.paragraph(dice)
        words = text.split(" ")
        start = int(dice.random() * max(1, len(words) - 3))
        kind = ("", "bold", "italic", "link", "")[int(dice.random() * 5)]
        blocks.append(Block("paragraph", text, mark=Mark(kind, " ".join(words[start : start + 3])) if kind else None))
    return blocks


def _heading(voice: Prose, dice: Random) -> Block:
    return Block("heading", voice.pick(dice, "title_ends").capitalize())


def _figure(voice: Prose, dice: Random) -> Block:
    caption = f"{voice.pick(dice, 'title_ends').capitalize()}. {voice.words['photo']} {voice.person(dice)}"
    return Block("figure", children=(Block("caption", caption),), address=f"/kepek/{int(dice.random() * 9000) + 1000}.jpg")


def _report(voice: Prose, dice: Random) -> Pages:
    blocks = [*_paragraphs(voice, dice, 2, 4), _figure(voice, dice), _heading(voice, dice), *_paragraphs(voice, dice, 2, 6)]
    extras: tuple[Callable[[Prose, Random], Block], ...] = (_quote, _box, _social, _embed)
    blocks.append(extras[int(dice.random() * len(extras))](voice, dice))
    return ((*blocks, *_paragraphs(voice, dice, 1, 3)),)


def _quote(voice: Prose, dice: Random) -> Block:
    return Block("quote", voice.pick(dice, "claims"))


def _box(voice: Prose, dice: Random) -> Block:
    return Block("box", children=(Block("heading", voice.words["box"]), Block("paragraph", voice.sentence(dice))))


def _social(voice: Prose, dice: Random) -> Block:
    return Block("social", voice.pick(dice, "claims"), address=f"https://social.example/status/{int(dice.random() * 10**9)}")


def _embed(_voice: Prose, dice: Random) -> Block:
    return Block("embed", address=f"https://video.example/embed/{int(dice.random() * 10**6)}")


def _brief(voice: Prose, dice: Random) -> Pages:
    return (tuple(_paragraphs(voice, dice, 1, 2)),)


def _interview(voice: Prose, dice: Random) -> Pages:
    blocks = _paragraphs(voice, dice, 1, 1)
    for question in voice.some(dice, "questions", 5):
        blocks += [Block("question", question), *(Block("answer", voice.paragraph(dice)) for _ in range(1 + (dice.random() < 0.3)))]
    return (tuple(blocks),)


def _gallery(voice: Prose, dice: Random) -> Pages:
    pictures = tuple(_figure(voice, dice) for _ in range(3 + int(dice.random() * 6)))
    return ((*_paragraphs(voice, dice, 1, 1), Block("gallery", children=pictures)),)


def _figures(voice: Prose, dice: Random) -> Pages:
    rows = [Block("row", children=(Block("cell", place), Block("cell", str(1000 + int(dice.random() * 90000))))) for place in
            voice.some(dice, "places", 4)]  # fmt: skip
    items = tuple(Block("item", voice.sentence(dice)) for _ in range(3))
    before, after = _paragraphs(voice, dice, 1, 3), _paragraphs(voice, dice, 1, 2)
    return ((*before, Block("table", children=tuple(rows)), _heading(voice, dice), Block("list", children=items), *after),)


def _long(voice: Prose, dice: Random) -> Pages:
    return tuple((_heading(voice, dice), *_paragraphs(voice, dice, 3, 6)) for _ in range(2 + int(dice.random() * 3)))


_PAGES: Mapping[Form, Callable[[Prose, Random], Pages]] = MappingProxyType(
    {
        Form.BRIEF: _brief,
        Form.INTERVIEW: _interview,
        Form.GALLERY: _gallery,
        Form.FIGURES: _figures,
        Form.LONG: _long,
        Form.LIVE: _brief,
        Form.THREAD: lambda _voice, _dice: ((),),
    }
)


def _posts(voice: Prose, dice: Random, form: Form, published: datetime) -> tuple[Post, ...]:
    """Live entries, newest first as live blogs have them; or the posts of a thread, oldest first."""
    if form is Form.LIVE:
        entries = [
            Post(
                f"l{n}", voice.person(dice), published + timedelta(minutes=7 * n), tuple(_paragraphs(voice, dice, 1, 2)), voice.title(dice)
            )
            for n in range(1, 6 + int(dice.random() * 6))
        ]
        return tuple(reversed(entries))
    return _thread(voice, dice, published, 3 + int(dice.random() * 14), "h") if form is Form.THREAD else ()


def _comments(voice: Prose, dice: Random, published: datetime) -> tuple[Post, ...]:
    return _thread(voice, dice, published, int(dice.random() * 7), "k")


def _thread(voice: Prose, dice: Random, published: datetime, count: int, prefix: str) -> tuple[Post, ...]:
    """Posts of which some quote and answer an earlier one."""
    posts: list[Post] = []
    for n in range(count):
        answered = posts[int(dice.random() * len(posts))] if posts and dice.random() < 0.4 else None
        blocks = [Block("paragraph", voice.paragraph(dice, 3))]
        if answered is not None:
            blocks.insert(0, Block("quote", answered.blocks[-1].text))
        time = published + timedelta(hours=n, minutes=int(dice.random() * 50) if n else 0)
        posts.append(Post(f"{prefix}{n + 1}", voice.person(dice), time, tuple(blocks), parent=answered.id if answered else ""))
    return tuple(posts)
