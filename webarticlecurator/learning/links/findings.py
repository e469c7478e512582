"""What was found out about the links of archive pages, and what is proposed for a portal file from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from webarticlecurator.config.portal import ArchiveFormat
from webarticlecurator.learning.links.archive_reading import ArchiveReading
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Plain, Proposal

_SAMPLES = 3
_DIFFERENCES = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRule:
    """Rules of an archive that find links, and what they find: what the portal file with them gives, no more and no less."""

    link: Plain
    """The `link` pick, as it stands in a portal file."""
    item: Plain = None
    """The `item` pick without which it finds nothing; None: there is none."""
    fields: Mapping[str, Plain] = field(default_factory=dict)
    """What the listing tells of an article beside its link."""
    hosts: tuple[str, ...] = ()
    """Which `urls.hosts` must list, for some of the links lead there."""
    found: tuple[tuple[str, ...], ...]
    """The links on each of the pages, in their order."""
    score: float
    reason: str

    @property
    def urls(self) -> tuple[str, ...]:
        """All of them, each once, in the order of the pages."""
        return tuple(dict.fromkeys(url for urls in self.found for url in urls))

    @property
    def picks(self) -> dict[str, Plain]:
        """The keys of `archive` that it sets."""
        item: dict[str, Plain] = {"item": self.item} if self.item is not None else {}
        return {**item, "link": self.link, **({"fields": self.fields} if self.fields else {})}


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFindings:
    """The best rules for the links of some archive pages."""

    rules: tuple[LinkRule, ...] = ()
    """The best first; no two of them find the same."""
    pages: tuple[Page, ...] = field(default=(), repr=False)
    format: ArchiveFormat = ArchiveFormat.HTML
    sure: bool = False
    """The first may be written without asking."""
    remarks: tuple[str, ...] = ()
    reading: ArchiveReading = field(default_factory=lambda: ArchiveReading.of(None, ()), repr=False)

    def links_of(self, page: Page, rule: int = 0) -> frozenset[str]:
        """The links that a rule finds on any archive page of this portal; nothing where there is no rule."""
        if rule >= len(self.rules):
            return frozenset()
        picks = {name: pick for name, pick in self.rules[rule].picks.items() if name != "fields"}
        return frozenset(self.reading.links(picks, page, self.format))


# --- as lines of a portal file ---


def proposals(findings: LinkFindings, path: tuple[str, ...] = ("archive",)) -> tuple[Proposal, ...]:
    """The keys of `path` (the archive, or one of its columns): one proposal, since what finds the links belongs together."""
    if not findings.rules:
        return ()
    question = None if findings.sure else "Which of these finds the articles of the archive pages, all of them and nothing else?"
    may_inherit = findings.reading.has_items or path[0] == "columns"  # `archive` may get an `item`, too
    choices = tuple(_choice(findings, rule, may_inherit) for rule in findings.rules)
    return (Proposal(name=".".join((*path, "link")), path=path, choices=choices, sure=findings.sure, question=question),)


def _choice(findings: LinkFindings, rule: LinkRule, may_inherit: bool) -> Choice:
    first = findings.rules[0]
    own, others = frozenset(rule.urls), frozenset(first.urls)
    more = [f"+ {url}" for url in rule.urls if url not in others]
    less = [f"- {url}" for url in first.urls if url not in own]
    format: dict[str, Plain] = {"format": "json"} if findings.format is ArchiveFormat.JSON else {}
    replaced: dict[str, Plain] = {"item": None} if rule.item is None and may_inherit else {}
    hosts: dict[str, Plain] = {"urls": {"hosts": list(rule.hosts)}} if rule.hosts else {}
    value = {**format, **replaced, **rule.picks, **hosts}
    return Choice(value=value, reason=rule.reason, samples=rule.urls[:_SAMPLES], differs=_shortened(more, less), score=rule.score)


def _shortened(*differences: Sequence[str]) -> tuple[str, ...]:
    """Of each kind the first few, and how many there are."""
    return tuple(line for lines in differences for line in _first(lines))


def _first(lines: Sequence[str]) -> Iterable[str]:
    yield from lines[:_DIFFERENCES]
    if len(lines) > _DIFFERENCES:
        yield f"{lines[0][0]} ... ({len(lines)} in all)"
