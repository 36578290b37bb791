"""Frames of an llms.txt: what stands before the pages and behind them."""

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
    """The head and the last sections of a file."""

    head: str
    tail: tuple[LlmsSection, ...]

    @property
    def size(self) -> int:
        """Characters of both."""
        return len(self.head) + sum(len(section.text) for section in self.tail)


def service_envelope(view: ContentView) -> Envelope:
    """Of `/llms.txt`: the interfaces, and the way to every locale."""
    texts, site = messages_for(view), brand(view)
    paragraph = f"{texts.when_service.format(site=site)} {texts.how}"
    locales = [locale_line(view, each) for each in view.snapshot.open_locales]
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
    """Of `/{cc}/{lang}/llms.txt`: the way to the whole service and the other locales."""
    texts, site = messages_for(view), brand(view)
    when = texts.when_locale.format(site=site, country=country_name(view))
    others = [each for each in view.snapshot.open_locales if each != view.locale]
    elsewhere = [link_line(view, texts.whole_service)]
    elsewhere += [locale_line(view, each) for each in others]
    tail = (section(view, Heading.LOCALES, elsewhere), *_last_sections(view, texts.guide))
    title = f"{site}: {locale_name(view, view.locale)}"
    return Envelope(head(title, summary(view), f"{when} {texts.how}"), tail)


def part_envelope(view: ContentView, number: int) -> Envelope:
    """Of a further file: the way back to the first."""
    texts = messages_for(view)
    name = locale_name(view, view.locale)
    title = texts.part_title.format(site=brand(view), locale=name, number=number)
    back = section(view, Heading.OPTIONAL, [locale_line(view, view.locale)])
    return Envelope(head(title, texts.part_summary, texts.how), (back,))


def section(view: ContentView, heading: Heading, lines: Iterable[str]) -> LlmsSection:
    """Lines under a heading in the view's language."""
    return LlmsSection(messages_for(view).headings[heading], tuple(lines))


def head(title: str, description: str, paragraph: str) -> str:
    """Title, one line of quote, and a paragraph."""
    title = one_line(title, _TITLE_CHARACTERS)
    return f"# {title}\n\n> {one_line(description, _SUMMARY_CHARACTERS)}\n\n{paragraph}\n"


def summary(view: ContentView) -> str:
    """What the site says of itself in the locale's language, else what we can say of it."""
    written = (site_settings(view).seo.meta_description or {}).get(view.locale.language)
    ours = messages_for(view).summary.format(site=brand(view), country=country_name(view))
    return written or ours


def _last_sections(view: ContentView, optional: Link) -> tuple[LlmsSection, LlmsSection]:
    """What not to ask for, named by the rules that say so, and what can be left out.

    Neither sitemap nor feed: agents would take them for texts to read.
    """
    reasons = messages_for(view).private_reasons
    rules = view.absolute("/robots.txt")
    private = [f"- [{path}]({rules}): {reasons[path]}" for path in PRIVATE_PATHS]
    return (
        section(view, Heading.PRIVATE, private),
        section(view, Heading.OPTIONAL, [link_line(view, optional)]),
    )
