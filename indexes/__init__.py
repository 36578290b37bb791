"""Full-text search over the public pages of a content snapshot."""
