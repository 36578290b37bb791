"""The command line: `majlis`."""

import ast
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name
from typing import cast

import click

from app.feature import feature_commands
from app.platform import VERSION, memory

_COMMANDS: Mapping[str, str] = {
    "serve": "app.operations.cli.serve:serve",
    "demo": "app.operations.cli.demo:demo",
    "doctor": "app.operations.cli.doctor:doctor",
    "settings": "app.operations.cli.guides:settings",
    "commands": "app.operations.cli.guides:commands",
    "templates": "app.operations.cli.guides:templates",
    "check": "app.operations.cli.check:check",
    "init": "app.operations.cli.init:init",
    "import": "app.operations.cli.init:import_command",
    "new": "app.operations.cli.new:new",
    "words": "app.operations.cli.content:words",
    "schema": "app.operations.cli.schema:schema",
    "index": "app.operations.cli.index:index",
    "redirects": "app.operations.cli.content:redirects_group",
    "content": "app.operations.cli.content:content_group",
    "products": "app.operations.cli.export:products_group",
    "deliveries": "app.operations.cli.deliveries:deliveries_group",
    "db": "app.operations.cli.database:database_group",
    "backup": "app.operations.cli.database:backup",
    "restore": "app.operations.cli.database:restore",
    "export": "app.operations.cli.export:export",
    "openapi": "app.operations.cli.export:openapi",
    "nginx": "app.operations.cli.nginx:nginx",
}
"""The commands that belong to no feature."""

_SLOW = {"serve": "loading packages", "demo": "unpacking the sample", "check": "checking content"}
"""What the commands do that take seconds."""


def _targets() -> Mapping[str, str]:
    """Return all commands by name, in the order of the help."""
    return {**_COMMANDS, **feature_commands()}


class Commands(click.Group):
    """The command group; it imports only the command that runs, to start quickly."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return all names."""
        return list(_targets())

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Say on a terminal what a slow command does, before its imports; a log has JSON alone."""
        if args[0] in _SLOW and "--help" not in args and sys.stderr.isatty():
            click.echo(f"Majlis {VERSION}: {_SLOW[args[0]]} …", err=True)
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command, or None if the name is unknown."""
        target = _targets().get(cmd_name)
        if target is None:
            return None
        with memory.gc_frozen():
            return cast(click.Command, resolve_name(target))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the names with the first sentence of each docstring, without an import."""
        targets = _targets()
        width = formatter.width - 6 - max(map(len, targets))
        with formatter.section("Commands"):
            formatter.write_dl(
                (name, _summary(target).get_short_help_str(width))
                for name, target in targets.items()
            )


def _summary(target: str) -> click.Command:
    """Return a command with the docstring of another, read from its source."""
    module, _, name = target.partition(":")
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(name=module)
    source = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    (function,) = (
        each for each in source.body if isinstance(each, ast.FunctionDef) and each.name == name
    )
    return click.Command(name, help=ast.get_docstring(function))


@click.group(cls=Commands, context_settings={"show_default": True})
@click.version_option(VERSION, prog_name="majlis")
def main() -> None:
    """Serve a company's content from Markdown files."""
