"""Threads of forums without any rules: which elements of a page are its posts, where the text of each is, who wrote it and when.

The markup that forum software writes says so; elsewhere it is told by what repeats: texts with an author and a time beside each.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, takewhile

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.general_table import UNSEEN
from webarticlecurator.extraction.body.line_signs import is_label
from webarticlecurator.extraction.body.page_blocks import PageBlocks
from webarticlecurator.extraction.forum_software import SOFTWARE, ForumSoftware, first_of
from webarticlecurator.extraction.metadata.article_object import ARTICLES
from webarticlecurator.extraction.structured_data import json_ld_objects, local_name, type_names
from webarticlecurator.labelling.names import PagePart
from webarticlecurator.model.outline import Outline
from webarticlecurator.text import element_text, short_text, squeeze

OF_PAGE = ("html:", "microdata:", "url:")
"""Where authors and dates come from that may be those of any post on the page."""
_MOST_POSTS = 5_000
"""Of one page."""
_UNKNOWN = ForumSoftware("", "")
_FORUM = re.compile(
    r"//(?:[\w-]+\.)*(?:[\w-]*forums?|boards?|bbs|community|discuss|talk|answers)\.|/t/(?:[\w%-]+/)?\d|"
    r"/(?:[\w-]*forums?|foros?|boards?|bbs|community|threads?|topics?|topicos?|viewtopic|viewthread|showtopic|showthread|talk|"
    r"questions?|discussions?|diskussion(?:en)?|diskuse|diskusia|keskustelut?|hilos?|sujets?|watek|vlakno|konu(?:lar)?)\b",
    re.IGNORECASE,
)
"""What the addresses of threads say, and few others: only there it is looked for what repeats."""
_OTHERWISE = ARTICLES - {"Article", "DiscussionForumPosting", "SocialMediaPosting"}
"""What no thread calls itself; some call themselves an article."""
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_HOLDERS = frozenset(("article", "blockquote", "div", "dd", "li", "section", "td"))
_MOST_OF_PAGE, _MOST_OF_BEST = 0.4, 0.8
"""Share of a page's running text that its posts hold, and of the best group of blocks that another one holds as well."""
_SENTENCES = 80
"""Characters of a text that is running text."""
_MOST_SIGNED = 0.5
_NEARLY_ALL, _OPENING = 0.9, 0.7
"""Share of a block's running text that one inside it holds that will do as well; and of the usual text, that a first one has at least."""
_BY_SIGNS = "texts with an author and a time each"
_MOST_GROUPS, _MOST_NAMES = 8, 30
"""That are looked at of a page, and elements that may be an author's name of a post: on pages made to be slow there are thousands."""
_NUMBERS = re.compile(r"\d+")
_CLIMB = 12
"""Levels from the text of an only post to what holds its author, at most."""
_LONGEST_NAME, _LONGEST_TIME, _LONGEST_TITLE = 60, 80, 300
_USER_NAME = re.compile(r"(?:user|nick|author|member|display|screen)-?name", re.IGNORECASE)
_AUTHOR_NAME = re.compile(r"(?:^|[\s_-])(?:author|creator|poster|nick|handle|user)(?:$|[\s_-])", re.IGNORECASE)
_PROFILE = re.compile(
    r"/~\w|(?:^|[/?&;=])(?:users?|u|members?|memberlist|profile?s?|viewprofile|showuser|people|author)(?:[/.?=&;]|-\d)",
    re.IGNORECASE,
)
_IDS = ("id", "data-post-id", "data-questionid", "data-answerid", "data-commentid", "data-pid", "data-id", "data-content")
_DIGIT = re.compile(r"\d")
_SIGNATURE = re.compile("signature", re.IGNORECASE)
_SIGNED = 4
"""Levels above a text on which a name may say that it is its author's signature."""
_INSIDE_AUTHOR = 5
"""Levels above a name or a link on which it is said that it is the author's."""
_EDITED = re.compile("last-?edit|post_?edit|edited", re.IGNORECASE)
"""What holds the time of a later change."""
_CLOCK = re.compile(r"\d[:.h]\d\d")
_YEAR = re.compile(r"(?:19|20)\d\d")
_TIMES = ("datetime", "data-datetime", "data-timestamp", "data-time", "data-created", "created-timestamp", "data-tippy-content", "title")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPost:
    """One post, as elements of the page."""

    text: Element
    id: str | None
    author: str | None
    times: tuple[str, ...]
    """What may be its time, as written, the likeliest first."""
    sign: int | None = None
    """What told its author, where no markup of a software did."""
    opens: bool = False
    """Whether it surely opens the thread, if that begins on this page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """The posts of a page, in its order; none is in another one."""

    posts: tuple[FoundPost, ...]
    how: str
    """What told."""


def find_thread(tree: Element, blocks: PageBlocks, url: str, authors: Collection[str] = ()) -> Thread | None:
    """The thread that a page is; None where it is none. `authors`: who wrote it, as the metadata have it."""
    if any(role is not None and role.part is PagePart.POST for role in blocks.roles) or _in_noscript(tree):
        for software in SOFTWARE:
            posts = _posts(software.selects_text.select(tree)[:_MOST_POSTS], software)
            if any(post.author or post.times for post in posts):
                return Thread(posts=tuple(_each_once(posts)), how=f"markup of {software.name}")
    thread = _repeated(blocks, authors) if is_of_forum(url) else None
    return thread if thread is not None and _OTHERWISE.isdisjoint(_types(tree, url)) else None


def is_of_forum(url: str) -> bool:
    """Whether an address says that it is one of a thread."""
    return _FORUM.search(url) is not None


def _types(tree: Element, url: str) -> Iterator[str]:
    """What things on a page call themselves."""
    yield from chain.from_iterable(map(type_names, json_ld_objects(tree, url)))
    for element in tree.iter(etree.Element):
        yield from map(local_name, (element.get("itemtype") or "").split())


def _in_noscript(tree: Element) -> bool:
    """Some systems show their posts only to readers without scripts; what else stands in `noscript` is a picture, as a rule."""
    return any(
        role is not None and role.part is PagePart.POST
        for noscript in tree.iter("noscript")
        if len(noscript) and noscript[0].tag not in ("img", "iframe", "style", "link")
        for role in PageBlocks(Outline(noscript)).roles
    )


def _each_once(posts: Sequence[FoundPost]) -> Iterator[FoundPost]:
    """What opens a thread may stand on the page twice, once of them hidden and without its time."""
    timed = {_words(post) for post in posts if post.times}
    return (post for post in posts if post.times or _words(post) not in timed)


def _words(post: FoundPost) -> str:
    return squeeze(element_text(post.text))


# --- what repeats ---


@dataclass(frozen=True, slots=True)
class _Group:
    """Blocks of one make: how much running text, and how much text in all, they hold."""

    rows: list[int]
    prose: float
    length: float


def _repeated(blocks: PageBlocks, authors: Collection[str]) -> Thread | None:
    """Texts of one make, each with an author and a time beside it, that are most of what is to be read on the page."""
    notices: set[int] = set()
    for row, parent in enumerate(blocks.parents):
        if parent in notices or (blocks.tags[row] not in ("html", "body", "main") and blocks.is_part(row, PagePart.NOTICE)):
            notices.add(row)
    texts = zip(blocks.flow, blocks.linked, strict=True)
    plain = [0 if row in notices else flow - linked for row, (flow, linked) in enumerate(texts)]
    prose = blocks.summed([length if length >= _SENTENCES or row in blocks.has_stops else 0 for row, length in enumerate(plain)])
    length = blocks.summed(plain)
    alike: dict[tuple[str, str, str], list[int]] = {}
    for row, element in enumerate(blocks.elements):
        if length[row] and blocks.tags[row] in _HOLDERS and element.attrib:
            names = _NUMBERS.sub("", element.get("class") or "")
            alike.setdefault((blocks.tags[row], " ".join(names.split()[:2]), element.get("itemprop") or ""), []).append(row)
    groups = [_Group(rows, sum(prose[row] for row in rows), sum(length[row] for row in rows)) for rows in alike.values()]
    # more than all there is: they stand in one another
    groups = [group for group in groups if 2 <= len(group.rows) <= _MOST_POSTS and _MOST_OF_PAGE * prose[0] <= group.prose <= prose[0]]
    most = max((group.prose for group in groups), default=0)
    close = (group for group in groups if group.prose >= _MOST_OF_BEST * most)
    for group in sorted(close, key=lambda group: group.length - group.prose)[:_MOST_GROUPS]:
        elements = [blocks.elements[row] for row in group.rows]
        posts = _posts(elements, _UNKNOWN)
        signed = [post for post in posts if post.author and post.times]
        if len(signed) > 1 and len(signed) >= _MOST_SIGNED * len(elements) and not _is_list_of_teasers(blocks, group.rows):
            if signed[0].author in authors:
                return Thread(posts=tuple(posts), how=_BY_SIGNS)
            return _with_opening(blocks, prose, group.rows[0], elements, group.prose / len(elements))
    return None


def _is_list_of_teasers(blocks: PageBlocks, rows: Sequence[int]) -> bool:
    """Whether most of them have a heading that leads elsewhere: those of posts repeat the thread's."""
    around = range(blocks.parents[rows[0]], blocks.below(rows[-1]).stop)
    leading = (row for row in around if blocks.tags[row] in _HEADINGS and 0 < blocks.linked[row] == blocks.flow[row])
    return len({short_text(blocks.elements[row], _LONGEST_TITLE) for row in leading}) > _MOST_SIGNED * len(rows)


