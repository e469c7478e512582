"""What of the proposals becomes lines of a portal file, and what a person is asked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from webarticlecurator.config.load import load_portal
from webarticlecurator.errors import UsageError
from webarticlecurator.learning.answers import LearnedFile, State, check_answers, learned_file
from webarticlecurator.model.proposals import Choice, Plain, Proposal

HEAD = "portal: pelda\nhome: https://pelda.example/\n"
ARCHIVE = "archive:\n  url: https://pelda.example/archive\n  link: h2 a   # every headline\n"


def proposal(path: str, *values: Plain, sure: bool = True, name: str | None = None) -> Proposal:
    choices = tuple(Choice(value=value, reason=f"reason {number}", samples=("a sample",)) for number, value in enumerate(values, start=1))
    return Proposal(name=name or path, path=tuple(path.split(".")), choices=choices, sure=sure)


def learned(text: str, *proposals: Proposal, **answers: int) -> LearnedFile:
    portal = load_portal(Path("portal.yaml"), content=text.encode())
    return learned_file(portal, proposals, {name.replace("_", "."): number for name, number in answers.items()})


def only_state(file: LearnedFile) -> State:
    (decision,) = file.decisions
    return decision.state


def changed(text: str, *proposals: Proposal, **answers: int) -> str:
    return learned(text, *proposals, **answers).after.decode()


ROOT = proposal("body.root", "div.text", "article", sure=False)


def test_what_is_sure_is_written_with_its_reason_as_a_comment() -> None:
    text = changed(HEAD, proposal("language", "hu"))
    assert text == f"{HEAD}# learned: reason 1\n#   a sample\nlanguage: hu\n"


def test_a_key_goes_where_its_neighbours_stand_and_everything_else_stays() -> None:
    before = f"{HEAD}# the archive\n{ARCHIVE}\n# bodies\nbody:   # by hand\n  root:   div.text\n"
    text = changed(before, proposal("archive.item", "article"), proposal("metadata.headline", "h1"))
    archive = ARCHIVE.replace("  link:", "  item: article\n  link:")
    assert text.replace("  # learned: reason 1\n  #   a sample\n", "") == (
        f"{HEAD}# the archive\n{archive}\nmetadata:\n  headline: h1\n\n# bodies\nbody:   # by hand\n  root:   div.text\n"
    )


def test_learning_again_proposes_nothing_that_is_there() -> None:
    proposals = [proposal("body.root", "div.text"), proposal("body.tags.decompose", ["aside", "div.ad"]), proposal("language", "hu")]
    once = changed(HEAD, *proposals)
    again = learned(once, *proposals)
    assert {one.state for one in again.decisions} == {State.THERE}
    assert again.after == again.before


def test_a_persons_own_rule_stays_and_is_shown_beside_the_proposal() -> None:
    file = learned(HEAD + ARCHIVE, proposal("archive.link", "div.list a"))
    assert file.after == file.before
    (decision,) = file.decisions
    assert (decision.state, decision.yours[0].value) == (State.DIFFERS, "h2 a")


def test_an_answer_replaces_a_persons_own_rule() -> None:
    text = changed(HEAD + ARCHIVE, proposal("archive.link", "div.list a"), archive_link=1)
    assert "  # learned: reason 1\n  #   a sample\n  link: div.list a   # every headline\n" in text
    assert "h2 a" not in text


def test_what_is_not_sure_waits_for_an_answer() -> None:
    assert only_state(learned(HEAD, ROOT)) is State.OPEN
    assert "root: article\n" in changed(HEAD, ROOT, body_root=2)


def test_another_answer_takes_the_evidence_of_the_first_one_away() -> None:
    once = changed(HEAD, ROOT, body_root=2)
    again = changed(once, ROOT, body_root=1)
    assert again == once.replace("root: article", "root: div.text").replace("reason 2", "reason 1")


def test_the_evidence_and_the_alternatives_of_a_first_file_go_with_the_line() -> None:
    from webarticlecurator.learning.portal_text import PortalFacts, first_portal_file

    first = first_portal_file(PortalFacts(name="pelda", home="https://pelda.example/"), [ROOT, proposal("posts.comments.item", "li")])
    text = changed(first, ROOT, body_root=2)
    assert "reason 2\n" in text
    assert "NOT SURE" not in text
    assert "or, in its place" not in text
    assert "item: li" in text


def test_a_new_key_does_not_part_a_line_from_its_alternatives() -> None:
    from webarticlecurator.learning.portal_text import PortalFacts, first_portal_file

    first = first_portal_file(PortalFacts(name="pelda", home="https://pelda.example/"), [ROOT])
    text = changed(first, proposal("body.within", "main"))
    assert text.index("or, in its place") < text.index("within: main")


def test_any_choice_that_the_file_says_already_is_settled() -> None:
    assert only_state(learned(f"{HEAD}body: {{root: article}}\n", ROOT)) is State.THERE


def test_an_answer_of_zero_leaves_the_file_as_it_is() -> None:
    file = learned(HEAD, ROOT, body_root=0)
    assert (only_state(file), file.after) == (State.DECLINED, file.before)


def test_no_rule_as_an_answer_is_remembered_as_null() -> None:
    headline = proposal("metadata.headline", None, "h1", sure=False)
    assert only_state(learned(HEAD, headline)) is State.OPEN
    text = changed(HEAD, headline, metadata_headline=1)
    assert "headline: null\n" in text
    assert only_state(learned(text, headline)) is State.THERE
    assert "headline: h1\n" in (with_rule := changed(text, headline, metadata_headline=2))
    assert changed(with_rule, headline, metadata_headline=1) == text


def test_keys_that_belong_together_are_written_together() -> None:
    paging = proposal(
        "archive", {"next": None, "pages": {"mode": "expanding"}, "url": "https://pelda.example/{page}"}, name="archive.paging"
    )
    before = HEAD + ARCHIVE + "  next: a.next\n"
    assert only_state(learned(before, paging)) is State.DIFFERS
    text = changed(before, paging, archive_paging=1)
    assert "next" not in text
    assert "  url: https://pelda.example/{page}\n" in text
    assert text.count("learned") == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "body:\n  tags:\n    decompose:\n    - nav   # menu\n",
            "    - nav   # menu\n    # learned for aside: reason 1\n    #   a sample\n    - aside\n",
        ),
        ("body:\n  tags:\n    decompose: [nav]\n", "    decompose: [nav, aside]\n"),
        ("body:\n  tags:\n    decompose: nav\n", "    decompose: [nav, aside]\n"),
        ("body:\n  tags:\n    decompose:\n", "    decompose: [aside]\n"),
        ("body: {tags: {decompose: [nav]}}\n", "body: {tags: {decompose: [nav, aside]}}\n"),
        ("body: {tags: {decompose: nav}}\n", "body: {tags: {decompose: [nav, aside]}}\n"),
        ("body:\n  tags: {}\n", "    decompose: [aside]\n"),
        ("body:\n", "body:\n  tags:\n    # learned for aside: reason 1\n    #   a sample\n    decompose: [aside]\n"),
        ("body: {root: article}\n", "body: {root: article, tags: {decompose: [aside]}}\n"),
    ],
)
def test_a_list_that_grows_gets_more_items_however_it_is_written(before: str, after: str) -> None:
    text = changed(HEAD + before, proposal("body.tags.decompose", ["aside"]))
    assert after in text
    assert only_state(learned(text, proposal("body.tags.decompose", ["aside"]))) is State.THERE


def test_a_list_of_a_preset_is_added_to() -> None:
    dropped = proposal("archive.urls.drop_params", ["sid"])
    before = f"{HEAD}extends: wordpress\narchive:\n  urls: {{exclude+: [/pr/]}}\n"
    text = changed(before, dropped, proposal("archive.urls.exclude", ["/ad/"]))
    assert "exclude+: [/pr/, /ad/]" in text
    assert "sid" in text


def test_a_column_that_is_only_its_address_gets_keys() -> None:
    before = f"{HEAD}{ARCHIVE}columns:\n  belfold: https://pelda.example/b/{{page}}   # home affairs\n"
    text = changed(before, proposal("columns.belfold.pages", {"mode": "expanding"}))
    belfold = load_portal(Path("portal.yaml"), content=text.encode()).columns[0]
    assert (belfold.template.text, belfold.paging.mode) == ("https://pelda.example/b/{page}", "expanding")
    assert "# home affairs\n" in text


def test_a_proposal_that_the_loader_refuses_is_left_out_with_the_reason() -> None:
    file = learned(HEAD, proposal("body.root", "div[["), proposal("language", "hu"))
    assert [one.state for one in file.decisions] == [State.REFUSED, State.WRITTEN]
    assert file.portal_after.language == "hu"
    assert file.decisions[0].reason


def test_what_only_loads_together_is_written_together() -> None:
    file = learned(HEAD, proposal("archive.url", "https://pelda.example/archive"), proposal("archive.link", "h2 a"))
    assert [one.state for one in file.decisions] == [State.WRITTEN, State.WRITTEN]


def test_an_alias_is_not_written_through() -> None:
    before = f"{HEAD}body:\n  root: &one article\nmetadata:\n  headline: *one\n"
    file = learned(before, proposal("metadata.headline", "h1"), metadata_headline=1)
    assert (only_state(file), file.after) == (State.REFUSED, file.before)


def test_line_ends_and_a_byte_order_mark_stay() -> None:
    portal = load_portal(Path("portal.yaml"), content=b"\xef\xbb\xbf" + HEAD.replace("\n", "\r\n").encode())
    after = learned_file(portal, [proposal("language", "hu")], {}).after
    assert after.startswith(b"\xef\xbb\xbfportal")
    assert after.count(b"\n") == after.count(b"\r\n")


@pytest.mark.parametrize("answers", [{"nothing": 1}, {"body.root": 3}, {"body.root": -1}])
def test_an_answer_to_nothing_is_a_mistake(answers: dict[str, int]) -> None:
    with pytest.raises(UsageError, match=r"--answer"):
        check_answers([ROOT], answers)


def test_a_column_gets_its_own_rule_though_it_inherits_the_same_one() -> None:
    before = f"{HEAD}{ARCHIVE}columns:\n  regi: {{url: https://pelda.example/regi/}}\n"
    own = proposal("columns.regi", {"item": "tr", "link": "h2 a"}, name="columns.regi.link")
    text = changed(before, proposal("archive.link", "div.list a"), own, archive_link=1)
    assert "link: div.list a" in text
    assert "item: tr, link: h2 a" in text


def test_what_a_column_inherits_does_not_keep_it_from_a_rule_of_its_own_when_it_goes() -> None:
    before = f"{HEAD}{ARCHIVE}columns:\n  forum: {{url: https://pelda.example/forum/}}\n"
    own = proposal("columns.forum", {"item": "tr", "link": "td a"}, name="columns.forum.link")
    shared = proposal("archive", {"item": "article", "link": "h2 a"}, {"link": "h3 a"}, name="archive.link")
    assert [one.state for one in learned(before, shared, own).decisions] == [State.DIFFERS, State.DIFFERS]
    for number in (1, 2):
        file = learned(before, shared, own, archive_link=number)
        assert [one.state for one in file.decisions] == [State.WRITTEN, State.WRITTEN]
        assert b"item: tr, link: td a" in file.after
    unsure = learned(before, shared, replace(own, sure=False), archive_link=1)
    assert unsure.of(State.OPEN)[0].proposal.name == "columns.forum.link"
    assert only_state(learned(before, replace(own, is_idle=True))) is State.WRITTEN


def test_another_container_around_a_persons_links_is_another_rule() -> None:
    before = f"{HEAD}{ARCHIVE}"
    shared = proposal("archive", {"item": "article", "link": "h2 a"}, name="archive.link")
    file = learned(before, shared)
    assert (only_state(file), file.decisions[0].yours) == (State.DIFFERS, ((("archive", "link"), "h2 a"),))
    assert "item: article" in changed(before, shared, archive_link=1)


def test_a_switch_is_no_list() -> None:
    assert "urls: {drop_params: [sid], drop_fragment: true}" in changed(
        f"{HEAD}archive:\n  url: https://pelda.example/a\n  link: a\n  urls: {{drop_params: [sid]}}\n",
        proposal("archive.urls.drop_fragment", True),
    )


def test_a_column_without_containers_does_not_inherit_the_one_that_archive_gets() -> None:
    before = f"{HEAD}{ARCHIVE}columns:\n  forum: https://pelda.example/forum/\n"
    shared = proposal("archive", {"item": "article", "link": "h2 a"}, name="archive.link")
    own = proposal("columns.forum", {"item": None, "link": "td a"}, name="columns.forum.link")
    text = changed(before, shared, own, archive_link=1, columns_forum_link=1)
    assert "item: null" in text
    (forum,) = load_portal(Path("portal.yaml"), content=text.encode()).columns
    assert forum.item is None
    assert only_state(learned(text, own)) is State.THERE
    assert "item" not in changed(before, own, columns_forum_link=1)
