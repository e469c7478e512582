"""Characters that show nothing are no text, and still accounted for."""

from __future__ import annotations

from rewriting import rewritten, sketch

from webarticlecurator import extract
from webarticlecurator.model.article import Fate

SENTENCE = "Minden mondatnak a helyén kell maradnia, bárhogyan is írták. "


def test_they_are_left_out_of_the_text_by_a_rule_of_their_own() -> None:
    html = "<p>Donau\u00addampf<b>\u00adschiff</b></p><p>\u200b</p><h2>\ufeffCím</h2>"
    assert sketch(html) == "paragraph(Donaudampfbold[schiff]) heading(Cím)"
    pieces = rewritten(html).pieces
    assert [piece.text for piece in pieces if piece.fate is Fate.DROPPED] == ["\u00ad", "\u00ad", "\u200b", "\ufeff"]
    assert {piece.rule.partition(":")[0] for piece in pieces if piece.fate is Fate.DROPPED} == {"invisible"}
    assert "".join(piece.text for piece in pieces) == "Donau\u00addampf\u00adschiff\u200b\ufeffCím"


def test_they_part_no_words_and_glue_none() -> None:
    assert sketch("<p>egy \u200b<b>\u200b kettő</b></p>") == "paragraph(egy bold[kettő])"


def test_descriptions_and_credits_have_none_either() -> None:
    html = "<figure><img src=/k.jpg alt='Duna\u00adhíd'><figcaption>A híd. <span class=credit>Fo\u00adtó: MTI</span></figcaption></figure>"
    (figure,) = rewritten(html).blocks
    assert figure.attributes == {"alt": "Dunahíd", "credit": "Fotó: MTI"}


def test_nor_have_headlines_and_keywords() -> None:
    head = "<title>A Duna\u00adhíd megnyílt</title><meta property='article:tag' content='Duna\u00adhíd'>"
    page = f"{head}<article><h1>A Duna\u00adhíd megnyílt</h1><p>{SENTENCE * 20}</p></article>"
    article = extract(page, "https://pelda.example/1")
    assert article.title == "A Dunahíd megnyílt"
    assert [found.value for found in article.metadata["keywords"]] == ["Dunahíd"]


def test_what_is_only_said_aloud_is_no_text() -> None:
    for name in ("sr-only", "visually-hidden", "govuk-visually-hidden", "cds--visually-hidden"):
        assert sketch(f"<p><span class='x {name}'>Figyelem:</span> Lépcső.</p>") == "paragraph(Lépcső.)"


def test_what_is_hidden_until_somebody_wants_to_see_it_is_text() -> None:
    for shown in ("role=tabpanel hidden", "role=region hidden", "hidden=until-found"):
        assert sketch(f"<p>egy</p><div {shown}><p>kettő</p></div>") == "paragraph(egy) paragraph(kettő)"
    assert sketch("<p>egy</p><div hidden><p>kettő</p></div>") == "paragraph(egy)"
