"""Blocks: what pages are made of below their titles, in every form."""
