"""The files of an imported site that its configuration becomes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from app.operations.importing.documents import SourceDocument
from app.operations.importing.source import SiteConfiguration
from knowledge.fields.slugs import slugify
from knowledge.locales.locale import Language


def settings_file(configuration: SiteConfiguration, title: str) -> str:
    """Return `site/settings.md`: the name, the description and the language of the site."""
    seo = {"pageTitle": configuration.title or title}
    if configuration.description:
        seo["metaDescription"] = configuration.description
    settings: dict[str, Any] = {"seo": seo}
    if language := Language.parse(configuration.language):
        settings = {"lang": language.value, **settings}
    return _front_matter(settings)


def navigation_file(configuration: SiteConfiguration, new_addresses: Mapping[str, str]) -> str:
    """Return `site/navigation.md`; `new_addresses` has the new address of each old one."""
    pages = {_comparable(former): address for former, address in new_addresses.items()}
    links = [
        {
            "id": f"header-{slugify(link.label) or number}",
            "label": link.label,
            "href": pages.get(_comparable(link.target), link.target),
            "active": True,
            "sortOrder": 10 * number,
        }
        for number, link in enumerate(configuration.menu, 1)
    ]
    return _front_matter({"headerLinks": links})


def home_file(home: SourceDocument) -> str:
    """Return `site/home.md` with the title and the description of the source's home page."""
    hero = {
        key: text
        for key, name in (("title", "title"), ("sub", "description"))
        if isinstance(text := home.metadata.get(name), str)
    }
    return _front_matter({"hero": hero}) if hero else ""


def _front_matter(metadata: Mapping[str, Any]) -> str:
    text = yaml.safe_dump(dict(metadata), allow_unicode=True, sort_keys=False, width=1_000)
    return f"---\n{text}---\n"


def _comparable(address: str) -> str:
    """Return an address in the form in which addresses are compared.

    >>> _comparable("Docs/Start.html"), _comparable("/docs/start/")
    ('/docs/start', '/docs/start')
    """
    path = address.partition("#")[0].strip("/").lower()
    return "/" + path.removesuffix(".html").removesuffix(".md")


def redirects_file(new_addresses: Mapping[str, str]) -> str:
    """Return `_redirects`, which leads readers of old addresses to the new ones."""
    return "".join(_redirect_lines(new_addresses))


def _redirect_lines(new_addresses: Mapping[str, str]) -> Iterator[str]:
    for former, address in sorted(new_addresses.items()):
        if former.rstrip("/") != address:
            yield f"{former.replace(' ', '%20')} {address} 301\n"
