"""YAML in, frozen settings out."""
