"""Live blogs: entries that repeat with their times, with and without JSON-LD; and what only looks like one."""

from __future__ import annotations

import pytest

from webarticlecurator import Article, extract

URL = "https://pelda.example/2024/05/01/hidavato-live"
HEAD = """<meta property="article:published_time" content="2024-05-01T08:00:00+02:00"><h1>A hídavató percről percre</h1>"""
LEAD = "<p>Ma adják át a folyó fölötti új hidat, a város ünnepel. Percről percre közvetítjük, mi történik a hídfőnél.</p>"
TIMES = ("11:30", "11:05", "10:40", "10:02", "9:15")
SENTENCE = "Megérkeztek az első vendégek a hídfőhöz, ahol már több százan várják az átadást és a beszédeket. "


def entry(time: str, n: int, extra: str = "") -> str:
    return (
        f"<div class=bejegyzes id=b{n}><div><time>{time}</time> <span class=author>Kovács Anna</span></div>"
        f"<h3>A {n}. hír a hídról</h3><p>{n}. {SENTENCE}</p>{extra}</div>"
    )


def entries(times: tuple[str, ...] = TIMES, extra: str = "") -> str:
    return "".join(entry(time, n, extra) for n, time in enumerate(times, start=1))


def article_of(html: str, url: str = URL, head: str = HEAD) -> Article:
    return extract(f"<html><body><article>{head}{html}</article></body></html>", url)


def test_entries_with_times_in_order_are_a_live_blog() -> None:
    link = '<a href="https://twitter.com/anna/status/1">May 1, 2024</a>'
    tweet = f"<blockquote class=twitter-tweet><p>Átadták!</p>— Anna (@anna) {link}</blockquote>"
    article = article_of(LEAD + entries(extra=f"<img src=/hid.jpg>{tweet}"))
    assert article.type == "LiveBlogPosting"
    first = article.posts[0]
    assert (first.kind, first.id, first.when, first.time) == ("liveblog", "b1", "2024-05-01T11:30:00", "11:30")
    assert (first.author, first.title) == ("Kovács Anna", "A 1. hír a hídról")
    assert [block.type for block in first.blocks] == ["paragraph", "figure", "social"]
    assert [post.time for post in article.posts] == list(TIMES)
    assert article.metadata["coverageStartTime"][0].value == "2024-05-01T09:15:00"
    assert article.metadata["coverageEndTime"][0].value == "2024-05-01T11:30:00"
    assert [block.type for block in article.blocks] == ["paragraph"]


def test_the_newest_entry_is_one_though_its_line_of_time_stands_below_the_lead() -> None:
    shown = "".join(
        f"""<div class=bejegyzes id=b{n}><p class=ido><a href="?b{n}"><time datetime="2024-05-01T{time:0>5}:00Z">{time}</time></a></p>
<h2>A {n}. hír a hídról</h2><p class=szerzo><span>Kovács Anna</span></p><div class=szoveg><p>{n}. {SENTENCE * 3}</p></div></div>"""
        for n, time in enumerate(TIMES, start=1)
    )
    article = article_of(f"<div class=lead>{LEAD}</div><div class=live-blog>{shown}</div>")
    assert [post.title for post in article.posts] == [f"A {n}. hír a hídról" for n in range(1, 6)]
    assert [block.type for block in article.blocks] == ["paragraph"]


def test_after_midnight_it_is_the_next_day() -> None:
    article = article_of(LEAD + entries(("1:10", "0:20", "23:40", "22:15", "21:00")))
    assert [post.when for post in article.posts][:3] == [
        "2024-05-02T01:10:00",
        "2024-05-02T00:20:00",
        "2024-05-01T23:40:00",
    ]


@pytest.mark.parametrize("stated", ["2024-05-01T18:07:22+02:00", "2024-05-01"])
def test_what_the_page_shows_of_a_time_counts_where_no_zone_makes_that_of_what_it_states(stated: str) -> None:
    shown = entries().replace("<time>", f'<time datetime="{stated}">')
    whens = [post.when for post in article_of(LEAD + shown).posts]
    zone = stated[19:]
    assert whens == [f"2024-05-01T{time.zfill(5)}:00{zone}" for time in TIMES]
    abroad = "".join(
        entry(time, n).replace("<time>", f'<time datetime="2024-05-01T{10 - n:02}:{time[-2:]}Z">') for n, time in enumerate(TIMES)
    )
    assert article_of(LEAD + abroad).posts[0].when == "2024-05-01T10:30:00+00:00", "another zone explains it"


def test_a_programme_in_an_article_about_something_live_is_none() -> None:
    assert not is_live(article_of(LEAD * 3 + "".join(f"<p>{time} Megnyitó</p>" for time in TIMES)))
    assert not is_live(article_of(LEAD + "".join(f"<p>{n}.15 százalék. {SENTENCE}</p>" for n in (8, 2, 9, 1, 7, 3))))


@pytest.mark.parametrize("headline", ["Live: a hídavató", "A hídavató – LIVE", "Hídavató (live)", "Ukraine-Krieg im Liveticker am Montag"])
def test_a_headline_says_that_it_is_live(headline: str) -> None:
    head = HEAD.replace("A hídavató percről percre", headline)
    assert is_live(article_of(LEAD + entries(), "https://pelda.example/2024/05/01/hidavato", head))


def is_live(article: Article) -> bool:
    return article.type == "LiveBlogPosting" or any(post.kind == "liveblog" for post in article.posts)


@pytest.mark.parametrize("headline", ["A hídavató", "Where animals live today", "Az ügyész direkt kérdez", "Live-Musik am Fluss"])
def test_an_article_that_is_not_called_live_is_no_live_blog(headline: str) -> None:
    head = HEAD.replace("A hídavató percről percre", headline)
    assert not is_live(article_of(LEAD.replace("Percről percre", "Itt") + entries(), "https://pelda.example/2024/05/01/hidavato", head))


WITH_TIMES = {
    "the times are in no order": LEAD + entries(("9:15", "11:30", "10:02", "8:20", "14:00", "7:00")),
    "three may be anything": LEAD + entries(TIMES[:3]),
    "comments": f"{LEAD * 8}<div class=comments>{entries()}</div>",
    "a programme": f"{LEAD * 3}<ul>{''.join(f'<li><time>{time}</time> Megnyitó</li>' for time in TIMES)}</ul>",
    "months lie between them": LEAD
    + "".join(f'<div class=b><time datetime="2024-0{n}-01T10:00:00+02:00">x</time><p>{SENTENCE}</p></div>' for n in range(1, 7)),
}


@pytest.mark.parametrize("page", WITH_TIMES.values(), ids=WITH_TIMES)
def test_an_article_with_times_is_no_live_blog(page: str) -> None:
    assert not is_live(article_of(page))
