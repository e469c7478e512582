"""Article -> TEI: one valid document an article, from a header template."""

from webarticlecurator.tei.documents import article_part, load_template
from webarticlecurator.tei.render import render
from webarticlecurator.tei.template import Template
from webarticlecurator.tei.validate import validate

__all__ = ["Template", "article_part", "load_template", "render", "validate"]
