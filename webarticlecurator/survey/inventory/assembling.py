"""From what a pass counted to the inventory: a row for each tag under one decision, with a suggestion where
no person decided.

Names and two signs speak for operations: the clearest counts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import Portal
from webarticlecurator.databases import Row
from webarticlecurator.extraction.body.tag_rules import BLOCK_LEVEL
from webarticlecurator.labelling.element_names import BLOCK_OF_WORD, PagePart, role_of, words_in
from webarticlecurator.labelling.simplified_tags import Tag, parsed_or_bare
from webarticlecurator.survey.inventory.element_rules import Decider
from webarticlecurator.survey.inventory.tag_question import MOST_EXAMPLES
from webarticlecurator.survey.page_pass import PASSED_OVER, Counts

_PATHS = """
    CREATE TABLE paths AS
    SELECT node, parent, step, depth, sum(frequency) AS frequency, sum(pages) AS pages, sum(own_words) AS own_words, sum(words) AS words,
        sum(link_words) AS link_words, sum(descendants) AS descendants, min(nullif(year, 0)) AS first, max(nullif(year, 0)) AS last
    FROM nodes JOIN figures USING (node) GROUP BY node HAVING sum(frequency) ORDER BY pages DESC, depth, node LIMIT 30000;
    CREATE TABLE heaviest AS
    SELECT * FROM paths JOIN steps USING (step) WHERE in_a_row ORDER BY words DESC, depth, paths.frequency DESC LIMIT 4000;
    CREATE UNIQUE INDEX by_node ON heaviest (node);
    CREATE INDEX by_parent ON paths (parent);
"""
"""Paths that are told apart are those on most pages: one that is not is never kept without its parent, which
is on no fewer. Those with most words make the content tree of a layout, and the pairs."""
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
"""The examples of each row, of as many years as there are."""
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
        sum(own_words) AS words, sum(own_words * is_decided) AS decided_words,
        coalesce(1.0 * sum(own_words * is_decided) / nullif(sum(own_words), 0), 1.0) AS word_share,
        coalesce(
            1.0 * sum(frequency * (parent != 0 AND is_decided)) / nullif(sum(frequency * (parent != 0)), 0),
            1.0
        ) AS element_share
    FROM years JOIN figures USING (year) JOIN nodes USING (node) JOIN steps USING (step)
    GROUP BY years.year ORDER BY years.year = 0, years.year
"""
"""The years in order, those without a date last."""
_NODES = """
    SELECT node, parent, row, frequency, words, own_words, tag, operation, decider, rule, layout, in_a_row, in_dropped
    FROM paths JOIN steps USING (step) ORDER BY paths.rowid
"""
"""Paths of simplified tags, in all pages, parents before their children; a container has the parent 0, and
alone a layout."""
_OF_POSTS = """
    WITH RECURSIVE kept AS (
        SELECT node, rule FROM paths JOIN steps USING (step)
        WHERE decider = 'posts' AND operation IN ('post', 'unwrap')
    ), inside (node) AS (
        SELECT node FROM kept WHERE rule NOT LIKE '%.around'
        UNION SELECT paths.node FROM inside JOIN paths ON paths.parent = inside.node
    )
    SELECT DISTINCT tag FROM paths JOIN steps USING (step) WHERE NOT in_dropped
    AND (node IN (SELECT node FROM kept) OR node IN (SELECT node FROM inside))
"""
"""Tags of elements that are posts, hold them or lie in them, and are not taken out of their text."""
_FOLDED = """
    SELECT coalesce(sum(figures.frequency), 0), coalesce(sum(figures.own_words), 0)
    FROM figures WHERE node NOT IN (SELECT node FROM paths)
"""


