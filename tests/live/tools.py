"""Programs that some tests need beside Python: found, or the reason why a test cannot run."""

from __future__ import annotations

import os
import shutil

import pytest

REQUIRED = "MAJLIS_REQUIRE_SERVICES"
"""Set where a missing program is a failure: in continuous integration."""


def program(*names: str) -> str:
    """The path of the first that is installed; without one the test is skipped, or fails."""
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found:
        return found
    reason = f"{names[0]} is not installed"
    if os.environ.get(REQUIRED):
        pytest.fail(reason)
    pytest.skip(reason)
