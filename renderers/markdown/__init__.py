"""The markdown form: clean CommonMark for agents, with absolute links and front matter."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial

from knowledge.content_view import absolute
from knowledge.inline import rewrite_targets
from knowledge.locale import DEFAULT_LOCALE
from knowledge.resources.base import Body, LocalizedResource, Resource
from knowledge.resources.missing import Fallback
from knowledge.resources.site_page import PageMeta, PageModel
from knowledge.snapshot import NO_DOCUMENTS, Snapshot
from renderers.documentation_page import DocumentationPage
from renderers.error_page import ErrorPage, error_texts
from renderers.markdown.bodies import write
from renderers.markdown.context import MarkdownContext, bullets, chapter, link, paragraphs
from renderers.markdown.related_links import related_links, strip_related_links
from renderers.media_types import MediaType
from renderers.pagination import canonical
from renderers.representation import Representation
from renderers.representation_urls import other_languages
from renderers.titles import page_title
from renderers.tokens import estimate_tokens

MEDIA_TYPE = "text/markdown; charset=utf-8"


def render(page: PageModel[Resource]) -> Representation:
    """A public page: front matter, title, the way to the index, then the text."""
    text = page_text(page)
    tokens = estimate_tokens(text)
    body = f"{_front_matter(page, page_title(page), tokens)}\n{text}"
    return Representation(MEDIA_TYPE, body.encode(), page.language, page.answer.updated_at, tokens)


def render_documentation(manual: DocumentationPage) -> Representation:
    """A page of the service itself, with the same head as every page."""
    parts = [
        f"# {manual.page.title}",
        index_pointer(MarkdownContext(DEFAULT_LOCALE), manual),
        manual.text,
    ]
    text = _finished("\n\n".join(parts), manual.view.base_url)
    tokens = estimate_tokens(text)
    body = f"{_front_matter(manual, manual.page.title, tokens)}\n{text}"
    return Representation(MEDIA_TYPE, body.encode(), manual.language, manual.updated_at, tokens)


def render_resource(
    answer: LocalizedResource[Body], base_url: str, snapshot: Snapshot = NO_DOCUMENTS
) -> Representation:
    """An API resource; one that a page shows reads as that page does, without its head."""
    text = _finished(write(answer.resource, MarkdownContext(answer.locale, snapshot)), base_url)
    tokens = estimate_tokens(text)
    return Representation(MEDIA_TYPE, text.encode(), answer.language, answer.updated_at, tokens)


def page_text(page: PageModel[Resource]) -> str:
    """A page's markdown below the front matter."""
    writer = MarkdownContext(page.locale, page.view.snapshot)
    parts = [
        f"# {page_title(page)}",
        index_pointer(writer, page),
        write(page.answer.resource, writer),
        related_links(page, writer),
    ]
    return _finished(paragraphs(parts), page.view.base_url)


def page_chapter(page: PageModel[Resource]) -> str:
    """A page as one of several in a longer text: its title, its address, its own text."""
    text = write(
        strip_related_links(page.answer.resource), MarkdownContext(page.locale, page.view.snapshot)
    )
    parts = (f"# {page_title(page)}", f"<{page.seo.canonical}>", text)
    return _finished(paragraphs(parts), page.view.base_url)


def index_pointer(writer: MarkdownContext, page: PageMeta) -> str:
    """The line that leads an agent from any page to the index that lists it."""
    return f"> {writer.say('Index of this site')}: [llms.txt]({page.index_path})"


def _finished(text: str, base_url: str) -> str:
    """Absolute links, and one line feed at the end."""
    return rewrite_targets(text, partial(absolute, base_url)).rstrip() + "\n"


def _front_matter(page: PageMeta, title: str, tokens: int) -> str:
    return "\n".join(["---", *_front_matter_lines(page, title, tokens), "---", ""])


def _front_matter_lines(page: PageMeta, title: str, tokens: int) -> Iterator[str]:
    yield f"title: {_quoted(title)}"
    if page.seo.description:
        yield f"description: {_quoted(page.seo.description)}"
    yield f"url: {_quoted(canonical(page))}"
    yield f"lang: {page.language}"
    yield f"dir: {page.language.direction}"
    if page.updated_at:
        yield f"updated: {page.updated_at:%Y-%m-%dT%H:%M:%SZ}"
    yield f"tokens: {tokens}"
    others = list(other_languages(page, MediaType.MARKDOWN))
    if others:
        yield "alternates:"
        yield from (f"  {other.hreflang}: {_quoted(other.href)}" for other in others)


def _quoted(text: str) -> str:
    """A YAML double-quoted scalar: JSON's escapes are a part of YAML's."""
    return json.dumps(" ".join(text.split()), ensure_ascii=False)


def render_error(page: ErrorPage, elsewhere: Fallback | None = None) -> Representation:
    """An error in short, with the ways on: the index, the sitemap, the home, nearest titles.

    `elsewhere` is where the page is published.
    """
    writer = MarkdownContext(page.locale)
    title, explanation = error_texts(page)
    links = [
        f"[llms.txt]({page.locale.path}/llms.txt)",
        "[sitemap.xml](/sitemap.xml)",
        link(writer.say("Home"), page.locale.path),
    ]
    parts = [
        f"# {page.status} {title}",
        explanation,
        f"[{elsewhere.href}]({elsewhere.href})" if elsewhere else "",
        bullets(links),
        chapter(writer.say("Did you mean"), bullets(link(*near) for near in page.nearest)),
    ]
    text = _finished(paragraphs(parts), page.base_url)
    return Representation(MEDIA_TYPE, text.encode(), page.locale.language)
