"""What the sites publish, before any HTML of a software: posts with comments, boards with threads, entries of live blogs."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

from babel.dates import format_datetime

from webarticlecurator.example_portal.prose import Prose, prose

ZONES = {"hu": "Europe/Budapest", "de": "Europe/Berlin", "en": "Europe/London", "fr": "Europe/Paris"}
GUESTS = ("old oar", "pont-neuf")
"""In rough forums they have no profile."""
_NICKS = (
    "révész88", "KompJani", "Salz_und_Brot", "harbour.mouse", "la_mouette", "gőzös", "Fluss Pirat", "old oar", "Nádas", "pont-neuf",
    "Evezős 3",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """A block of text: `p h2 h3 ul ol quote picture code table`, and its lines as HTML that has nothing but formatting; `|` parts cells."""

    kind: str
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return " ".join(plain(line).replace("|", " ") for line in self.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A comment, a post of a thread, an entry of a live blog."""

    id: int
    author: str
    time: datetime
    parts: tuple[Part, ...]
    parent: int | None = None
    """Of the same list: the one that it answers, and in forums quotes."""
    title: str = ""
    edited: datetime | None = None
    signature: str = ""

    @property
    def text(self) -> str:
        return " ".join(part.text for part in self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """A post of a blog."""

    number: int
    title: str
    author: str
    time: datetime
    section: str
    tags: tuple[str, ...]
    parts: tuple[Part, ...]
    comments: tuple[Said, ...] = ()

    @property
    def slug(self) -> str:
        return f"{slug(self.title)[:40].strip('-')}-{self.number}"

    @property
    def text(self) -> str:
        return " ".join(part.text for part in self.parts)

    @property
    def summary(self) -> str:
        """The first words, as excerpts have them."""
        return " ".join(self.parts[0].text.split()[:12])


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A thread of a forum."""

    number: int
    title: str
    posts: tuple[Said, ...]
    board: int
    kind: str = ""
    """`announcement` (it stands on every board), `sticky`, or nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    number: int
    title: str
    parent: int | None
    topics: tuple[Topic, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Voice:
    """What a site says is written in one language, by the throws of one seed."""

    language: str
    dice: Random

    @property
    def prose(self) -> Prose:
        return prose(self.language)

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(ZONES[self.language])

    def count(self, least: int, most: int) -> int:
        return least + int(self.dice.random() * (most - least + 1))

    def chance(self, share: float) -> bool:
        return self.dice.random() < share

    def nick(self) -> str:
        return _NICKS[self.count(0, len(_NICKS) - 1)]


def plain(line: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", line))


def slug(text: str) -> str:
    ascii_only = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", ascii_only).strip("-")


def written(moment: datetime, language: str, pattern: str) -> str:
    """A date by a CLDR pattern, in the language."""
    return format_datetime(moment, pattern, tzinfo=moment.tzinfo, locale=language)


# --- blogs ---


def blog_posts(voice: Voice, count: int, *, comments: bool = True, authors: int = 3) -> tuple[Post, ...]:
    """Oldest first; now and then several on one day."""
    moment = datetime(2008 + voice.count(0, 14), voice.count(1, 12), voice.count(1, 28), 7, tzinfo=voice.zone)
    people, sections = [voice.prose.person(voice.dice) for _ in range(authors)], voice.prose.some(voice.dice, "topics", 4)
    posts, said = [], 0
    for number in range(1, count + 1):
        if voice.chance(0.65) or moment.hour > 19:
            moment = moment.replace(hour=voice.count(6, 14)) + timedelta(days=voice.count(1, 40))
        moment = moment.replace(minute=voice.count(0, 59)) + timedelta(hours=voice.count(1, 2))
        discussion = comment_tree(voice, moment, voice.count(0, 7) if comments else 0, said)
        said += len(discussion)
        # fmt: off
        posts.append(Post(
            number=10 + 7 * number, title=title(voice), author=people[voice.count(0, authors - 1)], time=moment,
            section=sections[voice.count(0, 3)].capitalize(), tags=voice.prose.some(voice.dice, "topics", voice.count(0, 3)),
            parts=body(voice), comments=discussion,
        ))
        # fmt: on
    return tuple(posts)


def title(voice: Voice) -> str:
    told = voice.prose.title(voice.dice)
    forms = ("{}", "{}", "{}", "{} & Co.", "„{}”", "{} – 2.", "{}?")
    return forms[voice.count(0, len(forms) - 1)].format(told)


def line(voice: Voice, longest: int = 4, *, marked: bool = True) -> str:
    """A paragraph with or without something that stands out."""
    words = html.escape(voice.prose.paragraph(voice.dice, longest), quote=False).split(" ")
    if marked and voice.chance(0.5) and len(words) > 6:
        first = voice.count(1, len(words) - 4)
        frames = ("<strong>{}</strong>", "<em>{}</em>", '<a href="https://masik.example/?a=1&amp;b=2">{}</a>', "<b>{}</b>", "<i>{}</i>")
        words[first : first + 2] = [frames[voice.count(0, 4)].format(" ".join(words[first : first + 2]))]
    return " ".join(words)


def body(voice: Voice) -> tuple[Part, ...]:
    parts = [Part("p", (line(voice),)) for _ in range(voice.count(1, 2))]
    for kind in voice.dice.sample(("h2", "h3", "ul", "ol", "quote", "picture", "code", "table"), voice.count(0, 4)):
        if kind in ("h2", "h3", "picture"):
            lines = (html.escape(voice.prose.pick(voice.dice, "title_ends"), quote=False).capitalize(),)
        elif kind == "code":
            lines = ("for boat in river:", "    print(boat &amp; crew)")
        elif kind == "table":
            lines = tuple(f"{place}|{voice.count(10, 9000)}" for place in voice.prose.some(voice.dice, "places", 3))
        else:
            lines = tuple(line(voice, 1, marked=False) for _ in range(voice.count(2, 4) if kind in ("ul", "ol") else 1))
        parts += [Part(kind, lines), Part("p", (line(voice),))]
    return tuple(parts)


def comment_tree(voice: Voice, start: datetime, count: int, before: int) -> tuple[Said, ...]:
    """In the order of time; some answer an earlier one."""
    made: list[Said] = []
    for number in range(count):
        start += timedelta(minutes=voice.count(3, 700))
        parent = made[voice.count(0, len(made) - 1)].id if made and voice.chance(0.45) else None
        who = voice.prose.person(voice.dice) if voice.chance(0.5) else voice.nick()
        parts = tuple(Part("p", (line(voice, 2, marked=voice.chance(0.3)),)) for _ in range(voice.count(1, 2)))
        if parent and voice.chance(0.2):
            parts = (Part("quote", (line(voice, 1, marked=False),)), *parts)
        made.append(Said(id=100 + before + number, author=who, time=start, parts=parts, parent=parent))
    return tuple(made)


def children(said: Sequence[Said]) -> Mapping[int | None, Sequence[Said]]:
    """The answers by what they answer; under None what answers nothing."""
    found: dict[int | None, list[Said]] = {}
    for one in said:
        found.setdefault(one.parent, []).append(one)
    return found


# --- forums ---


def boards(voice: Voice, *, topics: int = 5, rough: bool = False) -> tuple[Board, ...]:
    """Three boards, of which the last lies in the second; an announcement stands in the first. Rough ones hold longer threads, and code."""
    names = voice.prose.some(voice.dice, "topics", 3)
    number, said, made = 3, 20, []
    for board, parent in ((2, None), (3, None), (5, 3)):
        found = []
        for place in range(topics):
            number += voice.count(1, 5)
            kind = {(2, 0): "announcement", (3, 1): "sticky"}.get((board, place), "")
            posts = thread(voice, voice.count(1, 34 if rough and place == 2 else 12), said, rough=rough)
            said += len(posts) + voice.count(0, 2)
            found.append(Topic(number=number, title=title(voice), posts=posts, board=board, kind=kind))
        made.append(Board(number=board, title=names[len(made)].capitalize(), parent=parent, topics=tuple(found)))
    return tuple(made)


def thread(voice: Voice, count: int, before: int, *, rough: bool = False) -> tuple[Said, ...]:
    """Posts of which some begin with a quotation of an earlier one, some were edited, some are signed."""
    moment = datetime(2009 + voice.count(0, 13), voice.count(1, 12), voice.count(1, 28), voice.count(7, 20), 5, tzinfo=voice.zone)
    made: list[Said] = []
    signatures = {name: voice.prose.pick(voice.dice, "claims") for name in _NICKS[::3]}
    for number in range(count):
        moment += timedelta(minutes=voice.count(2, 2000))
        quoted = made[voice.count(0, len(made) - 1)] if made and voice.chance(0.4) else None
        parts = [Part("p", (line(voice, 3),)) for _ in range(voice.count(1, 2))]
        if quoted:
            parts.insert(0, Part("quote", (quoted.parts[-1].lines[0],)))
        if rough and voice.chance(0.2):
            parts.insert(len(parts) - 1, Part("code", ("for boat in river:", "    print(boat &amp; crew)")))
        who = voice.nick()
        edited = moment + timedelta(minutes=voice.count(2, 90)) if voice.chance(0.2) else None
        # fmt: off
        made.append(Said(
            id=before + number + 1, author=who, time=moment, parts=tuple(parts), parent=quoted.id if quoted else None, edited=edited,
            signature=signatures.get(who, ""),
        ))
        # fmt: on
    return tuple(made)


def live_entries(voice: Voice, count: int, start: datetime) -> tuple[Said, ...]:
    """Oldest first."""
    made = []
    for number in range(count):
        start += timedelta(minutes=voice.count(2, 25))
        parts = tuple(Part("p", (line(voice, 3),)) for _ in range(voice.count(1, 2)))
        heading = voice.prose.title(voice.dice) if voice.chance(0.6) else ""
        made.append(Said(id=number + 1, author=voice.prose.person(voice.dice), time=start, parts=parts, title=heading))
    return tuple(made)
