"""What readers wrote is never left out without a word: build and audit tell it until somebody decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from small_corpus import SmallCorpus, page

from webarticlecurator import Article, extract

OPINIONS = ("I crossed it as a child", "Nobody asked us about the colour", "The old ferry was quicker", "Who pays for the lamps")
TOLD = "what readers wrote stands"
ROOT = "body:\n  root: div.text\n"
RULES = {"no rule": "", "a rule for the body": ROOT}


def _below(number: int) -> str:
    said = "".join(f'<div class="one"><b>Ada</b> 3 days ago <p>{opinion}, said on day {number}.</p></div>' for opinion in OPINIONS)
    return f'<section class="reader-comments"><h3>4 comments on all this</h3>{said}<form>Write a comment of your own here</form></section>'


def _pages(below: Callable[[int], str] = _below, *, articles: int = 6) -> list[tuple[str, bytes]]:
    return [(f"/cikk/{at}", page(f"Bridge {at}").replace(b"</article>", f"</article>{below(at)}".encode())) for at in range(articles)]


def _run(curator: Any, command: str, corpus: SmallCorpus, *flags: object) -> Any:
    return curator(command, corpus.portal.sources[0].path, "--corpus", corpus.folder, *flags)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_a_build_tells_of_comments_that_no_rule_reads(curator: Any, corpus: SmallCorpus, rules: str) -> None:
    corpus.rules = rules
    corpus.store(*_pages())
    for _ in ("new", "with nothing to do, too"):
        told = _run(curator, "build", corpus, "--jobs", "1").err
        assert f"To look at: {TOLD} in section.reader-comments" in told
        assert "`posts.comments` reads it, `posts: {comments: null}` says that nobody wants it" in told
        assert "(6 of 6 articles looked at)" in told


@pytest.mark.parametrize(
    ("below", "count"), [(lambda at: "" if at % 3 else _below(at), 1), (lambda _: _below(0), 0)], ids=["few", "the site's"]
)
def test_comments_of_few_articles_are_told_and_what_stands_below_all_is_the_sites(
    corpus: SmallCorpus, below: Callable[[int], str], count: int
) -> None:
    corpus.store(*_pages(below, articles=9))
    assert [doubt.startswith(TOLD) for doubt in corpus.build().doubts] == [True] * count


DECIDED = {
    "they are read": "posts: {comments: {item: div.one, text: p}}\n",
    "only their text is read": "posts: {comments: {item: div.one p}}\n",
    "nobody wants them": "posts: {comments: null}\n",
    "the whole goes": "body: {tags: {decompose: [section.reader-comments]}}\n",
    "each goes": "body: {tags: {decompose: [div.one]}}\n",
    "nobody wants them, and what holds them goes": "posts: {comments: null}\nbody: {root: article, tags: {decompose: [h1, div.below]}}\n",
}


@pytest.mark.parametrize("rules", DECIDED.values(), ids=DECIDED)
def test_what_the_portal_file_decides_is_not_told(curator: Any, corpus: SmallCorpus, rules: str) -> None:
    corpus.store(*_pages(lambda number: f"<div class=below>{_below(number)}</div>"))
    assert corpus.build().doubts
    corpus.rules = rules
    assert TOLD not in _run(curator, "build", corpus, "--jobs", "1").err
    found = _run(curator, "audit", corpus, "--jobs", "1").out
    assert "comments-not-read" not in found and "text-lost" not in found


@pytest.mark.parametrize("kind", ["comments", "forum", "liveblog"])
def test_names_and_times_beside_comments_that_any_rule_reads_are_no_comments(corpus: SmallCorpus, kind: str) -> None:
    def below(number: int) -> str:
        who = "<div class=comment-author>Ada Lovelace wrote 3 days ago</div>"
        said = "".join(f"<li class=comment>{who}<div class=said>{opinion}, said on day {number}.</div></li>" for opinion in OPINIONS)
        return f"<div id=comments><ol>{said}</ol><form>{'Your address will not be published. ' * 3}</form></div>"

    corpus.store(*_pages(below))
    corpus.rules = f"posts: {{{kind}: {{item: div.said}}}}\n"
    assert not corpus.build().doubts


def test_comments_that_are_kept_as_text_are_not_said_to_be_lost(corpus: SmallCorpus) -> None:
    corpus.rules = "body: {root: body}\n"
    corpus.store(*_pages())
    assert not any(doubt.startswith(TOLD) for doubt in corpus.build().doubts)


def test_a_rule_that_takes_some_comments_and_leaves_their_answers_is_told_what_it_leaves(corpus: SmallCorpus) -> None:
    def below(number: int) -> str:
        answer = (
            f"<li class=answer>Bea, yesterday <p>On day {number} I remember that the old bridge was never painted in any colour at all.</p>"
        )
        said = "".join(f"<li class=said>Ada, today <p>{opinion}, said on day {number}.</p></li>{answer}</li>" for opinion in OPINIONS[:2])
        return f"<div id=comments><h3>4 comments</h3><p>{number} of 4 shown</p><ol>{said}</ol></div>"

    corpus.store(*_pages(below))
    corpus.rules = "posts: {comments: {item: li.said, text: p}}\n"
    assert [doubt.startswith(TOLD) for doubt in corpus.build().doubts] == [True]
    corpus.rules = 'posts: {comments: {item: "#comments li", text: p}}\n'
    assert not corpus.build().doubts


# --- a picture with its line is a figure, though it is called a comment ---

PARAGRAPH = "<p>The council met on Tuesday and talked for hours about the bridge, the school and the money that both need, point {}.</p>"
LINE = "The harbour at dawn, as Ada saw it."
NAMES = ("imageComment", "photo-comment", "comment-image", "comment_photo", "fotoKommentar", "article__img-comment")
FORMS = {
    "a class": '<div class="{name}"><img src="/h.jpg"><p>{line}</p></div>',
    "an id": '<div id="{name}"><picture><img src="/h.jpg"></picture><span>{line}</span></div>',
    "a figure": '<figure class="{name}"><img src="/h.jpg"><figcaption>{line}</figcaption></figure>',
    "the line alone": '<div class="box"><img src="/h.jpg"><div class="{name}">{line}</div></div>',
}
READER = '<div class="{name}"><img src="/face-{n}.jpg"><b>Ada {n}</b><p>I saw the harbour at dawn, too, on day {n}.</p></div>'


def read(inside: str, below: str = "") -> Article:
    text = PARAGRAPH.format(1) + PARAGRAPH.format(2) + inside + PARAGRAPH.format(3) + PARAGRAPH.format(4)
    return extract(
        f"<html lang=en><body><article><h1>Bridge</h1><div>{text}</div></article>{below}</body></html>", "https://pelda.example/a"
    )


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("name", NAMES)
def test_a_picture_and_a_line_called_the_comment_on_a_picture_are_a_figure_with_its_caption(name: str, form: str) -> None:
    article = read(form.format(name=name, line=LINE))
    (figure,) = (block for block in article.blocks if block.type == "figure")
    assert [child.type for child in figure.children] == ["caption"]  # type: ignore[union-attr]
    assert LINE in article.text


def test_what_readers_wrote_beside_their_pictures_is_no_figure() -> None:
    written = "".join(READER.format(name="comment", n=n) for n in range(4))
    article = read(written)
    assert not any(block.type == "figure" for block in article.blocks)
    assert "I saw the harbour" not in article.text
