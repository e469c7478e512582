"""What the body refers to: people and kinds of turns, which the header has to declare, and addresses, not all of which can be written."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from hashlib import sha256

from webarticlecurator.model.article import HOLDS, Article, Block, Content, ContentNode, MissingPage, flat_text
from webarticlecurator.tei.markup import element, escape, language, primary, uri

TURNS = {"question": "question of an interviewer", "answer": "answer of the person asked"}

_LONGEST = 200
"""Characters of an address in a sentence about it."""


class References:
    """Collected while the body of one document is written.

    Every identifier begins with that of the document, so that documents can stand together in one corpus.
    """

    def __init__(
        self,
        document: str,
        *,
        language: str = "und",
        pages: int = 0,
        missing: Collection[MissingPage] = (),
        hosts: Collection[str] = (),
        notes: Collection[str] = (),
    ) -> None:
        self.document = document
        """The `xml:id` of the whole."""
        self.language = language
        self.pages = pages
        """How many captures the header lists as `capture-1`, `capture-2`, ..."""
        absent = {page.number for page in missing}
        self._numbers = [number for number in range(1, pages + len(absent) + 1) if number not in absent]
        self.hosts = hosts
        """The portal's own: links there are internal."""
        self.posts: Mapping[str, str] = {}
        """The identifiers of the posts that are being written, by their ids in the page."""
        self._lost: list[str] = []
        self._people: dict[str, str] = {}
        self._turns: set[str] = set()
        self._taken: set[str] = set()
        self._languages: dict[str, None] = {}
        self._notes = {name: self.new_id(f"note-{digest(name)}") for name in notes}
        self._noted: set[str] = set()
        self._written_notes: set[str] = set()

    def id(self, name: str) -> str:
        """The identifier of the one thing in the document that goes by this name."""
        return f"{self.document}.{name}"

    def new_id(self, name: str) -> str:
        """The same of a thing that others may share its name with."""
        id = found = self.id(name)
        number = 1
        while found in self._taken:
            number += 1
            found = f"{id}-{number}"
        self._taken.add(found)
        return found

    def person(self, name: str | None) -> str | None:
        """A pointer to this person."""
        if not name or not name.strip():
            return None
        name = name.strip()
        if name not in self._people:
            self._people[name] = self.new_id(f"person-{digest(name)}")
        return f"#{self._people[name]}"

    def post(self, name: str | None) -> str | None:
        """A pointer to the post with this id, where it is in the document."""
        id = self.posts.get(name) if name else None
        return f"#{id}" if id else None

    def to_note(self, name: str | None) -> str | None:
        """The attributes of a link to a note; the note leads back to the first."""
        id = self._notes.get(name) if name else None
        if id is None:
            return None
        own = "" if id in self._noted else f' xml:id="{id}-ref"'
        self._noted.add(id)
        return f' type="note" target="#{id}"{own}'

    def note(self, name: str) -> str | None:
        """The identifier of a note that links lead to; another one of that name has none."""
        id = self._notes.get(name)
        if id is None or id in self._written_notes:
            return None
        self._written_notes.add(id)
        return id

    def from_note(self, name: str) -> str | None:
        """A pointer to the first link to a note."""
        id = self._notes.get(name)
        return f"#{id}-ref" if id in self._noted else None

    def turn(self, kind: str) -> str:
        """A pointer to this kind of turn."""
        self._turns.add(kind)
        return f"#{self.id(kind)}"

    def page_number(self, place: str) -> str:
        """The number of the first, second, ... page that is there: those that are not there count, too."""
        return str(self._numbers[int(place) - 1]) if self.page(place) else place

    def page(self, number: str) -> str | None:
        """A pointer to the capture that this page was read from."""
        return f"#{self.id('capture-')}{number}" if number.isascii() and number.isdigit() and 0 < int(number[:9]) <= self.pages else None

    def in_language(self, tag: str | None) -> str:
        """The attribute of what is in another language than the document."""
        tag = language(tag)
        if tag is None or primary(tag) == primary(self.language):
            return ""
        self._languages.setdefault(tag)
        return f' xml:lang="{tag}"'

    @property
    def languages(self) -> tuple[str, ...]:
        """That of the document, and those of parts of it."""
        return (self.language, *self._languages)

    def address(self, url: str | None, original: str | None) -> tuple[str | None, str | None]:
        """An address as a valid anyURI, and as the page wrote it where that differs; one that can be none is noted as lost."""
        written = uri(url)
        if written == url and not original:
            return written, None
        original = original or url
        if written is None and original:
            self._lose(original, "no valid address" if url else "no address could be made of it")
        return written, original

    def flattened(self, nodes: tuple[ContentNode, ...]) -> str:
        """Only the text of what lies too deep to be written with its markup."""
        for url in _addresses(nodes):
            self._lose(url, "too deep in other markup")
        return flat_text(nodes)

    @property
    def lost(self) -> tuple[str, ...]:
        """Addresses that are not in the document, each with why."""
        return tuple(self._lost)

    def _lose(self, address: str, why: str) -> None:
        self._lost.append(f"{address[:_LONGEST]!r} ({why})")

    def people(self) -> str:
        """Everyone, as `particDesc`."""
        if not self._people:
            return ""
        people = [f'<person xml:id="{id_}"><persName>{escape(name)}</persName></person>' for name, id_ in self._people.items()]
        return element("particDesc", element("listPerson", "".join(people), type="participants"))

    def turns(self) -> str:
        """The kinds of turns, as a taxonomy."""
        used = [kind for kind in TURNS if kind in self._turns]
        categories = [element("category", element("catDesc", TURNS[kind]), xml_id=self.id(kind)) for kind in used]
        return element("taxonomy", "".join(categories), xml_id=self.id("turn")) if used else ""


def note_names(article: Article) -> Iterator[str]:
    """The ids of notes, by which links lead to them."""
    waiting: list[ContentNode] = [*article.blocks, *(block for post in article.posts for block in post.blocks)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Block):
            if HOLDS[node.type] is Content.INLINES:
                continue
            if node.type == "note" and (name := node.attributes.get("id")):
                yield name
            waiting.extend(node.children)


def digest(text: str) -> str:
    """What names a thing by what it says, and so does not change when others come before it."""
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:12]


def _addresses(nodes: tuple[ContentNode, ...]) -> Iterator[str]:
    waiting = list(reversed(nodes))
    while waiting:
        node = waiting.pop()
        if not isinstance(node, str):
            if address := node.original_url or node.url:
                yield address
            waiting.extend(reversed(node.children))
