"""One post of the blog."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain

from knowledge.addresses.addresses import Address, address_of
from knowledge.diagnostics.messages import mark as _
from knowledge.documents.body import AnchoredBlocks, post_blocks
from knowledge.fields.content_types import POST
from knowledge.fields.schemas import PostFields
from knowledge.locales.locale import Language
from knowledge.markdown.blocks import Block
from knowledge.resources.authors import AUTHOR_PAGE
from knowledge.resources.blog import PostAuthor, excerpt_of
from knowledge.resources.document_page import not_found, title_of
from knowledge.resources.own_values import own_values
from knowledge.resources.page_sections import anchor_ids
from knowledge.resources.passages import PageParts, block_parts
from knowledge.resources.posts import (
    POST_PAGE,
    PostBody,
    PostCta,
    PostDetail,
    PostSeries,
    categories_of,
    lead_of,
)
from knowledge.resources.site_page import PageModel
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView
from renderers.html.json_ld import entity, organization_id, picture, without_empty
from renderers.html.page_links import contents_of_text, share_links
from renderers.l10n.formats import local_date, minutes, timestamp
from renderers.l10n.translation import translate
from renderers.markdown.context import (
    MarkdownContext,
    bullets,
    chapter,
    labelled,
    link_text,
    own_lines,
    paragraphs,
    shown_facts,
)
from renderers.markdown.navigation import NavLink, canonical
from renderers.markdown.passages import PassageContext, passage_context, passage_page
from renderers.page_rendering import Node, PageRendering, Properties, Variables, declare_rendering
from renderers.pages.blog import category_path, post_lines, tag_links


def _variables(page: PageModel[PostDetail]) -> Variables:
    """Return a post's category, its cover's alt text, and whether its body shows the cover."""
    view, detail = page.view, page.answer.resource
    resolved = view.resolve(POST, page.address.slug)
    if resolved is None:
        lists = dict.fromkeys(("categories", "tags", "share_links", "contents"), ())
        return {**lists, "cta": None, "cover_alt": "", "cover_in_text": False}
    cover = detail.post.cover_image
    return {
        "categories": [
            NavLink(category.name, category_path(view, category.slug))
            for category in categories_of(view, resolved)
        ],
        "tags": list(_tag_links(page)),
        "share_links": share_links(detail.post.title, canonical(page), view.locale.language),
        "cta": _complete_cta(detail.cta, view.locale.language),
        "contents": contents_of_text(detail.post.headings),
        "cover_alt": resolved.pick(resolved.fields.cover_image_alt) or "",
        "cover_in_text": bool(cover)
        and any(str(cover) in block.text for block in detail.post.body),
    }


def _complete_cta(cta: PostCta | None, language: Language) -> PostCta | None:
    """Return the call to action with the usual texts in place of those left out."""
    if cta is None:
        return None
    title = cta.title or translate(_("A question about this topic?"), language)
    text = cta.text or translate(_("Write to us, and a colleague will answer."), language)
    return cta.model_copy(
        update={
            "title": title,
            "text": text,
            "label": cta.label or translate(_("Contact us"), language),
        }
    )


def _nodes(page: PageModel[PostDetail]) -> Iterator[Node]:
    post, updated = page.answer.resource.post, page.answer.updated_at
    properties = {
        "@type": "BlogPosting",
        "headline": post.title,
        "description": post.excerpt,
        "inLanguage": page.language,
        "datePublished": post.published_at,
        "dateModified": updated,
        "image": picture(page, post.cover_image),
        "keywords": [each.title for each in _tag_links(page)],
        "timeRequired": f"PT{post.reading_minutes}M",
        "author": _authors(page) or {"@id": organization_id(page)},
        "publisher": {"@id": organization_id(page)},
    }
    yield entity(page, "article", properties)


def _properties(page: PageModel[PostDetail]) -> Properties:
    """Yield what Open Graph knows of an article."""
    post = page.answer.resource.post
    yield "article:published_time", _moment(post.published_at, page)
    yield "article:modified_time", _moment(page.answer.updated_at, page)
    for author in post.authors or ():
        yield "article:author", _author_url(page.view, author)
    resolved = page.view.resolve(POST, page.address.slug)
    for category in categories_of(page.view, resolved)[:1] if resolved else ():
        yield "article:section", category.name
    yield from (("article:tag", each.title) for each in _tag_links(page))


def _tag_links(page: PageModel[PostDetail]) -> Iterator[NavLink]:
    return tag_links(page.view.snapshot, page.locale, page.answer.resource.post.tags)


def _moment(moment: datetime | None, page: PageModel[PostDetail]) -> str | None:
    return timestamp(moment, page.locale) if moment else None


def _authors(page: PageModel[PostDetail]) -> list[Node]:
    """Return the authors as people."""
    return [
        without_empty(
            {
                "@type": "Person",
                "name": author.name,
                "url": _author_url(page.view, author),
                "sameAs": picture(page, author.url) if author.slug else None,
                "jobTitle": author.title,
                "image": picture(page, author.image),
            }
        )
        for author in page.answer.resource.post.authors or ()
    ]


def _author_url(view: ContentView, author: PostAuthor) -> str | None:
    """Return the absolute URL of the page of an author, else the author's own one."""
    if author.slug is None:
        return author.url
    return view.absolute(
        view.locale.path + address_of(view.snapshot, AUTHOR_PAGE, author.slug).path
    )


