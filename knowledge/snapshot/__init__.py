"""The snapshot: all documents of one load, with their layers, posts, terms and redirects."""
