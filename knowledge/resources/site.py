"""The site: its settings, menus and contact form, as the files of `site/` set them."""

import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated

from pydantic import Field

from knowledge.addresses.addresses import LocalizedAddress, in_locale
from knowledge.fields.content_types import CONTACT_FORM, NAVIGATION, PAGE, SETTINGS, WORDS
from knowledge.fields.field_types import BilingualString, Omittable
from knowledge.fields.settings_fields import (
    CompanySettings,
    LinkFields,
    NavigationFields,
    PlainLinkFields,
    SettingsFields,
    SiteSeo,
)
from knowledge.fields.site_fields import (
    DEFAULT_TOPICS,
    DEFAULT_USES,
    ContactFormFields,
    FormFields,
    LeadTopic,
    Topic,
)
from knowledge.locales.locale import localized_text
from knowledge.resources.base import Resource
from knowledge.resources.document_page import title_of
from knowledge.resources.listing import leads_nowhere
from knowledge.resources.site_map import site_map
from knowledge.resources.theme import Theme, theme
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView, cached_per_snapshot


class NavigationLink(Resource):
    """One menu entry; `href` is a site path in the locale, or a URL."""

    id: str
    """Id of the link."""
    label: str
    """Text of the link."""
    href: str
    """Site path in the locale, or URL, to which it leads."""
    active: bool = True
    """Whether menus show the link."""
    sort_order: Omittable[int] = None
    """Position of the link in its menu."""
    links: Omittable[list["NavigationLink"]] = None
    """Links below it."""


class SiteHeader(Resource):
    """The header of the site."""

    nav_links: list[NavigationLink]
    """The links of the header."""
    logo_url: Omittable[str] = None
    """Path or URL of the logo."""
    announcement: Omittable[NavigationLink] = None
    """Line above the header; `href` may be empty."""


class FooterTitle(Resource):
    """One column of the footer."""

    title: str
    """Title of the column."""


class SiteFooter(Resource):
    """The footer of the site."""

    columns: list[FooterTitle]
    """The columns of the footer."""
    legal_lines: Annotated[
        list[BilingualString], Field(exclude_if=operator.not_, default_factory=list)
    ]
    """Copyright and other legal lines."""


class FormField(Resource):
    """One field of the contact form."""

    name: str = Field(description="Name of the field in a lead.")
    label: BilingualString
    """Label of the field."""
    required: bool
    """Whether the field must be filled in."""


class FormTopic(Resource):
    """One topic of the contact form."""

    value: str = Field(description="Value of `subject` in a lead, if `topic` is another one.")
    label: BilingualString
    """Name of the topic."""
    topic: LeadTopic
    """Value of `topic` in a lead."""


class ContactFormSettings(Resource):
    """The contact form: its fields in order, and its topics; without `enabled` pages show none."""

    enabled: bool
    """Whether pages show the form."""
    fields: list[FormField]
    """The fields of the form in their order."""
    topics: list[FormTopic]
    """The topics that a visitor may choose."""


class SiteSettings(Resource):
    """The settings that a frontend needs on every page."""

    header: SiteHeader
    """The header."""
    seo: SiteSeo
    """Default metadata for search engines."""
    footer: SiteFooter
    """The footer."""
    site_settings: CompanySettings
    """Contact data, registrations and profiles of the company."""
    theme: Theme
    """Colours, fonts and logos."""
    words: Omittable[dict[str, BilingualString]] = Field(
        None, description="The words of buttons, the form and the footer, by their keys."
    )
    contact_form: Omittable[ContactFormSettings] = None
    """The contact form."""


class FooterColumn(FooterTitle):
    """A footer column with its links."""

    links: list[NavigationLink]
    """The links of the column."""


class FooterLinks(Resource):
    """The links of all footer columns, in order."""

    links: list[NavigationLink]
    """The links."""
    columns: list[FooterColumn]
    """The same links in their columns."""


class NavigationPage(Resource):
    """A published CMS page, for menus."""

    slug: str
    """Slug of the page."""
    title: str
    """Title of the page."""


class Navigation(Resource):
    """The header links, the footer links and all published CMS pages."""

    header_links: list[NavigationLink]
    """The links of the header."""
    footer_columns: FooterLinks
    """The links of the footer."""
    pages: list[NavigationPage]
    """The published CMS pages."""

    def listed_pages(self, view: ContentView) -> Iterable[LocalizedAddress]:
        """Return all pages of the locale."""
        return in_locale(view.locale, site_map(view.snapshot, view.now).addresses(view.locale))


