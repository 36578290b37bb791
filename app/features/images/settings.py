"""Settings of images."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from app.platform.settings import ServiceSettings


class ImageSettings(ServiceSettings):
    """Images."""

    image_dir: Path = Field(
        Path("var/images"),
        description=("Folder of smaller images; if it cannot be written, they are in memory."),
    )
