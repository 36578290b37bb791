"""What `majlis preview` links to: the page of a content file, or the page at an address."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote, urlsplit

import click

from knowledge.addresses.addresses import Address, parse_address, route_of, split_locale
from knowledge.diagnostics.diagnostic import Severity
from knowledge.documents.document import Document
from knowledge.fields.content_types import SITE
from knowledge.fields.file_types import DOCUMENT_SUFFIXES
from knowledge.locales.locale import Locale
from knowledge.resources.declarations import DECLARED_PAGES
from knowledge.resources.previews import preview_locales
from knowledge.snapshot.loading import LoadedContent
from renderers.representation import split_suffix


@dataclass(frozen=True, slots=True)
class PreviewTargets:
    """The pages of a content folder, as they are at `at` (None: regardless of their dates)."""

    root: Path
    loaded: LoadedContent
    at: datetime | None
    now: datetime

    def find(self, text: str) -> tuple[Locale, Address]:
        """Return the page of a file or address; raises ClickException if there is none."""
        file = self._file(text)
        if file is not None:
            return self._page_of_file(file)
        path = unquote(urlsplit(text).path)
        locale, rest = split_locale(split_suffix(path)[0])
        address = parse_address(rest) if path.startswith("/") else None
        if address is None:
            raise click.ClickException(
                f"“{text}” is neither a file of {self.root} nor the address of a page. "
                "Use for example posts/hello.md, or /sa/ar/blog/hello."
            )
        return locale or self.loaded.snapshot.open_locales[0], address

    def _file(self, text: str) -> str | None:
        """Return the path of a content file below the folder, or None for an address."""
        if not text.endswith(DOCUMENT_SUFFIXES):
            return None
        if text in self.loaded.files:
            return text
        absolute, root = Path(text).absolute(), self.root.absolute()
        if absolute.is_file() and absolute.is_relative_to(root):
            return absolute.relative_to(root).as_posix()
        return None if text.startswith("/") else text

    def _page_of_file(self, path: str) -> tuple[Locale, Address]:
        document = self._document(path)
        address = self._address(document)
        if address is None:
            advice = "Give the address of a page that shows it, and --at if it is dated."
            raise click.ClickException(f"{path} has no page of its own. {advice}")
        locales = preview_locales(self.loaded.snapshot, document, address, self.at, self.now)
        locale = next(locales, None)
        if locale is None:
            when = f"on {self.at:%Y-%m-%d at %H:%M} UTC" if self.at else "in any open country"
            raise click.ClickException(
                f"{path} is not shown {when}. Check its dates, countries and layer."
            )
        return locale, address

    def _document(self, path: str) -> Document:
        file = self.loaded.files.get(path)
        if file is not None and file.document is not None:
            return file.document
        errors = [
            str(each)
            for each in self.loaded.diagnostics
            if each.path == path and each.severity is Severity.ERROR
        ]
        reason = errors[0] if errors else f"{path} is not a content file of {self.root}."
        raise click.ClickException(reason)

    def _address(self, document: Document) -> Address | None:
        entry = self.loaded.snapshot.entry_of_file(document.path)
        if entry is None:
            return None
        if entry.kind is SITE:
            lists = (page for page in DECLARED_PAGES if page.singleton == entry.slug)
            return next(map(Address, lists), None)
        if document.layer.city and entry.kind in _IN_CITY.content_types:
            return Address(_IN_CITY, entry.slug, document.layer.city)
        return route_of(entry)


_IN_CITY = next(page for page in DECLARED_PAGES if page.in_city)
