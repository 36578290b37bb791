"""The HTML renderer of public pages, perhaps with a form, of error pages and documentation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import partial
from typing import Any

from markupsafe import Markup

from knowledge.addresses.addresses import Address
from knowledge.blocks.form import ClosedDay, Misfit, OutOfRange, SiteForm
from knowledge.blocks.text import TextBlock
from knowledge.diagnostics.messages import mark as _
from knowledge.documents.site_files import NO_TEMPLATES
from knowledge.fields.content_types import CITY, SETTINGS
from knowledge.fields.form_fields import TODAY, day_of, limit_field
from knowledge.fields.theme_fields import Colour
from knowledge.locales.locale import Language, Locale, TextLanguage, localized_text
from knowledge.markdown.slugs import Anchors
from knowledge.resources.base import Resource
from knowledge.resources.forms import CONTACT_NAME
from knowledge.resources.home import HOME_PAGE
from knowledge.resources.own_places import spans_json
from knowledge.resources.products import EnquiredProduct, enquired_products
from knowledge.resources.seo import Alternate
from knowledge.resources.site import legal_lines
from knowledge.resources.site_chrome import LocaleOption, SiteChrome, brand, site_chrome
from knowledge.resources.site_map import builtin_pages, developers_page
from knowledge.resources.site_page import DocumentationPage, PageModel
from knowledge.resources.theme import Ground, Theme, theme
from knowledge.views.content_view import ContentView, cached_per_snapshot
from renderers.blocks.contact import ContactLine, call_lines
from renderers.blocks.page_blocks import page_blocks, with_ids
from renderers.html import json_ld, styles
from renderers.html.head import HeadMetadata, favicon, minimal_head, page_head
from renderers.html.images import complete_images, with_diagrams
from renderers.html.lazy_variables import Later
from renderers.html.page_links import (
    BLOG_ADDRESS,
    MenuEntry,
    feed_path,
    in_site,
    locale_suggestion,
    menu_entries,
    opensearch_path,
    with_enquiry,
    without_crawlers,
)
from renderers.html.page_styles import with_page_styles
from renderers.html.site_templates import chosen_template, render_template
from renderers.html.styles import preloaded_fonts, theme_stylesheet
from renderers.l10n import field_words
from renderers.l10n.formats import full_date
from renderers.l10n.translation import (
    contact_form,
    contact_form_settings,
    in_site_texts,
    site_words,
    translate,
)
from renderers.markdown.errors import ErrorPage, error_blocks, error_texts
from renderers.markdown.navigation import (
    default_menu,
    global_links,
    has_posts,
    links_to,
    list_paths,
    list_query,
    main_call,
)
from renderers.markdown.renderer import preview_text
from renderers.page_rendering import Call, page_title, rendering_of
from renderers.representation import MediaType, Representation

MEDIA_TYPE = f"{MediaType.HTML}; charset=utf-8"

NO_FORMS: Mapping[str, FormState] = {}


@in_site_texts
def render(
    page: PageModel[Resource],
    forms: Mapping[str, FormState] = NO_FORMS,
    suggested: Locale | None = None,
) -> Representation:
    """Render a public page, with the forms of which a state is given, by their names.

    `suggested` is the locale in which this reader had rather read it.
    """
    language = page.locale.language
    outcomes = {translate(form.outcome, language) for form in forms.values() if form.outcome}
    is_personal = any(each.is_personal for each in forms.values())
    blocks = page_blocks(page, page_title(page))
    head = page_head(page, "".join(outcomes), is_personal=is_personal)
    form = forms.get(CONTACT_NAME)
    asked = form.products if form else enquired_products(page.view, page.query.enquiry)
    query = f"?{form.query}" if form and form.query else list_query(page)
    rendering, note = rendering_of(page.address.page), page.preview
    context = {
        "page": page,
        "resource": page.answer.resource,
        "main_language": page.language,
        "breadcrumbs": page.breadcrumbs,
        "json_ld": Later(lambda: json_ld.graph(page, head)),
        "forms": forms,
        "form": form,
        **(_form_variables(page.view, form) if form else {}),
        "blocks": blocks,
        "ids": blocks.ids.copy(),
        **_common(note.site if note else page.view, _with_query(page, query), head, page),
        "call": _call(page),
        "enquired": asked,
        "preview_text": preview_text(note, page.locale) if note else "",
        "suggestion": locale_suggestion(page, suggested, query) if suggested else None,
        **(rendering.variables(page) if rendering.variables else {}),
        **{name: Later(partial(make, page)) for name, make in rendering.former.items()},
    }
    template = chosen_template(page) or rendering.template
    return _representation(
        template,
        context,
        page.language,
        page.answer.updated_at,
        page.view,
        instead=rendering.template,
    )


def _with_query(page: PageModel[Resource], query: str) -> SiteChrome:
    """Return header and footer, whose switches keep what is searched, compared or asked about."""
    if not query:
        return page.chrome
    path = page.address.path

    def kept(options: Sequence[LocaleOption]) -> list[LocaleOption]:
        return [
            each.model_copy(update={"path": each.path + query * each.path.endswith(path)})
            for each in options
        ]

    switches = {"languages": kept(page.chrome.languages), "countries": kept(page.chrome.countries)}
    return page.chrome.model_copy(update=switches)


def _form_variables(view: ContentView, form: FormState) -> dict[str, Any]:
    """Return the contact form as the site sets it.

    One without an action shows what a site shows that has switched it off.
    """
    settings = contact_form_settings(view)
    if not form.action:
        settings = settings.model_copy(update={"enabled": False})
    return {"form_settings": settings, "contact_form": contact_form(view)}


def render_error(page: ErrorPage) -> Representation:
    """Render an error page in the language of its locale."""
    title, advice = error_texts(page)
    variables = {
        "status": page.status,
        "advice": advice,
        "nearest": page.nearest,
        "elsewhere": page.elsewhere,
        "blocks": error_blocks(page),
    }
    if page.view is None:
        context = {"title": title, "locale": page.locale, "is_static": False, **variables}
        language = page.locale.language
        return _representation("bare_error.html", {"main_language": language, **context}, language)
    return _render_alone("error.html", page.view, title, variables)


def _render_alone(
    template: str,
    view: ContentView,
    title: str,
    variables: Mapping[str, object],
    head: HeadMetadata | None = None,
    chrome: SiteChrome | None = None,
) -> Representation:
    """Render what is no page of the site map, by default without an address of its own."""
    head = head or minimal_head(view, title, view.locale.path, indexed=False)
    context = {
        "title": title,
        "breadcrumbs": (),
        "main_language": view.locale.language,
        **variables,
        **_common(view, chrome or site_chrome(view, Address(HOME_PAGE)), head),
    }
    return _representation(template, context, context["main_language"], view=view)


@in_site_texts
def render_document(documentation: DocumentationPage) -> Representation:
    """Render a documentation page, with the header and footer of the view's locale."""
    page, view = documentation.page, documentation.view
    head = minimal_head(view, page.title, page.path, indexed=True, description=page.description)
    head = replace(head, alternates=documentation.alternates)
    text = TextBlock(text=documentation.text)
    variables = {
        "text": documentation.text,
        "blocks": with_ids([text], page.title),
        "main_language": documentation.language,
    }
    chrome = _documentation_chrome(documentation)
    return _render_alone("document.html", view, page.title, variables, head, chrome)


