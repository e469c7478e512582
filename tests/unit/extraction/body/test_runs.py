"""White space as a browser shows it: none lost, none invented."""

from __future__ import annotations

import pytest
from rewriting import rewritten, sketch


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a\n   b\tc</p>", "paragraph(a b c)"),
        ("<p>k<b>\n</b>,</p>", "paragraph(k ,)"),
        ("<p><b>k</b>, l</p>", "paragraph(bold[k], l)"),
        ("<p><b>k </b> l</p>", "paragraph(bold[k ]l)"),
        ("<p>k <b> l</b></p>", "paragraph(k bold[l])"),
        ("<p>k<b> l</b></p>", "paragraph(kbold[ l])"),
        ("<p> <b> k </b> </p>", "paragraph(bold[k])"),
        ("<p>a<!-- x -->b<script>c</script>d</p>", "paragraph(abd)"),
        ("<p>a <br> b<br/>c<br></p>", "paragraph(a|b|c)"),
        ("<p>a<wbr>b</p>", "paragraph(ab)"),
        ("<p>10&nbsp;000 és\u2009x</p>", "paragraph(10\u00a0000 és\u2009x)"),
        ("<p>a &nbsp; b&nbsp;&nbsp;c&nbsp;</p>", "paragraph(a b c)"),
        ("<p>e\u0301</p>", "paragraph(\u00e9)"),
        ("<div>a</div><div>b</div>", "paragraph(a) paragraph(b)"),
        ("<pre>\n a\n  b\n</pre>", "code( a\n  b)"),
        ("<pre><code>a\n\nb</code></pre>", "code(a\n\nb)"),
        ("<p> a\n b <br> </p>", "paragraph(a b)"),
        ("<p><b>a<i>b</i> c</b><i>d</i><br>e</p>", "paragraph(bold[aitalic[b] c]italic[d]|e)"),
        ("<p>H<sub>2</sub>O</p>", "paragraph(Hsubscript[2]O)"),
        ("<p>a<b></b> <i></i> b</p>", "paragraph(a b)"),
        ("<p>a<span> </span>b</p>", "paragraph(a b)"),
        ("<p><b>a</b> <b>b</b></p>", "paragraph(bold[a] bold[b])"),
        ("<p>a<button>x</button>b</p>", "paragraph(a b)"),
        ("a<aside></aside>b", "paragraph(a) paragraph(b)"),
    ],
)
def test_white_space_is_exact(html: str, expected: str) -> None:
    assert sketch(html) == expected


@pytest.mark.parametrize(
    "written",
    [
        "a<br>b<br><br>c",
        "<p>a<br>b</p><p>c</p>",
        "<div>a</div>\n<div>b</div>\n<div><br></div>\n<div>c</div>\n",
        "<p><span>a</span><br>b</p><br>c",
    ],
)
def test_a_verse_keeps_its_lines_and_divides_at_empty_ones_and_paragraphs(written: str) -> None:
    assert sketch(f"<div class=v>{written}</div>", {"verse": [".v"]}) == "verse(a|b) verse(c)"


def test_words_of_two_blocks_are_two_words_in_the_account() -> None:
    assert rewritten("<p>a</p><p>b</p><h2>c</h2>").pieces[0].text == "a b c"
