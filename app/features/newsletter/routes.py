"""The pages of a newsletter: its form, and those that ask before they confirm or unsubscribe.

Programs open the links of mails, so no GET changes anything. The answer to the form is the same
whether an address is on the list or not.
"""

import logging
import uuid
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from quart import Blueprint, Response, request

from app.features.newsletter.service import NEWSLETTER_BUCKET, Newsletter
from app.features.newsletter.settings import NewsletterSettings
from app.features.newsletter.store import Subscriber
from app.platform.asgi.caching import Caching
from app.platform.asgi.client_address import network_of
from app.platform.database import StoreUnavailable
from app.platform.deliveries.smtp import mail_address
from app.platform.keys import TOKEN_LIFE, form_token, slot_of, token_age
from app.platform.limits.rate_limits import RateLimited
from app.platform.submitted_fields import is_absent
from app.publishing.response_cache import TOKENS
from app.services import services
from app.web.http import bodies, parameters
from app.web.http.origins import check_origin
from app.web.http.request_context import current_request
from app.web.http.responses import redirect_to, represent
from app.web.http.route_policy import PAGE, RoutePolicy, policy
from app.web.http.workloads import in_executor
from app.web.pipeline.rate_limits import add_to_response
from app.web.site.pages import PageForms, declare_forms
from knowledge.addresses.addresses import page_of
from knowledge.blocks.form import SiteForm
from knowledge.diagnostics.messages import mark as _
from knowledge.edits import note
from knowledge.fields.content_types import FORM
from knowledge.fields.field_types import is_email
from knowledge.fields.form_fields import LEAD_LENGTHS
from knowledge.locales.locale import Locale
from knowledge.resources.base import Resource
from knowledge.resources.document_page import section_forms
from knowledge.resources.errors import NotFound
from knowledge.resources.forms import site_form
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_page import PageModel, site_page
from renderers.html import renderer as html
from renderers.html.renderer import FormState, fault_text
from renderers.l10n.translation import in_site_texts, translate

log = logging.getLogger(__name__)

_PURPOSE = b"majlis newsletter form 1\n"
"""Signed too, so that no token is a link."""
_AGAIN = _("This page was open for long, or is a copy. Please press the button once more.")


class _Forms(PageForms):
    """The forms of newsletters: the same for all visitors, so that their pages stay cached."""

    def shown(self, page: PageModel[Resource]) -> Mapping[str, FormState]:
        """Return the forms by their names."""
        asked = [each for each in section_forms(page.answer.resource) if each.kind == "newsletter"]
        if asked:
            note(TOKENS)
        return {each.name: _state(page.locale, each) for each in asked}


declare_forms(_Forms())


def action_of(locale: Locale, asked: SiteForm) -> str:
    """Return the path to which a form is sent."""
    return f"{locale.path}/subscriptions/{asked.name}"


def _state(locale: Locale, asked: SiteForm, typed: Mapping[str, str] | None = None) -> FormState:
    """Return the state of a form, with the token that all visitors share for some hours."""
    action, key = action_of(locale, asked), services().part(Newsletter).links.key()
    token = form_token(key, _PURPOSE, action, slot_of(services().clock()))
    return FormState(action, typed or {}, token=token, is_personal=typed is not None)


def _has_token(locale: Locale, asked: SiteForm, typed: Mapping[str, str]) -> bool:
    action, key = action_of(locale, asked), services().part(Newsletter).links.key()
    age = token_age(key, _PURPOSE, action, typed.get("token", ""), services().clock())
    return age is not None and age <= TOKEN_LIFE


def _form(locale: Locale | None, name: str) -> tuple[PageModel[Resource], SiteForm]:
    """Return a form and its page; raises NotFound."""
    view = parameters.view_of(locale) if locale else None
    asked = site_form(view, name) if view else None
    if view is None or asked is None or asked.kind != "newsletter":
        raise NotFound(f"There is no newsletter “{name}”.", "See /llms.txt for what there is.")
    return site_page(view, page_of(FORM, name, view.snapshot), PageQuery()), asked


routes = Blueprint("newsletter", __name__)

SENT = parameters.text("sent", "Show the confirmation that the form was sent.", example="1")
ANSWER = replace(PAGE, cacheable=False, parameters_of=lambda **_: (SENT,))
SUBSCRIBE = RoutePolicy(bucket=NEWSLETTER_BUCKET, keeps_input=True)
LINK = replace(PAGE, cacheable=False)
_HONEYPOT = "website"
"""The hidden field of all forms, which people leave empty."""


@routes.get("/<locale:locale>/subscriptions/<name>")
@policy(ANSWER)
def get_subscription(locale: Locale | None, name: str) -> Response:
    """Get the answer to the form; without `sent`, redirect to its page."""
    page, asked = _form(locale, name)
    if not SENT.read():
        return redirect_to(page.path, 302, Caching.NEVER)
    return _shown(page, asked, FormState("", sent=True, is_personal=True))


