"""The files of keys that features make: without them, what they have signed is void."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from app.feature import features
from app.platform.keys import SharedKey
from app.settings import Settings


def _settings() -> Mapping[str, str]:
    """Return the setting with the path of each key, by the name that the key has in a backup."""
    return {name: setting for each in features() for name, setting in each.keys.items()}


def key_files(settings: Settings) -> Mapping[str, Path]:
    """Return where each key is, by its name in a backup; those not yet made are included."""
    return {name: getattr(settings, setting) for name, setting in _settings().items()}


def shared_keys(settings: Settings) -> Sequence[SharedKey]:
    """Return the keys that all instances share."""
    needed = frozenset[str]().union(*(feature.needed_keys for feature in features()))
    return [
        SharedKey(variable(name), path, needed=name in needed)
        for name, path in key_files(settings).items()
    ]


def key_files_in(folder: Path) -> Mapping[str, Path]:
    """Return where each key is in a folder that holds all that is restored.

    >>> str(key_files_in(Path("/srv"))["preview.key"])
    '/srv/preview.key'
    """
    return {name: folder / name for name in _settings()}


def variable(name: str) -> str:
    """Return the variable that names the file of a key.

    >>> variable("preview.key")
    'PREVIEW_KEY_FILE'
    """
    return _settings()[name].upper()
