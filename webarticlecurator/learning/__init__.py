"""Rules for a portal file, found in its pages."""
