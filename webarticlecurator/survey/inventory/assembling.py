"""From what a pass counted to the inventory: a row for each tag under one decision, with a suggestion where no person decided.

Signs and names that speak for an operation are added up, and the heaviest side wins.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.tag_dictionary import INLINES
from webarticlecurator.databases import Row
from webarticlecurator.extraction.body.tag_names import Tag, parsed_or_bare
from webarticlecurator.extraction.body.tag_rules import BLOCK_LEVEL
from webarticlecurator.labelling.names import BLOCK_OF_WORD, PagePart, role_of, words_in
from webarticlecurator.survey.inventory.element_rules import Decider
from webarticlecurator.survey.inventory.tag_question import MOST_EXAMPLES
from webarticlecurator.survey.page_pass import PASSED_OVER, Counts

_MOST_NODES = 30_000
"""Paths that are told apart: those on most pages. One that is not is never kept without its parent, which is on no fewer pages."""
_MOST_IN_TREE, _DEEPEST_IN_TREE = 4_000, 60
"""Paths of the content tree of a layout, and of which pairs are made; those with most words."""
_DROPS = {"word_share": 0.05, "element_share": 0.2}
"""How much must be missing against the years before, for it to be told."""
_FEWEST_OF_A_YEAR = 5
"""Pages; a year of fewer proves nothing."""
_PATHS = f"""
    CREATE TABLE paths AS
    SELECT node, parent, step, depth, sum(frequency) AS frequency, sum(pages) AS pages, sum(own_words) AS own_words, sum(words) AS words,
        sum(link_words) AS link_words, sum(descendants) AS descendants, min(nullif(year, 0)) AS first, max(nullif(year, 0)) AS last
    FROM nodes JOIN figures USING (node) GROUP BY node HAVING sum(frequency) ORDER BY pages DESC, depth, node LIMIT {_MOST_NODES};
    CREATE TABLE heaviest AS
    SELECT * FROM paths JOIN steps USING (step) WHERE in_a_row ORDER BY words DESC, depth, paths.frequency DESC LIMIT {_MOST_IN_TREE};
    CREATE UNIQUE INDEX by_node ON heaviest (node);
"""
_IN_TREE = f"SELECT node FROM heaviest WHERE depth <= {_DEEPEST_IN_TREE}"
_ROWS = """
    SELECT row AS key, iif(sum(words), 'text', 'notext') AS "table", tag, condition AS "where", sum(frequency) AS frequency,
        min(sum(paths.pages), row_pages.pages) AS pages, min(first) AS "from", max(last) AS "to", sum(words) AS words,
        1.0 * sum(words) / sum(frequency) AS mean_words, 1.0 * sum(own_words) / sum(frequency) AS mean_immediate_words,
        1.0 * sum(descendants) / sum(frequency) AS mean_descendants,
        coalesce(1.0 * sum(link_words) / nullif(sum(words), 0), 0.0) AS link_share,
        iif(decider = 'undecided', NULL, operation) AS operation, url, decider AS decided_by, rule
    FROM paths JOIN steps USING (step) JOIN row_pages USING (row) WHERE in_a_row AND parent GROUP BY row
    ORDER BY sum(words) = 0, sum(words) DESC, sum(frequency) DESC, tag, rule, condition
"""
_EXAMPLES = f"""
    SELECT row AS key, url, before, text, after, start_tag FROM (
        SELECT *, row_number() OVER (PARTITION BY row ORDER BY nth, page) AS place FROM (
            SELECT *, row_number() OVER (PARTITION BY row, year ORDER BY page) AS nth FROM examples
        )
    ) WHERE place <= {MOST_EXAMPLES} ORDER BY row, page
"""
"""Of each row, of as many years as there are."""
_PAIRS = """
    WITH RECURSIVE inside (inner, outer, adjacent) AS (
        SELECT node, parent, 1 FROM heaviest UNION ALL SELECT inner, parent, 0 FROM inside JOIN heaviest ON node = outer
    ), pairs AS (
        SELECT inner, tag AS outer, max(adjacent) AS adjacent FROM inside JOIN heaviest ON node = outer GROUP BY inner, tag
    )
    SELECT outer, tag AS inner, adjacent AS "adjacent?", sum(frequency) AS frequency, sum(words) AS words,
        group_concat(DISTINCT iif(decider = 'undecided', decider, operation)) AS operation
    FROM pairs JOIN heaviest ON node = pairs.inner GROUP BY outer, tag, adjacent
    ORDER BY 5 DESC, adjacent DESC, 4 DESC, outer, tag LIMIT 1000
"""
_COVERAGE = """
    SELECT nullif(year, 0) AS year, years.pages, sum(frequency * (parent != 0)) AS elements,
        sum(frequency * (parent != 0 AND is_decided)) AS decided_elements,
        sum(own_words) AS words, sum(own_words * is_decided) AS decided_words
    FROM years JOIN figures USING (year) JOIN nodes USING (node) JOIN steps USING (step)
    GROUP BY years.year ORDER BY years.year = 0, years.year
