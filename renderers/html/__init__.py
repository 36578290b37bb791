"""HTML of pages, error pages and documentation."""
