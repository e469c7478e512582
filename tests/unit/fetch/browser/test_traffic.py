"""What a page leads to, sets and asks for: redirects by any means, cookies, robots.txt, pace, and what pages have in common."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta

import pytest
from browser_portal import HOST, BrowserPortal, answer

from webarticlecurator.fetch.browser.limits import BrowserLimits
from webarticlecurator.model.outcome import FetchOutcome as Out

pytestmark = [pytest.mark.browser, pytest.mark.slow]

_AT = f"http://{HOST}"


def redirect(to: str) -> bytes:
    return answer("", "text/html", f"Location: {to}", status="302 Found")


def asked(portal: BrowserPortal, path: str) -> list[bytes]:
    return [request for request in portal.server.requests if request.split(b" ", 2)[1].decode() == path]


def test_a_redirect_is_followed_by_our_own_client(portal: BrowserPortal) -> None:
    portal.server.answers["/old"] = redirect("/new/place")
    portal.page("/new/place", '<a href="next">n</a><script>document.body.append(location.pathname)</script>')
    fetched = portal.show("/old")
    assert fetched.capture is not None
    assert (fetched.capture.requested_url, fetched.capture.url) == (f"{_AT}/old", f"{_AT}/new/place")
    assert "/new/place</body>" in fetched.capture.entity.decode()
    assert [exchange.status for exchange in fetched.exchanges] == [302, 200]


@pytest.mark.parametrize("way", ['<meta http-equiv="refresh" content="0;url=/there">', "<script>location.replace('/there')</script>"])
def test_a_redirect_by_the_page_itself_is_one_more_hop(portal: BrowserPortal, way: str) -> None:
    portal.page("/here", way)
    portal.server.answers["/there"] = redirect("/there/at/last")
    portal.page("/there/at/last", "<article>here it is</article>")
    fetched = portal.show("/here", wait="article")
    assert fetched.capture is not None, fetched.verdict
    assert fetched.final_url == fetched.capture.url == f"{_AT}/there/at/last"
    assert [exchange.request.url.removeprefix(_AT) for exchange in fetched.exchanges] == ["/here", "/there", "/there/at/last"]
    assert len(asked(portal, "/there/at/last")) == len(asked(portal, "/there")) == 1
    portal.server.requests.clear()


def test_a_page_that_leads_to_another_host_is_refused(portal: BrowserPortal) -> None:
    portal.page("/away", "<script>location.href = 'http://consent.example/ask'</script>")
    fetched = portal.show("/away")
    assert (fetched.verdict.outcome, fetched.capture) == (Out.REFUSED, None)
    assert fetched.verdict.reason == "the page itself leads elsewhere: other host (http://consent.example/ask)"
    portal.page("/advert", "<article>text</article><script>location.href = 'http://advert.example/'</script>")
    assert portal.show("/advert", wait="article").capture is not None, "what was waited for is there all the same"


def test_a_page_that_leads_to_a_missing_one_is_gone(portal: BrowserPortal) -> None:
    portal.page("/lost", "<script>location.replace('/nowhere')</script>")
    assert portal.show("/lost").verdict.outcome is Out.GONE


def test_an_address_that_scripts_changed_is_what_links_are_relative_to(portal: BrowserPortal) -> None:
    portal.page("/app", "<script>history.pushState({}, '', '/app/2024/05/'); document.body.innerHTML = '<a href=one>1</a>'</script>")
    html = portal.html("/app")
    assert f'<base href="{_AT}/app/2024/05/">' in html


def test_cookies_of_scripts_and_of_servers_go_with_the_next_requests(portal: BrowserPortal) -> None:
    portal.page(
        "/first", "<script>document.cookie = 'said=yes; path=/'; fetch('/data.json')</script>", "Set-Cookie: served=1; HttpOnly; Path=/"
    )
    portal.give("/data.json", "{}", "application/json", "Set-Cookie: data=2; Path=/")
    portal.page("/second", "<p>again</p>")
    portal.show("/first")
    portal.show("/second")
    (second,) = asked(portal, "/second")
    (data,) = asked(portal, "/data.json")
    assert {b"said=yes", b"served=1", b"data=2"} == set(second.split(b"Cookie: ")[1].split(b"\r\n")[0].split(b"; "))
    assert {b"said=yes", b"served=1"} == set(data.split(b"Cookie: ")[1].split(b"\r\n")[0].split(b"; "))


def test_cookies_outlive_the_browser(portal: BrowserPortal) -> None:
    portal.page("/set", "<script>document.cookie = 'kept=yes; path=/'</script>")
    portal.page("/get", "<body><script>document.body.append(document.cookie)</script>")
    portal.show("/set")
    portal.source._engine.run(portal.source._engine.replace)
    assert "kept=yes" in portal.html("/get")


def test_what_is_clicked_lets_the_page_go_on(portal: BrowserPortal) -> None:
    portal.page(
        "/wall",
        """<div id="wall"><button class="ok">Accept</button></div><script>
        const wall = document.getElementById("wall");
        document.querySelector("button").onclick = () => { wall.outerHTML = "<article>content</article>"; };</script>""",
    )
    assert "<article>content</article>" in portal.html("/wall", wait="article", click="button.ok")
    assert "<article>content</article>" in portal.html("/wall", click='button:contains("Accept")')


def test_a_click_that_leads_to_another_page_is_no_article(portal: BrowserPortal) -> None:
    portal.page("/mistaken", '<article>right</article><a class="on" href="/elsewhere">On</a>')
    portal.page("/elsewhere", "<article>wrong</article>")
    for rendering in ({"wait": "article"}, {}):
        fetched = portal.show("/mistaken", click="a.on", **rendering)
        assert (fetched.verdict.outcome, fetched.capture) == (Out.ERROR, None)
        assert fetched.verdict.reason == f'the click on "a.on" led to another page: {_AT}/elsewhere'


def test_a_page_finds_nothing_that_another_kept(portal: BrowserPortal) -> None:
    keeps = """<article></article><script>
    document.querySelector("article").textContent = localStorage.getItem("last") || "";
    fetch(location.pathname + ".json").then(async answer => answer.ok && localStorage.setItem("last", await answer.text()))</script>"""
    portal.page("/one", keeps)
    portal.page("/two", keeps)
    portal.give("/one.json", '"text of the first one"')
    portal.show("/one")
    assert "text of the first one" not in portal.html("/two")


def test_data_that_may_be_had_another_time_is_lacking(portal: BrowserPortal) -> None:
    portal.page("/lacks", "<article>frame</article><button>On</button><script>CALL</script>".replace("CALL", "fetch('/busy.json')"))
    portal.server.answers["/busy.json"] = answer("no", status="503 Busy")
    lack = f"{_AT}/busy.json could not be had: HTTP 503"
    shown = portal.show("/lacks").rendered
    assert shown is not None
    assert (shown.limit, shown.lack) == (lack, lack)
    enough = portal.show("/lacks", wait="article").rendered
    assert enough is not None
    assert (enough.limit, enough.lack) == (None, None), "what is waited for is there"
    portal.page("/rest", "<article>half</article><button onclick=\"fetch('/busy.json')\">On</button>")
    half = portal.show("/rest", wait="article", click="button").rendered
    assert half is not None
    assert half.lack == lack


def test_scripts_are_asked_for_once_and_data_each_time(portal: BrowserPortal) -> None:
    portal.give("/kept.js", "fetch('/counted.json')", "text/javascript", "Cache-Control: max-age=60")
    portal.give("/fresh.js", "0", "text/javascript", "Cache-Control: no-store")
    portal.give("/counted.json", "{}")
    for path in ("/p1", "/p2"):
        portal.page(path, '<script src="/kept.js"></script><script src="/fresh.js"></script>')
        portal.show(path)
    counts = [len(asked(portal, path)) for path in ("/kept.js", "/fresh.js", "/counted.json")]
    assert counts == [1, 2, 2]


def test_what_is_blocked_is_not_asked_for(portal: BrowserPortal) -> None:
    portal.page("/rich", '<img src="/a.png"><link rel="stylesheet" href="/a.css"><script>fetch("/asked.json")</script>')
    portal.give("/asked.json", "{}")
    portal.show("/rich", block=("image", "stylesheet"))
    assert [len(asked(portal, path)) for path in ("/a.png", "/a.css", "/asked.json")] == [0, 0, 1]


@pytest.fixture
def strict() -> Iterator[BrowserPortal]:
    """A portal with rules: robots.txt, and a delay."""
    made = BrowserPortal(BrowserLimits(patience=6.0), delay=timedelta(seconds=0.4), concurrency=1)
    yield made
    made.close()


def test_robots_and_pace_hold_for_whatever_a_page_loads(strict: BrowserPortal) -> None:
    strict.give("/robots.txt", "User-agent: *\nDisallow: /private/", "text/plain")
    strict.page("/page", "<script>for (const one of [1, 2, 3]) fetch('/data/' + one); fetch('/private/data')</script>")
    for number in (1, 2, 3):
        strict.give(f"/data/{number}", "{}")
    begun = time.monotonic()
    fetched = strict.show("/page")
    assert time.monotonic() - begun > 5 * 0.4, "robots.txt, tdmrep.json, the page, and three requests of it"
    assert sorted(exchange.request.url for exchange in fetched.loaded) == [f"{_AT}/data/{number}" for number in (1, 2, 3)]
    assert not asked(strict, "/private/data")
    assert strict.said == [f"{_AT}/private/data is not loaded: robots.txt disallows it"]
    assert fetched.rendered is not None
    assert fetched.rendered.limit == f"{_AT}/private/data could not be had: robots.txt disallows it"
    assert fetched.rendered.lack is None, "asking again would be no use"
    assert {exchange.request.url for exchange in fetched.rights} == {f"{_AT}/robots.txt", f"{_AT}/.well-known/tdmrep.json"}
