"""Settings of previews."""

from pathlib import Path

from app.platform.settings import ServiceSettings


class PreviewSettings(ServiceSettings):
    """Previews."""

    preview_key_file: Path = Path("var/preview.key")
    """Key that signs the links of `majlis preview`; made at first use, delete it to revoke all
    links; [one for all machines](several-machines.md#keys)."""
