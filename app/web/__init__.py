"""Web: the request pipeline, the public API, the pages and OpenAPI."""
