"""Feeds and sitemaps: XML and JSON documents that list pages."""
