"""The tables of the service: those of the platform, and of each feature that is there."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages

from sqlalchemy import MetaData

from app.platform.database.metadata import metadata
from app.platform.database.tables import shared_keys
from app.platform.deliveries.tables import deliveries

_FEATURES = Path(__file__).parent / "features"
_PLATFORM = (shared_keys, deliveries)
"""Tables of modules that are imported here, so that the metadata has them."""


def all_tables() -> MetaData:
    """Return the metadata with all tables; each feature defines its own in a module `tables`."""
    for package in walk_packages([str(_FEATURES)], "app.features."):
        if package.ispkg and find_spec(f"{package.name}.tables"):
            import_module(f"{package.name}.tables")
    return metadata
