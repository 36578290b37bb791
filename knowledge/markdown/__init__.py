"""Markdown: the parser and its extensions, and what is read from its tokens."""
