"""TEI header templates."""
