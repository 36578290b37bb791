"""The public site: negotiated pages, their per-format URLs, assets and discovery resources."""
