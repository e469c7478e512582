"""The steps of a corpus from crawl to release, one module a step: they join the packages below for the
command line and for Python."""
