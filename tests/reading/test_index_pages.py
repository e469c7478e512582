"""Index pages that hold several whole posts: each post is an article of its own, once, from wherever there is most of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripted_portal import Crawler, Reply, ScriptedPortal
from small_corpus import SmallCorpus
from written_portal import WrittenPortal

from webarticlecurator import Article, CorpusError, load_portal, read_corpus

HOME = "https://pelda.example"
NOT_STORED = "index page: the text is read from one, since the article's own page is not stored"
BEGINNING, NO_TITLE, NO_DATE = (
    f"index page: {lack}"
    for lack in ("only the beginning of the post stands there", "the post has no title there", "the post has no date there")
)

RULES = """
archive:
  url: "{home}"
  pages: next-link
  next: a.older
  item: div.post
  link: [h3 a, a.permalink]
  urls: {drop_params: [m]}
body: {root: div.text}
posts:
  blog:
    item: div.post
    url: [h3 a, a.permalink]
    title: h3
    author: .by
    time: .at
    day: {before: h2.day}
    text: div.text
    more: a.more
    keywords: "a[rel=tag]"
"""


def post(number: int, *, length: int = 3, more: bool = False, title: bool = True) -> str:
    text = "".join(f"<p>Sentence {line} of the post number {number} tells of a walk along the river.</p>" for line in range(length))
    head = f"<h3><a href='/2024/post-{number}.html?m=1'>Post {number}</a></h3>" if title else ""
    foot = f"<a class=permalink href='/2024/post-{number}.html'>#</a> <span class=at>9:0{number} PM</span> <span class=by>Anna Kis</span>"
    rest = f"<a class=more href='/2024/post-{number}.html#more'>Read on</a>" if more else ""
    return f"<div class=post>{head}<div class=text>{text}{rest}</div>{foot} <a rel=tag href=/label/river>river</a></div>"


def day(date: str, *posts: str) -> str:
    return f"<div class=group><h2 class=day>{date}</h2><div class=posts>{''.join(posts)}</div></div>"


def index(*days: str, older: str | None = None, more: str = "") -> str:
    pager = f"<a class=older href='{older}'>older</a>" if older else ""
    meta = "<meta property='og:site_name' content='A blog'><meta name=author content='Nobody'>"
    return f"<html lang=en><head><title>A blog</title>{meta}</head><body>{''.join(days)}{more}{pager}</body></html>"


def page(number: int, *, length: int = 5, comment: str = "Well said") -> str:
    """A post's own page, with what only that has."""
    comments = f"<ul id=comments><li class=comment><b class=who>Béla</b><p>{comment}</p></li></ul>"
    return f"<html lang=en><head><title>Post {number}</title></head><body>{post(number, length=length)}{comments}</body></html>"


# --- what another program stored ---


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    return SmallCorpus(tmp_path, RULES)


def articles(corpus: SmallCorpus) -> dict[str, Article]:
    """Path -> article."""
    return {article.url.removeprefix(HOME): article for article in read_corpus(corpus.portal, corpus=corpus.folder)}


def store(corpus: SmallCorpus, pages: dict[str, str], **more: Any) -> None:
    corpus.store(*((path, html.encode()) for path, html in pages.items()), **more)


MAY = index(day("3 May 2024", post(1), post(2)))


def test_each_post_of_an_imported_index_page_is_an_article_of_its_own(corpus: SmallCorpus) -> None:
    store(corpus, {"/label/river": index(day("3 May 2024", post(1), post(2)), day("2 May 2024", post(3)))})
    found = articles(corpus)
    assert {path: (article.outcome, article.title, article.date) for path, article in found.items()} == {
        f"/2024/post-{number}.html": ("article", f"Post {number}", f"2024-05-0{date}T21:0{number}:00+00:00")
        for number, date in ((1, 3), (2, 3), (3, 2))
    }
    second = found["/2024/post-2.html"]
    assert second.text.splitlines() == [f"Sentence {line} of the post number 2 tells of a walk along the river." for line in range(3)]
    assert second.authors == ("Anna Kis",)
    assert {name: second.metadata[name][0].value for name in ("publisher", "keywords")} == {"publisher": "A blog", "keywords": "river"}
    assert second.flags == (NOT_STORED,)
    assert {capture.url for article in found.values() for capture in article.captures} == {f"{HOME}/label/river"}

    corpus.build()
    assert sum(NOT_STORED.encode() in document for document in corpus.documents.values()) == 3


