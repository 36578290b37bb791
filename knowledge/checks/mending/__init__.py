"""Mending: changes to the text of a file that correct a fault and nothing else. Pure functions."""
