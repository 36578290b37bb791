"""Build hook: compiles the translation catalogs, and packs the sample site of a wheel."""

from __future__ import annotations

import tarfile
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.builders.utils import get_reproducible_timestamp

CATALOGS = Path("renderers", "translations")
SAMPLE = Path("knowledge", "content")


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