@in_site_texts
def render_notice(view: ContentView, title: str, text: str, button: str = "") -> Representation:
    """Render a page for one visitor: a text, and perhaps a button that sends an empty form."""
    language = view.locale.language
    variables = {
        "text": translate(text, language),
        "button": button and translate(button, language),
    }
    return _render_alone("notice.html", view, translate(title, language), variables)


def _documentation_chrome(documentation: DocumentationPage) -> SiteChrome:
    """Return header and footer, whose languages lead to the page in each of them."""
    view = documentation.view
    chrome = site_chrome(view, Address(HOME_PAGE))
    paths = {page.language: page.path for page in builtin_pages(view.snapshot.locales)}
    languages = [
        option.model_copy(
            update={
                "path": paths.get(Language(option.code), option.path),
                "current": option.code == documentation.language,
            }
        )
        for option in chrome.languages
    ]
    return chrome.model_copy(update={"languages": languages})


def _common(
    view: ContentView,
    chrome: SiteChrome,
    head: HeadMetadata,
    page: PageModel[Resource] | None = None,
) -> dict[str, Any]:
    menu = menu_entries(chrome.header_links or default_menu(view), page)
    return {
        **_of_locale(view),
        "chrome": chrome,
        "head": head,
        "country_name": next((option.name for option in chrome.countries if option.current), ""),
        "preview_text": "",
        "enquired": (),
        "suggestion": None,
        "alternate_links": Later(partial(_alternate_links, view, head.alternates)),
        "menu": menu,
        "menu_links": Later(partial(_menu_links, view, menu, "wide")),
        "menu_panel": Later(partial(_menu_links, view, menu, "panel")),
        "call": None,
    }


