"""Whether the portal has more articles than its columns list: what their articles lead to, other lists, sitemaps, dates not asked for.

What says that a list is whole does not say that the portal has no more. Pages that no column reads are looked at once: each is stored, and
counts as nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import chain, islice

from webarticlecurator.amounts import amount
from webarticlecurator.config.article_rules import PostKind
from webarticlecurator.config.portal import ArchiveFormat, Column, rules_of
from webarticlecurator.corpus.events import EndKind, ProofGround
from webarticlecurator.corpus.intervals import adjoining_intervals
from webarticlecurator.corpus.ledger_walks import EarlierWalks
from webarticlecurator.crawling.archive import archive_page_of
from webarticlecurator.crawling.article_fetching import whole_posts
from webarticlecurator.crawling.article_ways import as_read, page_of
from webarticlecurator.crawling.column_walks import unprove
from webarticlecurator.crawling.requests import archive_request, article_request, place_at
from webarticlecurator.crawling.run import Run
from webarticlecurator.extraction.archive_page import article_urls
from webarticlecurator.extraction.article_pages import linked_by, linked_from
from webarticlecurator.extraction.leads import Lead, LeadKind, feed_urls, leads_of
from webarticlecurator.extraction.sitemaps import read_sitemap
from webarticlecurator.extraction.url_rules import article_url, identity_of, url_shape
from webarticlecurator.labelling.element_names import link_kind
from webarticlecurator.model.article import Article
from webarticlecurator.model.capture import Capture, Request
from webarticlecurator.model.links import SKIPPED, ArchivePage
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.own_patterns import linear
from webarticlecurator.urls import host_and_port, join, normalise, split_path

_KNOWN = 200
"""Articles by which the addresses of a column are known."""
_FEWEST = 3
"""Articles of one kind of address; and addresses of that kind that nobody knows."""
_EXAMPLES = 3
_WHAT_TO_DO = "a column reads them, `exclude` under `archive: urls` says that they are none"
_OF_CALENDAR = linear(r"/(?:19|20)\d\d(?:/\d\d?){0,2}/?$")
_NUMBERED = linear(r"^(.*/)\d{1,3}(/?)$")
_JOINTS = linear(r"[-_+.]|%20")


def unlisted_articles(run: Run) -> Iterator[str]:
    """Of each column that is proved, what its articles lead to and no archive page named."""
    for column in _proved_columns(run):
        listed = run.ledger.listed_by(column.name, _KNOWN)
        shapes = Counter(url_shape(url, sections=True) for url in listed)
        usual = {shape for shape, articles in shapes.items() if articles >= _FEWEST}
        # a number and a title in an address tell an article of any section from what else a menu leads to
        without_sections = {url_shape(url, sections=False) for url in listed}
        anywhere = {shape for shape in without_sections if {"9", "s"} <= set(linear(r"[/.]").split(shape))}
        linked, pages = _linked_by_articles(run, column)
        # what most of them have in common is the portal's menu
        few = {url for url, times in linked.items() if 2 * times <= max(2, pages)}
        alike = (url for url in few if url_shape(url, sections=True) in usual)
        others = (url for url in linked if url_shape(url, sections=True) not in shapes)
        elsewhere = (url for url in others if url_shape(url, sections=False) in anywhere)
        for urls, where in ((alike, ""), (elsewhere, " in other sections")):
            unlisted = _unknown(run, column, urls)
            if len(unlisted) >= _FEWEST:
                led = _unnamed(unlisted, f"address like theirs{where}", f"addresses like theirs{where}")
                yield f"column {column.name}: pages of its articles lead to {led}; if these are articles, its pages do not list all"


def _linked_by_articles(run: Run, column: Column) -> tuple[Counter[str], int]:
    """What pages of articles lead to, each with on how many, and of how many: some at either end, where the neighbours of those that are
    missing may be; of all columns no more than fifty at one."""
    sample = max(1, min(5, 50 // len(run.columns)))
    articles = dict.fromkeys(url for last in (False, True) for url in run.ledger.listed_by(column.name, sample, last=last))
    of_pages = list(map(linked_from, _stored_pages(run, articles)))
    return Counter(chain.from_iterable(of_pages)), len(of_pages)


def _leads_of_articles(run: Run, column: Column) -> Iterator[Lead]:
    """The folders in which articles stand, lists that are written as the first pages of columns, and some topics, as far as articles lead
    to them."""
    linked, _ = _linked_by_articles(run, column)
    folders = {f"{_folder(url)}/" for url in run.ledger.listed_by(column.name, _KNOWN)}
    first_pages = filter(None, (run.ledger.first_page(each.name) for each in run.columns))
    shapes = {url_shape(url, sections=True) for url in first_pages if split_path(url)[0].strip("/")}
    unread = [url for url, _ in linked.most_common() if run.ledger.column_of_page(url) is None]
    like_lists = (url for url in unread if url in folders or url_shape(url, sections=True) in shapes)
    topics = islice((url for url in unread if link_kind(url) is not None), _EXAMPLES)
    yield from (Lead(url, LeadKind.ARTICLES) for url in dict.fromkeys((*like_lists, *topics)))


def _proved_columns(run: Run) -> Iterator[Column]:
    return (column for column in run.columns if column.rules in run.ledger.proved(column.name))


def _unknown(run: Run, column: Column, urls: Iterable[str]) -> list[str]:
    """Those that may be articles', and no crawl has met; what stands beside the pages about authors is about one, too."""
    unknown = [url for url in urls if _is_unknown(run, column, url)]
    known = run.ledger.listed_by(column.name, _KNOWN) if unknown else []
    of_authors = set[str]()
    for page in _stored_pages(run, known[:_EXAMPLES]):  # which lead there by links with the names of authors, as builds read them
        article = run.guarded(page.url, partial(as_read, page, run.portal), lambda _: None)
        of_authors.update(linked_by(page, article.authors) if article is not None else ())
    folders = set(map(_folder, of_authors)) - set(map(_folder, known))
    return [url for url in unknown if url not in of_authors and _folder(url) not in folders]


