"""Obsidian: a vault is a folder with `.obsidian`."""

from __future__ import annotations

from pathlib import Path

from app.operations.importing.source import SiteConfiguration, Source, TreeLayout


def read(root: Path) -> Source | None:
    """Return the notes of a vault, or None."""
    if not (root / ".obsidian").is_dir():
        return None
    return Source(
        "Obsidian",
        root,
        list(TreeLayout(address="").trees(root)),
        SiteConfiguration(title=root.resolve().name),
        not_imported=["Canvases, queries of plugins, and notes in other formats."],
    )
