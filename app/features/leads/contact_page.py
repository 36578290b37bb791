"""The contact form: display, submission and confirmation; works without JavaScript."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from quart import Blueprint, Response

from app.features.leads.enquiry_origin import about_text, read_origin
from app.features.leads.model import CAMPAIGN_PARAMETERS, Points, Reason
from app.features.leads.outcome import Channel, KeyInFlight, KeyReused, count_outcome, count_reasons
from app.features.leads.proofs import FIELD as TOKEN_FIELD
from app.features.leads.proofs import NO_PROOF, TURNSTILE_ORIGIN, form_token, judge_token
from app.features.leads.service import Leads
from app.features.leads.submission import InvalidLead, Sender, StoredSubmission, submit_lead
from app.platform.asgi.caching import Caching
from app.platform.database.errors import StoreUnavailable
from app.platform.limits.rate_limits import LEADS
from app.services import services
from app.web.http import bodies, parameters
from app.web.http.origins import check_origin
from app.web.http.request_context import current_request
from app.web.http.response_headers import policy_with_script
from app.web.http.responses import redirect_to, represent
from app.web.http.route_policy import RoutePolicy, policy
from app.web.http.workloads import in_executor
from app.web.site.pages import PageForm, declare_form
from knowledge.addresses.addresses import page_of
from knowledge.fields.content_types import REGISTRY
from knowledge.locales.locale import Locale
from knowledge.resources.base import Resource
from knowledge.resources.contact_form import form_options, lead_topics
from knowledge.resources.errors import NotFound
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_page import PageModel, site_page
from knowledge.views.content_view import ContentView
from renderers.html import renderer as html
from renderers.html.contact_form import ANSWER_ID, ContactForm, fault_text

routes = Blueprint("contact_page", __name__)

CONTACT = page_of(REGISTRY, "contact")
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


def contact_form(page: PageModel[Resource]) -> ContactForm:
    """Return the form, empty or with a confirmation."""
    personal = is_personal()
    if SENT.read():
        return ContactForm(page.path, sent=True, is_personal=personal)
    origin = read_origin(page.view)
    topic = {"topic": origin.topic} if origin.topic else {}
    values = {**topic, **origin.fields}
    token = _new_token(page.path)
    form = ContactForm(page.path, values, about=origin.about, token=token, is_personal=personal)
    return _with_proof(form)


def _with_proof(form: ContactForm) -> ContactForm:
    """Return a form that asks for a proof, if the settings do."""
    proof = services().part(Leads).proof
    if proof is None:
        return form
    return replace(form, challenge=proof.challenge(form.token), site_key=proof.site_key)


async def _sender(path: str, typed: Mapping[str, str]) -> Sender:
    """Return where a form was sent from, and what its token and its proof tell."""
    client, proof = current_request.get().client, services().part(Leads).proof
    points = dict(_token_points(path, typed))
    if proof is not None:
        is_expired = Reason.EXPIRED_TOKEN in points  # so the proof has expired too
        token = "" if is_expired else typed.get(TOKEN_FIELD, "")
        points |= await proof.judge(typed, token, client)
    return Sender(client, points)


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
        fields={**typed, **_topic_fields(page, typed), **_page_fields(page)},
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
        return await submit(Sender(sender.client, {**points, **NO_PROOF}))


def script_headers() -> Mapping[str, str]:
    """Return the header that lets the script of a proof run; none without a form that has one."""
    proof = services().part(Leads).proof
    if proof is None or SENT.read():
        return {}
    return {
        "Content-Security-Policy": policy_with_script(TURNSTILE_ORIGIN if proof.site_key else "")
    }


def is_personal() -> bool:
    """Return whether the page shows what the address of this request, or the one before, has."""
    context = current_request.get()
    by_referer = context.route.reads_referer and not context.is_cacheable
    return bool(context.query) or by_referer


class _Form(PageForm):
    """The form of the contact page."""

    parameters = FORM_PARAMETERS

    def shown(self, page: PageModel[Resource]) -> ContactForm:
        """Return the form, empty or with a confirmation."""
        return contact_form(page)

    def has_token(self, view: ContentView) -> bool:
        """Return whether the site offers the form."""
        return form_options(view).enabled

    def is_personal(self) -> bool:
        """Return whether the form shows what this request, or the page before, has."""
        return is_personal()

    def headers(self) -> Mapping[str, str]:
        """Return the header that lets the script of a proof run."""
        return script_headers()


declare_form(CONTACT, _Form())

FORM_POLICY = RoutePolicy(bucket=LEADS, keeps_input=True)


@routes.post("/<locale:locale>/contact")
@policy(FORM_POLICY)
async def post_contact(locale: Locale | None) -> Response:
    """Submit the contact form."""
    return await submit_form(locale)


async def submit_form(locale: Locale | None) -> Response:
    """Store the submitted form and redirect to the confirmation.

    If that fails, or the client is over its rate limit, respond with the form and its input.
    """
    check_origin()
    if locale is None:
        raise NotFound("There is no such locale.", "See /llms.txt for what there is.")
    page = site_page(parameters.view_of(locale), CONTACT, PageQuery())
    if current_request.get().retry_after is not None:
        return await in_executor(_show_again, page, 429, await bodies.read_form())
    try:
        with count_outcome(services().metrics, Channel.FORM) as count:
            typed = await bodies.read_form()
            submitted = await _submit(page, typed)
            count(submitted.outcome)
            count_reasons(services().metrics, submitted.outcome, submitted.assessment)
    except InvalidLead as error:
        codes = {name: problem.name.lower() for name, problem in error.errors.items()}
        return await in_executor(_show_again, page, 400, typed, codes)
    except StoreUnavailable:
        return await in_executor(_show_again, page, 503, typed)
    return redirect_to(f"{page.path}?{SENT.name}=1#{ANSWER_ID}", 303, Caching.NEVER)


def _topic_fields(page: PageModel[Resource], typed: Mapping[str, str]) -> dict[str, str]:
    """Return topic and subject of a lead for one of the site's own topics of the form."""
    chosen = typed.get("topic", "")
    topic = lead_topics(page.view.snapshot).get(chosen, chosen)
    return {"topic": topic, "subject": chosen} if topic != chosen else {}


def _page_fields(page: PageModel[Resource]) -> dict[str, str]:
    """Return the lead fields that follow from the page itself."""
    country = page.locale.country
    return {
        "sourcePage": page.path,
        **({"localeCountry": country.slug} if country else {}),
        "localeLang": page.locale.language,
    }


def _kept_token(path: str, typed: Mapping[str, str]) -> str:
    """Return the token of a form that is shown again: corrections are made fast."""
    points = _token_points(path, typed)
    is_own = not points or Reason.TOO_FAST in points
    return typed[TOKEN_FIELD] if is_own else _new_token(path)


def _show_again(
    page: PageModel[Resource],
    status: int,
    typed: Mapping[str, str],
    codes: Mapping[str, str] | None = None,
) -> Response:
    language = page.locale.language
    codes = codes or {}
    errors = {name: fault_text(name, code, language) for name, code in codes.items()}
    form = ContactForm(
        page.path,
        typed,
        errors,
        about=about_text(page.view, typed),
        token=_kept_token(page.path, typed),
        failed=status == 503,
        retry_after=current_request.get().retry_after,
        is_personal=True,
    )
    return represent(html.render(page, _with_proof(form)), Caching.NEVER, status, script_headers())
