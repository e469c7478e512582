"""The other programs of `build_speed.py`: how each is told to make TEI of the same WARC."""

from __future__ import annotations

from pathlib import Path

BARE_LOOP = """
import sys
from pathlib import Path
from fastwarc.warc import ArchiveIterator, WarcRecordType
from lxml import etree

out = Path(sys.argv[2])
parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, collect_ids=False)
escape = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;"}
for number, record in enumerate(ArchiveIterator(open(sys.argv[1], "rb"), record_types=WarcRecordType.response)):
    root = etree.fromstring(record.reader.read(), parser)
    container = next((found for name in ("article", "main", "body") if (found := root.find(f".//{name}")) is not None), root)
    parts = [f"<TEI><teiHeader><title>{(root.findtext('.//title') or '').translate(escape)}</title></teiHeader><text><body>"]
    walker = etree.iterwalk(container, events=("start", "end"))
    for event, element in walker:
        if event == "start":
            if element.tag in ("script", "style", "noscript", "template"):
                walker.skip_subtree()
                continue
            parts.append(f"<{element.tag}>")
            if element.text:
                parts.append(element.text.translate(escape))
        else:
            if element.tag not in ("script", "style", "noscript", "template"):
                parts.append(f"</{element.tag}>")
            if element.tail:
                parts.append(element.tail.translate(escape))
    parts.append("</body></text></TEI>")
    (out / f"{number}.xml").write_bytes("".join(parts).encode())
"""
"""Read, parse once, walk once, serialise, write: nothing is understood, repaired or validated."""

_TRAFILATURA = """
import sys
from pathlib import Path
from trafilatura import extract
from warcio.archiveiterator import ArchiveIterator

out = Path(sys.argv[2])
for number, record in enumerate(r for r in ArchiveIterator(open(sys.argv[1], "rb")) if r.rec_type == "response"):
    html = record.content_stream().read().decode("utf-8")
    url = record.rec_headers.get_header("WARC-Target-URI")
    document = extract(html, url=url, output_format="xmltei", with_metadata=True)
    (out / f"{number}.xml").write_text(document or "<TEI/>", encoding="utf-8")
"""

_NEWSPAPER = """
import sys
from pathlib import Path
from newspaper import Article
from warcio.archiveiterator import ArchiveIterator

out = Path(sys.argv[2])
for number, record in enumerate(r for r in ArchiveIterator(open(sys.argv[1], "rb")) if r.rec_type == "response"):
    html = record.content_stream().read().decode("utf-8")
    article = Article(record.rec_headers.get_header("WARC-Target-URI"), fetch_images=False)
    article.download(input_html=html)
    article.parse()
    told = [article.title, ", ".join(article.authors), str(article.publish_date), article.text]
    (out / f"{number}.xml").write_text("\\n".join(map(str, told)), encoding="utf-8")
"""

READERS = {"trafilatura": _TRAFILATURA, "newspaper4k": _NEWSPAPER}
"""What those of the environment of readers run."""

_SPECIFIC = """
import re
from datetime import datetime

PORTAL_URL_PREFIX = "https://bench.example"
BLACKLIST_SPEC = []
MULTIPAGE_URL_END = re.compile("^$")
ARTICLE_ROOT_PARAMS_SPEC = [(("article",), {}), (("main",), {}), (("body",), {})]
LINK_FILTER_SUBSTRINGS_SPEC = re.compile("^$")
LINKS_SPEC = {"a", "0_MDESC_a", "img", "0_MDESC_img", "iframe", "0_MDESC_iframe"}
BLOCK_RULES_SPEC = {}
BIGRAM_RULES_SPEC = {}


def next_page_of_article_spec(_):
    return None


def decompose_spec(article):
    for tag in article.find_all(["script", "style", "noscript", "template", "nav", "aside", "form"]):
        tag.decompose()
    return article


def excluded_tags_spec(tag):
    tag.attrs = {}
    return tag


def get_meta_from_articles_spec(logger, url, bs):
    data = {"sch:url": url, "sch:name": None, "sch:datePublished": None}
    title = bs.find("meta", property="og:title") or bs.find("title")
    if title is not None:
        data["sch:name"] = title.get("content") or title.text.strip() or "unknown"
    date = bs.find("meta", property="article:published_time")
    if date is not None:
        try:
            data["sch:datePublished"] = datetime.fromisoformat(date["content"][:10])
        except ValueError:
            pass
    author = bs.find("meta", attrs={"name": "author"})
    if author is not None and author.get("content"):
        data["sch:author"] = [author["content"]]
    section = bs.find("meta", property="article:section")
    if section is not None and section.get("content"):
        data["sch:articleSection"] = section["content"]
    keywords = [one["content"] for one in bs.find_all("meta", property="article:tag") if one.get("content")]
    if keywords:
        data["sch:keywords"] = keywords
    return data
"""

_TAGS = {
    "p": "bekezdes",
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "cimsor"),
    "ul": "lista",
    "ol": "lista",
    "li": "listaelem",
    "blockquote": "idezet",
    "strong": "felkover",
    "b": "felkover",
    "em": "dolt",
    "i": "dolt",
    "a": "hivatkozas",
    "figure": "media_tartalom",
    "table": "table_text",
    "tr": "sor",
    "td": "oszlop",
    "div": "szakasz",
    "section": "unwrap",
    "span": "unwrap",
}
_HEADER = "freq\ttag\tmean\tmean\tmean\turls\tnormal\tattribute\n"

_BASE = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:sch="https://schema.org/">
<teiHeader>
<fileDesc><titleStmt><title/></titleStmt><publicationStmt><publisher>Bench</publisher><idno/></publicationStmt>
<sourceDesc><bibl><title/><date/><date/><date/></bibl></sourceDesc></fileDesc>
<xenoData><rdf:RDF><rdf:Description rdf:about=""/></rdf:RDF></xenoData>
<xenoData><rdf:RDF><rdf:Description rdf:about="teiPid">
<sch:identifier/><sch:sdDatePublished/><sch:lastReviewed/>
</rdf:Description></rdf:RDF></xenoData>
<revisionDesc><change when="" source="">made</change></revisionDesc>
</teiHeader>
<text><body/></text>
</TEI>
"""


def html2tei_config(folder: Path, warc: str) -> None:
    """What html2tei wants to know of a portal: metadata and body rules as plain as ours are in this comparison."""
    portal = folder / "configs" / "bench"
    for needed in (portal, folder / "logs", folder / "tei"):
        needed.mkdir(parents=True)
    (folder / "input.yaml").write_text(f"{warc}: bench\n", encoding="utf-8")
    (portal / "bench_specific.py").write_text(_SPECIFIC, encoding="utf-8")
    (portal / "bench_BASE.xml").write_text(_BASE, encoding="utf-8")
    rows = [f"1\t<{tag}>\t0\t0\t0\t\t{name}\t{'href' if tag == 'a' else 'null'}\n" for tag, name in _TAGS.items()]
    (portal / "bench_text_tags_normal.tsv").write_text(_HEADER + "".join(rows), encoding="utf-8")
    (portal / "bench_notext_tags_normal.tsv").write_text(f"{_HEADER}1\t<img>\t0\t0\t0\t\tmedia_tartalom\tsrc\n", encoding="utf-8")
