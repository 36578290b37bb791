"""External programs that some tests need; without them a test is skipped or fails."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import NoReturn

import pytest

CHECKERS = Path(__file__).parents[1] / "checkers"

REQUIRED = "MAJLIS_REQUIRE_SERVICES"
"""Set in continuous integration, where a missing program is a failure."""


def program(*names: str) -> str:
    """Return the path of the first installed program; otherwise skip the test or fail it."""
    own = Path(sys.executable).parent  # of packages that contain a program
    found = (path for name in names if (path := shutil.which(name) or shutil.which(own / name)))
    path = next(found, None)
    return path or missing(f"{names[0]} is not installed")


def checker(path: str) -> Path:
    """Return a file of the npm packages in `tests/checkers`, by its path in `node_modules`."""
    file = CHECKERS / "node_modules" / path
    return file if file.is_file() else missing(f"{path} is missing. Run `make checkers`.")


def missing(reason: str) -> NoReturn:
    """Skip the test, or fail it if all programs are required."""
    if os.environ.get(REQUIRED):
        pytest.fail(reason)
    pytest.skip(reason)
