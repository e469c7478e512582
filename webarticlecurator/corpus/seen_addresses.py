"""Which addresses that are written like articles has nobody listed, which of them are a gap, and which does a
person leave out?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from posixpath import commonpath, commonprefix
from typing import NamedTuple

from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.events import FormState
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.extraction.url_rules import article_url, identity_of
from webarticlecurator.model.corpus_status import LeftOut, LeftUnasked, MissingArticles
from webarticlecurator.model.links import OTHER_HOST, RefusedLink
from webarticlecurator.model.outcome import GoingOn
from webarticlecurator.own_patterns import linear
from webarticlecurator.patterns import first_in_address
from webarticlecurator.urls import normalise, other_spellings, split_path

FURTHER = "+"
"""Begins the names of forms that are an article's own address with something behind it."""
COUNTED = "#"
"""Begins the names of forms that are threads of which more posts are stated than their pages show."""
_EXAMPLES = 3
_FEWEST_ALIKE = 3
"""Addresses that end alike, and not by chance."""
_MARK = linear(r"[-_/.?&=]")


@dataclass(slots=True)
class SeenForm:
    """Addresses of one form that no list names."""

    state: FormState = FormState.UNASKED
    addresses: dict[str, SeenAddress] = field(default_factory=dict)
    """By URL."""
    others: int = 0
    """How many more there were when the last crawl ended, which are not kept."""
    asked: int = 0
    """How many were asked for in this crawl."""
    asked_of: int = 0
    """How many there were when some were asked for last."""

    @property
    def number(self) -> int:
        """Return how many there are, at least."""
        return len(self.addresses) + self.others

    @property
    def is_unasked(self) -> bool:
        """True if nobody has asked for any of them."""
        return self.state in (FormState.UNASKED, FormState.LEFT)

    @property
    def is_open(self) -> bool:
        """True if more of them are to be asked for: nobody has done so, or only in this crawl; or they have
        become many more."""
        if self.state is FormState.OTHERS:
            return 0 < self.asked < len(self.addresses) or self.number > 2 * self.asked_of
        return self.is_unasked


class SeenAddress(NamedTuple):
    """The places where an address was seen."""

    via: str
    """The page that led there first."""
    pages: int
    """Pages of articles that lead there; of a thread, how many posts are stated."""


def seen_forms(ledger: Ledger) -> dict[str, SeenForm]:
    """Return what the last crawl knew, by form."""
    forms: dict[str, SeenForm] = {}
    numbers = {
        form: (number, FormState(state)) for form, number, state in ledger.rows("SELECT * FROM seen_forms")
    }
    for form, url, via, pages in ledger.rows("SELECT * FROM seen_addresses"):
        number, state = numbers[form]
        forms.setdefault(form, SeenForm(state, asked_of=number)).addresses[url] = SeenAddress(via, pages)
    for name, known in forms.items():
        known.others = max(0, numbers[name][0] - len(known.addresses))
    return forms


def pages_seen(ledger: Ledger) -> int:
    """Return the number of pages of articles whose links were looked at."""
    return sum(pages for (pages,) in ledger.rows("SELECT pages FROM seen_on"))


def left_out_by(portal: Portal, url: str) -> str | None:
    """Return the pattern by which a person says that an address is knowingly not collected."""
    pattern = first_in_address(portal.not_collected, url)
    return pattern.text if pattern is not None else None


def is_unlisted(portal: Portal, ledger: Ledger, url: str) -> bool:
    """Tell whether an address may be an article's that no crawl has met, and that no rule of a person leaves
    out."""
    rules = [column.urls for column in portal.columns] or [portal.article_urls]
    cleaned = [article_url(url, each, portal) for each in rules]
    taken = {normalise(address) for address in cleaned if isinstance(address, str)}
    if all(isinstance(refused, RefusedLink) and refused.reason == OTHER_HOST for refused in cleaned):
        taken = {url}  # nobody has said anything of other hosts of the site
    if not taken or any(_is_known(address, portal, ledger) for address in taken):
        return False
    return not any(
        _is_known(other, portal, ledger) for address in taken for other in other_spellings(address)
    )


def _is_known(url: str, portal: Portal, ledger: Ledger) -> bool:
    is_article = ledger.knows(url, identity_of(url, portal)) or ledger.is_further_page(url)
    return is_article or ledger.column_of_page(url) is not None


def missing_articles(portal: Portal, ledger: Ledger) -> tuple[MissingArticles, ...]:
    """Return the gaps that are left of those that the last crawl saw, the largest first."""
    gaps = []
    for name, form in seen_forms(ledger).items():
        if name.startswith((FURTHER, COUNTED)):
            continue
        left = _still_unknown(portal, ledger, name, form)
        if form.state is FormState.ARTICLES and left:
            via, pattern = form.addresses[left[0]].via, _what_leaves_out(left, ledger, portal)
            gaps.append(MissingArticles(len(left) + form.others, tuple(left[:_EXAMPLES]), via, pattern))
    return tuple(sorted(gaps, key=lambda gap: -gap.number))


