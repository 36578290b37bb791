"""The commands of `majlis`: each kind once in a process of its own, its variants in this one."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import pytest
from command_line import run_majlis
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
    """With one line, without a traceback, and with a non-zero exit code."""
    ended = run_majlis("serve", folder=tmp_path, variables={name: value})
    assert ended.returncode != 0
    assert name in ended.stderr
    assert value in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_a_port_that_is_taken_ends_serve_with_its_number(server: Server, tmp_path: Path) -> None:
    """The most common reason why a service does not start."""
    ended = majlis("serve", "--port", str(server.port), folder=tmp_path)
    assert ended.returncode != 0
    assert str(server.port) in ended.stderr
    assert "Traceback" not in ended.stderr


def test_check_succeeds_for_valid_content(tmp_path: Path) -> None:
    """The exit code is 0."""
    done = majlis("check", str(write_tree(tmp_path / "content", CLEAN)), folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "0 errors" in done.stdout


@pytest.mark.parametrize(
    ("path", "text", "location"),
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
def test_check_names_file_and_line_of_a_problem(
    tmp_path: Path, path: str, text: str, location: str
) -> None:
    """The exit code is 1."""
    folder = write_tree(tmp_path / "content", {**CLEAN, path: text})
    done = run_majlis("check", str(folder), folder=tmp_path)
    assert done.returncode == 1
    assert location in done.stdout
    assert str(tmp_path) not in done.stdout


def test_check_uses_content_dir_by_default(tmp_path: Path) -> None:
    """The same folder as `serve`."""
    folder = write_tree(tmp_path / "content", {"pages/x.md": "---\ntitle: [\n---\n"})
    done = run_majlis("check", folder=tmp_path, variables={"CONTENT_DIR": str(folder)})
    assert done.returncode == 1
    assert "pages/x.md:" in done.stdout


def test_check_names_a_missing_folder(tmp_path: Path) -> None:
    """Without a traceback."""
    done = run_majlis("check", "absent", folder=tmp_path)
    assert done.returncode != 0
    assert "absent" in done.stderr
    assert "Traceback" not in done.stderr


def test_check_finds_no_problem_in_the_sample_content(tmp_path: Path) -> None:
    """No error and no warning: it ships with the service as an example."""
    done = run_majlis("check", folder=tmp_path)
    assert done.returncode == 0, done.stdout
    assert "0 errors, 0 warnings" in done.stdout


@pytest.mark.parametrize("command", [(), ("serve",), ("check",)], ids=["majlis", "serve", "check"])
def test_help_describes_a_command(tmp_path: Path, command: tuple[str, ...]) -> None:
    """On standard output, with exit code 0."""
    done = run_majlis(*command, "--help", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: majlis")
    for name in () if command else ("serve", "check"):
        assert name in done.stdout


def test_the_version_is_printed(tmp_path: Path) -> None:
    """By `majlis --version`."""
    done = majlis("--version", folder=tmp_path)
    assert done.returncode == 0
    assert done.stdout.split() == ["majlis,", "version", version("majlis")]


def test_an_unknown_command_is_refused(tmp_path: Path) -> None:
    """With a usage message that names it."""
    done = run_majlis("srve", folder=tmp_path)
    assert done.returncode == 2
    assert "srve" in done.stderr


def test_openapi_prints_the_contract(tmp_path: Path) -> None:
    """As JSON, with the configured address."""
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


def test_openapi_without_content_names_the_setting(tmp_path: Path) -> None:
    """Without a traceback."""
    variables = {"CONTENT_DIR": str(tmp_path / "nowhere")}
    ended = run_majlis("openapi", folder=tmp_path, variables=variables)
    assert ended.returncode == 1
    assert "CONTENT_DIR" in ended.stderr
    assert "Traceback" not in ended.stderr
