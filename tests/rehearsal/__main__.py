"""`make rehearse`: what a release does with the last commit, as far as this machine can.

A step that needs what is not to be had here says so by name, in the report too.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path

from benchmarks.records import measured_now, put
from live.documents import ROOT
from live.test_wheel import build
from rehearsal.image import images, unmount
from rehearsal.steps import NotToBeHad, done
from repositories import git

SOMEBODY_ELSE = 1001
"""The user of the checkout in the container jobs of CI."""

TESTS = {
    "a recipe, which needs git": ("tests/recipes/test_alias.py",),
    "workflow files: schemas, actionlint, zizmor": ("tests/app/test_github_files.py",),
    "Dockerfile, compose files, manifests": ("tests/app/test_container_files.py",),
    "package: metadata, README, pins": ("tests/app/test_package.py",),
    "wheel in an environment of its own, twine, licences": ("tests/live/test_wheel.py",),
}
"""The tests that a release depends on; `.ci/run` runs them in the checkout of somebody else."""

Step = tuple[str, Callable[[], str]]


def _checkout(folder: Path) -> str:
    """Clone the last commit for another user; git then refuses it, as in the jobs of CI."""
    if os.geteuid() != 0:
        raise NotToBeHad("root, which gives files to another user")
    git(ROOT, "clone", "--quiet", f"file://{ROOT}", str(folder))
    (folder / ".venv").symlink_to(ROOT / ".venv")
    for path in (folder, *folder.rglob("*")):
        os.chown(path, SOMEBODY_ELSE, SOMEBODY_ELSE, follow_symlinks=False)
    nowhere = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    refused = done("git", "status", folder=folder, code=128, **nowhere)
    assert "dubious ownership" in refused, refused
    return "git refuses it, as in CI"


def _tests(folder: Path, paths: Sequence[str]) -> str:
    """Run tests in the checkout as CI does; a failure there is one here."""
    command = (".ci/run", ".venv/bin/python", "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider")
    printed = done(*command, *paths, folder=folder, PYTHONPATH=str(folder))
    return printed.strip().splitlines()[-1]


def _distributions(work: Path, folder: Path) -> str:
    """Build both distributions in the checkout and in a second clone, and compare their bytes."""
    second = work / "second"
    git(ROOT, "clone", "--quiet", f"file://{ROOT}", str(second))
    pairs = list(zip(build(folder), build(second), strict=True))
    assert all(one.read_bytes() == other.read_bytes() for one, other in pairs), "they differ"
    return ", ".join(
        f"{one.name}: {one.stat().st_size:,} bytes, {sha256(one.read_bytes()).hexdigest()[:16]}…"
        for one, _ in pairs
    )


def _audit() -> str:
    """Ask for known vulnerabilities of the pinned packages."""
    pins = ("--require-hashes", "--requirement", str(ROOT / "requirements" / "production.txt"))
    try:
        printed = done("pip-audit", "--strict", "--no-deps", "--disable-pip", *pins, folder=ROOT)
    except AssertionError as error:
        offline = ("not found on PyPI", "Connection", "resolve")
        if any(each in str(error) for each in offline):
            reason = "vulnerabilities of packages: no package has them, and no service answers"
            raise NotToBeHad(reason) from None
        raise
    return printed.strip().splitlines()[-1]


def _steps(work: Path) -> Iterator[Step]:
    folder = work / "checkout"
    yield "checkout of another user", lambda: _checkout(folder)
    yield "wheel and source, built twice", lambda: _distributions(work, folder)
    for name, paths in TESTS.items():
        yield name, lambda paths=paths: _tests(folder, paths)  # type: ignore[misc]
    yield "known vulnerabilities, by pip-audit", _audit
    yield from images(work, folder)


def main() -> None:
    """Take all steps, write the report, and exit with 1 if one failed."""
    rows, failures = ["| Step | Result |", "|---|---|"], []
    with ExitStack() as running:
        work = Path(running.enter_context(tempfile.TemporaryDirectory(prefix="majlis-rehearsal-")))
        running.callback(unmount, work)
        for name, step in _steps(work):
            try:
                seen = step()
            except NotToBeHad as missing:
                seen = f"**not possible here**, missing: {missing}"
            except AssertionError as error:
                failures.append(f"{name}: {error}")
                seen = f"**failed**: {str(error).strip().splitlines()[-1]}"
            rows.append(f"| {name} | {seen} |")
            print(rows[-1], flush=True)  # noqa: T201  # a command
    put("rehearsal", [f"{measured_now()}\n", *rows])
    sys.exit("\n".join(failures) or 0)


if __name__ == "__main__":
    main()
