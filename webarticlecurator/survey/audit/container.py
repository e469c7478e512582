"""Findings of a container that is not the article: none, too small, too large; and of posts that are the article."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

from lxml.etree import _Element as Element

from webarticlecurator.config.article_rules import UNWANTED, PostKind
from webarticlecurator.document.parsed_page import parse_html
from webarticlecurator.extraction.body.tag_rules import BLOCK_LEVEL
from webarticlecurator.labelling.element_names import PagePart, role_of
from webarticlecurator.labelling.simplified_tags import tag_of
from webarticlecurator.model.article import COMMENTS, plain_text
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Outline
from webarticlecurator.survey.audit.audited_page import AuditedPage, ContainerText, FindingKind, PageFinding, is_prose, without_blanks
from webarticlecurator.text import HEADINGS, element_text, squeeze, word_count

ROOT = "body.root"
_LONG = 60
"""Characters of a text that is looked at outside of the container."""
_LONGEST_NAME = 5
"""Words of whoever wrote a comment."""
_NEVER = frozenset((
    "a", "aside", "button", "figcaption", "footer", "form", "h1", "head", "label", "nav", "noscript", "option", "script", "select", "style",
    "svg", "table", "template", "textarea", "title",
))  # fmt: skip
"""Article text outside of the container stands in none of these; a layout of tables is known by its container standing in one."""
_PARAGRAPHS = frozenset({"p", "li", "td", "blockquote", "pre", "dd"})


@FindingKind(
    10,
    "no-root",
    "{rule} finds no container: nothing of these pages is kept",
    "Look at one of the pages: body.root needs another alternative, or the pages a layout of their own.",
    share=0.01,
)
def no_container(audited: AuditedPage) -> Iterator[PageFinding]:
    """The rule of the container matches nothing; what the general finder takes for the article is shown."""
    if audited.article.outcome is PageOutcome.EMPTY and audited.container is None:
        located = audited.found_generally
        text = squeeze(" ".join(map(element_text, located.elements))) if located is not None else ""
        yield PageFinding(rule=_rule(audited), words=word_count(text), text=text)


def _rule(audited: AuditedPage) -> str:
    """The rule of the container; empty where the general finder looks for it."""
    return "" if audited.reading.rules.body.root is None else ROOT


@FindingKind(
    30,
    "root-too-small",
    "running text stands outside of the container, in {tag}",
    "If it is of the article, body.root has to take it in: a wider element, or several with all_of.",
    share=0.05,
    variety=0.6,
)
def text_outside(audited: AuditedPage) -> Iterator[PageFinding]:
    """Running text of the page that stands outside of the container, in nothing that is furniture."""
    if audited.container is None:
        return
    roots, outline = audited.roots, audited.page.outline
    around_roots = {row for root in roots if root in outline.row_of for row in outline.around(outline.row_of[root])}
    are_unwanted = audited.reading.rules.posts.get(PostKind.COMMENTS) == UNWANTED
    last = max((outline.ends[outline.row_of[root]] for root in roots if root in outline.row_of), default=len(outline.ends))
    seen = set[int]()
    linked: dict[int, bool] = {}
    for place in islice((place for place, text in enumerate(outline.strings) if len(text) > _LONG), 400):
        path = [outline.owners[place], *outline.around(outline.owners[place])]
        block = next((row for row in path if outline.tags[row] in BLOCK_LEVEL), None)
        if block is None or block in seen:
            continue
        seen.add(block)
        if any(outline.elements[row] in roots for row in path) or not is_prose(squeeze(outline.strings[place])):
            continue
        rows = [row for row in path if row not in around_roots]
        own = [outline.elements[row] for row in rows]
        if is_no_text(own) or is_teaser(outline, rows, linked):
            continue
        if any(map(audited.lookup.is_dropped_by_file, own)):
            continue
        if are_unwanted and block >= last and any(_begins_with_name(outline, row) for row in (block, outline.parents[block])):
            continue  # a comment, whatever its box is called
        text = squeeze(outline.text(block))
        if (
            is_prose(text)
            and without_blanks(text[: 2 * _LONG]) not in audited.kept_text
            and not any(text in squeeze(picked) for picked in audited.picked_texts)
        ):
            tag = tag_of(own[-1] if own and own[-1].get("class") else outline.elements[block]).text
            yield PageFinding(rule=_rule(audited), tag=tag, words=word_count(text), text=text)


@FindingKind(
    31,
    "root-too-small",
    "{rule} leaves out {tag}, between headline and text: `all_of` there takes in both",
    "If it is of the article, take in both, as in `body: {root: {all_of: [p.lead, div.text]}}`.",
    share=0.2,
    variety=0.1,
    words=5,
)
def lead_outside(audited: AuditedPage) -> Iterator[PageFinding]:
    """What is too short for the kind before, and the general finder keeps it above the container that a rule picks: a lead, a subtitle."""
    outline = audited.page.outline
    top = min((outline.row_of[root] for root in audited.roots if root in outline.row_of), default=0)
    if audited.reading.rules.body.root is None:
        return
    for row in dict.fromkeys(outline.owners[: outline.strings_in(top).start] if top else ()):
        path = [outline.elements[each] for each in (row, *outline.around(row)) if top >= outline.ends[each]]
        block = next((element for element in path if element.tag in BLOCK_LEVEL), None)
        if block is None or any(element.tag in _NEVER for element in path) or any(map(audited.lookup.is_dropped_by_file, path)):
            continue
        text = squeeze(element_text(block))
        is_told = (len(text) > _LONG and is_prose(text)) or without_blanks(text) in audited.kept_text or audited.is_byline(text)
        if is_told or any(text in squeeze(picked) for picked in audited.picked_texts):
            continue
        found, around = audited.found_generally, {path[0], *path[0].iterancestors()}
        if found is not None and not (around.isdisjoint(found.elements) or found.posts) and around.isdisjoint(found.furniture):
            tag = tag_of(path[-1] if path[-1].get("class") else block).text
            yield PageFinding(rule=ROOT, tag=tag, words=word_count(text), text=text)


@FindingKind(
    32,
    "root-too-small",
    "{rule} takes little of the answer: {tag} has far more text",
    "If it is of the article, body.root has to read it, as in `html_in: KEY` with `css: body`.",
    share=0.05,
    variety=0.6,
)
def text_in_json(audited: AuditedPage) -> Iterator[PageFinding]:
    """The longest text of an answer in JSON, where the container is another one, or a part of it."""
    waiting: list[tuple[str, Any]] = [("", audited.page.json)] if audited.page.tree is None and audited.container is not None else []
    longest, path = "", ""
    for name, value in islice(waiting, 20_000):
        if isinstance(value, str) and len(value) > len(longest):
            longest, path = value, name
        elif isinstance(value, (dict, list)):
            inner = value.items() if isinstance(value, dict) else (("", each) for each in value)
            waiting += [(f"{name}.{key}".strip("."), each) for key, each in inner]
    tree = parse_html(longest) if longest else None
    text = squeeze(element_text(tree)) if tree is not None else ""
    if word_count(text) > 2 * audited.kept_words and is_prose(text):
        yield PageFinding(rule=ROOT, tag=path, words=word_count(text) - audited.kept_words, text=text)


def _begins_with_name(outline: Outline, row: int) -> bool:
    """Whether before the text of an element stands a short line of its own that is no heading."""
    first = next((place for place in outline.strings_in(row) if outline.strings[place].strip()), None)
    is_apart = first is not None and outline.owners[first] != row and outline.tags[outline.owners[first]] not in HEADINGS
    return first is not None and is_apart and word_count(outline.strings[first]) <= _LONGEST_NAME


def is_no_text(around: list[Element]) -> bool:
    """True if what stands in these elements is no text of an article, by their tags or their names."""
    return any(element.tag in _NEVER for element in around) or any(map(_is_named, around))


def is_teaser(outline: Outline, own: list[int], linked: dict[int, bool]) -> bool:
    """Whether links are much of it, or of what it stands in together with few other things. `linked` remembers what was asked before."""
    for row in own[:4]:  # levels on which a headline that is a link makes a teaser of it
        if row not in linked:
            linked[row] = sum(map(outline.length, outline.rows_in(row, "a"))) > 0.2 * outline.length(row)
        if linked[row]:
            return True
    return False


def _is_named(element: Element) -> bool:
    """Whether its name says that it is something else than the article's text: a caption, a byline, a teaser."""
    role = role_of(element.get("class"), element.get("id"))
    if role is None or role.part in (PagePart.BODY, PagePart.LEAD):
        return False
    # a lead often stands in a "header", which may also be that of the site
    return role.certain or role.part is not PagePart.NAVIGATION


