"""Jinja environments, one per language, with the filters and globals of the templates."""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial, wraps
from importlib.util import cache_from_source
from pathlib import Path
from types import CodeType
from typing import Any

import jinja2
from jinja2 import (
    BaseLoader,
    Environment,
    FileSystemBytecodeCache,
    PackageLoader,
    StrictUndefined,
    pass_context,
)
from jinja2.bccache import Bucket
from jinja2.ext import Extension
from jinja2.lexer import Token as TemplateToken
from jinja2.lexer import TokenStream
from jinja2.runtime import Context
from markupsafe import Markup, escape

from knowledge.blocks.cards import CardsBlock
from knowledge.blocks.section import DocumentSection, opening_section
from knowledge.locales.locale import Language, Locale, localized_text
from knowledge.markdown.inline import plain_text
from knowledge.markdown.slugs import Anchor
from knowledge.resources.site_chrome import CompanyContact
from renderers.blocks.cards import listed_cards
from renderers.blocks.contact import ContactLine, contact_lines, network_name
from renderers.blocks.context import MarkdownContext, own_facts, own_values_of
from renderers.blocks.page_blocks import context_of
from renderers.blocks.section import call_label, included_words
from renderers.html import blocks, commonmark, section_texts, styles
from renderers.html.commonmark import RenderOptions
from renderers.html.extensions import unique_footnotes
from renderers.html.lazy_variables import LazyContext
from renderers.html.page_links import (
    contents_of_sections,
    enquiry_link,
    enquiry_query,
    outline,
)
from renderers.html.phrases import unbroken
from renderers.html.section_texts import Piece, comparison
from renderers.html.styles import stylesheets
from renderers.l10n import bidi, field_words
from renderers.l10n import formats as l10n
from renderers.l10n.formats import price_words
from renderers.l10n.translation import translations
from renderers.page_rendering import breadcrumb_title

BUILT_IN = PackageLoader("renderers")
"""Loads the built-in templates."""


class CompiledTemplates(FileSystemBytecodeCache):
    """The code of the built-in templates, in `__pycache__` beside them, as that of modules is.

    The languages share it, since no filter of ours has a value before there is a page. A template
    is compiled again if its text, this module or Jinja changes.
    """

    def __init__(self) -> None:
        super().__init__("", "%s")
        self._version = f"{jinja2.__version__}\n{Path(__file__).read_text(encoding='utf-8')}"
        self._codes: dict[str, CodeType | None] = {}

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Return the path of the compiled template."""
        return cache_from_source(filename or name)

    def get_source_checksum(self, source: str) -> str:
        """Return a checksum of all that the code follows from."""
        return super().get_source_checksum(self._version + source)

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give a template its code, unless it has to be compiled."""
        bucket.code = self._codes.get(bucket.key)
        if bucket.code is None:
            super().load_bytecode(bucket)
            self._codes[bucket.key] = bucket.code

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code of a template, also for other processes if the folder can be written."""
        self._codes[bucket.key] = bucket.code
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                Path(bucket.key).parent.mkdir(exist_ok=True)
                super().dump_bytecode(bucket)
                Path(bucket.key).chmod(0o644)  # for other users too


_COMPILED = CompiledTemplates()


@cache
def environment(language: Language) -> Environment:
    """Return the environment of an interface language, with the built-in templates."""
    env = new_environment(Environment, BUILT_IN, language)
    env.bytecode_cache = _COMPILED
    return env


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
    env.context_class = LazyContext
    env.filters.update(_filters(language))
    env.globals.update(
        reader=language,
        static=styles.url,
        stylesheets=stylesheets,
        script=styles.script,
        scripts=styles.scripts,
        shown=blocks.shown,
        made_once=blocks.made_once,
        sections_of=blocks.sections_of,
    )
    # The i18n extension adds this method; it is missing in Jinja's type annotations.
    install: Any = vars(env)["install_gettext_callables"]
    install(partial(_translated, language), partial(_plural, language), newstyle=True)
    env.filters[_ISOLATED] = partial(bidi.isolated_value, reader=language)
    env.globals["_"] = partial(_translated, language)
    return env


def _translated(language: Language, text: str, /, **values: object) -> Markup:
    """Translate a text and insert escaped values; the extension's own function is slower."""
    markup = translations(language).markup(text)
    return markup % values if values else markup


