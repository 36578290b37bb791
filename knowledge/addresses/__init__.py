"""Addresses: public paths, links between them, and where old ones lead."""
