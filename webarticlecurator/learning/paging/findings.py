"""What is found of how pages follow one another: whole sets of lines, since a mode is nothing without its link or its address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from webarticlecurator.config.portal import PagingMode
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Plain, Proposal


@dataclass(frozen=True, slots=True, kw_only=True)
class PagingRule:
    """One way from page to page."""

    mode: PagingMode
    settings: Mapping[str, Plain]
    """Keys that stand side by side in `archive` or a column: `url`, `dates`, `pages`, `next`; null: that key goes."""
    reason: str
    samples: tuple[str, ...] = ()
    """Pages and where they lead: `https://... -> https://...`."""
    differs: tuple[str, ...] = ()
    score: float = 0.0
    following: Mapping[str, str | None] = field(default_factory=dict)
    """Requested URL of each page that was read -> the next page; None: there is none."""
    sure: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PagingFindings:
    """How the pages of an archive follow one another."""

    rules: tuple[PagingRule, ...] = ()
    """The best first."""
    sure: bool = False
    following: Mapping[str, str | None]
    """Of each page that was read, by the best rule: its address as it was asked for -> the next page; None: there is none."""
    remarks: tuple[str, ...] = ()

    def next_of(self, page: Page) -> str | None:
        """Where a page that was read leads to."""
        return self.following.get(page.requested_url)

    def proposals(self, path: tuple[str, ...] = ("archive",)) -> tuple[Proposal, ...]:
        """One proposal, `archive.paging`: the value of a choice is a mapping, whose keys are set beside what stands at `path` already."""
        if not self.rules:
            return ()
        choices = tuple(_choice(rule) for rule in self.rules)
        question = None if self.sure else "By which of these ways do the pages of the archive follow one another?"
        return (Proposal(name=".".join((*path, "paging")), path=path, choices=choices, sure=self.sure, question=question),)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticlePagingFindings:
    """How the pages of one article follow one another."""

    choices: tuple[Choice, ...] = ()
    """Values of `articles.next`, the best first; none: no article has further pages."""
    sure: bool = False
    following: Mapping[str, str | None]
    """As in `PagingFindings`."""

    def next_of(self, page: Page) -> str | None:
        """Where a page that was read leads to."""
        return self.following.get(page.requested_url)

    def proposals(self) -> tuple[Proposal, ...]:
        """`articles.next`."""
        if not self.choices:
            return ()
        question = None if self.sure else "Which link leads to the next page of an article?"
        return (Proposal(name="articles.next", path=("articles", "next"), choices=self.choices, sure=self.sure, question=question),)


def _choice(rule: PagingRule) -> Choice:
    return Choice(value=rule.settings, reason=rule.reason, samples=rule.samples, differs=rule.differs, score=rule.score)


_MOST_SAMPLES = 3
_MOST_DIFFERENCES = 6


def samples(following: Mapping[str, str | None]) -> tuple[str, ...]:
    """A few pages with what they lead to, those first that lead on."""
    ordered = sorted(following.items(), key=lambda pair: pair[1] is None)
    return tuple(f"{page} -> {url or 'no next page'}" for page, url in ordered[:_MOST_SAMPLES])


def differences(rule: PagingRule, first: PagingRule) -> PagingRule:
    """The same rule, told apart from the best one."""
    told: list[str] = []
    for page, url in rule.following.items():
        other = first.following.get(page)
        if url != other:
            told += [f"+ {page} -> {url}"] if url is not None else [f"- {page} -> {other}"]
    return replace(rule, differs=tuple(told[:_MOST_DIFFERENCES]))
