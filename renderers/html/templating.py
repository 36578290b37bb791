"""Jinja environments, one per language, with the filters and globals of the templates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from gettext import GNUTranslations
from typing import Any

from jinja2 import BaseLoader, Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from knowledge.locales.locale import Language, localized_text
from knowledge.markdown.slugs import Anchor
from renderers.html import commonmark, mixed_runs, section_texts, styles
from renderers.html.commonmark import RenderOptions
from renderers.html.extensions import unique_footnotes
from renderers.html.mixed_runs import FILTER, BidiExtension
from renderers.html.page_links import contents_of_sections, enquiry_link
from renderers.html.section_texts import Piece, comparison
from renderers.html.styles import stylesheets
from renderers.l10n import bidi
from renderers.l10n import formats as l10n
from renderers.l10n.formats import price_words
from renderers.l10n.translation import translations
from renderers.markdown.context import html_cards, html_sections
from renderers.markdown.facts import contact_lines, facts, network_name
from renderers.page_rendering import breadcrumb_title

BUILT_IN = PackageLoader("renderers")
"""Loads the built-in templates."""


@cache
def environment(language: Language) -> Environment:
    """Return the environment of an interface language, with the built-in templates."""
    return new_environment(Environment, BUILT_IN, language)


def new_environment(kind: type[Environment], loader: BaseLoader, language: Language) -> Environment:
    """Return an environment of an interface language; undefined variables raise errors."""
    env = kind(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n", BidiExtension],
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    env.filters.update(_filters(language))
    env.globals.update(
        reader=language,
        static=styles.url,
        stylesheets=stylesheets,
        cards_of=html_cards,
        sections_of=html_sections,
    )
    # The i18n extension adds this method; it is missing in Jinja's type annotations.
    install: Any = vars(env)["install_gettext_translations"]
    install(translations(language), newstyle=True)
    env.filters[FILTER] = partial(bidi.isolated_value, reader=language)
    env.globals["_"] = _gettext(translations(language))
    return env


def _gettext(catalog: GNUTranslations) -> Callable[..., Markup]:
    """Return the `_` function of templates: translate a text and insert escaped values.

    Texts without values are cached. The extension's own function would look them up each time.
    """

    def formatted(text: str, values: Mapping[str, object]) -> Markup:
        return Markup(catalog.gettext(text)) % values  # noqa: S704  # from our catalog

    without_values = cache(partial(formatted, values={}))

    def translated(text: str, /, **values: object) -> Markup:
        return formatted(text, values) if values else without_values(text)

    return translated


def _filters(language: Language) -> dict[str, Any]:
    catalog = translations(language)
    options = RenderOptions(
        anchors=True,
        table_label=catalog.gettext("Table"),
        language=language,
    )
    return {
        "attributes": bidi.language_attributes,
        "bdi": bidi.bdi,
        "comparison": pass_context(partial(_comparison, options)),
        "breadcrumb_title": partial(breadcrumb_title, language=language),
        "enquiry_link": enquiry_link,
        "facts": facts,
        "figure": pass_context(partial(_figure, options)),
        "foreign": partial(bidi.foreign_attributes, expected=language),
        "href": _href,
        "contact_lines": partial(contact_lines, language=language),
        "network_name": partial(network_name, language=language),
        "contents": contents_of_sections,
        "call_to_action": pass_context(partial(_call_to_action, options)),
        "item_list": pass_context(partial(_item_list, options)),
        "long_date": l10n.long_date,
        "local_date": l10n.local_date,
        "local_moment": l10n.local_moment,
        "highlighted": partial(_highlighted, language),
        "markdown": pass_context(partial(_markdown, options)),
        "minutes": l10n.minutes,
        "number": l10n.number,
        "paragraphs": commonmark.paragraphs,
        "localized": partial(localized_text, language=language),
        "pieces": pass_context(partial(_pieces, options)),
        "price": l10n.price,
        "price_words": price_words,
        "src": _src,
        "unique_footnotes": unique_footnotes,
    }


Ids = tuple[Anchor, ...]


def _markdown(
    options: RenderOptions, context: Context, text: str | None, ids: Ids = (), top: int = 2
) -> Markup:
    return commonmark.render_markdown(text or "", _options(options, context, ids, top))


def _figure(
    options: RenderOptions, context: Context, text: str, ids: Ids
) -> commonmark.Figure | None:
    return commonmark.figure(text, _options(options, context, ids, 2))


def _call_to_action(
    options: RenderOptions, context: Context, text: str, ids: Ids
) -> section_texts.CallToAction:
    return section_texts.call_to_action(text, _options(options, context, ids, 3))


def _comparison(
    options: RenderOptions, context: Context, text: str | None, ids: Ids, top: int
) -> Markup:
    return comparison(text or "", _options(options, context, ids, top))


def _pieces(
    options: RenderOptions,
    context: Context,
    text: str | None,
    ids: Ids,
    top: int,
    **wanted: bool,
) -> section_texts.Pieces:
    pieces = Piece.NONE
    for name in filter(wanted.get, wanted):
        pieces |= Piece[name.upper()]
    return section_texts.text_pieces(text or "", _options(options, context, ids, top), pieces)


def _item_list(
    options: RenderOptions, context: Context, text: str, ids: Ids, cards: bool = False
) -> commonmark.ItemList | None:
    return commonmark.item_list(text, _options(options, context, ids, 3), cards)


def _options(options: RenderOptions, context: Context, ids: Ids, top: int) -> RenderOptions:
    """Return the options for a part of the page's main text."""
    main_language = context.get("main_language", options.language)
    return replace(options, ids=ids, top=top, direction=main_language.direction)


def _highlighted(language: Language, text: str, spans: mixed_runs.Spans | None) -> Markup:
    return mixed_runs.highlighted(text, spans, bidi.paragraph_direction(text, language))


def _href(target: str) -> str:
    """Return a link target from front matter, or `#` if its scheme is unsafe."""
    return commonmark.safe_href(target) or "#"


def _src(picture: str | None) -> str:
    """Return an image path from front matter, or `""` if it is missing or unsafe."""
    return commonmark.safe_href(picture or "") or ""
