"""The blog: lists of posts, their categories, and the preview on the home page."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from operator import attrgetter
from typing import Annotated, Any

from pydantic import Field

from knowledge.addresses.addresses import Address, LocalizedAddress
from knowledge.blocks.form import SiteForm
from knowledge.diagnostics.messages import mark as _
from knowledge.documents.body import body_excerpt, reading_minutes
from knowledge.fields.blog_fields import Author, BlogFields, CategoryFields, PostFields
from knowledge.fields.content_types import AUTHOR, BLOG, CATEGORY, POST, SITE, TAG, AnyContentType
from knowledge.fields.field_types import Omittable
from knowledge.fields.page_type import PageType
from knowledge.fields.settings_fields import Toggle
from knowledge.locales.locale import Language, OtherLanguage, localized_text
from knowledge.markdown.slugs import term_slug
from knowledge.resources import queries
from knowledge.resources.base import (
    Instant,
    LocalizedResource,
    PageResource,
    Pagination,
    Resource,
    Uri,
    paginate,
    resource_in,
)
from knowledge.resources.document_page import title_of
from knowledge.resources.errors import NotFound
from knowledge.resources.forms import site_form
from knowledge.resources.queries import PageQuery, PostQuery, declare_page
from knowledge.snapshot.layer_resolution import Entry, Resolved
from knowledge.snapshot.named_terms import author_slug, listed_author, tag_slug
from knowledge.snapshot.post_index import PostRecord
from knowledge.snapshot.post_indexes import LocalePosts
from knowledge.snapshot.snapshot import Snapshot, former_category
from knowledge.views.content_view import ContentView, cached_per_snapshot

_Term = tuple[AnyContentType, str]
LIST_PARAMETERS = ("search", "category", "page", "pageSize")


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

    def listed_pages(self, view: ContentView) -> Iterable[LocalizedAddress]:
        """Return the pages of the categories."""
        return view.pages_of(CATEGORY, (each.slug for each in self.items))


class PostAuthor(Resource):
    """Who wrote a post; `title` is a role, such as “Editor”, and `slug` that of the own page."""

    name: str
    """Name of the author."""
    slug: Omittable[str] = None
    """Slug of the author's own page."""
    url: Omittable[Uri] = None
    """URL of a page about the author."""
    title: Omittable[str] = None
    """Role of the author, such as “Editor”."""
    image: Omittable[str] = None
    """Path or URL of a portrait."""


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
    lang: Omittable[str] = None
    """BCP 47 tag of a post that is neither in English nor in Arabic."""
    published_at: Omittable[Instant] = None
    """When the post was published."""
    category_name: Omittable[str] = None
    """Name of the first category."""
    category_slug: Omittable[str] = None
    """Slug of the first category."""
    cover_image: Omittable[str] = None
    """Path or URL of a picture."""
    tags: list[str]
    """Tags of the post."""
    tag_titles: Omittable[list[str]] = None
    """The titles of these tags, in their order."""
    authors: Omittable[list[PostAuthor]] = None
    """Who wrote the post."""
    cover_image_alt: Omittable[str] = None
    """Alternative text of the picture."""
    updated_at: Omittable[Instant] = None
    """When the post was changed, if after its publication."""
    reading_minutes: Annotated[int, Field(ge=1)]
    """How long the text takes to read, by its words."""


class BlogSection(Resource):
    """The settings and title of a blog section."""

    enabled: bool
    """Whether pages show the section."""
    title: Omittable[str] = None
    """Title of the section."""


class PostList(PageResource):
    """One page of posts; if a search finds none, `suggestion` is a query that finds some."""

    items: list[PostSummary]
    """The posts of this page."""
    pagination: Pagination
    """The position of this page in the list."""
    section: BlogSection
    """The settings of the blog."""
    suggestion: Omittable[str] = None
    """A search that finds something, if this one finds nothing."""
    form: Annotated[SiteForm | None, Field(exclude=True)] = None
    """The form below the list."""
    matching: Annotated[Any, Field(exclude=True, repr=False)] = ()
    """The records of all posts of the list, on each of its pages; not in the response body."""

    def listed_pages(self, view: ContentView) -> Iterable[LocalizedAddress]:
        """Return the pages of all posts of the list."""
        return view.pages_of(POST, (record.slug for record in self.matching))


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

    def listed_pages(self, view: ContentView) -> Iterable[LocalizedAddress]:
        """Return the pages of the posts."""
        posts = (self.featured, *self.items)
        return view.pages_of(POST, (post.slug for post in posts if post))


