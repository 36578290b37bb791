"""The front matter of the blog: posts, categories, authors and the page of the blog itself."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator

from knowledge.fields.field_types import (
    MARKDOWN,
    FirstText,
    ImagePath,
    LocalizedText,
    NameList,
    PlainText,
    TextList,
    Url,
    author_entries,
)
from knowledge.fields.front_matter import Common, Fields, Named, front_matter
from knowledge.fields.json_schemas import AUTHORS, written
from knowledge.fields.settings_fields import Toggle


@front_matter
class PostCallToAction(Toggle):
    """The call to action below each post; by default it leads to the page `contact`."""

    text: Annotated[LocalizedText | None, MARKDOWN] = None
    """The sentence below the title."""

    label: LocalizedText | None = None
    """The text of the button."""

    href: PlainText | None = None
    """The target of the button: a path without locale, or a URL."""


@front_matter
class BlogFields(Common):
    """`site/blog.md`."""

    section: Toggle | None = None
    """The page of the blog."""

    homepage: Toggle | None = None
    """The block of posts on the home page."""

    post_cta: PostCallToAction | None = None
    """The call to action below each post."""

    form: PlainText | None = None
    """The name of a form that stands below the lists of posts and each post."""


@front_matter
class Author(Fields):
    """Who wrote a text."""

    name: LocalizedText
    """The author's name."""

    url: Url | None = None
    """The author's own page."""

    title: LocalizedText | None = None
    """What the author does."""

    image: ImagePath = None
    """A portrait."""


AuthorList = Annotated[list[Author], BeforeValidator(author_entries), written(AUTHORS)]
"""Authors: a name, a mapping with details, or a list of both."""


def distinct_names(first: str | None, others: list[str] | None) -> list[str]:
    """Return names without empty ones and without duplicates, a first one before the others.

    >>> distinct_names("a", ["b", "a"]), distinct_names(None, None)
    (['a', 'b'], [])
    """
    return list(dict.fromkeys(filter(None, (first, *(others or ())))))


@front_matter
class PostFields(Common):
    """`posts/`."""

    excerpt: LocalizedText | None = None
    """What lists show; by default the first paragraph."""

    authors: AuthorList | None = None
    """Who wrote it: names or slugs of authors, or entries of `name` and `url`."""

    category: FirstText = None
    """The main category, by slug or name."""

    categories: NameList | None = None
    """All categories, by slug or name."""

    series: FirstText = None
    """The name of the series that the post is a part of."""

    tags: TextList | None = None
    """Topics; posts with common tags are related."""

    cover_image: ImagePath = None
    """The picture."""

    cover_image_alt: LocalizedText | None = None
    """The alternative text of the picture."""

    @property
    def all_categories(self) -> list[str]:
        """The names of all categories, the main one first."""
        return distinct_names(self.category, self.categories)


@front_matter
class CategoryFields(Named):
    """`categories/`."""

    description: LocalizedText | None = None
    """What the category is about."""

    @property
    def long_description(self) -> LocalizedText | None:
        """The description."""
        return self.description


@front_matter
class AuthorLink(Fields):
    """A profile or site of an author."""

    label: LocalizedText
    """The text of the link."""

    url: Url
    """Its target."""


@front_matter
class AuthorFields(Named):
    """`authors/`; the body is what the author tells about themselves."""

    role: LocalizedText | None = None
    """What the author does."""

    image: ImagePath = None
    """A portrait."""

    image_alt: LocalizedText | None = None
    """The alternative text of the portrait."""

    links: list[AuthorLink] | None = None
    """Profiles and sites of the author."""

    @property
    def long_description(self) -> LocalizedText | None:
        """The role."""
        return self.role
