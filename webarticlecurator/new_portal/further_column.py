"""Look at one more list of a site that has a portal file, and add it to that file as a column; all else in
the file stays as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from webarticlecurator.config.columns import ALONE
from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.template import literal
from webarticlecurator.config.yaml_edits import CannotEdit
from webarticlecurator.databases import Row
from webarticlecurator.errors import PortalFileError
from webarticlecurator.learning.file_rules import ABSENT, plain_file, value_at, with_key
from webarticlecurator.learning.lines_to_write import State, learned_file
from webarticlecurator.learning.site.archive_columns import ArchiveColumn, find_columns, name_of_column
from webarticlecurator.learning.site.list_links import ArchiveCandidate, LeadsTo
from webarticlecurator.learning.site.seen import ArchiveSeen
from webarticlecurator.model.proposals import Choice, Plain, Proposal
from webarticlecurator.new_portal.asked_pages import AskedPages, LookedAt, LookEnded
from webarticlecurator.stages.trial import look
from webarticlecurator.urls import bare_host, host_allowed, normalise

_INHERITED = ("item", "link", "next", "pages", "dates", "format", "sections", "fields", "stop")
"""Keys that a column has from `archive` unless it says otherwise."""


@dataclass(frozen=True, slots=True)
class Addition:
    """The result of adding a list to a portal file."""

    name: str = ""
    """The name of the column."""
    after: bytes | None = None
    """The file with the column; None: it stays as it is."""
    failed: str = ""
    """The reason why nothing was added."""
    seen: Row | None = None
    """The findings of the file's rules on the first page of the list."""


def is_of_portal(url: str, portal: Portal) -> bool:
    """Say whether an address is of the site that a portal file describes, and not its home page."""
    is_host = host_allowed(url, {*portal.hosts, bare_host(portal.home)})
    return is_host and normalise(url) != normalise(portal.home)


def column_at(url: str, portal: Portal) -> str | None:
    """Return the name of the column that begins at an address."""
    for column in portal.columns:
        if normalise(column.template.text) == normalise(url):
            return column.name
    return None


def add_column(url: str, portal: Portal, source: LookedAt) -> Addition:
    """Look at a list, and return the portal file with a column of it."""
    asked = AskedPages(source)
    try:
        page = asked.page(url)
        pages = asked.with_second(page) if page is not None else ()
    except LookEnded as ended:
        return Addition(failed=str(ended))
    if not pages:
        return Addition(failed=asked.why_no_page)
    candidate = ArchiveCandidate(url, LeadsTo.SECTION, "", 0, in_menu=False)
    columns, _ = find_columns([ArchiveSeen(candidate, pages)], frozenset())
    if not columns:
        return Addition(failed="no list of articles was found there")
    name = name_of_column(candidate, portal.home, {column.name for column in portal.columns})
    failed = ""
    for value in _values(columns[0], portal):
        after, failed = _edited(portal, name, columns[0], value)
        if after is not None and _finds_all(after, name, columns[0], portal, source):
            seen = _seen(load_portal(portal.sources[0].path, content=after), name, columns[0].url, source)
            return Addition(name, after, seen=seen)
    return Addition(
        name,
        failed=failed or "the file's own rules contradict what is listed there; write the column by hand",
    )


def _values(column: ArchiveColumn, portal: Portal) -> Sequence[Mapping[str, Plain]]:
    """Return what the column may say, the least first: its address alone, with how its pages follow one
    another, with all its rules."""
    file = plain_file(portal.sources[0].content.decode("utf-8"))
    inherited = [key for key in _INHERITED if value_at(file, ("archive", key)) not in (ABSENT, None)]
    rules = {**column.settings, **column.rule.rules[0].keys}
    unlike: dict[str, Plain] = {key: None for key in inherited if key not in rules}
    return ({"url": literal(column.url)}, column.settings, {**unlike, **rules})


def _edited(
    portal: Portal, name: str, column: ArchiveColumn, value: Mapping[str, Plain]
) -> tuple[bytes | None, str]:
    """Return the file with a column that says this; or None, and why that cannot be."""
    path, before = portal.sources[0].path, portal.sources[0].content
    text = before.decode("utf-8")
    reason = (
        f"{len(column.links[0])} articles on its first page; "
        f"{column.rules[0].reason if column.rules else 'no next page was seen'}"
    )
    choice = Choice(value=value, reason=reason, samples=tuple(sorted(column.links[0]))[:3])
    try:
        if (
            value_at(plain_file(text), ("columns",)) is ABSENT and portal.columns
        ):  # the archive becomes a column beside the new one
            text = with_key(text, ("columns", ALONE), {})
        ready = load_portal(path, content=text.encode())
        proposal = Proposal.at(("columns", name), [choice])
        file = learned_file(
            ready, [proposal], {proposal.name: 1}
        )  # though `archive` says otherwise of the others
    except CannotEdit as problem:
        return (
            None,
            "the file is written in a way that a program cannot change without harm; write the column by "
            f"hand ({problem})",
        )
    except PortalFileError as error:
        return None, f"the file cannot have one column more: {error.mistakes[0].message}"
    (decision,) = file.decisions
    return (file.after, "") if decision.state is State.WRITTEN else (None, decision.reason)


def _finds_all(after: bytes, name: str, column: ArchiveColumn, portal: Portal, source: LookedAt) -> bool:
    """Say whether the rules of the file find on the first page what it lists, and that it goes on."""
    seen = _seen(load_portal(portal.sources[0].path, content=after), name, column.url, source)
    return seen.found >= column.links[0] and (bool(seen.next) or not column.goes_on)


def _seen(portal: Portal, name: str, url: str, source: LookedAt) -> Row:
    line: dict[str, Any] = look(url, portal=portal, source=source, kind="archive", column=name)
    found = frozenset(normalise(str(article["url"])) for article in line.get("articles", ()))
    return Row(
        name=name,
        url=url,
        found=found,
        articles=len(found),
        what="articles",
        next=line.get("next"),
        remarks=tuple(map(str, line.get("remarks", ()))),
        asked=True,
    )
