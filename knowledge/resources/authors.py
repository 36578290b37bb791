"""Authors: who wrote a post, and what the page of an author tells.

An author is described by a file in `authors/`, by the entries of posts, or by a list of authors
of another generator.
"""

from dataclasses import replace
from itertools import chain

from knowledge.addresses.addresses import Address
from knowledge.blocks.block import anchor_ids
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.blog_fields import AuthorFields
from knowledge.fields.content_types import AUTHOR, POST
from knowledge.fields.field_types import Omittable
from knowledge.fields.page_type import PageType
from knowledge.locales.locale import localized_text
from knowledge.markdown.slugs import Anchor
from knowledge.resources import blog, queries
from knowledge.resources.base import LocalizedResource, Resource, Uri, resource_in
from knowledge.resources.document_page import BodyBlock, body_blocks, title_of
from knowledge.resources.errors import NotFound
from knowledge.resources.own_values import OwnBody, own_body
from knowledge.resources.queries import PageQuery, declare_page
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView


class ProfileLink(Resource):
    """A profile or site of an author."""

    label: str
    url: Uri


class AuthorProfile(OwnBody):
    """An author: the role, a portrait, what they tell about themselves, and their profiles."""

    slug: str
    name: str
    role: Omittable[str] = None
    image: Omittable[str] = None
    image_alt: Omittable[str] = None
    body: list[BodyBlock]
    links: list[ProfileLink]

    @property
    def anchors(self) -> tuple[Anchor, ...]:
        """The anchors of all headings in the body."""
        return tuple(chain.from_iterable(block.anchors for block in self.body))


class AuthorPosts(blog.PostList):
    """An author, and one page of the posts that they wrote."""

    author: AuthorProfile

    @property
    def heading_ids(self) -> tuple[str, ...]:
        """The ids of the headings in what the author tells."""
        return anchor_ids(self.author.anchors)


def author_profile(view: ContentView, author: Resolved[AuthorFields]) -> AuthorProfile:
    """Return what is known of an author, from the file and from the newest of the posts."""
    named = _as_named(view, author.entry.slug)
    links = [
        ProfileLink(label=label, url=view.absolute(view.path(each.url)))
        for each in author.fields.links or ()
        if (label := localized_text(each.label, view.locale.language))
    ]
    if named and named.url and named.url not in [each.url for each in links]:
        host = named.url.partition("://")[2].partition("/")[0]
        links.append(ProfileLink(label=host or named.url, url=named.url))
    return AuthorProfile(
        slug=author.entry.slug,
        name=title_of(author),
        role=author.pick(author.fields.role) or (named.title if named else None),
        image=view.picture(author.fields.image, author) or (named.image if named else None),
        image_alt=author.pick(author.fields.image_alt),
        body=body_blocks(view, author),
        links=links,
        **own_body(view, author),
    )


def _as_named(view: ContentView, slug: str) -> blog.PostAuthor | None:
    """Return the author as the newest of the published posts names them."""
    records = view.snapshot.posts(view.locale).of_term(AUTHOR, slug)
    newest = next((each for each in records if each.is_published_at(view.now)), None)
    post = view.resolve(POST, newest.slug) if newest else None
    authors = blog.authors_of(view, post) if post else ()
    return next((author for author in authors if author.slug == slug), None)


def _author_page(
    view: ContentView, address: Address, query: PageQuery
) -> LocalizedResource[AuthorPosts]:
    author = view.resolve(AUTHOR, address.slug)
    if author is None or not blog.is_shown(view, author):
        raise NotFound(f"There is no author “{address.slug}”.", "See /blog for all articles.")
    posts = blog.post_list(view, replace(query.posts, author=address.slug))
    own = {name: getattr(posts, name) for name in blog.PostList.model_fields}
    return resource_in(view.locale, AuthorPosts(author=author_profile(view, author), **own))


AUTHOR_PAGE = declare_page(
    PageType(
        name="author",
        path="/blog/author/{slug}",
        content_types=(AUTHOR,),
        parent="/blog",
        group=queries.BLOG,
        reason=_("you look for articles on a topic or by an author"),
        rank=2,
        schema_type="ProfilePage",
        parameters=blog.LIST_PARAMETERS,
        needs_posts=1,
    ),
    _author_page,
)
