"""`majlis schema`: prints JSON Schemas of front matter, and sets up an editor with them."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import yaml

from app.console import command_settings
from app.operations.cli.content import load_or_fail
from app.operations.cli.editor import Editor
from app.operations.cli.editor_fields import PAGE_FILES
from app.platform.printable import printable_json
from knowledge.checks.front_matter_schema import files_of, front_matter_schema, schema_names
from knowledge.fields.kinds import SiteKinds
from knowledge.resources.declarations import DECLARED_KINDS
from knowledge.snapshot.loading import load_content


@click.command()
@click.argument("kind", required=False)
@click.option(
    "--output", type=click.Path(path_type=Path), help="Folder to write a file of each schema to."
)
@click.option(
    "--decap",
    is_flag=True,
    help="Print the configuration of Sveltia or Decap, editors in browsers.",
)
@click.option(
    "--editor", type=click.Path(path_type=Path), help="Folder to write the page of that editor to."
)
@click.option("--vscode", is_flag=True, help="Set up Visual Studio Code in this folder.")
def schema(
    kind: str | None, output: Path | None, vscode: bool, decap: bool, editor: Path | None
) -> None:
    """Print the JSON Schema of the front matter of KIND, or of all kinds.

    Editors complete keys with it, and underline what is wrong. Without KIND, one object has the
    schemas by name.
    """
    if decap:
        click.echo(_editor_configuration(), nl=False)
        return
    kinds = _site_kinds()
    if kind and kind not in schema_names(kinds):
        kinds = replace(kinds, absent=frozenset())  # one to begin with
        known = ", ".join(schema_names(kinds))
        if kind not in schema_names(kinds):
            raise click.BadParameter(f"'{kind}' is not one of {known}.", param_hint="KIND")
    names = [kind] if kind else list(schema_names(kinds))
    if not (output or vscode or editor):
        schemas = {name: front_matter_schema(name, kinds) for name in names}
        click.echo(printable_json(schemas[kind] if kind else schemas, indent=2))
        return
    try:
        files = write_schemas(output, names, kinds) if output else []
        files += write_editor_settings(Path(), _content_below(), kinds) if vscode else []
        files += _write_page(editor) if editor else []
    except InvalidSettings as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"Cannot write {error.filename}: {error.strerror}.") from None
    for path in files:
        click.echo(path)


def _editor_configuration(backend: Any = None) -> str:
    settings = command_settings()
    snapshot = load_or_fail(settings.content_dir).snapshot
    prefix = f"{_content_below()}/".removeprefix("./")
    written = Editor(snapshot, prefix, settings.public_url).configuration
    written["backend"] = backend or written["backend"]
    return str(yaml.safe_dump(written, sort_keys=False, allow_unicode=True))


def _write_page(folder: Path) -> list[Path]:
    """Write the page of the editor to a folder; a `backend` that is set there stays."""
    configuration = folder / "config.yml"
    try:
        known = yaml.safe_load(configuration.read_bytes()) if configuration.exists() else {}
        texts = {folder / name: (PAGE_FILES / name).read_text("utf-8") for name in _PAGE}
        texts[configuration] = _editor_configuration(known.get("backend"))
    except (yaml.YAMLError, AttributeError):
        raise click.ClickException(f"{configuration} is no configuration. Delete it.") from None
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    return [*texts]


_PAGE = ("index.html", "majlis.js", "format.js")
"""The files of the editor beside its configuration."""


def _site_kinds() -> SiteKinds:
    """Return the kinds of the content folder; a new one may have all that are built in."""
    try:
        snapshot = load_content(command_settings().content_dir).snapshot
    except OSError:
        return DECLARED_KINDS
    return snapshot.kinds if any(snapshot.entries.values()) else DECLARED_KINDS


def _content_below() -> str:
    """Return the path of the content folder below the working directory."""
    content, here = command_settings().content_dir.absolute(), Path.cwd()
    if not content.is_relative_to(here):
        raise click.ClickException(f"{content} is not below {here}. Run the command above it.")
    return content.relative_to(here).as_posix()


_FOLDER = ".vscode"
_SCHEMAS = f"{_FOLDER}/majlis"
_EXTENSIONS = ("redhat.vscode-yaml", "unifiedjs.vscode-remark")


class InvalidSettings(Exception):
    """A settings file exists, but is not plain JSON, so that nothing can be added to it."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is not JSON without comments. Correct it, or move it away.")


def write_schemas(
    folder: Path, names: Iterable[str], kinds: SiteKinds = DECLARED_KINDS
) -> list[Path]:
    """Write schemas to a folder, and return their files; raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    return [
        _write(folder / f"{name}.schema.json", front_matter_schema(name, kinds)) for name in names
    ]


def write_editor_settings(
    workspace: Path, content: str, kinds: SiteKinds = DECLARED_KINDS
) -> list[Path]:
    """Write schemas and settings to a workspace, and return the files; raises OSError.

    `content` is the path of the content folder below the workspace, `""` if it is the same.
    Settings of other things stay as they are; raises InvalidSettings if they are not JSON.
    """
    folder, remark = workspace / _FOLDER, workspace / ".remarkrc.json"
    settings, extensions = folder / "settings.json", folder / "extensions.json"
    known = {path: _read(path) for path in (settings, extensions, remark)}
    prefix = f"{content.strip('/')}/" if content.strip("/.") else ""
    schemas = {
        f"./{_SCHEMAS}/{name}.schema.json": [f"{prefix}{files_of(name, kinds)}"]
        for name in schema_names(kinds)
    }
    known[settings]["yaml.schemas"] = {**known[settings].get("yaml.schemas", {}), **schemas}
    recommended = known[extensions].get("recommendations", [])
    known[extensions]["recommendations"] = [*dict.fromkeys((*recommended, *_EXTENSIONS))]
    known[remark].setdefault("plugins", _remark_plugins(schemas))
    written = write_schemas(workspace / _SCHEMAS, schema_names(kinds), kinds)
    return [*written, *(_write(path, value) for path, value in known.items())]


def _remark_plugins(schemas: Mapping[str, list[str]]) -> list[Any]:
    """Return the plugins that check the front matter inside markdown files."""
    paths = {schema: [f"./{glob}" for glob in globs] for schema, globs in schemas.items()}
    return ["remark-frontmatter", ["remark-lint-frontmatter-schema", {"schemas": paths}]]


def _read(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        raise InvalidSettings(path) from None
    if not isinstance(value, dict):
        raise InvalidSettings(path)
    return value


def _write(path: Path, value: Mapping[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    path.write_text(text, encoding="utf-8")
    return path