def _menu_links(view: ContentView, menu: Sequence[MenuEntry], place: str) -> Markup:
    """Render the menu, once for all pages that mark the same entry."""
    context = {"menu": menu, "place": place}
    return view.part(("menu", place, *menu), lambda: _part("menu", context, view))


def _alternate_links(view: ContentView, alternates: Sequence[Alternate]) -> Markup:
    """Render the links to a page in other locales, which it has in each of them."""
    shared = view.for_locale(view.snapshot.default_locale)
    name = ("alternates", *(each.href for each in alternates))
    return shared.part(name, lambda: _part("alternates", {"alternates": alternates}, view))


@cached_per_snapshot
@in_site_texts
def _of_locale(view: ContentView) -> Mapping[str, Any]:
    """Return the variables that the pages of a locale share."""
    look, lines, settings = theme(view), _call_lines(view), view.singleton(SETTINGS)
    chrome = site_chrome(view, Address(HOME_PAGE))
    shared = {
        "locale": view.locale,
        "words": site_words(view),
        **global_links(view),
        "web_mcp": bool(settings and settings.fields.web_mcp),
        "is_static": view.is_static,
        "theme": look,
        "preloaded_fonts": preloaded_fonts(view),
        "dark_logo": look.logo.dark,
        "call_lines": lines,
    }
    of_site = {
        "chrome": chrome,
        "site_name": brand(view),
        "logo": _logo_on(look.header_ground or Ground.PAPER, look),
        "favicon": favicon(view),
        "opensearch_path": opensearch_path(view.locale),
        "suggest_script": styles.script_of(styles.SUGGEST),
    }
    return {
        **shared,
        "paths": list_paths(view.locale, view.snapshot.page_types),
        "site_stylesheet": view.snapshot.stylesheet,
        "page_menu": settings is None or settings.fields.page_menu is not False,
        "has_posts": has_posts(view),
        "theme_stylesheet": theme_stylesheet(view),
        "scheme_script": styles.scheme_script(view),
        "header_calls": _part("header_calls", {"lines": lines}, view),
        "demo_button": _part("demo_button", shared, view),
        "foot": _footer(view),
        **{name: _part(name, shared | of_site, view) for name in _SHARED_PARTS},
    }


_SHARED_PARTS = ("site_head", "site_search", "site_logo", "call_links")
"""Templates in `parts/` that all pages of a locale show alike, by the variable that has each."""


def _call_lines(view: ContentView) -> Sequence[ContactLine]:
    """Return the telephone numbers that the pages of a locale share."""
    contact = site_chrome(view, Address(HOME_PAGE)).contact
    return call_lines(contact, view.locale)


def _call(page: PageModel[Resource]) -> Call | None:
    """Return what the bar at the foot of phones asks for on a page."""
    find = rendering_of(page.address.page).call
    return find(page) if find else main_call(page.view)


def _footer(view: ContentView) -> Markup:
    """Render the footer that all pages of a locale share."""
    chrome, blog = site_chrome(view, Address(HOME_PAGE)), in_site(view, BLOG_ADDRESS)
    look = theme(view)
    context = {
        "manual_path": developers_page(view.locale.language, view.snapshot.locales).path,
        "locale": view.locale,
        "chrome": chrome,
        "site_name": brand(view),
        "words": site_words(view),
        "legal_lines": [localized_text(line, view.locale.language) for line in legal_lines(view)],
        "contact": chrome.contact,
        "feed_path": feed_path(view.locale, blog) if has_posts(view) else None,
        "city_links": links_to(view, CITY),
        "is_static": view.is_static,
        "theme": look,
        "logo": _logo_on(look.footer, look),
        "scheme_script": styles.scheme_script(view),
    }
    return _part("footer", context, view)


