"""Features: one folder each. A feature is removed by deleting its folder."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from itertools import chain
from pkgutil import iter_modules, resolve_name

from app.features.feature import Feature


@cache
def features() -> tuple[Feature, ...]:
    """Return the features of the service, in the order of their names."""
    folders = sorted(module.name for module in iter_modules(__path__) if module.ispkg)
    return tuple(import_module(f"{__name__}.{folder}").FEATURE for folder in folders)


def delivery_kinds() -> tuple[str, ...]:
    """Return the kinds of all deliveries."""
    return tuple(kind for feature in features() for kind in feature.delivery_kinds)


def feature_commands() -> Mapping[str, str]:
    """Return the commands of all features by name, as `module:command`."""
    return {name: target for each in features() for name, target in each.commands.items()}


def active_features(settings: object) -> list[Feature]:
    """Return the features that the settings switch on."""
    return [each for each in features() if not each.switch or getattr(settings, each.switch)]


def feature_facts(settings: object) -> tuple[object, ...]:
    """Return what the features tell of themselves, before there is an application."""
    told = (resolve_name(each.facts)(settings) for each in active_features(settings) if each.facts)
    return tuple(chain.from_iterable(told))
