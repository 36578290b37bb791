"""The blog: categories, post lists, single posts and the home page preview."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain, islice
from math import ceil
from operator import attrgetter
from typing import Annotated, Any, TypeVar

from pydantic import Field

from knowledge.addresses.addresses import Address
from knowledge.diagnostics.messages import mark as _
from knowledge.documents.body import body_excerpt, reading_minutes, without_notes
from knowledge.fields.content_types import (
    AUTHOR,
    BLOG,
    CATEGORY,
    PAGE,
    POST,
    REGISTRY,
    SITE,
    TAG,
    AnyContentType,
)
from knowledge.fields.field_types import Omittable
from knowledge.fields.page_type import PageType
from knowledge.fields.schemas import (
    BlogFields,
    CategoryFields,
    PostCallToAction,
    PostFields,
    Toggle,
)
from knowledge.locales.locale import localized_text
from knowledge.markdown.inline import plain_text
from knowledge.markdown.slugs import Anchor, slugify
from knowledge.resources import queries
from knowledge.resources.authors import AuthorProfile, PostAuthor, author_profile, authors_of
from knowledge.resources.base import (
    LocalizedResource,
    Resource,
    anchor_ids,
    localized_resource,
    resource_in,
    title_of,
)
from knowledge.resources.body_blocks import BodyBlock, BodyHeading, body_blocks, body_headings
from knowledge.resources.errors import NotFound
from knowledge.resources.missing import missing_page
from knowledge.resources.queries import PageQuery, PostQuery, declare_page
from knowledge.resources.shown import shown_values, shows
from knowledge.snapshot.layer_resolution import Entry, Resolved
from knowledge.snapshot.post_index import PostRecord
from knowledge.snapshot.post_indexes import LocalePosts
from knowledge.views.content_view import ContentView, cached_per_snapshot

RELATED_LIMIT = 3
_Term = tuple[AnyContentType, str]
_PARAMETERS = ("search", "category", "page", "pageSize")


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


Item = TypeVar("Item")


class BlogCategory(Resource):
    """A category of posts."""

    id: str
    """Id of the category."""
    slug: str
    """Slug of the category, as in the parameter `category`."""
    name: str
    """Name of the category."""
    description: Omittable[str] = None
    """What the category is about."""


class BlogCategoryList(Resource):
    """All categories that have a text in the language."""

    items: list[BlogCategory]
    """The categories in their order."""


class PostSummary(Resource):
    """A post in a list."""

    id: str
    """Id of the post."""
    slug: str
    """Slug of the post."""
    title: str
    """Title of the post."""
    excerpt: str
    """Short summary of the post."""
    published_at: Omittable[datetime] = None
    """When the post was published."""
    category_name: Omittable[str] = None
    """Name of the first category."""
    category_slug: Omittable[str] = None
    """Slug of the first category."""
    cover_image: Omittable[str] = None
    """Path or URL of a picture."""
    tags: list[str]
    """Tags of the post."""


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


class Pagination(Resource):
    """The position of a page in its list; `totalPages` is at least 1."""

    page: Annotated[int, Field(ge=1)]
    """Number of this page of the list, from 1."""
    page_size: Annotated[int, Field(ge=1, le=24)]
    """Items per page."""
    total: Annotated[int, Field(ge=0)]
    """Items in the whole list."""
    total_pages: Annotated[int, Field(ge=1)]
    """Pages of the list, at least 1."""


class BlogSection(Resource):
    """The settings and title of a blog section."""

    enabled: bool
    """Whether pages show the section."""
    title: Omittable[str] = None
    """Title of the section."""


class PostList(Resource):
    """One page of posts; if a search finds none, `suggestion` is a query that finds some."""

    items: list[PostSummary]
    """The posts of this page."""
    pagination: Pagination
    """The position of this page in the list."""
    section: BlogSection
    """The settings of the blog."""
    suggestion: Omittable[str] = None
    """A search that finds something, if this one finds nothing."""
    matching: Annotated[Any, Field(exclude=True, repr=False)] = ()
    """The records of all posts of the list, on each of its pages; not in the response body."""


@shows(PostFields)
class PostBody(Resource):
    """One post in full. The blocks of `body`, joined by blank lines, are its text."""

    id: str
    """Id of the post."""
    slug: str
    """Slug of the post."""
    title: str
    """Title of the post."""
    excerpt: str
    """Short summary of the post."""
    body: list[BodyBlock]
    """The text of the post, block by block."""
    headings: list[BodyHeading]
    """The headings of the text, for a table of contents."""
    reading_minutes: Annotated[int, Field(ge=1)]
    """How long the text takes to read, by its words."""

    published_at: Omittable[datetime] = None
    """When the post was published."""
    updated_at: Omittable[datetime] = None
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


class PostDetail(Resource):
    """One post with related posts; `prev` is the next older post, `next` the next newer one."""

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

    @property
    def heading_ids(self) -> tuple[str, ...]:
        """The ids of the headings in the body."""
        return anchor_ids(self.post.anchors)


class AuthorPosts(PostList):
    """An author, and one page of the posts that they wrote."""

    author: AuthorProfile

    @property
    def heading_ids(self) -> tuple[str, ...]:
        """The ids of the headings in what the author tells."""
        return anchor_ids(self.author.anchors)


class BlogHomepage(Resource):
    """The blog block of the home page; `items` does not repeat `featured`."""

    enabled: bool
    """Whether the home page shows the block."""
    title: Omittable[str] = None
    """Title of the block."""
    featured: Omittable[PostSummary] = None
    """The post that is shown first."""
    items: list[PostSummary]
    """The newest other posts."""


@cached_per_snapshot
def category_list(view: ContentView) -> BlogCategoryList:
    """Return the categories that have a text in the language, by sortOrder."""
    shown = [each for each in view.resolve_all(CATEGORY) if _is_shown(view, each)]
    return BlogCategoryList(items=view.each(shown, category_of))


def category_of(resolved: Resolved[CategoryFields]) -> BlogCategory:
    """Return a category or tag as lists show it."""
    return BlogCategory(
        id=resolved.id,
        slug=resolved.entry.slug,
        name=resolved.pick(resolved.fields.name) or title_of(resolved),
        description=resolved.pick(resolved.fields.description),
    )


def post_list(view: ContentView, query: PostQuery) -> PostList:
    """Return one page of the matching posts: newest first, or best match first for a search."""
    records = filter_posts(view, query)
    shown, pagination = paginate(records, query.page, query.page_size)
    return PostList(
        items=_summaries(view, shown),
        pagination=pagination,
        section=_section(view, lambda fields: fields.section),
        suggestion=None if records else query.suggestion,
        matching=records,
    )


def paginate(items: Sequence[Item], page: int, page_size: int) -> tuple[Sequence[Item], Pagination]:
    """Return a page of a list and its position; the first is 1, one past the last is empty."""
    start = (page - 1) * page_size
    total_pages = max(1, ceil(len(items) / page_size))
    pagination = Pagination(
        page=page, page_size=page_size, total=len(items), total_pages=total_pages
    )
    return items[start : start + page_size], pagination


def filter_posts(view: ContentView, query: PostQuery) -> Sequence[PostRecord]:
    """Return all matching posts that are published at the view's time, in the order of the list."""
    if query.found is not None:
        return query.found
    posts = view.snapshot.posts(view.locale)
    terms = _terms(view, query)
    if query.matches is None:
        return _listed(posts, view.now, terms)
    found = posts.among_at(query.matches, view.now)
    return [record for record in found if _has_all(record, terms)] if terms else found