def _folder(url: str) -> str:
    return url.rstrip("/").rpartition("/")[0]


def _is_unknown(run: Run, column: Column, url: str) -> bool:
    """Whether it may be an article's, and no crawl has met it."""

    def identified() -> tuple[str, str] | None:
        listed = article_url(url, column.urls, run.portal)
        return (normalise(listed), identity_of(normalise(listed), run.portal)) if isinstance(listed, str) else None

    is_list = link_kind(url) is not None or _OF_CALENDAR.search(url) is not None
    article = run.guarded(url, identified, lambda _: None) if not is_list else None
    return article is not None and not run.ledger.knows(*article) and run.ledger.column_of_page(article[0]) is None


def united_addresses(run: Run) -> Iterator[str]:
    """That `articles.identity` makes one article of many addresses of which none is a longer form of another."""
    surplus, pairs = run.ledger.united(_KNOWN) if run.portal.articles.identity is not None else (0, [])
    # `/12` is the beginning of `/12/a-title`, and none of `/123`
    apart = [
        (first, last)
        for first, last in pairs
        if not last.startswith(first) or (first[-1].isalnum() and last[len(first) : len(first) + 1].isalnum())
    ]
    # portals give some articles a new headline, and an address made of it
    if surplus >= max(_FEWEST, 0.05 * sum(run.ledger.outcomes().values())) and 2 * len(apart) > len(pairs):
        number, example = amount(surplus, "address", "addresses"), " and ".join(apart[0])
        yield f"`articles.identity` counts {number} as articles that others are already, such as {example}, and one of them is fetched"


def spoiled_addresses(run: Run) -> Iterator[str]:
    """That `urls` rules make addresses at which nothing is, of those at which the articles are."""
    for page in run.not_there:
        via = page.via or ""
        column, response = rules_of(run.portal, run.ledger.column_of_page(via)), run.ledger.latest_response(Request(url=via).key)
        if column is None or response is None or not column.urls.may_unite:
            continue
        archive_page = run.stored(response)
        listed = archive_page_of(archive_page, column, run.portal) if archive_page is not None else None
        links = listed.written if isinstance(listed, ArchivePage) else ()
        written = next((link.written for link in links if link.url == page.url != link.written), None)
        if written is not None and _looked_at(run, article_request(run.portal, written, page.identity, first=True)) is not None:
            of = amount(run.summary.not_there, "article that is not there has", "articles that are not there have")
            rules = "`replace` or `drop_params` under `archive: urls`"
            yield f"{of} an address made by rules: {page.url} is written {written} in the list, and is there; correct {rules}"
            return


