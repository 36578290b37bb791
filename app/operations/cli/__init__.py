"""The command line: `majlis`."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import cast

import click

from app.platform import garbage_collection
from app.platform.version import VERSION

_COMMANDS = {
    "serve": "app.operations.cli.serve:serve",
    "doctor": "app.operations.cli.doctor:doctor",
    "check": "app.operations.cli.check:check",
    "init": "app.operations.cli.init:init",
    "import": "app.operations.cli.import_source:import_command",
    "new": "app.operations.cli.new:new",
    "preview": "app.operations.cli.preview:preview",
    "schema": "app.operations.cli.schema:schema",
    "index": "app.operations.cli.index:index",
    "images": "app.operations.cli.images:images",
    "redirects": "app.operations.cli.redirects:redirects_group",
    "content": "app.operations.cli.content:content_group",
    "audience": "app.operations.cli.audience:audience",
    "leads": "app.operations.cli.leads:leads",
    "feedback": "app.operations.cli.feedback:feedback_group",
    "orders": "app.operations.cli.orders:orders_group",
    "deliveries": "app.operations.cli.deliveries:deliveries_group",
    "db": "app.operations.cli.database:database_group",
    "backup": "app.operations.cli.backup:backup",
    "restore": "app.operations.cli.backup:restore",
    "mcp": "app.operations.cli.mcp:mcp_group",
    "openapi": "app.operations.cli.openapi:openapi",
    "nginx": "app.operations.cli.nginx:nginx",
}


class Commands(click.Group):
    """The command group; it imports only the command that runs, to start quickly."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return all names, in the order of the help."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command, or None if the name is unknown."""
        if cmd_name not in _COMMANDS:
            return None
        with garbage_collection.gc_frozen():
            return cast(click.Command, resolve_name(_COMMANDS[cmd_name]))


@click.group(cls=Commands)
@click.version_option(VERSION, prog_name="majlis")
def main() -> None:
    """Serve a company's content from Markdown files."""
