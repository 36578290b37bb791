"""Comparisons: tables in whose cells the words for yes and no are ticks and dashes."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from knowledge.markdown.extensions.nesting import descendants
from knowledge.markdown.inline import plain_tokens
from knowledge.markdown.memoize import text_cache
from renderers.html.commonmark import RenderOptions, rendered, tokens_of

_WORDS: Mapping[str, bool] = {"yes": True, "نعم": True, "no": False, "لا": False}


@text_cache
def comparison(text: str, options: RenderOptions) -> Markup:
    """Render a text whose tables compare."""
    tokens, state = tokens_of(text, options)
    for cell in descendants(tokens):
        if cell["type"] == "table_cell":
            words = plain_tokens(cell["children"])
            is_yes = _WORDS.get(words.casefold())
            if is_yes is not None:
                cell["children"] = [{"type": "tick", "raw": words, "attrs": {"is_yes": is_yes}}]
    return rendered(tokens, state, options)
