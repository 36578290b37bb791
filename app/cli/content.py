"""`majlis content`: what an operator says about the content folder."""

from __future__ import annotations

from pathlib import Path

import click

from app.cli.settings import command_settings
from app.content.acceptance import write_acceptance
from knowledge.files import scan


@click.group("content")
def content_group() -> None:
    """Look after the content folder of a running service."""


@content_group.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path))
def accept(folder: Path | None) -> None:
    """Accept that most documents of FOLDER, by default of CONTENT_DIR, were deleted on purpose.

    Every service over this folder then serves what is left. It may run before the service has
    noticed the deletion.
    """
    root = folder or command_settings().content_dir
    try:
        documents = scan(root).documents
        write_acceptance(root, documents)
    except OSError as error:
        reason = f"{root}: {error.strerror}."
        advice = "Run it as a user who may write there, or restart the service instead."
        raise click.ClickException(f"{reason} {advice}") from None
    click.echo(f"Accepted: {len(documents)} documents. A running service serves them in seconds.")
