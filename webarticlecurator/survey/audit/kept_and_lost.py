"""Findings of kept text (furniture that slipped in, the wrong shape, next to nothing), and of what was lost: inside the container, and of
metadata beside what a rule takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, groupby, islice, pairwise
from operator import attrgetter

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.config.article_rules import UNWANTED, PostKind
from webarticlecurator.config.picks import Pick, Picks
from webarticlecurator.extraction.body.furniture import is_label, leads_away
from webarticlecurator.extraction.body.locate import GENERAL_FINDER
from webarticlecurator.extraction.body.tag_rules import BLOCK_LEVEL, Decision
from webarticlecurator.extraction.body.walked_text import INVISIBLE_RULE
from webarticlecurator.extraction.metadata.names import names_in
from webarticlecurator.extraction.metadata.sources import Clue
from webarticlecurator.extraction.picked_values import TEXT, PageContext, is_element, pick_nodes, pick_values
from webarticlecurator.extraction.posts import beside
from webarticlecurator.labelling.comment_boxes import NOT_WRITTEN, called_comments, comment_boxes, written_in
from webarticlecurator.labelling.element_names import PagePart, sure_part
from webarticlecurator.labelling.simplified_tags import parsed_or_bare, tag_of
from webarticlecurator.model.article import Fate, Piece, plain_text
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.survey.audit.audited_page import (
    FURNITURE,
    AuditedPage,
    FindingKind,
    KeptBlock,
    PageFinding,
    breaks_off,
    goes_on,
    is_prose,
    sentences,
    without_blanks,
    words_without_numbers,
)
from webarticlecurator.survey.inventory.element_rules import tells_more_than_a_tag
from webarticlecurator.text import HEADINGS, folded, short_text, squeeze, word_count

_RUNNING = frozenset({"paragraph", "item", "cell", "heading", "subheading"})
_PARTS_OF_ARTICLES = frozenset({"lead", "question", "box", "note", "quote"})
_NAMED = frozenset({"blockquote", "p", *HEADINGS})
"""Elements whose tag says what they are."""
_QUOTED = _PARTS_OF_ARTICLES | {"social", "embed", "verse", "answer", "quiz", "heading", "subheading"}
"""What quotations may well be; of headings another finding tells."""
_NO_PARAGRAPHS = frozenset({"item", "cell", "caption", "source", "code", "embed"})
_GLUED = 3
"""Blocks of the page in one paragraph."""
_PARTS = {"li": "item", "dd": "item", "td": "cell", "th": "cell"}
"""Parts of lists and tables, and what each becomes."""


@FindingKind(
    80,
    "furniture-kept",
    "links that lead away, or signs, are kept as text, in {tag}",
    "If it is not of the article, add it, or what it stands in, to decompose.",
    share=0.05,
)
def kept_links(audited: AuditedPage) -> Iterator[PageFinding]:
    """Lists of links, single ones that begin like "Read also", and signs such as "Advertisement"."""

    def is_link(number: int) -> bool:
        block = audited.blocks[number]
        return block.link_share >= 0.8 and block.words >= 3 and block.type in _RUNNING

    for are_links, numbers in groupby(range(len(audited.blocks)), is_link):
        run = list(numbers)
        for number in run:
            block = audited.blocks[number]
            says_so = block.link_share >= 0.2 and leads_away(block.text[:80])
            is_sign = len(run) >= 3 if are_links else is_label(block.text)  # links below one another
            if block.type in _RUNNING and (says_so or is_sign) and not audited.is_told_by_name(number):
                yield audited.found_in(number)


@FindingKind(
    90,
    "furniture-kept",
    "{tag} is kept, and its name says that it is furniture",
    "If it is what it says, add it to decompose; if not, a rule that says what it is ends this.",
    share=0.05,
)
def named_blocks(audited: AuditedPage) -> Iterator[PageFinding]:
    """Kept blocks inside of something with the name of a share bar, an advertisement, a list of related articles."""
    findings: list[PageFinding] = []
    for number, block in enumerate(audited.blocks):
        around = audited.around[number] if not block.of_post else []
        named = [element for element in around if sure_part(element.get("class"), element.get("id")) in FURNITURE]
        # a person who has a rule for it has seen it
        if named and all(audited.decision(element).general for element in around):
            findings.append(replace(audited.found_in(number), tag=tag_of(named[-1]).text))
    if sum(finding.words for finding in findings) <= 0.3 * audited.kept_words:  # what holds more is only named badly
        yield from findings


@FindingKind(
    120,
    "paragraph-cut",
    "paragraphs break off, and the next one goes on in the middle of the sentence, at {tag}",
    "An inline may have been made a block there: give it an inline's name, or unwrap it. If it is a line of names, dates or tags, "
    "decompose it.",
    share=0.05,
    variety=0.3,
)
def cut_paragraphs(audited: AuditedPage) -> Iterator[PageFinding]:
    """A paragraph that breaks off, and the next begins in the middle of a sentence; stanzas, which are both in lines, may."""
    blocks = audited.blocks
    paragraphs = [at for at, block in enumerate(blocks) if block.type == "paragraph" and not block.inside and not block.of_post]
    for before, number in pairwise(paragraphs):
        half, block = blocks[before], blocks[number]
        in_lines = "\n" in half.text and "\n" in block.text
        is_near = number - before <= 3  # blocks behind it; short lines that do not end are entries of a list
        if is_near and not in_lines and half.words >= 6 and goes_on(block.text) and breaks_off(half.text):
            text = f"{half.text[-60:]} ¶ {block.text[:60]}"
            yield PageFinding(tag=audited.tag_of(number), words=block.words, text=text)


@FindingKind(
    130,
    "paragraphs-glued",
    "several paragraphs of the page become one, from {tag}",
    "Look for unwrap-all around it, or for a block's name on what holds several paragraphs.",
    share=0.05,
)
def glued_paragraphs(audited: AuditedPage) -> Iterator[PageFinding]:
    """Several blocks of the page that became one paragraph."""
    for number, block in enumerate(audited.blocks):
        if block.type == "paragraph" and _blocks_in(audited, number) >= _GLUED:
            yield audited.found_in(number)


def _blocks_in(audited: AuditedPage, number: int) -> int:
    """How many blocks of the page the text of a block comes from; a `div` may be anything."""
    position, container = audited.positions[number], audited.container_text
    if position is None:
        return 0
    elements = {container.block_of(node) for node in container.nodes_of(position, audited.blocks[number].text)}
    return sum(element.tag in BLOCK_LEVEL and element.tag != "div" for element in elements)


@FindingKind(
    140,
    "prose-as-heading",
    "running text becomes headings, from {tag}",
    "Make the selector of the heading rule narrower.",
    share=0.1,
    variety=0.3,
)
def prose_headings(audited: AuditedPage) -> Iterator[PageFinding]:
    """Headings that are running text."""
    for number, block in enumerate(audited.blocks):
        ends = sentences(block.text) if block.type in ("heading", "subheading") else 0
        if (ends and block.words >= 25) or (ends > 1 and block.words >= 12):
            yield audited.found_in(number)


@FindingKind(
    145,
    "prose-misnamed",
    "nearly all running text becomes leads, questions, boxes, notes or quotations, from {tag}",
    "Make the selector of that rule narrower.",
    share=0.3,
)
def misnamed_prose(audited: AuditedPage) -> Iterator[PageFinding]:
    """Running text that is nearly all called what a few paragraphs of an article are; in interviews answers are most of it."""
    prose = [number for number, block in enumerate(audited.blocks) if not block.of_post and is_prose(block.text)]
    named = [number for number in prose if not _PARTS_OF_ARTICLES.isdisjoint((audited.blocks[number].type, *audited.blocks[number].inside))]
    words, named_words = (sum(audited.blocks[number].words for number in numbers) for numbers in (prose, named))
    if named_words > max(60, 0.8 * words):
        yield audited.found_in(max(named, key=lambda number: audited.blocks[number].words))


@FindingKind(
    148,
    "element-misnamed",
    "{tag} becomes something else than its name says",
    "Take it out of that rule; what is not what its tag says is better decided by its class.",
    share=0.03,
)
def misnamed_elements(audited: AuditedPage) -> Iterator[PageFinding]:
    """Text that a rule of the portal file takes by a tag alone, and makes what no such element is: a quotation that is none any more,
    running text that is an item or a caption, a heading that is a paragraph; and, by whatever selector, running text that is an embed."""
    for number, block in enumerate(audited.blocks):
        for element in audited.around[number] if not block.of_post else ():
            decision = audited.decision(element) if element.tag in _NAMED else None
            if decision is None or not audited.portal.has_itself(decision.rule):
                continue
            if tells_more_than_a_tag(decision.selector) and "embed" not in decision.blocks:  # which no running text is, wherever it stands
                continue
            if _denies(element.tag, decision, block) and 2 * block.words < audited.kept_words:  # else it is how all is laid out
                yield PageFinding(rule=decision.rule, tag=str(element.tag), words=block.words, text=block.text)
                break


def _denies(tag: str, decision: Decision, block: KeptBlock) -> bool:
    """Whether a block is surely something else than the element that it comes from."""
    if tag in HEADINGS:
        return decision.blocks in ((), ("paragraph",)) and block.words <= 15 and not is_prose(block.text)
    if tag == "p":
        return not _NO_PARAGRAPHS.isdisjoint(decision.blocks) and block.words >= 12 and is_prose(block.text)
    return _QUOTED.isdisjoint((*decision.blocks, block.type, *block.inside)) and is_prose(block.text)


@FindingKind(
    150,
    "structure-flattened",
    "items of lists, or cells of tables, become paragraphs, from {tag}",
    "Do not unwrap lists and tables, or their parts; those that are only layout are better decided by their class.",
    share=0.03,
)
def flattened(audited: AuditedPage) -> Iterator[PageFinding]:
    """Items of a list, or cells of a table, that became paragraphs by themselves; an item of footnotes is a note instead."""
    for number, block in enumerate(audited.blocks):
        if block.type != "paragraph" or block.of_post or block.words > 60 or block.inside[-1:] == ("note",):
            continue  # what is longer stands in a table, or a list, for the sake of layout
        part = next((element for element in audited.around[number] if element.tag in _PARTS), None)
        has_others = part is not None and (part.getprevious() is not None or part.getnext() is not None)
        is_flat = part is not None and has_others and _PARTS[part.tag] not in block.inside
        if is_flat and _blocks_in(audited, number) < _GLUED and not audited.is_told_by_name(number):
            rules = (audited.decision(element).rule for element in audited.around[number])
            yield replace(audited.found_in(number), rule=next(filter(audited.portal.has_itself, rules), ""))


@FindingKind(
    160,
    "almost-empty",
    "next to nothing is kept of these pages",
    "Look at one of the pages: the container, or a rule, may be wrong for them.",
    share=0.05,
)
def almost_empty(audited: AuditedPage) -> Iterator[PageFinding]:
    """An article with next to no text, and no pictures or posts instead of it."""
    article = audited.article
    if audited.container is None or article.posts or article.outcome not in (PageOutcome.ARTICLE, PageOutcome.EMPTY):
        return
    if audited.kept_words < 15 and not any(block.type in ("figure", "gallery", "embed", "social") for block in article.blocks):
        text = plain_text(article.blocks) or article.reason
        yield PageFinding(words=word_count(text), text=text)


# --- what was lost inside the container: text that a rule dropped, sentences that it cut through ---

_SAID_ELSEWHERE = ("headline", "caption", "stands for the ", INVISIBLE_RULE)
"""How the reasons begin for which text is left out that the article has in another place, or that shows nothing."""
_NOT_TEXT = FURNITURE | {PagePart.BYLINE, PagePart.TOPICS}
_COMMENTS = f"{GENERAL_FINDER}: {PagePart.COMMENTS}"
"""They are often longer than what they comment on."""
_FEWEST_LOST_WORDS = 3


@FindingKind(
    40,
    "text-lost",
    "text that differs from page to page is dropped with {tag}",
    "If it is of the article, take it out of what is dropped, or give it a block's name.",
    share=0.02,
    variety=0.3,
    words=5,
)
def lost_text(audited: AuditedPage) -> Iterator[PageFinding]:
    """Dropped text that is no list of links, no furniture by its name, no comments, and nothing that the article says elsewhere.

    That is the headline, what picks read, the titles and authors of posts; and what the page says of itself, where the text does, too.
    """
    metadata = audited.article.metadata
    texts = [*audited.picked_texts, *(found.value for found in metadata.get("headline", ()))]
    texts += [text for post in audited.article.posts for text in (post.title, post.author) if text]
    texts += [found.value for found in metadata.get("description", ()) if without_blanks(found.value) in audited.kept_text]
    said = sorted({squeeze(text).casefold() for text in texts} - {""}, key=len, reverse=True)
    kept = [number for number, piece in enumerate(audited.article.pieces) if piece.fate is Fate.KEPT and piece.text.strip()]
    called, text_nodes, at = frozenset(called_comments(audited.page.outline)), audited.container_text, 0
    for number, piece in enumerate(audited.article.pieces):
        position = text_nodes.find(piece.text, at)
        at = position if position is not None else at
        if piece.fate is not Fate.DROPPED or piece.rule.startswith(_SAID_ELSEWHERE):
            continue
        if called and position is not None:  # whether comments are read is another question
            nodes = text_nodes.nodes_of(position, piece.text)
            others = [text_nodes.raw[node] for node in nodes if called.isdisjoint(text_nodes.around(text_nodes.owners[node]))]
            if word_count(" ".join(others)) < _FEWEST_LOST_WORDS:
                continue
        # by its tag alone; amid the text it may be a box that is too short to be known for one
        is_aside = piece.rule == f"{GENERAL_FINDER}: <aside>" and kept and kept[0] <= number < kept[-1]
        if not is_aside and _is_furniture(audited, piece):
            continue
        words = word_count(piece.text) if parsed_or_bare(piece.tag).name == "table" else words_without_numbers(piece.text)
        beyond = squeeze(piece.text).casefold()
        for text in said:
            beyond = beyond.replace(text, " ")
        if words < _FEWEST_LOST_WORDS or word_count(beyond) < _FEWEST_LOST_WORDS or audited.is_byline(piece.text):
            continue
        if position is not None and text_nodes.link_share(position, piece.text) > 0.3:
            continue
        if not audited.is_head(piece.text) and without_blanks(piece.text) not in audited.kept_text:
            yield PageFinding(rule=piece.rule, tag=piece.tag, words=words, text=piece.text)


@FindingKind(
    45,
    "text-lost",
    "headings or tables between paragraphs are dropped with {tag}",
    "If they are of the article, take them out of what is dropped; a box has a class by which it can be dropped with its heading.",
    share=0.05,
    variety=0.01,
)
def lost_headings(audited: AuditedPage) -> Iterator[PageFinding]:
    """Headings and tables that a rule drops with running text before and behind; a few texts of them may be all that a portal has."""
    pieces = (piece for piece in audited.article.pieces if piece.text.strip())
    runs = [(fate, list(of_fate)) for fate, of_fate in groupby(pieces, key=attrgetter("fate"))]
    for (_, before), (fate, (dropped, *more)), (_, after) in zip(runs, runs[1:], runs[2:], strict=False):
        tag = parsed_or_bare(dropped.tag).name  # each may have an id of its own
        is_whole = fate is Fate.DROPPED and not more and tag in (*HEADINGS, "table") and audited.portal.has_itself(dropped.rule)
        # a paragraph is in pieces where a part of it is a link
        if is_whole and all(is_prose(" ".join(piece.text for piece in run)) for run in (before, after)):
            yield PageFinding(rule=dropped.rule, tag=tag, words=word_count(dropped.text), text=dropped.text)


@FindingKind(
    50,
    "comments-not-read",
    "what readers wrote stands in {tag} and is not read: `posts.comments` reads it, `posts: {{comments: null}}` says that nobody wants it",
    "`curator learn` may propose the rule that reads them.",
    share=0.01,
    variety=0.6,
)
def unread_comments(audited: AuditedPage) -> Iterator[PageFinding]:
    """Text in what is called comments, if the portal file decides nothing about it; each text once."""
    reading, lookup = audited.reading, audited.lookup
    rules = reading.rules.posts.get(PostKind.COMMENTS)  # which may take some of them and leave others
    if reading.container is None or rules == UNWANTED:
        return
    *of_posts, of_text = reading.accounts
    read = frozenset((*audited.roots, *chain.from_iterable(account.roots for account in of_posts)))
    dropped = dict(of_text.dropped_elements())
    called = called_comments(audited.page.outline)
    around_read = {above for element in read for above in element.iterancestors()}
    holding = around_read - read
    # beside comments that were read stand their authors, counts, and calls to write one
    fewest = 12 if rules is not None or not around_read.union(read).isdisjoint(called) else 5
    boxes = dict.fromkeys(comment_boxes(called, holding=() if rules is not None else around_read))
    boxes |= dict.fromkeys(element for element, rule in dropped.items() if rule == _COMMENTS)
    told = set[str]()
    for box in boxes:
        around = (box, *box.iterancestors())
        if not boxes.keys().isdisjoint(around[1:]):
            continue
        is_kept = not read.isdisjoint(around) and dropped.keys().isdisjoint(around)
        if is_kept or not audited.decision(box).general or any(map(lookup.is_dropped_by_file, around)):
            continue
        decided = read.union(filter(lookup.is_dropped_by_file, box.iter(etree.Element)), box.iter(*NOT_WRITTEN))
        # beside each that was read stand a name and a time: together they are many words, and nobody's comment
        for part in beside(box, decided, holding) if box in holding else (box,):
            text = written_in(part, without=decided)
            if word_count(text) >= fewest and text not in told:
                told.add(text)
                yield PageFinding(tag=tag_of(part).text, words=word_count(text), text=text)


def _is_furniture(audited: AuditedPage, piece: Piece) -> bool:
    """By its name; or because the general finder says so, unless that is much of the article; or because both it and a rule do."""
    tag = parsed_or_bare(piece.tag)
    if sure_part(" ".join(tag.classes), tag.id) in _NOT_TEXT or piece.rule == _COMMENTS:
        return True
    if piece.rule.startswith(GENERAL_FINDER):
        return word_count(piece.text) <= 0.3 * audited.kept_words
    if audited.container is None or piece.tag == tag.name:  # of a bare `p` another says nothing
        return False
    return any(tag_of(element).text == piece.tag for element in audited.container.furniture)


@FindingKind(
    100,
    "sentence-interrupted",
    "{tag} is dropped out of the middle of sentences",
    "If it belongs to the sentence, unwrap it or give it an inline's name.",
    share=0.03,
    variety=0.3,
)
def interrupted_sentences(audited: AuditedPage) -> Iterator[PageFinding]:
    """A dropped inline between the halves of a sentence, or between two words that stand side by side without a blank now."""
    pieces = audited.article.pieces
    for before, dropped, after in zip(pieces, pieces[1:], pieces[2:], strict=False):
        between = dropped.fate is Fate.DROPPED and before.fate is after.fate is Fate.KEPT
        if not between or parsed_or_bare(dropped.tag).name in BLOCK_LEVEL or dropped.rule.startswith(_SAID_ELSEWHERE):
            continue
        words = word_count(dropped.text)
        # what is longer is a box
        broken = words <= 30 and breaks_off(before.text) and goes_on(after.text)
        tail, container = before.text[-40:], audited.container_text
        start, end = (container.find(tail), container.find(after.text[:40])) if broken else (None, None)
        if start is not None and end is not None:  # else the two halves are taken to be in one paragraph of the page
            broken = container.block_of(container.nodes_of(start, tail)[-1]) is container.block_of(container.node_at(end))
        if not broken and before.text[-1:].isalpha() and after.text[:1].isalpha():
            joined = f"{before.text.split()[-1]}{after.text.split()[0]}"
            is_kept = without_blanks(before.text[-12:] + after.text[:12]) in audited.kept_text
            broken, words = is_kept and any(joined in block.text for block in audited.blocks), 2
        if broken:
            text = f"{before.text[-40:]} [{dropped.text[:60]}] {after.text[:40]}"
            yield PageFinding(rule=dropped.rule, tag=dropped.tag, words=words, text=text)


# --- values of metadata beside those which a rule takes ---

_FAR = 3
"""Elements up to one that holds what stands together."""
_WRAPS = frozenset(("dd", "li", "p", "span", "td"))
"""What each value of a list may stand in."""


@FindingKind(
    165,
    "value-beside",
    "beside what {rule} takes, more of the same make is left out",
    "If these are values of the field, too, `take: all` takes all, or a selector without a place (:first-child, li + li).",
    share=0.04,
)
def values_beside(audited: AuditedPage) -> Iterator[PageFinding]:
    """Names of authors and topics in elements like those that a rule takes; sections in those of which it takes the first."""
    for name in ("author", "keywords", "articleSection"):
        rule = audited.reading.rules.metadata.get(name)
        if rule is None or (name == "author" and audited.article.type == "DiscussionForumPosting"):  # by whoever began it
            continue
        context = PageContext.whole(audited.page, audited.portal)
        said = " ".join(folded(f"{value.raw} {value.value}") for value in audited.article.metadata.get(name, ()))
        texts = _all_sections(rule, context) if name == "articleSection" else _of_the_same_make(rule, context)
        for text in (text for text in texts if folded(text) and folded(text) not in said):
            if name != "author" or names_in([Clue(text)], audited.portal.language, visible=True):
                yield PageFinding(rule=f"metadata.{name}", words=word_count(text), text=text)
                break


def _all_sections(rule: Picks, context: PageContext) -> Iterator[str]:
    """What the first alternative that gives something would give if it took all, where it does not say what it takes."""
    pick = next((pick for pick in rule.alternatives if pick_values(pick, context, TEXT).values), None)
    if isinstance(pick, Pick) and pick.take is None:
        yield from (value.text for value in pick_values(replace(pick, take="all"), context, TEXT).values)


def _of_the_same_make(rule: Picks, context: PageContext) -> Iterator[str]:
    """The texts of elements that the rule points at near those which it takes, or that are like these."""
    picks = (replace(pick, take="all") if isinstance(pick, Pick) else pick for pick in rule.alternatives)
    every = filter(is_element, pick_nodes(replace(rule, alternatives=tuple(picks)), context))
    taken = set(filter(is_element, pick_nodes(rule, context)))
    around = {above for node in taken for above in islice(node.iterancestors(), _FAR)}
    near = (node for node in every if not around.isdisjoint(islice(node.iterancestors(), _FAR)))
    for other in chain(near, *map(_alike, taken)):
        if other not in taken and (text := short_text(other, 60)) and not rule.drops(text):
            yield text


def _alike(node: Element) -> Iterator[Element]:
    """What has the tag and the classes of an element, beside it or beside what wraps it."""
    above = node.getparent()
    if above is None:
        return
    around = above.getparent() if above.tag in _WRAPS else None
    wraps = (other for other in around.iterchildren(above.tag) if other.get("class") == above.get("class")) if around is not None else ()
    for holder in (above, *wraps):
        yield from (other for other in holder.iterchildren(node.tag) if other.get("class") == node.get("class"))
