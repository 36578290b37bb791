"""Limits: how often one client may ask, counted before anything else is done for it."""
