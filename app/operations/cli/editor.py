"""The editor in a browser: a collection for each kind of a site, which Sveltia and Decap read.

The file `name.md` of a document has the main language of the site, `name.ar.md` the other one.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic.alias_generators import to_camel

from app.operations.cli.decap import Widget
from app.operations.cli.editor_fields import FIRST, EditorFields, Written
from knowledge.fields.content_types import (
    COUNTRY,
    FORM,
    HOME,
    KIND,
    NAVIGATION,
    PAGE,
    SETTINGS,
    SITE,
    WORDS,
    AnyContentType,
)
from knowledge.fields.kind_fields import KindFields
from knowledge.fields.site_fields import NAMED_WORDS
from knowledge.snapshot.snapshot import Snapshot

_SITE_FILES = (HOME, NAVIGATION, WORDS, SETTINGS)
"""The documents of `site/` with texts; the others are edited in files."""


@dataclass(frozen=True)
class Editor:
    """What people edit of a site."""

    snapshot: Snapshot
    below: str
    """The path of the content folder in the repository, with a slash, or `""`."""

    address: str
    """That of the site."""

    @property
    def configuration(self) -> dict[str, Any]:
        """The configuration for the page of the editor."""
        languages = [*map(str, self._fields.languages)]
        return {
            "backend": {"name": "github", "repo": "owner/name", "branch": "main"},
            "local_backend": True,
            "site_url": self.address,
            "media_folder": f"{self.below}images",
            "public_folder": "/images",
            "editor": {"preview": False},  # the other language is beside the main one
            "output": {"omit_empty_optional_fields": True},
            "i18n": {
                "structure": "multiple_files",
                "locales": languages,
                "default_locale": languages[0],
                "initial_locales": "all",
                "omit_default_locale_from_filename": True,
            },
            "collections": [*map(self._collection, self._kinds), *self._site()],
        }

    @cached_property
    def _kinds(self) -> list[AnyContentType]:
        """The kinds that have documents or are declared, and pages."""
        kinds, left = self.snapshot.kinds, {SITE, KIND, FORM, COUNTRY}
        return [
            kind
            for kind in self.snapshot.content_types
            if kind not in left | kinds.absent
            and (kind == PAGE or self._written(kind) or str(kind) in kinds.by_name)
        ]

    @cached_property
    def _fields(self) -> EditorFields:
        return EditorFields(self.snapshot, self._kinds)

    def _written(self, kind: AnyContentType, slug: str = "") -> list[Written]:
        """Return the front matter of the files of a kind, or of one document."""
        main = self.snapshot.locales.languages[0]
        return [
            Written(each.fields, each.layer.language not in (None, main))
            for entry in self.snapshot.entries.get(kind, {}).values()
            for each in entry.documents
            if not each.is_named_only and slug in ("", entry.slug)
        ]

    def _collection(self, kind: AnyContentType) -> Widget:
        kinds, written = self.snapshot.kinds, self._written(kind)
        own, page = kinds.by_name.get(str(kind)), kinds.page_types.by_content_type.get(kind)
        declared = own.declared if own else kind.declared or KindFields()
        needed = [_most_used(each, written) for each in kind.required if "body" not in each]
        shown = [name for name in kind.fields.field_names if name not in ("slug", "seo")]
        fields = [*self._fields.of_model(kind.fields, shown, written, needed), self._body()]
        known = {each["name"]: each for each in fields}
        titles = [name for name in needed if name in FIRST] or needed or ["title"]
        title = to_camel(titles[0])
        has_both = "fields" in known[title]
        has_own_names = not (kind.page_slugs or kind.is_named_by_file)
        address = self._address(page.path) if page else ""
        return {
            "name": str(kind),
            "label": self._fields.said(declared.plural, str(kind), "kinds"),
            "label_singular": self._fields.said(declared.singular, kind.singular, "kinds"),
            "folder": f"{self.below}{kind}",
            "create": has_own_names and known.keys() >= {*map(to_camel, needed)},
            "slug": "{{slug}}",
            "identifier_field": f"{title}.{self._fields.languages[0]}" if has_both else title,
            **({"preview_path": address} if address and "{city}" not in address else {}),
            "i18n": {"initial_locales": "default"} if has_both else True,
            "fields": fields,
        }

    def _body(self) -> Widget:
        """Return the field of the text, at first as it is written."""
        label, modes = self._fields.labelled("body"), ["raw", "rich_text"]
        body = {"name": "body", **label, "widget": "markdown", "modes": modes, "required": False}
        return self._fields.placed({**body, "i18n": True}, [])

    def _address(self, path: str) -> str:
        """Return the address of a page in the language that is edited, for a link."""
        country = self.snapshot.default_locale.path.rpartition("/")[0]
        return f"{country}/{{{{locale}}}}{path}".replace("{slug}", "{{slug}}").lstrip("/")

    def _site(self) -> Iterator[Widget]:
        """Yield the collection of the documents of `site/`."""
        suffix = ".{{locale}}" if len(self._fields.languages) > 1 else ""
        files = []
        for each in _SITE_FILES:
            written = self._written(SITE, each.slug)
            names = NAMED_WORDS if each is WORDS else vars(each.fields)["__annotations__"]
            if written:
                file = {"name": each.slug, **self._fields.labelled(each.slug, "kinds")}
                file |= {"file": f"{self.below}{SITE}/{each.slug}{suffix}.md", "i18n": True}
                fields = [*self._fields.of_model(each.fields, names, written)]
                files.append({**file, "fields": fields})
        if files:
            label = self._fields.labelled(str(SITE), "kinds")
            yield {"name": str(SITE), **label, "i18n": True, "files": files}


def _most_used(names: Iterable[str], written: list[Written]) -> str:
    """Return the one of several fields that most documents have, by default the first."""
    return max(names, key=lambda name: sum(each.part(name).value is not None for each in written))
