"""Wheels that hold a real server, and are made for few platforms."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from live.tools import missing


def required_module(name: str) -> Any:
    """A module of such a wheel; without it the test is skipped, or fails."""
    try:
        return import_module(name)
    except ImportError as error:
        missing(f"{name} cannot be imported: {error}")
