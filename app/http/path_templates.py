"""Path templates: the documented form `{slug}` as Quart's `<slug>`, and back."""

from __future__ import annotations

import re

from pydantic.alias_generators import to_camel


def rule(template: str) -> str:
    """The routing rule of a documented path.

    >>> rule("/api/page/{slug}")
    '/api/page/<slug>'
    """
    return re.sub(r"\{(\w+)\}", r"<\1>", template)


def template(rule: str) -> str:
    """The documented path of a routing rule, its variables in the contract's camelCase.

    >>> template("/api/orders/<int:order_id>")
    '/api/orders/{orderId}'
    """
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda found: f"{{{to_camel(found[1])}}}", rule)
