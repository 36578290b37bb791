"""`majlis schema`: prints JSON Schemas of front matter, and sets up an editor with them."""

from __future__ import annotations

from pathlib import Path

import click

from app.console.settings import command_settings
from app.operations.cli.editor_settings import InvalidSettings, write_editor_settings, write_schemas
from app.platform.printable import printable_json
from knowledge.checks.front_matter_schema import front_matter_schema, schema_names


@click.command()
@click.argument("kind", required=False, type=click.Choice(tuple(schema_names())))
@click.option("--output", type=click.Path(path_type=Path), help="Write a file of each there.")
@click.option("--vscode", is_flag=True, help="Set up Visual Studio Code in this folder.")
def schema(kind: str | None, output: Path | None, vscode: bool) -> None:
    """Print the JSON Schema of the front matter of KIND, or of all kinds.

    Editors complete keys with it, and underline what is wrong. Without KIND, one object has the
    schemas by name.
    """
    names = [kind] if kind else list(schema_names())
    if not (output or vscode):
        schemas = {name: front_matter_schema(name) for name in names}
        click.echo(printable_json(schemas[kind] if kind else schemas, indent=2))
        return
    try:
        files = write_schemas(output, names) if output else []
        files += write_editor_settings(Path(), _content_below()) if vscode else []
    except InvalidSettings as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"Cannot write {error.filename}: {error.strerror}.") from None
    for path in files:
        click.echo(path)


def _content_below() -> str:
    """Return the path of the content folder below the working directory."""
    content, here = command_settings().content_dir.absolute(), Path.cwd()
    if not content.is_relative_to(here):
        raise click.ClickException(f"{content} is not below {here}. Run the command above it.")
    return content.relative_to(here).as_posix()
