"""The package: the wheel, and the files of pinned versions."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, cast
from zipfile import ZipFile

import pytest
from cases import cases
from live.documents import ROOT
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from app.platform import Extra
from app.settings import SettingsError, load_settings

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]
PACKAGES: list[str] = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
NEEDED_BY = {
    Extra.MEANING: ("MEANING", "on"),
    Extra.OTEL: ("OTEL_TRACES_EXPORTER", "otlp"),
    Extra.POSTGRES: ("DATABASE_URL", "postgresql://majlis:secret@a.test/majlis"),
    Extra.REDIS: ("REDIS_URL", "redis://a.test"),
    Extra.S3: ("INDEX_SOURCE", "s3://bucket/indexes"),
}
WITHOUT = """
import sys
sys.modules.update(dict.fromkeys({modules}))
import app.factory
from app.operations.cli import main
main(["doctor", "--offline"])
"""

PINS = ("requirements/runtime.txt", "requirements/development.txt", "requirements/slow.txt")
SERVERS = ("requirements/production.txt", "requirements/otel.txt", "requirements/s3.txt")
INSTALLER = "requirements/uv.txt"
RELEASE = "requirements/release.txt"


def pinned(file: str) -> dict[str, Requirement]:
    """Return the requirements of a file of pinned versions, by name."""
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    found = [Requirement(line.rstrip(" \\")) for line in lines if re.match(r"[a-z]", line)]
    return {each.name: each for each in found}


def versions(file: str) -> dict[str, str]:
    """Return the pinned versions of a file, by name."""
    return {name: str(each.specifier) for name, each in pinned(file).items()}


def metadata(folder: Path, repository: str) -> dict[str, Any]:
    """Return what a build says of the package, with this URL of the repository."""
    for name in ("README.md", "LICENSE", "hatch_build.py"):
        shutil.copy(ROOT / name, folder)
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    setting = re.compile(r'^repository = ".*"$', re.MULTILINE)
    changed, count = setting.subn(f'repository = "{repository}"', project)
    assert count == 1
    (folder / "pyproject.toml").write_text(changed, encoding="utf-8")
    command = [sys.executable, "-P", "-m", "hatchling", "metadata"]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return cast("dict[str, Any]", json.loads(done.stdout))


@cases("repository", ["", "https://git.example/majlis/"])
def test_the_readme_of_the_package_has_no_relative_links(tmp_path: Path, repository: str) -> None:
    """A page of a package has no files beside it; without a repository they are words alone."""
    made = metadata(tmp_path, repository)
    text = made["readme"]["text"]
    targets = re.findall(r"\]\(([^)]*)\)", text)
    assert not [each for each in targets if not each.startswith("https://")]
    assert "[Start](docs/start.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
    if not repository:
        assert "Start leads from there" in text
        assert not made.get("urls")
        return
    root = f"https://git.example/majlis/blob/v{made['version']}"
    assert f"[Start]({root}/docs/start.md)" in text
    assert "/majlis/raw/v" in text  # a picture
    assert made["urls"].items() >= {"Changelog": f"{root}/CHANGELOG.md"}.items()
    for target in targets:
        if target.startswith(root):
            assert (ROOT / target.removeprefix(f"{root}/").partition("#")[0]).exists(), target


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the files of the wheel, built from a copy, as the build writes into its sources."""
    work = tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "README.md", "LICENSE", "hatch_build.py"):
        shutil.copy(ROOT / name, work)
    for name in PACKAGES:
        shutil.copytree(ROOT / name, work / name, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-P", "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run(command, cwd=work, check=True, capture_output=True)
    (built,) = (work / "dist").glob("*.whl")
    with ZipFile(built) as archive:
        return archive.namelist()


@cases("package", PACKAGES)
def test_each_package_of_the_wheel_tells_type_checkers_that_it_is_typed(
    wheel: list[str], package: str
) -> None:
    """PEP 561: without `py.typed` type checkers treat everything as Any."""
    assert f"{package}/py.typed" in wheel


def test_the_wheel_holds_the_packages_and_nothing_beside(wheel: list[str]) -> None:
    """It contains templates, and the compiled translations, which are not in git."""
    roots = {Path(name).parts[0] for name in wheel}
    assert {root for root in roots if not root.endswith(".dist-info")} == set(PACKAGES)
    assert "renderers/translations/ar/LC_MESSAGES/messages.mo" in wheel
    assert "llms/templates/developers.md" in wheel
    sample = [name for name in wheel if name.startswith("knowledge/content")]
    assert sample == ["knowledge/content.tar.xz"]


@cases("file", [*PINS, *SERVERS, INSTALLER, RELEASE])
def test_pins_name_no_host_and_have_hashes(file: str) -> None:
    """Hashes make the installation independent of the package index."""
    text = (ROOT / file).read_text(encoding="utf-8")
    assert not re.search(r"://|--index-url|--extra-index-url|--find-links|--trusted-host", text)
    assert all(entry.count("--hash=sha256:") for entry in re.split(r"\n(?=[a-z])", text)[1:])


def test_what_runs_the_service_is_the_same_in_development() -> None:
    """The tests then run with the versions that are deployed."""
    runtime, development, slow = map(versions, PINS)
    production, tracing, bucket = map(versions, SERVERS)
    assert runtime.items() <= production.items() <= tracing.items() <= development.items()
    assert production.items() <= bucket.items() <= development.items() <= slow.items()
    assert versions(RELEASE).items() <= slow.items()
    assert "pytest" not in tracing
    assert "playwright" not in development


def test_the_installer_is_pinned_once() -> None:
    """It installs the file that has it too."""
    (installer,) = pinned(INSTALLER).values()
    assert str(installer) == str(pinned(PINS[1])["uv"])


@cases(
    ("declared", "file"),
    [
        pytest.param(PROJECT["project"]["dependencies"], PINS[0], id="to run"),
        pytest.param(PROJECT["dependency-groups"]["build"], PINS[0], id="to build"),
        pytest.param(PROJECT["build-system"]["requires"], PINS[0], id="to build elsewhere"),
        pytest.param(PROJECT["dependency-groups"]["release"][1:], RELEASE, id="to release"),
        *(
            pytest.param(extra, PINS[2 if name in ("slow", "bench") else 1], id=name)
            for name, extra in EXTRAS.items()
        ),
    ],
)
def test_pins_fit_what_is_declared(declared: list[str], file: str) -> None:
    """`make lock` must run after each change of pyproject.toml."""
    pins = pinned(file)
    for each in map(Requirement, declared):
        name = re.sub(r"[-_.]+", "-", each.name).lower()
        (pin,) = pins[name].specifier
        assert each.specifier.contains(pin.version), name


def test_a_python_whose_regular_expressions_do_not_end_is_refused() -> None:
    """Possessive quantifiers, which runs of text in Arabic pages need, are right from 3.11.5 on."""
    supported = SpecifierSet(PROJECT["project"]["requires-python"])
    assert [version for version in ("3.11.4", "3.11.5") if version in supported] == ["3.11.5"]


@cases("extra", list(Extra))
def test_a_setting_whose_packages_are_missing_says_how_to_get_them(extra: Extra) -> None:
    """The file of pins has all that the extra declares."""
    name, _, module, pins = extra.value
    declared = EXTRAS[name]
    file = f"requirements/{pins}.txt"
    assert {Requirement(each).name for each in declared} <= pinned(file).keys()
    variable, value = NEEDED_BY[extra]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(variable, value)
        load_settings(_env_file=None)
        patch.setitem(sys.modules, module, None)
        with pytest.raises(SettingsError) as caught:
            load_settings(_env_file=None)
    message = str(caught.value)
    assert message.startswith(f"{variable}: ")
    assert f"majlis[{name}]" in message
    assert file in message
    assert "secret" not in message


def test_the_service_and_the_doctor_start_without_any_extra(tmp_path: Path) -> None:
    """With SQLite and one machine."""
    modules = [extra.value[2] for extra in Extra]
    env = {"DATABASE_URL": f"sqlite:///{tmp_path / 'majlis.db'}", "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-P", "-c", WITHOUT.format(modules=modules)]
    done = subprocess.run(
        command, env=env, cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert "0 faults" in done.stdout
