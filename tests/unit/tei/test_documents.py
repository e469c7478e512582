"""When a rebuilt document says the same as the old one."""

from __future__ import annotations

from datetime import date

from webarticlecurator.model.article import Block
from webarticlecurator.tei import article_part, load_template

TEXT = Block(type="paragraph", children=("<appInfo>x</appInfo> szöveg",))


def test_the_day_does_not_matter(write) -> None:
    today, tomorrow = (write(TEXT, now=date(2024, 5, day), metadata={"datePublished": "2024-05-01"}).content for day in (2, 3))
    assert today != tomorrow
    assert article_part(today) == article_part(tomorrow)


def test_nor_does_it_with_a_template_that_has_dates_of_its_own(write) -> None:
    days = [write(TEXT, now=date(2024, 5, day), template=load_template("project")).content for day in (2, 3)]
    assert article_part(days[0]) == article_part(days[1])


def test_program_and_rules_do_not_matter(write) -> None:
    content = write(TEXT).content
    newer = content.replace(b"2.0.0", b"9.9.9").replace(b"sha256:0", b"sha256:1")
    assert newer != content
    assert article_part(newer) == article_part(content)


def test_every_word_matters(write) -> None:
    assert article_part(write(TEXT).content) != article_part(write(TEXT, TEXT).content)
    assert "szöveg".encode() in article_part(write(TEXT).content)


def test_metadata_and_versions_matter(write, capture) -> None:
    plain = article_part(write(TEXT).content)
    assert plain != article_part(write(TEXT, metadata={"dateModified": "2024-05-01"}).content)
    assert plain != article_part(write(TEXT, versions=(capture,)).content)
