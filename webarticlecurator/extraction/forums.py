"""Threads of forums without any rules: which elements of a page are its posts, where the text of each is, who wrote it and when.

The markup that forum software writes says so; elsewhere it is told by what repeats: texts with an author and a time beside each.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from configparser import ConfigParser
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, islice, takewhile
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.config.article_rules import PostKind
from webarticlecurator.config.fields import FIELDS
from webarticlecurator.dates import Clock, read_visible
from webarticlecurator.extraction.body.furniture import is_label
from webarticlecurator.extraction.body.page_blocks import PageBlocks
from webarticlecurator.extraction.body.rewrite import RewriteContext, rewrite
from webarticlecurator.extraction.body.structure import unwrapped
from webarticlecurator.extraction.body.tag_rules import Lookup
from webarticlecurator.extraction.metadata import ReadMetadata
from webarticlecurator.extraction.metadata.data import ARTICLES
from webarticlecurator.extraction.picked_values import PageContext
from webarticlecurator.extraction.threads import MAX_POSTS, PagePosts, with_sources
from webarticlecurator.labelling.element_names import PagePart, role_of
from webarticlecurator.model.article import Post
from webarticlecurator.model.metadata import Found
from webarticlecurator.model.page import Page, local_name, type_names
from webarticlecurator.own_patterns import linear
from webarticlecurator.selectors import Selector
from webarticlecurator.text import UNSEEN, element_text, short_text, squeeze

OF_PAGE = ("html:", "microdata:", "url:")
"""Where authors and dates come from that may be those of any post on the page."""
_FORUM = linear(
    r"//(?:[\w-]+\.)*(?:[\w-]*forums?|boards?|bbs|community|discuss|talk|answers)\.|/t/(?:[\w%-]+/)?\d|"
    r"/(?:[\w-]*forums?|foros?|boards?|bbs|community|threads?|topics?|topicos?|viewtopic|viewthread|showtopic|showthread|talk|"
    r"questions?|discussions?|diskussion(?:en)?|diskuse|diskusia|keskustelut?|hilos?|sujets?|watek|vlakno|konu(?:lar)?)\b",
    re.IGNORECASE,
)
"""What the addresses of threads say, and few others: only there it is looked for what repeats."""
_OTHERWISE = ARTICLES - {"Article", "DiscussionForumPosting", "SocialMediaPosting"}
"""What no thread calls itself; some call themselves an article."""
_HOLDERS = frozenset(("article", "blockquote", "div", "dd", "li", "section", "td"))
_SENTENCES = 80
"""Characters of a text that is running text."""
_MOST_GROUPS = 8
"""That are looked at of a page: on pages made to be slow there are thousands."""
_LONGEST_NAME, _LONGEST_TIME = 60, 80
_SURE_SIGN = 5
"""Of an author: a name in data, what is called the name of a user, or a link to the page of one."""
_USER_NAME = linear(r"(?:user|nick|author|member|display|screen)-?name", re.IGNORECASE)
_AUTHOR_NAME = linear(r"(?:^|[\s_-])(?:author|creator|poster|nick|handle|user)(?:$|[\s_-])", re.IGNORECASE)
_PROFILE = linear(
    r"/~\w|(?:^|[/?&;=])(?:users?|u|members?|memberlist|profile?s?|viewprofile|showuser|people|author)(?:[/.?=&;]|-\d)",
    re.IGNORECASE,
)
_IDS = ("id", "data-post-id", "data-questionid", "data-answerid", "data-commentid", "data-pid", "data-id", "data-content")
_SIGNATURE = linear("signature", re.IGNORECASE)
_EDITED = linear("last-?edit|post_?edit|edited", re.IGNORECASE)
"""What holds the time of a later change."""
_YEAR = linear(r"(?:19|20)\d\d")
_TIMES = ("datetime", "data-datetime", "data-timestamp", "data-time", "data-created", "created-timestamp", "data-tippy-content", "title")


class ForumSoftware(NamedTuple):
    """How one system marks up the posts of a thread."""

    name: str = ""
    text: str = ""
    """Selects the texts, one a post."""
    author: str = ""
    time: str = ""
    """Select who wrote it, and when; empty where the general signs tell."""
    opening: str = "post"
    """What opens its threads: it may be no more than a `link`, so that the first post is an answer."""


_TABLE = ConfigParser(delimiters=("=",), interpolation=None)
_TABLE.read(Path(__file__).with_name("forum_software.txt"), encoding="utf-8")
SOFTWARE = tuple(ForumSoftware(name, **_TABLE[name]) for name in _TABLE.sections())
_UNKNOWN = ForumSoftware()


_SignAround = tuple[int, bool, str]
"""How sure a name or a time around the text of a post is, the lower the surer; whether it stands behind that, where those stand who liked
it, too; and what it says."""
_Signs = tuple[list[_SignAround], list[_SignAround]]
"""Of the author, and of the time."""


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


def find_thread(
    page: Page, blocks: PageBlocks, authors: Collection[str] = (), *, of_forum: bool = False
) -> tuple[Sequence[FoundPost], str] | None:
    """The posts of the thread that a page is, in its order, none in another one, and what told.

    `authors`: who wrote it by the metadata; `of_forum`: the portal is one, so that a single text may be a post, too.
    """
    outline = page.outline
    # some systems show their posts only to readers without scripts
    outermost = (row for row in outline.rows("noscript") if outline.tags[outline.parents[row]] != "noscript")
    hidden = (outline.elements[row] for noscript in outermost for row in range(noscript, outline.ends[noscript]))
    roles = (role_of(element.get("class"), element.get("id")) for element in hidden)
    if blocks.by_part[PagePart.POST] or any(role is not None and role.part is PagePart.POST for role in roles):
        for software in SOFTWARE:
            posts = _posts(_selected(software.text, outline.elements[0])[:MAX_POSTS], software)
            if any(post.author or post.times for post in posts):
                return list(_each_once(posts)), f"markup of {software.name}"
    may_be_thread = of_forum or is_of_forum(page.url)
    if may_be_thread and (repeated := _repeated(blocks, authors, alone=of_forum)):
        types = chain.from_iterable(map(type_names, page.json_ld_objects))
        written = (name for names in page.outline.attribute("itemtype") if names for name in names.split())
        if _OTHERWISE.isdisjoint(chain(types, map(local_name, written))):
            return repeated, "texts with an author and a time each"
    return None


def _selected(selector: str, within: Element) -> list[Element]:
    return _parsed(selector).select(within) if selector else []


_parsed = cache(Selector.parse)


def is_of_forum(url: str) -> bool:
    """Whether an address says that it is one of a thread."""
    return _FORUM.search(url) is not None


def _each_once(posts: Sequence[FoundPost]) -> Iterator[FoundPost]:
    """What opens a thread may stand on the page twice, once of them hidden and without its time."""
    words = [squeeze(element_text(post.text)) for post in posts]
    timed = {said for post, said in zip(posts, words, strict=True) if post.times}
    return (post for post, said in zip(posts, words, strict=True) if post.times or said not in timed)


def _repeated(blocks: PageBlocks, authors: Collection[str], *, alone: bool) -> Sequence[FoundPost]:
    """Texts of one make, each with an author and a time beside it, that are most of what is to be read on the page; else, if it may stand
    `alone`, one text with a user's name and a time beside it."""
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
            names = linear(r"\d+").sub("", element.get("class") or "")
            alike.setdefault((blocks.tags[row], " ".join(names.split()[:2]), element.get("itemprop") or ""), []).append(row)
    groups = [(sum(prose[row] for row in rows), rows) for rows in alike.values() if 2 <= len(rows) <= MAX_POSTS]
    # more than all there is: they stand in one another
    groups = [(held, rows) for held, rows in groups if 0.4 * prose[0] <= held <= prose[0]]
    most = max((held for held, _ in groups), default=0)
    close = [(held, rows) for held, rows in groups if held >= 0.8 * most]
    for held, rows in sorted(close, key=lambda group: sum(length[row] for row in group[1]) - group[0])[:_MOST_GROUPS]:
        elements = [blocks.elements[row] for row in rows]
        posts = _posts(elements, _UNKNOWN)
        signed = [post for post in posts if post.author and post.times]
        if len(signed) > 1 and len(signed) >= 0.5 * len(elements):
            return posts if signed[0].author in authors else _with_opening(blocks, prose, rows[0], elements, held / len(elements))
    single = [rows[0] for rows in alike.values() if len(rows) == 1 and prose[rows[0]] >= 0.4 * prose[0]] if alone else []
    if single:  # the innermost of those with little else
        posts = _posts([blocks.elements[min(single, key=lambda row: (length[row] - prose[row], -row))]], _UNKNOWN)
        return [post for post in posts if post.times and post.sign is not None and post.sign <= _SURE_SIGN]
    return ()


