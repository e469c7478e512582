"""From pages to rules for posts: what repeats as posts do, and is read by no rule and not, or but half, by the general reader."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from webarticlecurator.amounts import amount
from webarticlecurator.budget import Budget
from webarticlecurator.config.article_rules import PostKind, PostRules
from webarticlecurator.config.portal import Kind, Portal
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.article import read_article
from webarticlecurator.extraction.forums import is_of_forum
from webarticlecurator.extraction.metadata.dates import Clock
from webarticlecurator.learning.page_sizes import sample
from webarticlecurator.learning.plain_picks import picks_of
from webarticlecurator.learning.posts.items import Items, find_items
from webarticlecurator.learning.posts.parts import post_rules
from webarticlecurator.model.article import Post, plain_text
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Learned, Plain, Proposal

_SURE = 0.9
"""Of the posts that have a text, an author and a time each."""
_WELL_READ = 0.8
"""Of the posts that the general reader finds which have an author and a time; then no rule is proposed."""
_SHOWN = 3
_LONGEST_SHOWN = 120


def find_posts(pages: Sequence[Page], portal: Portal) -> Learned:
    """Picks under `posts` for what repeats on these pages as posts do. Kinds that the portal file has rules for are left alone."""
    read_pages, remarks = sample("posts", pages)
    own = [_posts(page, portal) for page in read_pages]
    present = {*portal.posts, *portal.unwanted_posts}
    present |= {kind for layout in portal.layouts for kind in (*layout.posts, *layout.unwanted_posts)}
    trees = [page.tree for page in read_pages if page.tree is not None]
    proposals: list[Proposal] = []
    for items in find_items(trees, [_kind_of(page, posts, portal) for page, posts in zip(read_pages, own, strict=True)]):
        if items.kind in present or _are_well_read(items, own):
            continue
        proposal = _proposed(items, read_pages, portal, own)
        if proposal is not None:
            proposals.append(proposal)
    return Learned(proposals=tuple(proposals), remarks=tuple(remarks))


def _posts(page: Page, portal: Portal) -> Sequence[Post]:
    fresh = replace(page, budget=Budget())
    return read_article([fresh], portal, id=f"{portal.name}-0", identity=page.url, url=page.url).posts


def _kind_of(page: Page, posts: Sequence[Post], portal: Portal) -> PostKind | None:
    """What posts on a page are that do not say it themselves: as the general reader, the portal or the address has it."""
    told = next((post.kind for post in posts if post.kind in (PostKind.FORUM, PostKind.LIVEBLOG)), None)
    if told is not None:
        return PostKind(told)
    return PostKind.FORUM if portal.kind is Kind.FORUM or is_of_forum(page.url) else None


def _are_well_read(items: Items, own: Sequence[Sequence[Post]]) -> bool:
    """Whether the general reader finds as many of these posts as there are, and who wrote them, and when."""
    posts = [post for of_page in own for post in of_page if post.kind == items.kind]
    told = sum(post.author is not None and post.when is not None for post in posts)
    return len(posts) >= _WELL_READ * len(items.all) and told >= _WELL_READ * len(posts)


def _proposed(items: Items, pages: Sequence[Page], portal: Portal, own: Sequence[Sequence[Post]]) -> Proposal | None:
    rules = post_rules(items, [Clock(portal.timezone, portal.language, page.date) for page in pages])
    found = _read(items.kind, rules, pages, portal)
    if items.kind is PostKind.COMMENTS and found is not None:
        # who is called so wrote comments: a rule takes them, and of their parts what is sure
        doubtful = [name for name, holds in (("author", _has_author), ("time", _has_time)) if not _in_nearly_all(holds, found)]
        doubtful += ["author"] if len({post.author for posts in found for post in posts}) < 2 else []
        rules = {name: value for name, value in rules.items() if name not in doubtful}
        found = _read(items.kind, rules, pages, portal)
    posts = [post for of_page in found or () for post in of_page]
    before = sum(post.kind == items.kind for of_page in own for post in of_page)
    texts, authors, times = (sum(map(has, posts)) for has in (_has_text, _has_author, _has_time))
    if found is None or not posts or texts < _WELL_READ * len(posts) or len(posts) < before:
        return None
    is_signed = min(authors, times) >= _SURE * len(posts) and len({post.author for post in posts}) > 1
    sure = texts >= _SURE * len(posts) and (is_signed or items.kind is PostKind.COMMENTS)
    kind = items.kind.value
    reason = (
        f"finds {amount(len(posts), 'post')} on {sum(map(bool, found))} of {amount(len(pages), 'page')},"
        f" {texts} with a text, {authors} with an author,"
        f" {times} with a time; without the rule {before} are found"
    )
    chosen = Choice(value=rules, reason=reason, samples=_samples(posts, named=not sure), score=1.0)
    nothing = Choice(value=None, reason=f"no rule: the general reader, which finds {before} of them")
    question = None if sure else f"Are these the posts of the {kind}, each with its author and its time?"
    choices = (chosen, nothing) if sure else (nothing, chosen)
    return Proposal(name=f"posts.{kind}", path=("posts", kind), choices=choices, sure=sure, question=question)


def _read(kind: PostKind, rules: dict[str, Plain], pages: Sequence[Page], portal: Portal) -> list[list[Post]] | None:
    """The posts of each page by these rules; None where they are none, or would take too long."""
    ruled = _with_rules(portal, kind, rules)
    try:
        return None if ruled is None else [[post for post in _posts(page, ruled) if post.kind == kind] for page in pages]
    except PatternTimeout:
        return None


def _in_nearly_all(holds: Callable[[Post], bool], found: Sequence[Sequence[Post]]) -> bool:
    posts = [post for of_page in found for post in of_page]
    return sum(map(holds, posts)) >= _SURE * len(posts)


def _with_rules(portal: Portal, kind: PostKind, rules: dict[str, Plain]) -> Portal | None:
    """The portal with these rules beside its own; None where its loader would refuse them."""
    read = {name: picks_of(value, f"posts.{kind.value}") for name, value in rules.items()}
    picks = {name: pick for name, pick in read.items() if pick is not None}
    if len(picks) < len(read):
        return None
    added = {kind: PostRules(**picks)}
    layouts = tuple(replace(layout, posts={**layout.posts, **added}) for layout in portal.layouts)
    return replace(portal, posts={**portal.posts, **added}, layouts=layouts)


def _has_text(post: Post) -> bool:
    return bool(plain_text(post.blocks))


def _has_author(post: Post) -> bool:
    return post.author is not None


def _has_time(post: Post) -> bool:
    return post.when is not None


def _samples(posts: Sequence[Post], *, named: bool) -> tuple[str, ...]:
    """Of the first posts; who wrote them is only shown to who is asked, for what is sure goes into a file that others read."""
    told = (
        ((post.author or "?",) if named else ()) + (post.when or "?", plain_text(post.blocks)[:_LONGEST_SHOWN]) for post in posts[:_SHOWN]
    )
    return tuple(" · ".join(one) for one in told)
