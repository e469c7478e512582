"""Write articles as TEI: one valid document an article, from a header template."""
