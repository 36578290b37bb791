"""The choice of a server: by SERVER or --server, with a clear error where it cannot be had."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from command_line import run_majlis
from gulf import write_site

from app.server.server_packages import require_server
from app.settings import SettingsError, load_settings


@pytest.mark.parametrize("name", ["uvicorn", "granian"])
def test_a_server_that_is_not_installed_is_named(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the command that installs it; Hypercorn is always there."""
    monkeypatch.setitem(sys.modules, name, None)
    result = run_majlis("serve", "--server", name, folder=write_site(tmp_path, {}))
    assert result.returncode == 1
    assert f"SERVER={name}, but {name} is not installed" in result.stderr
    assert f"pip install -r requirements-{name}.txt" in result.stderr
    require_server("hypercorn")


def test_http2_is_refused_where_the_server_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names both variables."""
    monkeypatch.chdir(write_site(tmp_path, {}))
    monkeypatch.setenv("SERVER", "uvicorn")
    monkeypatch.setenv("HTTP2", "on")
    with pytest.raises(SettingsError, match=r"HTTP2.*SERVER=uvicorn"):
        load_settings()
