"""Images: smaller variants, social cards and icons at the first request, and diagrams."""

from pathlib import Path

from pydantic import Field

from app.feature import Feature
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


FEATURE = Feature(
    name="images",
    settings="app.features.images:ImageSettings",
    is_static=True,
    folders=("image_dir",),
    parts="app.features.images.pictures:open_parts",
    routes=("app.features.images.routes:routes",),
    commands={"images": "app.features.images.commands:images"},
)
