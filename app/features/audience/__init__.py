"""Audience: who reads what, counted by day and without anything personal."""

from app.feature import Feature

FEATURE = Feature(
    name="audience",
    settings="app.features.audience.settings:AudienceSettings",
    tables=("app.features.audience.store",),
    switch="audience",
    parts="app.features.audience.counting:open_parts",
    install="app.web.http.search_requests:install",
    commands={"audience": "app.features.audience.commands:audience"},
)
