"""The templates of this package: markdown texts with facts in them."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from knowledge.markdown.tokens import CHARACTERS_PER_TOKEN
from renderers.representation import PAGE_MEDIA_TYPES, MediaType, suffixed_path


def render_text(name: str, /, **facts: object) -> str:
    """Return the text of a template; a fact that it lacks is an error."""
    return _environment().get_template(name).render(**facts)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("llms"),
        autoescape=select_autoescape(),  # markdown is not escaped
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.globals.update(
        page_media_types=PAGE_MEDIA_TYPES,
        rates=CHARACTERS_PER_TOKEN,
        suffixed_path=suffixed_path,
        types=MediaType,
    )
    return environment
