"""A partner's program that pulls products and orders, with the generated client."""

import json
import sys

from wahat_api import AuthenticatedClient, models
from wahat_api.api.erp_orders import list_orders
from wahat_api.api.erp_products import list_products

url, token = sys.argv[1:]
with AuthenticatedClient(base_url=url, token=token) as client:
    catalogue = list_products.sync(client=client)
    orders = list_orders.sync(client=client)

assert isinstance(catalogue, models.Catalogue)
assert isinstance(orders, models.OrderList)
pulled = {
    "prices": {each.slug: each.prices.to_dict() for each in catalogue.products},
    "orders": {each.number: each.to_dict() for each in orders.orders},
}
json.dump(pulled, sys.stdout)
