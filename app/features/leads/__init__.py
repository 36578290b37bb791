"""Leads: enquiries."""

from app.feature import Deliveries, Demo, Feature
from app.platform.observability.metrics import Family, MetricType

LEADS = Family(
    "majlis_leads", MetricType.COUNT, "Leads received, by outcome.", ("channel", "outcome")
)
LEADS_SPAM = Family(
    "majlis_leads_spam",
    MetricType.COUNT,
    "Reasons for which leads went to quarantine.",
    ("reason",),
)
LEADS_QUARANTINED = Family(
    "majlis_leads_quarantined",
    MetricType.MAX,
    "Leads in quarantine, which the operator has to review.",
)

FEATURE = Feature(
    name="leads",
    settings="app.features.leads.settings:LeadSettings",
    is_static=True,
    tables=("app.features.leads.tables",),
    parts="app.features.leads.service:open_parts",
    api=("app.features.leads.routes:routes",),
    routes=("app.features.leads.contact_page:routes",),
    commands={"leads": "app.features.leads.commands:leads"},
    metrics=(LEADS, LEADS_SPAM, LEADS_QUARANTINED),
    delivery_kinds=(Deliveries(kind="lead"), Deliveries(kind="mail")),
    receivers="app.features.leads.service:receivers",
    advice="app.features.leads.service:advice",
    start_checks={"leads_mapping": "app.features.leads.service:check_mapping"},
    keys={"leads.key": "leads_key_file"},
    needed_keys=frozenset({"leads.key"}),
    demo=Demo(
        title="A visitor's enquiry, and the list of those who enquired",
        line=(
            """curl -s $url/api/public/v1/leads -H 'Content-Type: application/json' """
            """-d '{"name": "Noor", "email": "noor@example.com", "message": "A demo, please"}' """
            "&& echo && DATABASE_URL=$database $majlis leads list"
        ),
    ),
)
