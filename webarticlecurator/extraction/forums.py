"""Threads of forums without any rules: the posts of a page that is one, and what they make of the article.

The markup that forum software writes tells the posts; elsewhere what repeats tells them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from configparser import ConfigParser
from dataclasses import replace
from functools import partial
from itertools import chain, compress
from pathlib import Path

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.config.article_rules import PostKind
from webarticlecurator.dates import Clock, is_later, read_visible
from webarticlecurator.extraction.body.page_blocks import PageBlocks
from webarticlecurator.extraction.body.rewrite import RewriteContext, rewrite
from webarticlecurator.extraction.body.structure import unwrapped
from webarticlecurator.extraction.body.tag_rules import Lookup
from webarticlecurator.extraction.forum_posts import SIGNATURE, ForumSoftware, FoundPost, posts_of, selected
from webarticlecurator.extraction.metadata.data import ARTICLES
from webarticlecurator.extraction.opening_posts import first_read, with_opening_of_its_own
from webarticlecurator.extraction.picked_values import PageContext
from webarticlecurator.extraction.repeated_posts import repeated_posts
from webarticlecurator.extraction.signs_of_posts import EDITED, Change
from webarticlecurator.extraction.threads import MAX_POSTS, PagePosts, with_sources
from webarticlecurator.labelling.element_names import PagePart, part_of
from webarticlecurator.model.article import Post
from webarticlecurator.model.page import Page, local_name, type_names
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import element_text, short_text, squeeze

_FORUM = linear(
    r"//(?:[\w-]+\.)*(?:[\w-]*forums?|boards?|bbs|community|discuss|talk|answers)\.|/t/(?:[\w%-]+/)?\d|"
    r"/(?:[\w-]*forums?|foros?|boards?|bbs|community|threads?|topics?|topicos?|viewtopic|viewthread|showtopic|showthread|talk|"
    r"questions?|discussions?|diskussion(?:en)?|diskuse|diskusia|keskustelut?|hilos?|sujets?|watek|vlakno|konu(?:lar)?)\b",
    re.IGNORECASE,
)
"""Words in the addresses of threads, and in few others: only there repeated texts are looked for."""
_OTHERWISE = ARTICLES - {"Article", "DiscussionForumPosting", "SocialMediaPosting"}
"""Types that no thread gives itself; some call themselves an article."""
_NOTE = linear(f"{SIGNATURE.pattern}|{EDITED.pattern}|data-excludequote", re.IGNORECASE)
"""Names of what software, or a signature, says in the text of a post."""
_MARKUP = ConfigParser(delimiters=("=",), interpolation=None)
_MARKUP.read(Path(__file__).with_name("forum_software.txt"), encoding="utf-8")
SOFTWARE = tuple(ForumSoftware(name, **_MARKUP[name]) for name in _MARKUP.sections())


def find_thread(
    page: Page, blocks: PageBlocks, authors: Collection[str] = (), *, of_forum: bool = False
) -> tuple[Sequence[FoundPost], str] | None:
    """Return the posts of the thread that a page is, in its order, none in another one, with the evidence.

    `authors`: who wrote it by the metadata; `of_forum`: the portal is one, so that a single text may be a
    post, too.
    """
    if _names_posts(page, blocks):
        for software in SOFTWARE:
            posts = posts_of(selected(software.text, page.outline.elements[0])[:MAX_POSTS], software)
            if any(post.author or post.times for post in posts):
                first, *others = _each_once(posts)
                return [
                    replace(first, opens=software.opening != "link"),
                    *others,
                ], f"markup of {software.name}"
    may_be_thread = of_forum or is_of_forum(page.url)
    if not may_be_thread or _calls_itself_otherwise(page):
        return None
    repeated = repeated_posts(blocks, authors, alone=of_forum)
    opening = [replace(post, opens=True) for post in repeated[:1]]
    return ([*opening, *repeated[1:]], "texts with an author and a time each") if repeated else None


def is_of_forum(url: str) -> bool:
    """Return True if an address says that it is one of a thread."""
    return _FORUM.search(url) is not None


def _names_posts(page: Page, blocks: PageBlocks) -> bool:
    """Return True if elements of the page are called posts, as they are by all software; some show them only
    to readers without scripts."""
    return bool(blocks.by_part[PagePart.POST]) or PagePart.POST in _parts_without_scripts(page)


def _parts_without_scripts(page: Page) -> Iterator[PagePart | None]:
    """Return what the elements in `noscript` are called."""
    outline = page.outline
    for noscript in outline.rows("noscript"):
        if outline.tags[outline.parents[noscript]] != "noscript":  # one in another is seen with that
            for element in outline.elements[noscript : outline.ends[noscript]]:
                yield part_of(element.get("class"), element.get("id"))


def _calls_itself_otherwise(page: Page) -> bool:
    """Return True if the data of a page call it what no thread calls itself."""
    types = chain.from_iterable(map(type_names, page.json_ld_objects))
    written = " ".join(filter(None, page.outline.attribute("itemtype")))
    return not _OTHERWISE.isdisjoint(chain(types, map(local_name, written.split())))


def _each_once(posts: Sequence[FoundPost]) -> Iterator[FoundPost]:
    """Give each post once: what opens a thread may stand on the page twice, once of them hidden and without
    its time."""
    words = [squeeze(element_text(post.text)) for post in posts]
    timed = set(compress(words, (post.times for post in posts)))
    return (post for post, said in zip(posts, words, strict=True) if post.times or said not in timed)


def read_thread(context: PageContext, thread: Sequence[FoundPost], lookup: Lookup) -> PagePosts:
    """Return the posts of a forum that no rule describes."""
    posts = PagePosts()
    around = RewriteContext(
        base=context.page.base, encoding=context.page.encoding, budget=context.page.budget
    )
    clock = Clock(context.portal.timezone, context.language, context.page.date, context.page.is_dated)
    read = partial(read_visible, clock=clock)
    for post in with_opening_of_its_own(thread, read):
        notes = dict.fromkeys(_notes_in(post.text), "posts.forum: a signature, or a note that it was changed")
        blocks, account = rewrite((post.text,), lookup, replace(around, without=notes))
        posts.elsewhere[post.text] = account
        posts.unknown_tags.extend(account.unknown_tags())
        if blocks:
            when = first_read(post.times, read)
            for note in notes:
                post.signs.take_in(note)
            edited, editor = _last_change(post.signs.changes, when, read)
            said = with_sources(unwrapped(blocks, "lead"))
            posts.posts.append(
                Post(
                    kind=PostKind.FORUM.value,
                    id=post.id,
                    when=when,
                    author=post.author,
                    edited=edited,
                    editor=editor,
                    blocks=said,
                )
            )
    return posts


def _last_change(
    changes: Iterable[Change], when: str | None, read: Callable[[str], str | None]
) -> tuple[str | None, str | None]:
    """Return when a post was changed, and by whom; programs tell the time of writing as that of a change
    where there was none."""
    for change in changes:
        edited = read(change.time)
        if edited is not None and is_later(edited, when):
            return edited, change.editor
    return None, None


def _notes_in(text: Element) -> Iterator[Element]:
    """Return what the software or a signature says in the text of a post."""
    for element in text.iterdescendants(etree.Element):
        names = f"{element.get('class', '')} {' '.join(map(str, element.keys()))}"
        if _NOTE.search(names) and short_text(element, 500) is not None:
            yield element
