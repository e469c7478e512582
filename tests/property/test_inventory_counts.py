"""Whatever pages are like: what is counted of them is what is there, in whatever portions they are looked at."""

from __future__ import annotations

import pickle
from collections import Counter

from decided_on_pages import page_of, stored
from hypothesis import given
from hypothesis import strategies as st
from trial_portal import portal_of

from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.body.general_table import UNSEEN
from webarticlecurator.model.page import Page
from webarticlecurator.survey.inventory.tag_counts import TagCounts
from webarticlecurator.survey.inventory.tag_question import TagQuestion
from webarticlecurator.survey.tag import simplified

_PORTAL: Portal = portal_of(body={"root": "article"})
_TAGS = ("p", "div", "span", "b", "a", "li", "script", "noscript", "table", "td", "h2", "x-y", "br")
_ATTRIBUTES = (
    "",
    "class=a",
    "class='a b'",
    "class=post-1",
    "class=post-2",
    "id=x",
    "href=/1",
    "href=/2",
    "style=color:red",
    "=x",
)
_HTML = st.recursive(
    st.sampled_from(("", "word", " two words ", "<!-- comment -->", "&amp;", "Read more about it here")),
    lambda inner: st.builds(
        lambda tag, attributes, children: f"<{tag} {attributes}>{''.join(children)}</{tag}>",
        st.sampled_from(_TAGS),
        st.sampled_from(_ATTRIBUTES),
        st.lists(inner, max_size=4),
    ),
    max_leaves=15,
)
_PAGES = st.lists(st.lists(_HTML, max_size=3).map(lambda inner: page_of(f"<article>{''.join(inner)}</article><p>outside</p>")), max_size=6)


def _counted(portions: list[list[tuple[int, Page]]], *, travelling: bool) -> TagCounts:
    """Each portion in a tally of its own, by one question; the URL and the year tell the pages apart."""
    question, whole = TagQuestion(_PORTAL), TagCounts()
    for portion in portions:
        tally = question.tally()
        for number, page in portion:
            question.look(page, stored(f"https://pelda.example/{number}", 2000 + number % 4), tally)
        whole.join(pickle.loads(pickle.dumps(tally)) if travelling else tally)
    return whole


def _told(counts: TagCounts) -> dict[str, object]:
    return {
        "nodes": list(counts.tree.nodes()),
        "years": counts.years,
        "pages": counts.row_pages,
        "examples": counts.examples,
        "texts": counts.texts,
        "start tags": (counts.start_tags.count, counts.start_tags_with_text.count),
    }


@given(_PAGES)
def test_every_element_and_every_word_is_counted_once(pages: list[Page]) -> None:
    found = _counted([list(enumerate(pages))], travelling=False)

    frequencies: Counter[str] = Counter()
    words: Counter[str] = Counter()
    tags = [step.tag for step in found.tree.steps]
    for node, years in enumerate(found.tree.figures):
        for one in years.values():
            frequencies[tags[node].text] += one.frequency
            words[tags[node].text] += one.own_words

    expected: Counter[str] = Counter()
    own: Counter[str] = Counter()
    for page in pages:
        assert page.tree is not None
        for element in page.tree.iter():
            around = [element, *element.iterancestors()]
            if not any(one.tag == "article" for one in around) or any(one.tag in UNSEEN for one in around):
                continue
            text = simplified(element.tag, element.items()).text
            expected[text] += 1
            own[text] += len(f"{element.text or ''}".split()) + sum(len((child.tail or "").split()) for child in element)
    assert frequencies == expected
    assert +words == +own


@given(_PAGES)
def test_what_is_in_a_node_is_what_is_in_its_children_and_its_own(pages: list[Page]) -> None:
    tree = _counted([list(enumerate(pages))], travelling=False).tree

    for node in range(len(tree)):
        for year, one in tree.figures[node].items():
            below = [tree.figures[other] for other in range(len(tree)) if tree.parents[other] == node]
            children = [years[year] for years in below if year in years]
            assert one.words == one.own_words + sum(child.words for child in children)
            assert one.descendants == sum(child.descendants + child.frequency for child in children)
            assert one.words >= one.link_words >= sum(child.link_words for child in children)
            assert all(child.pages <= one.pages <= one.frequency for child in children)


@given(_PAGES, st.integers(1, 4))
def test_portions_and_processes_make_no_difference(pages: list[Page], size: int) -> None:
    numbered = list(enumerate(pages))
    portions = [numbered[start : start + size] for start in range(0, len(numbered), size)]

    assert _told(_counted([numbered], travelling=False)) == _told(_counted(portions, travelling=True))
