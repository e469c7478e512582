from __future__ import annotations

from webarticlecurator.report.highlight_page import KINDS, HighlightView, MarkedText, Source, highlight_page


def luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (one / 12.92 if one <= 0.03928 else ((one + 0.055) / 1.055) ** 2.4 for one in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_every_mark_can_be_read_and_has_a_line_or_a_paper_of_its_own() -> None:
    for name, kind in KINDS.items():
        ink, paper = sorted((luminance(kind.ink), luminance(kind.paper)))
        assert (paper + 0.05) / (ink + 0.05) >= 4.5, name
    assert len({kind.line for kind in KINDS.values()}) == len(KINDS), "told without colours, too"


def view(**more: object) -> HighlightView:
    texts = (MarkedText("kept", "kept as paragraph", "One two", False), MarkedText("dropped", "dropped: div.ad", "Buy", True))
    return HighlightView(url="https://pelda.example/1", portal="Példa", outcome="article", html="<p>x</p>", texts=texts, **more)  # type: ignore[arg-type]


def test_the_legend_counts_words_and_the_tables_say_what_became_of_each_text() -> None:
    html = highlight_page(view(values=(Source("headline", "One", "html:h1"),), labelled=True))
    assert "kept: text of the article</span> 2 words" in html
    assert "dropped: div.ad" in html
    assert "the labeller thinks otherwise</span> 1 word" in html
    assert "labeller" not in highlight_page(view()).partition("</section>")[0], "where it was not asked, nothing is said of it"
    assert "html:h1" in html
    assert "<script" not in html


def test_what_cannot_be_shown_says_so() -> None:
    html = highlight_page(HighlightView(url="https://pelda.example/1", portal="Példa", outcome="blocked", reason="captcha"))
    assert "<iframe" not in html
    assert "captcha" in html and "cannot be shown" in html
