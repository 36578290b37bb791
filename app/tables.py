"""What the database holds of all features: their tables, and the keys that instances share."""

from collections.abc import Sequence
from importlib import import_module

from sqlalchemy import MetaData

from app.feature import active_features, features, key_files, key_variable
from app.platform.database.metadata import metadata
from app.platform.keys import SharedKey
from app.settings import Settings

_PLATFORM = (
    "app.platform.keys",
    "app.platform.database.seen_clock",
    "app.platform.deliveries.tables",
)


def all_tables() -> MetaData:
    """Return the metadata with all tables, whose modules it imports."""
    for module in (*_PLATFORM, *(name for each in features() for name in each.tables)):
        import_module(module)
    return metadata


def shared_keys(settings: Settings) -> Sequence[SharedKey]:
    """Return the keys that all instances share."""
    needed = frozenset[str]().union(*(feature.needed_keys for feature in active_features(settings)))
    return [
        SharedKey(key_variable(name), path, needed=name in needed)
        for name, path in key_files(settings).items()
    ]
