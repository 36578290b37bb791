"""What `majlis new` writes: path and text of a document that `majlis check` passes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from knowledge.fields import yaml
from knowledge.fields.content_types import (
    CATEGORY,
    CITY,
    COUNTRY,
    POST,
    PRODUCT,
    REGISTRY,
    SETTINGS,
    SITE,
    TESTIMONIAL,
    AnyContentType,
)
from knowledge.fields.slugs import slugify
from knowledge.fields.yaml import YamlError
from knowledge.locales import cldr
from knowledge.locales.locale import Country, Language
from knowledge.snapshot.snapshot import Snapshot

_LONGEST_SLUG = 80
"""Characters of a slug from a title, so that the file name fits every file system."""

_CURRENCY = "USD"
"""The currency of the price of a new product on a site without countries."""

_ARABIC = re.compile(r"[\u0600-\u06ff]")
_PUBLISHED_AT_ONCE = (CATEGORY, CITY, COUNTRY, SITE)
"""Types whose documents others refer to; the documents of all others begin as drafts."""

Lines = Iterator[str]


@dataclass(frozen=True, slots=True)
class NewDocument:
    """A document to write: its type, title, slug, language, and for a city its country."""

    kind: AnyContentType
    title: str
    slug: str
    language: Language
    country: Country | None
    today: date

    @property
    def is_draft(self) -> bool:
        """Return whether it is not published at once."""
        return self.kind not in _PUBLISHED_AT_ONCE

    @property
    def path(self) -> str:
        """Return its path in the content folder."""
        suffix = ".ar" if self.language is Language.AR and not self._is_shared else ""
        return f"{self.kind}/{self.slug}{suffix}.md"

    @property
    def _is_shared(self) -> bool:
        """Return whether one file has the texts of both languages."""
        return self.kind in (CITY, COUNTRY, PRODUCT, SITE, CATEGORY)

    def text(self, snapshot: Snapshot) -> str:
        """Return its text; `snapshot` has the other documents of the folder."""
        return "\n".join(["---", *self._lines(snapshot), "---", "", ""])

    def _lines(self, snapshot: Snapshot) -> Lines:
        if self.language is Language.AR and self._is_shared:
            yield "lang: ar"
        yield from _FIELDS.get(self.kind, _titled)(self, snapshot)
        if self.is_draft:
            yield f"published: false  # a draft; to see it: majlis preview {self.path}"


def slug_of(title: str) -> str:
    """Return the slug of a title, shortened at a word.

    >>> slug_of("What's new in 2027?"), slug_of("ما الجديد؟")
    ('what-s-new-in-2027', 'ما-الجديد')
    """
    slug = slugify(title)
    if len(slug) <= _LONGEST_SLUG:
        return slug
    return slug[:_LONGEST_SLUG].rpartition("-")[0] or slug[:_LONGEST_SLUG]


def language_of(title: str) -> Language:
    """Return the language of a title, by its letters.

    >>> language_of("Hello"), language_of("مرحبا ERP")
    (<Language.EN: 'en'>, <Language.AR: 'ar'>)
    """
    return Language.AR if _ARABIC.search(title) else Language.EN


def _titled(new: NewDocument, _: Snapshot) -> Lines:
    yield f"title: {_scalar(new.title)}"


def _post(new: NewDocument, _: Snapshot) -> Lines:
    yield f"title: {_scalar(new.title)}"
    yield f"publishedAt: {new.today}"


def _named(new: NewDocument, _: Snapshot) -> Lines:
    yield f"name: {_scalar(new.title)}"


def _city(new: NewDocument, _: Snapshot) -> Lines:
    yield f"name: {_scalar(new.title)}"
    yield f"countryCode: {new.country}"


def _testimonial(new: NewDocument, _: Snapshot) -> Lines:
    yield f"customerName: {_scalar(new.title)}"
    yield 'quote: "…"'


def _product(new: NewDocument, snapshot: Snapshot) -> Lines:
    numbers = (each.fields.id for entry in snapshot.all(PRODUCT) for each in entry.documents)
    country = snapshot.default_locale.country
    currency = cldr.currency(country) if country else _CURRENCY
    yield f"title: {_scalar(new.title)}"
    yield f"id: {max(filter(None, numbers), default=0) + 1}"
    yield f"sku: {_scalar(new.slug.upper())}"
    yield "prices:"
    yield f'  {currency}: "{0:.{cldr.currency_digits(currency)}f}"'


def _site(new: NewDocument, _: Snapshot) -> Lines:
    if new.slug != SETTINGS.slug:
        yield f"title: {_scalar(new.title)}"
        return
    yield "seo:"
    yield f"  pageTitle: {_scalar(new.title)}"


_FIELDS: Mapping[AnyContentType, Callable[[NewDocument, Snapshot], Lines]] = {
    POST: _post,
    CATEGORY: _named,
    COUNTRY: _named,
    CITY: _city,
    TESTIMONIAL: _testimonial,
    PRODUCT: _product,
    SITE: _site,
}


def _scalar(text: str) -> str:
    """Return a text as a YAML scalar, in quotes where it needs them.

    >>> _scalar("Hello"), _scalar("ERP: what now?"), _scalar("1.10")
    ('Hello', '"ERP: what now?"', '"1.10"')
    """
    try:
        read = yaml.load(f"key: {text}")
    except YamlError:
        read = None
    is_plain = read == {"key": text} and type(read["key"]) is str
    return text if is_plain else json.dumps(text, ensure_ascii=False)


FIXED_SLUGS: Mapping[AnyContentType, tuple[str, ...]] = {
    REGISTRY: REGISTRY.page_slugs,
    SITE: tuple(SITE.singletons),
}
"""The slugs of the types whose documents have fixed names."""