@FindingKind(
    60,
    "root-too-large",
    "the container holds the article in {tag}, and {words} words beside it that are kept but no running text",
    "Make body.root smaller, or decompose what does not belong there.",
    share=0.3,
)
def text_around(audited: AuditedPage) -> Iterator[PageFinding]:
    """A container with one element in it that holds the article, and much else beside that is kept, leads apart."""
    if audited.reading.rules.body.root is None:
        return
    container = audited.container_text
    weights = Counter[Element]()
    whole = 0
    for node, raw in enumerate(container.raw):
        if len(raw) > _LONG and not container.linked[node] and is_prose(squeeze(raw)):
            whole += len(raw)
            weights.update(dict.fromkeys(container.around(container.block_of(node)), len(raw)))
    # the innermost element that holds nearly all running text, if that is not the container itself
    holding = [element for element, weight in weights.items() if weight > 0.85 * whole and element.tag not in _PARAGRAPHS]
    inner = max(holding, key=lambda element: sum(1 for _ in element.iterancestors()), default=None)
    if inner is None:
        return
    places = ((block, at) for block, at in zip(audited.blocks, audited.nodes, strict=True) if at is not None and not block.of_post)
    short = ((block, at) for block, at in places if block.type in ("paragraph", "item", "cell") and not is_prose(block.text))
    beside = [(block, set(container.around(container.owners[at]))) for block, at in short]
    leads = audited.found_generally.apart if any(inner not in around for _, around in beside) and audited.found_generally else frozenset()
    outside = [block for block, around in beside if inner not in around and leads.isdisjoint(around)]
    words = sum(block.words for block in outside)
    if words >= 5:
        text = " / ".join(block.text[:60] for block in outside[:4])
        yield PageFinding(rule=ROOT, tag=tag_of(inner).text, words=words, text=text)


