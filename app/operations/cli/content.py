"""`majlis content`: commands on the content folder."""

from __future__ import annotations

from pathlib import Path

import click

from app.console.settings import command_settings
from app.publishing.content.deletion_guard import write_acceptance
from knowledge.documents.files import scan


@click.group("content")
def content_group() -> None:
    """Manage the content folder of a running service."""


@content_group.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path))
def accept(folder: Path | None) -> None:
    """Confirm that most documents were deleted on purpose.

    Every service that uses FOLDER (default: CONTENT_DIR) then serves the remaining documents.
    You can run this before the service has detected the deletion.
    """
    root = folder or command_settings().content_dir
    try:
        documents = scan(root).documents
        write_acceptance(root, documents)
    except OSError as error:
        reason = f"{root}: {error.strerror}."
        advice = "Run the command as a user with write permission, or restart the service."
        raise click.ClickException(f"{reason} {advice}") from None
    click.echo(
        f"Accepted: {len(documents)} documents. A running service serves them within seconds."
    )
