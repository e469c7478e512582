"""Text, addresses, dates and names in the forms that XML and TEI's data types allow."""

from __future__ import annotations

import pytest
from any_article import addresses, moments, texts
from hypothesis import given
from lxml import etree

from webarticlecurator.tei.markup import attribute, element, escape, language, moment, name, readable, uri, xml_id

_TYPES = etree.RelaxNG(
    etree.fromstring(
        """<element name="a" xmlns="http://relaxng.org/ns/structure/1.0" datatypeLibrary="http://www.w3.org/2001/XMLSchema-datatypes">
        <optional><attribute name="uri"><data type="anyURI"><param name="pattern">\\S+</param></data></attribute></optional>
        <optional><attribute name="language"><data type="language"/></attribute></optional>
        <optional><attribute name="id"><data type="ID"/></attribute></optional>
        <optional><attribute name="when"><choice>
        <data type="date"/><data type="dateTime"/><data type="gYear"/><data type="gYearMonth"/></choice>
        </attribute></optional><empty/></element>"""
    )
)


@given(texts | addresses)
def test_every_address_is_a_valid_one_or_none(text: str) -> None:
    assert _TYPES.validate(etree.fromstring(f"<a{attribute('uri', uri(text))}/>"))


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://pelda.example/a?b=1#c", "https://pelda.example/a?b=1#c"),
        ("https://pelda.example/két szó", "https://pelda.example/k%C3%A9t%20sz%C3%B3"),
        ("https://pelda.example/?a[]=1", "https://pelda.example/?a%5B%5D=1"),
        ("https://pelda.example/100%", "https://pelda.example/100%25"),
        ("https://pelda.example/#a#b", "https://pelda.example/#a%23b"),
        ("https://[::1]:8080/x", "https://[::1]:8080/x"),
        ("mailto:anna@pelda.example", "mailto:anna@pelda.example"),
        ("https://host:port/", None),
        ("https://host:/", None),
        ("https://", None),
        ("https://[1:2]/", None),
        ("https:", None),
        ("no address", None),
        ("", None),
        (None, None),
    ],
)
def test_addresses_are_encoded_only_where_they_have_to_be(address: str | None, expected: str | None) -> None:
    assert uri(address) == expected


@given(moments | texts)
def test_every_date_is_a_valid_one_or_none(text: str) -> None:
    assert _TYPES.validate(etree.fromstring(f"<a{attribute('when', moment(text))}/>"))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2024-05-01", "2024-05-01"),
        ("2024-05", "2024-05"),
        ("2024", "2024"),
        ("2024-05-01T10:00", "2024-05-01T10:00:00"),
        ("2024-05-01 10:00:00", "2024-05-01T10:00:00"),
        ("2024-05-01T10:00:00+0200", "2024-05-01T10:00:00+02:00"),
        ("2024-05-01T10:00:00+00:00", "2024-05-01T10:00:00Z"),
        ("2024-05-01T10:00:00+19:00", None),
        ("2024-02-30", None),
        ("0000", None),
        ("tegnap", None),
    ],
)
def test_dates_get_seconds_and_a_colon(value: str, expected: str | None) -> None:
    assert moment(value) == expected


@pytest.mark.parametrize(("tag", "expected"), [("hu", "hu"), ("hu_HU", "hu-HU"), ("", None), (None, None), ("két szó", None)])
def test_language_tags(tag: str | None, expected: str | None) -> None:
    assert language(tag) == expected


@given(texts)
def test_every_text_makes_a_name_and_an_identifier(text: str) -> None:
    assert name(text, "x").split() == [name(text, "x")]
    assert _TYPES.validate(etree.fromstring(f'<a id="{xml_id(text)}"/>'))


def test_an_identifier_never_begins_with_a_digit() -> None:
    assert xml_id("444-0123456789abcdef") == "id-444-0123456789abcdef"
    assert xml_id("pelda-0123456789abcdef") == "pelda-0123456789abcdef"


@given(texts)
def test_what_is_written_is_read_again_but_for_what_xml_cannot_hold(text: str) -> None:
    written, removed = readable(element("a", escape(text), n=text))
    back = etree.fromstring(written.replace(b"\r", b"&#13;"))
    kept = "".join(character for character in text if etree_can_hold(character))
    assert (back.text or "") == kept
    assert back.get("n", "") == kept
    assert removed == 2 * (len(text) - len(kept))


def etree_can_hold(character: str) -> bool:
    try:
        etree.Element("a").text = character
    except ValueError:
        return False
    return True