def _with_opening(blocks: PageBlocks, prose: Sequence[float], first: int, texts: Sequence[Element], usual: float) -> Thread | None:
    """What opens a thread may be of another make than the answers, which hold `usual` running text each.

    Where it has neither a name that they have nor is it signed as they are, or they are called comments, that is an article.
    """
    headline = max((row for row in range(first) if blocks.tags[row] == "h1"), default=0)
    around = blocks.above(first) | blocks.above(headline)
    before = [row for row in range(headline + 1, first) if row not in around and blocks.parents[row] in around]
    opening = max(before, key=prose.__getitem__, default=None)
    called_comments = opening is not None and any(
        blocks.is_part(row, PagePart.COMMENTS) for row in blocks.above(first) - blocks.above(opening)
    )
    if opening is None or prose[opening] < (_SENTENCES if called_comments else max(_SENTENCES, _OPENING * usual)):
        return Thread(posts=tuple(_posts(texts, _UNKNOWN)), how=_BY_SIGNS)
    inside: int | None = opening
    while inside is not None:
        opening, below = inside, range(inside + 1, first)
        inside = next((row for row in below if blocks.parents[row] == opening and prose[row] > _NEARLY_ALL * prose[opening]), None)
        inside = inside if inside is not None and blocks.tags[inside] in _HOLDERS else None
    posts = _posts([blocks.elements[opening], *texts], _UNKNOWN)
    if _classes(posts[0]).isdisjoint(_classes(posts[-1])):
        posts[0] = _signed_inside(posts[0])
        usual_sign = Counter(post.sign for post in posts[1:]).most_common(1)[0][0]
        if called_comments or not posts[0].times or posts[0].sign != usual_sign:
            return None
    return Thread(posts=tuple(posts), how=_BY_SIGNS)


