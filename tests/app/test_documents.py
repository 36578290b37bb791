"""The guides tell what is so: every setting, every command, every configuration."""

from __future__ import annotations

from configparser import ConfigParser
from pathlib import Path

import pytest
from click import Context, Group
from live.documents import ROOT, blocks

from app.cli import main
from app.serving.config import GRACEFUL_SECONDS
from app.settings import Settings


def commands(group: Group, path: str = "majlis") -> list[str]:
    """Every command of the command line, as it is typed."""
    found = []
    context = Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        inner = f"{path} {name}"
        found += commands(command, inner) if isinstance(command, Group) else [inner]
    return found


@pytest.mark.parametrize("name", [name.upper() for name in Settings.model_fields])
def test_the_readme_names_every_setting(name: str) -> None:
    """In the table of variables."""
    assert f"| `{name}` |" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", commands(main))
def test_a_guide_names_every_command(command: str) -> None:
    """The readme, or one of the guides."""
    guides = (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))
    assert command in "".join(guide.read_text(encoding="utf-8") for guide in guides)


def test_the_systemd_unit_leaves_time_to_finish() -> None:
    """And starts the command that there is."""
    (unit,) = blocks("docs/deploying.md", "ini")
    parsed = ConfigParser(interpolation=None)
    parsed.optionxform = str  # type: ignore[assignment,method-assign]  # as its documentation says
    parsed.read_string(unit)
    assert int(parsed["Service"]["TimeoutStopSec"]) > GRACEFUL_SECONDS
    assert parsed["Service"]["ExecStart"].endswith("/majlis serve")


def test_the_environment_file_is_one_that_the_service_reads(tmp_path: Path) -> None:
    """Variable by variable."""
    (text,) = blocks("docs/deploying.md", "sh")
    file = tmp_path / "majlis.env"
    file.write_text(text, encoding="utf-8")
    settings = Settings(_env_file=file)
    assert settings.model_fields_set >= {
        line.partition("=")[0].lower() for line in text.splitlines()
    }
