"""Commands of `majlis` run in this process, where a process of their own is not the point."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from contextlib import chdir
from pathlib import Path

from click.testing import CliRunner

from app.operations.cli import main
from app.settings import Settings


def run_majlis(
    *arguments: str,
    folder: Path,
    variables: Mapping[str, str] | None = None,
    typed: str | None = None,
    color: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run a command like `live.server.majlis`, in a tenth of its time.

    An exception that would end the process with a traceback is raised. With `color`, escape
    sequences are in the output as on a terminal.
    """
    unset: dict[str, str | None] = {name.upper(): None for name in Settings.model_fields}
    with chdir(folder):
        result = CliRunner().invoke(
            main,
            arguments,
            typed,
            env=unset | dict(variables or {}),
            color=color,
            prog_name="majlis",
        )
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return subprocess.CompletedProcess(arguments, result.exit_code, result.stdout, result.stderr)
