"""The folder that a command fills: nothing in it is ever overwritten."""

from __future__ import annotations

from pathlib import Path

import click


def require_empty(folder: Path) -> None:
    """End the command if a folder has files in it; raises OSError."""
    if folder.exists() and any(folder.iterdir()):
        raise click.ClickException(f"{folder} is not empty. Choose a new folder.")
