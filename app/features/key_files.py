"""The files of keys that the service makes: without them, what it has signed is void."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from app.platform.database.shared_keys import SharedKey
from app.settings import Settings

_SETTINGS = {"preview.key": "preview_key_file", "leads.key": "leads_key_file"}
"""The setting with the path of each key, by the name that the key has in a backup."""


def key_files(settings: Settings) -> Mapping[str, Path]:
    """Return where each key is, by its name in a backup; those not yet made are included."""
    return {name: getattr(settings, setting) for name, setting in _SETTINGS.items()}


def shared_keys(settings: Settings) -> Sequence[SharedKey]:
    """Return the keys that all instances share; that of previews is made by a command."""
    return [
        SharedKey(variable(name), path, needed=name != "preview.key")
        for name, path in key_files(settings).items()
    ]


def key_files_in(folder: Path) -> Mapping[str, Path]:
    """Return where each key is in a folder that holds all that is restored.

    >>> str(key_files_in(Path("/srv"))["preview.key"])
    '/srv/preview.key'
    """
    return {name: folder / name for name in _SETTINGS}


def variable(name: str) -> str:
    """Return the variable that names the file of a key.

    >>> variable("preview.key")
    'PREVIEW_KEY_FILE'
    """
    return _SETTINGS[name].upper()
