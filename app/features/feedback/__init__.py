"""Feedback: what readers and agents report about pages."""

from app.feature import Feature

FEATURE = Feature(
    name="feedback",
    tables=("app.features.feedback.store",),
    parts="app.features.feedback.routes:open_parts",
    api=("app.features.feedback.routes:routes",),
    commands={"feedback": "app.features.feedback.commands:feedback_group"},
)