def _classes(post: FoundPost) -> set[str]:
    return set((post.text.get("class") or "").split())


def _signed_inside(post: FoundPost) -> FoundPost:
    """Where its author does not stand around its text, whoever is named in it."""
    if post.sign is not None:
        return post
    signs = _Signs()
    signs.look_around(None, post.text)
    return replace(post, author=signs.author, times=(*post.times, *signs.times), sign=signs.rank)


def _posts(texts: Sequence[Element], software: ForumSoftware) -> list[FoundPost]:
    wanted = set(texts)
    outermost = [text for text in texts if wanted.isdisjoint(text.iterancestors()) and not _is_signature(text)]
    held = Counter(ancestor for text in outermost for ancestor in text.iterancestors())
    posts = [_post(text, held, len(outermost) == 1, software) for text in outermost]
    ids = Counter(post.id for post in posts)
    posts = [post if ids[post.id] == 1 else replace(post, id=None) for post in posts]
    posts = [post for post in posts if not is_label(post.author or "")]  # "Advertisement" writes posts, too
    return posts if software.shares_links or not posts else [replace(posts[0], opens=True), *posts[1:]]


def _is_signature(text: Element) -> bool:
    around = islice(chain((text,), text.iterancestors()), _SIGNED)
    return any(_SIGNATURE.search(f"{one.get('class')} {one.get('data-role')}") for one in around)