@FindingKind(
    35,
    "post-is-article",
    "what {rule} reads is the text of the article, in {tag}",
    "Make its `item` narrower, or take the rule out: the documents have that text as posts, or lack it.",
    share=0.3,
)
def article_as_comments(audited: AuditedPage) -> Iterator[PageFinding]:
    """Comments that are most of what the general finder takes for the article, and next to nothing else of it is kept; or posts that
    nobody signed, and less is kept."""
    unsigned = [post for post in audited.article.posts if not (post.author or post.when)]
    posts = unsigned or [post for post in audited.article.posts if post.kind == COMMENTS]
    said = "\n".join(plain_text(post.blocks) for post in posts)
    # readers may say more than the article, and nothing may tell that it is they who do
    if word_count(said) <= (1 if unsigned else 5) * audited.kept_words:
        return
    located = audited.found_generally
    if located is None or located.posts:
        return
    said = without_blanks(said)
    text = ContainerText(audited.page, located.elements)
    own = [raw for raw, owner in zip(text.raw, text.owners, strict=True) if located.furniture.keys().isdisjoint(text.around(owner))]
    taken = [raw for raw in own if is_prose(squeeze(raw)) and without_blanks(raw) in said]
    words = word_count(" ".join(taken))
    if 2 * words > word_count(" ".join(own)):
        yield PageFinding(rule=f"posts.{posts[0].kind}", tag=tag_of(located.elements[0]).text, words=words, text=squeeze(taken[0]))


@FindingKind(
    36,
    "post-is-article",
    "what {rule} reads is kept a second time as the text of the article",
    "Take the rule out, or leave out of `body.root` what the posts have.",
    share=0.3,
)
def text_twice(audited: AuditedPage) -> Iterator[PageFinding]:
    """Posts whose text is most of the article's, too."""
    prose = [(without_blanks(block.text), block) for block in audited.blocks if not block.of_post and is_prose(block.text)]
    for post in audited.article.posts:
        said = without_blanks(plain_text(post.blocks))
        words = sum(block.words for text, block in prose if text in said)
        if 2 * words > sum(block.words for _, block in prose):
            yield PageFinding(rule=f"posts.{post.kind}", words=words, text=prose[0][1].text)


@FindingKind(
    37,
    "post-is-article",
    "what {rule} reads stands amid the text, in {tag}, and nobody signed it",
    "Make its `item` narrower, or take the rule out: these may be quotations, which the documents have as posts.",
    share=0.04,
)
def text_between_as_comments(audited: AuditedPage) -> Iterator[PageFinding]:
    """Comments without author or time, behind which much of the article's running text follows."""
    posts, text, row_of = audited.article.posts, audited.container_text, audited.page.outline.row_of
    if any(post.author or post.when or post.kind != COMMENTS for post in posts):
        return
    *accounts, _ = audited.reading.accounts
    nodes = ((block, at) for block, at in zip(audited.blocks, audited.nodes, strict=True) if at is not None and is_prose(block.text))
    prose = [(row_of.get(text.owners[at], 0), block.words) for block, at in nodes]
    for post, account in zip(posts, accounts, strict=False):
        first = account.roots[0] if account.roots else None
        behind = sum(words for row, words in prose if first is not None and row > row_of.get(first, row))
        if first is not None and not audited.roots.isdisjoint(first.iterancestors()) and 5 * behind > audited.kept_words:
            said = plain_text(post.blocks)
            yield PageFinding(rule=f"posts.{COMMENTS}", tag=tag_of(first).text, words=word_count(said), text=squeeze(said))
