"""Read portal files: YAML in, frozen settings out."""