def left_out(run: Run) -> Iterator[str]:
    """That a pattern leaves out a notable part of what lists lead to, and is written like the articles that are taken. It may be meant so:
    then it is enough to be told by the crawl that met those links first."""
    articles = sum(run.ledger.outcomes().values())
    if run.ledger.count_left_out() - run.left_out_before < max(_FEWEST, 0.05 * articles):
        return
    known = [url for column in run.columns for url in run.ledger.listed_by(column.name, _KNOWN)]
    shapes = {url_shape(url, sections=False) for url in known}
    urls = [url for url in run.ledger.left_out(20_000) if url_shape(url, sections=False) in shapes and link_kind(url) is None]
    groups: dict[tuple[str, str], Callable[[str], object]] = {}
    groups |= {("urls.exclude", f" ({pattern.text})"): pattern.in_address for column in run.columns for pattern in column.urls.exclude}
    groups |= {(SKIPPED, f" ({pattern.text})"): pattern.in_address for pattern in run.portal.articles.skip.url}
    if chosen := [pattern for column in run.columns for pattern in column.urls.only]:
        groups["urls.only", ""] = lambda url: not any(pattern.in_address(url) for pattern in chosen)
    told = {refused.reason for refused in run.ledger.refused(run.portal) if refused.alike}
    for (rule, pattern), leaves_out in groups.items():
        if rule in told:
            continue
        refused: list[str] = run.guarded(run.portal.home, partial(list, filter(leaves_out, urls)), lambda _: [])
        if len(refused) >= max(_FEWEST, 0.05 * (articles + len(refused))):
            sections, others = ({split_path(url)[0].split("/")[1] for url in each} for each in (refused, known))
            if rule == SKIPPED and not sections & others:
                continue  # a kind of page, as it is meant for
            all_of = f", all that stands in /{min(sections)}/" if len(sections) == 1 and not sections & others else ""
            led = f"{len(refused):,} of {amount(articles + len(refused), 'link')} to what is written like an article{all_of}"
            yield f"`{rule}`{pattern} leaves out {led} (such as {refused[0]}); if these are articles, it leaves out too much"


def unread_lists(run: Run) -> Iterator[str]:
    """Of each proved column: articles that no list named on pages and in the feed that its first page leads to. The proof is taken from it
    where the list itself goes on there, but for one that a `stop` rule ended."""
    looked_at, told = set[str](), set[str]()
    unlisted_of = defaultdict[str, dict[str, str]](dict)  # with where they stand; of a form of addresses, since one month may have few
    for column in _proved_columns(run):
        if column.format is not ArchiveFormat.HTML:
            continue
        # what leads to sections need not list articles
        first = run.ledger.first_page(column.name) or (place_at(column, None).url if column.sections is not None else None)
        response = run.ledger.latest_response(Request(url=first).key) if first is not None else None
        page = _page(run, run.stored(response)) if response is not None else None
        if page is None:
            continue
        is_stopped = EarlierWalks.of(run.ledger, column).ended_on(ProofGround.STOP_RULE)
        leads = leads_of(page, column, run.portal, lambda url: run.ledger.column_of_page(url) is not None)
        for lead in chain(run.guarded(page.url, partial(tuple, leads), lambda _: ()), _leads_of_articles(run, column)):
            if len(looked_at) >= 12 or len(told) >= 3:  # pages; they all say that lists are not all there is
                break
            is_behind_stop = is_stopped and lead.kind is LeadKind.OWN
            form = f"stop {column.name}" if is_behind_stop else lead.form or lead.url  # one page of those says it
            if lead.url in looked_at or form in told or run.ledger.is_there(lead.url):
                continue
            looked_at.add(lead.url)
            own = linked_from(page) if lead.kind not in (LeadKind.OWN, LeadKind.FEED) else ()  # its menus are the same
            unlisted = unlisted_of[form]
            request = Request(url=lead.url, rendering=column.rendering if lead.kind is not LeadKind.FEED else None)
            unlisted.update((url, lead.url) for url in unlisted_on(run, column, request, lead.kind) if url not in own)
            if len(unlisted) < _FEWEST:
                continue
            told.add(form)
            reason = f"{lead.kind.value} {lead.url}, which lists {_unnamed(unlisted, 'article')}"
            if is_behind_stop:
                yield f"column {column.name}: behind its `stop` {reason}"
            elif lead.kind is LeadKind.OWN:
                unprove(run, (column.name,), reason)
                run.report(EndKind.UNPROVED, f"column {column.name}: {reason}")
            elif lead.kind is not LeadKind.FEED and _outcomes(run, unlisted, 1) == [PageOutcome.LISTING]:
                led = f"{lead.kind.value} {lead.url}, which leads to {_unnamed(unlisted, 'address', 'addresses')}"
                walks = f"`sections: SELECTOR` of the links to them, in a column with `url: {lead.url}`, walks them"
                yield f"{led}; these are lists themselves, such as boards: {walks}"
            else:
                yield f"{reason}; {_WHAT_TO_DO}"
    together = dict(chain.from_iterable(urls.items() for form, urls in unlisted_of.items() if not form.startswith("stop ")))
    if not told and len(together) >= _FEWEST and set(_outcomes(run, together, _FEWEST)) == {PageOutcome.ARTICLE}:
        reason = f"pages that the lists lead to, such as {next(iter(together.values()))}, have few each, and together"
        yield f"{reason} {_unnamed(together, 'article')}; {_WHAT_TO_DO}"


