"""Settings for commands: an invalid variable ends the command with a message."""

from __future__ import annotations

from typing import Any

import click

from app.settings import Settings, SettingsError, load_settings


def command_settings(**overrides: Any) -> Settings:
    """Load the settings from the environment; invalid settings end the command."""
    try:
        return load_settings(**overrides)
    except SettingsError as error:
        raise click.ClickException(f"Invalid configuration: {error}") from None