def left_unasked(portal: Portal, ledger: Ledger) -> tuple[LeftUnasked, ...]:
    """Return what the last crawl left to the next, if anything, of addresses that may be articles or further
    pages of articles."""
    number, example = 0, ""
    for name, form in seen_forms(ledger).items():
        if form.state is FormState.LEFT and (left := _still_unknown(portal, ledger, name, form)):
            number, example = number + len(left) + form.others, example or left[0]
    return (LeftUnasked(number, example),) if number else ()


def _still_unknown(portal: Portal, ledger: Ledger, name: str, form: SeenForm) -> list[str]:
    """Return the addresses of a form that no crawl has read meanwhile, and that no person leaves out."""
    urls = [url for url in form.addresses if left_out_by(portal, url) is None]
    if name.startswith(FURTHER):
        return [url for url in urls if not ledger.is_further_page(url)]
    return [url for url in urls if is_unlisted(portal, ledger, url)]


def _articles_with_more(
    portal: Portal, ledger: Ledger, forms: dict[str, SeenForm]
) -> list[tuple[str, str, int]]:
    """Return of each form of addresses at which articles go on an article, such an address, and how many
    articles have one."""
    more = []
    for name, form in forms.items():
        if not name.startswith(FURTHER) or form.state is not FormState.ARTICLES:
            continue
        left = _still_unknown(portal, ledger, name, form)
        if left:
            more.append(
                (
                    form.addresses[left[0]].via,
                    left[0],
                    len({form.addresses[url].via for url in left}) + form.others,
                )
            )
    return more


def _threads_short_of_posts(forms: dict[str, SeenForm]) -> dict[str, SeenAddress]:
    """Return the threads of which more posts are stated than their pages show."""
    of_threads = (form.addresses for name, form in forms.items() if name.startswith(COUNTED))
    return dict(chain.from_iterable(addresses.items() for addresses in of_threads))


def going_on(portal: Portal, ledger: Ledger) -> GoingOn | None:
    """Return that articles go on where no rule leads, by the most frequent sign that the last crawl has
    found."""
    if portal.articles.one_page:
        return None
    forms, rule = seen_forms(ledger), portal.articles.next_in_words
    short = _threads_short_of_posts(forms)
    signs = [
        GoingOn(number, article, f"the same headline above another text at {url}", rule)
        for article, url, number in _articles_with_more(portal, ledger, forms)
    ]
    for url, (via, posts) in list(short.items())[:1]:
        stated = f"it shows fewer than the {posts:,} posts that are stated on {via}"
        signs.append(GoingOn(len(short), url, stated, rule))
    return max(signs, key=lambda sign: sign.articles, default=None)


def knowingly_left_out(portal: Portal, ledger: Ledger) -> tuple[LeftOut, ...]:
    """Return the patterns of `not_collected`, each with how many addresses are known that it leaves out."""
    urls = [url for form in seen_forms(ledger).values() for url in form.addresses]
    numbers = Counter(filter(None, (left_out_by(portal, url) for url in urls)))
    return tuple(LeftOut(pattern.text, numbers[pattern.text]) for pattern in portal.not_collected)


def _what_leaves_out(urls: Sequence[str], ledger: Ledger, portal: Portal) -> str:
    """Return a pattern of these addresses and of no known article: the folder of all, what all end in, or the
    last parts of each."""
    paths = ["?".join(filter(None, split_path(url))) for url in urls]
    folder = (
        commonpath([path.partition("?")[0].rpartition("/")[0] or "/" for path in paths]).rstrip("/") + "/"
    )
    known = [url for column in portal.columns for url in ledger.listed_by(column.name, 200, stored=False)]
    if folder != "/" and not any(folder in url for url in known):
        return _escaped(folder)
    ending = _common_ending(paths)
    if len(paths) >= _FEWEST_ALIKE and ending and not any(url.endswith(ending) for url in known):
        return f"{_escaped(ending)}$"
    last = [_escaped(path.removeprefix(folder)) for path in paths]
    return f"{_escaped(folder)}{last[0] if len(last) == 1 else '(?:' + '|'.join(last) + ')'}$"


def _common_ending(texts: Sequence[str]) -> str:
    """Return what all end in, from a mark between words on: `-de.html`."""
    ending = commonprefix([text[::-1] for text in texts])[::-1]
    begins = _MARK.search(ending)
    return ending[begins.start() :] if begins is not None and len(ending) - begins.start() > 1 else ""


def _escaped(text: str) -> str:
    return re.escape(text).replace("\\-", "-")
