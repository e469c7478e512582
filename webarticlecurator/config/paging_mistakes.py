"""Find keys that contradict one another in the paging of a column: a table of checks, each with the key that
it names and a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from webarticlecurator.config.portal import Column, PagingMode
from webarticlecurator.config.yaml_reading import MapNode

KeyAndSentence = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Written:
    """The paging of a column, beside what stands in its file."""

    column: Column
    pages: MapNode
    """The value of `pages`."""
    follows: bool
    """True if the file gives a `next`."""

    @property
    def mode(self) -> PagingMode:
        return self.column.paging.mode

    @property
    def has_page(self) -> bool:
        """Say whether `{page}` stands anywhere that is asked for."""
        return any(
            "page" in template.names for template in (self.column.template, *self.column.request.templates)
        )

    def has(self, key: str) -> bool:
        return self.pages.get(key) is not None


def mistakes_in_paging(column: Column, pages: MapNode, *, follows: bool) -> Iterator[KeyAndSentence]:
    """Tell of all that contradicts itself, in the order of the table; `follows`: there is a `next`."""
    written = _Written(column, pages, follows)
    for check in _CHECKS:
        found = check(written)
        if found is not None:
            yield found


def _sections_that_count(written: _Written) -> KeyAndSentence | None:
    column = written.column
    if column.sections is None or not (written.mode.counts or column.dates):
        return None
    return (
        "sections",
        "sections have addresses of their own, without `{page}` or dates; they go with `pages: next-link` or "
        "`none`",
    )


def _nowhere_to_count(written: _Written) -> KeyAndSentence | None:
    if written.has_page:
        return None
    if written.mode.counts:
        return "pages", f"`{written.mode}` paging counts `{{page}}`, but neither `url` nor `request` holds it"
    for key in ("first", "start"):
        if written.has(key):
            nowhere = f"`{key}` is a value of `{{page}}`, but neither `url` nor `request` holds it"
            return "pages", f"{nowhere}; write {{page}} where it goes"
    return None


def _steps_without_browser(written: _Written) -> KeyAndSentence | None:
    if not written.mode.in_steps or written.column.rendering is not None:
        return None
    return (
        "pages",
        f"`{written.mode}` paging is done by a browser; give `fetch: {{via: browser}}`, here or for the "
        "whole portal",
    )


def _no_button(written: _Written) -> KeyAndSentence | None:
    rendering = written.column.rendering
    if written.mode is not PagingMode.LOAD_MORE or rendering is None or rendering.button is not None:
        return None
    return "pages", "`load-more` paging needs the button; write `pages: {mode: load-more, button: SELECTOR}`"


def _page_never_counted(written: _Written) -> KeyAndSentence | None:
    mode = written.mode
    if not written.has_page or not (mode is PagingMode.NONE or mode.in_steps):
        return None
    modes = "infinite, numbered, expanding, next-link"
    return (
        "pages",
        f"the URL holds `{{page}}`, but `pages: {mode}` never counts it; give a paging mode ({modes})",
    )


def _numbered_without_end(written: _Written) -> KeyAndSentence | None:
    if written.mode is not PagingMode.NUMBERED or written.has("last") or written.has("values"):
        return None
    needed = "`last` (a number, or a pick for the pager) or `values`"
    return "pages", f"`numbered` paging needs {needed}; if nobody knows the last page, use `infinite`"


def _of_mode(
    key: str, home: PagingMode, *, wherever_it_counts: bool = False
) -> Callable[[_Written], KeyAndSentence | None]:
    """Make the check of a key that belongs to one mode."""

    def stands_elsewhere(written: _Written) -> KeyAndSentence | None:
        may_stand = wherever_it_counts and written.mode.counts
        if not written.has(key) or written.mode is home or may_stand:
            return None
        return "pages", f"`{key}` belongs to `{home}` paging, and the mode is `{written.mode}`"

    return stands_elsewhere


def _last_page_twice(written: _Written) -> KeyAndSentence | None:
    if not (written.has("last") and written.has("values")):
        return None
    return "pages", "`values` already names the last page; delete `last` or `values`"


def _last_before_start(written: _Written) -> KeyAndSentence | None:
    paging = written.column.paging
    if not isinstance(paging.last, int) or paging.first is not None or paging.last >= paging.start:
        return None
    return "pages", f"`last` ({paging.last}) lies before `start` ({paging.start})"


def _next_link_without_next(written: _Written) -> KeyAndSentence | None:
    if written.mode is not PagingMode.NEXT_LINK or written.follows or written.column.format.tells_links:
        return None
    return "pages", "`next-link` paging needs `next`, the link to the next archive page"


def _next_not_followed(written: _Written) -> KeyAndSentence | None:
    if written.mode is PagingMode.NEXT_LINK or not written.follows or written.column.format.tells_links:
        return None
    only = "`next` is only followed by `pages: next-link`"
    return "next", f"{only}, and the mode is `{written.mode}`; change the mode or delete `next`"


_CHECKS: tuple[Callable[[_Written], KeyAndSentence | None], ...] = (
    _sections_that_count,
    _nowhere_to_count,
    _steps_without_browser,
    _no_button,
    _page_never_counted,
    _numbered_without_end,
    _of_mode("button", PagingMode.LOAD_MORE),
    _of_mode("last", PagingMode.NUMBERED),
    _of_mode("values", PagingMode.NUMBERED, wherever_it_counts=True),
    _last_page_twice,
    _last_before_start,
    _next_link_without_next,
    _next_not_followed,
)
