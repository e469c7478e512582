"""The boards of a forum: which links of a home page lead to lists of threads, and what a portal file says of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from urllib.parse import parse_qsl

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import PagingMode
from webarticlecurator.config.template import literal
from webarticlecurator.databases import Row
from webarticlecurator.extraction.forums import is_of_forum
from webarticlecurator.extraction.url_rules import url_shape
from webarticlecurator.labelling.element_names import LinkKind, link_kind
from webarticlecurator.learning.links.find_links import LinkFindings, find_links
from webarticlecurator.learning.paging.find_paging import find_article_paging, find_paging
from webarticlecurator.learning.site.list_links import is_of_the_house, own_links
from webarticlecurator.learning.site.seen import SiteSeen
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Plain, Proposal
from webarticlecurator.urls import split_path


def possible_boards(home: Page) -> list[tuple[str, ...]]:
    """Addresses of one make outside of the menus of a home page, that say that they are of a forum."""
    groups: dict[tuple[str, ...], dict[str, None]] = defaultdict(dict)
    for _, url, in_menu in own_links(home):
        path, query = split_path(url)
        if not in_menu and link_kind(url) not in (LinkKind.PERSON, LinkKind.AUTHOR) and not is_of_the_house(path):
            folder = path if query else path.rstrip("/").rpartition("/")[0]
            groups[folder, *sorted(name for name, _ in parse_qsl(query, keep_blank_values=True))][url] = None
    return [tuple(urls) for urls in groups.values() if len(urls) > 1 and all(map(is_of_forum, urls))]


def lists_of_threads(boards: Sequence[Page], home: Page) -> Iterator[tuple[LinkFindings, list[str]]]:
    """What may find the threads of these pages by its first rule, and those that the home page does not name, in their order."""
    known = {url for _, url, _ in own_links(home)}
    found = find_links(boards)
    for number, rule in enumerate(found.rules):
        threads = [url for url in rule.urls if url not in known]
        if len(threads) > 2 and 2 * len(threads) > len(rule.urls):
            yield found.begun_with(number), threads


def lists_its_threads(boards: Row, links: frozenset[str]) -> bool:
    """Whether most of them have addresses like those of the threads on the boards."""
    shapes = {url_shape(url, sections=True) for url in boards.links.rules[0].urls}
    return 2 * sum(url_shape(url, sections=True) in shapes for url in links) > len(links)


def propose_boards(seen: SiteSeen, boards: Row, *, beside: bool) -> list[Proposal]:
    """The home page as an archive whose sections are the boards, and how threads go on; `beside`: as a column among others."""
    home, rules, wanted = seen.home, boards.links.rules, boards.urls
    # the best is what finds all of them and nothing else
    found = (rule for rule in find_links([home], examples=sorted(wanted)).rules if "item" not in rule.picks)
    best = min(found, key=lambda rule: len(wanted.symmetric_difference(rule.urls)), default=None)
    folder = min(split_path(url)[0] for url in wanted).rpartition("/")[0]
    css = str(best.picks["link"]) if best is not None else f'a[href*="{folder}/"]'
    # the pages of boards follow one another by a link, since each board has an address of its own
    ways = (find_paging(archive.pages, boards.links.links_of)[0] for archive in boards.archives if len(archive.pages) > 1)
    by_link = (rule for rules in ways for rule in rules if rule.mode is PagingMode.NEXT_LINK)
    way = max(by_link, key=lambda rule: (rule.sure, rule.score), default=None)
    lacks = list[str]()
    if best is None or wanted != frozenset(best.urls):
        lacks.append("Does `sections` pick the links to all boards, and nothing else?")
    if way is None:
        lacks.append("No board showed a link to a next page: if some do, write `next: SELECTOR` of that link.")
    if not boards.links.sure:
        lacks.append("Does `link` pick all threads on the pages of boards, and nothing else?")
    own: dict[str, Plain] = {"kind": "forum", "item": None} if beside else {}
    own |= {**(way.settings if way is not None else {}), "url": literal(home.url), "sections": css}
    reason = f"the home page leads to {amount(len(wanted), 'board')}; on the pages of those that were looked at {rules[0].reason}"
    reasons = (reason, *(rule.reason for rule in rules[1:]))
    choices = [Choice(value={**own, **rule.keys}, reason=why, samples=rule.urls[:3]) for rule, why in zip(rules, reasons, strict=True)]
    archive = Proposal.at(("columns", "forum") if beside else ("archive",), choices, " ".join(lacks) or None)
    of_threads, _ = find_article_paging(seen.threads, rules[0].urls)
    if not of_threads and way is not None and not beside:  # software that makes boards go on by a link does so with threads, too
        choice = Choice(value=way.settings["next"], reason="so the pages of boards go on; no thread that was looked at has a second page")
        of_threads = (Proposal.at(("articles", "next"), [choice], "Does this link lead to the next page of a thread, too?"),)
    return [archive, *of_threads]
