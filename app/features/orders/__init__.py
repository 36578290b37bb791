"""Orders: the partner interface, by which an ERP pulls orders and products and receives orders."""

from app.feature import Feature

FEATURE = Feature(
    name="orders",
    settings="app.features.orders.settings:PartnerSettings",
    tables=("app.features.orders.store",),
    parts="app.features.orders.partner:open_parts",
    routes=(
        "app.features.orders.routes.status:routes",
        "app.features.orders.routes.orders:routes",
        "app.features.orders.routes.products:routes",
        "app.features.orders.routes.pushes:routes",
    ),
    commands={"orders": "app.features.orders.commands:orders_group"},
    delivery_kinds=("order",),
    receivers="app.features.orders.partner:receivers",
)
