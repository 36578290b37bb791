"""Build hook: compile the translation catalogs, for wheels and for editable installs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CATALOGS = Path("renderers", "translations")


def compile_catalogs(root: Path) -> list[Path]:
    """Compile each `.po` file under `root` to a `.mo` file; return the paths written."""
    return [_compile(source) for source in sorted((root / CATALOGS).rglob("*.po"))]


def _compile(source: Path) -> Path:
    compiled = source.with_suffix(".mo")
    with source.open("rb") as text:
        catalog = read_po(text)
    with compiled.open("wb") as binary:
        write_mo(binary, catalog)
    return compiled


class CatalogHook(BuildHookInterface[Any]):
    """The hook that Hatchling calls before each build."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the catalogs and add them to the build, although git ignores them."""
        root = Path(self.root)
        build_data["artifacts"] += [
            f"/{path.relative_to(root).as_posix()}" for path in compile_catalogs(root)
        ]
