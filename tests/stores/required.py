"""Services that a machine may lack: skipped with the reason there, but never in CI."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any, NoReturn

import pytest


def missing(service: str, reason: object) -> NoReturn:
    """Skip the test, or fail it where MAJLIS_REQUIRE_SERVICES says that nothing may be missing."""
    told = f"{service} is not to be had here: {reason}"
    if os.environ.get("MAJLIS_REQUIRE_SERVICES") == "1":
        pytest.fail(told, pytrace=False)
    pytest.skip(told)


def required_module(service: str, module: str) -> Any:
    """A module of a wheel that is made for few platforms."""
    try:
        return import_module(module)
    except ImportError as error:
        missing(service, error)
