"""What `curator new` makes of forums whose software nobody has described."""

from __future__ import annotations

import json

import pytest
from new_site import Looking, NewSite

NAMES = ("anna", "bela", "csilla", "dezso")
BOARDS = {"2-kert-es-erkely": "Kert és erkély", "3-csaladfa": "Családfa", "4-muhely": "Műhely"}
NAV = "<nav><a href=/portal/>Portál</a> <a href=/memberlist>Tagok listája</a> <a href=/search>Keresés</a></nav>"
SORTED = "".join(
    f"<a href='/memberlist?sort_by={field}&amp;order_by=asc'>Rendezés {field} szerint itt</a>" for field in ("posts", "name", "joined")
)
POST = "<p>Nálunk tavaly ugyanígy volt, amíg mások már régen feladták. Próbáld ki egyszerűen, és írd meg nekünk, mi lett belőle.</p>"


def row(number: int) -> str:
    return (
        f"<div class=sor><div class=cim><a href=/topic/{number}-mi-legyen-a-hiddal>Mi legyen a híddal, {number}. rész?</a></div>"
        f"<div class=ki>írta <a href=/user/{NAMES[number % 4]}>{NAMES[number % 4]}</a></div>"
        f"<div class=utolso><a href=/post/{10 * number}>3 éve</a></div></div>"
    )


def board(at: int, page: int) -> str:
    pages = "".join(
        f"<li{' class=active' if each == page else ''}><a href='/forum/{list(BOARDS)[at]}?page={each}'>{each}</a>" for each in (1, 2)
    )
    first = 100 * at + 10 * page
    return f"{NAV}<ul class=pagination>{pages}</ul><div class=lista>{''.join(map(row, range(first, first + 6)))}</div>"


def thread(number: int) -> str:
    each = (
        f"<div class='row post-row'><div class=author><h4><a href=/user/{name}>{name}</a></h4></div><div class=post-box><div class=meta>"
        f"<a href=/post/{10 * number + at}><time datetime='2017-03-2{at}T04:47:00+00:00'>2017.03.2{at}.</time></a></div>"
        f"<div class=post-content id=pid{10 * number + at}>{POST}</div></div></div>"
        for at, name in enumerate(NAMES, start=1)
    )
    return f"{NAV}<div class=topic-header><h1>Mi legyen a híddal, {number}. rész?</h1></div><div class=topic-body>{''.join(each)}</div>"


def forum(top: str = NAV) -> dict[str, str]:
    last = "<div class=utolso><a href=/post/{0}>Mi legyen a...</a> <a href=/user/anna>anna</a></div>"
    rows = [
        f"<div class=tabla><div class=nev><a href=/forum/{path}>{name}</a></div>{last.format(1000 * at + 100)}</div>"
        for at, (path, name) in enumerate(BOARDS.items())
    ]
    site = {"": f"{top}<h3><a href=/category/1-kint>Kint</a></h3>{rows[0]}<h3><a href=/category/2-bent>Bent</a></h3>{rows[1]}{rows[2]}"}
    site |= {"category/1-kint": f"{top}{rows[0]}", "category/2-bent": f"{top}{rows[1]}{rows[2]}"}
    for at, path in enumerate(BOARDS):
        for page in (1, 2):
            site[f"forum/{path}{'' if page == 1 else '?page=2'}"] = board(at, page)
            for number in range(100 * at + 10 * page, 100 * at + 10 * page + 6):
                site[f"topic/{number}-mi-legyen-a-hiddal"] = site[f"post/{10 * number}"] = thread(number)
    newest = "".join(row(number).replace("sor>", "uj>") for number in (10, 11, 110, 111, 210, 211))
    members = "".join(f"<tr><td><a href=/user/{name}-{at}>{name.title()} Kovács Sándor {at}</a>" for at in range(5) for name in NAMES)
    return site | {"portal/": f"{top}{newest}", "memberlist": f"{top}<div class=kartya>{SORTED}<table>{members}</table></div>"}


def test_the_boards_of_a_forum_are_sections_and_each_thread_is_found_on_them(look: Looking) -> None:
    seen = look(forum())
    assert (seen.code, seen.columns, seen.rules["kind"]) == (0, ["archive"], "forum")
    archive = seen.portal.columns[0]
    assert archive.template.text == f"{seen.home}/"
    assert (archive.paging.mode, archive.sections is not None) == ("next-link", True)
    assert seen.told["columns"][0]["what"] == "sections"
    assert seen.listed == {"archive": 3}, "and neither categories, nor members, nor the last posts"
    assert "4 of 4 pages that were looked at are threads with posts" in seen.comments


