"""`majlis schema`: schemas for editors, and the settings of an editor."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app.operations.cli import main
from knowledge.checks.front_matter_schema import front_matter_schema, schema_names


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run the commands in a workspace with a content folder."""
    (tmp_path / "content").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CONTENT_DIR", "content")
    return tmp_path


def schema(*words: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(main, ["schema", *words])


def test_the_schema_of_a_kind_is_printed() -> None:
    """As JSON, without anything else."""
    assert json.loads(schema("post").stdout) == front_matter_schema("post")


def test_without_a_kind_all_schemas_are_printed() -> None:
    """By name."""
    assert json.loads(schema().stdout) == {n: front_matter_schema(n) for n in schema_names()}


def test_schemas_are_written_to_a_folder(folder: Path) -> None:
    """One file each, and the command prints the files."""
    done = schema("--output", "made/schemas")
    files = sorted((folder / "made/schemas").iterdir())
    assert [file.name for file in files] == sorted(f"{n}.schema.json" for n in schema_names())
    assert len(done.stdout.splitlines()) == len(files)
    assert json.loads((folder / "made/schemas/post.schema.json").read_text()) == (
        front_matter_schema("post")
    )


def test_an_unknown_kind_is_refused_with_the_known_ones() -> None:
    """So that nobody has to look them up."""
    done = schema("article")
    assert done.exit_code == 2
    assert "testimonial" in done.stderr


def test_an_editor_is_set_up(folder: Path) -> None:
    """The settings name existing schemas, for the files of the content folder."""
    assert schema("--vscode").exit_code == 0
    settings = json.loads((folder / ".vscode/settings.json").read_text())
    for path, globs in settings["yaml.schemas"].items():
        assert (folder / path).is_file()
        assert all(glob.startswith("content/") for glob in globs)
    assert "content/posts/**/*.md" in settings["yaml.schemas"]["./.vscode/majlis/post.schema.json"]
    plugins = json.loads((folder / ".remarkrc.json").read_text())["plugins"]
    assert "./content/posts/**/*.md" in str(plugins)


def test_other_settings_of_the_editor_stay(folder: Path) -> None:
    """A second run changes nothing."""
    (folder / ".vscode").mkdir()
    path = folder / ".vscode/settings.json"
    path.write_text('{"editor.tabSize": 2, "yaml.schemas": {"./x.json": "x.yml"}}')
    schema("--vscode")
    settings = json.loads(path.read_text())
    assert settings["editor.tabSize"] == 2
    assert settings["yaml.schemas"]["./x.json"] == "x.yml"
    before = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    schema("--vscode")
    assert {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()} == before


def test_settings_that_are_no_json_are_left_alone(folder: Path) -> None:
    """Comments would be lost."""
    (folder / ".vscode").mkdir()
    path = folder / ".vscode/settings.json"
    path.write_text("{\n  // mine\n}\n")
    done = schema("--vscode")
    assert done.exit_code == 1
    assert "settings.json is not JSON without comments" in done.stderr
    assert path.read_text() == "{\n  // mine\n}\n"
    assert not (folder / ".vscode/majlis").exists()
