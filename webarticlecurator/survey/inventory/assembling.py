"""From what a pass counted to the inventory: a row for each tag under one decision, with a suggestion where no person decided."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from statistics import median

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import Portal
from webarticlecurator.databases import Row
from webarticlecurator.extraction.body.tag_names import parsed_or_bare
from webarticlecurator.survey.inventory.element_rules import Decider
from webarticlecurator.survey.inventory.suggestions import BY_NO_PERSON, Neighbours, TagFacts, suggested
from webarticlecurator.survey.inventory.tag_question import MOST_EXAMPLES
from webarticlecurator.survey.page_pass import PASSED_OVER, Counts

_MOST_NODES = 30_000
"""Paths that are told apart: those on most pages. One that is not is never kept without its parent, which is on no fewer pages."""
_MOST_IN_TREE, _DEEPEST_IN_TREE = 4_000, 60
"""Paths of the content tree of a layout, and of which pairs are made; those with most words."""
_MOST_PAIRS = 1_000
_FEWEST_PAGES = 2
"""Of a text that recurs."""
_DROPS = {"word_share": 0.05, "element_share": 0.2}
"""How much must be missing against the years before, for it to be told."""
_YEARS_BEFORE = 3
_OF_POSTS = frozenset(("post", "unwrap"))
"""What the rules for posts make of a post, of its text and of what holds it."""
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
_PAIRS = f"""
    WITH RECURSIVE inside (inner, outer, adjacent) AS (
        SELECT node, parent, 1 FROM heaviest UNION ALL SELECT inner, parent, 0 FROM inside JOIN heaviest ON node = outer
    ), pairs AS (
        SELECT inner, tag AS outer, max(adjacent) AS adjacent FROM inside JOIN heaviest ON node = outer GROUP BY inner, tag
    )
    SELECT outer, tag AS inner, adjacent AS "adjacent?", sum(frequency) AS frequency, sum(words) AS words,
        group_concat(DISTINCT iif(decider = 'undecided', decider, operation)) AS operation
    FROM pairs JOIN heaviest ON node = pairs.inner GROUP BY outer, tag, adjacent
    ORDER BY 5 DESC, adjacent DESC, 4 DESC, outer, tag LIMIT {_MOST_PAIRS}
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
    rows = _rows(counts, nodes, portal.language)
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
        before = [other for other in coverage if other.pages >= _FEWEST_OF_A_YEAR][-_YEARS_BEFORE:]
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


def _rows(counts: Counts, nodes: Sequence[Row], language: str | None) -> list[Row]:
    """A row for each tag under one decision; those with text first, most words at stake first."""
    examples: defaultdict[int, list[Row]] = defaultdict(list)
    for example in counts.named(_EXAMPLES):
        examples[example.pop("key")].append(example)
    recurring: defaultdict[int, list[tuple[str, int]]] = defaultdict(list)
    for key, text, pages in counts.rows("SELECT row, text, pages FROM texts WHERE pages >= ? ORDER BY pages DESC, text", _FEWEST_PAGES):
        recurring[key].append((text, pages))
    neighbours = _neighbours([path for path in nodes if path.in_a_row])
    in_posts, of_posts = (
        set[int](),
        set[str](),
    )  # tags of what is, holds or lies in a post, and is no part of it that is taken out of its text
    for path in nodes:
        is_kept = path.decider == Decider.POSTS and path.operation in _OF_POSTS
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
            facts = TagFacts(row, parsed_or_bare(row.tag), neighbours[key], tuple(recurring[key]), language, is_of_posts)
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
