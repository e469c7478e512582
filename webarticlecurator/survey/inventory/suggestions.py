"""What an undecided tag may be: signs and names that speak for an operation are added up, and the heaviest side wins."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC

from webarticlecurator.config.tag_dictionary import INLINES
from webarticlecurator.databases import Row
from webarticlecurator.dates import DateFormat, find_date
from webarticlecurator.extraction.body.tag_names import Tag
from webarticlecurator.extraction.body.tag_rules import BLOCK_LEVEL
from webarticlecurator.labelling.names import BLOCK_OF_WORD, PagePart, role_of, words_in
from webarticlecurator.survey.inventory.element_rules import Decider

_ENOUGH_TO_DOUBT = 4.0
"""Weight from which on a decision of the general table is doubted."""
_LITTLE_BUT_LINKS, _SOME_LINKS = 0.5, 0.1
"""Of its words."""
BY_NO_PERSON = frozenset((Decider.NOBODY, Decider.GENERAL, Decider.FINDER))
"""Whose decisions may be doubted."""
_LONGEST_CAPTION = 40
_LONGEST_DATE = 6
_TEXT_BLOCKS = frozenset(
    ("paragraph", "heading", "subheading", "lead", "item", "list", "quote", "box", "table", "question", "answer", "verse", "code")
)
_LINES = frozenset(("paragraph", "heading", "subheading", "lead", "item", "cell", "caption", "question", "answer", *INLINES))
"""What holds words: an element in one of them is inline."""
_MEANINGS = {"unwrap": "what only wraps", "decompose": "what belongs to the site"}
_AUTO = (DateFormat.parse("auto"),)
_LONGEST_DATE_TEXT = 60
"""Characters."""
# fmt: off
_BY_PART: Mapping[PagePart, str] = {
    PagePart.BODY: "unwrap", PagePart.LEAD: "lead", PagePart.CAPTION: "caption", PagePart.BYLINE: "decompose", PagePart.SHARE: "decompose",
    PagePart.COMMENTS: "decompose", PagePart.RELATED: "decompose", PagePart.NEWSLETTER: "decompose", PagePart.ADVERTISEMENT: "decompose",
    PagePart.NAVIGATION: "decompose", PagePart.TOPICS: "decompose", PagePart.AUTHOR: "decompose", PagePart.NOTICE: "decompose",
    PagePart.HIDDEN: "decompose",
}
# fmt: on
_WHOLE, _LAST, _BEFORE, _WRAPS = 4.0, 3.0, 1.6, 0.5
"""What a word counts that is the whole name, or of which the finder is sure, too; as the last of its name (`image-caption` is a caption);
before it; and where it only says how the page is laid out."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Operations, each with how many elements; what is unwrapped is not here."""

    inside: Counter[str] = field(default_factory=Counter)
    """The nearest that the elements stand in; "" for the container itself."""
    holds: Counter[str] = field(default_factory=Counter)
    """What stands in them, however deep."""


@dataclass(frozen=True, slots=True)
class TagFacts:
    """What is known of a tag under one decision when somebody asks what it may be."""

    row: Row
    """Of the inventory; without an operation where nobody decides."""
    tag: Tag
    neighbours: Neighbours
    recurring: Sequence[tuple[str, int]]
    """Short texts in it that stand on several pages, each with their number, most pages first."""
    language: str | None
    of_posts: bool
    """Posts that were recognised hold it, too, or it holds them: they would go with it."""

    @property
    def is_empty(self) -> bool:
        return not self.row.mean_words and not self.row.mean_descendants

    @property
    def in_lines(self) -> float:
        """Share that stands inside a line of text."""
        around = self.neighbours.inside
        return sum(count for name, count in around.items() if name in _LINES) / max(around.total(), 1)

    @property
    def texts(self) -> float:
        """Blocks of text in it, on average."""
        return self.holds(*_TEXT_BLOCKS)

    @property
    def shows_itself(self) -> bool:
        """Nothing in it is text, a picture or a player: if it shows something, a script does it, by its attributes."""
        return not (self.row.mean_immediate_words or self.texts or self.holds("figure", "embed"))

    def holds(self, *operations: str) -> float:
        """How many of these are in an element, on average."""
        return sum(self.neighbours.holds[operation] for operation in operations) / float(self.row.frequency)


