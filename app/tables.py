"""The tables of the service: those of the platform, and of each feature that is there."""

from __future__ import annotations

from importlib import import_module

from sqlalchemy import MetaData

from app.feature import features
from app.platform.database.metadata import metadata

_PLATFORM = ("app.platform.keys", "app.platform.deliveries.tables")


def all_tables() -> MetaData:
    """Return the metadata with all tables, whose modules it imports."""
    for module in (*_PLATFORM, *(name for each in features() for name in each.tables)):
        import_module(module)
    return metadata
