"""Portal files made by chance, edits of them, and pages on which their rules often match: few names, met everywhere."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from html import escape
from random import Random
from typing import Any

TAGS = ("p", "div", "span", "b", "section", "aside", "ul", "li", "a", "h2", "blockquote", "x-y", "time", "form", "footer")
CLASSES = ("a", "b", "c", "d", "post-1", "post-27", "lead", "datum", "nev", "szoveg", "comment")
IDS = ("i", "n12", "n7", "main")
ATTRIBUTES = ("data-h", "data-x", "lang", "hidden", "rel", "datetime", "href")
METAS = ("m1", "og:m2", "author", "article:published_time", "description", "keywords")
RELATIONS = ("next", "canonical", "amphtml")
KEYS = ("author", "name", "k1", "k2", "datePublished", "headline", "mentions")
VALUES = ("Anna Kovacs", "2024-05-01", "2023. 04. 02.", "Belfold", "A bridge", "1", "x, y", "tomorrow", "Peter Nagy")
SENTENCE = "The council met on Tuesday and talked for hours about the bridge, the school and the money that both of them need. "
OPERATIONS = (
    *(
        "decompose",
        "decompose",
        "unwrap",
        "unwrap-all",
        "paragraph",
        "heading",
        "lead",
        "quote",
        "box",
        "bold",
        "link",
        "figure",
        "note",
        "code",
    ),
    *("divider", "list", "item", "embed", "source"),
)
FIELDS = ("author", "headline", "datePublished", "articleSection", "keywords", "description", "alternativeHeadline", "dateModified")
PARTS_OF_POSTS = (
    "id",
    "time",
    "author",
    "title",
    "text",
    "reply_to",
    "depth",
    "likes",
    "deleted",
    "edited",
    "number",
    "quoted",
    "day",
    "more",
)
KINDS = ("comments", "forum", "liveblog", "blog")

Rules = dict[str, Any]


# --- pages ---


def _attributes(chance: Random, deep: int) -> str:
    written = []
    if chance.random() < 0.4:
        blank = chance.choice((" ", " ", "\u00a0", "\n", "\x0b"))
        written.append(f'class="{blank.join(chance.sample(CLASSES, chance.randint(1, 2)))}"')
    if chance.random() < 0.12:
        written.append(f'id="{chance.choice(IDS)}"')
    if chance.random() < 0.3:
        name = chance.choice(ATTRIBUTES)
        value = (
            html(chance, deep + 1) if name == "data-h" and deep < 2 else chance.choice((*VALUES, "nofollow ugc", "https://pelda.example/9"))
        )
        written.append(f'{chance.choice((name, name.upper()))}="{escape(value)}"')
    return "".join(f" {one}" for one in written)


def html(chance: Random, deep: int = 0) -> str:
    """A few elements in one another."""
    if deep > 2 or chance.random() < 0.3:
        return chance.choice((*VALUES, SENTENCE, "<br>", "<!-- x -->", "<img src=/k.jpg alt=kep>"))
    inner = "".join(html(chance, deep + 1) for _ in range(chance.randint(0, 2)))
    tag = chance.choice(TAGS)
    return f"<{tag}{_attributes(chance, deep)}>{inner}</{tag}>"


def _json(chance: Random, deep: int = 0) -> Any:
    if deep > 2 or chance.random() < 0.3:
        return chance.choice(VALUES)
    if chance.random() < 0.3:
        return [_json(chance, deep + 1) for _ in range(chance.randint(0, 2))]
    return {key: _json(chance, deep + 1) for key in chance.sample(KEYS, chance.randint(0, 3))}


def page(chance: Random) -> bytes:
    """A page that mostly is an article."""
    metas = "".join(
        f'<meta {chance.choice(("name", "property"))}="{name}" content="{chance.choice(VALUES)}">'
        for name in chance.sample(METAS, chance.randint(0, 3))
    )
    links = "".join(f'<link rel="{name}" href="/{chance.randint(1, 9)}">' for name in chance.sample(RELATIONS, chance.randint(0, 1)))
    data = ""
    if chance.random() < 0.4:
        thing = {
            "@type": chance.choice(("NewsArticle", "LiveBlogPosting", "WebPage")),
            **{key: _json(chance) for key in chance.sample(KEYS, 3)},
        }
        if chance.random() < 0.3:
            thing["articleBody"] = html(chance) + SENTENCE * chance.randint(1, 12)
        if chance.random() < 0.2:
            thing["liveBlogUpdate"] = [{"headline": "One", "datePublished": "2024-05-01T10:00", "articleBody": html(chance)}]
        whole = {"@graph": [thing]} if chance.random() < 0.3 else thing
        data = '<script type="application/ld+json">' + json.dumps(whole).replace("</", "<\\/") + "</script>"
    text = "".join(f"<p{_attributes(chance, 1)}>{SENTENCE}{html(chance, 2)}</p>" for _ in range(chance.randint(0, 4)))
    parts = [html(chance) for _ in range(chance.randint(0, 3))] + [f'<div class="text">{text}</div>']
    chance.shuffle(parts)
    comments = "".join(
        f'<li class="komment" data-id="{number}"><b class=nev>Anna</b> <time>10:0{number}</time><p class=szoveg>{SENTENCE}</p>'
        f"{html(chance, 2)}</li>"
        for number in range(chance.choice((0, 0, 2)))
    )
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{chance.choice(VALUES)}</title>{metas}{links}{data}</head>'
        f"<body{_attributes(chance, 3)}><nav><a href=/>Home</a></nav><main><h1>{chance.choice(VALUES)}</h1>{''.join(parts)}</main>"
        f"<ul>{comments}</ul></body></html>"
    ).encode()


# --- rules ---


def _compound(chance: Random, deep: int) -> str:
    written = chance.choice((*TAGS, "P", "*", "", "", "", ""))
    marks = [
        f".{chance.choice((*CLASSES, 'komment', 'missing', 'post-3'))}",
        f"#{chance.choice((*IDS, 'n1', 'gone'))}",
        f"[{chance.choice((*ATTRIBUTES, 'Data-X', 'data-z'))}]",
    ]
    marks += [
        f"[{chance.choice(ATTRIBUTES)}{chance.choice(('=', '~=', '^=', '*=', '!='))}'{chance.choice(('1', 'nofollow', 'A'))}']",
        "[class^=post]",
    ]
    if deep < 2:
        one, other = selector(chance, deep + 2), _compound(chance, 2)
        marks += [
            f":has({chance.choice(('', '', '> ', '+ '))}{one})",
            f":not({other})",
            f":is({other}, {_compound(chance, 2)})",
            ":first-child",
        ]
        marks += [":nth-child(2)", ':contains("bridge")', ":empty", ":last-of-type", f":not(:has({other}))"]
    if not written or chance.random() < 0.4:
        written += chance.choice(marks)
    return written


def selector(chance: Random, deep: int = 0) -> str:
    """A selector, mostly a plain one."""
    written = _compound(chance, deep)
    while chance.random() < 0.3:
        written += chance.choice((" ", " ", " > ", " + ", " ~ ")) + _compound(chance, deep + 1)
    if deep == 0 and chance.random() < 0.1:
        written += f", {selector(chance, 1)}"
    return written


def _place(chance: Random) -> Rules:
    path = chance.choice(
        ("author.name", "author", "k1", "k1.k2", "mentions[*].name", "k2[0]", "author || k1", "k1.to_string(@)", "[?k1].name", "@.headline")
    )
    return chance.choice(
        (
            {"css": selector(chance)},
            {"css": selector(chance), "within": selector(chance)},
            {"css": selector(chance), "within": {"css": selector(chance), "take": "last"}},
            {"meta": chance.choice((*METAS, "M1", "gone"))},
            {"head_link": chance.choice((*RELATIONS, "gone"))},
            {"jsonld": path},
            {"html_in": "data-h", "css": selector(chance)},
            {"html_in": "data-h", "css": selector(chance), "within": selector(chance)},
            {"before": selector(chance)},
            {"after": selector(chance)},
            {"script": '"headline": "([^"]+)"'},
            {"page_url": "/([0-9])"},
            {"const": "MTI"},
            {"listing": "articleSection"},
        )
    )


def _alternative(chance: Random, *, of_item: bool = False) -> Any:
    if chance.random() < 0.4:
        return selector(chance)
    pick = _place(chance)
    if of_item and chance.random() < 0.3:
        pick = {"attr": chance.choice(ATTRIBUTES)}
    steps: tuple[Rules, ...] = (
        *(
            {"when": selector(chance)},
            {"unless": selector(chance)},
            {"attr": chance.choice(ATTRIBUTES)},
            {"take": chance.choice(("all", "last", 1))},
        ),
        *({"match": "([A-Z].*)"}, {"drop": [chance.choice(VALUES)]}, {"date": chance.choice(("yyyy-MM-dd", "yyyy. MM. dd.", "auto"))}),
        *({"split": ", "}, {"without": selector(chance)}, {"having": {"text": "a"}}, {"own_text": True}, {"map": {"1": "2", "x": "y"}}),
    )
    for step in chance.sample(steps, chance.choice((0, 1, 1, 2))):
        pick |= step
    return pick


def pick(chance: Random, *, of_item: bool = False) -> Any:
    """A pick in any form."""
    form = chance.random()
    if form < 0.6:
        return _alternative(chance, of_item=of_item)
    if form < 0.7:
        return {"all_of": [_alternative(chance, of_item=of_item) for _ in range(2)]}
    return [_alternative(chance, of_item=of_item) for _ in range(chance.randint(2, 3))]


def tags(chance: Random) -> Rules:
    """A layer of a tag dictionary, which may forget an operation."""
    written: Rules = {
        operation: [selector(chance) for _ in range(chance.randint(1, 2))]
        for operation in chance.sample(sorted(set(OPERATIONS)), chance.randint(0, 4))
    }
    if chance.random() < 0.1:
        written[chance.choice(OPERATIONS)] = None
    if chance.random() < 0.2:
        written["split"] = {selector(chance): ["paragraph", "bold"]}
    return written


def metadata(chance: Random) -> Rules:
    return {name: pick(chance) for name in chance.sample(FIELDS, chance.randint(0, 3))}


def posts(chance: Random) -> Rules:
    made: Rules = {}
    for kind in chance.sample(KINDS, chance.choice((0, 0, 1, 1, 2))):
        parts = chance.sample(PARTS_OF_POSTS, chance.randint(0, 4))
        item = chance.choice(("li.komment", "li.komment", "section", pick(chance)))
        made[kind] = {"item": item, **{name: pick(chance, of_item=True) for name in parts}}
    if chance.random() < 0.05:
        made["comments"] = None
    return made


def layout(chance: Random) -> Rules:
    made: Rules = {"name": chance.choice(("old", "new", "photo"))}
    conditions: tuple[Rules, ...] = (
        {"when": selector(chance)},
        {"when": selector(chance)},
        {"url": "/[1-3]"},
        {"until": "2023-12-31"},
        {"from": "2024-01-01"},
    )
    for condition in chance.sample(conditions, chance.choice((1, 1, 2))):
        made |= condition
    for name, make in (("metadata", metadata), ("posts", posts)):
        if chance.random() < 0.5:
            made[name] = make(chance)
    if chance.random() < 0.7:
        made["body"] = {"tags": tags(chance)}
    return made


def portal(chance: Random) -> Rules:
    """A portal file, and what it extends under `preset`."""
    made: Rules = {
        "body": {"tags": tags(chance)},
        "metadata": metadata(chance),
        "posts": posts(chance),
        "preset": {"body": {"tags": tags(chance)}},
    }
    made["layouts"] = [layout(chance) for _ in range(chance.choice((0, 1, 1, 2)))]
    made["preset"]["metadata"] = metadata(chance) if chance.random() < 0.3 else {}
    made["articles"] = {"skip": {"when": [selector(chance)] if chance.random() < 0.3 else []}}
    if chance.random() < 0.3:
        made["articles"]["identity"] = "/([0-9])"
    if chance.random() < 0.2:
        made["body"][chance.choice(("root", "within"))] = pick(chance)
    return made


# --- edits ---


def _any_rules(chance: Random, rules: Rules) -> Rules:
    """The portal file itself, a layout of it, or what it extends."""
    return chance.choice((rules, rules, *rules["layouts"], rules["preset"]))


def _change_tags(chance: Random, rules: Rules) -> None:
    layer = _any_rules(chance, rules).setdefault("body", {}).setdefault("tags", {})
    operation = chance.choice((*layer, chance.choice(OPERATIONS)))
    if operation == "split" or layer.get(operation) is None:
        layer[operation] = {selector(chance): ["quote", "paragraph"]} if operation == "split" else [selector(chance)]
        return
    _change_list(chance, layer[operation], lambda: selector(chance))
    if not layer[operation] or chance.random() < 0.1:
        del layer[operation]


def _change_list(chance: Random, some: list[Any], make: Callable[[], Any]) -> None:
    how = chance.choice(("add", "add", "change", "remove", "move"))
    if how == "add" or not some:
        some.insert(chance.randint(0, len(some)), make())
    elif how == "change":
        some[chance.randrange(len(some))] = make()
    elif how == "remove":
        del some[chance.randrange(len(some))]
    else:
        some.insert(chance.randint(0, len(some) - 1), some.pop(chance.randrange(len(some))))


def _change_pick(chance: Random, holder: Rules, name: str, *, of_item: bool = False) -> None:
    known = holder.get(name)
    if known is None or chance.random() < 0.2:
        holder[name] = pick(chance, of_item=of_item)
    elif isinstance(known, dict) and "all_of" not in known and chance.random() < 0.6:
        step = chance.choice([*known])
        changed = _alternative(chance, of_item=of_item)
        holder[name] = {**known, **(changed if isinstance(changed, dict) and step in changed else {step: known[step]})}
    else:
        some = known if isinstance(known, list) else [known]
        _change_list(chance, some, lambda: _alternative(chance, of_item=of_item))
        holder[name] = some
        if not some:
            del holder[name]


def _change_metadata(chance: Random, rules: Rules) -> None:
    fields = _any_rules(chance, rules).setdefault("metadata", {})
    name = chance.choice((*fields, *fields, chance.choice(FIELDS)))
    _change_pick(chance, fields, name)
    if chance.random() < 0.1:
        fields.pop(name, None)


def _change_posts(chance: Random, rules: Rules) -> None:
    kinds = _any_rules(chance, rules).setdefault("posts", {})
    kind = chance.choice((*kinds, *kinds, *kinds, chance.choice(KINDS)))
    if kinds.get(kind) is None or chance.random() < 0.1:
        kinds[kind] = chance.choice((None, {"item": "li.komment"})) if kind == "comments" else {"item": "section"}
        return
    name = chance.choice((*kinds[kind], chance.choice(PARTS_OF_POSTS)))
    _change_pick(chance, kinds[kind], name, of_item=name != "item")


def _change_layouts(chance: Random, rules: Rules) -> None:
    layouts = rules["layouts"]
    if layouts and chance.random() < 0.3:
        chance.choice(layouts)["when"] = selector(chance)
    else:
        _change_list(chance, layouts, lambda: layout(chance))


def _change_skip(chance: Random, rules: Rules) -> None:
    skip = rules["articles"]["skip"]
    if chance.random() < 0.3:
        _change_list(chance, skip.setdefault("url", []), lambda: chance.choice(("/1", "/2", "pelda")))
    else:
        _change_list(chance, skip["when"], lambda: selector(chance))


def _change_places(chance: Random, rules: Rules) -> None:
    """Where the body is, and the next page."""
    holder, name = chance.choice(
        ((rules["body"], "root"), (rules["body"], "within"), (rules["body"], "within"), (rules["articles"], "next"))
    )
    _change_pick(chance, holder, name)


def _change_rest(chance: Random, rules: Rules) -> None:
    change = chance.choice(
        (
            {"kind": chance.choice(("news", "blog", "forum"))},
            {"title": chance.choice(("One", "Two", *VALUES))},
            {"title": chance.choice(("One", "Two", *VALUES))},
            {"language": chance.choice(("hu", "en"))},
            {"comment": chance.randint(0, 5)},
            {"comment": chance.randint(0, 5)},
            {"publisher": {**rules.get("publisher", {}), "name": chance.choice(("A", "B"))}},
            {"publisher": {**rules.get("publisher", {}), "place": chance.choice(("Budapest", "Szeged"))}},
            {"publisher": {**rules.get("publisher", {}), "rights": {"statement": chance.choice(("A", "B"))}}},
            {"creator": chance.choice(([], ["Anna"], ["Anna", "A university"]))},
            {"known": {"date": chance.choice(("2024-05-01", "2024-05-02"))}},
            {"template": chance.choice(("default", "project"))},
        )
    )
    rules |= change


_EDITS = (
    _change_tags,
    _change_tags,
    _change_tags,
    _change_metadata,
    _change_metadata,
    _change_posts,
    _change_posts,
    _change_layouts,
    _change_skip,
    _change_places,
    _change_rest,
    _change_rest,
)


def edited(chance: Random, rules: Rules) -> Rules:
    """The same portal file after an edit, or two."""
    rules = copy.deepcopy(rules)
    for _ in range(chance.choice((1, 1, 1, 2))):
        chance.choice(_EDITS)(chance, rules)
    return rules
