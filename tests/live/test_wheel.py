"""The wheel in an environment of its own, as a stranger installs it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tarfile
from pathlib import Path
from shutil import copy2
from typing import NamedTuple
from zipfile import ZipFile

import httpx
import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from live.documents import ROOT
from live.server import DEADLINE, START, Server, environment, eventually
from packaging.utils import canonicalize_name

from app.platform import VERSION

pytestmark = pytest.mark.slow

FORMS = {
    "text/html": "<!doctype html>",
    "text/markdown": "# ",
    "application/json": '{"',
}
UNCOMMITTED_TOO = ("--cached", "--others", "--exclude-standard")
NO_LICENCE = {"crawler-user-agents", "resvg_py"}
"""Packages whose metadata states none; their repositories do."""

INSTALLED = """
from importlib.metadata import distributions
print(*(f"{each.name}@{each.version}" for each in distributions()))
"""


def run(*command: str | Path, folder: Path, **variables: str) -> str:
    """Run a program with no other settings of the service, and return what it prints."""
    done = subprocess.run(
        [*map(str, command)],
        cwd=folder,
        env=environment(**variables),
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(source: Path) -> tuple[Path, Path]:
    """Build both distributions from a folder, and return wheel and source distribution."""
    run(sys.executable, "-P", "-m", "hatchling", "build", "--directory", "dist", folder=source)
    (wheel,), (archive,) = (source / "dist").glob("*.whl"), (source / "dist").glob("*.tar.gz")
    return wheel, archive


class Built(NamedTuple):
    """Both distributions, and the command of an environment that has the wheel."""

    wheel: Path
    archive: Path
    majlis: Path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Build from a copy, since the build writes catalogs, and install the wheel."""
    work = tmp_path_factory.mktemp("wheel")
    source, python = work / "source", work / "venv" / "bin" / "python"
    names = run("git", "ls-files", "-z", *UNCOMMITTED_TOO, folder=ROOT)
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            copy2(ROOT / name, source / name)
    wheel, archive = build(source)
    run(sys.executable, "-m", "uv", "venv", "--python", sys.executable, "venv", folder=work)
    pins = ("--require-hashes", "-r", ROOT / "requirements" / "production.txt")
    try:
        install: tuple[str | Path, ...] = ("uv", "pip", "install", "--python", python)
        run(sys.executable, "-m", *install, *pins, folder=work)
    except AssertionError:  # packages come from where only pip is told of, as in the Makefile
        install = ("pip", "--python", python, "install")
        run(sys.executable, "-m", *install, *pins, folder=work)
    run(sys.executable, "-m", *install, "--no-deps", wheel, folder=work)
    return Built(wheel, archive, python.with_name("majlis"))


@pytest.fixture
def installed(built: Built, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the installed command, which servers of the test run too."""
    monkeypatch.setattr("live.server.MAJLIS", built.majlis)
    return built.majlis


def test_the_source_distribution_builds_the_same_wheel(built: Built, tmp_path: Path) -> None:
    """Byte by byte: nothing is missing in it, and nothing depends on time or place."""
    with tarfile.open(built.archive) as archive:
        archive.extractall(tmp_path, filter="data")
    wheel, _ = build(tmp_path / f"majlis-{VERSION}")
    assert wheel.name == built.wheel.name
    assert wheel.read_bytes() == built.wheel.read_bytes()
    with ZipFile(wheel) as files:
        catalog = files.read("renderers/translations/ar/LC_MESSAGES/messages.mo")
    assert b"POT-Creation-Date: 2020-02-02 " in catalog  # both may be built in the same minute


def test_the_wheel_has_the_licences_of_what_is_in_it(built: Built) -> None:
    """Of its fonts and of its list of words, too."""
    with ZipFile(built.wheel) as files:
        texts = [each for each in files.namelist() if ".dist-info/licenses/" in each]
        metadata = files.read(f"majlis-{VERSION}.dist-info/METADATA").decode()
        ours = {each.partition("/licenses/")[2] for each in texts}
        shipped = {each for each in files.namelist() if each.endswith("LICENSE.txt")}
    assert ours == {"LICENSE", *(each for each in shipped if ".dist-info/" not in each)}
    assert "License-Expression: MIT AND OFL-1.1 AND LicenseRef-SCOWL\n" in metadata


def test_a_new_site_and_the_sample_are_served(installed: Path, tmp_path: Path) -> None:
    """The sample has all its pictures, and no errors."""
    assert run(installed, "--version", folder=tmp_path).strip() == f"majlis, version {VERSION}"
    run(installed, "init", "my-site", folder=tmp_path)
    run(installed, "init", "--sample", "sample", folder=tmp_path)
    checked = run(installed, "check", "sample", folder=tmp_path)
    assert ": 0 errors, " in checked
    contract = run(installed, "openapi", folder=tmp_path, CONTENT_DIR="sample")
    assert "WH-10232" in contract  # a sample order is its example
    for site, page in (("my-site", "/en"), ("sample", "/sa/ar/pricing")):
        with Server(tmp_path / site, tmp_path) as server, server.client() as client:
            for form, start in FORMS.items():
                answer = client.get(page, headers={"Accept": form})
                assert answer.headers["Content-Type"].startswith(form)
                assert start in answer.text[:2_000].lower()
    drawing = "images/screens/home.sa.ar.svg"
    assert (tmp_path / "sample" / drawing).read_bytes() == (
        ROOT / "knowledge" / "content" / drawing
    ).read_bytes()


def test_the_demo_serves_the_sample(built: Built, tmp_path: Path) -> None:
    """From the archive of the wheel."""
    log = tmp_path / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [built.majlis, "demo"],
            cwd=tmp_path,
            env=environment(TMPDIR=str(tmp_path)),
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        eventually(lambda: "Ctrl-C ends" in log.read_text(), START)
        found = re.search(r"\nOpen (\S+) in a browser", log.read_text())
        assert found
        assert httpx.get(found[1]).status_code == 200
    finally:
        process.terminate()
        process.wait(DEADLINE)


def test_an_index_accepts_both_distributions(built: Built) -> None:
    """What they say of themselves, and their README."""
    command = ("twine", "check", "--strict", built.wheel, built.archive)
    assert run(sys.executable, "-m", *command, folder=ROOT).count("PASSED") == 2


def test_the_bill_of_materials_names_what_is_installed_and_its_licences(
    built: Built, tmp_path: Path
) -> None:
    """By the schema of CycloneDX 1.6; `make sbom` runs the same command."""
    printed = run("make", "-n", "--no-print-directory", "sbom", folder=ROOT).replace("\\\n", " ")
    command = printed.splitlines()[-1].split()
    assert command[1:6] == ["-W", "ignore", "-m", "cyclonedx_py", "environment"]
    file, python = tmp_path / "majlis.cdx.json", built.majlis.with_name("python")
    run(sys.executable, *command[1:6], python, *command[7:-1], file, folder=ROOT)
    text = file.read_text(encoding="utf-8")
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    lines = run(python, "-c", INSTALLED, folder=tmp_path).split()
    pairs = (line.split("@") for line in lines)
    found = {f"{canonicalize_name(name)}@{version}" for name, version in pairs}
    assert len(found) > 60
    components = json.loads(text)["components"]
    named = {f"{canonicalize_name(each['name'])}@{each['version']}" for each in components}
    assert named | {f"majlis@{VERSION}"} == found  # it is what the bill is of
    assert {each["name"] for each in components if "licenses" not in each} == NO_LICENCE