def _logo_on(ground: Ground | None, look: Theme) -> str | None:
    """Return the form of the logo that a ground of light pages has; without one it is `deep`."""
    button = Colour.parse(look.light.button)
    is_light = (
        bool(button and button.is_light) if ground == "accent" else ground not in (None, "deep")
    )
    return look.logo.light if is_light else look.logo.dark


def _part(name: str, context: Mapping[str, Any], view: ContentView) -> Markup:
    path, language = f"parts/{name}.html", view.locale.language
    text = render_template(path, context, language, view.snapshot.templates)
    return Markup(text)  # noqa: S704  # the template escapes values


def _representation(
    template: str,
    context: Mapping[str, Any],
    language: TextLanguage,
    updated_at: datetime | None = None,
    view: ContentView | None = None,
    instead: str | None = None,
) -> Representation:
    locale: Locale = context["locale"]
    templates = view.snapshot.templates if view else NO_TEMPLATES
    text = render_template(
        template, {"ids": Anchors(), **context}, locale.language, templates, instead
    )
    if view is not None:
        text = with_diagrams(complete_images(text, view), view.snapshot, locale.language)
    contact = context.get("contact_path")
    text = without_crawlers(text, contact) if contact else text
    if asked := context.get("enquired"):
        text = with_enquiry(text, locale, (context["paths"]["products"], contact), asked)
    text = with_page_styles(text, context.get("theme_stylesheet"))
    sources = styles.script_sources(text)
    return Representation(MEDIA_TYPE, text.encode(), language, updated_at, scripts=sources)


ORIGIN_FIELDS = (
    "productService",
    "page",
    "utm_source",
    "utm_medium",
    "utm_campaign",
    "utm_term",
    "utm_content",
)
"""The hidden fields that tell where an enquiry comes from, if it is known."""


@dataclass(frozen=True, slots=True)
class FormState:
    """The state of a form to render.

    `action` is empty where nobody gets what it would send.
    `values` and `errors` are keyed by field name; errors are texts in the reader's language.
    `about` is the title of what the enquiry is about. `sent` shows a thank-you message instead of
    the form. `failed` reports that the message could not be stored, and `retry_after`, in seconds,
    that the reader has sent too many; both ask to send it again.
    `token` is signed, and tells when the form was made. `is_personal` says that the page
    depends on where this reader comes from.
    """

    action: str
    values: Mapping[str, str] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)
    about: str | None = None
    products: Sequence[EnquiredProduct] = ()
    """The products that the enquiry is about."""

    sent: bool = False
    failed: bool = False
    retry_after: int | None = None
    token: str = ""
    source_page: str = ""
    """The page from which the form was sent, if it is another one."""

    today: str = ""
    """The day of the visit, for dates that begin with it."""

    challenge: Mapping[str, str | int] | None = None
    site_key: str = ""
    is_personal: bool = False
    query: str = ""
    """The query of the request, which says what the enquiry is about."""

    @property
    def outcome(self) -> str:
        """The word for what became of the message, `""` before it is sent."""
        is_refused = self.errors or self.failed or self.retry_after is not None
        return _("Thank you") if self.sent else _("Error") if is_refused else ""

    def day(self, limit: str | None) -> str | None:
        """Return a limit, a day where today is known, else its place; None for another field."""
        if limit is None or limit_field(limit):
            return None
        if not limit.startswith(TODAY):
            return limit
        if self.today[:1].isdigit():
            return day_of(limit, date.fromisoformat(self.today))
        return self.today + limit.removeprefix(TODAY) if self.today else None

    @property
    def retry_minutes(self) -> int:
        """The whole minutes to wait until the form can be sent again."""
        return math.ceil((self.retry_after or 0) / 60)

    @property
    def origin(self) -> Mapping[str, str]:
        """The values of the hidden fields that tell where the enquiry comes from."""
        return {name: self.values[name] for name in ORIGIN_FIELDS if self.values.get(name)}


