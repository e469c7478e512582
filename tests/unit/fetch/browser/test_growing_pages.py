"""Pages that grow: by scrolling and by a button, at once and step by step, with a reason for their end."""

from __future__ import annotations

import re

import pytest
from browser_portal import BrowserPortal, answer

from webarticlecurator.model.capture import Fetched
from webarticlecurator.model.outcome import FetchOutcome as Out
from webarticlecurator.model.rendering import Scrolling

pytestmark = [pytest.mark.browser, pytest.mark.slow]

_SCROLLED = """<!DOCTYPE html><style>article { height: 700px }</style><p id="count"></p><main></main><footer id="foot"></footer><script>
let part = 0, busy = false;
const more = async () => {
  if (busy) return; busy = true;
  const answer = await fetch("/parts/" + part++);
  if (answer.ok) for (const one of await answer.json())
    document.querySelector("main").insertAdjacentHTML("beforeend", `<article><a href="/${one}">${one}</a></article>`);
  document.getElementById("count").textContent = document.querySelectorAll("article").length + " of many";
  busy = false;
};
new IntersectionObserver(seen => seen[0].isIntersecting && more(), {rootMargin: "200px"}).observe(document.getElementById("foot"));
</script>"""
_CLICKED = """<!DOCTYPE html><main><a href="/a0">The first one</a></main><button class="more">More</button><script>
let part = 1;
document.querySelector("button").addEventListener("click", async () => {
  for (const one of await (await fetch("/parts/" + part++)).json())
    document.querySelector("main").insertAdjacentHTML("beforeend", `<a href="/${one}">${one}</a>`);
  if (part > 3) document.querySelector("button").remove();
});</script>"""
_IN_SIGHT = """<!DOCTYPE html><style>body { margin: 0; height: 12000px } a { position: absolute }</style><main></main><script>
const main = document.querySelector("main"), draw = () => {
  const first = Math.max(0, Math.floor(scrollY / 200) - 2), last = Math.min(60, first + 13);
  main.innerHTML = "";
  for (let one = first; one < last; one++) main.innerHTML += `<a href="/v${one}" style="top: ${one * 200}px">v${one}</a>`;
};
addEventListener("scroll", draw); draw();</script>"""
"""Sixty rows, of which only those in sight are there."""
_PAUSING = """<!DOCTYPE html><main></main><button class="more">More</button><script>
let number = 0;
const button = document.querySelector("button"), main = document.querySelector("main"), add = () => {
  for (let end = number + 4; number < end; number++) main.insertAdjacentHTML("beforeend", `<a href="/n${number}">${number}</a>`);
};
add();
button.onclick = () => { add(); REST; setTimeout(() => number < 12 && BACK, 1500) };</script>"""


def links(fetched: Fetched) -> list[str]:
    assert fetched.capture is not None, fetched.verdict
    return re.findall(r'href="/(\w+)"', fetched.capture.entity.decode())


def give_parts(portal: BrowserPortal, *, parts: int = 4, each: int = 4) -> None:
    for old in [path for path in portal.server.answers if path.startswith("/parts/")]:
        del portal.server.answers[old]
    for part in range(parts):
        portal.give(f"/parts/{part}", "[" + ", ".join(f'"p{part}n{number}"' for number in range(each)) + "]")


def everything(parts: int = 4, each: int = 4) -> list[str]:
    return [f"p{part}n{number}" for part in range(parts) for number in range(each)]


def walk(portal: BrowserPortal, path: str, **rendering: object) -> list[Fetched]:
    """All steps of a page."""
    fetched = [portal.show(path, **rendering)]
    while fetched[-1].rendered is not None and not (fetched[-1].rendered.end or fetched[-1].rendered.limit):
        fetched.append(portal.show(path, step=len(fetched), **rendering))
    return fetched