def test_how_threads_go_on_is_as_one_shows_it_else_perhaps_as_the_boards_do(look: Looking) -> None:
    site = forum()
    for number in (*range(10, 16), *range(110, 116)):
        pages = "<ul class=pagination><li class=active>1<li><a class=lap href='/topic/{0}-mi-legyen-a-hiddal?page=2'>2</a></ul>"
        site[f"topic/{number}-mi-legyen-a-hiddal"] += pages.format(number)
    seen = look(site)
    assert (seen.portal.articles.next is not None, "articles.next" in seen.unsure) == (True, False)
    seen = look(forum())
    assert (seen.portal.articles.next is not None, "articles.next" in seen.unsure) == (True, True)
    assert seen.rules["articles"]["next"] == seen.rules["archive"]["next"]


def test_a_crawl_by_the_boards_gets_every_thread_and_nothing_else(new_site: NewSite) -> None:
    seen = new_site.look(forum())
    seen.file.write_text(f"{seen.text}fetch: {{delay: 0s}}\n", encoding="utf-8")
    assert new_site.curator("crawl", seen.file).code == 0
    status = json.loads(new_site.curator("status", seen.file, "--json").out)
    assert status["outcomes"] == {"fetched": 36}
    assert all(column["proved"] for column in status["completeness"])


def test_where_no_boards_are_seen_a_thread_says_that_it_is_a_forum_and_what_to_write(look: Looking) -> None:
    site = forum() | {"": f"{NAV}<div class=lista>{''.join(map(row, range(10, 16)))}</div>"}
    seen = look(site)
    assert (seen.rules["kind"], "kind" in seen.unsure) == ("forum", True)
    assert any("is a thread of a forum" in remark and "`sections: SELECTOR` of the links to boards" in remark for remark in seen.remarks)


def test_a_list_of_members_is_no_list_of_articles_beside_others(look: Looking) -> None:
    site = forum() | {"": f"<nav><a href=/portal/>Friss</a><a href=/kozosseg>Közösség</a></nav>{''.join(map(row, range(10, 16)))}"}
    site["kozosseg"] = site.pop("memberlist").replace("/memberlist?", "/kozosseg?")
    seen = look(site)
    assert "kozosseg" not in seen.columns


def test_news_beside_a_forum_are_columns_beside_its_boards(look: Looking) -> None:
    top = "<nav><a href=/hirek/>Hírek</a></nav>"
    news = "".join(f"<div class=hir><h2><a href=/hirek/{at}-cim>Újra járnak a villamosok, {at}. nap</a></h2></div>" for at in range(9))
    seen = look(forum(top) | {"hirek/": top + news})
    assert seen.columns == ["hirek", "forum"]
    assert (seen.rules.get("kind"), seen.rules["columns"]["forum"]["kind"]) == (None, "forum")


# --- forums that nothing in their addresses tells ---

FOLK = ("anna", "bela", "csilla", "dezso", "emma")


def post_of(number: int, at: int) -> str:
    name = FOLK[(number + at) % 5]
    return (
        f"<div class=iras id=i{number * 50 + at}><div class=fej><a href='/?user={name}'>{name}</a>"
        f"<time datetime='2021-0{at % 9 + 1}-11T10:0{at % 10}:00+01:00'>2021. {at % 9 + 1}. 11.</time></div>"
        f"<div class=mit><p>{POST} Ez a {number}. beszélgetés {at}. írása volt.</p></div></div>"
    )


def pages_of(address: str, count: int, current: int) -> str:
    links = (f"<a href='{address}&amp;p={page}'>{page}</a>" if page > 1 else f"<a href='{address}'>1</a>" for page in range(1, count + 1))
    onward = f"<a class=tovabb rel=next href='{address}&amp;p={current + 1}'>Tovább</a>" if current < count else ""
    return f"<p class=lapok>{' '.join(links)} {onward}</p>" if count > 1 else ""