def _terms(view: ContentView, query: PostQuery) -> Sequence[_Term]:
    """Return the terms that a query asks for."""
    category = _category_slug(view, query.category) if query.category is not None else None
    asked = ((TAG, query.tag), (AUTHOR, query.author), (CATEGORY, category))
    return [(kind, slug) for kind, slug in asked if slug is not None]


def _listed(posts: LocalePosts, now: datetime, terms: Sequence[_Term]) -> Sequence[PostRecord]:
    """Return the posts of all terms, newest first: only a second term looks at each post."""
    if not terms:
        return posts.at(now)
    lists = [(posts.of_term_at(kind, slug, now), (kind, slug)) for kind, slug in terms]
    listed, rarest = min(lists, key=lambda each: len(each[0]))
    others = [term for term in terms if term != rarest]
    return [record for record in listed if _has_all(record, others)] if others else listed


def _has_all(record: PostRecord, terms: Iterable[_Term]) -> bool:
    return all(record.has_term(kind, slug) for kind, slug in terms)


def _category_slug(view: ContentView, slug_or_id: str) -> str:
    for category in view.resolve_all(CATEGORY):
        if slug_or_id == category.id:
            return category.entry.slug
    slug = slugify(slug_or_id)
    renamed = view.snapshot.former_slugs.get(slug)
    return renamed.slug if renamed and renamed.kind is CATEGORY else slug


