"""`majlis new`: writes a new document, with front matter that `majlis check` passes."""

from __future__ import annotations

from pathlib import Path

import click

from app.console.settings import command_settings
from app.operations.cli.new_document import FIXED_SLUGS, NewDocument, language_of, slug_of
from app.platform.clock import utc_now
from knowledge.checks.content_checks import ContentLinter
from knowledge.diagnostics.diagnostic import Diagnostic, Severity
from knowledge.fields.content_types import CITY, COUNTRY, AnyContentType
from knowledge.fields.slugs import slugify
from knowledge.locales.locale import Country, Language
from knowledge.resources.declarations import DECLARED_TYPES
from knowledge.snapshot.loading import LoadedContent, load_content

_KINDS = {kind.singular: kind for kind in DECLARED_TYPES}


@click.command()
@click.argument("kind", type=click.Choice(tuple(_KINDS)))
@click.argument("title")
@click.option("--lang", type=click.Choice(tuple(map(str, Language))), help="Default: its letters.")
@click.option("--slug", help="The name in URLs; default: from the title.")
@click.option("--country", help="Of a city: sa.")
@click.option("--folder", type=click.Path(path_type=Path), help="Default: CONTENT_DIR.")
def new(
    kind: str,
    title: str,
    lang: str | None,
    slug: str | None,
    country: str | None,
    folder: Path | None,
) -> None:
    """Write a new document of KIND, and print the path of its file.

    Posts, pages and products begin as drafts, which only a preview shows.
    """
    root = folder or command_settings().content_dir
    title = " ".join(title.split())
    document = NewDocument(
        kind=_KINDS[kind],
        title=title,
        slug=_slug(_KINDS[kind], slug, title),
        language=Language(lang) if lang else language_of(title),
        country=_country(_KINDS[kind], country),
        today=utc_now().date(),
    )
    _write(root, _load(root), document)
    click.echo(root / document.path)
    if document.is_draft:
        advice = "Remove the line “published: false” to publish it."
        click.echo(f"A draft; see it with: majlis preview {document.path}. {advice}", err=True)


def _slug(kind: AnyContentType, given: str | None, title: str) -> str:
    slug = slugify(given) if given else slug_of(title)
    fixed = FIXED_SLUGS.get(kind)
    if fixed and slug not in fixed:
        raise click.ClickException(f"Use --slug with one of: {', '.join(fixed)}.")
    if kind is COUNTRY and Country.parse(slug) is None:
        raise click.ClickException("Use --slug with the ISO 3166 code of the country, such as eg.")
    if not slug:
        raise click.ClickException("The title has no letter or digit. Use --slug.")
    return slug


def _country(kind: AnyContentType, country: str | None) -> Country | None:
    if kind is CITY and country is None:
        raise click.ClickException("A city needs its country, such as --country sa.")
    parsed = Country.parse(country) if country else None
    if country and parsed is None:
        raise click.ClickException(f"“{country}” is not the ISO 3166 code of a country.")
    return parsed


def _load(root: Path) -> LoadedContent:
    try:
        return load_content(root)
    except OSError as error:
        raise click.ClickException(f"Cannot read {root}: {error.strerror}.") from None


def _write(root: Path, before: LoadedContent, document: NewDocument) -> None:
    """Write the file, unless one is there; remove it again if it has a problem."""
    path = root / document.path
    text = document.text(before.snapshot)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise click.ClickException(f"{path} is there already. Use another --slug.") from None
    except OSError as error:
        raise click.ClickException(f"Cannot write {path}: {error.strerror}.") from None
    problem = _problem(root, before, document.path)
    if problem is not None:
        path.unlink()
        raise click.ClickException(str(problem))


def _problem(root: Path, before: LoadedContent, path: str) -> Diagnostic | None:
    """Return the first problem that a new file causes."""
    loaded = load_content(root, before, {path})
    entry = loaded.snapshot.entry_of_file(path)
    linter = ContentLinter(loaded.snapshot, utc_now())
    found = [*loaded.diagnostics, *(linter.of_entry(entry) if entry else ())]
    serious = (each for each in found if each.severity is not Severity.NOTICE)
    return next((each for each in serious if each not in before.diagnostics), None)
