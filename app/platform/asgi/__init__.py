"""ASGI middleware and its shared code; nothing here imports handlers or services."""
