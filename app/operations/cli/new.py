"""`majlis new`: writes a new document, with front matter that `majlis check` passes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import click
from pydantic.alias_generators import to_snake

from app.console import command_settings
from app.operations.cli.content import load_or_fail
from app.platform.clock import utc_now
from knowledge.checks.content_linter import ContentLinter
from knowledge.diagnostics.diagnostic import Diagnostic, Severity
from knowledge.fields import yaml
from knowledge.fields.content_types import (
    CATEGORY,
    CITY,
    COUNTRY,
    FORM,
    KIND,
    POST,
    PRODUCT,
    REGISTRY,
    SETTINGS,
    SITE,
    AnyContentType,
)
from knowledge.fields.own_fields import OwnField, own_fields
from knowledge.fields.yaml import YamlError
from knowledge.locales import cldr
from knowledge.locales.locale import Country, Language, localized_text
from knowledge.markdown.slugs import slugify
from knowledge.snapshot.loading import LoadedContent, load_content
from knowledge.snapshot.snapshot import Snapshot


@click.command()
@click.argument("kind")
@click.argument("title")
@click.option(
    "--lang",
    type=click.Choice(tuple(map(str, Language))),
    help="Language of the title (default: that of its letters).",
)
@click.option("--slug", help="Name of the page in URLs (default: made from the title).")
@click.option("--country", help="Country of a new city, such as sa.")
@click.option(
    "--folder", type=click.Path(path_type=Path), help="Content folder (default: CONTENT_DIR)."
)
def new(
    kind: str,
    title: str,
    lang: str | None,
    slug: str | None,
    country: str | None,
    folder: Path | None,
) -> None:
    """Write a new document of KIND, and print the path of its file.

    Posts, pages and products begin as drafts, which only a preview shows. KIND may be one that the
    site declares; also the name of its folder, such as modules.
    """
    root = folder or command_settings().content_dir
    title = " ".join(title.split())
    before = load_or_fail(root)
    types = before.snapshot.content_types
    known = {each.singular: each for each in types}
    renamed = before.snapshot.kinds.renamed.items()
    own = {slugify(localized_text(each.singular, Language.EN)): name for name, each in renamed}
    content_type = known.get(kind) or types.of_folder(own.get(kind, kind))
    if content_type is None:
        raise click.BadParameter(f"'{kind}' is not one of {', '.join(known)}.", param_hint="KIND")
    document = NewDocument(
        kind=content_type,
        title=title,
        slug=_slug(content_type, slug, title),
        language=Language(lang) if lang else language_of(title),
        country=_country(content_type, country),
        today=utc_now().date(),
    )
    _write(root, before, document)
    click.echo(root / document.path)
    if document.is_draft:
        advice = "Remove the line “published: false” to publish it."
        click.echo(f"A draft; see it with: majlis preview {document.path}. {advice}", err=True)


FIXED_SLUGS: Mapping[AnyContentType, tuple[str, ...]] = {
    REGISTRY: REGISTRY.page_slugs,
    SITE: tuple(SITE.singletons),
}
"""The slugs of the types whose documents have fixed names."""


def _slug(kind: AnyContentType, given: str | None, title: str) -> str:
    slug = slugify(given) if given else slug_of(title)
    fixed = FIXED_SLUGS.get(kind)
    if fixed and slug not in fixed:
        raise click.ClickException(f"Use --slug with one of: {', '.join(fixed)}.")
    if kind == COUNTRY and Country.parse(slug) is None:
        raise click.ClickException("Use --slug with the ISO 3166 code of the country, such as eg.")
    if not slug:
        raise click.ClickException("The title has no letter or digit. Use --slug.")
    return slug


def _country(kind: AnyContentType, country: str | None) -> Country | None:
    if kind == CITY and country is None:
        raise click.ClickException("A city needs its country, such as --country sa.")
    parsed = Country.parse(country) if country else None
    if country and parsed is None:
        raise click.ClickException(f"“{country}” is not the ISO 3166 code of a country.")
    return parsed


def _write(root: Path, before: LoadedContent, document: NewDocument) -> None:
    """Write the file, unless one is there; remove it again if it has a problem."""
    path = root / document.path
    text = document.text(before.snapshot)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise click.ClickException(f"{path} is there already. Use another --slug.") from None
    except OSError as error:
        raise click.ClickException(f"Cannot write {path}: {error.strerror}.") from None
    problem = _problem(root, before, document.path)
    if problem is not None:
        path.unlink()
        raise click.ClickException(str(problem))


def _problem(root: Path, before: LoadedContent, path: str) -> Diagnostic | None:
    """Return the first problem that a new file causes."""
    loaded = load_content(root, before, {path})
    entry = loaded.snapshot.entry_of_file(path)
    linter = ContentLinter(loaded.snapshot, utc_now())
    found = [*loaded.diagnostics, *(linter.of_entry(entry) if entry else ())]
    serious = (each for each in found if each.severity is not Severity.NOTICE)
    return next((each for each in serious if each not in before.diagnostics), None)


_LONGEST_SLUG = 80
"""Characters of a slug from a title, so that the file name fits every file system."""

_CURRENCY = "USD"
"""The currency of the price of a new product on a site without countries."""

_ARABIC = re.compile(r"[\u0600-\u06ff]")
_PUBLISHED_AT_ONCE = (CATEGORY, CITY, COUNTRY, KIND, SITE)
"""Types whose documents others refer to; the documents of all others begin as drafts."""

_TITLE_KEYS = {
    CATEGORY: "name",
    COUNTRY: "name",
    KIND: "plural",
}
"""The keys of titles, where they are not `title`."""


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
        return self.kind in (CITY, COUNTRY, KIND, PRODUCT, SITE, CATEGORY)

    @property
    def _title_key(self) -> str:
        declared = self.kind.declared
        named = (declared and declared.title_from) or ""
        is_needed = any(to_snake(named) in each for each in self.kind.required)
        return named if is_needed else _TITLE_KEYS.get(self.kind, "title")

    def text(self, snapshot: Snapshot) -> str:
        """Return its text; `snapshot` has the other documents of the folder."""
        return "\n".join(["---", *self._lines(snapshot), "---", "", ""])

    def _product_lines(self, snapshot: Snapshot) -> Iterator[str]:
        numbers = (each.fields.id for entry in snapshot.all(PRODUCT) for each in entry.documents)
        country = snapshot.default_locale.country
        currency = cldr.currency(country) if country else _CURRENCY
        yield f"id: {max(filter(None, numbers), default=0) + 1}"
        yield f"sku: {_scalar(self.slug.upper())}"
        yield "prices:"
        yield f'  {currency}: "{0:.{cldr.currency_digits(currency)}f}"'

    def _own_lines(self, snapshot: Snapshot) -> Iterator[str]:
        """Yield the fields that a declaration requires, to be filled in."""
        needed = {names[0] for names in self.kind.required} - {to_snake(self._title_key)}
        for field in own_fields(self.kind.fields).values():
            if field.attribute in needed:
                yield f"{field.key}: {self._example(snapshot, field)}"

    def _example(self, snapshot: Snapshot, field: OwnField) -> str:
        target = snapshot.content_types.of_folder(field.declaration.to or "")
        slugs = [entry.slug for entry in snapshot.all(target)] if target else []
        country = snapshot.default_locale.country
        currency = cldr.currency(country) if country else _CURRENCY
        examples = {
            "number": f"{field.declaration.min or 0:g}",
            "integer": f"{field.declaration.min or 0:g}",
            "boolean": "false",
            "money": f'{{ {currency}: "0" }}',
            "date": str(self.today),
            "choice": next(iter(field.choices), ""),
            "reference": next(iter(slugs), '"…"'),
            "country": str(country or "SA"),
            "url": "https://example.com",
            "place": '{ address: "…" }',
            "address": '{ street: "…", city: "…" }',
            "mail": "info@example.com",
            "time": '"9:00"',
            "hours": "{ days: { daily: closed } }",
            "duration": "1 hour",
            "offer": f"{{ amount: {{ {currency}: 0 }} }}",
            "rating": "5",
        }
        example = examples.get(field.type, '"…"')
        if field.type == "records":
            values = (f"{each.key}: {self._example(snapshot, each)}" for each in field.fields)
            example = f"{{ {', '.join(values)} }}"
        return f"[{example}]" if field.has_many else example

    def _lines(self, snapshot: Snapshot) -> Iterator[str]:
        if self.language is Language.AR and self._is_shared:
            yield "lang: ar"
        title = _scalar(self.title)
        if self.kind == SITE and self.slug == SETTINGS.slug:
            yield from ("seo:", f"  pageTitle: {title}")
        else:
            yield f"{self._title_key}: {title}"
        if self.kind == KIND:
            yield f"singular: {title}"
        if self.kind == FORM:
            yield from ("fields:", "  name: { type: text, required: true }")
            yield from ("  phone: { type: phone }", "  email: { type: email }")
            yield "requireOneOf: [phone, email]"
        if self.kind != PRODUCT:  # whose numbers are unique
            yield from self._own_lines(snapshot)
        if self.kind == POST:
            yield f"publishedAt: {self.today}"
        elif self.kind == CITY:
            yield f"countryCode: {self.country}"
        elif self.kind == PRODUCT:
            yield from self._product_lines(snapshot)
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