def posts_in_part(run: Run) -> Iterator[str]:
    """That posts which count as whole on an index page, and are not asked for, have more text on their own pages."""
    blog = run.portal.posts.get(PostKind.BLOG)
    if run.portal.articles.fetch != "truncated" or blog is None or blog.more is not None:
        return
    of_hosts = run.ledger.queues("whole posts", run.number + 1).values()
    posts = [page for page in islice(chain.from_iterable(of_hosts), _EXAMPLES) if page.via is not None]
    longer = list[str]()
    for post, own in zip(posts, _read_articles(run, [post.url for post in posts], _EXAMPLES), strict=True):
        here, whole = whole_posts(run, post.via or "").get(post.identity, 0), own.extent.characters if own is not None else 0
        if whole > 100 + 2 * here:
            longer.append(f"{post.url}: {here:,} characters on {post.via}, {whole:,} on its own page")
    if len(longer) > 1:
        told = f"of {len(posts)} posts that `posts.blog` finds whole, {len(longer)} are longer on their own pages (such as {longer[0]})"
        yield f"{told}; `posts.blog.more` finds what says so, and without `articles: {{fetch: truncated}}` all are asked for"


def _outcomes(run: Run, urls: Iterable[str], most: int) -> list[PageOutcome | None]:
    """What so many of them are."""
    return [read.outcome if read is not None else None for read in _read_articles(run, urls, most)]


def _read_articles(run: Run, urls: Iterable[str], most: int) -> list[Article | None]:
    """So many of them, as builds read them; each is asked for once, and stored."""
    requests = (article_request(run.portal, url, identity_of(url, run.portal), first=True) for url in islice(urls, most))
    captures = (_looked_at(run, request) for request in requests)
    pages = [_page(run, capture) if capture is not None else None for capture in captures]
    return [run.guarded(page.url, partial(as_read, page, run.portal), lambda _: None) if page is not None else None for page in pages]


