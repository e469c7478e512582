"""Signs of a container that is not the article: none, one that leaves article text outside, one with more than the article inside."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.general_table import BLOCK_LEVEL
from webarticlecurator.extraction.body.names import Part, role_of
from webarticlecurator.extraction.body.tag_names import simplified_tag
from webarticlecurator.extraction.container import find_container
from webarticlecurator.extraction.nodes import Place
from webarticlecurator.extraction.structured_data import json_ld_objects, json_ld_texts
from webarticlecurator.model.article import plain_text
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.survey.audit.ground import bare
from webarticlecurator.survey.audit.page import Looked, Sign
from webarticlecurator.survey.audit.results import Kind
from webarticlecurator.survey.audit.text import is_prose, word_count
from webarticlecurator.text import element_text, squeeze

ROOT = "body.root"
_LONG = 60
"""Characters of a text that is looked at outside of the container."""
_LONG_TEXTS = etree.XPath(f"//text()[not(parent::script or parent::style) and string-length() > {_LONG}]")
_MOST_TEXTS = 400
_NEVER = frozenset((
    "a", "aside", "button", "figcaption", "footer", "form", "h1", "head", "label", "nav", "noscript", "option", "script", "select", "style",
    "svg", "table", "template", "textarea", "title",
))  # fmt: skip
"""Article text outside of the container stands in none of these; a layout of tables is known by its container standing in one."""
_MOST_LINKED = 0.2
_TEASERS = 4
"""Levels around a text on which a headline that is a link makes a teaser of it."""
_MOST_OF_IT = 0.85
"""Share of the running text in an element that is a better container."""
_PARAGRAPHS = frozenset({"p", "li", "td", "blockquote", "pre", "dd"})
_PARTS = frozenset({"paragraph", "item", "cell"})
_WORDS_AROUND = 5
_LONGER = 0.6
"""Share of the `articleBody` in JSON-LD that should be kept, at least."""
_FEWEST_IN_JSON = 80
"""Words of an `articleBody` that is more than a summary."""


def root_rule(looked: Looked) -> str:
    """The rule of the container; empty where the general finder looks for it."""
    return "" if looked.rules.root is None else ROOT


def no_root(looked: Looked) -> Iterator[Sign]:
    """The rule of the container matches nothing."""
    if looked.article.outcome is PageOutcome.EMPTY and looked.container is None:
        text = _by_finder(looked)
        yield Sign(kind=Kind.NO_ROOT, rule=root_rule(looked), words=word_count(text), text=text)


def listing(looked: Looked) -> Iterator[Sign]:
    """Most of what is kept are links, though the page is stored as an article."""
    if looked.article.outcome is PageOutcome.LISTING:
        text = looked.article.reason
        yield Sign(kind=Kind.LISTING, rule=root_rule(looked), words=looked.kept_words, text=text)


def text_outside(looked: Looked) -> Iterator[Sign]:
    """Running text of the page that stands outside of the container, in nothing that is furniture."""
    if looked.container is None or looked.page.tree is None:
        return
    rule = root_rule(looked)
    for tag, text in _blocks_outside(looked):
        yield Sign(kind=Kind.ROOT_TOO_SMALL, rule=rule, tag=tag, words=word_count(text), text=text)
    yield from _longer_in_json_ld(looked, rule)


def _by_finder(looked: Looked) -> str:
    """What the general finder takes for the article."""
    found = find_container(None, Place.whole(looked.page, looked.portal), looked.article.metadata)
    return squeeze(" ".join(element_text(element) for element in found.elements)) if found is not None else ""


def _blocks_outside(looked: Looked) -> Iterator[tuple[str, str]]:
    """The tag and the text of each block outside that looks like article text."""
    tree, roots = looked.page.tree, looked.roots
    if tree is None:
        return
    around_roots = {element for root in roots for element in root.iterancestors()}
    seen: set[Element] = set()
    linked: dict[Element, bool] = {}
    for found in islice(_long_texts(tree), _MOST_TEXTS):
        parent = found.getparent()
        parent = parent.getparent() if parent is not None and found.is_tail else parent
        block = _block(parent)
        if parent is None or block is None or block in seen:
            continue
        seen.add(block)
        path = [parent, *parent.iterancestors()]
        if not roots.isdisjoint(path) or not is_prose(squeeze(found)):
            continue
        own = [element for element in path if element not in around_roots]
        if any(element.tag in _NEVER for element in own) or any(map(_is_named, own)) or _is_teaser(own, linked):
            continue
        text = squeeze(element_text(block))
        if is_prose(text) and bare(text[: 2 * _LONG]) not in looked.kept_text:
            yield simplified_tag(own[-1] if own and own[-1].get("class") else block), text


def _long_texts(tree: Element) -> Iterator[etree._ElementUnicodeResult]:
    for found in _LONG_TEXTS(tree):  # type: ignore[union-attr]
        if isinstance(found, etree._ElementUnicodeResult):
            yield found


def _block(element: Element | None) -> Element | None:
    while element is not None and element.tag not in BLOCK_LEVEL:
        element = element.getparent()
    return element


def _is_teaser(own: list[Element], linked: dict[Element, bool]) -> bool:
    """Whether links are much of it, or of what it stands in together with few other things. `linked` remembers what was asked before."""
    for element in own[:_TEASERS]:
        if element not in linked:
            links = sum(len(squeeze(element_text(link))) for link in element.iter("a"))
            linked[element] = links > _MOST_LINKED * len(squeeze(element_text(element)))
        if linked[element]:
            return True
    return False


def _is_named(element: Element) -> bool:
    """Whether its name says that it is something else than the article's text: a caption, a byline, a teaser."""
    role = role_of(element.get("class"), element.get("id"))
    if role is None or role.part in (Part.BODY, Part.LEAD):
        return False
    # a lead often stands in a "header", which may also be that of the site
    return role.certain or role.part is not Part.NAVIGATION


