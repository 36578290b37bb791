"""The endpoints of the partner interface: pull orders and products, push orders."""

from app.web.erp import orders, products, pushes, status

BLUEPRINTS = (status.routes, orders.routes, products.routes, pushes.routes)