def _with_opening(blocks: PageBlocks, prose: Sequence[float], first: int, texts: Sequence[Element], usual: float) -> Sequence[FoundPost]:
    """What opens a thread may be of another make than the answers, which hold `usual` running text each.

    Where it has neither a name that they have nor is it signed as they are, or they are called comments, that is an article.
    """
    headline = max((row for row in range(first) if blocks.tags[row] == "h1"), default=0)
    around = blocks.above(first) | blocks.above(headline)
    before = [row for row in range(headline + 1, first) if row not in around and blocks.parents[row] in around]
    opening = max(before, key=prose.__getitem__, default=None)
    if opening is None:
        return _posts(texts, _UNKNOWN)
    is_comment = any(blocks.is_part(row, PagePart.COMMENTS) for row in blocks.above(opening) - around)
    called_comments = not is_comment and any(blocks.is_part(row, PagePart.COMMENTS) for row in blocks.above(first) - blocks.above(opening))
    fewest = _SENTENCES if called_comments else max(_SENTENCES, 0.7 * usual)
    if prose[opening] < fewest and not is_comment:
        return _posts(texts, _UNKNOWN)
    nearly_all = (row for row in blocks.below(opening) if blocks.tags[row] in _HOLDERS and prose[row] > 0.9 * prose[opening])
    opening = max(nearly_all, default=opening)
    posts = _posts([blocks.elements[opening], *texts], _UNKNOWN)
    classes, others = (set((post.text.get("class") or "").split()) for post in (posts[0], posts[-1]))
    if classes.isdisjoint(others):
        if posts[0].sign is None:  # its author does not stand around its text: whoever is named in it
            posts[0] = _signed(posts[0], _taken_in(posts[0].text, ([], [])))
        usual_sign = Counter(post.sign for post in posts[1:]).most_common(1)[0][0]
        if not is_comment and (called_comments or not posts[0].times or posts[0].sign != usual_sign):
            return ()
    return posts