def post_detail(view: ContentView, slug: str) -> LocalizedResource[PostDetail]:
    """Return one post with its neighbours and related posts; raise NotFound if it is missing."""
    resolved = view.resolve(POST, slug)
    if resolved is None:
        raise missing_page(view, Address(POST_PAGE, slug), "post")
    posts = view.snapshot.posts(view.locale)
    record = posts[resolved.entry.slug]
    older, newer = posts.previous_and_next(record, view.now)
    detail = PostDetail(
        post=_post(view, resolved),
        related=_summaries(view, related(posts, record, view.now)),
        prev=_neighbour(view, older),
        next=_neighbour(view, newer),
        series=_series(view, resolved, record),
        cta=post_cta(view),
    )
    return localized_resource(detail, resolved)


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
    return next(iter(_summaries(view, [record] if record else [])), None)


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
        lambda part: SeriesPart(slug=part.entry.slug, title=title_of(part)),
    )
    name = resolved.fields.series or record.series
    return PostSeries(name=name, part=published.index(record) + 1, parts=parts)


def _part_order(record: PostRecord) -> tuple[bool, int, float, str]:
    """Return the sort key of a part: its number, else oldest first."""
    return record.order is None, record.order or 0, -record.age_key, record.slug


def categories_of(view: ContentView, resolved: Resolved[PostFields]) -> list[PostCategory]:
    """Return all categories of a post, the main one first."""
    names = {category.slug: category.name for category in category_list(view).items}
    slugs = {slugify(name): name for name in resolved.fields.all_categories}
    return [
        PostCategory(slug=slug, name=names.get(slug, name)) for slug, name in slugs.items() if slug
    ]


def _post(view: ContentView, resolved: Resolved[PostFields]) -> PostBody:
    categories = categories_of(view, resolved)
    return PostBody(
        id=resolved.id,
        slug=resolved.entry.slug,
        title=title_of(resolved),
        excerpt=excerpt_of(resolved),
        body=body_blocks(view, resolved),
        headings=body_headings(resolved),
        reading_minutes=max(map(reading_minutes, resolved.bodies[-1:]), default=1),
        published_at=resolved.fields.published_at,
        updated_at=_updated_at(resolved),
        authors=authors_of(view, resolved) or None,
        categories=categories if len(categories) > 1 else None,
        cover_image=_cover(view, resolved),
        tags=resolved.fields.tags or [],
        **shown_values(resolved),
    )


def _updated_at(resolved: Resolved[PostFields]) -> datetime | None:
    """Return when a post was changed after it was published, if it was."""
    updated, published = resolved.updated_at, resolved.fields.published_at
    return updated if updated and published and updated > published else None


def excerpt_of(resolved: Resolved) -> str:
    """Return the author's excerpt, else the first paragraph."""
    fields = resolved.fields
    excerpt = resolved.pick(fields.excerpt) if isinstance(fields, PostFields) else None
    if excerpt is not None:
        return excerpt
    bodies = resolved.bodies
    return body_excerpt(bodies[-1]) if bodies else ""


def blog_homepage(view: ContentView, limit: int) -> BlogHomepage:
    """Return the newest post as `featured`, and the next `limit` posts as `items`."""
    records = view.snapshot.posts(view.locale).at(view.now)[: limit + 1]
    summaries = _summaries(view, records)
    section = _section(view, lambda fields: fields.homepage)
    return BlogHomepage(
        enabled=section.enabled,
        title=section.title,
        featured=next(iter(summaries), None),
        items=summaries[1:],
    )


def _section(view: ContentView, block_of: Callable[[BlogFields], Toggle | None]) -> BlogSection:
    resolved = view.singleton(BLOG)
    block = block_of(resolved.fields) if resolved else None
    if resolved is None or block is None:
        return BlogSection(enabled=True)
    return BlogSection(enabled=block.enabled is not False, title=resolved.pick(block.title))


def entries_of(view: ContentView, records: Iterable[PostRecord]) -> Iterator[Entry[PostFields]]:
    """Yield the documents of posts."""
    found = (view.snapshot.entry(POST, record.slug) for record in records)
    return (entry for entry in found if entry is not None)


def _summaries(view: ContentView, records: Sequence[PostRecord]) -> list[PostSummary]:
    if not records:
        return []
    names = {category.slug: category.name for category in category_list(view).items}
    entries = entries_of(view, records)
    resolved = view.snapshot.left_out.each(entries, view.resolve_entry, attrgetter("path"))
    posts = (post for post in resolved if post is not None)
    return view.each(posts, lambda post: _summary(view, post, names))


