"""The report of a corpus as one HTML file that needs nothing else: no server, no network, no script."""
