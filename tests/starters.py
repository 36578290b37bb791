"""The sites that `majlis init` makes."""

from __future__ import annotations

from itertools import product
from pathlib import Path

from click.testing import CliRunner

from app.operations.cli import main
from app.operations.starters import KINDS

STARTERS = tuple(product(KINDS, ("en", "ar", "both"), ("", "sa,ae")))


def starter(folder: Path, kind: str, language: str, countries: str) -> Path:
    """Write the site that `majlis init` makes."""
    words = ["init", str(folder), "--kind", kind, "--lang", language, "--countries", countries]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return folder
