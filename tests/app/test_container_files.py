"""The Dockerfile, compose.yaml, and the files of `deploy/`: valid, and as their guides say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import kubernetes_validate
import pytest
import yaml
from cases import cases
from check_jsonschema import main as check_jsonschema
from click.testing import CliRunner
from live.documents import ROOT
from live.tools import program

from app.platform.limits.rate_limits import UPLOAD_BYTES
from app.server.lifecycle import DRAIN_SECONDS, GRACEFUL_SECONDS
from app.settings import Settings

pytestmark = pytest.mark.slow

HADOLINT = str(Path(sys.executable).with_name("hadolint"))
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
DEPLOY = ROOT / "deploy"
MACHINES: dict[str, dict[str, Any]] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())[
    "services"
]
TEMPORARY = "/tmp/"  # noqa: S108  # a file system of the container
KEYS = ("leads.key", "newsletter.key", "preview.key")


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
    services = [*SERVICES.values(), *MACHINES.values()]
    pulled = [service["image"] for service in services if "image" in service]
    assert len(set(pulled)) == len(pulled) / 2  # both files have the same stores
    pulled += re.findall(r"^FROM (\S+:\S+)", DOCKERFILE, re.MULTILINE)
    pulled += re.findall(r"COPY --from=(\S+[:/]\S+)", DOCKERFILE)
    assert len(pulled) > 3
    assert [each for each in pulled if not re.search(r":[\w.-]+@sha256:[0-9a-f]{64}$", each)] == []


def test_packages_are_checked_by_their_hashes() -> None:
    """And the service itself is built without any other package."""
    installs = re.findall(r"-m pip install (.*)", stage("build") + stage("project"))
    assert installs[0].startswith("--require-hashes -r ")
    assert all("--require-hashes" in line or "--no-deps" in line for line in installs)
    assert "--no-deps --prefix /project ./*.whl" in installs[-1]


def test_the_image_runs_as_nobody_else_and_has_no_tools() -> None:
    """The stages that run have a number for their user; the last one has not even a shell."""
    assert re.findall(r"^FROM (\S+) AS (\S+)$", DOCKERFILE, re.MULTILINE)[-1] == (
        "scratch",
        "service",
    )
    assert "RUN" not in stage("service")
    assert re.search(r"find /usr/bin /usr/sbin -mindepth 1 -delete$", stage("bare"), re.MULTILINE)
    for name in ("runtime", "postgresql", "git", "nginx", "service"):
        assert re.findall(r"^USER (.+)$", stage(name), re.MULTILINE)[-1] == "10001:10001"
    assert "pip uninstall --yes --root-user-action ignore pip" in stage("system")
    assert re.search(r"pip uninstall --yes .*hatchling pip ", stage("packages"))
    assert stage("packages").endswith("&& find /opt/majlis/bin -type f -delete\n\n")
    assert not re.search(r"gcc|build-essential|curl|wget", DOCKERFILE)


def test_an_update_of_the_project_is_a_layer_of_its_own() -> None:
    """System, packages and project are copied one after the other."""
    for name in ("runtime", "service"):
        copied = re.findall(r"^COPY --from=(.+)$", stage(name), re.MULTILINE)
        assert copied[-2:] == ["packages /opt/majlis /opt/majlis", "project /project /opt/majlis"]
    assert "COPY" not in stage("system") + stage("bare")


def test_the_bare_image_runs_the_service_as_the_others_do() -> None:
    """It begins anew, so that it repeats what they have."""
    told = re.compile(r"^(?:HEALTHCHECK|CMD|WORKDIR|VOLUME|USER|EXPOSE) .+$", re.MULTILINE)
    assert told.findall(stage("service")) == told.findall(stage("runtime"))
    variables = re.compile(r"\b([A-Z_]+)=(\S+)")
    first, second = (dict(variables.findall(stage(name))) for name in ("runtime", "service"))
    assert first.keys() == second.keys()
    assert {name for name in first if first[name] != second[name]} == {"PATH"}


def test_the_health_check_asks_whether_the_service_is_ready(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With Python: the image has no other client. It fails if nobody listens."""
    check, _ = re.findall(r'HEALTHCHECK .* CMD \["python", "-c", "(.+)"\]', DOCKERFILE)
    code = check.replace('\\"', '"')
    assert "/ready" in code
    monkeypatch.setenv("METRICS_PORT", "1")
    with pytest.raises(OSError, match="refused"):
        exec(compile(code, "HEALTHCHECK", "exec"))  # noqa: S102  # a line of the Dockerfile


