"""Sections of pages, and their types."""
