"""Markdown of pages, API resources, error pages and documentation."""
