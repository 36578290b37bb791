"""The command line, as an operator types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from contract.visitor import write_tree
from live.server import Server, majlis

ENGLISH = "---\ntitle: A page\nshortDescription: Short.\n---\nText.\n"
ARABIC = "---\ntitle: صفحة\nshortDescription: قصير.\n---\nنص.\n"
CLEAN = {"pages/page.md": ENGLISH, "pages/page.ar.md": ARABIC}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("PORT", "http", id="port in words"),
        pytest.param("PORT", "70000", id="port too high"),
        pytest.param("BASE_URL", "example.com", id="base URL without scheme"),
        pytest.param("TRUSTED_PROXIES", "everybody", id="proxies by name"),
        pytest.param("LOG_LEVEL", "LOUD", id="log level"),
    ],
)
def test_a_wrong_variable_ends_serve_with_its_name(tmp_path: Path, name: str, value: str) -> None:
    """One clear line, no traceback, and not the exit code of success."""
    ended = majlis("serve", folder=tmp_path, variables={name: value})
    assert ended.returncode != 0
    assert name in ended.stderr
    assert value in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_port_that_is_taken_ends_serve_with_its_number(server: Server, tmp_path: Path) -> None:
    """The most common reason why a service does not start."""
    ended = majlis("serve", "--port", str(server.port), folder=tmp_path)
    assert ended.returncode != 0
    assert str(server.port) in ended.stderr
    assert "Traceback" not in ended.stderr


def test_check_is_content_with_a_clean_tree(tmp_path: Path) -> None:
    """Exit code 0."""
    done = majlis("check", str(write_tree(tmp_path / "content", CLEAN)), folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "0 errors" in done.stdout


@pytest.mark.parametrize(
    ("path", "text", "place"),
    [
        pytest.param(
            "pages/x.md", "---\nsortOrder: 1\ntitle: A: B\n---\n", "pages/x.md:3", id="YAML"
        ),
        pytest.param(
            "pages/x.md",
            "---\ntitle: X\nsortOrder: soon\n---\n",
            "pages/x.md:3",
            id="a wrong value",
        ),
        pytest.param("pages/x.md", "---\ntitle: X\n", "pages/x.md:1", id="a fence left open"),
        pytest.param(
            "pages/page.md", f"{ENGLISH}\n[Go](/no-such)\n", "pages/page.md:7", id="a broken link"
        ),
    ],
)
def test_check_names_file_and_line_of_what_is_wrong(
    tmp_path: Path, path: str, text: str, place: str
) -> None:
    """Exit code 1."""
    folder = write_tree(tmp_path / "content", {**CLEAN, path: text})
    done = majlis("check", str(folder), folder=tmp_path)
    assert done.returncode == 1
    assert place in done.stdout
    assert str(tmp_path) not in done.stdout


def test_check_looks_at_content_dir_where_no_folder_is_named(tmp_path: Path) -> None:
    """The folder that `serve` would serve."""
    folder = write_tree(tmp_path / "content", {"pages/x.md": "---\ntitle: [\n---\n"})
    done = majlis("check", folder=tmp_path, variables={"CONTENT_DIR": str(folder)})
    assert done.returncode == 1
    assert "pages/x.md:" in done.stdout


def test_check_says_when_there_is_no_such_folder(tmp_path: Path) -> None:
    """With its name, and no traceback."""
    done = majlis("check", "absent", folder=tmp_path)
    assert done.returncode != 0
    assert "absent" in done.stderr
    assert "Traceback" not in done.stderr


def test_check_finds_no_fault_in_the_sample(tmp_path: Path) -> None:
    """The content that ships with the service is an example to follow."""
    done = majlis("check", folder=tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("command", [(), ("serve",), ("check",)], ids=["majlis", "serve", "check"])
def test_help_tells_what_a_command_does(tmp_path: Path, command: tuple[str, ...]) -> None:
    """On standard output, with exit code 0."""
    done = majlis(*command, "--help", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: majlis")
    for name in () if command else ("serve", "check"):
        assert name in done.stdout


def test_the_version_is_told(tmp_path: Path) -> None:
    """As the distribution has it."""
    done = majlis("--version", folder=tmp_path)
    assert done.returncode == 0
    assert "majlis" in done.stdout


def test_an_unknown_command_is_refused(tmp_path: Path) -> None:
    """With the usage."""
    done = majlis("srve", folder=tmp_path)
    assert done.returncode == 2
    assert "srve" in done.stderr


def test_openapi_prints_the_contract(tmp_path: Path) -> None:
    """For this deployment's address, as a file that tools can read."""
    variables = {
        "CONTENT_DIR": str(write_tree(tmp_path / "content", CLEAN)),
        "BASE_URL": "https://www.example.com",
    }
    done = majlis("openapi", folder=tmp_path, variables=variables)
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert document["info"]["version"] == "1.0.0"
    assert document["servers"] == [{"url": "https://www.example.com"}]
    example = document["components"]["examples"]["listPages"]["value"]
    assert example["items"][0]["slug"] == "page"


def test_openapi_without_content_says_what_is_missing(tmp_path: Path) -> None:
    """One line, no traceback."""
    variables = {"CONTENT_DIR": str(tmp_path / "nowhere")}
    ended = majlis("openapi", folder=tmp_path, variables=variables)
    assert ended.returncode == 1
    assert "CONTENT_DIR" in ended.stderr
    assert "Traceback" not in ended.stderr
