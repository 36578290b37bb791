"""`majlis openapi`: prints the OpenAPI document, for tools that need a file."""

from __future__ import annotations

import json

import click

from app.cli.settings import command_settings
from app.clock import utc_now
from app.content.store import ContentStore
from app.factory import create_app
from app.openapi.document import openapi_document
from knowledge.content_view import ContentView


@click.command()
def openapi() -> None:
    """Print the OpenAPI 3.1 document of this service."""
    settings = command_settings()
    content_store = ContentStore(settings.content_dir)
    content_store.reload()
    if not content_store.loaded:
        raise click.ClickException(f"CONTENT_DIR: {content_store.first_error}")
    snapshot = content_store.current.snapshot
    view = ContentView(snapshot, snapshot.locales.default, utc_now(), settings.public_url)
    document = openapi_document(create_app(settings), view)
    click.echo(json.dumps(document, ensure_ascii=False, indent=2))
