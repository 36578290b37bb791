"""Fields: YAML, the types of front matter values, and the schemas of content and page types."""
