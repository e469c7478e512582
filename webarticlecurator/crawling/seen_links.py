"""Addresses written like articles that the pages of a crawl lead to, and no list names.

All links of all pages that come in are looked at, by their bytes: that costs a fraction of a page's parsing.
What is kept of them is a bounded number of addresses of each form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from html import unescape
from itertools import chain

from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.events import StoredForm
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.seen_addresses import (
    COUNTED,
    FURTHER,
    SeenAddress,
    SeenForm,
    is_unlisted,
    left_out_by,
    pages_seen,
    seen_forms,
)
from webarticlecurator.document.decode import MAX_UNPACKED
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.address_forms import ArticleForms, form_of, site_of
from webarticlecurator.extraction.signs_of_more import further_addresses
from webarticlecurator.model.capture import Capture
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.protocol.message import unpacked_body
from webarticlecurator.urls import is_http, join, normalise, root_of, without_fragment

_HREF = linear(rb"""href\s*=\s*["']?([^"'\s<>#][^"'\s<>]*)""")
"""A link to another page. It begins with what is searched for fast, whatever stands before."""
_SAME_EVERYWHERE = linear_at(rb"/|[A-Za-z][A-Za-z0-9+.-]*:")
"""Begins what a link says that leads to the same address on all pages of a host."""
_MOST_LINKS = 20_000
"""Links of one page that are noted at most."""
_MOST_OF_FORM, _MOST_FORMS = 300, 200
_MOST_HREFS = 20_000
"""Links that are remembered, so that nothing that many pages lead to is looked at twice."""
_MOST_KNOWN = 200_000
"""Addresses that lists name, and that are remembered as such."""
_MOST_FURTHER = 20
"""Further addresses of articles of one form."""
_KNOWN = 500
"""Articles by which the forms of addresses are known."""
_NO_FORM = SeenForm()
"""Stands for a form of which nothing is kept."""
_PAGES_BETWEEN = 500
"""Pages after which the forms are learned again, at most: twice as many each time."""


@dataclass(slots=True)
class SeenLinks:
    """Links that the pages of one crawl have, added to those of earlier crawls."""

    portal: Portal
    ledger: Ledger
    forms: dict[str, SeenForm] = field(init=False)
    further: dict[str, SeenForm] = field(init=False)
    """By what stands behind the own addresses of articles."""
    counted: dict[str, SeenForm] = field(init=False)
    """Threads of which more posts are stated than their pages show, by the place of the number."""
    pages: int = field(init=False)
    """Pages of articles so far, by this crawl and those before it."""
    _like: ArticleForms = field(default_factory=partial(ArticleForms, ()))
    _looked_at: int = 0
    """Pages in this crawl."""
    _learn_at: int = 1
    """How many these are when the forms are learned again."""
    _hrefs: dict[tuple[str, bytes], str] = field(default_factory=dict)
    """The host of a page with what its links say -> the address; empty: one that does not count."""
    _others: dict[str, str] = field(default_factory=dict)
    """Addresses that are not written like those of articles, as far as these are known -> where they were
    seen first."""
    _leading: Counter[str] = field(default_factory=Counter)
    """How many pages lead to each of these."""
    _pages_of_form: dict[str, set[str]] = field(default_factory=dict)
    """The places where addresses of their forms were seen first, but for those whose form was not looked for
    yet."""
    _of_no_form: list[tuple[str, str]] = field(default_factory=list)
    """Addresses whose form was not looked for yet, with where they were seen first."""
    _known: set[int] = field(default_factory=set)
    """Hashes of addresses that lists name, or rules refuse."""

    def __post_init__(self) -> None:
        self.forms, self.further, self.counted, self.pages = {}, {}, {}, pages_seen(self.ledger)
        marked = ((FURTHER, self.further), (COUNTED, self.counted))
        for name, form in seen_forms(self.ledger).items():
            kept = next((forms for mark, forms in marked if name.startswith(mark)), self.forms)
            kept[name] = form

    def take_page(self, capture: Capture, *, listed: Iterable[str] = ()) -> None:
        """Take in all links of a page that is no article; `listed`: what it lists itself."""
        self._known.update(map(hash, listed))
        self._take_links(unpacked_body(capture, MAX_UNPACKED), capture.url, is_article=False)

    def take_article(self, body: bytes, url: str, article: str, *, is_first: bool) -> None:
        """Take in all links of a page of an article, and what stands in it at the article's own address with
        something behind it."""
        self._take_links(body, url, is_article=is_first)
        if not self.portal.articles.one_page:
            for form, further in further_addresses(body, article):
                self._keep_further(f"{FURTHER}{form}", further, article)

    def _take_links(self, body: bytes, page: str, *, is_article: bool) -> None:
        self.pages += is_article
        self._looked_at += 1
        if self._looked_at >= self._learn_at:
            self.learn()
        host = root_of(page)
        for href in dict.fromkeys(_HREF.findall(body)[:_MOST_LINKS]):
            url = self._hrefs.get((host, href))
            if url is None:
                url = self._address(href, page)
            if url:
                self._take(url, page, is_article=is_article)

    def take_addresses(self, urls: Iterable[str], via: str) -> None:
        """Take in what a feed, a sitemap or a list names."""
        for url in map(normalise, urls):
            self._take(url, via, is_article=False)

    def take_item(self, url: str, via: str) -> None:
        """Take in an address that stands in an item of a list in an article's place, however it is
        written."""
        self._keep(url, via, is_article=False)

    def other_addresses(self) -> list[str]:
        """Return what is not written like an article: folders of other addresses first, and of these what
        most pages lead to.

        A list is the folder of its articles more often than a page about the site is one, and what all pages
        lead to is the site's own.
        """
        home, folders = site_of(self.portal.home), set(map(_folder, self._others))
        at_home = [url for url, _ in self._leading.most_common() if site_of(url) == home]
        return sorted(at_home, key=lambda url: url.rstrip("/") not in folders)

    def seen_only_on(self, page: str) -> list[str]:
        """Return what is not written like an article, and no other page led to, nor to the like of it."""
        return [url for url, via in self._others.items() if via == page and self.is_only_on(page, url)]

    def is_only_on(self, page: str, url: str) -> bool:
        """Say whether no other page led to an address of that form."""
        for other, via in self._of_no_form:
            self._pages_of_form.setdefault(form_of(other), set()).add(via)
        self._of_no_form.clear()
        return self._pages_of_form.get(form_of(url), set()) <= {page}

    @property
    def number(self) -> int:
        """How many addresses are kept."""
        return sum(len(form.addresses) for form in self.forms.values())

    def has_changed(self, forms: Sequence[StoredForm]) -> bool:
        """Tell whether it is other than what the ledger keeps."""
        kept = {
            name: (form.number, form.state, {*form.addresses})
            for name, form in seen_forms(self.ledger).items()
        }
        return kept != {
            name: (number, state, {url for url, *_ in addresses}) for name, number, state, addresses in forms
        }

    def unlisted(self) -> Iterator[tuple[str, SeenForm]]:
        """Give the forms with the addresses that still no list names; the others are forgotten."""
        for name, form in list(self.forms.items()):
            self._forget_listed(form)
            if form.addresses:
                yield name, form
            else:
                del self.forms[name]

    def _forget_listed(self, form: SeenForm) -> None:
        """Forget addresses that lists have named meanwhile."""
        form.addresses = {url: seen for url, seen in form.addresses.items() if self._is_unlisted(url)}

    def learn(self) -> None:
        """Learn again how the addresses of articles are written, and look again at those that were not known
        to be such."""
        self._learn_at = self._looked_at + min(self._looked_at, _PAGES_BETWEEN)
        listed = (self.ledger.listed_by(column.name, _KNOWN, stored=False) for column in self.portal.columns)
        before, self._like = self._like, ArticleForms(chain.from_iterable(listed))
        if not self._like.is_within(before):
            for url in list(filter(self._like.is_like, self._others)):
                self._keep(url, self._others.pop(url), is_article=False)
                del self._leading[url]
        for form in self.forms.values():
            if len(form.addresses) >= _MOST_OF_FORM:
                self._forget_listed(form)

    def to_ask(self, form: SeenForm) -> list[str]:
        """Return the addresses of a form that no person leaves out, those first that the fewest pages of
        articles lead to."""
        urls = [url for url in form.addresses if left_out_by(self.portal, url) is None]
        return sorted(urls, key=lambda url: form.addresses[url].pages)

    def _address(self, href: bytes, page: str) -> str:
        """Return the address that a link of a page leads to; empty if it counts for nothing."""
        # no address holds a brace: it is a pattern, from which a script makes addresses
        joined = join(page, unescape(href.decode("utf-8", "replace"))) if b"{" not in href else None
        url = (
            normalise(without_fragment(joined).rstrip("?")) if joined is not None and is_http(joined) else ""
        )
        if len(self._hrefs) < _MOST_HREFS and _SAME_EVERYWHERE.match(href) is not None:
            self._hrefs[root_of(page), href] = url
        return url

    def _take(self, url: str, via: str, *, is_article: bool) -> None:
        if url in self._others:
            self._leading[url] += 1
        elif hash(url) in self._known:
            return
        elif self._like.is_like(url):
            self._keep(url, via, is_article=is_article)
        elif len(self._others) < _MOST_HREFS:
            self._others[url] = via
            self._leading[url] += 1
            self._of_no_form.append((url, via))

    def _keep(self, url: str, via: str, *, is_article: bool) -> None:
        name = form_of(url)
        addresses = self.forms.get(name, _NO_FORM).addresses
        if url in addresses:
            addresses[url] = addresses[url]._replace(pages=addresses[url].pages + is_article)
        elif len(addresses) < _MOST_OF_FORM and (addresses or len(self.forms) < _MOST_FORMS):
            if self._is_unlisted(url):
                self.forms.setdefault(name, SeenForm()).addresses[url] = SeenAddress(via, int(is_article))
            elif len(self._known) < _MOST_KNOWN:
                self._known.add(hash(url))

    def _keep_further(self, name: str, url: str, article: str) -> None:
        if name not in self.further and len(self.further) >= _MOST_FORMS:
            return
        form = self.further.setdefault(name, SeenForm())
        if len(form.addresses) < _MOST_FURTHER:
            form.addresses.setdefault(url, SeenAddress(article, 1))
        elif url not in form.addresses:
            form.others += 1

    def _is_unlisted(self, url: str) -> bool:
        """Say whether no list names it; what the patterns of the portal file cannot cope with is told where
        it is read."""
        try:
            return is_unlisted(self.portal, self.ledger, url)
        except PatternTimeout:
            return False


def _folder(url: str) -> str:
    """Return the address below which another lies, without a slash at its end."""
    return url.rstrip("/").rpartition("/")[0]
