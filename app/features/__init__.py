"""Features: one folder each. A feature is removed by deleting its folder."""
