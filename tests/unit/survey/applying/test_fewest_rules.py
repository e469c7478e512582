"""Rows and the fewest rules that decide them."""

from __future__ import annotations

import pytest

from webarticlecurator.selectors import Selector
from webarticlecurator.survey.applying.fewest_rules import Plan, fewest_rules
from webarticlecurator.survey.applying.rule_decisions import DecidedRow, Rule
from webarticlecurator.survey.applying.selector_pieces import selector_pieces, specificity
from webarticlecurator.survey.applying.table import TagDecision
from webarticlecurator.survey.tag import Tag

Wanted = dict[str, str | tuple[str, int]]


def cases(wanted: Wanted, farther: str = "", own: dict[str, tuple[int, ...]] | None = None) -> list[DecidedRow]:
    """Rows of one tag name: tag -> operation ("" is undecided), or operation and frequency."""
    tags = [Tag.parse(text) for text in wanted]
    found = []
    for (text, value), tag, pieces in zip(wanted.items(), tags, selector_pieces(tags), strict=True):
        operation, weight = value if isinstance(value, tuple) else (value, 1)
        found.append(
            DecidedRow(
                name=tag.name,
                where="",
                pieces=pieces,
                most_specific=specificity(tag.name, "", pieces),
                weight=weight,
                target=TagDecision(operation),
                farther=TagDecision(farther),
                own=(own or {}).get(text, ()),
            )
        )
    return found


def rules(plan: Plan) -> dict[str, str]:
    return {rule.selector: rule.decision.operation for rule in plan.added}


def decided(wanted: Wanted, plan: Plan) -> list[str]:
    return [plan.decisions.decision(row).operation for row in range(len(wanted))]


@pytest.mark.parametrize(
    ("wanted", "farther", "expected"),
    [
        ({"div.a": "box"}, "", {"div.a": "box"}),
        ({"div": "box"}, "", {"div": "box"}),
        ({"div#main": "box"}, "", {"div#main": "box"}),
        ({"div[data-x]": "box"}, "", {"div[data-x]": "box"}),
        ({"a[rel=tag]": "box", "a[rel=next]": "quote"}, "link", {'a[rel="tag"]': "box", 'a[rel="next"]': "quote"}),
        ({"p.a": "paragraph"}, "paragraph", {}),
        ({"p": "", "p.b": ""}, "", {}),
        ({"div.a": "unwrap"}, "", {"div.a": "unwrap"}),
        ({"div.a.b": "box", "div.a.c": "box", "div.a.d": "box", "div.e": ""}, "", {"div.a": "box"}),
        ({"td.a": "cell", "td.b": "cell", "td": "cell"}, "", {"td": "cell"}),
        ({"p.a": "lead", "p.b": "lead", "p.c": "lead", "p": "box"}, "paragraph", {"p": "box", "p.a": "lead", "p.b": "lead", "p.c": "lead"}),
        ({"td.a": "cell", "td.b": "cell"}, "", {"td.a": "cell", "td.b": "cell"}),
        ({f"td.a{letter}": "cell" for letter in "abcdefghij"}, "", {"td[class]": "cell"}),
        ({"div.a.b": "box", "div.a": "quote", "div.b": "quote"}, "", {"div.a": "quote", "div.b": "quote", "div.a.b": "box"}),
        ({"div.a.b": "box", "div.a": "", "div.b": ""}, "", {"div.a.b": "box"}),
        ({"div": "box", "div.a": "", "div.b": ""}, "", {"div:not([class])": "box"}),
        ({"div.a": "box", "div.a.b": ""}, "", {"div.a:not(.b)": "box"}),
        ({"div.post-*": "box"}, "", {'div[class*="post-"]': "box"}),
        ({"div.post-*": "box", "div.post-body": "quote"}, "", {'div[class*="post-"]:not(.post-body)': "box", "div.post-body": "quote"}),
        ({"div.post-*": "box", "div.x-post-y": ""}, "", {'div[class*="post-"]:not(.x-post-y)': "box"}),
        ({"div.*": "box", "div": ""}, "", {"div[class]": "box"}),
        ({"div.*": "box", "div.a": ""}, "", {"div[class]:not(.a)": "box"}),
        ({"div.md:flex": "box", "div": ""}, "", {"div.md\\:flex": "box"}),
    ],
)
def test_the_fewest_rules(wanted: Wanted, farther: str, expected: dict[str, str]) -> None:
    plan = fewest_rules(cases(wanted, farther), [])
    assert decided(wanted, plan) == [value if isinstance(value, str) else value[0] for value in wanted.values()]
    assert rules(plan) == expected


