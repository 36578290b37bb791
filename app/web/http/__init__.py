"""Code shared by HTTP handlers: parameters, request bodies, responses and headers."""
