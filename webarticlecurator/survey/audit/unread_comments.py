"""Comments of readers that nothing reads, and nobody has decided about."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import chain

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.config.article_rules import UNWANTED, PostKind
from webarticlecurator.extraction.body.locate import GENERAL_FINDER
from webarticlecurator.extraction.posts import beside
from webarticlecurator.labelling.comment_boxes import NOT_WRITTEN, called_comments, comment_boxes, written_in
from webarticlecurator.labelling.element_names import PagePart
from webarticlecurator.labelling.simplified_tags import tag_of
from webarticlecurator.survey.audit.audited_page import AuditedPage, FindingKind, PageFinding
from webarticlecurator.text import word_count

_COMMENTS = f"{GENERAL_FINDER}: {PagePart.COMMENTS}"
_LEAST_WORDS = {False: 5, True: 12}
"""Comments of the page are read -> the words of others; beside those that are read stand their authors,
counts, and calls to write one."""


@FindingKind(
    50,
    "comments-not-read",
    "what readers wrote stands in {tag} and is not read: `posts.comments` reads it, `posts: {{comments: "
    "null}}` says that nobody wants it",
    "docs/how-to/article-rules.md#posts shows such a rule.",
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
    are_read = rules is not None or not around_read.union(read).isdisjoint(called)
    fewest = _LEAST_WORDS[are_read]
    boxes = dict.fromkeys(comment_boxes(called, holding=() if rules is not None else around_read))
    boxes |= dict.fromkeys(element for element, rule in dropped.items() if rule == _COMMENTS)
    told: dict[str, str] = {}
    """Text -> the tag in which it stands."""
    for box in _undecided(boxes, audited, read, dropped):
        decided = read.union(
            filter(lookup.is_dropped_by_file, box.iter(etree.Element)), box.iter(*NOT_WRITTEN)
        )
        # beside each that was read stand a name and a time: together they are many words, and nobody's
        # comment
        for part in beside(box, decided, holding) if box in holding else (box,):
            told.setdefault(written_in(part, without=decided), tag_of(part).text)
    for text, tag in told.items():
        if word_count(text) >= fewest:
            yield PageFinding(tag=tag, words=word_count(text), text=text)


def _undecided(
    boxes: Mapping[Element, None],
    audited: AuditedPage,
    read: Collection[Element],
    dropped: Mapping[Element, str],
) -> Iterator[Element]:
    """The outermost boxes that are neither kept, nor named or dropped by a rule of the portal file."""
    for box in boxes:
        around = (box, *box.iterancestors())
        is_kept = not set(read).isdisjoint(around) and dropped.keys().isdisjoint(around)
        is_ruled = not audited.decision(box).general or any(map(audited.lookup.is_dropped_by_file, around))
        if boxes.keys().isdisjoint(around[1:]) and not (is_kept or is_ruled):
            yield box
