"""The places of WARC files: on this machine, or in an object store."""
