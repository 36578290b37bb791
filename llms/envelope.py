"""The parts of an llms.txt before and after its list of pages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from knowledge.content_view import ContentView
from knowledge.resources.site import site_settings
from knowledge.resources.site_map import PRIVATE_PATHS
from llms.lines import (
    country_name,
    link_line,
    locale_line,
    locale_name,
    messages_for,
    one_line,
)
from llms.messages import Heading, Link
from llms.sections import LlmsSection
from renderers.html.head import brand

_TITLE_CHARACTERS = 120
_SUMMARY_CHARACTERS = 400


@dataclass(frozen=True, slots=True)
class Envelope:
    """The head and the last sections of an llms.txt file."""

    head: str
    tail: tuple[LlmsSection, ...]

    @property
    def size(self) -> int:
        """The number of characters of head and tail."""
        return len(self.head) + sum(len(section.text) for section in self.tail)


def service_envelope(view: ContentView) -> Envelope:
    """Return the envelope of `/llms.txt`, with the interfaces and all locales."""
    texts, site = messages_for(view), brand(view)
    paragraph = f"{texts.when_service.format(site=site)} {texts.how}"
    locales = [locale_line(view, locale) for locale in view.snapshot.open_locales]
    interfaces = [link_line(view, link) for link in (texts.guide, texts.contract)]
    partners = [link_line(view, link) for link in texts.partners]
    tail = (
        section(view, Heading.DEVELOPERS, interfaces),
        section(view, Heading.PARTNERS, partners),
        section(view, Heading.LOCALES, locales),
        *_last_sections(view, texts.health),
    )
    return Envelope(head(site, summary(view), paragraph), tail)


def locale_envelope(view: ContentView) -> Envelope:
    """Return the envelope of `/{cc}/{lang}/llms.txt`, with links to `/llms.txt` and all locales."""
    texts, site = messages_for(view), brand(view)
    when = texts.when_locale.format(site=site, country=country_name(view))
    others = [locale for locale in view.snapshot.open_locales if locale != view.locale]
    lines = [link_line(view, texts.whole_service)]
    lines += [locale_line(view, locale) for locale in others]
    tail = (section(view, Heading.LOCALES, lines), *_last_sections(view, texts.guide))
    title = f"{site}: {locale_name(view, view.locale)}"
    return Envelope(head(title, summary(view), f"{when} {texts.how}"), tail)


def part_envelope(view: ContentView, number: int) -> Envelope:
    """Return the envelope of `llms-{number}.txt`, with a link to the first file."""
    texts = messages_for(view)
    name = locale_name(view, view.locale)
    title = texts.part_title.format(site=brand(view), locale=name, number=number)
    back = section(view, Heading.OPTIONAL, [locale_line(view, view.locale)])
    return Envelope(head(title, texts.part_summary, texts.how), (back,))


def section(view: ContentView, heading: Heading, lines: Iterable[str]) -> LlmsSection:
    """Return a section with its heading in the view's language."""
    return LlmsSection(messages_for(view).headings[heading], tuple(lines))


def head(title: str, description: str, paragraph: str) -> str:
    """Return the head of a file: a title, a one-line quote and a paragraph."""
    title = one_line(title, _TITLE_CHARACTERS)
    return f"# {title}\n\n> {one_line(description, _SUMMARY_CHARACTERS)}\n\n{paragraph}\n"


def summary(view: ContentView) -> str:
    """Return the site's meta description in the view's language, or a generic summary."""
    authored = (site_settings(view).seo.meta_description or {}).get(view.locale.language)
    generic = messages_for(view).summary.format(site=brand(view), country=country_name(view))
    return authored or generic


def _last_sections(view: ContentView, optional: Link) -> tuple[LlmsSection, LlmsSection]:
    """Return the sections "Private paths", which link to robots.txt, and "Optional".

    Neither lists the sitemap or the feed, because agents would read them as text.
    """
    reasons = messages_for(view).private_reasons
    rules = view.absolute("/robots.txt")
    private = [f"- [{path}]({rules}): {reasons[path]}" for path in PRIVATE_PATHS]
    return (
        section(view, Heading.PRIVATE, private),
        section(view, Heading.OPTIONAL, [link_line(view, optional)]),
    )