@cached_per_snapshot
def site_settings(view: ContentView) -> SiteSettings:
    """Return the site settings, with the header links and the footer titles."""
    resolved = view.singleton(SETTINGS)
    settings = resolved.fields if resolved else SettingsFields()
    company = settings.site_settings or CompanySettings()
    logo = company.logo_url
    return SiteSettings(
        header=SiteHeader(
            nav_links=header_links(view),
            logo_url=theme(view).logo.light,
            announcement=_announcement(view),
        ),
        seo=settings.seo or SiteSeo(),
        footer=SiteFooter(
            columns=[FooterTitle(title=each.title) for each in footer_columns(view)],
            legal_lines=legal_lines(view),
        ),
        site_settings=replace(company, logo_url=logo and view.path(logo, _SETTINGS_PATH)),
        theme=theme(view),
    )


def legal_lines(view: ContentView) -> list[BilingualString]:
    """Return the small lines of the footer, such as the number in the trade register."""
    resolved = view.singleton(WORDS)
    return (resolved.fields.legal_lines if resolved else None) or []


_SETTINGS_PATH = "site/settings.md"
_NAVIGATION_PATH = "site/navigation.md"


def _menus(view: ContentView) -> NavigationFields:
    resolved = view.singleton(NAVIGATION)
    return resolved.fields if resolved else NavigationFields()


@cached_per_snapshot
def header_links(view: ContentView) -> list[NavigationLink]:
    """Return the entries of the main menu, by sortOrder."""
    return _links(view, _menus(view).header_links or ())


@cached_per_snapshot
def footer_columns(view: ContentView) -> list[FooterColumn]:
    """Return the columns of the footer."""
    language = view.locale.language
    return [
        FooterColumn(
            title=localized_text(column.title, language), links=_links(view, column.links or ())
        )
        for column in _menus(view).footer_columns or ()
    ]


def _announcement(view: ContentView) -> NavigationLink | None:
    link = _menus(view).announcement
    shown = link and link.active is not False and link.label
    return _link(view, link) if link and shown else None


def _links(view: ContentView, links: Sequence[PlainLinkFields]) -> list[NavigationLink]:
    """Return the links that lead somewhere, and the lists with such links, by sortOrder."""
    ordered = sorted(links, key=lambda link: link.sort_order or 0)
    made = view.snapshot.left_out.each(ordered, partial(_link, view), lambda _: _NAVIGATION_PATH)
    return [link for link in made if link.links or link.href]


def _link(view: ContentView, link: PlainLinkFields) -> NavigationLink:
    href, below = link.href or "", link.links if isinstance(link, LinkFields) else None
    return NavigationLink(
        id=link.id or href.strip("/") or "home",
        label=localized_text(link.label, view.locale.language),
        href="" if not href or leads_nowhere(view, href) else view.path(href),
        active=link.active is not False,
        sort_order=link.sort_order,
        links=[each for each in _links(view, below) if each.active] if below else None,
    )


def navigation(view: ContentView) -> Navigation:
    """Return both menus and the published CMS pages."""
    return Navigation(
        header_links=header_links(view),
        footer_columns=footer_links(view),
        pages=view.each(
            view.resolve_all(PAGE),
            lambda page: NavigationPage(slug=page.entry.slug, title=title_of(page)),
        ),
    )


def footer_links(view: ContentView) -> FooterLinks:
    """Return the links of all footer columns."""
    columns = footer_columns(view)
    return FooterLinks(links=[link for each in columns for link in each.links], columns=columns)


@dataclass(frozen=True, slots=True)
class FormOptions:
    """What the form asks for: the fields that it has and whether each is required, and topics."""

    enabled: bool
    required: Mapping[str, bool]
    topics: tuple[Topic, ...]
    enforced: tuple[str, ...]
    """The fields that the site itself requires."""


@cached_per_snapshot
def form_options(view: ContentView) -> FormOptions:
    """Return what the form of the view's locale asks for."""
    resolved = view.singleton(CONTACT_FORM)
    form = resolved.fields if resolved else ContactFormFields()
    topics = form.topics if form.topics is not None else [Topic(value=v) for v in DEFAULT_TOPICS]
    chosen = form.fields or FormFields()
    uses = {name: getattr(chosen, name) or use for name, use in DEFAULT_USES.items()}
    return FormOptions(
        enabled=form.enabled is not False,
        required={
            name: use == "required"
            for name, use in uses.items()
            if use != "hidden" and (topics or name != "topic")
        },
        topics=tuple({topic.value: topic for topic in topics}.values()),
        enforced=tuple(name for name in uses if getattr(chosen, name) == "required"),
    )


def lead_topics(snapshot: Snapshot) -> Mapping[str, LeadTopic]:
    """Return the topic of a lead for each topic that a form may have, the site's own ones last."""
    entry = snapshot.singleton(CONTACT_FORM)
    own = (
        topic
        for document in (entry.documents if entry else ())
        for topic in document.fields.topics or ()
    )
    return {each: each for each in DEFAULT_TOPICS} | {each.value: each.lead_topic for each in own}


def own_topics(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the site's own topics of the form, which are the subjects of leads."""
    return tuple(value for value, topic in lead_topics(snapshot).items() if value != topic)
