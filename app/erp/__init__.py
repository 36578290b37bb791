"""The endpoints of the partner interface: what an ERP pulls, and what is pushed to it."""

from app.erp import orders, products, pushes, status

BLUEPRINTS = (status.routes, orders.routes, products.routes, pushes.routes)