def test_a_page_is_scrolled_to_its_end(portal: BrowserPortal) -> None:
    portal.page("/scrolled", _SCROLLED)
    give_parts(portal)
    fetched = portal.show("/scrolled", scroll=Scrolling())
    assert links(fetched) == everything()
    assert fetched.rendered is not None
    assert (fetched.rendered.end, fetched.rendered.limit) == ("nothing new after 3 attempts, and nothing is loading", None)


def test_scrolling_goes_as_far_as_it_is_told(portal: BrowserPortal) -> None:
    portal.page("/scrolled", _SCROLLED)
    give_parts(portal, parts=9)
    until = portal.show("/scrolled", scroll=Scrolling(until='a[href="/p2n1"]'))
    assert until.rendered is not None
    assert until.rendered.end == '"a[href="/p2n1"]" has come'
    assert 12 <= len(links(until)) < 36
    most = portal.show("/scrolled", scroll=Scrolling(most=1))
    assert most.rendered is not None
    assert most.rendered.limit == "after 1 steps of scrolling more may come"


def test_each_step_shows_what_is_new(portal: BrowserPortal) -> None:
    portal.page("/scrolled", _SCROLLED)
    give_parts(portal)
    steps = walk(portal, "/scrolled", scroll=Scrolling(), steps="scroll")
    assert [link for step in steps for link in links(step)] == everything()
    assert len(steps) > 2
    assert [step.rendered.step for step in steps if step.rendered is not None] == list(range(len(steps)))
    assert [len(step.exchanges) for step in steps] == [1] + [0] * (len(steps) - 1), "the document is asked for once"
    assert "of many" in steps[1].capture.entity.decode(), "also an old element with another text"  # type: ignore[union-attr]
    assert steps[-1].rendered is not None
    assert steps[-1].rendered.end == "nothing new after 3 attempts, and nothing is loading"


def test_a_page_that_was_closed_between_steps_gives_all_again(portal: BrowserPortal) -> None:
    portal.page("/scrolled", _SCROLLED)
    give_parts(portal)
    rendering = {"scroll": Scrolling(), "steps": "scroll"}
    portal.show("/scrolled", **rendering)
    portal.source._engine.run(portal.source._engine.replace)
    second = portal.show("/scrolled", step=2, **rendering)
    assert links(second)[:4] == everything()[:4]
    assert len(second.exchanges) == 1
    third = portal.show("/scrolled", step=3, **rendering)
    assert third.exchanges == ()
    assert not set(links(third)) & set(links(second))


def test_data_that_cannot_be_had_is_no_end(portal: BrowserPortal) -> None:
    portal.page("/scrolled", _SCROLLED)
    give_parts(portal, parts=2)
    portal.server.answers["/parts/2"] = answer("no", status="503 Busy")
    steps = walk(portal, "/scrolled", scroll=Scrolling(), steps="scroll")
    assert steps[-1].rendered is not None
    assert steps[-1].rendered.end is None
    assert str(steps[-1].rendered.limit).endswith("/parts/2 could not be had: HTTP 503")


def test_a_button_is_clicked_until_it_is_gone(portal: BrowserPortal) -> None:
    portal.page("/clicked", _CLICKED)
    give_parts(portal)
    steps = walk(portal, "/clicked", scroll=Scrolling(), steps="click", button="button.more")
    assert [link for step in steps for link in links(step)] == ["a0", *everything()[4:]]
    assert steps[-1].rendered is not None
    assert steps[-1].rendered.end == "the button is gone"
    assert len(steps) == 4


def test_a_button_that_never_was_there_is_told(portal: BrowserPortal) -> None:
    portal.page("/clicked", _CLICKED)
    steps = walk(portal, "/clicked", scroll=Scrolling(), steps="click", button="button.mehr")
    assert steps[-1].rendered is not None
    assert steps[-1].rendered.end == 'there is no button "button.mehr"'


