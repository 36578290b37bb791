"""A feature: what one folder adds to the service, as its `__init__` declares it.

The declaration names objects as `module:object`; they are imported where they are needed, so that
a command imports no routes and a service no commands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Receiver(NamedTuple):
    """A URL that gets messages, and the variable that names it."""

    variable: str
    url: str
    is_unsigned: bool = False
    """Whether a secret is missing with which the messages would be signed."""


class Advice(NamedTuple):
    """What an operator can hardly want, and what to do about it."""

    message: str
    remedy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """A feature; all but the name is optional.

    `switch` is the setting that switches it on; without one it is always on. `parts` returns, for
    the services of an application, what the feature adds to them; `facts` returns, for settings
    alone, what guides and catalogs tell of it. `api` are blueprints below the
    prefix of the public API, `routes` are others; `install` gets the
    application before that.
    `commands` are those of `majlis` by name, and `delivery_kinds` the kinds of its deliveries.
    `receivers` yields each Receiver of some settings, `advice` each Advice about them.
    `start_checks` are functions of the settings that end the start with a ClickException, by the
    setting that asks for the check. `folders` are the settings with the
    folders that it writes. `keys` are the settings with the files of its keys, by the
    name of a key in a backup; a start makes those in `needed_keys`.
    """

    name: str
    switch: str = ""
    facts: str = ""
    parts: str = ""
    api: tuple[str, ...] = ()
    routes: tuple[str, ...] = ()
    install: str = ""
    commands: Mapping[str, str] = field(default_factory=dict)
    delivery_kinds: tuple[str, ...] = ()
    receivers: str = ""
    advice: str = ""
    start_checks: Mapping[str, str] = field(default_factory=dict)
    folders: tuple[str, ...] = ()
    keys: Mapping[str, str] = field(default_factory=dict)
    needed_keys: frozenset[str] = frozenset()