def _post(text: Element, held: Counter[Element], alone: bool, software: ForumSoftware) -> FoundPost:
    """What holds no other text is of the same post: its author, its time, its buttons."""
    item, signs = text, _Signs()
    for level, ancestor in enumerate(text.iterancestors()):
        if held[ancestor] > 1 or ancestor.tag in ("body", "html", "main", "noscript"):
            break
        if alone and (level == _CLIMB or signs.author):
            break
        signs.look_around(item, ancestor)
        item = ancestor
    author, time = first_of(software.author, item), first_of(software.time, item)
    named = short_text(author, _LONGEST_NAME) if author is not None else None
    timed = next(filter(None, map(time.get, _TIMES)), None) if time is not None else None
    times = (*((timed,) if timed else ()), *signs.times)
    return FoundPost(text=text, id=_id_of(item, text), author=named or signs.author, times=times, sign=signs.rank)


def _id_of(item: Element, text: Element) -> str | None:
    """The nearest one with a number in it around the text, else that of an anchor beside it."""
    around = takewhile(lambda element: element is not item, (text, *text.iterancestors()))
    ids = (element.get(name) for element in (*around, item) for name in _IDS)
    anchors = (element.get(name) for element in item.iter("a", "span") for name in ("name", "id"))
    return next((id for id in chain(ids, anchors) if id and _DIGIT.search(id)), None)


class _Signs:
    """What stands around the text of a post: who wrote it, and when."""

    def __init__(self) -> None:
        self._authors: dict[tuple[int, bool], str] = {}
        self._times: dict[tuple[int, bool], list[str]] = {}
        """By what tells, the surest first, and whether it stands behind the text: there stand those who liked it, too."""
        self._behind = False
        self._left = _MOST_NAMES

    def look_around(self, known: Element | None, within: Element) -> None:
        """At all in an element but what is known."""
        walker = etree.iterwalk(within, events=("start",))
        self._behind = False
        for _, element in walker:
            self._behind = self._behind or element is known
            if element is known or element.tag in UNSEEN or _EDITED.search(element.get("class") or ""):
                walker.skip_subtree()
            else:
                self._look(element)

    @property
    def rank(self) -> int | None:
        return min(self._authors)[0] if self._authors else None

    @property
    def author(self) -> str | None:
        return self._authors[min(self._authors)] if self._authors else None

    @property
    def times(self) -> tuple[str, ...]:
        return tuple(time for rank in sorted(self._times) for time in self._times[rank])

    def _look(self, element: Element) -> None:
        get = element.get
        for name in ("data-author", "data-username", "author"):
            self._author(0, get(name))
        what, names = get("itemprop") or "", get("class") or ""
        if what == "author":
            self._author(1, get("content"))
            self._name(6, element)
        elif told := _USER_NAME.search(names) or _AUTHOR_NAME.search(names):
            self._name(3 if told.re is _USER_NAME else 7, element)
        is_link = element.tag == "a" and _PROFILE.search(get("href") or "") is not None
        if what == "name" or is_link:
            around = islice(element.iterancestors(), _INSIDE_AUTHOR)
            of_author = any(one.get("itemprop") == "author" for one in around)
            if of_author or is_link:
                self._name(1 if what == "name" else 2 if of_author else 5, element)
        if what in ("dateCreated", "datePublished"):
            self._time(0, get("content") or get("datetime") or short_text(element, _LONGEST_TIME))
        for name in _TIMES:
            value = get(name)
            if value and len(value) <= _LONGEST_TIME and _YEAR.search(value):
                self._time(1 if element.tag == "time" else 2, value)
        for text in (element.text, element.tail):
            if text and len(text) <= 2 * _LONGEST_TIME and _YEAR.search(text):
                self._time(3 if _CLOCK.search(text) else 4, squeeze(text))

    def _author(self, rank: int, name: str | None) -> None:
        name = squeeze(name or "")
        if name and len(name) <= _LONGEST_NAME and not name.isdigit():
            self._authors.setdefault((rank, self._behind), name)

    def _name(self, rank: int, element: Element) -> None:
        if (rank, self._behind) not in self._authors and self._left:
            self._left -= 1
            self._author(rank, element.get("content") or short_text(element, _LONGEST_NAME))

    def _time(self, rank: int, time: str | None) -> None:
        if time:
            self._times.setdefault((rank, self._behind), []).append(time)
