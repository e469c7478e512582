"""A corpus as it is handed to an archive: one folder with its documents, its linked data, and a fingerprint
against tampering."""