def test_a_button_that_is_a_link_to_another_page_is_no_end(portal: BrowserPortal) -> None:
    portal.page("/linked", '<a class="more" href="/linked?page=2">More</a>')
    steps = walk(portal, "/linked", scroll=Scrolling(), steps="click", button="a.more")
    assert steps[-1].rendered is not None
    assert str(steps[-1].rendered.limit).startswith("the button leads to another page")
    assert steps[-1].verdict.outcome is Out.FETCHED


def test_a_list_that_keeps_only_what_is_in_sight_is_read_whole(portal: BrowserPortal) -> None:
    portal.page("/in-sight", _IN_SIGHT)
    steps = walk(portal, "/in-sight", scroll=Scrolling(), steps="scroll")
    assert {link for step in steps for link in links(step)} == {f"v{number}" for number in range(60)}
    assert steps[-1].rendered is not None
    assert steps[-1].rendered.end == "nothing new after 3 attempts, and nothing is loading"


def test_what_has_gone_while_a_page_was_scrolled_is_told(portal: BrowserPortal) -> None:
    portal.page("/in-sight", _IN_SIGHT)
    fetched = portal.show("/in-sight", scroll=Scrolling())
    assert fetched.rendered is not None
    assert str(fetched.rendered.limit).endswith("links and paragraphs that were seen while it was scrolled do not stand there any more")


@pytest.mark.parametrize(
    ("rest", "back"),
    [
        ("button.disabled = true", "(button.disabled = false)"),
        ("button.style.display = 'none'", "(button.style.display = '')"),
    ],
)
def test_a_button_that_rests_is_waited_for(portal: BrowserPortal, rest: str, back: str) -> None:
    portal.page("/pausing", _PAUSING.replace("REST", rest).replace("BACK", back))
    steps = walk(portal, "/pausing", scroll=Scrolling(), steps="click", button="button.more")
    assert [link for step in steps for link in links(step)] == [f"n{number}" for number in range(12)]


def test_a_button_that_goes_because_data_could_not_be_had_is_no_end(portal: BrowserPortal) -> None:
    portal.page("/fails", _PAUSING.replace("add(); REST", "fetch('/parts/9').then(() => button.remove())").replace("BACK", "0"))
    portal.server.answers["/parts/9"] = answer("no", status="503 Busy")
    last = walk(portal, "/fails", scroll=Scrolling(), steps="click", button="button.more")[-1].rendered
    assert last is not None
    assert (last.end, str(last.limit).endswith("/parts/9 could not be had: HTTP 503")) == (None, True)


_FOOT = """<!DOCTYPE html><style>a { display: block; height: 500px }</style><main></main><p id="foot">foot</p><script>
let number = 0, busy = false;
const main = document.querySelector("main"), add = () => {
  for (let end = number + 4; number < end; number++) main.insertAdjacentHTML("beforeend", `<a href="/n${number}">${number}</a>`);
  busy = false;
};
add();
new IntersectionObserver(seen => { if (seen[0].isIntersecting && number < 12 && !busy) { busy = true; MORE } }).observe(foot);</script>"""


def test_a_list_that_takes_its_time_without_loading_is_waited_for(portal: BrowserPortal) -> None:
    portal.page("/late", _FOOT.replace("MORE", "setTimeout(add, 4000)"))
    steps = walk(portal, "/late", scroll=Scrolling(), steps="scroll")
    assert [link for step in steps for link in links(step)] == [f"n{number}" for number in range(12)]


def test_errors_in_the_place_of_data_are_no_end(portal: BrowserPortal) -> None:
    portal.page("/graph", _FOOT.replace("MORE", "fetch('/graphql', {method: 'POST', body: '{list}'})"))
    portal.give("/graphql", '{"errors": [{"message": "internal error"}], "data": null}')
    steps = walk(portal, "/graph", scroll=Scrolling(), steps="scroll")
    assert steps[-1].rendered is not None
    assert (steps[-1].rendered.end, str(steps[-1].rendered.limit).endswith("/graphql was answered with errors")) == (None, True)
