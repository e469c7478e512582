"""Articles, bodies, posts and layouts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from webarticlecurator.config.article_rules import PostKind
from webarticlecurator.config.pick_steps import Pick
from webarticlecurator.config.portal import Portal
from webarticlecurator.paths import JsonPath

Load = Callable[[str], Portal]
MistakesOf = Callable[[str], list[str]]


def test_articles_have_rules(load: Load) -> None:
    articles = load("articles: {next: a.next, skip: {when: body.hiba, url: [/galeria/, /video/]}, identity: '/cikk/(\\d+)'}\n").articles
    assert articles.next is not None
    assert [selector.text for selector in articles.skip_when] == ["body.hiba"]
    assert [pattern.text for pattern in articles.skip_url] == ["/galeria/", "/video/"]
    assert articles.identity is not None


def test_an_article_may_be_json(load: Load) -> None:
    portal = load("articles: {format: json, make_url: 'https://pelda.example/json?id={value}'}\nbody: {root: data.html}\n")
    assert portal.articles.format == "json"
    assert portal.body.root is not None
    (root,) = portal.body.root.alternatives
    assert isinstance(root, Pick)
    assert (root.css, root.json) == (None, JsonPath.parse("data.html"))


def test_posts_have_kinds_and_fields(load: Load) -> None:
    posts = load("posts: {comments: {item: li.komment, id: {attr: data-id}, author: .nev, reply_to: {attr: data-parent}}}\n").posts
    assert list(posts) == [PostKind.COMMENTS]
    assert posts[PostKind.COMMENTS].author is not None
    assert posts[PostKind.COMMENTS].title is None


def test_a_layout_overrides_what_it_sets_and_keeps_the_rest(load: Load) -> None:
    portal = load(
        "metadata: {author: .szerzo, headline: h1}\n"
        "body: {root: article}\n"
        "posts: {comments: {item: li, author: b}}\n"
        "layouts:\n"
        "  - {name: regi, from: 2001-01-01, until: 2011-03-31, metadata: {author: null, headline: h2}, posts: {comments: {author: i}}}\n"
        "  - {url: /galeria/, when: [div.a, div.b], body: {root: div.galeria}}\n"
    )
    old, gallery = portal.layouts
    assert (old.name, old.start, old.until) == ("regi", date(2001, 1, 1), date(2011, 3, 31))
    assert list(old.metadata) == ["headline"]
    assert old.metadata["headline"] != portal.metadata["headline"]
    assert (old.body, gallery.metadata) == (portal.body, portal.metadata)
    assert old.posts[PostKind.COMMENTS].item == portal.posts[PostKind.COMMENTS].item
    assert old.posts[PostKind.COMMENTS].author != portal.posts[PostKind.COMMENTS].author
    assert (gallery.name, gallery.when.text if gallery.when else None) == ("layout 2", "div.a, div.b")
