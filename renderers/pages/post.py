"""One post of the blog."""

from collections.abc import Iterator
from datetime import datetime

from knowledge.addresses.addresses import address_of
from knowledge.blocks.block import Block, Picture, Role
from knowledge.blocks.cards import CardsBlock
from knowledge.blocks.facts import FactsBlock, facts_of
from knowledge.blocks.links import LinksBlock, NamedLink
from knowledge.blocks.text import TextBlock
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import POST
from knowledge.locales.locale import Language
from knowledge.resources.authors import AUTHOR_PAGE
from knowledge.resources.blog import PostAuthor
from knowledge.resources.posts import (
    POST_PAGE,
    PostCta,
    PostDetail,
    PostSeries,
    categories_of,
    post_alone,
)
from knowledge.resources.site_page import PageContent, PageModel
from knowledge.views.content_view import ContentView
from renderers.blocks.context import (
    MarkdownContext,
    image,
    link,
    paragraphs,
)
from renderers.blocks.page_blocks import fact_block
from renderers.html.json_ld import entity, organization_id, picture, without_empty
from renderers.html.page_links import contents_of_text, share_links
from renderers.l10n.formats import local_date, minutes, timestamp
from renderers.l10n.translation import translate
from renderers.markdown.navigation import NavLink, canonical
from renderers.page_rendering import (
    Node,
    PageRendering,
    Properties,
    Variables,
    declare_rendering,
    picture_at,
)
from renderers.pages.blog import category_path, post_cards, tag_links


def _variables(page: PageModel[PostDetail]) -> Variables:
    """Return what a post has beside its text; sites may show its cover by `cover_alt`, too."""
    view, detail = page.view, page.answer.resource
    resolved = view.resolve(POST, page.address.slug)
    if resolved is None:
        lists = dict.fromkeys(("categories", "share_links", "contents"), ())
        return {**lists, "cover": None, "cover_alt": "", "cover_in_text": False}
    cover = _cover(page)
    return {
        "categories": [
            NavLink(category.name, category_path(view, category.slug))
            for category in categories_of(view, resolved)
        ],
        "cover": cover,
        "cover_alt": resolved.pick(resolved.fields.cover_image_alt) or "",
        "cover_in_text": bool(detail.post.cover_image and not cover),
        "share_links": share_links(detail.post.title, canonical(page), view.locale.language),
        "contents": contents_of_text(detail.post.headings),
    }


def _cover(page: PageContent[PostDetail]) -> Picture | None:
    """Return the picture above the text of a post, None if the text shows it."""
    cover = _image(page)
    return (
        None
        if cover and any(cover.url in block.text for block in page.resource.post.body)
        else cover
    )


def _image(page: PageContent[PostDetail]) -> Picture | None:
    document = page.view.resolve(POST, page.address.slug)
    alt = document.pick(document.fields.cover_image_alt) if document else None
    return picture_at(page.answer.resource.post.cover_image, alt)


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
        "author": _authors(page) or {"@id": organization_id(page.view)},
        "publisher": {"@id": organization_id(page.view)},
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


def _blocks(page: PageContent[PostDetail], context: MarkdownContext) -> Iterator[Block]:
    """Yield the text of a post, then its tags, its series, and posts that follow it."""
    detail, gettext = page.resource, context.gettext
    post = detail.post
    yield TextBlock(text=post.lead or "", place="introduction")
    byline = facts_of(_byline(page, context))
    yield FactsBlock(items=byline, searched=(), place="introduction")
    cover = _cover(page)
    if cover:
        yield TextBlock(text=image(cover), role=Role.NAVIGATION, place="introduction")
    body = paragraphs(block.text for block in post.body)
    parsed = tuple((block.parsed, block.anchors) for block in post.body)
    yield TextBlock(text=body, text_anchors=post.anchors, parsed=parsed)
    tags = tag_links(context.snapshot, context.locale, post.tags)
    names = [NamedLink(text=each.title, href=each.path) for each in tags]
    yield LinksBlock(label=gettext("Tags"), items=names, place="tags")
    yield fact_block(detail, context)
    yield from _series(detail.series, context)
    cta = _complete_cta(detail.cta, context.language)
    if cta:
        text = paragraphs([cta.text, link(cta.label or "", cta.href)])
        yield TextBlock(
            heading=cta.title, text=text, role=Role.NAVIGATION, is_call=True, place="foot"
        )
    adjacent = (
        ("prev", gettext("Older article"), detail.prev),
        ("next", gettext("Newer article"), detail.next),
    )
    neighbours = [
        NamedLink(
            text=each.title,
            href=context.path(POST_PAGE, each.slug),
            label=label,
            relation=relation,
            language=each.lang,
        )
        for relation, label, each in adjacent
        if each
    ]
    yield LinksBlock(items=neighbours, role=Role.NAVIGATION, place="neighbours")
    cards = post_cards(detail.related, context)
    heading = gettext("Related articles")
    yield CardsBlock(
        heading=heading, items=cards, are_posts=True, role=Role.NAVIGATION, place="related"
    )


def _byline(page: PageContent[PostDetail], context: MarkdownContext) -> Iterator[tuple[str, str]]:
    """Yield when a post was published and changed, who wrote it, what about, and how long it is."""
    post, view = page.resource.post, page.view
    dates = ((_("Published"), post.published_at), (_("Updated"), post.updated_at))
    for name, moment in dates:
        if moment:
            yield context.gettext(name), str(local_date(moment, context.locale))
    if post.authors:
        yield context.gettext("By"), context.join(_author(each, context) for each in post.authors)
    document = view.resolve(POST, page.address.slug)
    for each in categories_of(view, document) if document else ():
        yield context.gettext("Category"), link(each.name, category_path(view, each.slug))
    yield context.gettext("Reading time"), minutes(post.reading_minutes, context.locale)


def _author(author: PostAuthor, context: MarkdownContext) -> str:
    name = context.link(author.name, AUTHOR_PAGE, author.slug) if author.slug else author.name
    return f"{name} ({author.title})" if author.title else name


def _series(series: PostSeries | None, context: MarkdownContext) -> Iterator[Block]:
    """Yield the parts of the series of a post."""
    if series:
        parts = [
            NamedLink(
                text=each.title,
                href=context.path(POST_PAGE, each.slug),
                current=number == series.part,
            )
            for number, each in enumerate(series.parts, 1)
        ]
        heading = f"{context.gettext('Series')}: {series.name}"
        yield LinksBlock(
            heading=heading, items=parts, is_ordered=True, role=Role.NAVIGATION, place="series"
        )


declare_rendering(
    PageRendering(
        resources=(PostDetail,),
        heading=lambda page: page.resource.post.title,
        blocks=_blocks,
        searched=lambda view, address: post_alone(view, address.slug),
        variables=_variables,
        former={
            "cta": lambda page: _complete_cta(page.resource.cta, page.locale.language),
            "tags": lambda page: list(_tag_links(page)),
        },
        nodes=_nodes,
        kind="article",
        properties=_properties,
        image=_image,
    ),
    POST_PAGE,
)