def test_the_build_gets_only_what_it_copies() -> None:
    """No .env, database or key of a working folder can come into an image."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*"
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", stage("build") + stage("wheel"), re.MULTILINE)
    assert {rule[1:] for rule in rules if rule.startswith("!")} == set(" ".join(copied).split())


@cases("folder", [ROOT, DEPLOY])
def test_compose_is_valid(folder: Path) -> None:
    """By the specification, as check-jsonschema has it."""
    file = str(folder / "compose.yaml")
    done = CliRunner().invoke(check_jsonschema, ["--builtin-schema", "vendor.compose-spec", file])
    assert done.exit_code == 0, done.output


@cases("service", [*SERVICES.values(), *MACHINES.values()])
def test_each_service_has_only_the_rights_it_needs(service: dict[str, Any]) -> None:
    """A root file system that is read-only, no capability, no way to more rights, no root."""
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "build" in service or service["user"] not in ("root", "0")
    assert "healthcheck" in service or "build" in service
    assert "privileged" not in service


def test_the_temporary_folders_have_room_for_the_uploads_of_their_workers() -> None:
    """And not for more than that a few times over, as it is memory."""
    workers = int(re.search(r"WORKERS:-(\d+)", str(SERVICES["majlis"]["command"]))[1])  # type: ignore[index]
    deployment = next(yaml.safe_load_all((DEPLOY / "kubernetes/deployment.yaml").read_text()))
    volumes = {each["name"]: each for each in deployment["spec"]["template"]["spec"]["volumes"]}
    sizes = [
        re.sub(r"\$\{TMP_SIZE:-(\w+)\}", r"\1", SERVICES["majlis"]["tmpfs"][0]),
        MACHINES["majlis1"]["tmpfs"][0],
        volumes["tmp"]["emptyDir"]["sizeLimit"],
    ]
    needed = workers * UPLOAD_BYTES // 2**20
    for size in sizes:
        (megabytes,) = re.findall(r"(?:^|=)(\d+)Mi?$", size, re.IGNORECASE)
        assert needed < int(megabytes) <= 4 * needed, size


def test_compose_sets_variables_that_the_service_reads() -> None:
    """And mounts the content where it is read."""
    service = SERVICES["majlis"]
    assert service["command"][:3] == ["majlis", "serve", "--workers"]
    assert {name.lower() for name in service["environment"]} <= Settings.model_fields.keys()
    folder = service["environment"]["CONTENT_DIR"]
    assert any(volume.endswith(f":{folder}:ro") for volume in service["volumes"])


def test_packages_of_each_variant_are_in_the_build() -> None:
    """The guide names the files of requirements that `--build-arg` may choose."""
    guide = (ROOT / "docs" / "deploying.md").read_text(encoding="utf-8")
    named = set(re.findall(r"requirements/\w+\.txt", guide))
    assert named
    assert named <= {*re.findall(r"requirements/\w+\.txt", stage("build"))}


def test_two_machines_differ_in_their_files_only() -> None:
    """They have the same settings, which the service reads; nginx knows the address of each."""
    first, second = MACHINES["majlis1"], MACHINES["majlis2"]
    assert first["environment"] == second["environment"] == MACHINES["upgrade"]["environment"]
    assert {name.lower() for name in first["environment"]} <= Settings.model_fields.keys()
    assert first["volumes"] != second["volumes"]
    assert first["secrets"] == list(KEYS)
    command, proxy = MACHINES["nginx"]["command"][-1], MACHINES["nginx"]["networks"]["default"]
    for machine in (first, second):
        assert f"--upstream {machine['networks']['default']['ipv4_address']}:8000" in command
    assert first["environment"]["TRUSTED_PROXIES"] == proxy["ipv4_address"]
    for stage_name in (first["build"]["target"], MACHINES["nginx"]["build"]["target"]):
        assert stage(stage_name)


def test_nginx_of_two_machines_accepts_its_configuration(tmp_path: Path) -> None:
    """What the container runs, with `-t` at its end."""
    main = (DEPLOY / "nginx.conf").read_text(encoding="utf-8").replace(TEMPORARY, f"{tmp_path}/")
    (tmp_path / "main.conf").write_text(main, encoding="utf-8")
    command = MACHINES["nginx"]["command"][-1].replace(TEMPORARY, f"{tmp_path}/")
    command = command.replace("/etc/nginx/", f"{tmp_path}/") + " -t"
    programs = f"{Path(sys.executable).parent}:{os.environ['PATH']}:/usr/sbin"
    environment = {**os.environ, "PATH": programs}
    program("nginx", "/usr/sbin/nginx")
    done = subprocess.run(
        ["/bin/sh", "-c", command], capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert "test is successful" in done.stderr


@pytest.fixture
def manifests(tmp_path: Path) -> list[dict[str, Any]]:
    """What `kubectl apply --kustomize` sends, with secrets of an operator."""
    folder = tmp_path / "kubernetes"
    copytree(DEPLOY / "kubernetes", folder, ignore=ignore_patterns("secrets"))
    (folder / "secrets").mkdir()
    for name in KEYS:
        (folder / "secrets" / name).write_text("0" * 64)
    variables = "DATABASE_URL=postgresql://db.internal/majlis\nREDIS_URL=redis://redis.internal\n"
    (folder / "secrets" / "variables.env").write_text(variables)
    command = [str(Path(sys.executable).with_name("kubectl")), "kustomize", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return list(yaml.safe_load_all(done.stdout))


def test_the_manifests_of_kubernetes_are_valid(manifests: list[dict[str, Any]]) -> None:
    """By the schemas of its newest version, without fields that those do not know."""
    for each in manifests:
        kubernetes_validate.validate(each, kubernetes_validate.latest_version(), strict=True)


def test_the_pods_have_settings_that_the_service_reads(manifests: list[dict[str, Any]]) -> None:
    """Their keys are where the variables say; the probes ask the port of monitoring."""
    by_kind = {each["kind"]: each for each in manifests}
    settings = by_kind["ConfigMap"]["data"]
    assert {name.lower() for name in settings} <= Settings.model_fields.keys()
    pod = by_kind["Deployment"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    (mount,) = (each for each in container["volumeMounts"] if each["name"] == "keys")
    named = {settings[name] for name in settings if name.endswith("_KEY_FILE")}
    assert named == {f"{mount['mountPath']}/{name}" for name in KEYS}
    ports = {each["name"]: each["containerPort"] for each in container["ports"]}
    assert ports["monitoring"] == int(settings["METRICS_PORT"])
    assert container["readinessProbe"]["httpGet"] == {"path": "/ready", "port": "monitoring"}
    stop = DRAIN_SECONDS + GRACEFUL_SECONDS + int(settings["STOP_DELAY_SECONDS"])
    assert pod["terminationGracePeriodSeconds"] > stop


def test_probes_wait_as_long_as_a_start_may_take(manifests: list[dict[str, Any]]) -> None:
    """And that of a pod so long that the service first says by itself what took how long."""
    by_kind = {each["kind"]: each for each in manifests}
    (container,) = by_kind["Deployment"]["spec"]["template"]["spec"]["containers"]
    probe = container["startupProbe"]
    longer = probe["periodSeconds"] * probe["failureThreshold"] - 20
    assert longer == int(by_kind["ConfigMap"]["data"]["STARTUP_SECONDS"])
    periods = re.findall(r"--start-period=(\d+)s", DOCKERFILE)
    assert {float(each) for each in periods} == {Settings.model_fields["startup_seconds"].default}


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
