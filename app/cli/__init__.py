"""The command line: `majlis`."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import cast

import click

from app import garbage_collection
from app.version import VERSION

_COMMANDS = {
    "serve": "app.cli.serve:serve",
    "doctor": "app.cli.doctor:doctor",
    "check": "app.cli.check:check",
    "init": "app.cli.init:init",
    "import": "app.cli.import_source:import_command",
    "new": "app.cli.new:new",
    "preview": "app.cli.preview:preview",
    "schema": "app.cli.schema:schema",
    "index": "app.cli.index:index",
    "images": "app.cli.images:images",
    "redirects": "app.cli.redirects:redirects_group",
    "content": "app.cli.content:content_group",
    "audience": "app.cli.audience:audience",
    "leads": "app.cli.leads:leads",
    "feedback": "app.cli.feedback:feedback_group",
    "orders": "app.cli.orders:orders_group",
    "deliveries": "app.cli.deliveries:deliveries_group",
    "db": "app.cli.database:database_group",
    "backup": "app.cli.backup:backup",
    "restore": "app.cli.backup:restore",
    "mcp": "app.cli.mcp:mcp_group",
    "openapi": "app.cli.openapi:openapi",
    "nginx": "app.cli.nginx:nginx",
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