def queried_forum(board: str = "/?hely", thread: str = "/?szal") -> tuple[dict[str, str], set[str]]:
    """A forum whose addresses are queries: three boards of two pages, threads of one to three pages, their numbers in the rows."""
    top = "<nav><a href=/?lap=tagok>Tagok</a> <a href=/?lap=kereses>Keresés</a></nav>"
    site, threads, rows = dict[str, str](), set[str](), list[str]()
    for at, name in enumerate(("Kert", "Műhely", "Konyha"), start=1):
        address, numbers = f"{board}={at}", range(100 * at + 18, 100 * at, -1)
        entries = []
        for number in numbers:
            link, count = f"{thread}={number}", number % 3 + 1
            threads.add(link.removeprefix("/"))
            for page in range(1, count + 1):
                path = link.removeprefix("/") + (f"&p={page}" if page > 1 else "")
                posts = "".join(post_of(number, 10 * page + each) for each in range(5))
                site[path] = f"{top}<h1>Mi legyen a {number}. ággyal?</h1>{posts}{pages_of(link, count, page)}"
            short = f"<span class=lapszam>[ {' '.join(pages_of(link, count, count).split(' ')[1:])} ]</span>" if count > 1 else ""
            last = f"<td class=vege><a href='/?iras={number * 50 + 14}'>2021. 3. 11. 10:04</a> <a href=/?user=anna>anna</a></td>"
            title = f"<div class=nev><div><a href='{link}'>Mi legyen a {number}. ággyal?</a> {short}</div></div>"
            entries.append(f"<tr><td class=cim>{title}</td><td class=hany>{5 * count}</td>{last}</tr>")
            site[f"?iras={number * 50 + 14}"] = site[link.removeprefix("/")]
        for page in (1, 2):
            part = "".join(entries[9 * page - 9 : 9 * page])
            path = address.removeprefix("/") + ("&p=2" if page > 1 else "")
            site[path] = f"{top}<h2>{name}</h2><table class=lista>{part}</table>{pages_of(address, 2, page)}"
        last = f"<td class=vege><a href='/?iras={numbers[0] * 50 + 14}'>Mi legyen a {numbers[0]}. ággyal?</a></td>"
        rows.append(f"<tr class=hely><td><h3><a href='{address}'>{name}</a></h3></td><td>18</td><td>180</td>{last}</tr>")
    site[""] = f"{top}<table class=helyek>{''.join(rows)}</table>"
    return site, threads


OTHER_QUERIES = [("/index.php?board", "/index.php?topic"), ("/b.php?id", "/t.php?id")]


@pytest.mark.parametrize(
    ("board", "thread"), [("/?hely", "/?szal"), *(pytest.param(*one, marks=pytest.mark.nightly) for one in OTHER_QUERIES)]
)
def test_a_forum_of_queries_is_known_by_its_rows_and_its_posts_whatever_its_addresses(new_site: NewSite, board: str, thread: str) -> None:
    site, threads = queried_forum(board, thread)
    seen = new_site.look(site)
    assert seen.rules["kind"] == "forum"
    assert seen.listed == {"archive": 3}
    assert "next" in seen.rules["articles"]
    seen.file.write_text(f"{seen.text}fetch: {{delay: 0s}}\n", encoding="utf-8")
    assert new_site.curator("crawl", seen.file).code == 0
    new_site.curator("build", seen.file)
    written = [json.loads(line) for line in new_site.curator("export", seen.file, "--to", "jsonl", "-o", "-").out.splitlines()]
    assert {each["url"].removeprefix(f"{seen.home}/") for each in written} == threads
    posts = {each["url"].rpartition("=")[2]: sum(block.get("kind") == "forum" for block in each["blocks"]) for each in written}
    assert posts == {number: 5 * (int(number) % 3 + 1) for number in (each.rpartition("=")[2] for each in threads)}


def test_a_blog_with_comments_is_no_forum(look: Looking) -> None:
    entries = "".join(
        f"<article><h2><a href=/hirek/{n}-mi-legyen-a-hiddal>Mi legyen a híddal, {n}. rész?</a></h2><p>{POST}</p>"
        f"<p><a href=/rovat/{n}>Rovat {n}</a> <a href=/hirek/{n}-mi-legyen-a-hiddal#c>{n} hozzászólás</a></p></article>"
        for n in range(10, 18)
    )
    site = {"": f"<main>{entries}</main>"}
    for n in range(10, 18):
        site[f"hirek/{n}-mi-legyen-a-hiddal"] = (
            f"<article><h1>Mi legyen a híddal, {n}. rész?</h1><p>{POST * 5}</p></article>{post_of(n, 1)}"
        )
        site[f"rovat/{n}"] = f"<main>{entries}</main>"
    seen = look(site)
    assert seen.rules.get("kind") != "forum"
    assert "sections" not in seen.text.replace("`sections", "")


def test_threads_that_lie_below_their_boards_are_no_boards(look: Looking) -> None:
    site = {"": f"{NAV}<h3><a class=kat href=/forum/1-kint/>Kint</a></h3>", "forum/1-kint/": NAV}
    for at, path in enumerate(BOARDS):
        last = f"<div class=utolso>14 <a href='/forum/{path}/topic/{100 * at + 10}/?post=7'>Az utolsó</a></div>"
        site[""] += f"<div class=sor><div><a class=nev href=/forum/{path}/>{BOARDS[path]}</a></div>{last}</div>"
        numbers = range(100 * at + 10, 100 * at + 16)
        rows = (row(number).replace(f"/topic/{number}-mi-legyen-a-hiddal", f"/forum/{path}/topic/{number}/") for number in numbers)
        site[f"forum/{path}/"] = f"{NAV}<div class=lista>{''.join(rows)}</div>"
        site |= {f"forum/{path}/topic/{number}/": thread(number) for number in numbers}
    seen = look(site)
    assert seen.rules["archive"]["sections"] == "a.kat, a.nev"
    assert seen.listed == {"archive": 4}
