"""Which column of a portal a URL belongs to."""

from __future__ import annotations

from dataclasses import replace

from webarticlecurator.budget import Budget
from webarticlecurator.config.portal import Column, Portal
from webarticlecurator.config.template import UrlTemplate, literal
from webarticlecurator.errors import UsageError
from webarticlecurator.urls import join, normalise

SECTION = " » "
"""In the name of a section, between the column that it is of and its address."""


def column_named(portal: Portal, name: str) -> Column:
    """Raises UsageError where there is none."""
    for column in _all_columns(portal):
        if column.name == name:
            return column
    names = ", ".join(column.name for column in portal.columns) or "none"
    raise UsageError(f"The portal {portal.name} has no column {name!r}; its columns are: {names}.")


def fitting_column(portal: Portal, url: str) -> Column | None:
    """The column whose URL template makes this URL; of several the one that leaves least open. Raises PatternTimeout."""
    with Budget():
        fitting = [
            (sum(len(part) for part in template.parts if isinstance(part, str)), column)
            for column in _all_columns(portal)
            for template in column.templates
            if values_in(template, url, column) is not None
        ]
    return max(fitting, key=lambda pair: pair[0])[1] if fitting else None


def values_in(template: UrlTemplate, url: str, column: Column) -> dict[str, str] | None:
    """The values that make a column's template this URL, however it is written; None where there are none. Raises PatternTimeout."""
    for form in (url, normalise(url)):
        values = template.match(form)
        if values is not None and values.get("column", column.name) == column.name:
            return values
    return None


def likeliest_column(portal: Portal, url: str) -> Column:
    """That begins most like a URL which fits none. Raises UsageError where there are no columns."""
    if not portal.columns:
        raise UsageError(f"The portal {portal.name} has no archive: its file tells nothing of archive pages. Try the page --as article.")

    def likeness(column: Column) -> int:
        start = next((part for part in column.template.parts if isinstance(part, str)), "")
        return len(start) if url.startswith(start) else -1

    return max(portal.columns, key=likeness)


def _all_columns(portal: Portal) -> tuple[Column, ...]:
    return portal.columns or ((portal.archive,) if portal.archive is not None else ())


# --- sections: parts of a column that its own pages lead to ---


def section(column: Column, url: str, home: str) -> Column:
    """One of a column, or of another section of it, as a column of its own; named by its address, without the portal's own host."""
    of = column.section_of or column.name
    short = url.removeprefix((join(home, "/") or "").rstrip("/")) or url
    template = UrlTemplate.parse(literal(url))
    return replace(column, name=f"{of}{SECTION}{short}", section_of=of, template=template)


def column_of(name: str) -> str:
    """The column of the portal file that one of this name comes from."""
    return name.partition(SECTION)[0]


def rules_of(portal: Portal, name: str | None) -> Column | None:
    """The column whose rules hold for pages of a column of this name; None where the file has none any more."""
    return next((column for column in portal.columns if name is not None and column.name == column_of(name)), None)