def test_what_stands_on_several_index_pages_is_one_article_and_the_fullest_counts(corpus: SmallCorpus) -> None:
    beginning = index(day("3 May 2024", post(1, length=1, more=True), post(2)))
    store(corpus, {"/": beginning, "/?m=1": beginning, "/2024/05/": index(day("3 May 2024", post(1, length=9), post(2)))})
    found = articles(corpus)
    assert sorted(found) == ["/2024/post-1.html", "/2024/post-2.html"]
    assert "Sentence 8" in found["/2024/post-1.html"].text
    assert BEGINNING not in found["/2024/post-1.html"].flags


def test_what_a_post_lacks_is_told_and_the_way_on_is_no_text(corpus: SmallCorpus) -> None:
    nameless = "<div class=post><div class=text><p>A post that nothing leads to, as short as it is.</p></div></div>"
    untitled, undated = (
        one.replace(f"<span class=at>9:0{number} PM</span>", "") for number, one in ((1, post(1, title=False)), (2, post(2)))
    )
    store(corpus, {"/": index(untitled, undated, nameless, day("3 May 2024", post(3, more=True)))})
    found = articles(corpus)
    assert {path: article.flags[1:] for path, article in sorted(found.items())} == {
        "/2024/post-1.html": (NO_TITLE, NO_DATE),
        "/2024/post-2.html": (NO_DATE,),
        "/2024/post-3.html": (BEGINNING,),
    }
    assert "Read on" not in found["/2024/post-3.html"].text


# --- its own page, too ---


@pytest.mark.parametrize(
    ("own", "flags"),
    [
        (page(1, length=3), ()),
        ("<html><body><h1>Not here</h1></body></html>", (f"{NOT_STORED.rpartition(' is ')[0]} is empty",)),
    ],
    ids=["its own page has it", "its own page is empty"],
)
def test_the_text_is_read_from_its_own_page_and_from_an_index_page_where_that_does_not_give_it(
    corpus: SmallCorpus, own: str, flags: tuple[str, ...]
) -> None:
    corpus.rules += "  comments: {item: li.comment, author: .who, text: p}\n"
    store(corpus, {"/": index(day("3 May 2024", post(1, length=3), post(2))), "/2024/post-1.html": own})
    found = articles(corpus)
    first = found["/2024/post-1.html"]
    assert sorted(found) == ["/2024/post-1.html", "/2024/post-2.html"]
    assert "Sentence 2" in first.text
    assert (first.flags, len(first.captures)) == (flags, 1)
    assert [comment.author for comment in first.posts] == (["Béla"] if "Well said" in own else [])
    assert found["/2024/post-2.html"].posts == ()


# --- builds ---


def test_an_edited_post_alone_is_built_again(corpus: SmallCorpus) -> None:
    store(corpus, {"/": MAY})
    corpus.build()
    store(corpus, {"/": index(day("3 May 2024", post(1, length=6), post(2), post(3)))}, date="2024-06-05T00:00:00Z")
    edited = corpus.build()
    assert (edited.articles, edited.unchanged, edited.written) == (3, 1, 2)
    assert "Sentence 5" in articles(corpus)["/2024/post-1.html"].text


def test_rules_for_posts_count_for_pages_that_are_stored(corpus: SmallCorpus) -> None:
    store(corpus, {"/": MAY, "/2024/post-3.html": page(3)})
    corpus.build()
    corpus.rules = corpus.rules.replace("    author: .by\n", "    author: {const: Somebody}\n")
    assert corpus.build().written == 2
    assert articles(corpus)["/2024/post-1.html"].authors == ("Somebody",)

    corpus.rules = corpus.rules[: corpus.rules.index("posts:")]
    summary = corpus.build()
    assert (summary.articles, summary.removed, list(articles(corpus))) == (1, 2, ["/2024/post-3.html"])


