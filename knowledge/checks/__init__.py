"""Checks: what `majlis check` reports across files, and what it can correct."""
