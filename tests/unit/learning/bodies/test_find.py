"""From pages to rules: each test writes what is sure into a portal file, loads it, and reads the pages by it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path

import pytest
from invented_articles import paragraphs, sentence, written

from webarticlecurator.config.expectations import parse_expectations
from webarticlecurator.config.portal import Portal
from webarticlecurator.labelling.text_blocks import TextBlock
from webarticlecurator.learning.answers import State, learned_file
from webarticlecurator.learning.bodies import BodyFindings, Truth, find_bodies, layout_entry, places, truths_in
from webarticlecurator.learning.bodies.reading import Reader
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Plain, Proposal
from webarticlecurator.report.measures import fingerprint

PortalOf = Callable[..., Portal]
PageOf = Callable[..., Page]


def story(page_of: PageOf, number: int, *, before: str = "", inside: str = "", behind: str = "", name: str = "story") -> Page:
    """A page whose article has a text of its own, with something in its midst, and before and behind it."""
    first, *rest = paragraphs(100 * number)
    body = f"<h1>Story number {number} of the river</h1><div class={name}>{before}{written([first])}{inside}{written(rest)}{behind}</div>"
    return page_of(body, f"https://pelda.example/201{number}/05/01/{number}", title=f"Story number {number} of the river")


def text_of(page: Page, portal: Portal) -> list[str]:
    return Reader(portal, {}).read(page).article.text.split("\n")


def after(portal: Portal, findings: BodyFindings, answers: Mapping[str, int] | None = None) -> Portal:
    """The portal by the file in which the proposals were written; none is one that the loader would refuse."""
    file = learned_file(portal, findings.learned.proposals, answers or {})
    assert not file.of(State.REFUSED)
    return file.portal_after


def values(findings: BodyFindings, *, sure: bool = True) -> dict[str, Plain]:
    return {one.name: one.choices[0].value for one in findings.learned.proposals if one.sure is sure}


def of_name(findings: BodyFindings, name: str) -> Proposal:
    return next(one for one in findings.learned.proposals if one.name == name)


# --- layouts ---


def test_pages_whose_text_stands_in_another_element_are_another_layout(portal_of: PortalOf, page_of: PageOf) -> None:
    old = [page_of(f"<table><td class=old>{written(paragraphs(90 * n))}", f"https://pelda.example/200{n}/05/01/a") for n in range(1, 3)]
    new = [story(page_of, n, name="new") for n in range(1, 4)]
    layouts = find_bodies([*old, *new], portal=portal_of()).layouts
    assert [(one.root, len(one.urls), one.first, one.last) for one in layouts] == [
        ("div.new", 3, date(2011, 5, 1), date(2013, 5, 1)),
        ("td.old", 2, date(2001, 5, 1), date(2002, 5, 1)),
    ]
    assert layout_entry(layouts[1], {"root": "td.old"}) == {"name": "old", "when": "td.old", "body": {"root": "td.old"}}


def test_pages_whose_text_stands_in_nothing_that_has_a_name_cost_the_others_no_rule(portal_of: PortalOf, page_of: PageOf) -> None:
    def nameless(number: int) -> Page:
        return page_of(f"{'<div>' * 5}<section>{written(paragraphs(60 * number))}", f"https://pelda.example/{number}")

    pages = [story(page_of, n) for n in range(1, 4)] + [nameless(n) for n in range(4, 11)]
    assert [layout.root for layout in find_bodies(pages, portal=portal_of()).layouts] == ["div.story", ""]


def test_where_the_general_finder_does_as_well_nothing_is_proposed_and_that_is_said(portal_of: PortalOf, page_of: PageOf) -> None:
    found = find_bodies([story(page_of, n) for n in range(1, 5)], portal=portal_of())
    assert found.learned.proposals == ()
    assert any("as well as a rule would" in remark for remark in found.learned.remarks)


@pytest.mark.parametrize("taken", ["story", "guide"])
def test_where_most_pages_have_their_text_a_page_that_has_it_too_is_read_there_if_the_labeller_agrees(
    portal_of: PortalOf, page_of: PageOf, monkeypatch: pytest.MonkeyPatch, taken: str
) -> None:
    def shares(blocks: Sequence[TextBlock]) -> list[float]:
        return [float(any(one.get("class") == taken for one in block.element.iterancestors())) for block in blocks]

    monkeypatch.setattr(places, "content_shares", shares)
    pages = [story(page_of, n) for n in range(1, 6)]
    texts, other = paragraphs(700, 3), paragraphs(800, 12)
    body = f"<div class=story>{written(texts)}</div><div class=guide>{written(other)}</div>"
    pages.append(page_of(body, "https://pelda.example/2016/05/01/6"))
    portal = portal_of()
    assert text_of(pages[-1], portal) == other
    found = find_bodies(pages, portal=portal)
    assert values(found) == ({"body.within": "div.story"} if taken == "story" else {})
    assert text_of(pages[-1], after(portal, found)) == (texts if taken == "story" else other)


def test_pages_on_which_the_root_of_the_portal_finds_nothing_become_a_layout(portal_of: PortalOf, page_of: PageOf) -> None:
    portal = portal_of("body:\n  root: div.story\n")
    new = [story(page_of, n, name="redesigned") for n in range(4, 8)]
    found = find_bodies([*(story(page_of, n) for n in range(1, 4)), *new], portal=portal)
    entry = {"name": "redesigned", "when": "div.redesigned", "body": {"root": "div.redesigned"}}
    assert values(found) == {"layouts.redesigned": [entry]}
    assert text_of(new[0], portal) == [""]
    assert text_of(new[0], after(portal, found)) == paragraphs(400)


# --- what pages repeat ---


def test_what_several_pages_say_in_elements_of_one_name_is_left_out(portal_of: PortalOf, page_of: PageOf) -> None:
    pages = [story(page_of, n, inside="<p class=plea>Give us your address and we send you the river news.</p>") for n in range(1, 4)]
    portal = portal_of()
    found = find_bodies(pages, portal=portal)
    assert values(found) == {"body.tags.decompose": ["p.plea"]}
    assert [text_of(page, after(portal, found)) for page in pages] == [paragraphs(100 * n) for n in range(1, 4)]


def test_a_box_amid_the_text_of_some_articles_is_asked_about_and_one_below_it_is_not(portal_of: PortalOf, page_of: PageOf) -> None:
    box = "<div class=places><p>The mill by the old bridge</p><p>Open on every day of the week</p></div>"
    pages = [story(page_of, n, inside=box if n < 4 else "", behind="" if n < 4 else box) for n in range(1, 11)]
    few, all_below = pages[:3] + [story(page_of, n) for n in range(4, 11)], [story(page_of, n) for n in range(1, 8)] + pages[7:]
    assert "body.tags.decompose" not in values(find_bodies(few, portal=portal_of()))
    assert any("div.places" in str(value) for value in values(find_bodies(few, portal=portal_of()), sure=False).values())
    assert values(find_bodies(all_below, portal=portal_of()))["body.tags.decompose"] == ["div.places"]


def test_headings_of_one_name_are_asked_about_for_the_text_that_many_pages_have(portal_of: PortalOf, page_of: PageOf) -> None:
    heads = ("What now?", "The river", "Numbers")
    rare = [story(page_of, n, inside=f"<h2 class=anchor>{heads[n % 3]}</h2>") for n in range(1, 10)]
    often = [story(page_of, n, inside=f"<h2 class=anchor>{heads[n % 2]}</h2>") for n in range(1, 10)]
    assert values(find_bodies(rare, portal=portal_of()), sure=False) == {}
    question = of_name(find_bodies(often, portal=portal_of()), "body.tags.h2.anchor")
    assert [choice.value for choice in question.choices] == [{name: ["h2.anchor"]} for name in ("decompose", "heading")]
    assert question.choices[0].reason == "it says one of 2 texts that several pages have on 9 of 9 pages"


def test_what_has_no_name_is_known_by_what_it_says(portal_of: PortalOf, page_of: PageOf) -> None:
    pages = [story(page_of, n, inside='<p>Give us your "address" and we send you the river news.</p>') for n in range(1, 4)]
    portal = portal_of()
    found = find_bodies(pages, portal=portal)
    assert values(found) == {"body.tags.decompose": ["p:contains('Give us your \"address\" and we send you the river news.')"]}
    assert text_of(pages[0], after(portal, found)) == paragraphs(100)


def test_a_name_that_stands_for_other_texts_too_or_for_pictures_is_not_used(portal_of: PortalOf, page_of: PageOf) -> None:
    note, picture = "<p class=note>Give us your address and we send you the river news.</p>", "<p class=note><img src=/a.jpg></p>"
    own = [f"<p class=note>{sentence(900 + n)}</p>" for n in range(4)]
    for other in (own, [picture] * 4):
        found = find_bodies([story(page_of, n, inside=note + other[n]) for n in range(1, 4)], portal=portal_of())
        assert values(found) == {"body.tags.decompose": ['p:contains("Give us your address and we send you the river news.")']}


def test_a_short_text_on_most_pages_is_asked_about(portal_of: PortalOf, page_of: PageOf) -> None:
    pages = [story(page_of, n, inside="<p class=sign>The river</p>" if n < 4 else "") for n in range(1, 6)]
    portal = portal_of()
    found = find_bodies(pages, portal=portal)
    assert values(found) == {}
    assert of_name(found, "body.tags.p.sign").question == "Is “The river” in p.sign the site's, and not the article's?"
    assert text_of(pages[0], after(portal, found, {"body.tags.p.sign": 1})) == paragraphs(100)


def test_what_a_rule_names_is_not_asked_about_again(portal_of: PortalOf, page_of: PageOf) -> None:
    pages = [story(page_of, n, inside="<div class=sign><p>The river news of the week</p></div>" if n < 4 else "") for n in range(1, 6)]
    for rule, asked in (("box: [div.sign]", False), ("paragraph: [p]", True)):
        found = find_bodies(pages, portal=portal_of(f"body: {{tags: {{{rule}}}}}\n"))
        assert any("div.sign" in one.name for one in found.learned.proposals) == asked


def test_a_question_of_some_interviews_is_not_surely_the_sites(portal_of: PortalOf, page_of: PageOf) -> None:
    question = "<p>What do you think of the river that runs through your town?</p>"
    of_two, of_three = ([story(page_of, n, inside=question if n <= most else "") for n in range(1, 10)] for most in (2, 3))
    assert find_bodies(of_two, portal=portal_of()).learned.proposals == ()
    found = find_bodies(of_three, portal=portal_of())
    assert values(found) == {}
    assert [one.choices[0].reason for one in found.learned.proposals] == ["it says the same on 3 of 9 pages"]


@pytest.mark.parametrize("tag", ["h2", "pre"])
def test_headings_and_code_that_come_again_stay(portal_of: PortalOf, page_of: PageOf, tag: str) -> None:
    again = f"<{tag} class=usual>How we looked at it and what we found there in the end</{tag}>"
    assert values(find_bodies([story(page_of, n, inside=again) for n in range(1, 4)], portal=portal_of())) == {}


@pytest.mark.parametrize("tag", ["dl><dt>Sluice</dt><dd", "ul><li", "ol><li", "table><tr><td"])
def test_what_lists_and_tables_of_some_articles_say_again_is_not_asked_about(portal_of: PortalOf, page_of: PageOf, tag: str) -> None:
    again = f"<{tag}>A board that is let down between two walls and shuts off the water</{tag.rpartition('<')[2]}>"
    pages = [story(page_of, n, inside=again if n < 4 else "") for n in range(1, 11)]

    assert find_bodies(pages, portal=portal_of()).learned.proposals == ()


def test_an_item_without_a_name_that_most_pages_have_is_the_sites(portal_of: PortalOf, page_of: PageOf) -> None:
    again = "<ul><li>Give us your address and we send you the river news.</li></ul>"
    pages = [story(page_of, n, inside=again) for n in range(1, 6)]

    found = find_bodies(pages, portal=portal_of())

    assert values(found) == {"body.tags.decompose": ['li:contains("Give us your address and we send you the river news.")']}


def test_an_article_that_is_stored_under_two_addresses_repeats_nothing(portal_of: PortalOf, page_of: PageOf) -> None:
    pages = [story(page_of, 1), story(page_of, 1), story(page_of, 2)]
    assert values(find_bodies(pages, portal=portal_of())) == {}


def test_the_credit_of_a_picture_may_come_again(portal_of: PortalOf, page_of: PageOf) -> None:
    picture = "<figure class=lead><img src=/a.jpg><figcaption>A photograph by the agency of the river harbour</figcaption></figure>"
    assert values(find_bodies([story(page_of, n, inside=picture) for n in range(1, 4)], portal=portal_of())) == {}


# --- one corrected page teaches ---


def corrected(page: Page, texts: Sequence[str]) -> tuple[Truth, ...]:
    """What stands in tests.yaml of a page that a person looked at."""
    lines = "".join(f"\n      - {text!r}" for text in texts)
    written_down = f"- url: {page.url}\n  expect:\n    contains:{lines}\n    paragraphs: {len(texts)}\n"
    return truths_in(parse_expectations(written_down.encode(), Path("tests.yaml")))


def test_what_is_not_among_the_paragraphs_of_a_corrected_page_is_left_out_of_all(portal_of: PortalOf, page_of: PageOf) -> None:
    pages = [story(page_of, n, inside=f"<p class=aside-story>{sentence(900 + n)}</p>") for n in range(1, 4)]
    portal = portal_of()
    assert values(find_bodies(pages, portal=portal)) == {}
    found = find_bodies(pages, corrected(pages[0], paragraphs(100)), portal=portal)
    assert values(found) == {"body.tags.decompose": ["p.aside-story"]}
    assert text_of(pages[2], after(portal, found)) == paragraphs(300)


@pytest.mark.parametrize("count", [2, 6])
def test_code_and_lists_behind_the_last_paragraph_of_a_page_that_is_right_stay(count: int, portal_of: PortalOf, page_of: PageOf) -> None:
    def page(number: int) -> Page:
        end = f"<h2>{sentence(700 + number)}</h2><div class=code><pre>one {number}\ntwo\nthree</pre></div>"
        listed = "".join(f"<li>{sentence(800 + 9 * number + item)}</li>" for item in range(3))
        texts = written(paragraphs(100 * number, count))
        return page_of(
            f"<article><div class=story>{texts}{end}<ul class=list>{listed}</ul></div></article>", f"https://pelda.example/{number}"
        )

    pages = [page(number) for number in range(1, 4)]
    first, *_, last = paragraphs(100, count)
    truths = truths_in(parse_expectations(f"- url: {pages[0].url}\n  expect:\n    contains:\n      - {first!r}\n      - {last!r}\n"
                                          f"    paragraphs: {count + 3}\n".encode(), Path("tests.yaml")))  # fmt: skip
    assert values(find_bodies(pages, truths, portal=portal_of())) == {}


def test_what_is_among_them_and_was_left_out_is_kept(portal_of: PortalOf, page_of: PageOf) -> None:
    pages = [story(page_of, n, inside=f"<div class=newsletter-story><p>{sentence(900 + n)}</p></div>") for n in range(1, 4)]
    portal = portal_of()
    assert sentence(902) not in text_of(pages[1], portal)
    first, *rest = paragraphs(100)
    found = find_bodies(pages, corrected(pages[0], [first, sentence(901), *rest]), portal=portal)
    assert values(found) == {"body.tags.unwrap": ["div.newsletter-story"]}
    assert sentence(902) in text_of(pages[1], after(portal, found))


def test_a_corrected_page_says_where_the_text_is(portal_of: PortalOf, page_of: PageOf) -> None:
    def page(number: int) -> Page:
        guide, texts = written(paragraphs(1000 + 50 * number, 12)), written(paragraphs(100 * number, 3))
        return page_of(f"<div class=guide>{guide}</div><div class=report>{texts}</div>", f"https://pelda.example/{number}")

    pages, portal = [page(1)], portal_of()
    found = find_bodies(pages, corrected(pages[0], paragraphs(100, 3)), portal=portal)
    assert values(found) == {"body.within": "div.report"}
    assert text_of(page(2), after(portal, found)) == paragraphs(200, 3)


def test_what_pages_repeat_stays_where_a_corrected_page_has_it(portal_of: PortalOf, page_of: PageOf) -> None:
    motto = "Nobody measures the river twice, as they say in the harbour."
    pages = [story(page_of, n, inside=f"<p class=motto>{motto}</p>") for n in range(1, 4)]
    first, *rest = paragraphs(100)
    assert values(find_bodies(pages, corrected(pages[0], [first, motto, *rest]), portal=portal_of())) == {}


@pytest.mark.parametrize("hashed", [False, True])
def test_a_text_that_must_not_be_there_teaches_too_even_as_a_hash(portal_of: PortalOf, page_of: PageOf, hashed: bool) -> None:
    pages = [story(page_of, n, inside=f"<p class=aside-story>{sentence(900 + n)}</p>") for n in range(1, 4)]
    unwanted = fingerprint(sentence(901)) if hashed else sentence(901)
    found = find_bodies(pages, [Truth(url=pages[0].url, lacks=(unwanted,))], portal=portal_of())
    assert values(found) == {"body.tags.decompose": ["p.aside-story"]}


def test_rules_for_one_page_alone_are_carried_to_its_layout(portal_of: PortalOf, page_of: PageOf) -> None:
    pages = [story(page_of, n, inside=f"<p class=aside-story>{sentence(900 + n)}</p>") for n in range(1, 4)]
    rules = "layouts:\n  - name: tried\n    url: /05/01/1$\n    body:\n      root: div.story\n      tags: {decompose: [p.aside-story]}\n"
    portal = portal_of(rules)
    found = find_bodies(pages, portal=portal)
    assert values(found) == {"body.root": "div.story", "body.tags.decompose": ["p.aside-story"]}
    assert text_of(pages[2], after(portal, found)) == paragraphs(300)


def test_expectations_that_nothing_on_the_page_has_are_told(portal_of: PortalOf, page_of: PageOf) -> None:
    pages = [story(page_of, n) for n in range(1, 3)]
    found = find_bodies(pages, [Truth(url="https://pelda.example/elsewhere", contains=("A text",))], portal=portal_of())
    assert "Nothing of what the file of expectations says could be found on its pages." in found.learned.remarks


# --- undecided tags ---


def test_a_tag_that_nobody_decides_is_asked_about_with_what_speaks_for_each_answer(portal_of: PortalOf, page_of: PageOf) -> None:
    pages = [story(page_of, n, inside=f"<div class=tabella><p>{sentence(900 + n)}</p></div>") for n in range(1, 4)]
    portal = portal_of()
    found = find_bodies(pages, portal=portal)
    question = of_name(found, "body.tags.div.tabella")
    assert not question.sure
    assert [choice.value for choice in question.choices] == [{name: ["div.tabella"]} for name in ("unwrap", "decompose", "box")]
    assert sentence(903) in text_of(pages[2], after(portal, found, {question.name: 1}))
    assert sentence(903) not in text_of(pages[2], after(portal, found, {question.name: 2}))


# --- many pages, and odd ones ---


def test_of_many_pages_some_are_read_and_that_is_told(portal_of: PortalOf, page_of: PageOf) -> None:
    pages = [page_of(f"<div class=story>{written(paragraphs(7 * n))}</div>", f"https://pelda.example/{n}") for n in range(70)]
    found = find_bodies(pages, [Truth(url=pages[-1].url, text="\n".join(paragraphs(7 * 69)))], portal=portal_of())
    assert any(remark.startswith("10 more pages were not looked at") for remark in found.learned.remarks)


@pytest.mark.slow
def test_a_page_with_thirty_thousand_links_ends_in_time_and_says_what_was_left_out(portal_of: PortalOf, page_of: PageOf) -> None:
    links = "".join(f"<a class=x{n} href=/{n}>Link {n}</a> " for n in range(30_000))
    pages = [story(page_of, 1, behind=f"<div class=all>{links}</div>"), story(page_of, 2)]
    found = find_bodies(pages, [Truth(url=pages[0].url, text="\n".join(paragraphs(100)))], portal=portal_of())
    assert any("elements were read" in remark for remark in found.learned.remarks)
    assert len(found.learned.proposals) < 10


def test_a_corrected_page_does_not_take_the_text_of_others(portal_of: PortalOf, page_of: PageOf) -> None:
    first = story(page_of, 1, inside=f"<div class=dispatch><p>{sentence(900)}</p></div>")
    others = [
        page_of(f"<div class=story><div class=dispatch>{written(paragraphs(100 * n))}</div></div>", f"https://pelda.example/{n}")
        for n in (2, 3)
    ]
    portal = portal_of()
    found = find_bodies([first, *others], corrected(first, paragraphs(100)), portal=portal)
    assert text_of(others[0], after(portal, found)) == paragraphs(200)


def test_pages_without_an_article_teach_nothing(portal_of: PortalOf, page_of: PageOf) -> None:
    found = find_bodies([page_of(""), page_of("<form><input></form>", "https://pelda.example/2")], portal=portal_of())
    assert (found.layouts, found.learned.proposals) == ((), ())
    assert find_bodies([], portal=portal_of()).layouts == ()
