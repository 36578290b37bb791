"""Features: one folder each, which can be removed."""
