"""The manifest of a backup: what the file holds, and of which version of the service."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from app.platform.database.errors import BackupError

FORMAT: Final = 1
"""The form of the file. A version of the service reads those up to its own."""

DATABASE = "database"
"""The member with the database: a file of SQLite, or a dump of pg_dump in its custom format."""

KEYS = "keys/"
CONTENT = "content/"
"""What the names of members begin with."""

NOT_ONE = "It is not a backup of `majlis backup`, or it is damaged"


class Member(BaseModel):
    """The size and the digest of a member."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    size: Annotated[int, Field(ge=0)]
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class Manifest(BaseModel):
    """What a backup holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = FORMAT
    majlis: str
    created_at: AwareDatetime
    database: Literal["sqlite", "postgresql"]
    schema_revision: str
    members: dict[str, Member]

    @classmethod
    def parse(cls, text: bytes) -> Manifest:
        """Return the manifest; raises BackupError if it is none, or of a newer version."""
        try:
            form = _Form.model_validate_json(text).format
            if form > FORMAT:
                raise BackupError(
                    f"The backup has format {form}, which a newer version of majlis wrote. "
                    "Install that version."
                )
            manifest = cls.model_validate_json(text)
        except ValidationError:
            raise BackupError(f"{NOT_ONE}: its manifest is invalid.") from None
        if DATABASE not in manifest.members:
            raise BackupError(f"{NOT_ONE}: its manifest names no database.")
        return manifest

    def names(self, folder: str) -> tuple[str, ...]:
        """Return the names of the members in a folder, such as `KEYS`."""
        return tuple(name for name in self.members if name.startswith(folder))


class _Form(BaseModel):
    """The part of a manifest that every version has."""

    format: int
