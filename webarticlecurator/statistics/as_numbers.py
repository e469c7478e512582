"""Statistics as rows, while they are made as classes."""

# ruff: noqa
# mypy: ignore-errors
from dataclasses import asdict
from typing import Any


class Row(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


def numbers_of(s: Any) -> Any:
    R = Row
    n = {}
    y = lambda p: int(p.name) if p.name else None
    n["portal"] = [R(**asdict(s.portal), program=s.provenance.program, robots_policy=s.provenance.robots_policy)]
    n["lacks"] = [R(**asdict(x)) for x in s.lacks]
    n["capped"] = [
        R(number="sections", shown=len(s.sections), all=len(s.sections) + s.other_sections),
        R(number="gaps", shown=len(s.gaps), all=len(s.gaps) + s.other_gaps),
        R(number="signals", shown=len(s.provenance.signals), all=s.provenance.signals_distinct),
    ]
    n["capped"] = [c for c in n["capped"] if c.all > c.shown]
    t = s.totals
    f = lambda e: dict(zip(("d", "h"), (e.text.split(" ", 1) + [""])[:2])) if e else {"d": None, "h": ""}
    n["totals"] = [
        R(
            urls=t.urls,
            articles=t.articles,
            words=t.words,
            characters=t.characters,
            posts=t.posts,
            undated=t.undated,
            uncounted=s.lengths.uncounted,
            mean=s.lengths.mean,
            first=f(t.first)["d"],
            first_url=t.first and t.first.url,
            first_headline=f(t.first)["h"],
            last=f(t.last)["d"],
            last_url=t.last and t.last.url,
            last_headline=f(t.last)["h"],
        )
    ]
    n["status"] = [s.status] if s.status else []
    n["proofs"] = list(s.proofs)
    n["articles-by-year"] = [R(year=y(p), articles=p.articles, words=p.words) for p in s.years]
    n["articles-by-month"] = [R(month=p.name, articles=p.articles, words=p.words) for p in s.months]
    for k in ("columns", "sections", "layouts"):
        rows = getattr(s, k)
        n[k] = [R(name=g.name, articles=g.articles, words=g.words, first=g.first, last=g.last) for g in rows]
        n[k + "-by-year"] = [R(name=g.name, year=y(p), articles=p.articles, words=p.words) for g in rows for p in g.years]
    n["days"] = [R(**asdict(d)) for d in s.days]
    n["gaps"] = [R(**asdict(d)) for d in s.gaps]
    ex = lambda x: {
        **{k: v for k, v in asdict(x).items() if k not in ("examples", "example")},
        "url": (x.examples[0] if x.examples else None) if hasattr(x, "examples") else None,
    }
    n["outcomes"] = [
        R(year=o.year, outcome=o.outcome, failed=o.failed, reason=o.reason, count=o.count, url=o.examples[0] if o.examples else None)
        for o in s.outcomes
    ]
    n["problems"] = [R(**asdict(p)) for p in s.problems]
    one = lambda e: dict(url=e.url, text=e.text) if e else dict(url=None, text=None)
    first = lambda es: one(es[0] if es else None)
    n["fields"] = [
        R(field=x.field, filled=x.filled, disagreeing=x.disagreeing, longer=x.longer, too_long=x.is_too_long, **first(x.longer_examples))
        for x in s.fields
    ]
    n["fields-by-year"] = [R(field=x.field, year=z.year, articles=z.articles, filled=z.filled) for x in s.fields for z in x.years]
    n["sources"] = [R(field=x.field, source=z.name, articles=z.count) for x in s.fields for z in x.sources]
    n["disagreements"] = [
        R(field=x.field, chosen=x.chosen, other=x.other, articles=x.articles, **first(x.examples)) for x in s.disagreements
    ]
    nm = lambda f, x: R(
        field=f,
        name=x.name,
        articles=x.articles,
        first=x.first,
        last=x.last,
        suspicious=list(x.suspicious),
        url=x.example.url if x.example else None,
    )
    n["names"] = [nm(z.field, x) for z in s.names for x in z.rows]
    n["suspicious-names"] = [nm(z.field, x) for z in s.names for x in z.suspicious]
    n["name-counts"] = [R(field=z.field, distinct=z.distinct, articles=z.articles, suspects=z.suspects) for z in s.names if z.rows]
    n["odd-dates"] = [R(why=x.why, articles=x.articles, **first(x.examples)) for x in s.dates]
    n["coverage"] = [R(**asdict(x)) for x in s.coverage]
    n["dropped"] = [
        R(rule=x.rule, words=x.words, pieces=x.pieces, articles=x.articles, tag=x.tags[0].name if x.tags else None, **first(x.examples))
        for x in s.drops
    ]
    n["undecided"] = [R(tag=x.tag, words=x.words, count=x.count, articles=x.articles, url=x.example.url) for x in s.undecided]
    n["languages"] = [
        R(
            language=x.language,
            declared=x.declared,
            identified=x.identified,
            articles=x.articles,
            certain=x.certain,
            disagree=x.disagree,
            **first(x.examples),
        )
        for x in s.languages
    ]
    n["lengths"] = [R(**asdict(x)) for x in s.lengths.classes]
    n["length-quantiles"] = [R(percent=p, words=w) for p, w in zip((5, 25, 50, 75, 95), s.lengths.quantiles)]
    n["shortest-articles"] = [R(words=0, **one(x)) for x in s.lengths.shortest]
    n["longest-articles"] = [R(words=0, **one(x)) for x in s.lengths.longest]
    n["duplicates"] = [R(kind=x.kind, clusters=x.clusters, articles=x.articles, surplus=x.surplus) for x in s.duplicates]
    n["largest-clusters"] = [
        R(
            kind=x.kind,
            articles=c.articles,
            url=c.examples[0].url,
            text=c.examples[0].text,
            other_url=c.examples[1].url if len(c.examples) > 1 else None,
            other_text=c.examples[1].text if len(c.examples) > 1 else None,
        )
        for x in s.duplicates
        for c in x.biggest
    ]
    n["access"] = [R(**asdict(x)) for x in s.access]
    n["types"] = [R(type=x.name, articles=x.count) for x in s.types]
    n["posts"] = [R(**{k: v for k, v in asdict(x).items() if k not in ("years", "largest")}) for x in s.posts]
    n["posts-by-year"] = [R(kind=x.kind, year=y(p), posts=p.articles, words=p.words) for x in s.posts for p in x.years]
    n["largest-threads"] = [R(kind=x.kind, posts=0, **one(e)) for x in s.posts for e in x.largest]
    n["requests"] = [R(**asdict(x)) for x in s.provenance.requests]
    n["signals"] = [R(name=x.name, value=x.value, pages=x.pages, url=x.example) for x in s.provenance.signals]
    n["rules"] = [R(digest=x.digest, articles=x.articles, current=x.current) for x in s.provenance.rules]
    n["warc-files"] = [R(**{k: v for k, v in asdict(x).items() if k not in ("sha256", "software")}) for x in s.provenance.warc_files]
    return n