# --- what names say ---


@dataclass(frozen=True, slots=True)
class Hint:
    """What a name says."""

    operation: str
    weight: float
    sentence: str
    more_links_than: float | None = None
    """It says something only where a larger share of the words is in links: a sidebar of sentences is the article's."""


def hints(tag: Tag) -> Iterator[Hint]:
    """All that the names of a tag say of it; to the general finder, a credit of a picture is a caption."""
    names = (*tag.classes, *((tag.id,) if tag.id else ()), *((tag.name,) if "-" in tag.name else ()))
    said: list[Hint] = []
    for name in names:
        words = words_in(name)
        for number, token in enumerate(words, start=1):
            if (operation := BLOCK_OF_WORD.get(token)) is not None:
                weight = _WRAPS if operation == "unwrap" else _WHOLE if len(words) == 1 else _LAST if number == len(words) else _BEFORE
                sentence = f"“{token}” in its name “{name}” is a word for {_MEANINGS.get(operation, operation)}"
                said.append(Hint(operation, weight, sentence))
    role = role_of(" ".join(tag.classes), tag.id)
    known = role is not None and role.part in _BY_PART  # a forum's posts are found by what they hold, not by a name
    if role is not None and known and not (role.part is PagePart.CAPTION and any(hint.operation == "source" for hint in said)):
        yield Hint(
            _BY_PART[role.part],
            _WHOLE if role.certain else _BEFORE,
            f"its name says {role.part}",
            _LITTLE_BUT_LINKS if not role.certain else _SOME_LINKS if role.part is PagePart.RELATED else None,
        )
    is_box = any(hint.operation == "box" for hint in said)
    yield from (hint for hint in said if not (is_box and hint.operation == "note" and hint.weight == _WHOLE))  # of its kind, no footnote


# --- what pages show ---


def _signs(facts: TagFacts) -> Iterator[Hint]:
    """All that the pages show of a tag."""
    row, texts, in_lines = facts.row, facts.texts, facts.in_lines
    is_block = facts.tag.name in BLOCK_LEVEL or "-" in facts.tag.name  # of elements of a portal's own making that is not known
    starts_a_line = is_block and in_lines < 0.5
    pictures = facts.holds("figure")
    most_repeated, pages = facts.recurring[0] if facts.recurring else ("", 0)
    if pages >= 5 and pages > 0.3 * row.frequency:
        yield Hint("decompose", 5.0, f"{pages:,} of its {row.pages:,} pages have the same text in it: “{most_repeated}”")
    if row.link_share > 0.7 and row.mean_words >= 3 and starts_a_line:
        yield Hint("decompose", 3.0, f"{row.link_share:.0%} of its words are links")
    is_once_a_page = row.pages > 2 and row.frequency < 1.2 * row.pages
    if is_once_a_page and row.mean_words < 60 and row.examples and not any(example.after.strip() for example in row.examples):
        yield Hint("decompose", 1.2, "it is the last text of the article in every example")
    if row.mean_words <= _LONGEST_DATE and row.examples and all(_is_date(example.text, facts.language) for example in row.examples):
        yield Hint("time", 3.0, f"it is short, and a date (“{row.examples[0].text}”)")
    own = row.mean_immediate_words
    if own >= 5 and own > 0.4 * row.mean_words and texts < 0.2 and starts_a_line:
        yield Hint("paragraph", 2.5, f"{own:.0f} words stand immediately in it, with nothing but inline elements among them")
    if 0 < row.mean_words <= _LONGEST_CAPTION and 0.5 < pictures < 1.5 and texts <= 1 and not facts.holds("code"):
        yield Hint("figure", 2.5, f"it holds {pictures:.1f} pictures on average, and {row.mean_words:.0f} words")
    if not row.mean_words and row.mean_descendants:
        yield Hint("unwrap", 2.0, "it has no words; what is in it is decided by itself")
    if facts.is_empty and not facts.tag.attributes:
        yield Hint("unwrap", 3.0, "nothing is in it")
    if row.mean_words > 0 and own < 1 and texts >= 1:
        yield Hint("unwrap", 2.2, f"it only wraps: {texts:.1f} blocks of text on average, {own:.1f} words of its own")
    if in_lines > 0.5:
        yield Hint("unwrap", 2.5, f"{in_lines:.0%} stand inside a line of text, where an element without a meaning only goes")
    yield Hint("unwrap", 0.1, f"a <{facts.tag.name}> has no meaning of its own, and little says that this one has")


