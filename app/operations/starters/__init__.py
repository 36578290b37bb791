"""Starters: the first files of a new content folder."""
