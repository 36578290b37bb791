"""Settings for commands: a wrong variable ends the command with a clear word."""

from __future__ import annotations

from typing import Any

import click

from app.settings import Settings, SettingsError, load_settings


def command_settings(**overrides: Any) -> Settings:
    """The settings of the environment, or the end of the command."""
    try:
        return load_settings(**overrides)
    except SettingsError as error:
        raise click.ClickException(f"The settings are wrong. {error}") from None
