"""Audience: who reads what, counted by day and without anything personal."""

from app.feature import Demo, Feature

FEATURE = Feature(
    name="audience",
    settings="app.features.audience.settings:AudienceSettings",
    tables=("app.features.audience.store",),
    switch="audience",
    parts="app.features.audience.counting:open_parts",
    install="app.web.http.search_requests:install",
    commands={"audience": "app.features.audience.commands:audience"},
    demo=Demo(
        title="Who reads the site: programs, agents, people and what each was given",
        line="DATABASE_URL=$database $majlis audience --report agents --report forms",
        variables={"AUDIENCE": "on", "AUDIENCE_WRITE_SECONDS": "0.1"},
    ),
)