def _posts(texts: Sequence[Element], software: ForumSoftware) -> list[FoundPost]:
    wanted = set(texts)
    outermost = []
    for text in texts:
        around = [f"{element.get('class')} {element.get('data-role')}" for element in islice(chain((text,), text.iterancestors()), 4)]
        if wanted.isdisjoint(text.iterancestors()) and not any(map(_SIGNATURE.search, around)):
            outermost.append(text)
    held = Counter(ancestor for text in outermost for ancestor in text.iterancestors())
    posts = [_post(text, held, len(outermost) == 1, software) for text in outermost]
    ids = Counter(post.id for post in posts)
    posts = [post if ids[post.id] == 1 else replace(post, id=None) for post in posts]
    posts = [post for post in posts if not is_label(post.author or "")]  # "Advertisement" writes posts, too
    return posts if software.opening == "link" or not posts else [replace(posts[0], opens=True), *posts[1:]]


def _post(text: Element, held: Counter[Element], alone: bool, software: ForumSoftware) -> FoundPost:
    """What holds no other text is of the same post: its author, its time, its buttons."""
    item = text
    signs: _Signs = ([], [])
    authors, times = signs
    for level, ancestor in enumerate(text.iterancestors()):
        if held[ancestor] > 1 or ancestor.tag in ("body", "html", "main", "noscript"):
            break
        if alone and (level == 12 or authors):
            break
        _taken_in(ancestor, signs, item)
        item = ancestor
    parts, head = [item], item.getprevious()
    if not times and head is not None and not held[head] and isinstance(head.tag, str):
        parts = [item, head]  # some have a row of their own for what is told of the post below
        _taken_in(head, signs)
    author, time = ([element for part in parts for element in _selected(css, part)] for css in (software.author, software.time))
    stated = next(filter(None, map(time[0].get, _TIMES)), None) if time else None
    shown = squeeze(" ".join(short_text(element, _LONGEST_TIME) or "" for element in time[:2]))
    named = short_text(author[0], _LONGEST_NAME) if author else None
    # the nearest id with a number in it around the text, else that of an anchor beside it
    around = takewhile(lambda element: element is not parts[0], (text, *text.iterancestors()))
    ids = (element.get(name) for element in (*around, *parts) for name in _IDS)
    anchors = (element.get(name) for part in parts for element in part.iter("a", "span") for name in ("name", "id"))
    id = next((id for id in chain(ids, anchors) if id and linear(r"\d").search(id)), None)
    return _signed(FoundPost(text=text, id=id, author=named or None, times=tuple(filter(None, (stated or shown,)))), signs)


def _signed(post: FoundPost, signs: _Signs) -> FoundPost:
    rank, _, author = min(signs[0], default=(None, False, None), key=itemgetter(0, 1))
    times = [time for *_, time in sorted(signs[1], key=itemgetter(0, 1))]
    return replace(post, author=post.author or author, times=(*post.times, *times), sign=rank)


