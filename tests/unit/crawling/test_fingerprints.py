from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.crawling.fingerprints import Fingerprints


@given(st.lists(st.text()), st.text())
def test_it_answers_as_a_set_does(texts: list[str], other: str) -> None:
    seen = Fingerprints()
    for text in texts:
        seen.add(text)
    assert len(seen) == len(set(texts))
    assert all(text in seen for text in texts)
    assert (other in seen) == (other in texts)


def test_it_keeps_everything_while_it_grows() -> None:
    seen = Fingerprints()
    for number in range(20_000):
        seen.add(f"https://pelda.example/cikk/{number}")
    assert len(seen) == 20_000
    assert all(f"https://pelda.example/cikk/{number}" in seen for number in range(20_000))
    assert not any(f"https://pelda.example/cikk/{number}" in seen for number in range(20_000, 40_000))