def choice_text(wrong: Misfit, locale: Locale) -> str:
    """Return the message for an answer that does not suit its limits or another one: what does.

    It tells when something is open, and what can be chosen with the other answer.
    """
    if isinstance(wrong, ClosedDay):
        return _closed_text(wrong, locale)
    if isinstance(wrong, OutOfRange):
        return _range_text(wrong, locale)
    language = locale.language
    names = [localized_text(each.label, language) for each in wrong.options]
    values = {"options": translate(_(", "), language).join(names)} if names else {}
    text = _OTHER_OPTIONS if names else _NO_OPTIONS
    return translate(text, language, place=localized_text(wrong.place.label, language), **values)


_OTHER_OPTIONS = _("At %(place)s you can choose: %(options)s.", "form")
_NO_OPTIONS = _("At %(place)s there is none. Please leave this empty.", "form")


def _range_text(wrong: OutOfRange, locale: Locale) -> str:
    language = locale.language
    values = {
        name: full_date(date.fromisoformat(limit), locale) if wrong.type == "date" else limit
        for name, limit in (("least", wrong.least), ("most", wrong.most))
        if limit is not None
    }
    text = _LIMITS.get((wrong.type in ("date", "time"), *values), _WITHIN)
    told = translate(text, language, **values)
    if wrong.field is None:
        return told
    label = localized_text(wrong.field.plain_label, language)
    by = translate(_("It depends on “%(field)s”.", "form"), language, field=label)
    return f"{told} {by}"


_BETWEEN = _("Please stay between %(least)s and %(most)s.", "form")
_WITHIN = _("Please choose a value within the limits.")
_LIMITS: Mapping[tuple[object, ...], str] = {
    (True, "least", "most"): _BETWEEN,
    (False, "least", "most"): _BETWEEN,
    (True, "least"): _("Please choose %(least)s or later.", "form"),
    (True, "most"): _("Please choose %(most)s or earlier.", "form"),
    (False, "least"): _("Please choose %(least)s or more.", "form"),
    (False, "most"): _("Please choose %(most)s or less.", "form"),
}


def _closed_text(closed: ClosedDay, locale: Locale) -> str:
    language = locale.language
    open_day, spans = closed.next_day or closed.day, spans_json(closed.spans)
    values = {
        "place": localized_text(closed.title, language),
        "day": full_date(closed.day, locale),
        "next": full_date(open_day, locale),
        "hours": field_words.spans(spans, locale),
    }
    text = _CLOSED if spans else _NEVER_OPEN
    text = _OTHER_TIMES if spans and closed.next_day is None else text
    return translate(text, language, **{key: each for key, each in values.items() if key in text})


_CLOSED = _("%(place)s is closed on %(day)s. It is open again on %(next)s: %(hours)s.", "form")
_OTHER_TIMES = _("On %(day)s, %(place)s is open: %(hours)s. Please choose a time then.", "form")
_NEVER_OPEN = _("%(place)s is closed on %(day)s. Please choose another day.", "form")


def fault_text(asked: SiteForm, name: str, error: str, language: Language) -> str:
    """Return the message for a field error such as `missing`, `too_long` or `malformed`."""
    field = next((each for each in asked.fields if each.name == name), None)
    text = _TEXTS.get(error, _TEXTS["malformed"])
    if field is not None and field.type == "email" and not (asked.kind and error == "missing"):
        text = _EMAIL_TEXTS.get(error, text)
    if field is not None and (field.type, error) == ("phone", "malformed"):
        text = _("Please write a complete telephone number, starting with the code of its country.")
    labels = [localized_text(each, language) for each in asked.labels(asked.require_one_of or ())]
    values = {
        "fields": translate(_(", "), language).join(labels),
        "types": translate(_(", "), language).join((field and field.accept) or ()),
    }
    return translate(text, language, **{key: each for key, each in values.items() if key in text})


_TEXTS: Mapping[str, str] = {
    "missing": _("Please fill this in."),
    "too_long": _("Please shorten this; it is too long."),
    "malformed": _("Please check this; it cannot be read."),
    "no_option": _("Please choose one of the options."),
    "one_of": _("Please fill in one of these: %(fields)s."),
    "too_large": _("Please choose a smaller file."),
    "too_many": _("Please choose fewer files."),
    "wrong_type": _("Please choose a file of another type: %(types)s."),
}
_EMAIL_TEXTS: Mapping[str, str] = {
    "missing": _("Please write your e-mail address, so that we can answer."),
    "malformed": _("Please write a complete e-mail address: name@example.com."),
}
