"""Settings of images."""

from __future__ import annotations

from pathlib import Path

from app.platform.settings import ServiceSettings


class ImageSettings(ServiceSettings):
    """Images."""

    image_dir: Path = Path("var/images")
    """Folder of smaller images; if it cannot be written, they are in memory."""

    mermaid_program: str = "mmdc"
    """Program that draws Mermaid diagrams: name on PATH, or path; without it they are code."""
