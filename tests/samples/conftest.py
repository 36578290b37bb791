"""Fixtures for the samples of the guides."""

from live.fixtures import server

__all__ = ["server"]
