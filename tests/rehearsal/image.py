"""The images, built by buildah without a registry, and one of them run without root and network."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import yaml
from rehearsal.steps import NotToBeHad, done, tool

USER = "10001"
_CONTENT = "/srv"
_BASE = re.compile(r"^FROM (python:(3\.\d+)\S+-slim-(\w+)@\S+)", re.MULTILINE)
"""The base of the Dockerfile, its version of Python, and its version of Debian."""

_PYTHON = """
set -e
cp -a /usr/lib/python{version} /usr/local/lib/
cp -a /usr/bin/python{version} /usr/local/bin/
ln -s python{version} /usr/local/bin/python
rm /usr/local/lib/python{version}/EXTERNALLY-MANAGED
packages=/usr/local/lib/python{version}/dist-packages
python3 -m pip install --quiet --no-index --target $packages /usr/share/python-wheels/pip-*.whl
rm -rf /usr/lib/python{version} /usr/lib/python3 /var/lib/apt/lists/* /var/cache/apt/*
"""
"""Python where the base of the Dockerfile has it, with a pip that can be uninstalled."""

Step = tuple[str, Callable[[], str]]


class Builder:
    """buildah with a store of its own, which goes with the folder."""

    def __init__(self, work: Path, checkout: Path) -> None:
        self._work = work
        self._checkout = checkout
        self._store = ("--root", str(work / "store"), "--runroot", str(work / "runroot"))

    def buildah(self, *arguments: str) -> str:
        """Run buildah in the checkout."""
        return done("buildah", *self._store, *arguments, folder=self._checkout)

    def base(self) -> str:
        """Make an image in place of the base of the Dockerfile, from packages of Debian."""
        for name in ("buildah", "debootstrap"):
            tool(name)
        if os.geteuid() != 0:
            raise NotToBeHad("root, for `debootstrap` and for buildah with isolation by chroot")
        text = (self._checkout / "Dockerfile").read_text(encoding="utf-8")
        ((name, version, debian),) = set(_BASE.findall(text))
        root = self._work / "root"
        packages = f"--include=ca-certificates,python{version}-venv,python3-pip"
        done("debootstrap", "--variant=minbase", packages, debian, str(root), folder=self._work)
        script = _PYTHON.format(version=version)
        clean = ("env", "-i", "PATH=/usr/local/bin:/usr/bin:/bin", "sh", "-c", script)
        done("chroot", str(root), *clean, folder=self._work)
        base = self._work / "base"
        base.write_text("FROM scratch\nCOPY . /\n")
        self.buildah(
            "bud", "--isolation=chroot", "-t", "localhost/base", "-f", str(base), str(root)
        )
        shutil.rmtree(root)
        self._dockerfile.write_text(text.replace(name, "localhost/base"), encoding="utf-8")
        return f"{debian} of debootstrap with its Python {version}, in place of `{name[:40]}…`"

    @property
    def _dockerfile(self) -> Path:
        return self._work / "Dockerfile"

    def image(self, target: str) -> str:
        """Build a target from the wheel, as a release does, and return the sizes of its layers."""
        if not self._dockerfile.exists():
            raise NotToBeHad("the base image, see above")
        self.buildah(
            *("bud", "--isolation=chroot", "--layers", "--format=docker", "--pull-never"),
            *("--build-context", f"wheel={self._checkout / 'dist'}", "--target", target),
            *("--volume", "/etc/ssl/certs:/etc/ssl/certs:ro", "-f", str(self._dockerfile)),
            *("-t", f"localhost/{target}", "."),
        )
        pushed = self._work / target
        self.buildah("push", "--format=oci", f"localhost/{target}", f"oci:{pushed}")
        (index,) = json.loads((pushed / "index.json").read_text())["manifests"]
        blobs = pushed / "blobs" / "sha256"
        manifest = json.loads((blobs / index["digest"].removeprefix("sha256:")).read_text())
        sizes = [layer["size"] / 1e6 for layer in manifest["layers"]]
        return f"{sum(sizes):.1f} MB compressed: " + " + ".join(f"{size:.1f}" for size in sizes)

    def run(self, target: str) -> str:
        """Run an image as its user, with a root that is read-only, and without a network."""
        tool("bwrap")
        if not (self._work / target).exists():
            raise NotToBeHad("the image, see above")
        image = json.loads(self.buildah("inspect", "--type=image", f"localhost/{target}"))
        config = image["Docker"]["config"]
        container = self.buildah("from", "--pull-never", f"localhost/{target}").strip()
        root = self.buildah("mount", container).strip()
        data = self._work / "data"
        data.mkdir()
        os.chown(data, int(USER), int(USER))
        variables = (part for each in config["Env"] for part in ("--setenv", *each.split("=", 1)))
        rights = ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")  # until it is the user
        inside = Path(__file__).with_name("inside.py").read_text(encoding="utf-8")
        return done(
            *("bwrap", "--die-with-parent", "--unshare-pid", "--unshare-net", "--unshare-ipc"),
            *("--ro-bind", root, "/", "--proc", "/proc", "--dev", "/dev", "--clearenv", *rights),
            *("--ro-bind", str(self._checkout / "knowledge" / "content"), _CONTENT),
            *("--setenv", "CONTENT_DIR", _CONTENT, "--setenv", "STARTUP_SECONDS", "600"),
            *("--bind", str(data), config["WorkingDir"], "--chdir", config["WorkingDir"]),
            *("--perms", "1777", "--tmpfs", "/tmp", *variables),  # noqa: S108  # its own
            *("python", "-c", inside, json.dumps(config["Cmd"])),
            json.dumps(config["Healthcheck"]["Test"][1:]),
            USER,
            folder=self._work,
        ).splitlines()[-1]


def unmount(work: Path) -> None:
    """Unmount what buildah leaves mounted in a folder, so that it can be deleted."""
    for line in reversed(Path("/proc/mounts").read_text(encoding="utf-8").splitlines()):
        if (path := line.split()[1]).startswith(f"{work}/"):
            done("umount", path, folder=work)


def images(work: Path, checkout: Path) -> Iterator[Step]:
    """Yield the steps: a base, each image that a release pushes, and a run of the first."""
    builder = Builder(work, checkout)
    release = yaml.safe_load((checkout / ".github/workflows/release.yml").read_bytes())
    targets = release["jobs"]["image"]["strategy"]["matrix"]["target"]
    yield "base image", builder.base
    for target in targets:
        yield f"image `{target}`", partial(builder.image, target)
    yield f"image `{targets[0]}` runs", partial(builder.run, targets[0])