def _is_date(text: str, language: str | None) -> bool:
    """Whether it is a date and little else."""
    return 0 < len(text) <= _LONGEST_DATE_TEXT and find_date(_AUTO, text, language=language, timezone=UTC, now=None) is not None


_PLAUSIBLE: Mapping[str, Callable[[TagFacts], bool]] = {
    "heading": lambda f: 0 < f.row.mean_words <= 20 and f.texts < 1,
    # a heading, or what is left out where it stands, as the headline and the byline are: it is the head of the article
    "lead": lambda f: 5 <= f.row.mean_words <= 120 and f.holds("heading", "subheading", "decompose") < 0.5,
    "figure": lambda f: f.row.mean_words <= _LONGEST_CAPTION and (f.holds("figure") > 0.5 or f.shows_itself) and not f.holds("code"),
    "caption": lambda f: 0 < f.row.mean_words <= _LONGEST_CAPTION,
    "box": lambda f: f.row.mean_words >= 8,
    "embed": lambda f: f.holds("embed") > 0.5 or f.shows_itself,
    "author": lambda f: 0 < f.row.mean_words <= _LONGEST_DATE,
    "decompose": lambda f: not f.is_empty and f.holds("paragraph") < 5,
}
"""What must hold for a name to be believed; for operations that are not here, nothing."""

_LABELS = frozenset(("caption", "cell", "code", "heading", "row", "table-heading"))
"""What a tag says that comes again in honest articles: "Background", "Share in %", a command."""
_OWN_MEANING = _LABELS | {"figure", "item", "list", "paragraph", "quote", "table"}
"""Of these, too, what recurs says nothing where they have no name: a rule would take all of the portal's lists, or paragraphs."""


def suggested(facts: TagFacts) -> Row | None:
    """For what nobody decides, the likeliest operation; for what no person decided, one that has very much for it; else None.

    `evidence`: short sentences with their figures, the strongest first.
    """
    row = facts.row
    is_open = row.decided_by == Decider.NOBODY
    sides: dict[str, list[Hint]] = defaultdict(list)
    for hint in sorted(_evidence(facts) if is_open else _doubts(facts), key=lambda hint: hint.weight, reverse=True):
        if not (facts.of_posts and hint.operation == "decompose"):
            sides[hint.operation].append(hint)
    weights = {operation: sum(hint.weight for hint in side) for operation, side in sides.items()}
    best = max(weights, key=weights.__getitem__)
    if not is_open and (weights[best] < _ENOUGH_TO_DOUBT or best in ("unwrap", row.operation)):
        return None
    return Row(operation=best, evidence=list(dict.fromkeys(hint.sentence for hint in sides[best])))


def _evidence(facts: TagFacts) -> Iterator[Hint]:
    """Of several names that say the same only the clearest counts: they are no independent witnesses."""
    yield from _signs(facts)
    clearest: dict[str, Hint] = {}
    for hint in hints(facts.tag):
        has_links = hint.more_links_than is None or not facts.row.mean_words or facts.row.link_share > hint.more_links_than
        plausible = _PLAUSIBLE.get(hint.operation)
        is_clearest = hint.operation not in clearest or hint.weight > clearest[hint.operation].weight
        if has_links and is_clearest and (plausible is None or plausible(facts)):
            clearest[hint.operation] = hint
    yield from clearest.values()


def _doubts(facts: TagFacts) -> Iterator[Hint]:
    """Evidence against what no person decided; by the general table a tag says much itself."""
    operation = facts.row.operation
    if facts.row.decided_by != Decider.GENERAL:
        yield from _evidence(facts)
        return
    if operation in _LABELS or (operation in _OWN_MEANING and not (facts.tag.classes or facts.tag.id)):
        facts = replace(facts, recurring=())
    # a `figure.lead` is the first picture, a `th.title` the head of a column of titles
    says_itself = operation in ("cell", "figure", "item")
    yield from (hint for hint in _evidence(facts) if not (says_itself and hint.operation in ("lead", "heading", "paragraph")))
