"""The build hook: compiles the interface's catalogues, for wheels and editable installs alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CATALOGUES = Path("renderers", "translations")


def compile_catalogues(root: Path) -> list[Path]:
    """Write a `.mo` beside each `.po` under `root`; gives what was written."""
    return [_compile(source) for source in sorted((root / CATALOGUES).rglob("*.po"))]


def _compile(source: Path) -> Path:
    compiled = source.with_suffix(".mo")
    with source.open("rb") as text:
        catalogue = read_po(text)
    with compiled.open("wb") as binary:
        write_mo(binary, catalogue)
    return compiled


class CatalogueHook(BuildHookInterface[Any]):
    """Hatchling calls it before each build."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and take the results along although git ignores them."""
        root = Path(self.root)
        build_data["artifacts"] += [
            f"/{path.relative_to(root).as_posix()}" for path in compile_catalogues(root)
        ]
