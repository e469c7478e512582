"""Joins the stages that look at what is stored: inventories and audits of a corpus, or of any WARC."""
