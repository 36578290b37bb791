"""Path templates: the documented form `{slug}` as Quart's `<slug>`."""

from __future__ import annotations

import re


def rule(template: str) -> str:
    """The routing rule of a documented path.

    >>> rule("/api/page/{slug}")
    '/api/page/<slug>'
    """
    return re.sub(r"\{(\w+)\}", r"<\1>", template)