def test_an_index_of_the_warc_files_that_is_made_again_tells_the_same(curator: Callable[..., Any], corpus: SmallCorpus) -> None:
    store(corpus, {"/search?q=walk": MAY, "/2024/post-1.html": page(1)})
    before = articles(corpus)
    (corpus.folder / "ledger.sqlite").unlink()
    assert curator("warc", "index", corpus.portal.sources[0].path, "--corpus", corpus.folder).code == 0
    assert articles(corpus) == before


def test_nothing_is_taken_away_while_the_file_of_the_index_pages_is_missing(corpus: SmallCorpus) -> None:
    store(corpus, {"/": MAY, "/2024/post-1.html": page(1)})
    corpus.build()
    before = corpus.documents
    (archive,) = (corpus.folder / "warc").glob("*-archive-*")
    archive.rename(corpus.base / "elsewhere")
    for rules in (corpus.rules, corpus.rules.replace(".by", ".who")):
        corpus.rules = rules
        with pytest.raises(CorpusError, match=r"missing or cut short\. Put it back; if it is lost, the next crawl asks again"):
            corpus.build()
        assert corpus.documents == before
    (corpus.base / "elsewhere").rename(archive)
    assert corpus.build().articles == 2


# --- crawls ---


@pytest.fixture
def crawler(site: ScriptedPortal, curator: Callable[..., Any], tmp_path: Path) -> Crawler:
    first = index(day("4 May 2024", post(1), post(2, more=True, length=1)), older="/page/2")
    site.script |= {"/": first, "/page/2": index(day("3 May 2024", post(3), post(4)))}
    site.script |= {f"/2024/post-{number}.html": page(number) for number in (1, 2, 3)}
    site.script["/2024/post-4.html"] = Reply("gone", 410)
    return Crawler(curator, tmp_path, site, RULES)


def asked(crawler: Crawler) -> list[str]:
    return sorted(path for path in crawler.portal.asked if path.startswith("/2024/"))


def crawled(crawler: Crawler) -> dict[str, Article]:
    """Path -> article."""
    read = read_corpus(load_portal(crawler.file), corpus=crawler.corpus)
    return {article.url.removeprefix(crawler.portal.home): article for article in read}


ALL = [f"/2024/post-{number}.html" for number in (1, 2, 3, 4)]
TRUNCATED_ONLY = RULES + "articles: {fetch: truncated}\n"


def test_posts_whose_pages_are_gone_are_articles_and_so_are_all_of_a_crawl_of_the_archive_alone(crawler: Crawler) -> None:
    assert crawler.crawl("--archive-only") == 0
    assert sorted(crawled(crawler)) == ALL

    assert crawler.crawl() == 0
    found = crawled(crawler)
    assert sorted(found) == ALL
    assert found[ALL[3]].flags == (NOT_STORED,)
    assert (found[ALL[1]].flags, found[ALL[1]].text.count("Sentence")) == ((), 5)
    assert crawler.run("build", "--jobs", 1).code == 0
    assert crawler.status()["outcomes"] == {"article": 4}, "what a person has, not that a page is gone"


def test_only_truncated_posts_are_asked_for_where_the_file_says_so_and_the_others_after_all_without_it(crawler: Crawler) -> None:
    crawler.rules = TRUNCATED_ONLY
    assert crawler.crawl() == 0
    assert asked(crawler) == [ALL[1]]
    assert crawler.outcomes[ALL[0]] == "duplicate"
    found = crawled(crawler)
    assert sorted(found) == ALL
    assert "Sentence 4" in found[ALL[1]].text
    assert crawler.crawl() == 0
    assert asked(crawler) == [], "what stands whole on an index page is settled"

    crawler.rules = RULES
    assert crawler.crawl() == 0
    assert asked(crawler) == [ALL[0], ALL[2], ALL[3], f"{ALL[3]}?m=1"], "what is not there, also as the list writes it"
    assert crawler.outcomes[ALL[0]] == "fetched"
    assert crawler.crawl() == 0
    assert asked(crawler) == []
    assert "Sentence 4" in crawled(crawler)[ALL[0]].text