def _markdown(detail: PostDetail, context: MarkdownContext) -> str:
    """Return the text of a post, then its tags, adjacent posts and related posts."""
    post = detail.post
    return paragraphs(
        [
            post.lead,
            *_dates(post, context),
            _byline(post.authors or (), context),
            f"{context.gettext('Reading time')}: {minutes(post.reading_minutes, context.locale)}",
            *(block.text for block in post.body),
            _linked_tags(post.tags, context),
            _series(detail.series, context),
            _call_to_action(detail.cta, context),
            bullets(_adjacent_posts(detail, context)),
            chapter(context.gettext("Related articles"), post_lines(detail.related, context)),
        ]
    )


def _adjacent_posts(detail: PostDetail, context: MarkdownContext) -> Iterator[str]:
    adjacent = ((_("Older article"), detail.prev), (_("Newer article"), detail.next))
    for name, post in adjacent:
        if post:
            post_link = context.link(post.title, POST_PAGE, post.slug)
            yield f"{context.gettext(name)}: {post_link}"


def _page_parts(view: ContentView, address: Address) -> PageParts:
    """Return the parts of a post, without looking up its neighbours and related posts."""
    post = view.resolve(POST, address.slug)
    if post is None or view.locale not in view.snapshot.open_locales:
        raise not_found("post", address.slug)
    page = passage_page(view, address, post, title_of(post))
    document = post.bodies[-1] if post.bodies else None
    blocks = post_blocks(document) if document else ()
    taken = anchor_ids(chain.from_iterable(anchors for _, anchors in blocks))
    context = passage_context(view, address, page.heading, taken)
    parts = block_parts((*_opening(post, blocks, context), *blocks), (), context.anchor)
    source = document.path if document else ""
    return PageParts(
        page,
        context.anchor,
        tuple(parts),
        post.language,
        lambda text: view.markdown(text, source),
    )


def _opening(
    post: Resolved[PostFields], blocks: AnchoredBlocks, context: PassageContext
) -> AnchoredBlocks:
    """Return the lead of a post, its tags and its shown fields."""
    lead = lead_of(excerpt_of(post), ((block.type, block.text) for block, _ in blocks))
    own = own_lines(own_values(context.view, post), context, searched=True)
    shown = labelled((*shown_facts(post), *own))
    tags = tag_links(context.view.snapshot, context.locale, post.fields.tags or ())
    texts = (lead, _tags([each.title for each in tags], context), shown)
    return tuple((Block("paragraph", text, 1), ()) for text in texts if text)


def _dates(post: PostBody, context: MarkdownContext) -> Iterator[str]:
    """Yield the day of publication, and that of a later change."""
    dates = ((_("Published"), post.published_at), (_("Updated"), post.updated_at))
    for name, moment in dates:
        if moment:
            yield f"{context.gettext(name)}: {local_date(moment, context.locale)}"


def _call_to_action(cta: PostCta | None, context: MarkdownContext) -> str:
    complete = _complete_cta(cta, context.language)
    if complete is None:
        return ""
    button = f"[{link_text(complete.label or '')}]({complete.href})"
    return chapter(complete.title or "", complete.text, button)


def _byline(authors: Sequence[PostAuthor], context: MarkdownContext) -> str:
    """Return who wrote a post, each name as a link if there is one."""
    names = [
        context.link(author.name, AUTHOR_PAGE, author.slug) if author.slug else author.name
        for author in authors
    ]
    return f"{context.gettext('By')}: {context.join(names)}" if names else ""


def _series(series: PostSeries | None, context: MarkdownContext) -> str:
    """Return the parts of the series of a post."""
    if series is None:
        return ""
    links = (context.link(part.title, POST_PAGE, part.slug) for part in series.parts)
    title = f"{context.gettext('Series')}: {series.name}"
    return chapter(title, "\n".join(f"{number}. {each}" for number, each in enumerate(links, 1)))


def _linked_tags(tags: Sequence[str], context: MarkdownContext) -> str:
    links = tag_links(context.snapshot, context.locale, tags)
    return _tags(
        [context.page_link(each.title, each.path) if each.path else each.title for each in links],
        context,
    )


def _tags(tags: Sequence[str], context: MarkdownContext) -> str:
    return f"{context.gettext('Tags')}: {context.join(tags)}" if tags else ""


declare_rendering(
    PageRendering(
        resources=(PostDetail,),
        heading=lambda page: page.answer.resource.post.title,
        markdown=_markdown,
        variables=_variables,
        own_text=lambda detail: detail.model_copy(
            update={"related": [], "prev": None, "next": None, "series": None, "cta": None}
        ),
        nodes=_nodes,
        page_parts=_page_parts,
        kind="article",
        properties=_properties,
        image=lambda page: page.answer.resource.post.cover_image,
    ),
    POST_PAGE,
)