def _summary(
    view: ContentView, resolved: Resolved[PostFields], names: Mapping[str, str]
) -> PostSummary:
    category = next(iter(resolved.fields.all_categories), None)
    slug = slugify(category or "")
    return PostSummary(
        id=resolved.id,
        slug=resolved.entry.slug,
        title=title_of(resolved),
        excerpt=excerpt_of(resolved),
        published_at=resolved.fields.published_at,
        category_name=names.get(slug, category),
        category_slug=slug or None,
        cover_image=_cover(view, resolved),
        tags=resolved.fields.tags or [],
    )


def _cover(view: ContentView, resolved: Resolved[PostFields]) -> str | None:
    cover = resolved.fields.cover_image
    return view.path(cover, resolved.documents[0].path) if cover else None


def _blog_page(view: ContentView, _: Address, query: PageQuery) -> LocalizedResource[PostList]:
    return resource_in(view.locale, post_list(view, query.posts))


def shown_category(view: ContentView, slug: str) -> BlogCategory | None:
    """Return a category that has a page, or None."""
    resolved = view.resolve(CATEGORY, slug)
    return category_of(resolved) if resolved and _is_shown(view, resolved) else None


def _category_page(
    view: ContentView, address: Address, query: PageQuery
) -> LocalizedResource[PostList]:
    if shown_category(view, address.slug) is None:
        raise NotFound(f"There is no category “{address.slug}”.", "See /blog for the categories.")
    posts = replace(query.posts, category=address.slug)
    return resource_in(view.locale, post_list(view, posts))


def _tag_page(view: ContentView, address: Address, query: PageQuery) -> LocalizedResource[PostList]:
    if not _is_shown(view, view.resolve(TAG, address.slug)):
        raise NotFound(f"There is no tag “{address.slug}”.", "See /blog for all articles.")
    posts = replace(query.posts, tag=address.slug)
    return resource_in(view.locale, post_list(view, posts))


def _author_page(
    view: ContentView, address: Address, query: PageQuery
) -> LocalizedResource[AuthorPosts]:
    author = view.resolve(AUTHOR, address.slug)
    if author is None or not _is_shown(view, author):
        raise NotFound(f"There is no author “{address.slug}”.", "See /blog for all articles.")
    posts = post_list(view, replace(query.posts, author=address.slug))
    own = {name: getattr(posts, name) for name in PostList.model_fields}
    return resource_in(view.locale, AuthorPosts(author=author_profile(view, author), **own))


def _is_shown(view: ContentView, term: Resolved | None) -> bool:
    """Return whether a category, tag or author has a page: by a file, or a post of theirs."""
    if term is None or not term.entry.is_named_only:
        return term is not None
    posts = view.snapshot.posts(view.locale)
    return posts.has_published_of(term.entry.kind, term.entry.slug, view.now)


BLOG_PAGE = declare_page(
    PageType(
        name="blog",
        path="/blog",
        content_types=(SITE,),
        singleton="blog",
        title=_("Blog"),
        group=queries.BLOG,
        reason=_("you look for articles, newest first"),
        lists=POST,
        schema_type="CollectionPage",
        lists_pages=True,
        parameters=_PARAMETERS,
    ),
    _blog_page,
)
CATEGORY_PAGE = declare_page(
    PageType(
        name="category",
        path="/blog/category/{slug}",
        content_types=(CATEGORY,),
        parent="/blog",
        group=queries.BLOG,
        reason=_("you look for articles on %(title)s"),
        schema_type="CollectionPage",
        lists_pages=True,
        parameters=_PARAMETERS,
        needs_posts=1,
    ),
    _category_page,
)
TAG_PAGE = declare_page(
    PageType(
        name="tag",
        path="/blog/tag/{slug}",
        content_types=(TAG,),
        parent="/blog",
        group=queries.BLOG,
        reason=_("you look for articles about %(title)s"),
        rank=1,
        schema_type="CollectionPage",
        lists_pages=True,
        parameters=_PARAMETERS,
        needs_posts=3,
    ),
    _tag_page,
)
AUTHOR_PAGE = declare_page(
    PageType(
        name="author",
        path="/blog/author/{slug}",
        content_types=(AUTHOR,),
        parent="/blog",
        group=queries.BLOG,
        reason=_("you look for articles by %(title)s, or want to know who that is"),
        rank=2,
        schema_type="ProfilePage",
        parameters=_PARAMETERS,
        needs_posts=1,
    ),
    _author_page,
)
POST_PAGE = declare_page(
    PageType(
        name="post",
        path="/blog/{slug}",
        content_types=(POST,),
        parent="/blog",
        group=queries.BLOG,
        reason=_("the question is answered by this article"),
        by_date=True,
    ),
    lambda view, address, _: post_detail(view, address.slug),
)
