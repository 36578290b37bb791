"""The public JSON API: each module of this package has the routes of one kind of resource."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

from quart import Blueprint

STABLE = "/api/public/v1"
"""The beginning of all paths of the public API."""


def blueprints() -> Iterator[Blueprint]:
    """Yield the `routes` of every module, in the order of their names."""
    for module in iter_modules(__path__, f"{__name__}."):
        yield import_module(module.name).routes
