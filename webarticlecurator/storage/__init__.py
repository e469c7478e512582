"""Where WARC files lie: on this machine, or in an object store."""
