"""A block while it is filled."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from webarticlecurator.extraction.body.links import LinkTarget
from webarticlecurator.model.article import Block, ContentNode


@dataclass(slots=True, eq=False)
class BlockDraft:
    """A block that is or was being filled; not frozen, since there are hundreds on a page."""

    type: str
    children: list[Block] = field(default_factory=list)
    target: LinkTarget | None = None
    """Where the element, or a rule for it, says that its content lies."""
    ruled: bool = False
    """The target is a rule's."""
    last_link: LinkTarget | None = None
    """The last link in it: embedded posts end with the link to themselves."""
    attributes: dict[str, str] = field(default_factory=dict)


def block_of(draft: BlockDraft, children: Iterable[ContentNode], target: LinkTarget | None = None) -> Block:
    """The block with these children, which fit."""
    return Block(
        type=draft.type,
        children=tuple(children),
        url=target.url if target else None,
        original_url=target.original if target else None,
        attributes=draft.attributes,
    )


def blocks_in(block: Block) -> list[Block]:
    return [child for child in block.children if isinstance(child, Block)]
