"""Portals and presets: data, never code."""