@pytest.mark.parametrize(("length", "is_told"), [(5, False), (12, True)])
def test_posts_that_count_as_whole_without_a_rule_for_more_are_compared_once_with_three_of_their_pages(
    crawler: Crawler, length: int, is_told: bool
) -> None:
    crawler.portal.script |= {path: page(number, length=length) for number, path in enumerate(ALL, 1)}
    crawler.rules = TRUNCATED_ONLY.replace("    more: a.more\n", "")
    for looks in (ALL[:3], []):
        assert crawler.crawl() == 0
        assert ("of 3 posts that `posts.blog` finds whole, 3 are longer on their own pages (such as" in crawler.said) is is_told
        assert asked(crawler) == looks


def test_a_posts_address_that_answers_with_the_page_of_all_posts_gives_it_no_text_of_another(crawler: Crawler) -> None:
    crawler.portal.script[ALL[1]] = crawler.portal.script["/"]
    assert crawler.crawl() == 0
    second = crawled(crawler)[ALL[1]]
    assert "the post number 2" in second.text
    assert "the post number 1" not in second.text
    assert BEGINNING in second.flags


def test_a_month_that_the_crawl_only_looked_at_gives_no_articles(crawler: Crawler) -> None:
    dated = "url: 'HOME/{year}/{month}/'\n  dates: {from: 2024-05-01, until: 2024-05-31}\n  pages: none"
    crawler.rules = RULES.replace('url: "{home}"\n  pages: next-link\n  next: a.older', dated)
    crawler.portal.script |= {
        "/2024/05/": index(day("4 May 2024", post(1), post(2)), more="<a href=/2024/04/>April</a>"),
        "/2024/04/": index(day("3 April 2024", post(3), post(4))),
    }
    assert crawler.crawl() == 0
    assert "its `dates` leave out " in crawler.said and "/2024/04/, which lists 2 articles that no list named" in crawler.said
    assert sorted(crawled(crawler)) == ALL[:2]


# --- looking at one page ---


SHOWN = index(day("3 May 2024", post(1, more=True), post(2, title=False)), "<div class=post><div class=text>No address</div></div>")


def test_try_tells_that_a_page_is_an_index_page_and_shows_its_posts(written: WrittenPortal) -> None:
    line = written.look(RULES, SHOWN, "/label/river", "--as", "article")
    assert (line["outcome"], line["reason"][:29]) == ("listing", "an index page of 2 articles, ")
    first, second, nameless = line["posts"]
    assert first["url"] == f"{HOME}/2024/post-1.html"
    assert first["metadata"]["headline"] == [{"value": "Post 1", "raw": "Post 1", "source": "posts.blog.title"}]
    assert (first["flags"], second["flags"], nameless["url"]) == ([BEGINNING], [NO_TITLE], None)
    assert second["text"].startswith("Sentence 0 of the post number 2")

    archive = written.archive(RULES, SHOWN, "/")
    assert [(one["url"] is not None, one["whole"]) for one in archive["posts"]] == [(True, False), (True, True), (False, True)]


# --- which posts, and what each says of itself ---

BLOG = """
archive: {url: "{home}", item: div.p, urls: {drop_params: [m]}}
posts:
  blog: {item: div.p, url: h3 a, title: h3, text: div.t, author: b, time: time, more: [a.more, .kivonat]}
"""
LONG = "A hidat tegnap délután adták át a forgalomnak, és estére már állt rajta a sor. "


def short(path: str, text: str = LONG, more: str = "") -> str:
    return f"<div class=p><h3><a href='{path}'>Cím {path}</a></h3><div class=t><p>{text}</p></div>{more}</div>"


