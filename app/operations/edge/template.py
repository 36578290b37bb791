"""Templates of configurations, in which `@{name}` stands for a value."""

from __future__ import annotations

from importlib.resources import files
from string import Template


class ConfigurationTemplate(Template):
    """A template whose placeholders differ from the variables of nginx and VCL."""

    delimiter = "@"


def fill(name: str, **values: str) -> str:
    """Return a template of this package with its values."""
    text = files(__package__ or "").joinpath(name).read_text(encoding="utf-8")
    return ConfigurationTemplate(text).substitute(values)
