"""The Markdown renderer: CommonMark for agents, of pages, API resources and manuals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

from knowledge.blocks.block import Role
from knowledge.diagnostics.messages import mark as _
from knowledge.locales.locale import Language, Locale
from knowledge.markdown.tokens import estimate_tokens
from knowledge.resources.base import LocalizedResource, Resource
from knowledge.resources.country_texts import countries_with_other_text
from knowledge.resources.search import country_facts
from knowledge.resources.site_page import DocumentationPage, PageMeta, PageModel, PreviewNote
from knowledge.views.content_view import ContentView
from renderers.blocks.context import (
    paragraphs,
    with_markdown_links,
)
from renderers.blocks.page_blocks import content_of, text_of, written_blocks
from renderers.blocks.section import whole_texts
from renderers.l10n.formats import date_time, timestamp
from renderers.l10n.translation import in_site_texts, translate
from renderers.markdown.navigation import canonical
from renderers.page_rendering import page_title
from renderers.representation import (
    MediaType,
    Representation,
    other_languages,
    variants_of,
)

MEDIA_TYPE = "text/markdown; charset=utf-8"


@in_site_texts
def render(page: PageModel[Resource]) -> Representation:
    """Render a public page: front matter, title, a link to the index, then the text."""
    return _with_front_matter(page, page_title(page), page_text(page))


@in_site_texts
def render_documentation(documentation: DocumentationPage) -> Representation:
    """Render a documentation page, with front matter, title and index link like any page."""
    text = documentation_text(documentation)
    return _with_front_matter(documentation, documentation.page.title, text)


@in_site_texts
def documentation_text(documentation: DocumentationPage) -> str:
    """Return the Markdown of a documentation page without the front matter."""
    title = documentation.page.title
    parts = (f"# {title}", index_link(documentation.language, documentation), documentation.text)
    return _finalize(paragraphs(parts), documentation.view)


@in_site_texts
def render_resource(view: ContentView, answer: LocalizedResource[Resource]) -> Representation:
    """Render an API resource with the same text as its page, without front matter and title."""
    page = content_of(view, answer)
    if page is None:
        context = whole_texts(answer.locale)
        text = "\n".join(_tree(answer.resource.model_dump(mode="json", context=context), 0))
    else:
        text = text_of(written_blocks(page, page_title(page))[1])
    text = _finalize(text, view)
    tokens = estimate_tokens(text)
    return Representation(MEDIA_TYPE, text.encode(), answer.language, answer.updated_at, tokens)


@in_site_texts
def page_text(page: PageModel[Resource]) -> str:
    """Return the Markdown of a page without the front matter."""
    title = page_title(page)
    parts = [
        f"# {title}",
        f"> {preview_text(page.preview, page.locale)}" if page.preview else "",
        index_link(page.locale.language, page),
        text_of(written_blocks(page, title)[1]),
    ]
    return _finalize(paragraphs(parts), page.view)


@in_site_texts
def page_chapter(page: PageModel[Resource]) -> str:
    """Return a page as a chapter of a longer text: its title, its URL and its own text."""
    title = page_title(page)
    own = (each for each in written_blocks(page, title)[1] if each.role is Role.TEXT)
    parts = (f"# {title}", f"<{page.seo.canonical}>", text_of(own))
    return _finalize(paragraphs(parts), page.view)


def index_link(language: Language, page: PageMeta) -> str:
    """Return the line that links a page to its llms.txt."""
    return f"> {translate(_('Index of this site'), language)}: [llms.txt]({page.index_path})"


def _finalize(text: str, view: ContentView) -> str:
    """Make links absolute, those to pages to their Markdown, and end with one line feed."""
    return with_markdown_links(text, view.base_url, view.snapshot.page_types).rstrip() + "\n"


def _with_front_matter(page: PageMeta, title: str, text: str) -> Representation:
    tokens = estimate_tokens(text)
    lines = ("---", *_front_matter_lines(page, title, tokens), "---", "", text)
    body = "\n".join(lines).encode()
    return Representation(MEDIA_TYPE, body, page.language, page.updated_at, tokens)


def _front_matter_lines(page: PageMeta, title: str, tokens: int) -> Iterator[str]:
    yield f"title: {_quoted(title)}"
    if page.seo.description:
        yield f"description: {_quoted(page.seo.description)}"
    yield f"url: {_quoted(canonical(page))}"
    yield f"lang: {page.language}"
    yield f"dir: {page.language.direction}"
    if page.updated_at:
        yield f"updated: {timestamp(page.updated_at, page.view.locale)}"
    yield f"tokens: {tokens}"
    if isinstance(page, PageModel):
        yield from _country_lines(page)
    others = list(other_languages(page, MediaType.MARKDOWN))
    if others:
        yield "alternates:"
        yield from (f"  {other.hreflang}: {_quoted(other.href)}" for other in others)


def _country_lines(page: PageModel[Resource]) -> Iterator[str]:
    """Yield the country of a page, and the same page of those where its text differs."""
    locale = page.view.locale
    if locale.country is None:
        return
    yield from (f"{key}: {_quoted(value)}" for key, value in country_facts(locale).items())
    language = page.language if isinstance(page.language, Language) else locale.language
    others = countries_with_other_text(
        page.view.snapshot, page.address, locale.in_language(language)
    )
    slugs = {Locale(country, language).tag: country.slug for country in others}
    variants = list(variants_of(page, slugs, MediaType.MARKDOWN)) if slugs else []
    if variants:
        yield "countries:"
        yield from (f"  {_quoted(slugs[each.hreflang])}: {_quoted(each.href)}" for each in variants)


def _quoted(text: str) -> str:
    """Return a YAML double-quoted scalar; YAML accepts all escapes of JSON."""
    return json.dumps(" ".join(text.split()), ensure_ascii=False)


def _tree(value: object, depth: int) -> Iterator[str]:
    """Yield a value as nested bullets, with the key names of the API contract."""
    indent = "  " * depth
    if isinstance(value, dict):
        for key, child in value.items():
            if isinstance(child, (dict, list)) and child:
                yield f"{indent}- **{key}**:"
                yield from _tree(child, depth + 1)
            else:
                yield f"{indent}- **{key}**: {_scalar(child)}"
    elif isinstance(value, list):
        for number, child in enumerate(value, start=1):
            if isinstance(child, (dict, list)):
                yield f"{indent}- {number}"
                yield from _tree(child, depth + 1)
            else:
                yield f"{indent}- {_scalar(child)}"


def _scalar(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    return " ".join(str(value).split()) if value not in ([], {}) else ""


PLAIN_TEXT = "text/plain; charset=utf-8"


def render_plain_text(page: PageModel[Resource]) -> Representation:
    """Render a public page as plain text."""
    return as_plain_text(render(page))


def as_plain_text(text: Representation) -> Representation:
    """Return a markdown text as plain text."""
    return replace(text, media_type=PLAIN_TEXT)


def preview_text(note: PreviewNote, locale: Locale) -> str:
    """Return the note in the language of the locale, with times of its country."""
    language, until = locale.language, date_time(note.valid_until, locale)
    if note.at:
        at = date_time(note.at, locale)
        return translate(
            _("Preview of %(at)s; link valid until %(until)s"), language, at=at, until=until
        )
    if note.is_public:
        return translate(_("Preview; link valid until %(until)s"), language, until=until)
    return translate(_("Preview, not published; link valid until %(until)s"), language, until=until)
