"""Settings of images."""

from pathlib import Path

from pydantic import Field

from app.platform.settings import ServiceSettings, SourceAddress


class ImageSettings(ServiceSettings):
    """Images."""

    image_dir: Path = Path("var/images")
    """Folder of smaller images; if it cannot be written, they are in memory."""

    image_source: SourceAddress = Field("", repr=False)
    """Where `majlis images --output` has put smaller images, as `INDEX_SOURCE`; what is not there
    is made."""

    mermaid_program: str = "mmdc"
    """Program that draws Mermaid diagrams: name on PATH, or path; without it they are code."""
