"""`majlis init`: writes the first files of a new site into a new folder; overwrites nothing."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click

from app.operations.cli.schema import write_editor_settings
from app.operations.starters import KINDS, write_starter
from knowledge.documents.body_opening import name_in_words
from knowledge.locales.locale import Country, Language

_LANGUAGES = {
    "en": (Language.EN,),
    "ar": (Language.AR,),
    "both": (Language.EN, Language.AR),
}


def _site_name(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is not None and not (value.strip() and value.isprintable()):
        raise click.BadParameter("Write the name in one line of printable characters.")
    return value


def _countries(_: click.Context, __: click.Parameter, value: str) -> list[str]:
    codes = [code.strip().lower() for code in value.split(",") if code.strip()]
    for code in codes:
        if Country.parse(code) is None:
            raise click.BadParameter(f"“{code}” is not a country. Write ISO codes, as in sa,ae.")
    return list(dict.fromkeys(codes))


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--kind", type=click.Choice(KINDS), default="company", show_default=True)
@click.option(
    "--lang", "languages", type=click.Choice(tuple(_LANGUAGES)), default="en", show_default=True
)
@click.option(
    "--countries",
    default="",
    callback=_countries,
    help="ISO 3166 codes, as in sa,ae. Without them the site has no countries.",
)
@click.option(
    "--name", callback=_site_name, help="Name of the site (default: the name of the folder)."
)
def init(folder: Path, kind: str, languages: str, countries: list[str], name: str | None) -> None:
    """Write a small site into FOLDER, which must be empty or not exist.

    Visual Studio Code then completes and checks the front matter of its files.
    """
    title = name or name_in_words(folder.resolve().name)
    try:
        require_empty(folder)
        paths = write_starter(
            folder,
            kind,
            title,
            _LANGUAGES[languages],
            countries,
            date.today(),  # noqa: DTZ011
        )
        write_editor_settings(folder, "")
    except OSError as error:
        raise click.ClickException(f"{error.filename or folder}: {error.strerror}.") from None
    for path in paths:
        click.echo(f"  {path}")
    click.echo(f"{folder} has {len(paths)} files. Next: majlis serve {folder}")


def require_empty(folder: Path) -> None:
    """End the command if a folder has files in it; raises OSError."""
    if folder.exists() and any(folder.iterdir()):
        raise click.ClickException(f"{folder} is not empty. Choose a new folder.")