"""
_REDUCTION = """
    SELECT (SELECT count(*) FROM start_tags) AS tags, (SELECT count(*) FROM start_tags WHERE with_words) AS with_text,
        (SELECT count(DISTINCT tag) FROM paths JOIN steps USING (step) WHERE words AND parent) AS simplified
"""
_NODES = """
    SELECT node, parent, row, frequency, words, own_words, tag, operation, decider, rule, layout, in_a_row, in_dropped
    FROM paths JOIN steps USING (step) ORDER BY paths.rowid
"""
"""Paths of simplified tags, in all pages, parents before their children; a container has the parent 0, and alone a layout."""
_FOLDED = """
    SELECT coalesce(sum(figures.frequency), 0), coalesce(sum(figures.own_words), 0)
    FROM figures WHERE node NOT IN (SELECT node FROM paths)
"""


def inventory_of(counts: Counts, portal: Portal, *, of_pages: int, notes: Sequence[str] = ()) -> Row:
    """What a portal's pages are made of, as programs get it.

    `of_pages`: articles that something is stored of; `notes`: sentences for the person.
    """
    counts.write(_PATHS)
    nodes = counts.named(_NODES)
    rows = _rows(counts, nodes)
    pairs = counts.named(_PAIRS)
    for pair in pairs:
        pair["operation"] = ", ".join(sorted(pair.operation.split(",")))
    notes = list(notes)
    folded, words = counts.rows(_FOLDED)[0]
    if folded:
        notes.append(
            "The portal has more different paths of tags than can be kept apart: what stands on rare paths is counted "
            f"together ({amount(folded, 'element')} with {amount(words, 'word')}), and no rule is shown for it."
        )
    # the years in order, those without a date last; where less is decided than in the years before, the portal changed its layout
    coverage: list[Row] = []
    for year in counts.named(_COVERAGE):
        shares = {f"{kind[:-1]}_share": year[f"decided_{kind}"] / year[kind] if year[kind] else 1.0 for kind in ("words", "elements")}
        before = [other for other in coverage if other.pages >= _FEWEST_OF_A_YEAR][-3:]
        is_enough = bool(before) and year.year is not None and year.pages >= _FEWEST_OF_A_YEAR
        drops = (median(other[name] for other in before) - shares[name] > most for name, most in _DROPS.items() if is_enough)
        coverage.append(Row(year, **shares, layout_change=any(drops)))
    undecided = {row.tag for row in rows if row.operation is None and row.words}
    return Row(
        portal=portal.name,
        pages=counts.number("SELECT sum(pages) FROM years"),
        of_pages=of_pages,
        passed_over=dict(counts.rows(f"SELECT outcome, pages FROM {PASSED_OVER}")),
        notes=notes,
        reduction=Row(counts.named(_REDUCTION)[0], undecided=len(undecided)),
        coverage=coverage,
        rows=rows,
        trees=_trees([path for path in nodes if path.in_a_row], {node for (node,) in counts.rows(_IN_TREE)}),
        pairs=pairs,
    )


def _rows(counts: Counts, nodes: Sequence[Row]) -> list[Row]:
    """A row for each tag under one decision; those with text first, most words at stake first."""
    examples: defaultdict[int, list[Row]] = defaultdict(list)
    for example in counts.named(_EXAMPLES):
        examples[example.pop("key")].append(example)
    recurring: defaultdict[int, list[tuple[str, int]]] = defaultdict(list)
    for key, text, pages in counts.rows("SELECT row, text, pages FROM texts WHERE pages > 1 ORDER BY pages DESC, text"):
        recurring[key].append((text, pages))
    neighbours = _neighbours([path for path in nodes if path.in_a_row])
    in_posts, of_posts = set[int](), set[str]()
    """Of posts and what is in them, the paths; the tags of what is, holds or lies in a post, and is not taken out of its text."""
    for path in nodes:
        is_kept = path.decider == Decider.POSTS and path.operation in ("post", "unwrap")  # a post, its text, what holds it
        if (is_kept and not path.rule.endswith(".around")) or path.parent in in_posts:
            in_posts.add(path.node)
        if (is_kept or path.node in in_posts) and not path.in_dropped:
            of_posts.add(path.tag)
    rows = counts.named(_ROWS)
    for row in rows:
        key = row.pop("key")
        row |= {"suggestion": None, "examples": examples[key]}
        if row.decided_by in BY_NO_PERSON:
            is_of_posts = row.operation is None and row.tag in of_posts
            facts = TagFacts(row, parsed_or_bare(row.tag), neighbours[key], tuple(recurring[key]), is_of_posts)
            row["suggestion"] = suggested(facts)
    return rows


def _neighbours(nodes: Sequence[Row]) -> Mapping[int, Neighbours]:
    """Of each row what its elements stand in and what is in them; parents come before their children in `nodes`."""
    rows: defaultdict[int, Neighbours] = defaultdict(Neighbours)
    around: dict[int, str] = {}  # node -> what the nearest with a name becomes, itself or one that it stands in
    within = defaultdict[int, Counter[str]](Counter)
    becomes: dict[int, str] = {}  # node -> the name that its elements get; "" where they only go, and their content stays
    for path in nodes:
        is_looked_through = path.decider == Decider.NOBODY or path.operation in ("unwrap", "unwrap-all")
        becomes[path.node] = "" if is_looked_through else path.operation.split(" > ")[-1]
        nearest = around.get(path.parent, "")
        around[path.node] = becomes[path.node] or nearest
        rows[path.row].inside[nearest] += path.frequency
    for path in reversed(nodes):
        held = within.pop(path.node, Counter[str]())
        rows[path.row].holds.update(held)
        if becomes[path.node]:
            within[path.parent][becomes[path.node]] += path.frequency
        within[path.parent].update(held)
    return rows


def _trees(nodes: Sequence[Row], kept: Collection[int]) -> Mapping[str, Sequence[Row]]:
    """The content tree: layout -> its roots, without what is rare and holds little; a parent holds no fewer words than its children.

    `more` counts the paths below a node that are left out, `more_words` the words in those of them that are its children.
    """
    sizes = Counter[int]()
    children: defaultdict[int, list[Row]] = defaultdict(list)
    for path in sorted(nodes, key=lambda path: (-path.words, -path.frequency, path.tag)):
        children[path.parent].append(path)
    made: dict[int, Row] = {}
    for path in reversed(nodes):
        sizes[path.parent] += 1 + sizes[path.node]
        left_out = [child for child in children[path.node] if child.node not in made]
        if path.node in kept:
            made[path.node] = Row(
                tag=path.tag,
                operation=None if path.decider == Decider.NOBODY else path.operation,
                decided_by=path.decider,
                rule=path.rule,
                frequency=path.frequency,
                words=path.words,
                own_words=path.own_words,
                leaf=not children[path.node],
                children=[made[child.node] for child in children[path.node] if child.node in made],
                more=sum(1 + sizes[child.node] for child in left_out),
                more_words=sum(child.words for child in left_out),
            )
    layouts = sorted({path.layout for path in children[0]})
    return {layout: [made[path.node] for path in children[0] if path.layout == layout and path.node in made] for layout in layouts}


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
    of_posts: bool
    """Posts that were recognised hold it, too, or it holds them: they would go with it."""

    @property
    def is_empty(self) -> bool:
        return not self.row.mean_words and not self.row.mean_descendants

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


@dataclass(frozen=True, slots=True)
class Hint:
    """What a name says."""

    operation: str
    weight: float
    sentence: str


def hints(tag: Tag) -> Iterator[Hint]:
    """All that the names of a tag say of it."""
    names = (*tag.classes, *((tag.id,) if tag.id else ()), *((tag.name,) if "-" in tag.name else ()))
    for name in names:
        words = words_in(name)
        for number, token in enumerate(words, start=1):
            if (operation := BLOCK_OF_WORD.get(token)) is not None:
                weight = _WRAPS if operation == "unwrap" else _WHOLE if len(words) == 1 else _LAST if number == len(words) else _BEFORE
                sentence = f"“{token}” in its name “{name}” is a word for {_MEANINGS.get(operation, operation)}"
                yield Hint(operation, weight, sentence)
    role = role_of(" ".join(tag.classes), tag.id)
    if role is not None and role.part in _BY_PART:  # a forum's posts are found by what they hold, not by a name
        yield Hint(_BY_PART[role.part], _WHOLE if role.certain else _BEFORE, f"its name says {role.part}")


def _signs(facts: TagFacts) -> Iterator[Hint]:
    """All that the pages show of a tag."""
    row, texts, around = facts.row, facts.texts, facts.neighbours.inside
    in_lines = sum(count for name, count in around.items() if name in _LINES) / max(around.total(), 1)  # the share inside lines of text
    is_block = facts.tag.name in BLOCK_LEVEL or "-" in facts.tag.name  # of elements of a portal's own making that is not known
    starts_a_line = is_block and in_lines < 0.5
    pictures = facts.holds("figure")
    most_repeated, pages = facts.recurring[0] if facts.recurring else ("", 0)
    if pages >= 5 and pages > 0.3 * row.frequency:
        yield Hint("decompose", 5.0, f"{pages:,} of its {row.pages:,} pages have the same text in it: “{most_repeated}”")
    if row.link_share > 0.7 and row.mean_words >= 3 and starts_a_line:
        yield Hint("decompose", 3.0, f"{row.link_share:.0%} of its words are links")
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
    if not is_open and (weights[best] < 4 or best in ("unwrap", row.operation)):  # it takes much to doubt the general table
        return None
    return Row(operation=best, evidence=list(dict.fromkeys(hint.sentence for hint in sides[best])))


def _evidence(facts: TagFacts) -> Iterator[Hint]:
    """Of several names that say the same only the clearest counts: they are no independent witnesses."""
    yield from _signs(facts)
    clearest: dict[str, Hint] = {}
    for hint in hints(facts.tag):
        plausible = _PLAUSIBLE.get(hint.operation)
        is_clearest = hint.operation not in clearest or hint.weight > clearest[hint.operation].weight
        if is_clearest and (plausible is None or plausible(facts)):
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
