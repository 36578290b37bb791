"""Bases: indexes on disk that processes share, and the edits since."""
