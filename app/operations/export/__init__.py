"""Export: a site as files for a static host."""
