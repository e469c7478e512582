"""What a web archive holds of a corpus is counted exactly, its index is asked politely and once, and what only it has comes in."""

from __future__ import annotations

import gzip
import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from scripted_portal import GONE, Reply, listing
from web_archive import FILE, Archived, cdx, cdxj, web_archive

RULES = "archive:\n  url: https://pelda.example/l/{page}\n  item: li.t\n  link: h2 a\n"
ONLY = "  urls: {only: ['/c/\\d+/?$']}\n"


@pytest.fixture
def corpus(desk: Any, article_page: Any) -> Any:
    """Articles 1 to 4, of which the portal has lost the fourth."""
    pages = {f"_c_{number}": article_page(f"Bridge {number}", day=f"20{20 + number}-05-01") for number in (1, 2, 3)}
    desk.rules(RULES + ONLY, listing(1, 2, 3, 4), listing(), **pages, _c_4=GONE)
    assert desk.types("crawl portal.yaml").code == 0
    assert desk.types("build portal.yaml --jobs 1").code == 0
    return desk


def captured(desk: Any, path: str, stamp: str, *, scheme: str = "http", **more: str) -> Archived:
    return Archived(f"{scheme}://{desk.site.home.partition('//')[2]}{path}", stamp, **more)


def invented(desk: Any) -> list[Archived]:
    """Of the articles 1 and 2 both hold a page, 4 and 5 are in the archive alone, 3 is in the corpus alone."""
    return [
        captured(desk, "/c/1", "20210503101112"),
        captured(desk, "/c/1", "20210601000000"),
        captured(desk, "/c/2/", "20220501090000", scheme="https"),
        captured(desk, "/c/3", "20230502000000", status="302"),
        captured(desk, "/c/3", "20230503000000", status="404"),
        captured(desk, "/c/3", "20230504000000", mime="image/png"),
        captured(desk, "/c/4", "20240601000000", digest="SAME"),
        captured(desk, "/c/5", "20250102030405", mime="warc/revisit", status="-", digest="SAME"),
        captured(desk, "/c/6", "20250102030405", mime="warc/revisit", status="-", digest="NOBODY-KNOWS"),
        captured(desk, "/contact", "20250102030405"),
        Archived("http://elsewhere.example/c/9", "20250102030405"),
    ]


def counted(desk: Any, *flags: str, code: int = 0) -> dict[str, Any]:
    said = desk.types(f"coverage portal.yaml {' '.join(flags)} --json")
    assert said.code == code, said.all
    return dict(json.loads(said.out))


def row(both: int, only_ours: int, only_theirs: int, days: float | None) -> dict[str, Any]:
    return {"both": both, "only_ours": only_ours, "only_theirs": only_theirs, "days": days}


@pytest.mark.parametrize("form", ["cdx", "cdx without header", "cdx.gz", "cdxj", "wayback", "numbered"])
def test_what_both_hold_is_counted_exactly_whatever_tells_it(corpus: Any, form: str) -> None:
    captures = invented(corpus)
    with ExitStack() as stack:
        if form in ("wayback", "numbered"):
            archive = stack.enter_context(web_archive(captures, numbered=form == "numbered"))
            source = f"{archive.address}cdx"
        else:
            text = cdxj(*captures) if form == "cdxj" else cdx(*captures)
            source, lines = "index.cdx", (text.partition("\n")[2] if "without" in form else text).encode()
            Path(source).write_bytes(gzip.compress(lines) if form.endswith("gz") else lines)
        told = counted(corpus, "--cdx", source, "--cdx", source)  # what two sources tell is one capture
    assert told["totals"] == row(2, 1, 2, 1.0)
    assert told["lines"] == {
        **{"pages": 8, "revisits": 4, "redirects": 2, "errors": 2, "other types": 2, "other hosts": 2},
        **{"no articles by the portal file": 2, "revisits of unknown captures": 1},
    }
    years = {year.pop("name"): year for year in told["years"]}
    assert years == {
        "2021": row(1, 0, 0, 2.0),
        "2022": row(1, 0, 0, 0.0),
        "2023": row(0, 1, 0, None),
        "2024": row(0, 0, 1, None),
        "2025": row(0, 0, 1, None),
    }
    assert told["columns"] == [{"name": "archive", **row(2, 1, 1, 1.0)}, {"name": None, **row(0, 0, 1, None)}]
    only = [line.split()[1] for line in (corpus.corpus / "coverage/only-theirs.cdxj").read_text().splitlines()]
    assert only == ["20240601000000", "20250102030405"]
    assert "<svg" in (corpus.corpus / "coverage/coverage.html").read_text()


@pytest.mark.parametrize("numbered", [False, True])
def test_what_only_the_archive_has_becomes_the_article_that_the_portal_would_have_given(
    corpus: Any, article_page: Any, numbered: bool
) -> None:
    page = article_page("Bridge 4 \u0151", day="2024-05-01")
    with web_archive([captured(corpus, "/c/1", "20210503101112"), captured(corpus, "/c/4", "20240601000000", body=page)]) as archive:
        archive.numbered = numbered
        counted(corpus, "--cdx", f"{archive.address}cdx")
        archive.asked.clear()
        said = corpus.types(f"crawl portal.yaml --from-archive --replay {archive.address}")
        assert (said.code, "1 page of articles" in said.err) == (0, True), said.all
        assert len(archive.asked) == 1
        assert corpus.types(f"crawl portal.yaml --from-archive --replay {archive.address}").code == 0
        assert len(archive.asked) == 1, "what is there is not asked for again"
        assert counted(corpus, "--cdx", f"{archive.address}cdx")["totals"] == row(2, 2, 0, 2.0)
    listed = [json.loads(line) for line in corpus.types("warc list corpora/pelda --json").out.splitlines()]
    assert [line["date"][:19] for line in listed if line["url"].endswith("/c/4") and line["status"] == 200] == ["2024-06-01T00:00:00"]
    cat = gzip.open(next(path for path in sorted((corpus.corpus / "warc").glob("*articles*"))[1:])).read().decode()
    assert f'"source":"{archive.address}{FILE if numbered else "20240601000000id_/"}' in cat
    from_archive = built(corpus)
    corpus.site.script["/c/4"] = page
    Path("corpora").rename("from-archive")
    assert corpus.types("crawl portal.yaml").code == 0
    assert built(corpus) == from_archive


def built(desk: Any) -> dict[str, Any]:
    """The fourth article as a program gets it, without what says where and when it was had."""
    assert desk.types("build portal.yaml --jobs 1").code == 0
    articles = map(json.loads, desk.types("export portal.yaml --to jsonl").out.splitlines())
    (article,) = (article for article in articles if article["url"].endswith("/c/4"))
    return {name: value for name, value in article.items() if name in ("id", "url", "metadata", "text", "blocks", "outcome")}
