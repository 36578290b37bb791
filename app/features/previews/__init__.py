"""Previews: signed links to pages that are not yet published."""
