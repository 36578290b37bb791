"""Edits: what a value was made from, so that an edit makes anew only what it touches."""