@routes.post("/<locale:locale>/subscriptions/<name>")
@policy(SUBSCRIBE)
async def post_subscription(locale: Locale | None, name: str) -> Response:
    """Ask for a newsletter; a mail goes to the address, with a link to confirm it."""
    check_origin()
    page, asked = _form(locale, name)
    typed, retry_after = await bodies.read_form(), current_request.get().retry_after
    state, language = _state(page.locale, asked, typed), page.locale.language
    if retry_after is not None:
        return await in_executor(_shown, page, asked, replace(state, retry_after=retry_after), 429)
    codes = _faults(asked, typed)
    if codes:
        errors = {each: fault_text(asked, each, code, language) for each, code in codes.items()}
        return await in_executor(_shown, page, asked, replace(state, errors=errors), 400)
    is_entered = True
    if is_absent(typed.get(_HONEYPOT)):
        has_token = _has_token(page.locale, asked, typed)
        client = current_request.get().client
        counted = (network_of(client) or client) if has_token else "without a token"
        count = await services().limiter.hit(services().part(Newsletter).share, counted)
        if count.is_over and not has_token:
            errors = {"token": translate(_AGAIN, language)}
            return await in_executor(_shown, page, asked, replace(state, errors=errors), 400)
        if count.is_over:
            with suppress(RateLimited):
                add_to_response(current_request.get(), count)
            state = replace(state, retry_after=count.reset)
            return await in_executor(_shown, page, asked, state, 429)
        with suppress(StoreUnavailable):
            is_entered = False
            is_entered = await _ask(page.locale, asked, typed)
    if not is_entered:
        return await in_executor(_shown, page, asked, replace(state, failed=True), 503)
    path = f"{action_of(page.locale, asked)}?{SENT.name}=1#{name}-answer"
    return redirect_to(path, 303, Caching.NEVER)


def _faults(asked: SiteForm, typed: Mapping[str, str]) -> Mapping[str, str]:
    """Return what is wrong with each field: all are addresses, or boxes to tick."""
    faults: dict[str, str] = {}
    for each in asked.fields:
        text = typed.get(each.name, "").strip()
        if not text:
            faults |= {each.name: "missing"} if each.required or each.type == "email" else {}
        elif each.type == "email":
            if len(text) > LEAD_LENGTHS["email"]:
                faults[each.name] = "too_long"
            elif not is_email(text) or mail_address(text) is None:
                faults[each.name] = "malformed"
    return faults


async def _ask(locale: Locale, asked: SiteForm, typed: Mapping[str, str]) -> bool:
    """Enter who asks; False if too many wait for their mails."""
    emails = [typed[each.name].strip() for each in asked.fields if each.type == "email"]
    most = services().settings.of(NewsletterSettings).newsletter_mails_per_hour
    new = Subscriber(
        id=str(uuid.uuid4()),
        form=asked.name,
        email="".join(emails[:1]),
        language=locale.language,
        country=locale.country,
        requested_at=services().clock(),
    )
    is_entered = not emails or await services().part(Newsletter).store.ask(new, most)
    if not is_entered:
        log.warning("Mails to subscribers wait for a day: NEWSLETTER_MAILS_PER_HOUR=%d", most)
    return is_entered


@in_site_texts
def _shown(
    page: PageModel[Resource], asked: SiteForm, state: FormState, status: int = 200
) -> Response:
    caching = Caching.PERSONAL if status == 200 else Caching.NEVER
    return represent(html.render(page, {asked.name: state}), caching, status)


@routes.get("/<locale:locale>/confirm-subscription/<token>")
@policy(LINK)
def get_confirmation(locale: Locale | None, token: str) -> Response:
    """Ask whether to confirm an address."""
    if services().part(Newsletter).links.confirmed(token, services().clock()) is None:
        return _invalid(locale)
    text = _("Press the button to get our newsletter at the address to which we wrote.")
    return _notice(locale, _("Confirm your subscription"), text, _("Confirm"))


@routes.post("/<locale:locale>/confirm-subscription/<token>")
@policy(LINK)
async def post_confirmation(locale: Locale | None, token: str) -> Response:
    """Confirm an address."""
    newsletter, now = services().part(Newsletter), services().clock()
    found = newsletter.links.confirmed(token, now)
    if found is None or not await newsletter.store.confirm(found, now):
        return await in_executor(_invalid, locale)
    text = _("You get our newsletter from now on. We have sent you a link to unsubscribe.")
    return await in_executor(_notice, locale, _("You are subscribed"), text)


@routes.get("/<locale:locale>/unsubscribe/<token>")
@policy(LINK)
def get_cancellation(locale: Locale | None, token: str) -> Response:
    """Ask whether to unsubscribe."""
    if services().part(Newsletter).links.cancelled(token) is None:
        return _invalid(locale)
    text = _("Press the button to get no more newsletters at this address.")
    return _notice(locale, _("Unsubscribe"), text, _("Unsubscribe"))


@routes.post("/<locale:locale>/unsubscribe/<token>")
@policy(LINK)
async def post_cancellation(locale: Locale | None, token: str) -> Response:
    """Unsubscribe, from the page or by the button of a mail program (RFC 8058)."""
    await request.get_data(cache=False)  # it says nothing that the path does not
    newsletter = services().part(Newsletter)
    found = newsletter.links.cancelled(token)
    if found is None:
        return await in_executor(_invalid, locale)
    await newsletter.store.cancel(found)
    text = _("Your address has been deleted from the list.")
    return await in_executor(_notice, locale, _("You are unsubscribed"), text)


def _invalid(locale: Locale | None) -> Response:
    text = _("It has expired, or is incomplete. Enter your address again to get a new one.")
    return _notice(locale, _("This link is not valid"), text, status=410)


def _notice(
    locale: Locale | None, title: str, text: str, button: str = "", status: int = 200
) -> Response:
    """Return a page in a locale, that of the main one if it is no longer open."""
    view = parameters.main_view()
    if locale in view.snapshot.open_locales:
        view = view.for_locale(locale)
    return represent(html.render_notice(view, title, text, button), Caching.NEVER, status)
