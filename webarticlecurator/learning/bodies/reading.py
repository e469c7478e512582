"""Pages as rules read them, also rules that nobody has written yet; and what a person said of a page, as the text that it should give."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from webarticlecurator.budget import Budget
from webarticlecurator.config.expectations import HASH, Expectation, normal
from webarticlecurator.config.picks import Pick, Picks
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.tag_dictionary import TagLayer, TagRule
from webarticlecurator.extraction.article_reader import read_article
from webarticlecurator.labelling.text_blocks import words_found, words_of
from webarticlecurator.model.article import Article, Block, ContentNode
from webarticlecurator.model.links import Fields
from webarticlecurator.model.page import Page
from webarticlecurator.selectors import Selector


class Reader:
    """Reads pages by a portal's rules, or by others."""

    def __init__(self, portal: Portal, listings: Mapping[str, Fields]) -> None:
        self.portal = portal
        self._listings = listings

    def read(self, page: Page, portal: Portal | None = None) -> Article:
        """What the rules make of it; each time with as much time as they have for one page."""
        url, fresh = page.requested_url, replace(page, budget=Budget())
        listing = self._listings.get(url, {})
        return read_article([fresh], portal or self.portal, id="page", identity=url, url=url, listing=listing)

    def words(self, page: Page, portal: Portal | None = None) -> list[str]:
        """Those that the rules keep."""
        return words_of(self.read(page, portal).text)


_SOURCE = "proposed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What stands under `body`."""

    within: str = ""
    without: tuple[str, ...] = ()
    """What `tags.decompose` takes away."""

    def applied(self, portal: Portal) -> Portal:
        """A portal with these rules, and without layouts: what is tried is tried on every page."""
        body = portal.body
        if self.within:
            body = replace(body, within=Picks(alternatives=(Pick(css=Selector.parse(self.within), source=_SOURCE),)), root=None)
        if self.without:
            rules = tuple(TagRule(operation="decompose", css=Selector.parse(css), source=_SOURCE) for css in self.without)
            own = portal.sources[0].path.name if portal.sources else ""
            near, *far = body.tags or (TagLayer(),)
            if near.rules and near.rules[0].source.rpartition(":")[0] != own:
                near, far = TagLayer(), [near, *far]
            body = replace(body, tags=(replace(near, rules=(*near.rules, *rules)), *far))
        return replace(portal, body=body, layouts=())


def truths_in(expectations: Iterable[Expectation]) -> dict[str, Expectation]:
    """Those that say something of the texts of articles, by URL."""
    articles = (page for page in expectations if page.kind == "article" and page.outcome == "article")
    return {page.url: page for page in articles if page.contains or page.lacks or page.paragraphs is not None}


def known_text(truth: Expectation | str, read: Article) -> str | None:
    """All that is known; where only parts of the text are, the rest as it is read. None: nothing of it is on the page."""
    if isinstance(truth, str):
        return truth
    text = read.text
    lines = [normal(line) for line in text.split("\n") if line.strip()]
    # what is told as a hash alone, for strangers, teaches nothing
    named, unwanted = ([normal(part) for part in parts if not part.startswith(HASH)] for parts in (truth.contains, truth.lacks))
    words, paragraphs = sum(len(words_of(part)) for part in named), _paragraphs(read.blocks)
    is_right = paragraphs == truth.paragraphs and all(part in normal(text) for part in named)
    # all that there is was named, if it is so much of what is found without rules
    is_all = len(named) >= (truth.paragraphs or len(named) + 1) or words >= 0.4 * len(words_of(text))
    if named and is_all and not is_right:
        return "\n".join(named)
    if truth.paragraphs is not None and paragraphs > truth.paragraphs:
        places = [number for number, line in enumerate(lines) if any(part in line or line in part for part in named)]
        lines = lines[places[0] : places[-1] + 1] if len(places) > 1 else lines
    for part in unwanted:
        lines = ["" if line in part else line.replace(part, " ") for line in lines]
    kept = list(filter(None, map(str.strip, lines)))
    here = words_of(" ".join(kept))
    added = [part for part in named if sum(words_found(words_of(part), here)) < 0.9 * len(words_of(part))]
    return "\n".join([*kept, *added]) or None


def _paragraphs(blocks: Iterable[ContentNode]) -> int:
    """As many as a test of the page counts: those of posts are theirs."""
    inside = (block for block in blocks if isinstance(block, Block) and block.type != "post")
    return sum((block.type == "paragraph") + _paragraphs(block.children) for block in inside)
