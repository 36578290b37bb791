"""Keys added to the front matter of a text, all else left as written."""

from __future__ import annotations

import json
import re

_FENCE = re.compile(r"\s*(---|\+\+\+)[ \t]*\n")


def with_key(text: str, key: str, value: str | bool) -> str:
    r"""Return a text with one more key at the top of its front matter, in YAML or TOML.

    >>> with_key("+++\ntitle = 'A'\n+++\nText", "slug", "b")
    '+++\nslug = "b"\ntitle = \'A\'\n+++\nText'
    >>> with_key("Text", "published", False)
    '---\npublished: false\n---\n\nText'
    """
    written = json.dumps(value, ensure_ascii=False)
    opened = _FENCE.match(text)
    if opened is None:
        return f"---\n{key}: {written}\n---\n\n{text}"
    sign = ":" if opened[1] == "---" else " ="
    return f"{text[: opened.end()]}{key}{sign} {written}\n{text[opened.end() :]}"
