"""The source of another generator where a content folder is expected."""

from __future__ import annotations

from pathlib import Path

import click

from knowledge.fields.content_types import content_folders


def refuse_foreign_source(folder: Path) -> None:
    """End the command if a folder has no content, but the source of another generator."""
    if any((folder / name).is_dir() for name in content_folders()):
        return
    # Only such a folder needs the parsers of other generators.
    from app.operations.importing.configuration import InvalidConfiguration  # noqa: PLC0415
    from app.operations.importing.generators import read_source  # noqa: PLC0415

    try:
        source = read_source(folder)
    except InvalidConfiguration:
        return
    if source:
        raise click.ClickException(
            f"{folder} is the source of a {source.generator} site, not a content folder. "
            f"Import it: majlis import {folder} --into FOLDER"
        )