def posts(written: WrittenPortal, html: str, rules: str = BLOG) -> list[dict[str, Any]]:
    return list(written.look(rules, html, "/page/9", "--as", "article")["posts"])


@pytest.mark.parametrize(
    ("html", "at", "is_index"),
    [
        (short("/1") + short("/2"), "/", True),
        (short("/1"), "/page/9", True),
        (short("/1"), "/1?m=1", False),
        (short("/1") + short("/2"), "/1", False),
        ("<link rel=canonical href=/1>" + short("/1"), "/other-address", False),
        (short("#top", LONG * 9) + short("/1") + short("/2"), "/here", False),
        (f"<p>{LONG * 9}</p>" + short("/1") + short("/2"), "/here", False),
        (short("/3") + short("/1") + short("/2"), "/3", False),
        (short("https://masik.example/1") + short("https://masik.example/2"), "/here", False),
        ("<p>Semmi.", "/here", False),
    ],
)
def test_which_pages_are_index_pages(written: WrittenPortal, html: str, at: str, is_index: bool) -> None:
    assert (written.look(BLOG, html, at, "--as", "article")["outcome"] == "listing") is is_index


def test_a_post_needs_something_in_it_and_one_within_another_is_part_of_it(written: WrittenPortal) -> None:
    empty, picture = "<div class=p><h3><a href=/0>Cím</a></h3><div class=t> </div></div>", short("/3", "<img src=/k.jpg>")
    around = short("/4", f"{LONG}</p>{short('/5')}<p>")
    found = written.archive(BLOG, empty + short("/1", "Rövid.") + picture + around + short("/1"), "/")["posts"]
    assert [one["url"].removeprefix(HOME) for one in found] == ["/1", "/3", "/4", "/1"]


def test_the_metadata_of_a_post_are_its_own_and_what_the_page_says_of_the_whole_blog(written: WrittenPortal) -> None:
    head = (
        "<html lang=de><head><title>Mein Blog</title><meta property='og:site_name' content='Mein Blog'><meta name=author content=Wer>"
        "<meta property='og:title' content=Start><meta property='article:published_time' content='2001-01-01T00:00:00Z'>"
        '<script type=\'application/ld+json\'>{"@type": "BlogPosting", "headline": "Anderes"}</script></head>'
    )
    one = short("/1").replace("</h3>", "</h3><b>Anna</b><b>Béla</b><time>2024. május 3.</time>")
    rules = BLOG + "metadata: {articleSection: {page_url: '/(\\d)$'}}\n"
    first, second = posts(written, f"{head}<h1>Blog</h1>{one}{short('/2')}", rules)
    values = {name: [found["value"] for found in told] for name, told in first["metadata"].items()}
    assert {name: values[name] for name in ("author", "headline", "datePublished", "url", "publisher", "articleSection")} == {
        "author": ["Anna", "Béla"],
        "headline": ["Cím /1"],
        "datePublished": ["2024-05-03"],
        "url": [f"{HOME}/1"],
        "publisher": ["Mein Blog"],
        "articleSection": ["1"],
    }
    assert (first["flags"], second["flags"]) == ([], [NO_DATE])
    assert not {"author", "image"} & second["metadata"].keys()
    assert second["metadata"]["description"][0]["source"] == "body:first-paragraph"


@pytest.mark.parametrize("text", [f"{LONG}<a class=more href=/1>Tovább</a>", f"<span class=kivonat>{LONG}</span>"])
def test_what_leads_to_the_rest_is_no_text_but_an_excerpt_that_shows_that_there_is_more_is(written: WrittenPortal, text: str) -> None:
    (told,) = posts(written, short("/1", text, "<i>Megosztás</i>"))
    assert (told["text"], told["flags"][-1]) == (LONG.strip(), BEGINNING)
    assert [piece["text"] for piece in told["dropped"] if piece["rule"] == "posts.blog: not its text"] == ["Cím /1", "Megosztás"]