def unlisted_in_sitemaps(run: Run) -> Iterator[str]:
    """Of what the site's sitemaps name, addresses like those of articles that no list named; columns of sitemaps, or of addresses that a
    person chose, are not doubted."""
    column = next(_proved_columns(run), None)
    if column is None or any(each.format in (ArchiveFormat.SITEMAP, ArchiveFormat.URLS) for each in run.columns):
        return
    known = list(chain.from_iterable(run.ledger.listed_by(each.name, _KNOWN) for each in run.columns))
    shapes = {url_shape(url, sections=False) for url in known}
    # where titles are in the addresses, one of a word or two is the portal's
    joints = sorted(map(_joints_of_last, known))[len(known) // 10] if known else 0
    named, waiting = list[str](), [join(run.portal.home, "/robots.txt"), join(run.portal.home, "/sitemap.xml")]
    as_sitemap = replace(column, format=ArchiveFormat.SITEMAP)
    for _ in range(5):  # files, robots.txt among them
        url = waiting.pop(0) if waiting else None
        capture = _looked_at(run, Request(url=url, is_sitemap=True)) if url is not None else None
        if url is None or capture is None:
            continue
        read = run.guarded(url, partial(read_sitemap, capture, as_sitemap, run.portal), lambda _: None)
        if isinstance(read, ArchivePage):
            waiting[:0] = [sitemap.url for sitemap in read.sitemaps]
            named += (link.url for link in read.articles)
    if not named:
        return
    # what all articles lead to is the portal's: its imprint, its terms
    linked = list(map(linked_from, _stored_pages(run, known[:_EXAMPLES])))
    everywhere = frozenset.intersection(*linked) if len(linked) > 1 else frozenset()
    of_sitemaps = dict.fromkeys(named)
    further = {url for url in named if (page := _NUMBERED.search(url)) and {page[1], f"{page[1]}2{page[2]}"} <= of_sitemaps.keys()}
    no_articles = everywhere | further
    at_home = {url: "?".join(filter(None, split_path(url))) for url in of_sitemaps if url not in no_articles}
    like_articles = (url for url in at_home if url_shape(url, sections=False) in shapes and _joints_of_last(url) >= joints)
    # some name another host or port than readers see
    others = (url for url in like_articles if run.ledger.url_id(normalise(join(run.portal.home, at_home[url]) or url)) is None)
    unlisted = _unknown(run, column, islice(others, 2_000))
    if len(unlisted) >= _FEWEST:
        named_there = _unnamed(unlisted, "address like those of articles", "addresses like those of articles")
        yield f"the site's sitemap names {named_there}; an audit of the archive compares all"


def _joints_of_last(url: str) -> int:
    """How many joints the last part of an address has, as those of several words do."""
    return len(_JOINTS.findall(split_path(url)[0].rstrip("/").rpartition("/")[2]))


def _unnamed(urls: Collection[str], one: str, many: str | None = None) -> str:
    """How many addresses no list named, and the first of them."""
    return f"{amount(len(urls), one, many)} that no list named (such as {', '.join(islice(urls, _EXAMPLES))})"


def unasked_dates(run: Run, of_dates: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Pages of dates up to today that a column does not ask for, if they have articles that no list named: those that its pages lead to
    (by its name), and those that adjoin its dates."""
    today = run.now().date()
    for column in _proved_columns(run):
        if column.dates is None or column.format.tells_links or column.stop.at_url is not None or column.stop.after is not None:
            continue  # a `stop` is to end it somewhere
        asked = dict[str, tuple[date, Request]]()
        for interval in adjoining_intervals(column.dates, today):
            place = place_at(column, interval)
            asked[place.url] = interval.start, archive_request(column, interval, place)
        days = {url: day for url in sorted(of_dates.get(column.name, ())) if (day := _day_of(url, column)) <= today}
        unasked = [url for url in days if url not in asked and run.ledger.column_of_page(url) is None]
        for url in (*unasked[:3], *unasked[-3:]):
            asked[url] = days[url], Request(url=url, rendering=column.rendering)
        for url, (day, request) in asked.items():
            if unlisted := unlisted_on(run, column, request):
                left_out = f"`dates` leave out {url}, which lists {_unnamed(unlisted, 'article')}"
                yield f"column {column.name}: its {left_out}; write a `from` or an `until` that takes in {day}"
                break


def _day_of(url: str, column: Column) -> date:
    """The day that the address of an archive page names, or the first that it may mean."""
    values = next(filter(None, (template.match(url) for template in column.templates)), {})
    written = [values.get(name) or "1" for name in ("year", "month", "day")]
    try:
        return date(*map(int, written))
    except ValueError:
        return date.min


def unlisted_on(run: Run, column: Column, request: Request, kind: LeadKind = LeadKind.OWN) -> list[str]:
    """What a page lists that no list named, by a column's rules, or as its articles are written; it is asked for once, and stored."""
    capture = _looked_at(run, request)
    if capture is None:
        return []
    return _unknown(run, column, run.guarded(request.url, lambda: _listed_on(run, column, capture, kind), lambda _: ()))


def _looked_at(run: Run, request: Request) -> Capture | None:
    """What is asked for once, and stored; None: it is not there, or nothing may be asked."""
    answers = run.ledger.answers(request.key)
    if answers:
        return run.stored(answers[0]) if answers[0].status == 200 else None
    if run.options.offline:
        return None
    run.doing = f"looking at {request.url}"
    run.show(at_once=True)
    fetched = run.source.fetch(request)
    run.keep_look(fetched)
    return fetched.capture


def _listed_on(run: Run, column: Column, capture: Capture, kind: LeadKind) -> tuple[str, ...]:
    known = run.ledger.listed_by(column.name, _KNOWN)
    if kind is LeadKind.FEED:  # which may name the articles by an address of the site from before
        hosts = set(map(host_and_port, known))
        return tuple(url for url in feed_urls(capture, run.portal) if host_and_port(url) in hosts)
    if kind is LeadKind.OWN:
        own = archive_page_of(capture, column, run.portal)
        return tuple(link.url for link in own.articles) if isinstance(own, ArchivePage) else ()
    page = page_of(capture, run.portal)
    if not isinstance(page, Page):
        return ()
    listed = article_urls(page, column, run.portal)
    # what a menu leads to may be of another make
    shapes = {url_shape(url, sections=False) for url in known}
    return tuple(url for url in dict.fromkeys((*listed, *linked_from(page))) if url_shape(url, sections=False) in shapes)


def _stored_pages(run: Run, articles: Iterable[str]) -> Iterator[Page]:
    """The first pages of articles."""
    stored = (answer for url in articles for answer in run.ledger.first_pages_of(url)[:1])
    return (page for answer in stored if (page := _page(run, run.stored(answer))) is not None)


def _page(run: Run, capture: Capture | None) -> Page | None:
    """None: it is no page that can be read."""
    if capture is None:
        return None
    page = run.guarded(capture.url, lambda: page_of(capture, run.portal), lambda verdict: NoPage(verdict.reason))
    return page if isinstance(page, Page) else None
