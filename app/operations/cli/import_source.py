"""`majlis import`: writes a content folder from the source of another generator."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from app.operations.cli.init import require_empty
from app.operations.importing.configuration import InvalidConfiguration
from app.operations.importing.generators import read_source
from app.operations.importing.importer import ImportReport, import_source
from app.operations.importing.source import Source
from app.platform.printable import printable

_MAX_EXAMPLES = 3


@click.command("import")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--into",
    "target",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Content folder to write; it must be empty or not exist.",
)
def import_command(folder: Path, target: Path) -> None:
    """Import the unchanged checkout of a site in FOLDER.

    Supports Hugo, Jekyll, Zola, Astro, Starlight, Docusaurus, Eleventy, VitePress, MkDocs and
    Obsidian. FOLDER is not changed.
    """
    try:
        source = read_source(folder)
        if source is None:
            raise click.ClickException(
                f"{folder} is not the source of a supported generator: none of their configuration "
                "files was found. Copy its markdown files into the folders posts/ and pages/ of a "
                "folder made by `majlis init`."
            )
        require_empty(target)
        report = import_source(source, target)
    except InvalidConfiguration as error:
        raise click.ClickException(f"{error}. Correct the file and try again.") from None
    except OSError as error:
        raise click.ClickException(f"{error.filename or target}: {error.strerror}.") from None
    for line in _lines(source, target, report):
        click.echo(printable(line))


def _lines(source: Source, target: Path, report: ImportReport) -> Iterator[str]:
    yield f"{source.generator} source imported into {target}:"
    for folder, count in sorted(report.documents.items()):
        yield f"  {count:6} texts in {folder}/"
    yield f"  {report.assets:6} images and downloads"
    yield f"  {report.redirects:6} redirects from old addresses in _redirects"
    yield "  site/settings.md with the name and the language of the site"
    remaining = [*_remaining(source, report)]
    if remaining:
        yield "Left for you:"
        yield from (f"  - {line}" for line in remaining)
    yield f"Next: majlis check {target}, then majlis serve {target}"


def _remaining(source: Source, report: ImportReport) -> Iterator[str]:
    yield from source.not_imported
    if source.configuration.base_url:
        yield f"Set BASE_URL when you deploy; the site was at {source.configuration.base_url}."
    else:
        yield "Set BASE_URL to the public address of the site when you deploy."
    if report.renamed:
        paths = [f"{each.document.path} as {each.path}" for each in report.renamed]
        yield f"{len(paths)} files have another name, as theirs was in use: {_examples(paths)}"
    if report.introductions:
        paths = [str(document.file) for document in report.introductions]
        yield f"Texts about lists of posts or other home pages were left out: {_examples(paths)}"
    if report.unread:
        paths = [f"{each.location} {each.message}" for each in report.unread]
        yield f"{len(paths)} files could not be read: {_examples(paths)}"
    if report.other_files:
        counts = [f"{count} {suffix}" for suffix, count in report.other_files.most_common()]
        yield f"Files of types that are not served were not copied: {', '.join(counts)}."


def _examples(paths: list[str]) -> str:
    shown = ", ".join(paths[:_MAX_EXAMPLES])
    return shown + (", …" if len(paths) > _MAX_EXAMPLES else ".")
