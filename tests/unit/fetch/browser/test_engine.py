"""The browsers of one process: they take turns where there are more portals than browsers may run."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from browser_portal import BrowserPortal

from webarticlecurator.errors import UsageError
from webarticlecurator.fetch.browser import engine
from webarticlecurator.fetch.browser.engine import Room


def test_who_finds_no_room_waits_for_it() -> None:
    async def take_turns() -> list[str]:
        room, order = Room(1), []
        await room.take()
        second = asyncio.create_task(room.take())
        await asyncio.sleep(0.05)
        order.append(f"{len(room.waiting)} waits")
        room.give_back()
        await second
        order.append(f"{len(room.waiting)} waits")
        return order

    assert asyncio.run(take_turns()) == ["1 waits", "0 waits"]


@pytest.mark.browser
@pytest.mark.slow
def test_three_portals_share_one_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "ROOM", Room(1))
    portals = [BrowserPortal() for _ in range(3)]
    try:
        for portal in portals:
            portal.page("/", "<article>text</article>")
        with ThreadPoolExecutor(3) as pool:
            shown = list(pool.map(lambda portal: [portal.show("/", wait="article").capture for _ in range(2)], portals))
        assert all(capture is not None for captures in shown for capture in captures)
    finally:
        for portal in portals:
            portal.close()


@pytest.mark.browser
@pytest.mark.slow
def test_a_browser_that_cannot_be_started_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room(1)
    monkeypatch.setattr(engine, "ROOM", room)
    monkeypatch.setattr(engine, "find_program", lambda _: "/bin/false")
    portal = BrowserPortal()
    try:
        portal.page("/", "<article>text</article>")
        for _ in range(2):
            with pytest.raises(UsageError, match="the browser /bin/false cannot be started"):
                portal.show("/", wait="article")
        assert threading.active_count() < 100
    finally:
        portal.close()
