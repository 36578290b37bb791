"""Build hooks: the README and URLs of the package, the catalogs, and the sample site of a wheel."""

from __future__ import annotations

import re
import tarfile
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.builders.utils import get_reproducible_timestamp
from hatchling.metadata.plugin.interface import MetadataHookInterface

CATALOGS = Path("renderers", "translations")
SAMPLE = Path("knowledge", "content")
_LINK = re.compile(r"(!?)\[([^]]*)\]\((?![a-z][a-z0-9+.-]*:|#)([^)]*)\)")
"""A picture or link of the README to a file beside it."""


def compile_catalogs(root: Path) -> list[Path]:
    """Compile each `.po` file under `root` to a `.mo` file; return the paths written."""
    return [_compile(source) for source in sorted((root / CATALOGS).rglob("*.po"))]


def _compile(source: Path) -> Path:
    compiled = source.with_suffix(".mo")
    with source.open("rb") as text:
        catalog = read_po(text)
    # Otherwise a file has the time at which it is compiled.
    catalog.creation_date = datetime.fromtimestamp(get_reproducible_timestamp(), UTC)
    with compiled.open("wb") as binary:
        write_mo(binary, catalog)
    return compiled


def archive_sample(sample: Path, archive: Path) -> None:
    """Write the files of the sample, with the same bytes for the same files.

    Its drawings differ little by country, so that all in one take a third of the room.
    """
    with tarfile.open(archive, "w:xz", preset=9) as writer:
        for path in sorted(sample.rglob("*")):
            if path.is_file():
                entry = tarfile.TarInfo(path.relative_to(sample).as_posix())
                entry.size, entry.mtime = path.stat().st_size, get_reproducible_timestamp()
                with path.open("rb") as file:
                    writer.addfile(entry, file)


def packaged_readme(text: str, repository: str, version: str) -> str:
    """Return a README for a page that has no files beside it, with links into the repository."""

    def link(match: re.Match[str]) -> str:
        mark, words, path = match.groups()
        view = "raw" if mark else "blob"
        target = f"{repository}/{view}/v{version}/{path}"
        return f"{mark}[{words}]({target})" if repository else "" if mark else words

    return _LINK.sub(link, text)


def package_urls(repository: str, version: str) -> dict[str, str]:
    """Return the URLs of the package, none without a repository."""
    files = {"Documentation": "README.md", "Changelog": "CHANGELOG.md", "Security": "SECURITY.md"}
    urls = {name: f"{repository}/blob/v{version}/{path}" for name, path in files.items()}
    return {"Repository": repository, **urls} if repository else {}


class Metadata(MetadataHookInterface):
    """The hook that Hatchling calls for what pyproject.toml names as dynamic."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Set README and URLs, from the setting `repository`."""
        repository, version = self.config["repository"].rstrip("/"), metadata["version"]
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        readme = packaged_readme(text, repository, version)
        metadata["readme"] = {"content-type": "text/markdown", "text": readme}
        metadata["urls"] = package_urls(repository, version)


class Hook(BuildHookInterface[Any]):
    """The hook that Hatchling calls before and after each build."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the catalogs and add them to the build, although git ignores them."""
        root = Path(self.root)
        build_data["artifacts"] += [
            f"/{path.relative_to(root).as_posix()}" for path in compile_catalogs(root)
        ]
        self._folder = TemporaryDirectory()
        if self.target_name == "wheel" and version == "standard":
            archive = Path(self._folder.name, "sample.tar.xz")
            archive_sample(root / SAMPLE, archive)
            build_data["force_include"][str(archive)] = f"{SAMPLE.as_posix()}.tar.xz"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the archive, which is in the wheel now."""
        self._folder.cleanup()
