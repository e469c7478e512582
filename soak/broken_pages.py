"""Pages that no author meant, and what must come of every page, whatever its bytes are."""

from __future__ import annotations

import time
from functools import cache
from itertools import islice

from documents import read_capture, real_pages
from mutants import mutants_of, replacing
from real_pages import DATA
from seams import document_of, portal_of

from webarticlecurator.config.portal import Portal
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.tei.document import validate

SECONDS = 20.0
"""Of CPU for the worst page here; a machine that is busy with other things may be five times as slow as ours."""
SENTENCE = "The council met on Tuesday and talked for hours about the bridge. "
_PAGE = f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A bridge | Example</title>
<script type="application/ld+json">{{"@context": "https://schema.org", "@type": "LiveBlogPosting", "headline": "A bridge",
"author": [{{"@type": "Person", "name": "Anna Kis"}}], "datePublished": "2024-05-01T10:00:00+02:00", "keywords": ["bridge", "river"],
"liveBlogUpdate": [{{"@type": "BlogPosting", "headline": "Now", "articleBody": "It has begun."}}]}}</script>
<meta property="og:title" content="A bridge"><meta name="author" content="Anna Kis"></head><body><nav><a href="/">Home</a></nav>
<article><h1>A bridge</h1><p class="byline">By <a rel="author" href="/anna">Anna Kis</a>, <time datetime="2024-05-01">1 May 2024</time></p>
<p><b>{SENTENCE * 3}</b></p><figure><img src="/a.jpg" alt="Bridge"><figcaption>The bridge.
<span class="credit">Photo: MTI</span></figcaption></figure><p>{SENTENCE * 4}<a href="/b c">more</a> <q lang="fr">oui</q></p>
<h2>Figures</h2><table><caption>Cars</caption><tr><th>Year</th>
<th>Cars</th></tr><tr><td rowspan="2">2023</td><td>7</td></tr></table><ul><li>one<ol><li>two</li></ol></li></ul><blockquote
class="twitter-tweet"><p>Hello</p><a href="https://twitter.com/a/status/1">1 May</a></blockquote><p>{SENTENCE * 4}</p><p>It has begun.</p>
<pre>a  b</pre><dl><dt>a</dt><dd>b</dd></dl><iframe src="https://video.example/1"></iframe></article><footer>Imprint</footer></body></html>"""
PORTALS = (
    portal_of(),
    portal_of(
        body={
            "root": ["article", "body"],
            "tags": {
                "decompose": ["nav", "p:contains('more')"],
                "box": ["div:has(> p)"],
                "quote": ["li"],
                "split": {"b": ["lead", "bold"]},
            },
        },
        posts={"comments": {"item": "p", "author": "a", "time": "time", "text": "b"}},
        metadata={"author": {"css": "a", "split": ","}, "datePublished": {"css": "time", "date": ["auto", "yyyy. MMMM d."]}},
    ),
)
"""Without rules, and with rules that fit these pages badly."""


@cache
def seeds() -> list[bytes]:
    """What is mutated: a page of ours, and real ones where they are at hand."""
    real = islice(real_pages(DATA), 0, None, 40) if DATA.is_dir() else ()
    return [_PAGE.encode(), *(page.capture.entity for page in real)]


def outcome_of(capture: Capture, portal: Portal) -> PageOutcome:
    """What becomes of a page; a document that was made of it is valid."""
    begin = time.process_time()
    read = read_capture(capture, portal)
    if isinstance(read, str):
        assert read, "a page without an outcome"
        return PageOutcome.UNREADABLE
    _, article = read
    assert article.outcome is PageOutcome.ARTICLE or article.reason
    assert validate(document_of(article, portal)) == ()
    assert time.process_time() - begin < SECONDS
    return article.outcome


PIECES = (
    *(b"<", b">", b"<!--", b"-->", b"]]>", b"<?x?>", b"&#0;", b"&#xD800;", b"&#xFFFF;", b"\xff\xfe", b"\xed\xa0\x80", b"\r"),
    *(b"<table>", b"</table>", b"<td>", b"<li>", b"<figure>", b"<figcaption>", b"</article>", b"<blockquote>", b"<pre>", b"<svg>", b"<b>"),
    *(b"</html>", b"<html>", b"<script>", b"<base href='http://[::1'>", b"<a href='http://[bad'>x", b"<img src='javascript:1'>"),
    *(b"<time datetime='9999-99-99T99:99'>x</time>", b'<p id="a b" class="\x0b">x', b"<x:y z:w='1'>q</x:y>"),
    b"<p xml:id='1' lang='not a language!'><q lang='--'>x</q>",
)
BROKEN_PAGES = mutants_of(
    seeds,
    PIECES,
    replacing(-1, (b"</p>", b""), (b"</div>", b"")),
    replacing(-1, (b"<p", b"<li"), (b"<div", b"<td")),
    replacing(40, (b">", b">\x00")),
    lambda page, *_: page.decode("utf-8", "replace").encode("utf-16"),
)