def _plural(language: Language, one: str, many: str, number: int) -> Markup:
    return escape(translations(language).ngettext(one, many, number))


def _filters(language: Language) -> dict[str, Any]:
    options = RenderOptions(anchors=True, language=language)
    # A link from front matter whose scheme is unsafe leads nowhere.
    return {
        "attributes": bidi.language_attributes,
        "bdi": bidi.bdi,
        "comparison": pass_context(partial(_comparison, options)),
        "breadcrumb_title": partial(breadcrumb_title, language=language),
        "availability": l10n.availability,
        "delivery": l10n.delivery,
        "enquiry_link": enquiry_link,
        "enquiry_query": enquiry_query,
        "facts": lambda resource, locale: [],  # noqa: ARG005  # all of them are `own_facts` now
        "own_facts": lambda values, locale: [*own_facts(values, MarkdownContext(locale))],
        "own_values": own_values_of,
        "figure": pass_context(partial(_figure, options)),
        "tag_attributes": bidi.tag_attributes,
        "foreign": partial(bidi.foreign_attributes, expected=language),
        "href": lambda target: commonmark.safe_href(target) or "#",
        "contact_lines": pass_context(_contact_lines),
        "network_name": partial(network_name, language=language),
        "contents": contents_of_sections,
        "call_to_action": pass_context(partial(_call_to_action, options)),
        "item_list": pass_context(partial(_item_list, options)),
        "long_date": l10n.long_date,
        "local_date": l10n.local_date,
        "local_moment": l10n.local_moment,
        "highlighted": lambda text, spans: bidi.highlighted(
            text, spans, bidi.paragraph_direction(text, language)
        ),
        "markdown": pass_context(partial(_markdown, options)),
        "minutes": l10n.minutes,
        **{name: _of_reader(words) for name, words in _OF_FIELDS.items()},
        "opener": opening_section,
        "listed": pass_context(_listed),
        "number": l10n.number,
        "outline": outline,
        "paragraphs": section_texts.paragraphs,
        "localized": partial(localized_text, language=language),
        "prose": pass_context(partial(_prose, options)),
        "pieces": pass_context(partial(_pieces, options)),
        "call_label": partial(call_label, language=language),
        "included_words": partial(included_words, language=language),
        "price": l10n.price,
        "price_words": price_words,
        "src": lambda picture: commonmark.safe_href(picture or "") or "",
        "unbroken": partial(unbroken, language),
        "unique_footnotes": unique_footnotes,
    }


_OF_FIELDS: Mapping[str, Callable[[Any, Locale], str]] = {
    "duration": field_words.duration,
    "hours": field_words.hours,
    "money": field_words.money,
    "open_now": field_words.open_now,
    "rating": field_words.rating,
}


def _of_reader(words: Callable[[Any, Locale], str]) -> Callable[[Context, Any], str]:
    """Return a filter of values of declared fields, in the words of the reader; `""` for none."""

    @wraps(words)
    def shown(context: Context, value: Any) -> str:
        return words(value, context["locale"]) if value else ""

    del vars(shown)["__wrapped__"]  # its parameters are others
    return pass_context(shown)


Ids = tuple[Anchor, ...]


def _markdown(
    options: RenderOptions, context: Context, text: str | None, ids: Ids = (), top: int = 2
) -> Markup:
    return commonmark.render_markdown(text or "", _options(options, context, ids, top))


_PARAGRAPHS = re.compile(r"<p[^>]*>(.*)</p>", re.DOTALL)
_BETWEEN = re.compile(r"</p>\s*<p[^>]*>")


