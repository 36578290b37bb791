"""`majlis openapi`: prints the OpenAPI document, for tools that need a file."""

from __future__ import annotations

import click

from app.console.default_view import default_view
from app.console.settings import command_settings
from app.factory import create_app
from app.platform.printable import printable_json
from app.web.openapi.document import openapi_document
from app.web.openapi.information import CONTRACT, LEGACY


@click.command()
@click.option("--legacy", is_flag=True, help="Print the document of the legacy paths instead.")
def openapi(legacy: bool) -> None:
    """Print the OpenAPI 3.1 document of this service."""
    settings = command_settings()
    view = default_view(settings)
    document = openapi_document(create_app(settings), view, LEGACY if legacy else CONTRACT)
    click.echo(printable_json(document, indent=2))
