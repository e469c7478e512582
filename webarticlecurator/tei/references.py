"""What the body refers to and the header has to declare: the people who speak, and kinds of turns."""

from __future__ import annotations

from webarticlecurator.tei.markup import element, escape

TURNS = {"question": "question of an interviewer", "answer": "answer of the person asked"}


class References:
    """Collected while the body of one document is written."""

    def __init__(self, *, pages: int = 0) -> None:
        self.pages = pages
        """How many captures the header lists as `capture-1`, `capture-2`, ..."""
        self._people: dict[str, str] = {}
        self._turns: set[str] = set()

    def person(self, name: str | None) -> str | None:
        """A pointer to this person."""
        if not name or not name.strip():
            return None
        return "#" + self._people.setdefault(name.strip(), f"person-{len(self._people) + 1}")

    def turn(self, kind: str) -> str:
        """A pointer to this kind of turn."""
        self._turns.add(kind)
        return f"#{kind}"

    def page(self, number: str) -> str | None:
        """A pointer to the capture that this page was read from."""
        return f"#capture-{number}" if number.isascii() and number.isdigit() and 0 < int(number[:9]) <= self.pages else None

    def people(self) -> str:
        """Everyone, as `particDesc`."""
        if not self._people:
            return ""
        people = [f'<person xml:id="{id_}"><persName>{escape(name)}</persName></person>' for name, id_ in self._people.items()]
        return element("particDesc", element("listPerson", "".join(people), type="participants"))

    def turns(self) -> str:
        """The kinds of turns, as `classDecl`."""
        used = [kind for kind in TURNS if kind in self._turns]
        categories = [element("category", element("catDesc", TURNS[kind]), xml_id=kind) for kind in used]
        return element("classDecl", element("taxonomy", "".join(categories), xml_id="turn")) if used else ""
