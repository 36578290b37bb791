"""Feedback: what readers and agents report about pages."""

from app.features.feature import Feature

FEATURE = Feature(
    name="feedback",
    parts="app.features.feedback.store:open_parts",
    api=("app.features.feedback.routes:routes",),
    commands={"feedback": "app.features.feedback.commands:feedback_group"},
)
