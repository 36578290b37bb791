"""`majlis check`: prints every problem of the content, with its location and a remedy."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from app.cli.rendering import rendering_diagnostics
from app.cli.settings import command_settings
from app.clock import utc_now
from knowledge.checks import by_place, check_content
from knowledge.diagnostics import Diagnostic, Severity
from knowledge.loading import load_content

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.NOTICE: "dim"}


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path))
def check(folder: Path | None) -> None:
    """Check the content of FOLDER (default: CONTENT_DIR).

    Prints all errors, warnings and notices. Exits with 1 if there is an error or a warning.
    """
    root = folder or command_settings().content_dir
    try:
        loaded = load_content(root)
    except OSError as error:
        raise click.ClickException(f"Cannot read {root}: {error.strerror}.") from None
    console = Console(soft_wrap=True, highlight=False)
    now = utc_now()
    diagnostics = by_place(
        {*check_content(loaded, now), *rendering_diagnostics(loaded.snapshot, now)}
    )
    for diagnostic in diagnostics:
        console.print(_line(diagnostic))
    counts = Counter(diagnostic.severity for diagnostic in diagnostics)
    summary = ", ".join(f"{counts[severity]} {severity.label}s" for severity in reversed(Severity))
    console.print(f"{len(loaded.files)} files: {summary}")
    if counts[Severity.ERROR] or counts[Severity.WARNING]:
        sys.exit(1)


def _line(diagnostic: Diagnostic) -> Text:
    style = _STYLES[diagnostic.severity]
    return Text.assemble(
        (f"{diagnostic.severity.label:8}", style),
        (diagnostic.location, "bold"),
        f" {diagnostic.message} {diagnostic.suggestion}",
    )
