"""What a crawl and `status` remark on is one line each of at most two lines of a screen; --verbose and the report tell the rest."""

from __future__ import annotations

import re
from pathlib import Path

from scripted_portal import Crawler, listing

MOST = 160
LONG = "a-title-that-goes-on-and-on-as-those-of-many-portals-do-and-is-longer-than-a-line"
MARKED = re.compile(r"^  (?:Failed|Missing|Incomplete|Way|To look at|Blocked)")


def remarks(told: str) -> list[str]:
    return [line for line in told.splitlines() if MARKED.match(line)]


def test_a_remark_takes_two_lines_of_a_screen_at_most_and_all_of_it_is_told_by_verbose_and_in_the_report(
    crawler: Crawler, tmp_path: Path
) -> None:
    beside = "".join(f"<li class=u><h2><a href=/c/{LONG}-{number}>About {number}</a></h2></li>" for number in range(20, 29))
    crawler.portal.script |= {
        "/l": listing(*(f"/c/{LONG}-{number}" for number in range(6)), next="/l/2", more=f"<ul>{beside}</ul>"),
        "/l/2": listing(*(f"/c/{LONG}-{number}" for number in range(6, 9)), more=f"<a href='/l/3?{LONG}'>3</a>"),
    }
    crawler.rules = "archive: {url: HOME/l, item: li.t, next: a.next}\n"
    crawler.verbose = False
    assert crawler.crawl() == 1
    shown = [*remarks(crawler.said), *remarks(crawler.run("status").out)]
    assert shown and max(map(len, shown)) <= MOST, shown
    assert any(line.endswith(" ...") for line in shown)

    crawler.crawl("--verbose")
    whole = [line for line in remarks(crawler.said) if len(line) > MOST]
    assert whole and not any(line.endswith(" ...") for line in whole)
    crawler.run("report", "-o", tmp_path / "report.html")
    assert f"{LONG}-20" in (tmp_path / "report.html").read_text("utf-8")
