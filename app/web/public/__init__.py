"""The public JSON API: a module has the routes of one kind of resource, or of several."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

from quart import Blueprint

STABLE = "/api/public/v1"
"""The beginning of all paths of the public API."""


def blueprints() -> Iterator[Blueprint]:
    """Yield the blueprints of every module, in the order of the modules."""
    for module in iter_modules(__path__, f"{__name__}."):
        found = vars(import_module(module.name)).values()
        yield from (each for each in found if isinstance(each, Blueprint))
