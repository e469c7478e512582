"""Of the lists of a site `curator new` takes those that together name all articles, and a crawl by its file gets them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from new_site import WORDS, Look, Looking, NewSite, feed, sitemap
from seams import archive_of

from webarticlecurator import read_corpus

NEXT = "<a class=next rel=next href=/{}>Next</a>"
TEXT = "A folyó menti sétányon tegnap délután óta dolgoznak a kertészek, és a munkát a hét végéig be is fejezik. "


@dataclass(slots=True)
class WrittenSite:
    """A site that is written list by list: each in pages of so many, with a menu on all of them."""

    menu: Mapping[str, str]
    """Path -> what is written on the link."""
    head: str = ""
    pages: dict[str, str] = field(default_factory=dict)
    articles: set[str] = field(default_factory=set)

    def article(self, path: str) -> None:
        self.articles.add(path)
        self.pages[path] = self.framed(f"<article><h1>{titled(path)}</h1><p>{TEXT * 6}</p></article>")

    def listed(
        self, path: str, articles: Sequence[str], *, size: int = 10, pager: str = "<a class=next rel=next href=/{}>Next</a>"
    ) -> None:
        """A list at a path, in pages of so many; its articles are written, too."""
        for each in articles:
            if each not in self.articles:
                self.article(each)
        parts = [articles[start : start + size] for start in range(0, len(articles), size)]
        for number, part in enumerate(parts, start=1):
            following = pager.format(page_at(path, number + 1)) if number < len(parts) else ""
            self.pages[page_at(path, number)] = self.framed(f"<main>{excerpts(part)}</main>{following}")

    def framed(self, body: str) -> str:
        links = "".join(f"<li><a href=/{path}>{text}</a></li>" for path, text in self.menu.items())
        return f"{self.head}<header><nav><ul>{links}</ul></nav></header>{body}<footer>Készült kézzel.</footer>"


def titled(path: str) -> str:
    return f"{WORDS[len(path) % 4]} {path.strip('/').rpartition('/')[2]}"


def page_at(path: str, number: int) -> str:
    return path if number == 1 else f"{path}page/{number}/"


def excerpts(paths: Iterable[str]) -> str:
    return "".join(
        f"<article class=entry><h2><a href=/{path}>{titled(path)}</a></h2><p>Bevezető szavak a cikk elejéről, amely itt folytatódik.</p>"
        f"</article>"
        for path in paths
    )


def of(folder: str, count: int) -> list[str]:
    return [f"{folder}/{folder.rpartition('/')[2]}-{number:03}/" for number in range(count, 0, -1)]


def crawled(new_site: NewSite, seen: Look) -> tuple[int, set[str]]:
    """The exit code of a crawl by the written file, and the paths of the articles that it collected."""
    seen.file.write_text(f"{seen.text}fetch: {{delay: 0s}}\n", encoding="utf-8")
    code = new_site.curator("crawl", seen.file).code
    return code, {article.url.removeprefix(f"{seen.home}/") for article in read_corpus(seen.file)}


def two_languages() -> WrittenSite:
    """As a generator of static sites makes it: the home page lists one section, the menu leads to a second, each page names the other
    language, which has its own home page and its own sections."""
    site = WrittenSite({"posts/": "Posts", "essays/": "Essays", "about/": "About", "de/": "Deutsch"})
    site.head = "<link rel=alternate hreflang=en href=/><link rel=alternate hreflang=de href=/de/>"
    site.listed("", of("posts", 35))
    site.listed("posts/", of("posts", 35))
    site.listed("essays/", of("essays", 14))
    site.menu = {"de/posts/": "Beiträge", "de/essays/": "Versuche", "": "English"}
    site.listed("de/", of("de/posts", 25))
    site.listed("de/essays/", of("de/essays", 12))
    site.listed("de/posts/", of("de/posts", 25))
    site.pages["about/"] = site.framed(f"<h1>About</h1><p>{TEXT * 3}</p>")
    return site


def test_a_second_section_and_a_second_language_have_columns_beside_a_home_page_that_lists_the_first(new_site: NewSite) -> None:
    site = two_languages()
    seen = new_site.look(site.pages)
    code, collected = crawled(new_site, seen)
    assert sorted(site.articles - collected) == []
    assert sorted(collected - site.articles) == []
    assert code == 0, seen.text


def test_a_sitemap_adds_no_column_to_lists_that_go_on_to_all_articles(new_site: NewSite) -> None:
    site = two_languages()
    pages = [f"pages/about-{word}/" for word in ("us", "them", "charts", "themes", "themes-we-made", "what-we-do")]
    site.pages |= {path: site.framed(f"<h1>{path}</h1><p>{TEXT * 2}</p>") for path in pages}
    dated = "<time datetime=2024-05-01T10:00:00Z>1 May 2024</time>"
    site.pages |= {path: site.pages[path].replace("</h1>", f"</h1>{dated}") for path in site.articles}
    parts = {"sitemap-1.xml": sitemap(*site.articles, *pages), "sitemap-2.xml": sitemap(*pages)}
    parts |= {f"sitemap-{number}.xml": sitemap() for number in range(3, 9)}
    seen = new_site.look(site.pages, **{"sitemap.xml": sitemap(*parts, index=True)}, **parts)
    assert not any("sitemap" in column for column in seen.columns)
    assert any("a sitemap lists articles, too" in remark for remark in seen.remarks)
    code, collected = crawled(new_site, seen)
    assert (code, collected) == (0, site.articles), seen.text


def test_the_home_page_that_goes_on_stands_before_the_list_of_one_category(look: Looking) -> None:
    site = WrittenSite({"kategoria/kert/": "Kert", "kategoria/ut/": "Út"})
    every = [f"2024/{number:02}-a-nap-hire/" for number in range(44, 0, -1)]
    site.listed("", every)
    site.listed("kategoria/kert/", every[::2])
    site.listed("kategoria/ut/", every[1::2])
    seen = look(site.pages)
    assert seen.columns == ["archive"]
    assert seen.rules["archive"]["url"] == f"{seen.home}/"


def test_a_home_page_of_excerpts_of_one_category_is_no_list_of_all(new_site: NewSite) -> None:
    site = WrittenSite({"hirek/": "Hírek", "blog/": "Blog"})
    news, blog = of("hirek", 23), of("blog", 31)
    site.listed("hirek/", news)
    site.listed("blog/", blog)
    site.pages[""] = site.framed(f"<main>{excerpts(news[:5])}</main>")
    code, collected = crawled(new_site, new_site.look(site.pages))
    assert (code, site.articles - collected) == (0, set())


def test_an_excerpt_that_is_longer_than_two_pages_gives_way_to_the_list_that_goes_on(look: Looking) -> None:
    site = WrittenSite({"blog/": "Napló"})
    site.listed("blog/", of("blog", 60))
    site.pages[""] = site.framed(f"<main>{excerpts(of('blog', 60)[:24])}</main>")
    seen = look(site.pages)
    assert seen.columns == ["archive"]
    assert seen.rules["archive"]["url"] == f"{seen.home}/blog/"


def test_months_that_an_archive_page_links_to_are_dates_and_no_articles(new_site: NewSite) -> None:
    months = [f"{year}/{month:02}/" for year in (2026, 2025) for month in range(10, 4, -1)]
    site = WrittenSite({"archive/": "Archive"})
    for month in months:
        site.listed(month, [f"{month}{word}/" for word in ("the-first-walk-by-the-river", "a-second-look", "what-the-third-day-brought")])
    newest = [path for month in months[:2] for path in sorted(site.articles) if path.startswith(month)]
    links = "".join(f"<li class=month><a href=/{month}>The month {month.rstrip('/').replace('/', ' of ')}</a></li>" for month in months)
    site.pages["archive/"] = site.framed(f"<main><ul class=months>{links}</ul></main>")
    site.pages[""] = site.framed(f"<main>{excerpts(newest)}</main>")
    seen = new_site.look(site.pages)
    dated = [column for column in seen.rules.get("columns", {"archive": seen.rules["archive"]}).values() if "dates" in column]
    assert [str(column["dates"]["from"]) for column in dated] == ["2025-05-01"]
    assert not any("archive" in column.template.text for column in seen.portal.columns)
    _, collected = crawled(new_site, seen)
    assert (site.articles - collected, collected - site.articles) == (set(), set())


@pytest.mark.parametrize(("script", "columns"), [("", ["hirek", "blog"]), ("<script src=/app.js></script>", ["hirek", "blog", "oldalsav"])])
def test_a_page_of_the_menu_with_hardly_anything_is_a_column_only_where_a_script_may_bring_more(
    look: Looking, script: str, columns: list[str]
) -> None:
    site = WrittenSite({"hirek/": "Hírek", "blog/": "Blog", "oldalsav/": "Oldalsáv"})
    site.listed("hirek/", of("hirek", 13))
    site.listed("blog/", of("blog", 11))
    site.pages[""] = site.framed(f"<main>{excerpts(of('hirek', 13)[:5])}</main>")
    site.pages["oldalsav/"] = site.framed(f"<h1>Oldalsáv</h1>{script}")
    assert look(site.pages).columns == columns


def test_a_list_of_the_feed_that_no_taken_list_names_has_a_column(new_site: NewSite) -> None:
    site = WrittenSite({"jegyzet/": "Jegyzet"})
    site.head = "<link rel=alternate type=application/rss+xml href=/feed.xml>"
    every, notes = (
        [f"a-folyo-{number}-napja/" for number in range(30, 0, -1)],
        [f"egy-jegyzet-{number}-napja/" for number in range(22, 0, -1)],
    )
    site.listed("", every)
    site.listed("jegyzet/", notes)
    seen = new_site.look(site.pages, **{"feed.xml": feed(*notes[:4], *every[:4])})
    _, collected = crawled(new_site, seen)
    assert site.articles - collected == set()


def test_a_list_of_ten_excerpts_is_no_article(look: Looking) -> None:
    site = two_languages()
    seen = look(site.pages, home="de/posts/")
    assert seen.rules["home"] == f"{seen.home}/de/posts/"
    assert not any("is an article" in remark for remark in seen.remarks)


@pytest.mark.parametrize("named", ["series/", "collections/"])
def test_a_list_of_lists_is_no_column_whatever_it_is_called(look: Looking, named: str) -> None:
    site = WrittenSite({named: "Folyamatok"})
    every = of("posts", 32)
    site.listed("", every)
    groups = [f"{named}{word}-folyamat/" for word in ("gat", "hid", "malom", "part")]
    for number, group in enumerate(groups):
        site.listed(group, every[number::4])
    site.pages[named] = site.framed(f"<main>{excerpts(groups)}</main>")
    seen = look(site.pages, **{"sitemap.xml": sitemap(*every)})
    assert seen.columns == ["archive"]


Address = Callable[[int], str]
PATHS: dict[str, Address] = {
    "in the path": lambda number: "" if number == 1 else f"page/{number}/",
    "in the query": lambda number: "" if number == 1 else f"?page={number}",
    "counted from zero": lambda number: "" if number == 1 else f"?page={number - 1}",
    "of the first item": lambda number: "" if number == 1 else f"?start={10 * number - 10}",
    "counted downwards": lambda number: "" if number == 1 else f"page/{6 - number}/",
    "of its newest day": lambda number: "" if number == 1 else f"?before=2024-0{7 - number}-11",
    "no number": lambda number: "" if number == 1 else f"?older=x{number * 7919 % 1000}q",
}
PREVIOUS = {
    "English": ("Previous", "Next"), "German": ("Vorherige", "Nächste"), "French": ("Précédent", "Suivant"),
    "Spanish": ("Anterior", "Siguiente"), "Hungarian": ("Előző", "Következő"), "Italian": ("Precedente", "Successivo"),
    "Polish": ("Poprzednie", "Następne"), "Dutch": ("Vorige", "Volgende"), "Russian": ("Предыдущие", "Следующие"),
}  # fmt: skip
OLDER_AND_NEWER: dict[str, tuple[str, str, str]] = {
    **{f"previous pages are older, in {language}": ("in the path", *words) for language, words in PREVIOUS.items()},
    **{
        f"previous pages are older, their number {numbers}": (numbers, "Previous", "Next")
        for numbers in ("in the query", "counted from zero", "of the first item", "counted downwards")
    },
    "previous pages are older, by an arrow": ("in the path", "←", "→"),
    "previous pages are older, by a picture": ("in the path", "<i class=icon-left></i>", "<i class=icon-right></i>"),
    "the words are common, the address has no number": ("no number", "Older", "Newer"),
    "the address has a day": ("of its newest day", "Older posts", "Newer posts"),
}


@pytest.mark.parametrize(("numbers", "older", "newer"), OLDER_AND_NEWER.values(), ids=OLDER_AND_NEWER)
def test_a_crawl_by_the_written_file_reaches_the_oldest_page_whatever_is_said_of_older_ones(
    look: Looking, numbers: str, older: str, newer: str
) -> None:
    path, site = PATHS[numbers], WrittenSite({"about/": "About"})
    articles = of("posts", 40)
    for number in range(1, 5):
        links = [f"<a href=/{path(number - 1)}>{newer}</a>"] * (number > 1) + [f"<a href=/{path(number + 1)}>{older}</a>"] * (number < 4)
        site.pages[path(number)] = site.framed(f"<main>{excerpts(articles[10 * number - 10 : 10 * number])}</main><p>{' '.join(links)}</p>")
    seen = look(site.pages)
    rules = {name: rule for name, rule in seen.rules["archive"].items() if name in ("link", "next", "pages")}
    led = [archive_of(site.pages[path(number)], f"{seen.home}/{path(number)}", **rules).next_url for number in range(1, 5)]
    assert led == [*(f"{seen.home}/{path(number)}" for number in range(2, 5)), None]


def test_the_next_category_that_the_head_of_a_manual_names_is_no_next_page_of_the_list(look: Looking) -> None:
    site = WrittenSite({"garden/": "Garden", "kitchen/": "Kitchen", "workshop/": "Workshop"})
    for folder, following in (("garden", "kitchen"), ("kitchen", "workshop"), ("workshop", "garden")):
        site.head = f"<link rel=next href=/{following}/>"
        site.listed(f"{folder}/", of(folder, 8))
    site.head = ""
    site.pages[""] = site.framed("<h1>The manual</h1>")
    seen = look(site.pages)
    assert seen.columns == ["garden", "kitchen", "workshop"]
    assert {column.paging.mode for column in seen.portal.columns} == {"none"}
