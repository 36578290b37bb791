"""Settings of previews."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from app.platform.settings import ServiceSettings


class PreviewSettings(ServiceSettings):
    """Previews."""

    preview_key_file: Path = Field(
        Path("var/preview.key"),
        description=(
            "Key that signs the links of `majlis preview`; made at first use, delete it to "
            "revoke all links; [one for all machines](deploying.md#several-machines)."
        ),
    )
