"""Joins the stages that hold a portal's rules against what is expected of its stored pages: the work of `curator test`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from webarticlecurator.config.expectations import FILE_NAME, Expectation, Kind, entry_of, with_entry
from webarticlecurator.config.portal import Portal, fitting_column
from webarticlecurator.corpus.stored_pages import StoredPages
from webarticlecurator.errors import UsageError
from webarticlecurator.expected_pages import Difference, Measures, corrected, differences, expect_of, measure
from webarticlecurator.model.capture import Request
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.storage.places import draft_of
from webarticlecurator.trial import look
from webarticlecurator.urls import is_http

_EXPECTABLE = frozenset(PageOutcome) - {PageOutcome.INVALID}
"""Outcomes that a page has by the rules; others say that there is no page."""


class Result(StrEnum):
    AS_EXPECTED = "as-expected"
    DIFFERS = "differs"
    NOT_STORED = "not-stored"


@dataclass(frozen=True, slots=True)
class Tested:
    """A page beside what is expected of it."""

    url: str
    kind: Kind
    differences: tuple[Difference, ...] = ()
    missing: str = ""
    """Why there is no page to look at."""

    @property
    def result(self) -> Result:
        if self.missing:
            return Result.NOT_STORED
        return Result.DIFFERS if self.differences else Result.AS_EXPECTED


@dataclass(slots=True)
class Acceptance:
    """What became of the pages whose present result was to be expected from now on."""

    file: Path
    before: str
    after: str
    accepted: list[tuple[str, Kind]] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    """URL and reason."""


def tests_file(portal: Portal) -> Path:
    """Where a portal's expectations lie."""
    return portal.sources[0].path.with_name(FILE_NAME)


def tested(expectations: Iterable[Expectation], portal: Portal, pages: StoredPages) -> Iterator[Tested]:
    """Every page that something is expected of, in the order of the file."""
    for expected in expectations:
        found = _measured(expected.url, expected.kind, portal, pages)
        missing = found if isinstance(found, str) else ""
        yield Tested(expected.url, expected.kind, () if isinstance(found, str) else differences(found, expected), missing)


def accept(urls: Sequence[str], kind: Kind | None, portal: Portal, pages: StoredPages, *, hashed: bool) -> Acceptance:
    """Expect of these pages what the rules make of them now; the file is written when something in it changes.

    Raises PortalFileError with all mistakes in the file as it is, UsageError where a program cannot change it.
    """
    file = tests_file(portal)
    text, newline = _text_of(file)
    acceptance = Acceptance(file, before=text, after=text)
    for url in dict.fromkeys(urls):
        _accept_one(acceptance, url, kind, portal, pages, hashed)
    if acceptance.after != text:
        with draft_of(file) as draft:
            draft.write_text(acceptance.after, encoding="utf-8", newline=newline)
    return acceptance


def _accept_one(acceptance: Acceptance, url: str, kind: Kind | None, portal: Portal, pages: StoredPages, hashed: bool) -> None:
    if not is_http(url):
        acceptance.refused.append((url, "this is not a web address with http or https"))
        return
    entry = entry_of(acceptance.after, acceptance.file, url, kind)
    if kind is None and entry is not None:
        kind = entry.get("as", "article")
    kind = kind or ("archive" if fitting_column(portal, url) is not None else "article")
    found = _measured(url, kind, portal, pages)
    if isinstance(found, str):
        acceptance.refused.append((url, found))
    elif found.outcome not in _EXPECTABLE:
        acceptance.refused.append((url, f"there is no page to expect something of: {found.outcome} ({found.reason})"))
    else:
        expect = corrected(entry["expect"], found, kind, hashed=hashed) if entry is not None else expect_of(found, kind, hashed=hashed)
        told_as = {"as": kind} if kind == "archive" else {}
        acceptance.after = with_entry(acceptance.after, acceptance.file, {"url": url, **told_as, "expect": expect})
        acceptance.accepted.append((url, kind))


def _text_of(file: Path) -> tuple[str, str]:
    """Text and line ending of a file; an empty text where there is none."""
    try:
        content = file.read_bytes().decode("utf-8-sig") if file.exists() else ""
    except UnicodeDecodeError:
        raise UsageError(f"{file} is not UTF-8 text; save it in UTF-8.") from None
    return content.replace("\r\n", "\n"), "\r\n" if "\r\n" in content else "\n"


def _measured(url: str, kind: Kind, portal: Portal, pages: StoredPages) -> Measures | str:
    """What the page gives, or why there is none."""
    answer = pages.fetch(Request(url=url))
    if answer.capture is None and not answer.exchanges:
        return answer.verdict.reason
    return measure(look(url, portal=portal, source=pages, kind=kind, listing=pages.listing(url) if kind == "article" else None))
