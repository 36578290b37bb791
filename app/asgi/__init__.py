"""ASGI middleware and what it shares; nothing here knows Quart's handlers or the services."""
