"""Newsletter: a list of subscribers who have confirmed their address; others send to it."""

from app.feature import Deliveries, Feature

FEATURE = Feature(
    name="newsletter",
    settings="app.features.newsletter.settings:NewsletterSettings",
    switch="smtp_url",
    is_static=True,
    tables=("app.features.newsletter.store",),
    parts="app.features.newsletter.service:open_parts",
    routes=("app.features.newsletter.routes:routes",),
    commands={"newsletter": "app.features.newsletter.commands:newsletter"},
    delivery_kinds=(Deliveries(kind="newsletter"),),
    form_kinds=("newsletter",),
    keys={"newsletter.key": "newsletter_key_file"},
    needed_keys=frozenset({"newsletter.key"}),
)
