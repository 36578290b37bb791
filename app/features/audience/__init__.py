"""Audience: who reads what, counted by day and without anything personal."""

from app.feature import Demo, Feature
from app.platform.observability.metrics import Family, MetricType

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

FEATURE = Feature(
    name="audience",
    settings="app.features.audience.settings:AudienceSettings",
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
