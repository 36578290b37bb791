"""Renderers: turn a resource into its HTML, Markdown, JSON or XML representation.

A renderer is a module with `MEDIA_TYPE` and `render(…)`. It loads no data and does not modify
its input.
"""
