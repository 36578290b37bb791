"""The chapters of llms.txt that the page types of the service belong to.

A new page type may declare a `PageGroup` of its own instead; its `order` places it among these.
"""

from __future__ import annotations

from knowledge.diagnostics.messages import mark as _
from knowledge.fields.page_type import PageGroup

COMPANY = PageGroup(10, _("Company and service"))
MODULES = PageGroup(20, _("Software modules"))
INDUSTRIES = PageGroup(30, _("Industries"))
PRODUCTS = PageGroup(40, _("Products", "llms.txt"))
CITIES = PageGroup(50, _("Cities"))
BLOG = PageGroup(60, _("Blog"))
