"""Settings of the audience."""

from pydantic import Field

from app.platform.settings import LONGEST_RETENTION_DAYS, ServiceSettings


class AudienceSettings(ServiceSettings):
    """Audience."""

    audience: bool = False
    """`on` counts who reads what, without anything personal; see [audience.md](audience.md)."""
    audience_retention_days: int = Field(400, ge=1, le=LONGEST_RETENTION_DAYS)
    """Days after which the counts of readers are deleted, at most 36500."""
    audience_write_seconds: float = Field(60.0, ge=0.1, le=3600)
    """How often the counts of readers are written to the database, from 0.1 to 3600."""