def inventory_of(counts: Counts, portal: Portal, *, of_pages: int, notes: Sequence[str] = ()) -> Row:
    """Return what a portal's pages are made of, as programs get it.

    `of_pages`: articles that something is stored of; `notes`: sentences for the person.
    """
    counts.write(_PATHS)
    nodes = counts.named(_NODES)
    rows = _rows(counts)
    pairs = counts.named(_PAIRS)
    for pair in pairs:
        pair["operation"] = ", ".join(sorted(pair.operation.split(",")))
    notes = list(notes)
    folded, words = counts.rows(_FOLDED)[0]
    if folded:
        notes.append(
            "The portal has more different paths of tags than can be kept apart: what stands on rare paths "
            "is counted "
            f"together ({amount(folded, 'element')} with {amount(words, 'word')}), and no rule is shown for "
            "it."
        )
    undecided = {row.tag for row in rows if row.operation is None and row.words}
    return Row(
        portal=portal.name,
        pages=counts.number("SELECT sum(pages) FROM years"),
        of_pages=of_pages,
        passed_over=dict(counts.rows(f"SELECT outcome, pages FROM {PASSED_OVER}")),
        notes=notes,
        reduction=Row(
            simplified=counts.number(
                "SELECT count(DISTINCT tag) FROM paths JOIN steps USING (step) WHERE words AND parent"
            ),
            undecided=len(undecided),
        ),
        coverage=counts.named(_COVERAGE),
        rows=rows,
        trees=_trees(
            [path for path in nodes if path.in_a_row],
            {node for (node,) in counts.rows("SELECT node FROM heaviest WHERE depth <= 60")},
        ),
        pairs=pairs,
    )


def _rows(counts: Counts) -> list[Row]:
    """A row for each tag under one decision; those with text first, most words at stake first."""
    examples: defaultdict[int, list[Row]] = defaultdict(list)
    for example in counts.named(_EXAMPLES):
        examples[example.pop("key")].append(example)
    recurring: dict[int, tuple[str, int]] = {}
    for key, text, pages in counts.rows(
        "SELECT row, text, pages FROM texts WHERE pages > 1 ORDER BY pages DESC, text"
    ):
        recurring.setdefault(key, (text, pages))
    of_posts = {tag for (tag,) in counts.rows(_OF_POSTS)}
    rows = counts.named(_ROWS)
    for row in rows:
        key = row.pop("key")
        row |= {"suggestion": None, "examples": examples[key]}
        if row.decided_by in BY_NO_PERSON:
            is_of_posts = row.operation is None and row.tag in of_posts
            row["suggestion"] = suggested(row, *recurring.get(key, ("", 0)), of_posts=is_of_posts)
    return rows


def _trees(nodes: Sequence[Row], kept: Collection[int]) -> Mapping[str, Sequence[Row]]:
    """The content tree: layout -> its roots, without what is rare and holds little; a parent holds no fewer
    words than its children.

    `more` counts the paths below a node that are left out, `more_words` the words in those of them that are
    its children.
    """
    sizes = Counter[int]()
    children: defaultdict[int, list[Row]] = defaultdict(list)
    for path in sorted(nodes, key=lambda path: (-path.words, -path.frequency, path.tag)):
        children[path.parent].append(path)
    made: dict[int, Row] = {}
    for path in reversed(nodes):
        sizes[path.parent] += 1 + sizes[path.node]
        if path.node in kept:
            made[path.node] = _tree_node(path, children[path.node], made, sizes)
    layouts = sorted({path.layout for path in children[0]})
    return {
        layout: [made[path.node] for path in children[0] if path.layout == layout and path.node in made]
        for layout in layouts
    }


def _tree_node(path: Row, children: Sequence[Row], made: Mapping[int, Row], sizes: Mapping[int, int]) -> Row:
    left_out = [child for child in children if child.node not in made]
    return Row(
        tag=path.tag,
        operation=None if path.decider == Decider.NOBODY else path.operation,
        decided_by=path.decider,
        **{name: path[name] for name in ("rule", "frequency", "words", "own_words")},
        leaf=not children,
        children=[made[child.node] for child in children if child.node in made],
        more=sum(1 + sizes[child.node] for child in left_out),
        more_words=sum(child.words for child in left_out),
    )


BY_NO_PERSON = frozenset((Decider.NOBODY, Decider.GENERAL, Decider.FINDER))
"""Whose decisions may be doubted."""
_MEANINGS = {"unwrap": "what only wraps", "decompose": "what belongs to the site"}
_OF_TEXT = {PagePart.BODY: "unwrap", PagePart.LEAD: "lead", PagePart.CAPTION: "caption"}
"""Part of a page that is of its text -> the operation for it; all other parts belong to the site."""
_WHOLE, _LAST, _BEFORE, _WRAPS = 4.0, 3.0, 1.6, 0.5
"""Weights of a word that is the whole name, or of which the finder is sure, too; of the last of its name
(`image-caption` is a caption); of one before it; and of one that only says how the page is laid out."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint of a name, or of a sign, at an operation."""

    operation: str
    weight: float
    sentence: str


