from __future__ import annotations

import pytest
from lxml import html

from webarticlecurator.text import element_text, own_text, squeeze, visible


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("<p>a<b>b</b>c</p>", "abc"),
        ("<div>a<p>b</p>c</div>", "a b c"),
        ("<div>Kiss Anna<br>Nagy Béla</div>", "Kiss Anna Nagy Béla"),
        ("<p>a<!-- not this -->b</p>", "ab"),
        ("<p>a<script>not this</script>b<style>nor this</style></p>", "ab"),
        ("<script>var x</script>", "var x"),
        ("<p> a\n\u00a0 b </p>", "a b"),
    ],
)
def test_the_text_of_an_element_is_what_a_reader_sees(written: str, read: str) -> None:
    assert squeeze(element_text(html.fragment_fromstring(written))) == read


def test_elements_can_be_left_out_but_not_what_follows_them() -> None:
    element = html.fragment_fromstring("<p>a<b>b</b>c<i>d</i></p>")
    assert squeeze(element_text(element, without=[element[0]])) == "acd"


def test_own_text_is_not_that_of_the_children() -> None:
    assert squeeze(own_text(html.fragment_fromstring("<p>a<b>b</b>c</p>"))) == "a c"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Donau\u00addampf\u00adschiff", "Donaudampfschiff"),
        ("\ufeffszó\u200b, \u2060szó\u200e", "szó, szó"),
        ("szó\u200dtag\u200c", "szótag"),
        ("szó szó", "szó szó"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("क्\u200dष", "क्\u200dष"),
        ("👩\u200d🚒, 🏳\ufe0f\u200d🌈", "👩\u200d🚒, 🏳\ufe0f\u200d🌈"),
        ("ខ្ញុំ\u200bទៅ", "ខ្ញុំ\u200bទៅ"),
    ],
    ids=["soft hyphens", "no width", "joiners of nothing", "nothing", "Persian", "Devanagari", "emoji", "Khmer"],
)
def test_what_is_invisible_goes_unless_a_script_needs_it(written: str, shown: str) -> None:
    assert visible(written) == shown
