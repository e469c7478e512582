"""Index pages that hold several whole posts: each post is an article of its own, once, from wherever there is most of it."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from ledgers import differences
from scripted_portal import Crawler, Reply, ScriptedPortal, scripted_portal
from small_corpus import SmallCorpus
from written_portal import WrittenPortal

from webarticlecurator import pipeline
from webarticlecurator.errors import CorpusError

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


# --- without a crawl: what another program stored ---


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    return SmallCorpus(tmp_path, RULES)


def texts(corpus: SmallCorpus) -> dict[str, str]:
    """Path of each article -> its document."""
    rows = corpus.ask("SELECT url, path FROM articles WHERE path IS NOT NULL")
    return {url.removeprefix("https://pelda.example"): (corpus.folder / path).read_text("utf-8") for url, path in rows}


def test_each_post_of_an_imported_index_page_is_an_article_of_its_own(corpus: SmallCorpus) -> None:
    corpus.store(("/", index(day("3 May 2024", post(1), post(2)), day("2 May 2024", post(3))).encode()))
    summary = corpus.build()

    rows = corpus.ask("SELECT url, outcome, headline, published FROM articles ORDER BY url")
    assert rows == [
        (f"https://pelda.example/2024/post-{number}.html", "article", f"Post {number}", f"2024-05-0{date}T21:0{number}:00+00:00")
        for number, date in ((1, 3), (2, 3), (3, 2))
    ]
    document = texts(corpus)["/2024/post-2.html"]
    assert "Sentence 0 of the post number 2" in document
    assert "post number 1" not in document
    assert "Nobody" not in document
    assert all(said in document for said in ("Anna Kis", "river</term>", ">A blog<", 'n="1"', "https://pelda.example/</idno>"))
    assert 'type="flag">index page: the text is read from one, since the article\'s own page is not stored</note>' in document
    assert summary.index_posts == {"index page: the text is read from one, since the article's own page is not stored": 3}


def test_the_page_that_was_read_is_the_capture_of_each_post(corpus: SmallCorpus) -> None:
    corpus.store(("/label/river", index(day("3 May 2024", post(1), post(2))).encode()))
    corpus.build()

    captures = {tuple(re.findall(r'relatedItem type="capture".*?URI">(.*?)<', one, re.DOTALL)) for one in texts(corpus).values()}
    assert captures == {("https://pelda.example/label/river",)}


def test_a_page_of_posts_is_an_index_page_whatever_its_address_and_a_posts_own_page_is_none(corpus: SmallCorpus) -> None:
    """Even one that shows other posts below its own."""
    related = page(4).replace("</body>", post(1, length=1) + post(2, length=1) + "</body>")
    unlinked = page(5).replace("<a href='/2024/post-5.html?m=1'>Post 5</a>", "Post 5")
    unlinked = unlinked.replace("<a class=permalink href='/2024/post-5.html'>#</a>", "").replace("</body>", post(1) + post(2) + "</body>")
    corpus.store(
        ("/search?q=walk", index(day("3 May 2024", post(1), post(2))).encode()),
        ("/2024/post-3.html", page(3).encode()),
        ("/2024/post-4.html", related.encode()),
        ("/old-address-of-5", unlinked.encode()),
    )
    corpus.build()

    assert {path: outcome for path, (outcome, _) in corpus.built.items()} == dict.fromkeys(
        ["/2024/post-1.html", "/2024/post-2.html", "/2024/post-3.html", "/2024/post-4.html", "/old-address-of-5"], "article"
    )
    assert "Well said" not in texts(corpus)["/2024/post-1.html"]


def test_the_last_index_page_may_hold_one_post_and_a_posts_own_page_may_have_another_address(corpus: SmallCorpus) -> None:
    mobile = page(2).replace("<head>", "<head><link rel=canonical href='/2024/post-2.html'>")
    corpus.store(
        ("/page/4", index(day("3 May 2024", post(1))).encode()),
        ("/post-2?showComment=7", mobile.encode()),
        ("/2024/post-3.html?m=1", page(3).encode()),
        ("/about", (f"<html><body><p>{'A long page about the river and all who walk there. ' * 20}</p>{post(4)}</body></html>").encode()),
    )
    corpus.build()

    assert set(corpus.built) == {"/2024/post-1.html", "/post-2?showComment=7", "/2024/post-3.html", "/about"}
    assert "Well said" not in texts(corpus)["/2024/post-1.html"]


def test_what_stands_on_several_index_pages_is_one_article_and_the_fullest_counts(corpus: SmallCorpus) -> None:
    corpus.store(
        ("/", index(day("3 May 2024", post(1, length=1, more=True), post(2))).encode()),
        ("/?m=1", index(day("3 May 2024", post(1, length=1, more=True), post(2))).encode()),
        ("/2024/05/", index(day("3 May 2024", post(1, length=9), post(2))).encode()),
    )
    corpus.build()

    assert sorted(corpus.built) == ["/2024/post-1.html", "/2024/post-2.html"]
    document = texts(corpus)["/2024/post-1.html"]
    assert "Sentence 8" in document
    assert "only the beginning" not in document


def test_a_truncated_post_says_that_it_is_one_and_the_way_on_is_no_text(corpus: SmallCorpus) -> None:
    corpus.store(("/", index(day("3 May 2024", post(1, more=True), post(2))).encode()))
    summary = corpus.build()

    document = texts(corpus)["/2024/post-1.html"]
    assert "only the beginning of the post stands there" in document
    assert "Read on" not in document
    assert summary.index_posts["index page: only the beginning of the post stands there"] == 1


def test_posts_without_a_title_or_a_date_are_kept_and_said_to_be_so(corpus: SmallCorpus) -> None:
    undated = post(2).replace("<span class=at>9:02 PM</span>", "")
    corpus.store(("/", index(post(1, title=False).replace("9:01 PM", ""), undated, day("3 May 2024", post(3))).encode()))
    summary = corpus.build()

    assert {path: outcome for path, (outcome, _) in corpus.built.items()} == {f"/2024/post-{n}.html": "article" for n in (1, 2, 3)}
    told = texts(corpus)
    assert "the post has no title there" in told["/2024/post-1.html"]
    assert "the post has no date there" in told["/2024/post-2.html"]
    assert summary.index_posts["index page: the post has no title there"] == 1
    assert summary.index_posts["index page: the post has no date there"] == 2


def test_posts_that_have_no_address_are_told(corpus: SmallCorpus) -> None:
    nameless = "<div class=post><div class=text><p>A post that nothing leads to, as short as it is.</p></div></div>"
    corpus.store(("/", index(day("3 May 2024", post(1), nameless, post(2))).encode()))

    assert corpus.build().nameless_posts == (1, "https://pelda.example/")


# --- its own page, too ---


def test_a_posts_own_page_counts_where_it_has_as_much_and_nothing_is_doubled(corpus: SmallCorpus) -> None:
    corpus.rules += "  comments: {item: li.comment, author: .who, text: p}\n"
    corpus.store(("/", index(day("3 May 2024", post(1), post(2))).encode()), ("/2024/post-1.html", page(1, length=3).encode()))
    corpus.build()

    assert sorted(corpus.built) == ["/2024/post-1.html", "/2024/post-2.html"]
    document = texts(corpus)["/2024/post-1.html"]
    assert "Well said" in document
    assert "index page" not in document
    assert "Well said" not in texts(corpus)["/2024/post-2.html"]


def test_where_the_index_page_has_more_its_text_counts_and_the_rest_is_of_the_own_page(corpus: SmallCorpus) -> None:
    corpus.rules += "  comments: {item: li.comment, author: .who, text: p}\n"
    corpus.store(("/", index(day("3 May 2024", post(1, length=9), post(2))).encode()), ("/2024/post-1.html", page(1, length=1).encode()))
    corpus.build()

    document = texts(corpus)["/2024/post-1.html"]
    assert "Sentence 8" in document
    assert "Well said" in document
    assert "the text is read from one, since the article's own page has less text" in document
    assert re.findall(r'<relatedItem type="(\w+)">', document).count("capture") == 2


def test_an_own_page_that_is_no_article_leaves_the_post_on_the_index_page(corpus: SmallCorpus) -> None:
    corpus.store(
        ("/", index(day("3 May 2024", post(1), post(2))).encode()), ("/2024/post-1.html", b"<html><body><h1>Not here</h1></body></html>")
    )
    corpus.build()

    assert corpus.built["/2024/post-1.html"][0] == "article"
    assert "own page is empty" in texts(corpus)["/2024/post-1.html"]


# --- builds ---


def test_a_build_with_nothing_new_changes_nothing_and_looks_at_no_page_again(corpus: SmallCorpus) -> None:
    corpus.store(("/", index(day("3 May 2024", post(1), post(2))).encode()))
    corpus.build()
    before = corpus.documents
    again = corpus.build()
    everything = corpus.build(everything=True)

    assert (again.unchanged, again.written) == (2, 0)
    assert (everything.written, everything.confirmed) == (0, 2)
    assert corpus.documents == before
    assert corpus.compare().differs is False


def test_a_page_that_came_again_changes_nothing_and_an_edited_post_is_built_again(corpus: SmallCorpus) -> None:
    corpus.store(("/", index(day("3 May 2024", post(1), post(2))).encode()))
    corpus.build()
    corpus.store(("/", index(day("3 May 2024", post(1, length=6), post(2), post(3))).encode()), date="2024-06-05T00:00:00Z")
    summary = corpus.build()

    assert (summary.articles, summary.unchanged, summary.written) == (3, 1, 2)
    assert "Sentence 5" in texts(corpus)["/2024/post-1.html"]


def test_rules_for_posts_count_for_pages_that_are_stored(corpus: SmallCorpus) -> None:
    corpus.store(("/", index(day("3 May 2024", post(1), post(2))).encode()), ("/2024/post-3.html", page(3).encode()))
    corpus.build()
    corpus.rules = corpus.rules.replace("    author: .by\n", "    author: {const: Somebody}\n")
    assert corpus.compare().changed == 2
    corpus.build()
    assert "Somebody" in texts(corpus)["/2024/post-1.html"]

    corpus.rules = corpus.rules[: corpus.rules.index("posts:")]
    summary = corpus.build()
    assert (summary.articles, summary.removed) == (1, 2)
    assert list(corpus.built) == ["/2024/post-3.html"]


def test_an_index_page_that_was_taken_for_an_article_says_so(corpus: SmallCorpus) -> None:
    """It was imported before the rules for posts were written."""
    rules = corpus.rules
    corpus.rules = rules[: rules.index("posts:")]
    corpus.store(("/label/river", index(day("3 May 2024", post(1), post(2))).encode()))
    corpus.rules = rules
    corpus.build()

    outcome, reason = corpus.built["/label/river"]
    assert (outcome, reason[:58]) == ("listing", "an index page of posts, which was stored as an article; im")


def test_several_processes_build_the_same(corpus: SmallCorpus, tmp_path: Path) -> None:
    corpus.store(("/", index(day("3 May 2024", post(1), post(2), post(3)), day("2 May 2024", post(4))).encode()))
    corpus.build()
    (tmp_path / "other").mkdir()
    other = SmallCorpus(tmp_path / "other", RULES)
    (tmp_path / "other" / "corpus").mkdir()
    for name in ("ledger.sqlite", "warc"):
        (corpus.folder / name).rename(other.folder / name)
    other.build(jobs=2)

    assert other.documents == corpus.documents


def test_the_articles_of_a_corpus_can_be_read_without_a_build(corpus: SmallCorpus) -> None:
    from webarticlecurator import read_corpus

    corpus.store(("/", index(day("3 May 2024", post(1), post(2))).encode()))
    assert [article.title for article in read_corpus(corpus.portal, corpus=corpus.folder)] == ["Post 1", "Post 2"]


def test_the_ledger_of_an_import_can_be_made_again(corpus: SmallCorpus) -> None:
    corpus.store(("/search?q=walk", index(day("3 May 2024", post(1), post(2))).encode()), ("/2024/post-1.html", page(1).encode()))
    shutil.copy(corpus.folder / "ledger.sqlite", corpus.base / "before.sqlite")
    (corpus.folder / "ledger.sqlite").unlink()
    pipeline.index(corpus.portal, corpus=corpus.folder)

    assert differences(corpus.base / "before.sqlite", corpus.folder / "ledger.sqlite") == []


def test_a_page_that_cannot_be_looked_at_ends_no_build_and_is_told(corpus: SmallCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus.store(("/", index(day("3 May 2024", post(1), post(2))).encode()), ("/2024/post-1.html", page(1).encode()))

    def fail(*_: object) -> None:
        raise RuntimeError("a bug")

    with monkeypatch.context() as broken:
        broken.setattr("webarticlecurator.extraction.index_posts.read_index_page", fail)
        assert corpus.build().articles == 1
    (problem,) = corpus.problems
    assert (problem["url"], problem["outcome"]) == ("https://pelda.example/", "unreadable")
    assert "its posts could not be read" in problem["reason"]

    assert corpus.build().articles == 2, "the next build looks again"
    assert corpus.problems == []


def test_nothing_is_taken_away_while_the_file_of_the_index_pages_is_missing(corpus: SmallCorpus) -> None:
    corpus.store(("/", index(day("3 May 2024", post(1), post(2))).encode()), ("/2024/post-1.html", page(1).encode()))
    corpus.build()
    before = corpus.documents
    (archive,) = (corpus.folder / "warc").glob("*-archive-*")
    archive.rename(corpus.base / "elsewhere")
    for rules in (corpus.rules, corpus.rules.replace(".by", ".who")):
        corpus.rules = rules
        with pytest.raises(CorpusError, match="missing or cut short"):
            corpus.build()
        assert corpus.documents == before

    (corpus.base / "elsewhere").rename(archive)
    assert corpus.build().articles == 2


# --- crawls ---


@pytest.fixture
def blog() -> Iterator[ScriptedPortal]:
    with scripted_portal() as portal:
        yield portal


@pytest.fixture
def crawler(blog: ScriptedPortal, curator: Callable[..., Any], tmp_path: Path) -> Crawler:
    first = index(day("4 May 2024", post(1), post(2, more=True, length=1)), older="/page/2")
    blog.script |= {"/": first, "/page/2": index(day("3 May 2024", post(3), post(4)))}
    blog.script |= {f"/2024/post-{number}.html": page(number) for number in (1, 2, 3)}
    blog.script["/2024/post-4.html"] = Reply("gone", 410)
    return Crawler(curator, tmp_path, blog, RULES)


def asked(crawler: Crawler) -> list[str]:
    return sorted(path for path in crawler.portal.asked if path.startswith("/2024/"))


def built(crawler: Crawler, *flags: str) -> dict[str, str]:
    """Path -> document of each article."""
    ended = crawler.curator("build", crawler.file, "--corpus", crawler.corpus, "--jobs", "1", *flags)
    assert ended.code == 0, ended.err
    with closing(sqlite3.connect(crawler.corpus / "build.sqlite")) as database:
        rows = database.execute("SELECT url, path FROM articles WHERE outcome = 'article'").fetchall()
    return {url.removeprefix(crawler.portal.home): (crawler.corpus / path).read_text("utf-8") for url, path in rows}


def truncated_only(crawler: Crawler) -> None:
    crawler.rules = RULES + "articles: {fetch: truncated}\n"


def test_posts_whose_pages_are_gone_are_articles_and_so_are_all_of_a_crawl_of_the_archive_alone(crawler: Crawler) -> None:
    assert crawler.crawl("--archive-only") == 0
    assert sorted(built(crawler)) == [f"/2024/post-{number}.html" for number in (1, 2, 3, 4)]

    assert crawler.crawl() == 0
    documents = built(crawler)
    assert sorted(documents) == [f"/2024/post-{number}.html" for number in (1, 2, 3, 4)]
    assert crawler.status()["outcomes"] == {"article": 4}, "what a person has, not that a page is gone"
    assert "own page is not stored" in documents["/2024/post-4.html"]
    assert "Sentence 4" in documents["/2024/post-2.html"]
    assert "index page" not in documents["/2024/post-2.html"]


def test_the_own_page_of_an_article_that_was_looked_at_before_the_crawl_is_no_index_page(crawler: Crawler) -> None:
    unlinked = page(1).replace("<h3><a href='/2024/post-1.html?m=1'>Post 1</a></h3>", "<h3>Post 1</h3>")
    crawler.portal.script["/2024/post-1.html"] = unlinked.replace("<a class=permalink href='/2024/post-1.html'>#</a>", "")
    assert crawler.crawl() == 0
    with closing(sqlite3.connect(crawler.corpus / "ledger.sqlite")) as ledger, ledger:
        ledger.execute(
            "INSERT INTO responses (key, request, at, status, kind, record, target, digest, file, offset, length)"
            " SELECT key, request, at, status, kind, record, target, digest, file, offset, length FROM responses"
            " WHERE request LIKE '%/post-1.html'"
        )
    ended = crawler.curator("build", crawler.file, "--corpus", crawler.corpus, "--jobs", "1")
    assert ended.code == 0
    assert "no address" not in ended.out + ended.err


def test_only_truncated_posts_are_asked_for_where_the_file_says_so(crawler: Crawler) -> None:
    truncated_only(crawler)
    assert crawler.crawl() == 0
    assert asked(crawler) == ["/2024/post-2.html"]
    assert crawler.outcomes["/2024/post-1.html"] == "duplicate"

    documents = built(crawler)
    assert len(documents) == 4
    assert "Sentence 4" in documents["/2024/post-2.html"]

    assert crawler.crawl() == 0
    assert asked(crawler) == [], "what stands whole on an index page is settled"


def test_a_posts_address_that_answers_with_the_page_of_all_posts_gives_it_no_text_of_another(crawler: Crawler) -> None:
    crawler.portal.script["/2024/post-2.html"] = crawler.portal.script["/"]
    assert crawler.crawl() == 0
    document = built(crawler)["/2024/post-2.html"]
    assert "the post number 2" in document
    assert "the post number 1" not in document
    assert "only the beginning" in document


def test_a_rerun_without_that_fetches_them_after_all(crawler: Crawler) -> None:
    truncated_only(crawler)
    crawler.crawl()
    crawler.rules = RULES
    assert crawler.crawl() == 0
    assert asked(crawler) == [f"/2024/post-{number}.html" for number in (1, 3, 4)]
    assert crawler.outcomes["/2024/post-1.html"] == "fetched"
    assert crawler.crawl() == 0
    assert asked(crawler) == []
    assert "Sentence 4" in built(crawler)["/2024/post-1.html"]


def test_posts_that_slide_to_the_next_page_are_collected_once(crawler: Crawler) -> None:
    truncated_only(crawler)
    crawler.crawl("--archive-only")
    crawler.portal.script |= {
        "/": index(day("5 May 2024", post(5), post(6)), older="/page/2"),
        "/page/2": index(day("4 May 2024", post(1), post(2, more=True, length=1)), older="/page/3"),
        "/page/3": index(day("3 May 2024", post(3), post(4))),
    }
    crawler.crawl()

    assert asked(crawler) == ["/2024/post-2.html"]
    assert sorted(built(crawler)) == [f"/2024/post-{number}.html" for number in range(1, 7)]


def test_the_ledger_made_again_is_the_same_and_so_are_the_documents(crawler: Crawler) -> None:
    truncated_only(crawler)
    crawler.crawl()
    before = built(crawler)
    shutil.copy(crawler.corpus / "ledger.sqlite", crawler.folder / "before.sqlite")
    (crawler.corpus / "ledger.sqlite").unlink()
    assert crawler.curator("warc", "index", crawler.file, "--corpus", crawler.corpus).code == 0
    (crawler.corpus / "build.sqlite").unlink()

    assert differences(crawler.folder / "before.sqlite", crawler.corpus / "ledger.sqlite") == []
    assert built(crawler, "--all") == before


# --- looking at one page ---


@pytest.fixture
def written(curator: Callable[..., Any], tmp_path: Path) -> WrittenPortal:
    return WrittenPortal(curator, tmp_path)


SHOWN = index(day("3 May 2024", post(1, more=True), post(2, title=False)), "<div class=post><div class=text>No address</div></div>")


def test_try_tells_that_a_page_is_an_index_page_and_shows_its_posts(written: WrittenPortal) -> None:
    line = written.look(RULES, SHOWN, "/label/river", "--as", "article")

    assert (line["outcome"], line["reason"][:29]) == ("listing", "an index page of 2 articles, ")
    first, second, nameless = line["posts"]
    assert first["url"] == "https://pelda.example/2024/post-1.html"
    assert first["metadata"]["headline"] == [{"value": "Post 1", "raw": "Post 1", "source": "posts.blog.title"}]
    assert first["flags"] == ["index page: only the beginning of the post stands there"]
    assert second["flags"] == ["index page: the post has no title there"]
    assert second["text"].startswith("Sentence 0 of the post number 2")
    assert nameless["url"] is None


def test_try_of_an_archive_page_counts_the_posts_on_it(written: WrittenPortal) -> None:
    line = written.archive(RULES, SHOWN, "/")

    assert [(one["url"] is not None, one["whole"]) for one in line["posts"]] == [(True, False), (True, True), (False, True)]


def test_try_says_the_same_in_words(written: WrittenPortal) -> None:
    (written.folder / "page.html").write_text(SHOWN, encoding="utf-8")
    command = ("try", written.write(RULES), "https://pelda.example/", "--html", written.folder / "page.html", "--as")

    archive, article = (written.curator(*command, kind).out for kind in ("archive", "article"))
    assert "3 posts stand on it: 1 without an address, 1 truncated; `--as article` shows them" in archive
    assert "an index page of 2 articles" in article
    assert "headline: Post 1   (posts.blog.title)" in article
    assert "a post without an address" in article


def test_try_shows_the_comments_of_an_article(written: WrittenPortal) -> None:
    (written.folder / "page.html").write_text(page(1), encoding="utf-8")
    rules = f"{RULES}  comments: {{item: li.comment, author: .who, text: p}}\n"

    url = "https://pelda.example/2024/post-1.html"
    told = written.curator("try", written.write(rules), url, "--html", written.folder / "page.html").out
    assert "  Comments:\n    Béla | Well said" in told


def test_a_posts_own_page_is_tried_as_the_article_that_it_is(written: WrittenPortal) -> None:
    line = written.look(RULES, page(1), "/2024/post-1.html", "--as", "article")

    assert (line["outcome"], "posts" in line) == ("article", False)
    assert line["text"].startswith("Sentence 0")


def test_the_example_of_the_guide_is_right(written: WrittenPortal, repo_root: Path) -> None:
    guide = (repo_root / "docs" / "recipes" / "writing-rules.md").read_text("utf-8").partition("### Index pages that hold whole posts")[2]
    html, rules = (guide.partition(f"```{kind}\n")[2].partition("```")[0] for kind in ("html", "yaml"))
    written.head = written.head.replace("language: hu", "language: en")

    line = written.look(rules, html, "/", "--as", "article")

    dates = [post["metadata"]["datePublished"][0]["value"] for post in line["posts"]]
    assert dates == ["2024-05-03T21:05:00+02:00", "2024-05-03", "2024-05-02T08:30:00+02:00"]
    assert [post["text"] for post in line["posts"]] == ["It is open.", "It has", "No title today."]
    assert [len(post["flags"]) for post in line["posts"]] == [0, 1, 1]
