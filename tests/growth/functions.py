"""All functions that process texts of authors and clients."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from ipaddress import ip_network
from urllib.parse import quote

from blog_index import in_base, index_of, posts_of
from conftest import document_of
from gulf import DEFAULT_LOCALE, SLUGS, places
from werkzeug.http import parse_options_header

import llms
from app.features.leads.submission import validate_lead
from app.features.orders.intake import read_lines
from app.features.orders.money import Currency, parse_amount
from app.features.orders.partner_access import bearer_token
from app.platform.asgi import caching
from app.platform.asgi.caching import lists_tag
from app.platform.asgi.client_address import TrustedProxies
from app.platform.asgi.request_target import path_problem, select_parameters
from app.platform.clock import parse_instant
from app.web.http import bodies, request_context
from app.web.http.origins import is_same_origin
from app.web.http.response_headers import DeprecatedPaths
from app.web.legacy import ALIASES
from indexes.blog.index import BlogIndex, Suggestions
from indexes.passages.analysis import Analyzer
from indexes.passages.search import Highlighter
from indexes.text.analysis import highlighter, query_terms, spellings, stems, words
from indexes.text.nearest import NearestPaths
from indexes.text.words import Vocabulary, arabic_stem, bare_words, english_stem, fold
from knowledge.addresses.addresses import Address, parse_address, split_locale
from knowledge.addresses.former_addresses import former_address
from knowledge.addresses.links import is_external, resolve_link
from knowledge.checks.content_linter import ContentLinter
from knowledge.diagnostics.diagnostic import ContentFileError
from knowledge.documents import front_matter
from knowledge.documents.body import body_excerpt
from knowledge.documents.body_opening import opening_heading
from knowledge.documents.content_path import parse_content_path
from knowledge.documents.document import Document
from knowledge.documents.files import SourceFile
from knowledge.documents.site_files import WordLists, parse_word_lists
from knowledge.fields import yaml
from knowledge.fields.field_types import is_email
from knowledge.fields.prices import amounts
from knowledge.locales.locale import Country, Language
from knowledge.markdown.figures import figure_fields
from knowledge.markdown.generator_syntax import read_syntax
from knowledge.markdown.inline import (
    plain_line,
    plain_text,
    references,
    rewrite_targets,
    titles,
    without_html,
)
from knowledge.markdown.parsed_blocks import list_items, parse_blocks, split_anchor
from knowledge.markdown.slugs import Anchor, Heading, allocate, former_slug, slugify
from knowledge.markdown.tokens import estimate_tokens
from knowledge.resources.errors import MajlisError
from knowledge.resources.pages import CONTENT_PAGE
from knowledge.resources.passages import cut, excerpt, text_part
from knowledge.resources.places import locale_routing
from knowledge.resources.posts import POST_PAGE
from knowledge.resources.products import PRODUCT_PAGE
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_map import site_map
from knowledge.resources.site_page import site_page
from knowledge.sections.sections import document_sections, section_diagnostics
from knowledge.snapshot.redirect_rules import parse_redirects
from knowledge.snapshot.snapshot import Snapshot, build_snapshot
from knowledge.views.content_view import ContentView, absolute
from llms import llms_txt
from renderers import json as json_renderer
from renderers.blocks.context import link, quoted
from renderers.feeds import post_feeds as feed
from renderers.html import commonmark, section_texts
from renderers.html import renderer as html
from renderers.html.section_texts import Piece, comparison, text_pieces
from renderers.l10n import bidi
from renderers.l10n.bidi import highlighted
from renderers.markdown import renderer as markdown
from renderers.representation import PAGE_MEDIA_TYPES, choose, names_a_media_type, parse_accept

Function = Callable[[str], object]

REFUSALS = (ValueError, MajlisError, ContentFileError, yaml.YamlError)
"""The exceptions that a function may raise for an invalid text."""

_NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
_PROXIES = TrustedProxies([ip_network("10.0.0.0/8"), ip_network("1.0.0.0/8")])
_VOCABULARY = Vocabulary()
_WITH_PHRASES = Analyzer(Vocabulary(WordLists(groups=(("vat", "value added tax"),))))
_BAHRAIN = Currency.of("BHD")


def _document(body: str) -> Document:
    return document_of("posts/a.md", body)


def _front_matter(text: str) -> object:
    return front_matter.parse(SourceFile("pages/a.md", text))


def _fields(**values: object) -> str:
    """Return front matter with its values as JSON."""
    lines = (f"{name}: {json.dumps(value)}" for name, value in values.items())
    return "\n".join(("---", *lines, "---\n"))


def _field(name: str) -> Function:
    """Return a function that parses a document with the text in one field."""
    return lambda text: document_of("products/a.md", _fields(**{name: text}))


def _snapshot(files: Mapping[str, str]) -> Snapshot:
    documents = {path: document_of(path, text) for path, text in files.items()}
    return build_snapshot(documents, places(), ())[0]


def _site(text: str) -> Snapshot:
    """Return a site in which all texts are this one."""
    short = text[:1_000]
    post = {"title": short, "excerpt": short, "tags": [short], "category": short}
    product = {"id": "1", "title": short, "sku": short, "shortDescription": short}
    return _snapshot(
        {
            "pages/a.md": _fields(title=short, shortDescription=short) + text,
            "posts/b.md": _fields(**post, publishedAt="2026-05-01") + text,
            "products/c.md": _fields(**product, prices={"AED": "5"}) + text,
            "registry/faqs.md": f"## A\n\n:::{{faq}} B\n### C\n{text}\n:::\n",
            "testimonials/d.md": _fields(customerName=short, quote=short),
        }
    )


def _view(snapshot: Snapshot) -> ContentView:
    return ContentView(snapshot, DEFAULT_LOCALE, _NOW, "https://wahat.test")


_ADDRESSES = (Address(CONTENT_PAGE, "faqs"), Address(POST_PAGE, "b"), Address(PRODUCT_PAGE, "c"))


def _pages(text: str, render: Callable[..., object]) -> None:
    view = _view(_site(text))
    for address in _ADDRESSES:
        render(site_page(view, address, PageQuery()))


def _map(render: Callable[..., object]) -> Function:
    def rendered(text: str) -> object:
        view = _view(_site(text))
        return render(view, site_map(view.snapshot, view.now))

    return rendered


def _checked(text: str) -> object:
    return list(ContentLinter(_site(text), _NOW).diagnostics())


_SMALL_SNAPSHOT = _site("invoices and taxes of the shop")
_SMALL_INDEX = index_of(_SMALL_SNAPSHOT)
_SMALL_BASE = in_base(posts_of(_SMALL_SNAPSHOT))
_PATHS = NearestPaths(["/blog/invoices", "/cities/riyadh"])


def _indexed(text: str) -> object:
    return index_of(_site(text)).find(DEFAULT_LOCALE, "word")


def _searched(index: BlogIndex, query: str) -> object:
    return index.find(DEFAULT_LOCALE, query)


def _suggested(query: str) -> object:
    def is_there(_: str) -> bool:
        return True

    view = _view(_SMALL_SNAPSHOT)
    return Suggestions(_SMALL_INDEX, view, is_there).instead_of(query)


def _lead(text: str) -> object:
    return validate_lead(
        dict.fromkeys(("email", "name", "phone", "message", "sourcePage"), text), SLUGS
    )


def _origin(text: str) -> object:
    return is_same_origin({b"origin": text.encode("latin-1", "replace")}, "https://a.test")


_DEPRECATED = DeprecatedPaths()
for _alias, _stable in ALIASES.items():
    _DEPRECATED.add(_alias, _stable)

_RULES, _ = parse_redirects("/* /x/:splat\n/:a/* /b\n/:a/:b/:c/* /d\n/a/:b/a/:c/* /e")

CHEAP: Mapping[str, Function] = {
    # knowledge
    "inline.rewrite_targets": lambda text: rewrite_targets(text, str.upper),
    "inline.rewrite_targets of a page": lambda text: rewrite_targets(
        f"[a](b)\n{text}\n[c]: d", str.upper
    ),
    "generator_syntax.read_syntax": lambda text: read_syntax(f"<!-- -->\n{text}", "posts/a.md"),
    "generator_syntax.read_syntax MDX": lambda text: read_syntax(text, "posts/a.mdx"),
    "blocks.split_anchor": split_anchor,
    "anchors.allocate": lambda text: allocate((tuple(map(Heading, text.split())),)),
    "passages.cut list": lambda text: list(cut([("list", text)])),
    "passages.cut table": lambda text: list(cut([("table", text)])),
    "content_path.slugify": slugify,
    "content_path.former_slug": former_slug,
    "content_path.parse_content_path": lambda text: parse_content_path(
        f"posts/{text}.md", places({"riyadh": Country("SA")})
    ),
    "front_matter.parse": _front_matter,
    "front_matter.parse YAML": lambda text: _front_matter(f"---\n{text}\n---\nText"),
    "front_matter.parse TOML": lambda text: _front_matter(f"+++\n{text}\n+++\nText"),
    "front_matter.parse unclosed": lambda text: _front_matter(f"---\n{text}"),
    "yaml.load": yaml.load,
    "yaml.load value": lambda text: yaml.load(f"a: {text}"),
    "word_lists.parse_word_lists": parse_word_lists,
    "redirect_rules.parse_redirects": parse_redirects,
    "redirect_rules.match": lambda text: _RULES.match(f"/{text}"),
    "old_addresses": lambda text: _snapshot(
        {"posts/a.md": _fields(title="A", aliases=[text, f"/{text}"])}
    ),
    "former_addresses.former_address": lambda text: former_address(
        _SMALL_SNAPSHOT, f"/{text}", DEFAULT_LOCALE, _NOW
    ),
    "links.is_external": is_external,
    "links.resolve_link": lambda text: resolve_link(_SMALL_SNAPSHOT, "pages/a.md", text),
    "addresses.parse_address": lambda text: parse_address(f"/{text}"),
    "addresses.split_locale": lambda text: split_locale(f"/ae/en/{text}"),
    "content_view.absolute": lambda text: absolute("https://a.test", f"/{text}"),
    "locale.parse": lambda text: (Country.parse(text), Language.parse(text)),
    "fields: title": _field("title"),
    "fields: tags": _field("tags"),
    "fields: countries": _field("countries"),
    "fields: publishedAt": _field("publishedAt"),
    "fields: price": lambda text: document_of("products/a.md", _fields(prices={"AED": text})),
    "fields: coverImage": _field("coverImage"),
    "documents.parse_document list": lambda text: document_of(
        "posts/a.md", f"---\ntags: [{text}]\n---\n"
    ),
    # indexes
    "folding.fold": fold,
    "analysis.words": lambda text: words(fold(text)),
    "analysis.query_terms": lambda text: query_terms(text, _VOCABULARY),
    "stemming.bare_words": lambda text: list(bare_words(text)),
    "stemming.arabic_stem": arabic_stem,
    "stemming.english_stem": english_stem,
    "blog.find": lambda text: _searched(_SMALL_INDEX, text),
    "blog.find in a base": lambda text: _searched(_SMALL_BASE, text),
    "blog.near": lambda text: list(_SMALL_INDEX.near(fold(text))),
    "suggestions.instead_of": _suggested,
    "nearest.find": lambda text: list(_PATHS.find(f"/{text}")),
    # renderers
    "bidi.isolated": lambda text: bidi.isolated(text, "rtl"),
    "bidi.isolated in English": lambda text: bidi.isolated(text, "ltr"),
    "bidi.detect_language": lambda text: bidi.detect_language(text, Language.AR),
    "tokens.estimate_tokens": estimate_tokens,
    "commonmark.safe_href": commonmark.safe_href,
    "markdown.context": lambda text: (quoted(text), link(text, "/a")),
    "negotiation.parse_accept": parse_accept,
    "negotiation.choose": lambda text: choose(text, PAGE_MEDIA_TYPES),
    "negotiation.names_a_media_type": names_a_media_type,
    # llms
    "llms.content_usage": llms.content_usage,
    # app
    "content_encoding.choose": caching.choose,
    "conditional.lists_tag": lambda text: lists_tag(text, "a"),
    "Accept-Language": lambda text: locale_routing(
        _SMALL_SNAPSHOT, None, request_context.languages_of({b"accept-language": text.encode()})
    ),
    "Content-Type": parse_options_header,
    "trusted_proxies.client": lambda text: _PROXIES.client("10.0.0.7", text),
    "bodies.form_fields": lambda text: bodies.form_fields(text.encode()),
    "bodies.form_fields value": lambda text: bodies.form_fields(f"a={text}".encode()),
    "bodies.json_object": lambda text: bodies.json_object(text.encode()),
    "leads.is_email": is_email,
    "leads.is_email host": lambda text: is_email(f"a@{text}"),
    "clock.parse_instant": parse_instant,
    "tokens.bearer_token": bearer_token,
    "target.path_problem": lambda text: path_problem(quote(text).encode(), text),
    "target.select_parameters": lambda text: select_parameters(f"a={quote(text)}".encode(), ("a",)),
    "legacy.successor": lambda text: _DEPRECATED.successor(f"/api/{text}"),
    "same_origin": _origin,
    "plan_prices.amounts": lambda text: list(amounts(text)),
    "sections of a plan": lambda text: document_sections(
        _document(f":::{{plans}} P\n### A\n:price: {text}\n:::")
    ),
    "money.parse_amount": lambda text: parse_amount(text, _BAHRAIN),
    "intake.read_lines": lambda text: list(read_lines([text.encode()])),
}
"""Functions that take microseconds for 1,000 characters."""

COSTLY: Mapping[str, Function] = {
    "inline.plain_text": plain_text,
    "highlights.highlighter": highlighter("vat invoices", _VOCABULARY),
    "passages.highlights.Highlighter": Highlighter({"vat", "invoic", "+0"}, _WITH_PHRASES),
    "search_excerpts.excerpt": lambda text: excerpt(text, highlighter("vat", _VOCABULARY)),
    "highlighting.highlighted": lambda text: highlighted(
        text, highlighter("vat", _VOCABULARY), "rtl"
    ),
    "analysis.spellings": lambda text: spellings(fold(text)),
    "nearest.paths": lambda text: list(NearestPaths(text.split()).find("/blog/a")),
    "analysis.stems": lambda text: list(stems(fold(text), Vocabulary())),
    "leads.validate_lead": _lead,
    "inline.plain_line": plain_line,
    "inline.references": references,
    "inline.without_html": without_html,
    "blocks.parse_blocks": parse_blocks,
    "inline.titles": lambda text: list(titles(text)),
    # Short texts are cut too; otherwise they take no time, and longer ones seem to grow.
    "passages.text_part": lambda text: list(cut(text_part((), Anchor(""), text).blocks, 0)),
    "sections.document_sections": lambda text: document_sections(_document(text)),
    "sections.section_diagnostics": lambda text: list(section_diagnostics(_document(text))),
    "titles.opening_heading": opening_heading,
    "titles.opening_heading of a heading": lambda text: opening_heading(f"# {text}"),
    "excerpts.body_excerpt": lambda text: body_excerpt(_document(text)),
    "commonmark.render_markdown": lambda text: commonmark.render_markdown(
        text, commonmark.RenderOptions(anchors=True, direction="rtl")
    ),
    "section_texts.item_list": section_texts.item_list,
    "buttons.call_to_action": section_texts.call_to_action,
    "comparison.comparison": lambda text: comparison(text, commonmark.RenderOptions()),
    "text_pieces.text_pieces": lambda text: text_pieces(
        text, commonmark.RenderOptions(), Piece.BUTTONS | Piece.ITEMS | Piece.TABLES | Piece.QUOTE
    ),
    "figures.figure_fields": lambda text: list(figure_fields(text)),
    "list_items.list_items": list_items,
    "section_texts.figure": section_texts.figure,
    "section_texts.paragraphs": section_texts.paragraphs,
}
"""Functions that process each word, or parse markdown."""

WHOLE: Mapping[str, Function] = {
    "html.render": lambda text: _pages(text, html.render),
    "markdown.render": lambda text: _pages(text, markdown.render),
    "json.render": lambda text: _pages(text, lambda page: json_renderer.render(page.answer)),
    "feed.render": lambda text: feed.render_atom(_view(_site(text))),
    "llms_txt.render_locale": _map(llms_txt.render_locale),
    "llms_full.render": _map(llms_txt.render_full),
    "checks": _checked,
    "blog.index": _indexed,
}
"""Functions that render whole pages, or process whole sites."""


def called(function: Function, text: str) -> None:
    """Call a function; a text that it refuses counts as well."""
    with suppress(*REFUSALS):
        function(text)
