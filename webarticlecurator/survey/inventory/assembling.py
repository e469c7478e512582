"""From what a pass counted to the inventory: a row for each tag under one decision, with a suggestion where no person decided."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import NamedTuple

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.body.tag_names import parsed_or_bare
from webarticlecurator.survey.inventory.results import DecidedOperation, Decider, Example, Inventory, JsonRow, TagRow
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
    SELECT row, tag, operation, decider, rule, condition, url, sum(frequency), min(sum(paths.pages), row_pages.pages),
        min(first), max(last), sum(words), sum(own_words), sum(link_words), sum(descendants)
    FROM paths JOIN steps USING (step) JOIN row_pages USING (row) WHERE in_a_row AND parent GROUP BY row
    ORDER BY sum(words) = 0, sum(words) DESC, sum(frequency) DESC, tag, rule, condition
"""
_EXAMPLES = f"""
    SELECT row, url, before, text, after, start_tag FROM (
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
    SELECT outer, tag AS inner, adjacent, sum(frequency) AS frequency, sum(words) AS words,
        group_concat(DISTINCT iif(decider = 'undecided', decider, operation)) AS operation
    FROM pairs JOIN heaviest ON node = pairs.inner GROUP BY outer, tag, adjacent
    ORDER BY 5 DESC, adjacent DESC, 4 DESC, outer, tag LIMIT {_MOST_PAIRS}
"""
_COVERAGE = """
    SELECT nullif(year, 0) AS year, years.pages, sum(frequency * (parent != 0)) AS elements,
        sum(frequency * (parent != 0 AND is_decided)) AS decided_elements,
        sum(own_words) AS words, sum(own_words * is_decided) AS decided_words
    FROM years JOIN figures USING (year) JOIN nodes USING (node) JOIN steps USING (step)
    WHERE tag != '*more*' GROUP BY years.year ORDER BY years.year = 0, years.year
"""
_REDUCTION = """
    SELECT (SELECT count(*) FROM start_tags) AS tags, (SELECT count(*) FROM start_tags WHERE with_words) AS with_text,
        (SELECT count(DISTINCT tag) FROM paths JOIN steps USING (step) WHERE words AND parent AND tag != '*more*') AS simplified
"""
_FOLDED = """
    SELECT coalesce(sum(figures.frequency), 0), coalesce(sum(figures.own_words), 0)
    FROM figures JOIN nodes USING (node) JOIN steps USING (step)
    WHERE tag = '*more*' OR node NOT IN (SELECT node FROM paths)
"""


class PathNode(NamedTuple):
    """A path of simplified tags, from a container down, in all pages."""

    node: int
    parent: int
    """0: none; it is an article container."""
    row: int
    frequency: int
    words: int
    own_words: int
    tag: str
    operation: str
    decider: str
    rule: str
    layout: str
    """Of a container."""
    in_a_row: int
    in_dropped: int

    @property
    def becomes(self) -> str:
        """The name that an element gets; "" for one that only goes, and its content stays."""
        looked_through = self.decider == Decider.NOBODY or self.operation in ("unwrap", "unwrap-all")
        return "" if looked_through else self.operation.split(" > ")[-1]


def inventory_of(counts: Counts, portal: Portal, *, of_pages: int, notes: Sequence[str] = ()) -> Inventory:
    """What a portal's pages are made of. `of_pages`: articles that something is stored of; `notes`: sentences for the person."""
    counts.write(_PATHS)
    nodes = _nodes(counts)
    rows = _rows(counts, nodes, portal.language)
    undecided = {row.tag for row in rows if row.is_undecided and row.has_text}
    return Inventory(
        portal=portal.name,
        pages=counts.number("SELECT sum(pages) FROM years"),
        of_pages=of_pages,
        passed_over=dict(counts.rows(f"SELECT outcome, pages FROM {PASSED_OVER}")),
        notes=(*notes, *_folded(*counts.rows(_FOLDED)[0])),
        rows=rows,
        trees=_trees([one for one in nodes if one.in_a_row], {node for (node,) in counts.rows(_IN_TREE)}),
        pairs=[
            {**pair, "adjacent": bool(pair["adjacent"]), "operation": ", ".join(sorted(pair["operation"].split(",")))}
            for pair in counts.objects(_PAIRS)
        ],
        reduction={**counts.objects(_REDUCTION)[0], "undecided": len(undecided)},
        coverage=_coverage(counts.objects(_COVERAGE)),
    )


def _nodes(counts: Counts) -> list[PathNode]:
    """Parents before their children."""
    columns = ", ".join(PathNode._fields)
    return [PathNode(*row) for row in counts.rows(f"SELECT {columns} FROM paths JOIN steps USING (step) ORDER BY paths.rowid")]


