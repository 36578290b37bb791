"""Examination of an installation: facts, gathered once, and what each check says of them."""
