"""A feature: what one folder adds to the service, as its `__init__` declares it.

A declaration names objects as `module:object`, which are imported where they are needed: a command
imports no routes, and a service no commands. This is the only module that looks into the folder of
the features.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from pkgutil import iter_modules, resolve_name
from typing import NamedTuple

from app.platform.observability.metrics import FAMILIES, Family

_FOLDER = Path(__file__).parent / "features"


class Receiver(NamedTuple):
    """Another service, which mostly gets messages, and the variable with its URL."""

    variable: str
    url: str
    is_unsigned: bool = False
    """Whether a secret is missing with which the messages would be signed."""
    ask: Callable[[], Awaitable[str | None]] | None = None
    """Returns why it cannot be used, or None; without it, its host is looked up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deliveries:
    """The deliveries of one kind, and what `majlis deliveries` has for them alone.

    `option` lists those of one subject by its name, as its `help` says. `columns` are attributes
    of a Delivery by their heading.
    """

    kind: str
    option: str = ""
    help: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)


class Advice(NamedTuple):
    """What an operator can hardly want, and what to do about it."""

    message: str
    remedy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """What a feature adds to `majlis demo`.

    `variables` are those of its settings, and `command` one of `majlis` that fills the database.
    `title` says what `line` shows. The line is for a shell: in it, `$url` is the address of the
    service, `$majlis` the program, `$database` the database, and `$sample` the folder of content.
    """

    title: str
    line: str
    variables: Mapping[str, str] = field(default_factory=dict)
    command: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """A feature; all but the name is optional.

    `settings` is the class of its settings, and `tables` the modules that define its tables.
    `switch` is the setting that switches it on; without one it is always on. One that `is_static`
    has a part in the files of `majlis export`. `parts` returns what
    the feature adds to the services of an application; `facts` returns, for settings alone, what
    guides and catalogs tell of it. `api` are blueprints below the prefix of the public API,
    `routes` are others; `install` gets the application before that.
    `commands` are those of `majlis` by name, `metrics` the families that it counts,
    `delivery_kinds` the kinds of its deliveries, and `form_kinds` those of the forms that it
    answers.
    `receivers` yields each Receiver of some settings, `advice` each Advice about them.
    `start_checks` are functions of the settings that end the start with a ClickException, by the
    setting that asks for the check. `folders` are the settings with the folders that it writes.
    `keys` are the settings with the files of its keys, by the name of a key in a backup; a start
    makes those in `needed_keys`. `demo` is what `majlis demo` shows of it.
    """

    name: str
    settings: str = ""
    tables: tuple[str, ...] = ()
    switch: str = ""
    is_static: bool = False
    facts: str = ""
    parts: str = ""
    api: tuple[str, ...] = ()
    routes: tuple[str, ...] = ()
    install: str = ""
    commands: Mapping[str, str] = field(default_factory=dict)
    metrics: tuple[Family, ...] = ()
    delivery_kinds: tuple[Deliveries, ...] = ()
    form_kinds: tuple[str, ...] = ()
    receivers: str = ""
    advice: str = ""
    start_checks: Mapping[str, str] = field(default_factory=dict)
    folders: tuple[str, ...] = ()
    keys: Mapping[str, str] = field(default_factory=dict)
    needed_keys: frozenset[str] = frozenset()
    demo: Demo | None = None


@cache
def features() -> tuple[Feature, ...]:
    """Return the features of the service, in the order of their names; adds their metrics."""
    folders = sorted(module.name for module in iter_modules([str(_FOLDER)]) if module.ispkg)
    found = tuple(import_module(f"app.features.{folder}").FEATURE for folder in folders)
    FAMILIES.update({each.name: each for feature in found for each in feature.metrics})
    return found


def delivery_kinds() -> Mapping[str, Deliveries]:
    """Return all deliveries by their kind."""
    return {each.kind: each for feature in features() for each in feature.delivery_kinds}


def form_kinds(settings: object) -> frozenset[str]:
    """Return the kinds of forms that the features answer; enquiries have none."""
    return frozenset(kind for each in active_features(settings) for kind in each.form_kinds)


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


def _key_settings() -> Mapping[str, str]:
    """Return the setting with the path of each key, by the name that the key has in a backup."""
    return {name: setting for each in features() for name, setting in each.keys.items()}


def key_files(settings: object) -> Mapping[str, Path]:
    """Return where each key is, by its name in a backup; those not yet made are included."""
    return {name: getattr(settings, setting) for name, setting in _key_settings().items()}


def key_files_in(folder: Path) -> Mapping[str, Path]:
    """Return where each key is in a folder that holds all that is restored.

    >>> str(key_files_in(Path("/srv"))["preview.key"])
    '/srv/preview.key'
    """
    return {name: folder / name for name in _key_settings()}


def key_variable(name: str) -> str:
    """Return the variable that names the file of a key.

    >>> key_variable("preview.key")
    'PREVIEW_KEY_FILE'
    """
    return _key_settings()[name].upper()