@pytest.mark.parametrize(
    ("name", "operation", "number"),
    [("div", "unwrap", 12), ("span", "unwrap", 12), ("div", "box", 1), ("td", "unwrap", 1)],
)
def test_of_many_wrappers_that_mean_nothing_it_is_not_concluded_that_all_do(name: str, operation: str, number: int) -> None:
    """A new one has to be shown as undecided."""
    plan = fewest_rules(cases({f"{name}.{letter}": operation for letter in "abcdefghijkl"}), ())
    assert len(plan.added) == number


def test_what_is_unwrapped_already_needs_no_rule_where_a_share_is_enough() -> None:
    wanted: Wanted = {"div.a": ("unwrap", 90), "div.b": ("box", 10)}
    assert rules(fewest_rules(cases(wanted), [], 0.99)) == {"div.b": "box"}


def test_what_is_rare_is_left_where_a_share_is_enough() -> None:
    wanted: Wanted = {"div.a": ("box", 95), "div.b": ("quote", 4), "div.c": ("lead", 1)}
    assert rules(fewest_rules(cases(wanted), [], 0.94)) == {"div.a": "box"}
    assert len(rules(fewest_rules(cases(wanted), [], 0.98))) == 2
    assert len(rules(fewest_rules(cases(wanted), [], 1))) == 3


def test_rows_that_nothing_tells_apart_are_named() -> None:
    assert fewest_rules(cases({"div.a*": "box", "div.a*.a": "quote", "div": ""}), []).clashes == ()
    assert fewest_rules(cases({"div[data-*]": "box", "div": "quote"}), []).clashes == ((0, 1),)


def own(*written: tuple[str, str, list[int]]) -> list[Rule]:
    return [
        Rule(text, Selector.parse(text).specificity, TagDecision(operation), rows, number)
        for number, (text, operation, rows) in enumerate(written)
    ]


def test_a_rule_that_all_its_rows_contradict_is_moved() -> None:
    wanted: Wanted = {"div.a": "box", "div.a.b": "box"}
    plan = fewest_rules(cases(wanted), own(("div.a", "decompose", [0, 1])))
    assert (plan.changed, plan.added) == ({0: TagDecision("box")}, ())


def test_a_rule_that_is_no_longer_needed_goes() -> None:
    wanted: Wanted = {"p.a": "paragraph"}
    plan = fewest_rules(cases(wanted, "paragraph"), own(("p.a", "decompose", [0])))
    assert (plan.changed, plan.added) == ({0: None}, ())


def test_a_rule_that_some_rows_want_stays_and_the_others_get_their_own() -> None:
    wanted: Wanted = {"div.a": "decompose", "div.a.b": "box"}
    plan = fewest_rules(cases(wanted), own(("div.a", "decompose", [0, 1])))
    assert plan.changed == {}
    assert decided(wanted, plan) == ["decompose", "box"]
    assert set(rules(plan).values()) == {"box"}


def test_a_rule_that_only_its_own_tag_contradicts_is_moved_and_the_others_keep_what_they_had() -> None:
    wanted: Wanted = {"div.a": "box", "div.a.b": "decompose", "div.a.c": "decompose"}
    plan = fewest_rules(cases(wanted), own(("div.a", "decompose", [0, 1, 2])))
    assert decided(wanted, plan) == ["box", "decompose", "decompose"]


def test_two_rules_of_one_specificity_never_depend_on_their_order() -> None:
    wanted: Wanted = {"div.a": "box", "div.b": "quote", "div.a.b": "lead", "div.a.c": "box", "div.b.c": "quote", "div.c": ""}
    plan = fewest_rules(cases(wanted), [])
    assert decided(wanted, plan) == ["box", "quote", "lead", "box", "quote", ""]
    for row in range(len(wanted)):
        assert len({rule.decision for rule in plan.decisions.strongest(row)}) <= 1


def test_a_plan_does_not_depend_on_chance() -> None:
    wanted: Wanted = {f"div.c{number}.d{number % 7}": ("box", "quote", "lead", "unwrap")[number % 4] for number in range(60)}
    plans = [rules(fewest_rules(cases(wanted), [])) for _ in range(2)]
    assert plans[0] == plans[1]