def _rows(counts: Counts, nodes: Sequence[PathNode], language: str | None) -> tuple[TagRow, ...]:
    """Those with text first; most words at stake first."""
    examples: defaultdict[int, list[Example]] = defaultdict(list)
    for row, url, before, text, after, start_tag in counts.rows(_EXAMPLES):
        examples[row].append(Example(url=url, before=before, text=text, after=after, start_tag=start_tag))
    recurring: defaultdict[int, list[tuple[str, int]]] = defaultdict(list)
    for row, text, pages in counts.rows("SELECT row, text, pages FROM texts WHERE pages >= ? ORDER BY pages DESC, text", _FEWEST_PAGES):
        recurring[row].append((text, pages))
    neighbours = _neighbours([one for one in nodes if one.in_a_row])
    of_posts = _of_posts(nodes)
    rows = []
    for key, tag, operation, decider, rule, condition, url, frequency, pages, first, last, words, own, linked, inside in counts.rows(_ROWS):
        row = TagRow(
            tag=tag,
            decided=DecidedOperation(operation, Decider(decider), rule, condition, url),
            frequency=frequency,
            pages=pages,
            first_year=first,
            last_year=last,
            words=words,
            own_words=own,
            link_words=linked,
            descendants=inside,
            of_posts=decider == Decider.NOBODY and tag in of_posts,
            examples=tuple(examples[key]),
        )
        if row.decided.decider in BY_NO_PERSON:
            facts = TagFacts(row, parsed_or_bare(tag), neighbours[key], tuple(recurring[key]), language)
            row = replace(row, suggestion=suggested(facts))
        rows.append(row)
    return tuple(rows)


def _of_posts(nodes: Iterable[PathNode]) -> set[str]:
    """Tags of what is, holds or lies in a post, and is no part of it that is taken out of its text."""
    inside: set[int] = set()
    of_posts: set[str] = set()
    for one in nodes:
        is_kept = one.decider == Decider.POSTS and one.operation in _OF_POSTS
        if (is_kept and not one.rule.endswith(".around")) or one.parent in inside:
            inside.add(one.node)
        if (is_kept or one.node in inside) and not one.in_dropped:
            of_posts.add(one.tag)
    return of_posts


def _neighbours(nodes: Sequence[PathNode]) -> Mapping[int, Neighbours]:
    """Of each row what its elements stand in and what is in them; parents come before their children in `nodes`."""
    rows: defaultdict[int, Neighbours] = defaultdict(Neighbours)
    around: dict[int, str] = {}  # node -> what the nearest with a name becomes, itself or one that it stands in
    within = defaultdict[int, Counter[str]](Counter)
    for one in nodes:
        nearest = around.get(one.parent, "")
        around[one.node] = one.becomes or nearest
        rows[one.row].inside[nearest] += one.frequency
    for one in reversed(nodes):
        held = within.pop(one.node, Counter[str]())
        rows[one.row].holds.update(held)
        if one.becomes:
            within[one.parent][one.becomes] += one.frequency
        within[one.parent].update(held)
    return rows


def _trees(nodes: Sequence[PathNode], kept: Collection[int]) -> Mapping[str, Sequence[JsonRow]]:
    """The content tree: layout -> its roots, without what is rare and holds little; a parent holds no fewer words than its children."""
    sizes = Counter[int]()
    children: defaultdict[int, list[PathNode]] = defaultdict(list)
    for one in sorted(nodes, key=lambda one: (-one.words, -one.frequency, one.tag)):
        children[one.parent].append(one)
    made: dict[int, JsonRow] = {}
    for one in reversed(nodes):
        sizes[one.parent] += 1 + sizes[one.node]
        left_out = [child for child in children[one.node] if child.node not in made]
        if one.node in kept:
            made[one.node] = {
                "tag": one.tag,
                "operation": None if one.decider == Decider.NOBODY else one.operation,
                "decided_by": one.decider,
                "rule": one.rule,
                "frequency": one.frequency,
                "words": one.words,
                "own_words": one.own_words,
                "leaf": not children[one.node],
                "children": [made[child.node] for child in children[one.node] if child.node in made],
                "more": sum(1 + sizes[child.node] for child in left_out),
                "more_words": sum(child.words for child in left_out),
            }
    layouts = sorted({one.layout for one in children[0]})
    return {layout: [made[one.node] for one in children[0] if one.layout == layout and one.node in made] for layout in layouts}


def _folded(elements: int, words: int) -> tuple[str, ...]:
    if not elements:
        return ()
    return (
        "The portal has more different paths of tags, or deeper ones, than can be kept apart: what stands on rare paths is counted "
        f"together ({amount(elements, 'element')} with {amount(words, 'word')}), and no rule is shown for it.",
    )


# --- how much of each year is decided, and where that drops: there the portal changed its layout ---


def _coverage(years: Sequence[JsonRow]) -> Sequence[JsonRow]:
    """The years in order, those without a date last, each with its shares, and marked where these drop against the years before it."""
    shown: list[JsonRow] = []
    for one in years:
        shares = {f"{kind[:-1]}_share": one[f"decided_{kind}"] / one[kind] if one[kind] else 1.0 for kind in ("words", "elements")}
        before = [other for other in shown if other["pages"] >= _FEWEST_OF_A_YEAR][-_YEARS_BEFORE:]
        is_enough = bool(before) and one["year"] is not None and one["pages"] >= _FEWEST_OF_A_YEAR
        drops = (median(other[name] for other in before) - shares[name] > most for name, most in _DROPS.items() if is_enough)
        shown.append({**one, **shares, "layout_change": any(drops)})
    return shown
