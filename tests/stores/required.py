"""Wheels that contain a real server and exist for few platforms only."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from live.tools import missing


def required_module(name: str) -> Any:
    """Import a module of such a wheel; if that fails, the test is skipped or fails."""
    try:
        return import_module(name)
    except ImportError as error:
        missing(f"{name} cannot be imported: {error}")
