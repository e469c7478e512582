"""What a person should know of one archive page and the rules that read it: `item` without matches, `next` that leads back, and so on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from webarticlecurator.amounts import amount
from webarticlecurator.config.fields import Field, Holds
from webarticlecurator.config.portal import Column, PagingMode, Portal
from webarticlecurator.extraction.pager_signs import pages_apart, routes
from webarticlecurator.extraction.picked_values import PageContext, is_element, pick_nodes, pick_values, unread_date
from webarticlecurator.model.links import BEHIND_HASH, IN_HEAD, ArchivePage, Lookalike, by_script_in_words
from webarticlecurator.model.page import Page, relations
from webarticlecurator.text import element_text, squeeze
from webarticlecurator.urls import normalise

_BACKWARDS = frozenset({"first", "prev", "previous"})
_ONLY_NEXT = "it must match only the link to the next page"
_BEGINNING = 60


def archive_remarks(page: Page, archive_page: ArchivePage, column: Column, portal: Portal) -> list[str]:
    """Sentences, none where all is well. Raises PatternTimeout."""
    context, remarks = PageContext.whole(page, portal, language=column.language, base=column.base), list[str]()
    if archive_page.broken:
        remarks.append(f"a part of the feed could not be read: {archive_page.broken}")
    if archive_page.names_feed:
        remarks.append(f"the page is no feed, and names the one at {archive_page.next_url}, to which the walk goes on")
    is_lacking = not archive_page.articles or (column.next is not None and archive_page.next_url is None)
    if is_lacking and (behind := routes(page)):
        leads = "leads" if len(behind) == 1 else "lead"
        remarks.append(f"{amount(len(behind), 'link')}, such as {behind[0][:_BEGINNING]!r}, {leads} {BEHIND_HASH}")
    remarks += _of_items(archive_page, column, context)
    # where a pick of dates points at texts of which its patterns read none
    items = [context.item(node) for node in pick_nodes(column.item, context)] if column.item is not None else []
    for name, picks in column.fields.items():
        unread = [texts for item in items if (texts := unread_date(picks, item)) is not None]
        if unread:
            text, patterns = unread[0]
            few = f"{len(unread)} of {amount(len(items), 'item')}"
            of_ages = "; an age in months or years names no day, and nothing is lost" if "`auto`" in patterns else ""
            remarks.append(f"`fields.{name}`: {patterns} reads no date in {few}, such as {text[:_BEGINNING]!r}{of_ages}")
    remarks += [*_of_next(column, context), *_of_pager(archive_page, column)]
    # links in boxes beside are nothing to tell of one page: a crawl knows in the end whether other pages list them
    listed = [link for link in archive_page.lookalikes if link.in_list]
    loose = [link for link in archive_page.lookalikes if archive_page.in_box and not link.in_box]
    if listed:
        remarks.append(_sentence_on(listed, "in the same list"))
    elif loose and 3 * len(loose) >= len(archive_page.articles):
        remarks.append(_sentence_on(loose, "that stand in no box beside, as the picked ones do,"))
    return remarks


def _of_items(archive_page: ArchivePage, column: Column, context: PageContext) -> Iterator[str]:
    link = f"`link` ({column.link.named})" if column.link is not None else ""
    lists_boards = archive_page.sections and not archive_page.items  # such a page need not list threads
    if archive_page.articles or archive_page.refused or lists_boards:
        return
    if column.item is not None and archive_page.items:
        first = pick_nodes(column.item, context)[0]
        text = squeeze(element_text(first))[:_BEGINNING] if is_element(first) else ""
        what = f"{link} finds nothing in them" if link else "none of them has a link"
        yield f"`item` ({column.item.named}) matches {amount(archive_page.items, 'time')}, but {what}; the first begins: {text!r}"
    elif column.item is not None:
        alone = len(pick_nodes(column.link, context)) if column.link is not None else 0
        beside = f", while {link} alone matches {amount(alone, 'time')} on the page" if alone else ""
        yield f"`item` ({column.item.named}) matches nothing on this page{beside}"
    elif link:
        yield f"{link} matches nothing that can be followed on this page"


def _of_next(column: Column, context: PageContext) -> Iterator[str]:
    if column.next is None or column.paging.mode is not PagingMode.NEXT_LINK:
        return
    first = next(iter(pick_values(column.next, context, Field(Holds.URL)).values), None)
    if first is None:
        return
    rule, url = f"`next` ({column.next.named})", first.text
    backwards = _BACKWARDS.intersection(relations(first.node)) if is_element(first.node) else ()
    if context.page.is_at(column.template.text):
        backwards = ()  # on some sites "previous" leads from the first page to the older ones
    apart = pages_apart(normalise(context.page.url), normalise(url))
    if context.page.is_at(url):
        yield f"{rule} matches a link to the page itself first; {_ONLY_NEXT}"
    elif backwards:
        yield f"{rule} matches a link with rel={min(backwards)}, {url}; {_ONLY_NEXT}"
    elif apart is not None and apart[1] < apart[0]:
        yield f"{rule} leads from page {apart[0]} back to page {apart[1]}, {url}; {_ONLY_NEXT}"


def _of_pager(archive_page: ArchivePage, column: Column) -> Iterator[str]:
    paging = column.paging
    followed = archive_page.next_url is not None or paging.mode not in (PagingMode.NONE, PagingMode.NEXT_LINK)
    if followed or (paging.mode is PagingMode.NONE and paging.stated):
        return
    link = next((link for link in archive_page.pager if link.numbers is None or link.numbers[1] > link.numbers[0]), None)
    if link is not None and not (link.text == IN_HEAD and paging.mode is PagingMode.NEXT_LINK):
        yield (
            f"the page has a pager that no rule follows: the link {link.text!r} leads to {link.url}; give `next` (or `{{page}}` in the"
            " URL), or say `pages: none` if it is not to be followed"
        )
    if archive_page.by_script:
        yield by_script_in_words(archive_page.by_script)
    listed = len(archive_page.articles) + len(archive_page.refused)
    for stated in archive_page.stated:
        if (stated.here or stated.total) < stated.total or (stated.items and listed < stated.total):
            yield f"the page says {stated.text!r}, and no rule leads on"


def _sentence_on(links: Sequence[Lookalike], where: str) -> str:
    look_alike = amount(len(links), f"link {where} looks like the articles and is", f"links {where} look like the articles and are")
    examples = ", ".join(link.url for link in links[:3])
    return f"{look_alike} not taken, such as {examples}; `{links[0].selector}` would take them"
