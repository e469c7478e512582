"""Articles, bodies with their tag dictionary, posts and layouts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from webarticlecurator.config.article_rules import PostKind
from webarticlecurator.config.load import load_portal
from webarticlecurator.config.pick_steps import Pick
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.tag_dictionary import NAMES, OPERATIONS
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


def test_tag_rules_keep_their_order_and_say_where_they_stand(load: Load) -> None:
    (layer,) = load(
        "body:\n  tags:\n    lead: p.lead\n    figure: [img, {css: div.kep, url: data-src}]\n    split: {strong.b: [paragraph, bold]}\n"
    ).body.tags
    assert [(rule.operation, rule.css.text, rule.url, rule.split) for rule in layer.rules] == [
        ("lead", "p.lead", None, None),
        ("figure", "img", None, None),
        ("figure", "div.kep", "data-src", None),
        ("split", "strong.b", None, ("paragraph", "bold")),
    ]
    assert layer.rules[0].source == "portal.yaml:5"


def test_the_tags_of_each_file_are_a_layer_nearest_first(load: Load, tmp_path: Path) -> None:
    (tmp_path / "kozos.yaml").write_text("body: {tags: {lead: [p.kozos], decompose: [aside]}}\n", encoding="utf-8")
    portal = load(
        "extends: kozos.yaml\nbody: {tags: {lead: [p.sajat], decompose: null}}\nlayouts: [{when: td, body: {tags: {lead: td.a}}}]\n"
    )
    own, common = portal.body.tags
    assert ([rule.css.text for rule in own.rules], own.forgotten) == (["p.sajat"], {"decompose"})
    assert [rule.css.text for rule in common.rules] == ["p.kozos", "aside"]
    assert [[rule.css.text for rule in layer.rules] for layer in portal.layouts[0].body.tags] == [
        ["td.a"],
        ["p.sajat"],
        ["p.kozos", "aside"],
    ]


@pytest.mark.parametrize("operation", [name for name in OPERATIONS if name != "split"])
def test_every_operation_of_the_vocabulary_can_be_written(load: Load, operation: str) -> None:
    (layer,) = load(f"body: {{tags: {{{operation}: [p.x]}}}}\n").body.tags
    assert layer.rules[0].operation == operation


def test_the_vocabulary_has_no_doubles() -> None:
    assert len(set(OPERATIONS)) == len(OPERATIONS)
    assert set(NAMES) < set(OPERATIONS)


def test_one_selector_under_two_operations_of_one_layer_is_a_mistake(mistakes_of: MistakesOf) -> None:
    (message,) = mistakes_of("body: {tags: {lead: ['p.lead  a'], unwrap: [p.lead a]}}\n")
    assert "under `lead` and under `unwrap`" in message


def test_one_selector_under_two_operations_of_two_layers_is_fine(mistakes_of: MistakesOf) -> None:
    assert mistakes_of("body: {tags: {lead: [p.lead]}}\nlayouts: [{when: td, body: {tags: {unwrap: [p.lead]}}}]\n") == []


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


def test_rules_of_an_extended_file_name_that_file(tmp_path: Path) -> None:
    (tmp_path / "kozos.yaml").write_text("body:\n  tags:\n    lead: [p.kozos]\n", encoding="utf-8")
    file = tmp_path / "portal.yaml"
    file.write_text("portal: pelda\nhome: https://pelda.example/\nextends: kozos.yaml\n", encoding="utf-8")
    (layer,) = load_portal(file).body.tags
    assert layer.rules[0].source == "kozos.yaml:3"