def _longer_in_json_ld(looked: Looked, rule: str) -> Iterator[Sign]:
    tree = looked.page.tree
    if tree is None or not any('"articleBody"' in text for text in json_ld_texts(tree.iter("script"))):
        return
    bodies = [one.get("articleBody") for one in json_ld_objects(tree, looked.page.url)]
    body = next((body for body in bodies if isinstance(body, str) and body), "")
    words = word_count(body)
    posts = sum(word_count(plain_text(post.blocks)) for post in looked.article.posts)
    if words >= _FEWEST_IN_JSON and looked.kept_words + posts < _LONGER * words and looked.article.outcome is PageOutcome.ARTICLE:
        yield Sign(kind=Kind.ROOT_TOO_SMALL, rule=rule, tag="articleBody of JSON-LD", words=words - looked.kept_words, text=body)


def text_around(looked: Looked) -> Iterator[Sign]:
    """A container with one element in it that holds the article, and much else beside that is kept."""
    if looked.rules.root is None or looked.container is None:
        return
    inner = _inner(looked)
    if inner is None:
        return
    outside = []
    for number, node in enumerate(looked.nodes):
        leaf = looked.leaves[number]
        if node is None or leaf.of_post or leaf.type not in _PARTS or is_prose(leaf.text):
            continue
        owner = looked.ground.owners[node]
        if owner is not inner and inner not in owner.iterancestors():
            outside.append(leaf)
    words = sum(leaf.words for leaf in outside)
    if words >= _WORDS_AROUND:
        text = " / ".join(leaf.text[:60] for leaf in outside[:4])
        yield Sign(kind=Kind.ROOT_TOO_LARGE, rule=root_rule(looked), tag=simplified_tag(inner), words=words, text=text)


def _inner(looked: Looked) -> Element | None:
    """The innermost element that holds nearly all running text, if that is not the container itself."""
    ground = looked.ground
    weights: dict[Element, int] = {}
    whole = 0
    for node, raw in enumerate(ground.raw):
        if len(raw) > _LONG and not ground.linked[node] and is_prose(squeeze(raw)):
            whole += len(raw)
            for element in ground.around(ground.block_of(node)):
                weights[element] = weights.get(element, 0) + len(raw)
    holding = [element for element, weight in weights.items() if weight > _MOST_OF_IT * whole and element.tag not in _PARAGRAPHS]
    return max(holding, key=_depth, default=None)


def _depth(element: Element) -> int:
    return sum(1 for _ in element.iterancestors())
