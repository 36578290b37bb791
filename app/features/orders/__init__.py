"""Orders: the partner interface, by which an ERP pulls orders and products and receives orders."""

from app.feature import Deliveries, Demo, Feature
from app.platform.observability.metrics import Family, MetricType

LOCK_OUTS = Family(
    "majlis_partner_lock_outs",
    MetricType.COUNT,
    "Lock-outs after wrong partner tokens, by what was counted.",
    ("counted",),
)

FEATURE = Feature(
    name="orders",
    settings="app.features.orders.settings:PartnerSettings",
    tables=("app.features.orders.store",),
    parts="app.features.orders.partner:open_parts",
    routes=(
        "app.features.orders.routes.products:status",
        "app.features.orders.routes.orders:routes",
        "app.features.orders.routes.products:products",
        "app.features.orders.routes.orders:pushes",
    ),
    commands={"orders": "app.features.orders.commands:orders_group"},
    metrics=(LOCK_OUTS,),
    delivery_kinds=(
        Deliveries(
            kind="order",
            option="order",
            help="Only deliveries of the order with this number.",
            columns={"ORDER": "subject", "REVISION": "revision"},
        ),
    ),
    receivers="app.features.orders.partner:receivers",
    demo=Demo(
        title="The orders that an ERP system pulls with its token",
        line="curl -s '$url/api/orders?limit=2' -H 'Authorization: Bearer sample-partner-token'",
        variables={"ERP_PULL_API_TOKEN": "sample-partner-token"},
        command=("orders", "import", "$sample/_orders/sample.jsonl"),
    ),
)
