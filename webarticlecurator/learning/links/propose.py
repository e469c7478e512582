"""What is proposed for a portal file from the links that were found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from webarticlecurator.config.portal import ArchiveFormat
from webarticlecurator.learning.links.findings import LinkFindings, LinkRule
from webarticlecurator.model.proposals import Choice, Proposal

_SAMPLES = 3
_DIFFERENCES = 6


def proposals(findings: LinkFindings, path: tuple[str, ...] = ("archive",), *, answer: int = 1) -> tuple[Proposal, ...]:
    """The keys below `path` (the archive, or one of its columns). `answer`: the number of the link rule that a person chose, from 1;
    what else is proposed goes with it."""
    if not findings.rules:
        return ()
    name = ".".join(path)
    chosen = min(max(answer, 1), len(findings.rules)) - 1
    found = []
    if findings.format is ArchiveFormat.JSON:
        reason = f"{len(findings.pages)} of {len(findings.pages)} archive pages are JSON"
        found.append(Proposal(name=f"{name}.format", path=(*path, "format"), choices=(Choice(value="json", reason=reason),), sure=True))
    item = findings.rules[chosen].item or findings.items.get(chosen)
    if item is not None:
        reason = f"each of the {len(findings.rules[chosen].urls)} links stands in one of its own"
        found.append(Proposal(name=f"{name}.item", path=(*path, "item"), choices=(Choice(value=item, reason=reason),), sure=findings.sure))
    question = None if findings.sure else "Which of these finds the articles of the archive pages, all of them and nothing else?"
    choices = tuple(_choice(rule, findings.rules[0]) for rule in findings.rules)
    found.append(Proposal(name=f"{name}.link", path=(*path, "link"), choices=choices, sure=findings.sure, question=question))
    return tuple(found)


def _choice(rule: LinkRule, first: LinkRule) -> Choice:
    own, others = frozenset(rule.urls), frozenset(first.urls)
    more = [f"+ {url}" for url in rule.urls if url not in others]
    less = [f"- {url}" for url in first.urls if url not in own]
    samples = rule.urls[:_SAMPLES]
    return Choice(value=rule.link, reason=rule.reason, samples=samples, differs=_shortened(more, less), score=rule.score)


def _shortened(*differences: Sequence[str]) -> tuple[str, ...]:
    """Of each kind the first few, and how many there are."""
    return tuple(line for lines in differences for line in _first(lines))


def _first(lines: Sequence[str]) -> Iterable[str]:
    yield from lines[:_DIFFERENCES]
    if len(lines) > _DIFFERENCES:
        yield f"{lines[0][0]} ... ({len(lines)} in all)"