def _taken_in(within: Element, signs: _Signs, known: Element | None = None) -> _Signs:
    """With what is said of author and time in an element, in all of it but what is known."""
    authors, times = signs
    walker = etree.iterwalk(within, events=("start",))
    behind = False
    for _, element in walker:
        behind = behind or element is known
        if element is known or element.tag in UNSEEN or _EDITED.search(element.get("class") or ""):
            walker.skip_subtree()
            continue
        what, classes = element.get("itemprop") or "", element.get("class") or ""
        names = [(0, element.get(name)) for name in ("data-author", "data-username", "author")]
        if what == "author":
            names += [(1, element.get("content")), (6, _name(element))]
        elif match := _USER_NAME.search(classes) or _AUTHOR_NAME.search(classes):
            names.append((3 if match.re is _USER_NAME else 7, _name(element)))
        is_link = element.tag == "a" and _PROFILE.search(element.get("href") or "") is not None
        if what == "name" or is_link:
            of_author = any(around.get("itemprop") == "author" for around in islice(element.iterancestors(), 5))
            if of_author or is_link:
                names.append((1 if what == "name" else 2 if of_author else 5, _name(element)))
        short = ((rank, squeeze(name)) for rank, name in names if name)
        authors += [(rank, behind, name) for rank, name in short if 0 < len(name) <= _LONGEST_NAME and not name.isdigit()]
        is_of_post = what in ("dateCreated", "datePublished")
        if is_of_post and (stated := element.get("content") or element.get("datetime") or short_text(element, _LONGEST_TIME)):
            times.append((0, behind, stated))
        for value in map(element.get, _TIMES):
            if value and len(value) <= _LONGEST_TIME and _YEAR.search(value):
                times.append((1 if element.tag == "time" else 2, behind, value))
        for text in (element.text, element.tail):
            if text and len(text) <= 2 * _LONGEST_TIME and _YEAR.search(text):
                times.append((3 if linear(r"\d[:.h]\d\d").search(text) else 4, behind, squeeze(text)))
    return signs


def _name(element: Element) -> str | None:
    return element.get("content") or short_text(element, _LONGEST_NAME)


def read_thread(context: PageContext, thread: Sequence[FoundPost], lookup: Lookup) -> PagePosts:
    """The posts of a forum that no rule describes."""
    posts = PagePosts()
    around = RewriteContext(base=context.page.base, encoding=context.page.encoding, budget=context.page.budget)
    not_said = "posts.forum: a signature, or a note that it was changed"
    clock = Clock(context.portal.timezone, context.language, context.page.date)
    for post in thread:
        notes = []  # of the software in the text of a post
        for element in post.text.iterdescendants(etree.Element):
            names = element.get("class") or ""
            marks = _SIGNATURE.search(names) or _EDITED.search(names) or "data-excludequote" in element.attrib
            if marks and short_text(element, 500) is not None:
                notes.append(element)
        blocks, account = rewrite((post.text,), lookup, replace(around, without=dict.fromkeys(notes, not_said)))
        posts.elsewhere[post.text] = account
        posts.unknown_tags.extend(account.unknown_tags())
        if blocks:
            when = next((when for time in post.times if (when := read_visible(time, clock))), None)
            said = with_sources(unwrapped(blocks, "lead"))
            posts.posts.append(Post(kind=PostKind.FORUM.value, id=post.id, when=when, author=post.author, blocks=said))
    return posts


def with_opening(read: ReadMetadata, opening: Post | None, posts: Sequence[Post], page: Page) -> ReadMetadata:
    """A thread is by whoever wrote its first post, and of that time, where nothing surer says otherwise; by nobody known where only others
    of its posts are signed."""
    read = replace(read, type="DiscussionForumPosting")
    if opening is None or any("prev" in (link.get("rel") or "").lower() for link in page.outline.named("link")):
        return read  # the thread began elsewhere
    said = {"author": opening.author, "datePublished": opening.when}
    are_told = {"author": any(post.author for post in posts), "datePublished": any(post.when for post in posts)}
    told = {
        name: (Found(value=value, raw=value, source="posts.forum"),) if value else ()
        for name, value in said.items()
        if are_told[name]
        and all(found.source.startswith(OF_PAGE) or found.value == (value or "")[:10] for found in read.metadata.get(name, ()))
    }
    both = {**read.metadata, **told}
    return replace(read, metadata={name: both[name] for name in FIELDS if both.get(name)})
