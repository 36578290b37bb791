"""Programs that some tests need beside Python: found, or the reason why a test cannot run."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

CHECKERS = Path(__file__).parents[1] / "checkers"

REQUIRED = "MAJLIS_REQUIRE_SERVICES"
"""Set where a missing program is a failure: in continuous integration."""


def program(*names: str) -> str:
    """The path of the first that is installed; without one the test is skipped, or fails."""
    found = next((path for name in names if (path := shutil.which(name))), None)
    return found or missing(f"{names[0]} is not installed")


def checker(path: str) -> Path:
    """A file of the npm packages of `tests/checkers`, by its path below `node_modules`."""
    found = CHECKERS / "node_modules" / path
    return found if found.is_file() else missing(f"{path} is not there: run make checkers")


def missing(reason: str) -> NoReturn:
    """Skip the test, or fail it where nothing may be missing."""
    if os.environ.get(REQUIRED):
        pytest.fail(reason)
    pytest.skip(reason)
