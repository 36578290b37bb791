"""Path templates: converts the documented `{slug}` to Quart's `<slug>`, and back."""

from __future__ import annotations

import re

from pydantic.alias_generators import to_camel


def rule(template: str) -> str:
    """Return the routing rule of a documented path.

    >>> rule("/api/page/{slug}")
    '/api/page/<slug>'
    """
    return re.sub(r"\{(\w+)\}", r"<\1>", template)


def template(rule: str) -> str:
    """Return the documented path of a routing rule, with its variables in camelCase.

    >>> template("/api/orders/<int:order_id>")
    '/api/orders/{orderId}'
    """
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda match: f"{{{to_camel(match[1])}}}", rule)
