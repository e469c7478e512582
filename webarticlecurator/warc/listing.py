"""What a WARC file holds, one line an exchange."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from webarticlecurator.http.message import header, parse_response
from webarticlecurator.warc.exchanges import Group, groups
from webarticlecurator.warc.foreign import read_any_records
from webarticlecurator.warc.records import Damage
from webarticlecurator.warc.warcinfo import PORTAL_FILE

_NOT_LISTED = frozenset({"warcinfo", ""})


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One exchange, or one record that stands alone."""

    url: str
    date: str | None
    """As in the record."""
    status: int | None
    type: str | None
    """Content type without parameters; of what is not HTTP the type of the record."""
    size: int
    """Bytes of the body as stored (chunks removed, content coding kept), or of the record's block."""
    outcome: str | None
    """What the crawl made of it; only our files know."""
    reason: str | None
    record: str
    """WARC-Type."""
    file: str
    offset: int


def list_exchanges(path: Path, *, on_damage: Callable[[Damage], None]) -> Iterator[Listed]:
    """Everything in the file but what tells of the file itself, in its order."""
    for group in groups(read_any_records(path, on_damage=on_damage)):
        if group.main.type not in _NOT_LISTED and not group.main.url.startswith(PORTAL_FILE):
            yield _listed(path, group)


def _listed(path: Path, group: Group) -> Listed:
    main, event = group.main, group.event
    http = parse_response(main.block) if group.response else None
    content_type = header(http.headers, "content-type") if http else main.field("Content-Type")
    return Listed(
        url=main.url,
        date=main.field("WARC-Date"),
        status=http.status if http else None,
        type=(content_type or "").partition(";")[0].strip().lower() or None,
        size=len(http.entity) if http else main.size,
        outcome=_text(event.get("outcome")),
        reason=_text(event.get("reason")),
        record=main.type,
        file=path.name,
        offset=main.offset,
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
