"""Configuration files of other generators, read without running them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from app.operations.importing.javascript import object_literals

Configuration = Mapping[str, Any]


class _Loader(yaml.SafeLoader):
    """A safe loader that reads the tags of generators, which name code, as null."""


_Loader.add_multi_constructor("!", lambda *_: None)
_Loader.add_multi_constructor("tag:", lambda *_: None)


class InvalidConfiguration(Exception):
    """A configuration file cannot be parsed; the message names the file and the reason."""


def read_configuration(path: Path) -> Configuration:
    """Return the settings of a TOML, YAML, JSON or JavaScript file.

    Of a JavaScript file only the literals are read. Raises InvalidConfiguration.
    """
    try:
        settings = _parse(path.suffix, read_text(path))
    except (ValueError, yaml.YAMLError, RecursionError) as error:
        raise InvalidConfiguration(f"{path} cannot be parsed: {error}") from None
    return settings if isinstance(settings, dict) else {}


def read_text(path: Path) -> str:
    """Return the text of a configuration file; raises InvalidConfiguration."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidConfiguration(f"{path} cannot be read: {error}") from None


def _parse(suffix: str, text: str) -> object:
    match suffix:
        case ".toml":
            return tomllib.loads(text)
        case ".yaml" | ".yml":
            return yaml.load(text, _Loader)  # noqa: S506  # a subclass of SafeLoader
        case ".json":
            return json.loads(text)
    return object_literals(text)


def first_file(root: Path, *names: str) -> Path | None:
    """Return the first of these files that exists in a folder, or None."""
    return next((root / name for name in names if (root / name).is_file()), None)


def text_at(settings: object, *path: str) -> str:
    """Return the text at a path of keys, or `""` if there is none.

    >>> text_at({"params": {"description": " Notes "}}, "params", "description")
    'Notes'
    """
    for key in path:
        settings = settings.get(key) if isinstance(settings, dict) else None
    return settings.strip() if isinstance(settings, str) else ""


def mapping_at(settings: object, *path: str) -> Configuration:
    """Return the mapping at a path of keys, or an empty one."""
    for key in path:
        settings = settings.get(key) if isinstance(settings, dict) else None
    return settings if isinstance(settings, dict) else {}


def mappings_at(settings: object, *path: str) -> Iterator[Configuration]:
    """Yield the mappings in the list at a path of keys."""
    entries = mapping_at(settings, *path[:-1]).get(path[-1])
    if isinstance(entries, list):
        yield from (entry for entry in entries if isinstance(entry, dict))
