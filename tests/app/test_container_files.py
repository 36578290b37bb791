"""The Dockerfile, and the services of compose.yaml: linted, and as their guide says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from cases import cases
from check_jsonschema import main as check_jsonschema
from click.testing import CliRunner
from live.documents import ROOT

from app.settings import Settings

HADOLINT = str(Path(sys.executable).with_name("hadolint"))
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]


def stage(name: str) -> str:
    """Return the instructions of a stage, after its FROM."""
    found = re.search(
        rf"^FROM \S+ AS {name}$(.*?)(?=^FROM|\Z)", DOCKERFILE, re.MULTILINE | re.DOTALL
    )
    assert found
    return found[1]


def test_hadolint_finds_nothing_in_the_dockerfile() -> None:
    """Of any severity."""
    command = [HADOLINT, "--no-color", str(ROOT / "Dockerfile")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_base_images_are_of_one_version() -> None:
    """The packages of one stage run with the Python of another."""
    images = set(re.findall(r"^FROM (\S+:\S+) AS", DOCKERFILE, re.MULTILINE))
    assert len(images) == 1
    assert re.fullmatch(r"python:3\.\d+\.\d+-slim-\w+@sha256:[0-9a-f]{64}", images.pop())


def test_images_are_pinned_by_their_digests() -> None:
    """A tag can be moved to another image. Dependabot renews version and digest together."""
    pulled = [service["image"] for service in SERVICES.values() if "image" in service]
    pulled += re.findall(r"^FROM (\S+:\S+)", DOCKERFILE, re.MULTILINE)
    pulled += re.findall(r"COPY --from=(\S+[:/]\S+)", DOCKERFILE)
    assert len(pulled) > 3
    assert [each for each in pulled if not re.search(r":[\w.-]+@sha256:[0-9a-f]{64}$", each)] == []


def test_packages_are_checked_by_their_hashes() -> None:
    """And the service itself is built without any other package."""
    installs = re.findall(r"-m pip install (.*)", stage("build"))
    assert installs[0].startswith("--require-hashes -r ")
    assert all("--require-hashes" in line or "--no-deps" in line for line in installs)


def test_the_image_runs_as_nobody_else_and_has_no_tools() -> None:
    """The stages that run have a number for their user, and neither pip nor a compiler."""
    assert re.findall(r"^FROM (\S+) AS (\S+)$", DOCKERFILE, re.MULTILINE)[-1] == (
        "runtime",
        "service",
    )
    assert stage("service").strip() == ""
    for name in ("runtime", "postgresql"):
        assert re.findall(r"^USER (.+)$", stage(name), re.MULTILINE)[-1] == "10001:10001"
    assert "pip uninstall --yes --root-user-action ignore pip" in stage("runtime")
    assert re.search(r"pip uninstall --yes .*hatchling pip$", stage("build"), re.MULTILINE)
    assert not re.search(r"gcc|build-essential|curl|wget", DOCKERFILE)


def test_the_health_check_asks_the_service(monkeypatch: pytest.MonkeyPatch) -> None:
    """With Python: the image has no other client. It fails if nobody listens."""
    (check,) = re.findall(r'HEALTHCHECK .* CMD \["python", "-c", "(.+)"\]', DOCKERFILE)
    code = check.replace('\\"', '"')
    monkeypatch.setenv("PORT", "1")
    with pytest.raises(OSError, match="refused"):
        exec(compile(code, "HEALTHCHECK", "exec"))  # noqa: S102  # a line of the Dockerfile


def test_the_build_gets_only_what_it_copies() -> None:
    """No .env, database or key of a working folder can come into an image."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*"
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", stage("build"), re.MULTILINE)
    assert {rule[1:] for rule in rules if rule.startswith("!")} == set(" ".join(copied).split())


def test_compose_is_valid() -> None:
    """By the specification, as check-jsonschema has it."""
    file = str(ROOT / "compose.yaml")
    done = CliRunner().invoke(check_jsonschema, ["--builtin-schema", "vendor.compose-spec", file])
    assert done.exit_code == 0, done.output


@cases("name", SERVICES)
def test_each_service_has_only_the_rights_it_needs(name: str) -> None:
    """A root file system that is read-only, no capability, no way to more rights, no root."""
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "build" in service or service["user"] not in ("root", "0")
    assert "healthcheck" in service or "build" in service
    assert "privileged" not in service


def test_compose_sets_variables_that_the_service_reads() -> None:
    """And mounts the content where it is read."""
    service = SERVICES["majlis"]
    assert {name.lower() for name in service["environment"]} <= Settings.model_fields.keys()
    folder = service["environment"]["CONTENT_DIR"]
    assert any(volume.endswith(f":{folder}:ro") for volume in service["volumes"])


def test_postgresql_and_redis_start_only_with_their_profile() -> None:
    """Without them the service stores leads in SQLite, in its volume."""
    profiles = {name: service.get("profiles", []) for name, service in SERVICES.items()}
    assert profiles == {
        "majlis": [],
        "upgrade": ["postgresql"],
        "postgresql": ["postgresql"],
        "redis": ["redis"],
    }
    waits_for = SERVICES["majlis"]["depends_on"]
    assert all(wait["required"] is False for wait in waits_for.values())