def _prose(options: RenderOptions, context: Context, text: str | None) -> Markup:
    """Return a text of front matter that is markdown, to stand in a paragraph."""
    found = _PARAGRAPHS.fullmatch(_BETWEEN.sub("<br>", _markdown(options, context, text).strip()))
    return Markup(found[1]) if found else escape(plain_text(text or ""))  # noqa: S704  # rendered


def _figure(
    options: RenderOptions, context: Context, text: str, ids: Ids
) -> section_texts.LeadingImage | None:
    return section_texts.figure(text, _options(options, context, ids, 2))


def _call_to_action(
    options: RenderOptions, context: Context, text: str, ids: Ids
) -> section_texts.CallToAction:
    return section_texts.call_to_action(text, _options(options, context, ids, 3))


def _comparison(
    options: RenderOptions, context: Context, text: str | None, ids: Ids, top: int
) -> Markup:
    return comparison(text or "", _options(options, context, ids, top))


def _contact_lines(context: Context, contact: CompanyContact) -> list[ContactLine]:
    return contact_lines(contact, context["locale"])


def _listed(context: Context, section: DocumentSection) -> CardsBlock | None:
    """Return the documents that a section lists, for templates that show sections themselves."""
    if not section.listing:
        return None
    block = listed_cards(section, context_of(context["page"]))
    ids = tuple(f"{section.id}-{number}" for number in range(1, len(block.items) + 1))
    return block.model_copy(update={"ids": ids})


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
) -> section_texts.ItemList | None:
    return section_texts.item_list(text, _options(options, context, ids, 3), cards)


def _options(options: RenderOptions, context: Context, ids: Ids, top: int) -> RenderOptions:
    """Return the options for a part of the page's main text."""
    main_language = context.get("main_language", options.language)
    texts = translations(options.language)
    return replace(options, ids=ids, top=top, direction=main_language.direction, texts=texts)


_ISOLATED = "isolated_value"
"""The filter of templates that isolates the runs of a value."""

_VERBATIM = frozenset(
    ("code", "kbd", "option", "pre", "samp", "script", "style", "textarea", "title")
)
"""Elements that show markup as text, or whose text stays as it is."""

_MARKUP = re.compile(r'<bdi dir|</?(?:[A-Za-z][^\s>"]*|$)|>|="|"')


class _Position:
    """Where in the HTML of a template its literal text has arrived."""

    def __init__(self) -> None:
        self._in_tag = False
        self._in_value = False
        self._verbatim = ""

    @property
    def is_text(self) -> bool:
        """Whether a value here is text, not part of a tag or attribute."""
        return not (self._in_tag or self._in_value or self._verbatim)

    def advance(self, literal: str) -> None:
        """Go on to the end of a literal text."""
        for match in _MARKUP.finditer(literal):
            mark = match[0]
            if mark.endswith('"'):
                self._in_value = mark == '="'
            elif not self._in_value:
                self._pass_tag(mark)

    def _pass_tag(self, mark: str) -> None:
        self._in_tag = mark != ">"
        name = "bdi" if mark == "<bdi dir" else mark[1:]
        if self._verbatim:
            if name == f"/{self._verbatim}":
                self._verbatim = ""
        elif name in _VERBATIM or mark == "<bdi dir":
            self._verbatim = name


class BidiExtension(Extension):
    """Templates need no filter for texts that mix directions, as they need none for escaping."""

    def filter_stream(self, stream: TokenStream) -> Iterable[TemplateToken]:
        """Apply the isolating filter to each value between tags."""
        position, is_filtered = _Position(), False
        for token in stream:
            if token.type == "data":
                position.advance(token.value)
            if token.type == "variable_end" and is_filtered:
                yield from _filter(token.lineno)
            yield token
            if token.type == "variable_begin":
                is_filtered = position.is_text
                if is_filtered:
                    yield TemplateToken(token.lineno, "lparen", "(")


def _filter(line: int) -> Iterator[TemplateToken]:
    yield TemplateToken(line, "rparen", ")")
    yield TemplateToken(line, "pipe", "|")
    yield TemplateToken(line, "name", _ISOLATED)