@cached_per_snapshot
def category_list(view: ContentView) -> BlogCategoryList:
    """Return the categories that have a text in the language, by sortOrder."""
    shown = [each for each in view.resolve_all(CATEGORY) if is_shown(view, each)]
    return BlogCategoryList(items=view.each(shown, category_of))


def category_of(resolved: Resolved[CategoryFields]) -> BlogCategory:
    """Return a category or tag as lists show it."""
    return BlogCategory(
        id=resolved.id,
        slug=resolved.entry.slug,
        name=resolved.pick(resolved.fields.name) or title_of(resolved),
        description=resolved.pick(resolved.fields.description),
    )


def shown_category(view: ContentView, slug: str) -> BlogCategory | None:
    """Return a category that has a page, or None."""
    resolved = view.resolve(CATEGORY, slug)
    return category_of(resolved) if resolved and is_shown(view, resolved) else None


def is_shown(view: ContentView, term: Resolved | None) -> bool:
    """Return whether a category, tag or author has a page: by a file, or a post of theirs."""
    if term is None or not term.entry.is_named_only:
        return term is not None
    posts = view.snapshot.posts(view.locale)
    return posts.has_published_of(term.entry.kind, term.entry.slug, view.now)


def post_list(view: ContentView, query: PostQuery) -> PostList:
    """Return one page of the matching posts: newest first, or best match first for a search."""
    records = filter_posts(view, query)
    shown, pagination = paginate(records, query.page, query.page_size)
    return PostList(
        items=summaries_of(view, shown),
        pagination=pagination,
        section=_section(view, lambda fields: fields.section),
        suggestion=None if records else query.suggestion,
        form=blog_form(view),
        matching=records,
    )


@cached_per_snapshot
def blog_form(view: ContentView) -> SiteForm | None:
    """Return the form below posts and their lists; None if there is none, or nobody answers it."""
    resolved = view.singleton(BLOG)
    return site_form(view, (resolved and resolved.fields.form) or "")


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
    slug, former = term_slug(slug_or_id), view.snapshot.former_slugs
    renamed = former.get(slug) or former.get(former_category(slug))
    return renamed.slug if renamed and renamed.kind == CATEGORY else slug


def other_language_of(resolved: Resolved) -> str | None:
    """Return the language of a text that is neither English nor Arabic, else None."""
    language = resolved.text_language
    return language if isinstance(language, OtherLanguage) else None