def _weight(number: int, words: int) -> float:
    """Return what a word counts that is the one of this number in a name of so many."""
    if words == 1:
        return _WHOLE
    return _LAST if number == words else _BEFORE


def hints(tag: Tag) -> Iterator[Hint]:
    """Return all that the names of a tag say of it."""
    for name in filter(None, (*tag.classes, tag.id, tag.name if "-" in tag.name else "")):
        words = words_in(name)
        for number, token in enumerate(words, start=1):
            if (operation := BLOCK_OF_WORD.get(token)) is not None:
                weight = _WRAPS if operation == "unwrap" else _weight(number, len(words))
                sentence = (
                    f"“{token}” in its name “{name}” is a word for {_MEANINGS.get(operation, operation)}"
                )
                yield Hint(operation, weight, sentence)
    role = role_of(" ".join(tag.classes), tag.id)
    if (
        role is not None and role.part is not PagePart.POST
    ):  # a forum's posts are found by what they hold, not by a name
        yield Hint(
            _OF_TEXT.get(role.part, "decompose"),
            _WHOLE if role.certain else _BEFORE,
            f"its name says {role.part}",
        )


_LABELS = frozenset(("caption", "cell", "code", "heading", "row", "table-heading"))
"""Operations of tags whose texts come again in honest articles: "Background", "Share in %", a command."""
_OWN_MEANING = _LABELS | {"figure", "item", "list", "paragraph", "quote", "table"}
"""Operations of tags of which repeated texts say nothing if they have no name: a rule would take all of the
portal's lists, or paragraphs."""
_BELIEVED: Mapping[str, tuple[float, float]] = {
    "author": (1, 6), "box": (8, inf), "caption": (1, 40), "decompose": (0, 300), "figure": (0, 40), "heading": (1, 20), "lead": (5, 120),
}  # fmt: skip
"""Between how many words, in the mean, a name is believed."""


def suggested(row: Row, text: str, pages: int, *, of_posts: bool) -> Row | None:
    """For what nobody decides, the likeliest operation; for what no person decided, one that has very much
    for it; else None.

    `text`: which short text of it stands on the most pages, and on how many; `of_posts`: posts that were
    recognised hold it, too, or it holds them: they would go with it. `evidence`: short sentences, the
    strongest first.
    """
    tag, is_open = parsed_or_bare(row.tag), row.decided_by == Decider.NOBODY
    told = list(_evidence(row, tag, text, pages))
    if is_open:
        told.append(
            Hint(
                "unwrap", 0.1, f"a <{tag.name}> has no meaning of its own, and little says that this one has"
            )
        )
    elif row.operation in (
        "cell",
        "figure",
        "item",
    ):  # a `figure.lead` is the first picture, a `th.title` the head of a column of titles
        told = [hint for hint in told if hint.operation not in ("lead", "heading", "paragraph")]
    told = sorted(
        (hint for hint in told if not (of_posts and hint.operation == "decompose")),
        key=lambda hint: -hint.weight,
    )
    # it takes much to doubt what a tag says of itself
    if not told or (not is_open and (told[0].weight < 4.0 or told[0].operation in ("unwrap", row.operation))):
        return None
    best = told[0].operation
    return Row(
        operation=best, evidence=list(dict.fromkeys(hint.sentence for hint in told if hint.operation == best))
    )


def _evidence(row: Row, tag: Tag, text: str, pages: int) -> Iterator[Hint]:
    """Give what its names say; and what pages show: the same text again and again, or hardly anything but
    links."""
    for hint in hints(tag):
        fewest, most = _BELIEVED.get(hint.operation, (0, inf))
        if fewest <= row.mean_words <= most:
            yield hint
    may_recur = row.operation in _LABELS or (row.operation in _OWN_MEANING and not (tag.classes or tag.id))
    if pages >= 5 and pages > 0.3 * row.frequency and not may_recur:
        yield Hint(
            "decompose", 5.0, f"{pages:,} of its {row.pages:,} pages have the same text in it: “{text}”"
        )
    is_block = (
        tag.name in BLOCK_LEVEL or "-" in tag.name
    )  # of elements of a portal's own making that is not known
    if is_block and row.link_share > 0.7 and row.mean_words >= 3:
        yield Hint("decompose", 3.5, f"{row.link_share:.0%} of its words are links")
