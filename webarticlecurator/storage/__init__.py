"""Folders of files that are written once: on this machine, or in an object store."""