def blog_homepage(view: ContentView, limit: int) -> BlogHomepage:
    """Return the newest post as `featured`, and the next `limit` posts as `items`."""
    records = view.snapshot.posts(view.locale).at(view.now)[: limit + 1]
    found = summaries_of(view, records)
    section = _section(view, lambda fields: fields.homepage)
    return BlogHomepage(
        enabled=section.enabled,
        title=section.title,
        featured=next(iter(found), None),
        items=found[1:],
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


def summaries_of(view: ContentView, records: Sequence[PostRecord]) -> list[PostSummary]:
    """Return posts as lists show them."""
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
    slug, tags = term_slug(category or ""), resolved.fields.tags or []
    return PostSummary(
        id=resolved.id,
        slug=resolved.entry.slug,
        title=title_of(resolved),
        excerpt=excerpt_of(resolved),
        lang=other_language_of(resolved),
        published_at=resolved.fields.published_at,
        category_name=names.get(slug, category),
        category_slug=slug or None,
        cover_image=view.picture(resolved.fields.cover_image, resolved),
        tags=tags,
        tag_titles=[tag_title(view.snapshot, tag, view.locale.language) for tag in tags] or None,
        authors=authors_of(view, resolved) or None,
        cover_image_alt=resolved.pick(resolved.fields.cover_image_alt) or None,
        updated_at=updated_at_of(resolved),
        reading_minutes=reading_minutes_of(resolved),
    )


def tag_title(snapshot: Snapshot, tag: str, language: Language) -> str:
    """Return the name of a tag by its file, or else as posts write it."""
    slug = tag_slug(tag)
    entry = snapshot.entry(TAG, slug) if slug else None
    names = [each.fields.name or {} for each in entry.documents] if entry else []
    return next((each[language] for each in names if language in each), tag)


def reading_minutes_of(resolved: Resolved[PostFields]) -> int:
    """Return how long the text of a post takes to read."""
    return max(map(reading_minutes, resolved.bodies[-1:]), default=1)


def updated_at_of(resolved: Resolved[PostFields]) -> datetime | None:
    """Return when a post was changed after it was published, if it was."""
    updated, published = resolved.updated_at, resolved.fields.published_at
    return updated if updated and published and updated > published else None


def authors_of(view: ContentView, resolved: Resolved[PostFields]) -> list[PostAuthor]:
    """Return who wrote a post, in the reader's language; a name in the other one stays."""
    found = (_post_author(view, resolved, each) for each in resolved.fields.authors or ())
    return [author for author in found if author is not None]


def _post_author(view: ContentView, post: Resolved[PostFields], named: Author) -> PostAuthor | None:
    """Return an author as a post names them, completed by the file in `authors/`."""
    slug, author = author_slug(named), listed_author(named, view.snapshot.authors)
    described = view.resolve(AUTHOR, slug) if slug else None
    file = None if described is None or described.entry.is_named_only else described
    language = view.locale.language
    name = title_of(file) if file else localized_text(author.name, language)
    if not name:
        return None
    role = localized_text(author.title, language)
    return PostAuthor(
        name=name,
        slug=slug if described else None,
        url=view.absolute(view.path(author.url)) if author.url else None,
        title=role or (file.pick(file.fields.role) if file else None) or None,
        image=view.picture(author.image, post)
        or (view.picture(file.fields.image, file) if file else None),
    )


def excerpt_of(resolved: Resolved) -> str:
    """Return the author's excerpt, else the first paragraph."""
    fields = resolved.fields
    excerpt = resolved.pick(fields.excerpt) if isinstance(fields, PostFields) else None
    if excerpt is not None:
        return excerpt
    bodies = resolved.bodies
    return body_excerpt(bodies[-1]) if bodies else ""


def _category_page(
    view: ContentView, address: Address, query: PageQuery
) -> LocalizedResource[PostList]:
    if shown_category(view, address.slug) is None:
        raise NotFound(f"There is no category “{address.slug}”.", "See /blog for the categories.")
    posts = replace(query.posts, category=address.slug)
    return resource_in(view.locale, post_list(view, posts))


def _tag_page(view: ContentView, address: Address, query: PageQuery) -> LocalizedResource[PostList]:
    if not is_shown(view, view.resolve(TAG, address.slug)):
        raise NotFound(f"There is no tag “{address.slug}”.", "See /blog for all articles.")
    posts = replace(query.posts, tag=address.slug)
    return resource_in(view.locale, post_list(view, posts))


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
        parameters=LIST_PARAMETERS,
    ),
    lambda view, _, query: resource_in(view.locale, post_list(view, query.posts)),
)
CATEGORY_PAGE = declare_page(
    PageType(
        name="category",
        path="/blog/category/{slug}",
        content_types=(CATEGORY,),
        parent="/blog",
        group=queries.BLOG,
        reason=_("you look for articles on a topic or by an author"),
        schema_type="CollectionPage",
        lists_pages=True,
        parameters=LIST_PARAMETERS,
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
        reason=_("you look for articles on a topic or by an author"),
        rank=1,
        schema_type="CollectionPage",
        lists_pages=True,
        parameters=LIST_PARAMETERS,
        needs_posts=3,
    ),
    _tag_page,
)
