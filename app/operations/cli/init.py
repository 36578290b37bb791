"""`majlis init` and `majlis import`: write a new content folder, or one from another generator."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, get_args

import click
from click.core import ParameterSource

from app.console.output import progress_bar
from app.operations.cli.schema import write_editor_settings
from app.operations.importing.configuration import InvalidConfiguration
from app.operations.importing.exports import InvalidExport, MissingPackages
from app.operations.importing.generators import read_export, read_source
from app.operations.importing.importer import ImportReport, import_source
from app.operations.importing.old_site import old_pages
from app.operations.importing.source import Source, UnsupportedSource
from app.operations.starters import KINDS, write_starter
from app.platform.printable import printable
from app.platform.sample import write_sample
from knowledge.documents.body_opening import name_in_words
from knowledge.fields.theme_fields import LookName
from knowledge.locales.locale import Country, Language
from knowledge.snapshot.loading import load_content

if TYPE_CHECKING:
    from app.operations.importing.judge import Verdict


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


_LANGUAGES = {
    "en": (Language.EN,),
    "ar": (Language.AR,),
    "both": (Language.EN, Language.AR),
}


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--kind", type=click.Choice(KINDS), default="company", help="Kind of the new site.")
@click.option(
    "--lang",
    "languages",
    type=click.Choice(tuple(_LANGUAGES)),
    default="en",
    help="Languages of its first files.",
)
@click.option(
    "--countries",
    default="",
    show_default=False,
    callback=_countries,
    help="ISO 3166 codes, as in sa,ae. Without them the site has no countries.",
)
@click.option(
    "--name", callback=_site_name, help="Name of the site (default: the name of the folder)."
)
@click.option(
    "--name-ar", callback=_site_name, help="Arabic name of the site (default: that of --name)."
)
@click.option("--look", type=click.Choice(get_args(LookName)), help="Look of the new site.")
@click.option("--sample", is_flag=True, help="Write the sample site instead, with its pictures.")
@click.pass_context
def init(
    ctx: click.Context,
    folder: Path,
    kind: str,
    languages: str,
    countries: list[str],
    name: str | None,
    name_ar: str | None,
    look: str | None,
    sample: bool,
) -> None:
    """Write a small site into FOLDER, which must be empty or not exist.

    Visual Studio Code then completes and checks the front matter of its files.
    """
    if sample:
        _refuse_choices(ctx)
    title = name or name_in_words(folder.resolve().name)
    try:
        require_empty(folder)
        if sample:
            write_sample(folder)
            paths = []
        else:
            paths = write_starter(
                folder,
                kind,
                title,
                _LANGUAGES[languages],
                countries,
                date.today(),  # noqa: DTZ011
                name_ar,
                look,
            )
        write_editor_settings(folder, "", load_content(folder).snapshot.kinds)
    except OSError as error:
        raise click.ClickException(f"{error.filename or folder}: {error.strerror}.") from None
    for path in paths:
        click.echo(f"  {path}")
    count = f"{len(paths)} files" if paths else "the sample"
    click.echo(f"{folder} has {count}. Next: majlis serve {folder}")


def _refuse_choices(ctx: click.Context) -> None:
    """End the command if an option beside --sample asks for another site."""
    for each in ctx.command.params:
        is_given = ctx.get_parameter_source(each.name or "") is ParameterSource.COMMANDLINE
        if is_given and each.name not in ("folder", "sample"):
            raise click.UsageError(f"--sample is one site: leave {each.opts[0]} out.")


def require_empty(folder: Path) -> None:
    """End the command if a folder has files in it; raises OSError."""
    if folder.exists() and any(folder.iterdir()):
        raise click.ClickException(f"{folder} is not empty. Choose a new folder.")


_MAX_EXAMPLES = 3
_REPOSITORY = re.compile(r"(?:https?|ssh|git|file)://|[\w.-]+@[\w.-]+:")
"""The beginning of the address of a Git repository."""


@click.command("import")
@click.argument("folder", metavar="SOURCE")
@click.option(
    "--into",
    "target",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Content folder to write; it must be empty or not exist.",
)
@click.option(
    "--uploads",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of the uploaded files of WordPress or Ghost, which an export has not.",
)
@click.option(
    "--built",
    type=click.Path(exists=True, path_type=Path),
    help="The old site to compare with: its built folder, its sitemap.xml, or a list of addresses.",
)
@click.option(
    "--report",
    "report_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for the whole comparison, with the new address of each old one.",
)
@click.option(
    "--allow-loss",
    is_flag=True,
    help="Exit with 0 although published texts were left out.",
)
def import_command(
    folder: str,
    target: Path,
    uploads: Path | None,
    built: Path | None,
    report_file: Path | None,
    allow_loss: bool,
) -> None:
    """Import the site in SOURCE: its unchanged checkout, its Git repository, or an export.

    Supports Hugo, Jekyll, Zola, Astro, Starlight, Docusaurus, Eleventy, VitePress, MkDocs, Hexo,
    Nikola, Pelican, Quartz and Obsidian; other markdown files become documentation. An export is
    the XML file of WordPress or the JSON file of Ghost. SOURCE is not changed. The command lists
    the published texts that it leaves out, each with its number of words, and then exits with 1
    unless --allow-loss is given.

    With --built, and for an export, the command then serves the result to itself and asks for
    each old address. It exits with 1 if one is lost, or if a text is shown that the old site did
    not publish; with a built folder it compares titles, languages, dates, words and pictures, too.
    """
    source, report = _imported(folder, target, uploads, built)
    for line in _lines(source, target, report):
        click.echo(printable(line))
    verdict = _compared(target, built, report) if built or report.addresses else None
    if verdict:
        for line in verdict.lines():
            click.echo(printable(line))
        if report_file:
            report_file.write_text(verdict.report(), encoding="utf-8")
    if (report.omissions and not allow_loss) or (verdict and verdict.has_failed):
        raise click.exceptions.Exit(1)


def _imported(
    place: str, target: Path, uploads: Path | None, built: Path | None
) -> tuple[Source, ImportReport]:
    """Write a source into a content folder; what cannot be read ends the command."""
    with TemporaryDirectory(prefix="majlis-import-") as scratch, progress_bar() as bar:
        folder = _cloned(place, Path(scratch)) if _REPOSITORY.match(place) else Path(place)
        if not folder.exists():
            raise click.BadParameter(f"{place} does not exist.", param_hint="SOURCE")
        try:
            is_export = folder.is_file()
            source = (
                read_export(folder, Path(scratch), uploads) if is_export else read_source(folder)
            )
            if source is None:
                raise click.ClickException(
                    f"{place} has no markdown files to import. For a new site, run `majlis init`."
                )
            require_empty(target)

            def track(things: Sequence[Any], description: str) -> Iterable[Any]:
                return bar.track(things, description=description)

            return source, import_source(source, target, built, track)
        except UnsupportedSource as error:
            raise click.ClickException(
                f"{place} is the source of a {error} site, which is not supported: roles, targets "
                "and directives, such as {ref}, (x)= and {toctree}, have no meaning in other "
                "markdown. Nothing was written."
            ) from None
        except MissingPackages:
            raise click.ClickException(
                "Exports need further packages: pip install 'majlis[import]'."
            ) from None
        except InvalidExport as error:
            raise click.ClickException(str(error)) from None
        except InvalidConfiguration as error:
            raise click.ClickException(f"{error}. Correct the file and try again.") from None
        except OSError as error:
            raise click.ClickException(f"{error.filename or target}: {error.strerror}.") from None


def _cloned(url: str, scratch: Path) -> Path:
    """Return the newest commit of a repository, in a folder of its name."""
    folder = scratch / PurePosixPath(url.rstrip("/").removesuffix(".git").replace(":", "/")).name
    command = ("git", "clone", "--quiet", "--depth", "1", "--", url, str(folder))
    environment = {"GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh"}
    try:
        subprocess.run(  # noqa: S603  # without a shell; the URL is no option
            command, check=True, capture_output=True, text=True, env=os.environ | environment
        )
    except FileNotFoundError:
        raise click.ClickException("A repository needs git. Install it, or clone it.") from None
    except subprocess.CalledProcessError as error:
        reason = printable(error.stderr.strip().rpartition("\n")[2])
        raise click.ClickException(f"{url} cannot be cloned: {reason}") from None
    return folder


def _compared(target: Path, built: Path | None, report: ImportReport) -> Verdict:
    """Compare the old addresses, and what is built of them, with the imported site."""
    # Only here does an import need the whole service.
    from app.operations.cli.export import opened_site  # noqa: PLC0415
    from app.operations.importing.judge import judged  # noqa: PLC0415

    pages = old_pages(built) if built else ((each, None) for each in report.addresses)
    with opened_site(target) as site:
        return asyncio.run(judged(site, pages, report.made, report.words))


def _lines(source: Source, target: Path, report: ImportReport) -> Iterator[str]:
    yield f"{source.generator} source imported into {target}:"
    for folder, count in sorted(report.documents.items()):
        yield f"  {count:6} texts in {folder}/"
    yield f"  {report.assets:6} images and downloads"
    yield f"  {report.redirects:6} redirects from old addresses in _redirects"
    yield "  site/settings.md with the name and the language of the site"
    if report.withheld:
        yield f"Unpublished, as in the source ({len(report.withheld)}):"
        yield from (f"  {path} ({reason})" for path, reason in report.withheld)
    if report.unpublished:
        count = len(report.unpublished)
        examples = _examples(report.unpublished)
        yield f"Not imported, as the source leaves them out: {count} texts, {examples}"
    if report.omissions:
        yield f"Left out, though the source publishes them ({len(report.omissions)}):"
        yield from (
            f"  {path}: {words} words ({reason})" for path, words, reason in report.omissions
        )
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
    if report.doubled:
        count, shown = len(report.doubled), _examples(report.doubled)
        yield f"{count} files had a key twice, of which the last counts: {shown}"
    if report.bare:
        count, shown = len(report.bare), _examples(report.bare)
        yield f"{count} files have no text, of which templates may make pages: {shown}"
    if report.unread:
        paths = [f"{each.location} {each.message}" for each in report.unread]
        yield f"{len(paths)} files could not be read: {_examples(paths)}"
    if report.other_files:
        counts = [f"{count} {suffix}" for suffix, count in report.other_files.most_common()]
        yield f"Files of types that are not served were not copied: {', '.join(counts)}."


def _examples(paths: list[str]) -> str:
    shown = ", ".join(paths[:_MAX_EXAMPLES])
    return shown + (", …" if len(paths) > _MAX_EXAMPLES else ".")
