"""Audience: who reads what, counted by day and without anything personal."""

from pydantic import Field

from app.feature import Demo, Feature
from app.platform.observability.metrics import Family, MetricType
from app.platform.settings import LONGEST_RETENTION_DAYS, ServiceSettings

AUDIENCE_READS = Family(
    "majlis_audience_reads",
    MetricType.COUNT,
    "Responses, by form and class of reader.",
    ("form", "reader"),
)
AUDIENCE_SEARCHES = Family(
    "majlis_audience_searches", MetricType.COUNT, "Searches, by channel.", ("channel",)
)
AUDIENCE_SEARCHES_IN_VAIN = Family(
    "majlis_audience_searches_in_vain",
    MetricType.COUNT,
    "Searches that found nothing, by channel.",
    ("channel",),
)


class AudienceSettings(ServiceSettings):
    """Audience."""

    audience: bool = False
    """`on` counts who reads what, without anything personal; see [audience.md](audience.md)."""
    audience_retention_days: int = Field(400, ge=1, le=LONGEST_RETENTION_DAYS)
    """Days after which the counts of readers are deleted, at most 36500."""
    audience_write_seconds: float = Field(60.0, ge=0.1, le=3600)
    """How often the counts of readers are written to the database, from 0.1 to 3600."""


FEATURE = Feature(
    name="audience",
    settings="app.features.audience:AudienceSettings",
    tables=("app.features.audience.store",),
    switch="audience",
    parts="app.features.audience.counting:open_parts",
    install="app.web.http.search_requests:install",
    metrics=(AUDIENCE_READS, AUDIENCE_SEARCHES, AUDIENCE_SEARCHES_IN_VAIN),
    commands={"audience": "app.features.audience.commands:audience"},
    demo=Demo(
        title="Who reads the site: programs, agents, people and what each was given",
        line="DATABASE_URL=$database $majlis audience --report agents --report forms",
        variables={"AUDIENCE": "on", "AUDIENCE_WRITE_SECONDS": "0.1"},
    ),
)
