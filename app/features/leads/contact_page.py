"""The contact form: display, submission and confirmation; works without JavaScript."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from quart import Blueprint, Response, request

from app.features.leads.intake import KeyInFlight, KeyReused
from app.features.leads.model import CAMPAIGN_PARAMETERS, MAX_CAMPAIGN, Points, Reason
from app.features.leads.proofs import FIELD as TOKEN_FIELD
from app.features.leads.proofs import NO_PROOF, TURNSTILE_ORIGIN, form_token, judge_token
from app.features.leads.service import Leads
from app.features.leads.submission import (
    LEADS_BUCKET,
    InvalidLead,
    LeadChannel,
    LeadSender,
    StoredSubmission,
    counted,
    submit_lead,
)
from app.platform.asgi.caching import Caching
from app.platform.database.errors import StoreUnavailable
from app.platform.submitted_fields import is_absent
from app.services import services
from app.web.http import bodies, parameters
from app.web.http.origins import check_origin
from app.web.http.request_context import current_request, has_campaign
from app.web.http.response_headers import policy_with_script
from app.web.http.responses import redirect_to, represent
from app.web.http.route_policy import RoutePolicy, policy
from app.web.http.workloads import in_executor
from app.web.site.pages import PageForm, declare_form
from knowledge.addresses.addresses import page_of, parse_address, split_locale
from knowledge.fields.content_types import INDUSTRY, MODULE, PRODUCT, REGISTRY
from knowledge.locales.locale import Locale
from knowledge.resources.base import Resource
from knowledge.resources.document_page import title_of
from knowledge.resources.errors import NotFound
from knowledge.resources.queries import PageQuery
from knowledge.resources.seo import is_visible_route, resolve_route
from knowledge.resources.site import form_options, lead_topics
from knowledge.resources.site_page import PageModel, site_page
from knowledge.snapshot.snapshot import NO_DOCUMENTS
from knowledge.views.content_view import ContentView
from renderers.html import renderer as html
from renderers.html.renderer import ANSWER_ID, ContactForm, fault_text
from renderers.l10n.translation import in_site_texts, translate

routes = Blueprint("contact_page", __name__)

FORM = RoutePolicy(bucket=LEADS_BUCKET, keeps_input=True)

CONTACT = page_of(REGISTRY, "contact", NO_DOCUMENTS)
SENT = parameters.text("sent", "Show the confirmation that the form was sent.", example="1")
FORM_PARAMETERS = (
    SENT,
    parameters.text("productService", "Slug of a product, module or industry.", example="till"),
    parameters.text("plan", "Name of a plan.", example="Growth"),
    parameters.text("topic", "Topic to choose in the form.", example="pricing"),
    parameters.text("page", "Site path of the page before.", example="/ae/en/pricing"),
    *(
        parameters.text(name, "Parameter of a campaign.", example="newsletter")
        for name in CAMPAIGN_PARAMETERS
    ),
)
"""Query parameters that `contact_form` reads. A response that depends on one is never cached."""


async def _sender(path: str, typed: Mapping[str, str]) -> LeadSender:
    """Return where a form was sent from, and what its token and its proof tell."""
    client, proof = current_request.get().client, services().part(Leads).proof
    points = dict(_token_points(path, typed))
    if proof is not None:
        is_expired = Reason.EXPIRED_TOKEN in points  # so the proof has expired too
        token = "" if is_expired else typed.get(TOKEN_FIELD, "")
        points |= await proof.judge(typed, token, client)
    return LeadSender(client, points)


def _new_token(path: str) -> str:
    return form_token(path, services().clock(), services().part(Leads).key(), services().new_id())


def _token_points(path: str, typed: Mapping[str, str]) -> Points:
    """Return what the token of a form tells; it is never a reason to refuse the form."""
    return judge_token(
        typed.get(TOKEN_FIELD), path, services().clock(), services().part(Leads).key()
    )


async def _submit(page: PageModel[Resource], typed: Mapping[str, str]) -> StoredSubmission:
    """Store the lead of a form. A proof is that of one lead: with any other there is none."""
    submit = partial(
        submit_lead,
        services().part(Leads).store,
        services().part(Leads).spam_filter,
        fields={**typed, **_page_fields(page, typed)},
        now=services().clock(),
        site=parameters.site_snapshot(),
        required=form_options(page.view).enforced,
    )
    sender, proof = await _sender(page.path, typed), services().part(Leads).proof
    points = sender.form or {}
    key = None if proof is None or Reason.NO_PROOF in points else proof.key(typed)
    try:
        return await submit(sender, key=key)
    except (KeyInFlight, KeyReused):
        return await submit(LeadSender(sender.client, {**points, **NO_PROOF}))


class _Form(PageForm):
    """The form of the contact page."""

    parameters = FORM_PARAMETERS

    def shown(self, page: PageModel[Resource]) -> ContactForm:
        """Return the form, empty or with a confirmation."""
        if SENT.read():
            return ContactForm(page.path, sent=True, is_personal=self.is_personal())
        origin = read_origin(page.view)
        topic = {"topic": origin.topic} if origin.topic else {}
        return self.with_proof(
            ContactForm(
                page.path,
                {**topic, **origin.fields},
                about=origin.about,
                token=_new_token(page.path),
                is_personal=self.is_personal(),
            )
        )

    def with_proof(self, form: ContactForm) -> ContactForm:
        """Return a form that asks for a proof, if the settings do."""
        proof = services().part(Leads).proof
        if proof is None:
            return form
        return replace(form, challenge=proof.challenge(form.token), site_key=proof.site_key)

    def has_token(self, view: ContentView) -> bool:
        """Return whether the site offers the form."""
        return form_options(view).enabled

    def is_personal(self) -> bool:
        """Return whether the form shows what this request, or the page before, has."""
        context = current_request.get()
        by_referer = context.route.reads_referer and not context.is_cacheable
        return bool(context.query) or by_referer

    def headers(self) -> Mapping[str, str]:
        """Return the header that lets the script of a proof run, if there is one."""
        proof = services().part(Leads).proof
        if proof is None or SENT.read():
            return {}
        policy = policy_with_script(TURNSTILE_ORIGIN if proof.site_key else "")
        return {"Content-Security-Policy": policy}


_FORM = _Form()
declare_form(CONTACT, _FORM)


@routes.post("/<locale:locale>/contact")
@policy(FORM)
async def post_contact(locale: Locale | None) -> Response:
    """Submit the contact form.

    If that fails, or the client is over its rate limit, respond with the form and its input.
    """
    check_origin()
    if locale is None:
        raise NotFound("There is no such locale.", "See /llms.txt for what there is.")
    page = site_page(parameters.view_of(locale), CONTACT, PageQuery())
    if current_request.get().retry_after is not None:
        return await in_executor(_show_again, page, 429, await bodies.read_form())
    try:
        with counted(services().metrics, LeadChannel.FORM) as count:
            typed = await bodies.read_form()
            submitted = await _submit(page, typed)
            count(submitted)
    except InvalidLead as error:
        codes = {name: problem.name.lower() for name, problem in error.errors.items()}
        return await in_executor(_show_again, page, 400, typed, codes)
    except StoreUnavailable:
        return await in_executor(_show_again, page, 503, typed)
    return redirect_to(f"{page.path}?{SENT.name}=1#{ANSWER_ID}", 303, Caching.NEVER)


def _page_fields(page: PageModel[Resource], typed: Mapping[str, str]) -> dict[str, str]:
    """Return the fields that follow from the page, and topic and subject of a topic of its own."""
    country, chosen = page.locale.country, typed.get("topic", "")
    topic = lead_topics(page.view.snapshot).get(chosen, chosen)
    return {
        **({"topic": topic, "subject": chosen} if topic != chosen else {}),
        "sourcePage": page.path,
        **({"localeCountry": country.slug} if country else {}),
        "localeLang": page.locale.language,
    }


@in_site_texts
def _show_again(
    page: PageModel[Resource],
    status: int,
    typed: Mapping[str, str],
    codes: Mapping[str, str] | None = None,
) -> Response:
    """Return the form with its input; it keeps its token, as corrections are made fast."""
    language = page.locale.language
    errors = {name: fault_text(name, code, language) for name, code in (codes or {}).items()}
    points = _token_points(page.path, typed)
    has_token = not points or Reason.TOO_FAST in points
    form = ContactForm(
        page.path,
        typed,
        errors,
        about=about_text(page.view, typed),
        token=typed[TOKEN_FIELD] if has_token else _new_token(page.path),
        failed=status == 503,
        retry_after=current_request.get().retry_after,
        is_personal=True,
    )
    return represent(
        html.render(page, _FORM.with_proof(form)), Caching.NEVER, status, _FORM.headers()
    )


_PLAN = re.compile(r"\w[\w .&-]{0,79}")
_SEARCHED = (PRODUCT, MODULE, INDUSTRY)
"""The content types of which the query names a document by its slug."""
_MAX_REFERER = 4_096


class EnquiryOrigin(NamedTuple):
    """What the form sends besides what is typed, by API name, and the title that it is about."""

    fields: Mapping[str, str]
    about: str | None = None
    topic: str | None = None


def read_origin(view: ContentView) -> EnquiryOrigin:
    """Read the origin from the current request; values that mean nothing here are ignored."""
    before, campaign = _page_before()
    args = {name: value for name, value in request.args.items() if not is_absent(value)}
    sent = campaign | args
    topic, page = sent.get("topic"), sent.get("page") or before
    fields = {
        "productService": _product(view, sent),
        "page": page if _page_title(view, page) else None,
        **{
            name: sent[name]
            for name in CAMPAIGN_PARAMETERS
            if 0 < len(sent.get(name, "")) <= MAX_CAMPAIGN
        },
    }
    given = {name: value for name, value in fields.items() if value}
    topics = lead_topics(view.snapshot)
    return EnquiryOrigin(given, about_text(view, given), topic if topic in topics else None)


def about_text(view: ContentView, fields: Mapping[str, str]) -> str | None:
    """Return the title of what an enquiry is about: a product, a plan, or the page before."""
    product = fields.get("productService")
    return (_product_title(view, product) or product) or _page_title(view, fields.get("page"))


def _product(view: ContentView, sent: Mapping[str, str]) -> str | None:
    """Return the slug of a product, module or industry, or the name of a plan."""
    slug, plan = sent.get("productService"), sent.get("plan", "").strip()
    if slug and _product_title(view, slug):
        return slug
    return plan if _PLAN.fullmatch(plan) else None


def _product_title(view: ContentView, slug: str | None) -> str | None:
    found = (view.resolve(content_type, slug) for content_type in _SEARCHED if slug)
    return next((title_of(resolved) for resolved in found if resolved), None)


@in_site_texts
def _page_title(view: ContentView, path: str | None) -> str | None:
    """Return the title of a page of the site below its home pages; None for any other path."""
    locale, rest = split_locale(path or "")
    address = parse_address(rest, view.snapshot) if locale in view.snapshot.open_locales else None
    if locale is None or address is None or not address.path:
        return None
    view = view.for_locale(locale)
    if not is_visible_route(view, address):
        return None
    resolved = resolve_route(view, address)
    title = address.page.title
    return title_of(resolved) if resolved else translate(title, locale.language) if title else None


def _page_before() -> tuple[str | None, dict[str, str]]:
    """Return path and parameters of the page of this site before, if a campaign led there."""
    referer = request.headers.get("Referer", "")
    if len(referer) > _MAX_REFERER or not has_campaign(referer.encode()):
        return None, {}
    try:
        parts = urlsplit(referer)
        pairs = parse_qsl(parts.query, errors="strict", max_num_fields=100)
    except ValueError:
        return None, {}
    is_own = parts.netloc in (request.host, urlsplit(services().settings.public_url).netloc)
    if not is_own:
        return None, {}
    return parts.path, {
        name: text for name, text in pairs if name in CAMPAIGN_PARAMETERS and "\0" not in text
    }
