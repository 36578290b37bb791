"""Posts: one with its text, series, neighbours and related posts."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import chain, islice
from typing import Annotated, ClassVar

from pydantic import Field

from knowledge.blocks.block import anchor_ids
from knowledge.blocks.form import SiteForm
from knowledge.diagnostics.messages import mark as _
from knowledge.documents.body import without_notes
from knowledge.fields.blog_fields import PostCallToAction, PostFields
from knowledge.fields.content_types import BLOG, CATEGORY, PAGE, POST, REGISTRY
from knowledge.fields.field_types import Omittable
from knowledge.fields.page_type import PageType
from knowledge.locales.locale import localized_text
from knowledge.markdown.inline import plain_text
from knowledge.markdown.slugs import Anchor, term_slug
from knowledge.resources import document_page, queries
from knowledge.resources.base import (
    Instant,
    LocalizedResource,
    PageResource,
    Resource,
    localized_resource,
)
from knowledge.resources.blog import (
    PostAuthor,
    PostSummary,
    authors_of,
    blog_form,
    category_list,
    entries_of,
    excerpt_of,
    reading_minutes_of,
    summaries_of,
    updated_at_of,
)
from knowledge.resources.own_values import OwnBody, own_body
from knowledge.resources.queries import declare_page
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.snapshot.post_index import PostRecord
from knowledge.snapshot.post_indexes import LocalePosts
from knowledge.views.content_view import ContentView, cached_per_snapshot

RELATED_LIMIT = 3


class PostCategory(Resource):
    """A category of a post."""

    slug: str
    """Slug of the category."""
    name: str
    """Name of the category."""


class SeriesPart(Resource):
    """One post of a series."""

    slug: str
    """Slug of the post."""
    title: str
    """Title of the post."""


class PostSeries(Resource):
    """The series of a post: its parts in their order, of which the post is number `part`."""

    name: str
    """Name of the series."""
    part: Annotated[int, Field(ge=1)]
    """Number of the post in the series, from 1."""
    parts: list[SeriesPart]
    """All posts of the series in their order."""


class PostBody(OwnBody):
    """One post in full. The blocks of `body`, joined by blank lines, are its text."""

    id: str
    """Id of the post."""
    slug: str
    """Slug of the post."""
    title: str
    """Title of the post."""
    excerpt: str
    """Short summary of the post."""
    body: list[document_page.BodyBlock]
    """The text of the post, block by block."""
    headings: list[document_page.BodyHeading]
    """The headings of the text, for a table of contents."""
    reading_minutes: Annotated[int, Field(ge=1)]
    """How long the text takes to read, by its words."""

    published_at: Omittable[Instant] = None
    """When the post was published."""
    updated_at: Omittable[Instant] = None
    """When it was changed, if after its publication."""

    authors: Omittable[list[PostAuthor]] = None
    """Who wrote the post."""
    categories: Omittable[list[PostCategory]] = None
    """All categories, if there are several."""

    cover_image: Omittable[str] = None
    """Path or URL of the picture above the text."""
    tags: list[str]
    """Tags of the post."""

    @property
    def anchors(self) -> tuple[Anchor, ...]:
        """The anchors of all headings in the body."""
        return tuple(chain.from_iterable(block.anchors for block in self.body))

    @property
    def lead(self) -> str | None:
        """The excerpt to show above the text; None if the text begins with it."""
        return lead_of(self.excerpt, ((block.type, block.text) for block in self.body))


def lead_of(excerpt: str, blocks: Iterable[tuple[str, str]]) -> str | None:
    """Return the excerpt of a post with these types and texts, None if its text begins with it."""
    opening = next((text for kind, text in blocks if kind == "paragraph"), "")
    text, start = plain_text(without_notes(opening)), excerpt.rstrip("…")
    is_repeated = text.startswith(start) or (text != "" and start.startswith(text))
    return None if is_repeated else excerpt


class PostCta(Resource):
    """The call to action below a post; a text that is left out is the site's usual one."""

    title: Omittable[str] = None
    """Title above the text."""
    text: Omittable[str] = None
    """Text above the button."""
    label: Omittable[str] = None
    """Text of the button."""
    href: str
    """Site path or URL to which the button leads."""


class PostDetail(PageResource):
    """One post with related posts; `prev` is the next older post, `next` the next newer one."""

    always_has_blocks: ClassVar[bool] = True

    post: PostBody
    """The post."""
    related: list[PostSummary]
    """Posts on similar subjects."""
    prev: PostSummary | None
    """The next older post, or null."""
    next: PostSummary | None
    """The next newer post, or null."""
    series: Omittable[PostSeries] = None
    """The series to which the post belongs."""
    cta: Omittable[PostCta] = None
    """The call to action below the post."""
    form: Annotated[SiteForm | None, Field(exclude=True)] = None
    """The form below the post."""

    @property
    def heading_ids(self) -> tuple[str, ...]:
        """The ids of the headings in the body."""
        return anchor_ids(self.post.anchors)


