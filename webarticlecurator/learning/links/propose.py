"""What is proposed for a portal file from the links that were found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from webarticlecurator.config.portal import ArchiveFormat
from webarticlecurator.learning.links.findings import LinkFindings, LinkRule
from webarticlecurator.model.proposals import Choice, Plain, Proposal

_SAMPLES = 3
_DIFFERENCES = 6


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
