"""`urls`: what is done to the links that archive pages give."""

from __future__ import annotations

from webarticlecurator.config import scalars
from webarticlecurator.config.node_compiler import NodeCompiler, flag, mapping, texts
from webarticlecurator.config.portal import UrlRules
from webarticlecurator.config.yaml_nodes import Node
from webarticlecurator.patterns import Pattern


def read_url_rules(compiler: NodeCompiler, node: Node | None) -> UrlRules:
    rules = mapping(node)
    if rules is None:
        return UrlRules()
    return UrlRules(
        replace=compiler.replacements(rules.get("replace")),
        drop_fragment=flag(rules.get("drop_fragment"), False),
        drop_params=texts(rules.get("drop_params")),
        map=compiler.url_table(rules.get("map_file")),
        only=compiler.parse_all(rules.get("only"), Pattern.parse),
        exclude=compiler.parse_all(rules.get("exclude"), Pattern.parse),
        exclude_urls=compiler.url_list(rules.get("exclude_file")),
        hosts=compiler.parse_all(rules.get("hosts"), scalars.host_pattern),
    )