def post_detail(view: ContentView, slug: str) -> LocalizedResource[PostDetail]:
    """Return one post with its neighbours and related posts; raise NotFound if it is missing."""
    resolved = document_page.published(view, POST, slug, "post")
    posts = view.snapshot.posts(view.locale)
    record = posts[resolved.entry.slug]
    older, newer = posts.previous_and_next(record, view.now)
    detail = PostDetail(
        post=_post(view, resolved),
        related=summaries_of(view, related(posts, record, view.now)),
        prev=_neighbour(view, older),
        next=_neighbour(view, newer),
        series=_series(view, resolved, record),
        cta=post_cta(view),
        form=blog_form(view),
    )
    return localized_resource(detail, resolved)


def post_alone(view: ContentView, slug: str) -> LocalizedResource[PostDetail]:
    """Return one post without what follows it; raises NotFound if it is missing."""
    resolved = view.resolve(POST, slug)
    if resolved is None or view.locale not in view.snapshot.open_locales:
        raise document_page.not_found("post", slug)
    detail = PostDetail(post=_post(view, resolved), related=[], prev=None, next=None)
    return localized_resource(detail, resolved)


def related(posts: LocalePosts, record: PostRecord, now: datetime) -> Sequence[PostRecord]:
    """Return the posts most related to a post at that time; ties go to the newest."""
    candidates = (other for other in _candidates(posts, record) if other.is_published_at(now))
    return list(islice(candidates, RELATED_LIMIT))


def _candidates(posts: LocalePosts, record: PostRecord) -> Iterator[PostRecord]:
    yield from posts.sharing_tags(record)
    if record.categories:
        listed = posts.of_term(CATEGORY, record.categories[0])
        tags = frozenset(record.tags)
        yield from (
            other for other in listed if other is not record and tags.isdisjoint(other.tags)
        )


@cached_per_snapshot
def post_cta(view: ContentView) -> PostCta | None:
    """Return the call to action below posts; None if it is disabled or leads nowhere."""
    blog = view.singleton(BLOG)
    fields = (blog.fields.post_cta if blog else None) or PostCallToAction()
    has_contact = any(view.resolve(kind, "contact") for kind in (REGISTRY, PAGE))
    target = fields.href or ("/contact" if has_contact else None)
    if fields.enabled is False or target is None:
        return None
    language = view.locale.language
    title, text, label = (
        localized_text(each, language) or None for each in (fields.title, fields.text, fields.label)
    )
    return PostCta(title=title, text=text, label=label, href=view.path(target))


def _neighbour(view: ContentView, record: PostRecord | None) -> PostSummary | None:
    return next(iter(summaries_of(view, [record] if record else [])), None)


def _series(
    view: ContentView, resolved: Resolved[PostFields], record: PostRecord
) -> PostSeries | None:
    """Return the series of a post, None if it has no other part."""
    found = view.snapshot.posts(view.locale).of_series(record.series)
    published = sorted((each for each in found if each.is_published_at(view.now)), key=_part_order)
    if len(published) < 2:
        return None
    parts = view.each(
        [each for each in map(view.resolve_entry, entries_of(view, published)) if each],
        lambda part: SeriesPart(slug=part.entry.slug, title=document_page.title_of(part)),
    )
    name = resolved.fields.series or record.series
    return PostSeries(name=name, part=published.index(record) + 1, parts=parts)


def _part_order(record: PostRecord) -> tuple[bool, int, float, str]:
    """Return the sort key of a part: its number, else oldest first."""
    return record.order is None, record.order or 0, -record.age_key, record.slug


def categories_of(view: ContentView, resolved: Resolved[PostFields]) -> list[PostCategory]:
    """Return all categories of a post, the main one first."""
    names = {category.slug: category.name for category in category_list(view).items}
    slugs = {term_slug(name): name for name in resolved.fields.all_categories}
    return [
        PostCategory(slug=slug, name=names.get(slug, name)) for slug, name in slugs.items() if slug
    ]


def _post(view: ContentView, resolved: Resolved[PostFields]) -> PostBody:
    categories = categories_of(view, resolved)
    return PostBody(
        id=resolved.id,
        slug=resolved.entry.slug,
        title=document_page.title_of(resolved),
        excerpt=excerpt_of(resolved),
        body=document_page.body_blocks(view, resolved),
        headings=document_page.body_headings(resolved),
        reading_minutes=reading_minutes_of(resolved),
        published_at=resolved.fields.published_at,
        updated_at=updated_at_of(resolved),
        authors=authors_of(view, resolved) or None,
        categories=categories if len(categories) > 1 else None,
        cover_image=view.picture(resolved.fields.cover_image, resolved),
        tags=resolved.fields.tags or [],
        **own_body(view, resolved),
    )


POST_PAGE = declare_page(
    PageType(
        name="post",
        path="/blog/{slug}",
        content_types=(POST,),
        parent="/blog",
        group=queries.BLOG,
        reason=_("an article answers the question"),
        by_date=True,
    ),
    lambda view, address, _: post_detail(view, address.slug),
)
