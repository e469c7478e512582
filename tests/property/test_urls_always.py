from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.urls import bare_host, drop_params, host_and_port, is_http, join, normalise, same_page, split

PIECES = st.text(alphabet="aZ0/.%?#&=:@[]{}\\ éő\t~-_'\"+41", max_size=30)
URLS = st.builds("https://{}.example{}".format, st.sampled_from(["pelda", "WWW.Pelda", "xn--a"]), PIECES)


@given(URLS)
def test_normalising_twice_equals_once(url: str) -> None:
    assert normalise(normalise(url)) == normalise(url)


@given(st.one_of(PIECES, st.text(max_size=40)))
def test_whatever_a_page_links_to_is_a_clean_url_or_none(reference: str) -> None:
    joined = join("https://pelda.example/a/b", reference)
    if joined is not None and is_http(joined):
        assert joined.isascii()
        assert not set(joined) & set(' "<>\\^`{|}\t\r\n')
        assert bare_host(joined)


@given(PIECES)
def test_joining_what_was_joined_changes_nothing(reference: str) -> None:
    joined = join("https://pelda.example/a/b", reference)
    if joined is not None and is_http(joined):
        assert join("https://masik.example/", joined) == joined


@given(URLS)
def test_an_address_that_is_as_it_should_be_is_what_the_long_way_makes_of_it(url: str) -> None:
    in_capitals = url.replace("https", "HTTPS", 1)
    assert join("https://masik.example/a/", url) == join("https://masik.example/a/", in_capitals)
    assert normalise(url) == normalise(in_capitals)
    assert is_http(url) == is_http(in_capitals)


@given(st.one_of(st.sampled_from(["http://[::1/", "http://[x]/", "http://a]b/", "https://a:b:c/", "http://\u2100.x/"]), PIECES, st.text()))
def test_anything_can_be_taken_apart_and_put_together_again(text: str) -> None:
    assert str(split(text)) == text
    assert same_page(text, text)
    assert host_and_port(text) is not None
    assert join(text, "?x") != ""
    assert drop_params(text, ["*"]) is not None


@given(URLS)
def test_dropping_parameters_that_are_not_there_changes_nothing(url: str) -> None:
    assert drop_params(url, ["nincs-ilyen"]) == url
