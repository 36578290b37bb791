"""`majlis check`: prints every problem of the content, with its location and a remedy."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import click

from app.console.settings import command_settings
from app.operations.cli.check_reports import REPORTS, CheckReport
from app.operations.cli.fixing import diff, find_mends, write_mends
from app.operations.cli.image_diagnostics import image_diagnostics
from app.operations.cli.rendering import rendering
from app.platform import garbage_collection
from app.platform.clock import utc_now
from app.platform.printable import printable
from knowledge.checks.content_checks import by_place, check_content
from knowledge.diagnostics.diagnostic import Severity
from knowledge.snapshot.loading import load_content


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--all", "show_all", is_flag=True, help="Print all places of each kind.")
@click.option(
    "--format",
    "report_format",
    type=click.Choice(tuple(REPORTS)),
    default="text",
    help="text for readers, json for programs, github for annotations of a workflow.",
)
@click.option("--fix", is_flag=True, help="Mend what is unambiguous, and write the files.")
@click.option("--dry-run", is_flag=True, help="With --fix: show what would change, as a diff.")
def check(
    folder: Path | None, show_all: bool, report_format: str, fix: bool, dry_run: bool
) -> None:
    """Check the content of FOLDER (default: CONTENT_DIR).

    Prints errors, warnings and notices by kind, with the first three places of each. Exits with 1
    if there is an error or a warning; with --fix --dry-run if a file would change.
    """
    if dry_run and not fix:
        raise click.UsageError("--dry-run needs --fix.")
    root = folder or command_settings().content_dir
    try:
        if fix:
            _fix(root, dry_run)
        report = _checked(root)
    except OSError as error:
        raise click.ClickException(f"Cannot read {root}: {error.strerror}.") from None
    REPORTS[report_format](report, show_all)
    counts = Counter(diagnostic.severity for diagnostic in report.diagnostics)
    if counts[Severity.ERROR] or counts[Severity.WARNING]:
        sys.exit(1)


def _fix(root: Path, dry_run: bool) -> None:
    """Mend the folder; a dry run ends the command."""
    mends = find_mends(root)
    if not dry_run:
        write_mends(root, mends)
        return
    for line in diff(mends):
        click.echo("\t".join(map(printable, line.split("\t"))))
    sys.exit(1 if mends else 0)


def _checked(root: Path) -> CheckReport:
    with garbage_collection.gc_frozen():
        loaded, now = load_content(root), utc_now()
    with rendering(loaded.snapshot, now) as rendered:
        checked = check_content(loaded, now)
        found = {*checked, *image_diagnostics(root, loaded.snapshot.images), *rendered}
    return CheckReport(root, len(loaded.files), by_place(found))
