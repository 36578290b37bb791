"""The forms of pages: display, submission and confirmation; they work without JavaScript."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from secrets import token_hex
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from quart import Blueprint, Response, request

from app.features.leads import submission
from app.features.leads.answers import ANSWERS, UploadedFile
from app.features.leads.intake import KeyInFlight, KeyReused
from app.features.leads.model import CAMPAIGN_PARAMETERS, MAX_CAMPAIGN, Points, Reason
from app.features.leads.proofs import FIELD as TOKEN_FIELD
from app.features.leads.proofs import NO_PROOF, PURPOSE, TURNSTILE_ORIGIN, judge_token
from app.features.leads.service import Leads
from app.features.leads.spam_filter import HONEYPOT_FIELD
from app.platform.asgi.caching import Caching
from app.platform.database import StoreUnavailable
from app.platform.keys import TOKEN_LIFE, form_token
from app.platform.submitted_fields import FieldError, is_absent
from app.services import Services, services
from app.web.http import bodies, parameters, search_requests
from app.web.http.origins import check_origin
from app.web.http.request_context import current_request, has_campaign
from app.web.http.responses import allow_scripts, redirect_to, represent
from app.web.http.route_policy import PAGE, RoutePolicy, policy
from app.web.http.workloads import in_executor
from app.web.site.pages import PageForms, declare_forms
from knowledge.addresses.addresses import page_of, parse_address, split_locale
from knowledge.blocks.form import FormInput, SiteForm
from knowledge.fields.content_types import FORM as FORM_TYPE
from knowledge.fields.content_types import INDUSTRY, MODULE, PRODUCT, REGISTRY
from knowledge.fields.form_fields import TODAY, day_of
from knowledge.locales.locale import Locale
from knowledge.resources.base import Resource
from knowledge.resources.document_page import section_forms, title_of
from knowledge.resources.errors import NotFound
from knowledge.resources.forms import CONTACT_NAME, enquiry_form
from knowledge.resources.products import enquired_products
from knowledge.resources.queries import Enquiry, PageQuery
from knowledge.resources.seo import is_visible_route, resolve_route
from knowledge.resources.site import form_options, lead_topics
from knowledge.resources.site_page import PageModel, site_page
from knowledge.snapshot.snapshot import NO_DOCUMENTS
from knowledge.views.content_view import ContentView
from renderers.html import renderer as html
from renderers.html.renderer import FormState, choice_text, fault_text
from renderers.l10n.translation import contact_form, in_site_texts, translate
from renderers.representation import Fill

routes = Blueprint("contact_page", __name__)


def _body_bytes(services: Services, arguments: Mapping[str, Any]) -> int:
    """Return how large the body of a form may be: larger only if the form has files."""
    locale, store = arguments["locale"], services.content_store
    if locale is None or not store.loaded:
        return bodies.MAX_BYTES
    view = ContentView(store.current.snapshot, locale, services.clock(), "")
    asked = enquiry_form(view, arguments.get("name", CONTACT_NAME))
    return bodies.MAX_BYTES + (asked.file_bytes if asked else 0)


FORM = RoutePolicy(bucket=submission.LEADS_BUCKET, keeps_input=True, body_bytes=_body_bytes)

CONTACT = page_of(REGISTRY, CONTACT_NAME, NO_DOCUMENTS)
SENT = parameters.text("sent", "Show the confirmation that the form was sent.", example="1")
CONFIRMATION = replace(PAGE, cacheable=False, parameters_of=lambda **_: (SENT,))
FORM_PARAMETERS = (
    SENT,
    parameters.text("productService", "Slug of what the enquiry is about.", example="delivery"),
    search_requests.ENQUIRED,
    search_requests.QUANTITY,
    search_requests.COMPARED,
    parameters.text("plan", "Name of a plan.", example="Growth"),
    parameters.text("topic", "Topic to choose in the form.", example="pricing"),
    parameters.text("page", "Site path of the page before.", example="/ae/en/pricing"),
    *(
        parameters.text(name, "Parameter of a campaign.", example="newsletter")
        for name in CAMPAIGN_PARAMETERS
    ),
)
"""Query parameters that `contact_form` reads. A response that depends on one is never cached."""


async def _sender(path: str, typed: Mapping[str, str]) -> submission.LeadSender:
    """Return where a form was sent from, and what its token and its proof tell."""
    client, proof = current_request.get().client, services().part(Leads).proof
    points = dict(_token_points(path, typed))
    if proof is not None:
        is_expired = Reason.EXPIRED_TOKEN in points  # so the proof has expired too
        token = "" if is_expired else typed.get(TOKEN_FIELD, "")
        points |= await proof.judge(typed, token, client)
    return submission.LeadSender(client, points)


def _new_token(path: str, running: Services) -> str:
    key = running.part(Leads).key()
    return form_token(key, PURPOSE, path, running.clock(), running.new_id())


_TOKEN_PLACE, _TODAY_PLACE = (f"place-of-{each}-{token_hex(12)}" for each in ("token", "today"))
"""What the page of a form has in their place in the response cache; no text has it by accident."""

_LIMITS = re.compile(rb"%b((?:\+\d+)?)" % _TODAY_PLACE.encode())
"""The place of today, and how many days a limit is after it."""

_TOKEN_SECONDS = TOKEN_LIFE.total_seconds() / 2
"""A page is current for so long, and its token for as long again."""


def _token_points(path: str, typed: Mapping[str, str]) -> Points:
    """Return what the token of a form tells; it is never a reason to refuse the form."""
    return judge_token(
        typed.get(TOKEN_FIELD), path, services().clock(), services().part(Leads).key()
    )


async def _submit(
    page: PageModel[Resource], asked: SiteForm, typed: Mapping[str, str], files: submission.Files
) -> submission.StoredSubmission:
    """Store the lead of a form. A proof is that of one lead: with any other there is none."""
    is_contact = asked.name == CONTACT_NAME
    path = _source_page(page, typed)
    fields = _contact_fields(page, typed) if is_contact else _sent(asked, typed)
    submit = partial(
        submission.submit_lead,
        services().part(Leads).store,
        services().part(Leads).spam_filter,
        fields={**fields, "sourcePage": path, **_locale_fields(page.locale)},
        now=services().clock(),
        site=parameters.site_snapshot(),
        required=form_options(page.view).enforced if is_contact else (),
        asked=None if is_contact else asked,
        files=files,
    )
    sender, proof = await _sender(path, typed), services().part(Leads).proof
    points = sender.form or {}
    key = None if proof is None or Reason.NO_PROOF in points else proof.key(typed)
    try:
        return await submit(sender, key=key)
    except (KeyInFlight, KeyReused):
        return await submit(submission.LeadSender(sender.client, {**points, **NO_PROOF}))


def _source_page(page: PageModel[Resource], typed: Mapping[str, str]) -> str:
    """Return the path of the page from which a form was sent: another one may show it too."""
    sent = typed.get("sourcePage", "")
    is_other = page.address != CONTACT and _page_title(page.view, sent) is not None
    return sent if is_other else page.path


def _sent(asked: SiteForm, typed: Mapping[str, str]) -> dict[str, Any]:
    """Return what was typed into a form as the API would get it, and the campaign before."""
    _, campaign = _page_before()
    by_lead = {each.lead: typed.get(each.name) for each in asked.fields if each.lead}
    answers = {each.name: _typed(each, typed) for each in asked.fields if not each.lead}
    return {
        **{name: text for name, text in campaign.items() if len(text) <= MAX_CAMPAIGN},
        **by_lead,
        "form": asked.name,
        ANSWERS: {name: value for name, value in answers.items() if value is not None},
        HONEYPOT_FIELD: typed.get(HONEYPOT_FIELD),
    }


def _typed(each: FormInput, typed: Mapping[str, str]) -> object:
    if each.many:
        values = (option.value for option in each.options or ())
        return [value for value in values if f"{each.name}:{value}" in typed]
    if each.type in ("checkbox", "consent"):
        return each.name in typed or None
    return typed.get(each.name)


class _Forms(PageForms):
    """The form of the contact page, and those in the sections of pages."""

    own = CONTACT
    parameters = FORM_PARAMETERS

    def shown(self, page: PageModel[Resource]) -> Mapping[str, FormState]:
        """Return the forms by their names, each empty or with a confirmation."""
        forms = {CONTACT_NAME: self._contact(page)} if page.address == CONTACT else {}
        for asked in _enquiries(page):
            forms[asked.name] = self._with_token(page, FormState(action_of(page.locale, asked)))
        return forms

    def _contact(self, page: PageModel[Resource]) -> FormState:
        if SENT.read():
            return FormState(page.path, sent=True, is_personal=self.is_personal())
        origin = read_origin(page.view)
        topic = {"topic": origin.topic} if origin.topic else {}
        form = FormState(
            page.path,
            {**topic, **origin.fields},
            about=origin.about,
            products=enquired_products(
                page.view, search_requests.enquiry(search_requests.chosen_products())
            ),
            is_personal=self.is_personal(),
            query=current_request.get().query.decode("latin-1"),
        )
        return self._with_token(page, form)

    def _with_token(self, page: PageModel[Resource], form: FormState) -> FormState:
        """Return a form with its token, or with a place for it: a proof depends on the token."""
        running = services()
        if running.part(Leads).proof is None:
            return replace(form, token=_TOKEN_PLACE, today=_TODAY_PLACE)
        token, today = _new_token(page.path, running), _today(running)
        return self.with_proof(replace(form, token=token, today=today))

    def fill(self, page: PageModel[Resource]) -> Fill | None:
        """Return what puts the tokens and the date into their places; None with a proof."""
        path, running = page.path, services()
        if running.part(Leads).proof is not None or not self.has_token(page):
            return None

        def own(body: bytes) -> bytes:
            first, *others = body.split(_TOKEN_PLACE.encode())
            tokens = (_new_token(path, running).encode() + each for each in others)
            return with_today(b"".join((first, *tokens)))

        def shared(body: bytes) -> bytes:
            half_day = f"{running.clock().timestamp() // _TOKEN_SECONDS}"
            return with_today(body.replace(_TOKEN_PLACE.encode(), half_day.encode()))

        def with_today(body: bytes) -> bytes:
            return _LIMITS.sub(day_ahead, body)

        def day_ahead(found: re.Match[bytes]) -> bytes:
            today = running.clock().date()
            return (day_of(f"{TODAY}{found[1].decode()}", today) or "").encode()

        return Fill(own, shared)

    def with_proof(self, form: FormState) -> FormState:
        """Return a form that asks for a proof, if the settings do."""
        proof = services().part(Leads).proof
        if proof is None:
            return form
        return replace(form, challenge=proof.challenge(form.token), site_key=proof.site_key)

    def has_token(self, page: PageModel[Resource]) -> bool:
        """Return whether the page has a form with a token."""
        has_contact = page.address == CONTACT and form_options(page.view).enabled
        return has_contact or bool(_enquiries(page))

    def is_personal(self) -> bool:
        """Return whether the form shows what this request, or the page before, has."""
        context = current_request.get()
        by_referer = context.route.reads_referer and not context.is_cacheable
        return bool(context.query) or by_referer

    def script_sources(self) -> Collection[str]:
        """Return the source of the script of a proof, if the form asks for one."""
        proof = services().part(Leads).proof
        if proof is None or SENT.read():
            return ()
        return (TURNSTILE_ORIGIN if proof.site_key else "'self'",)


def _enquiries(page: PageModel[Resource]) -> Sequence[SiteForm]:
    return [each for each in section_forms(page.answer.resource) if each.kind is None]


_FORMS = _Forms()
declare_forms(_FORMS)


def action_of(locale: Locale, asked: SiteForm) -> str:
    """Return the path to which a form of the site is sent."""
    return f"{locale.path}/forms/{asked.name}"


def _today(running: Services) -> str:
    return running.clock().date().isoformat()


def _form(locale: Locale | None, name: str) -> tuple[PageModel[Resource], SiteForm]:
    """Return a form and its page; raises NotFound."""
    if locale is None:
        raise NotFound("There is no such locale.", "See /llms.txt for what there is.")
    view = parameters.view_of(locale)
    address = CONTACT if name == CONTACT_NAME else page_of(FORM_TYPE, name, view.snapshot)
    page = site_page(view, address, PageQuery())
    asked = contact_form(view) if name == CONTACT_NAME else enquiry_form(view, name)
    if asked is None:
        raise NotFound(f"There is no form “{name}”.", "See /llms.txt for what there is.")
    return page, asked


@routes.get("/<locale:locale>/forms/<name>")
@policy(CONFIRMATION)
def get_form(locale: Locale | None, name: str) -> Response:
    """Get the confirmation that a form was sent; without `sent`, redirect to its page."""
    page, asked = _form(locale, name)
    if not SENT.read() or page.address == CONTACT:
        return redirect_to(page.path, 302, Caching.NEVER)
    state = FormState(action_of(page.locale, asked), sent=True, is_personal=True)
    return represent(html.render(page, {name: state}), Caching.PERSONAL)


@routes.post("/<locale:locale>/contact")
@policy(FORM)
async def post_contact(locale: Locale | None) -> Response:
    """Submit the contact form."""
    return await post_form(locale, CONTACT_NAME)


@routes.post("/<locale:locale>/forms/<name>")
@policy(FORM)
async def post_form(locale: Locale | None, name: str) -> Response:
    """Submit a form.

    If that fails, or the client is over its rate limit, respond with the form and its input.
    """
    check_origin()
    page, asked = _form(locale, name)
    if current_request.get().retry_after is not None:
        typed, _ = await _read(asked)
        return await in_executor(_show_again, page, asked, 429, typed)
    try:
        with submission.counted(services().metrics, submission.LeadChannel.FORM) as count:
            typed, files = await _read(asked)
            submitted = await _submit(page, asked, typed, files)
            count(submitted)
    except submission.InvalidLead as error:
        names = {each.sent_name: each.name for each in asked.fields}
        order = [*(each for each in names if each in error.errors), *error.errors]
        errors = {names.get(each, each): error.errors[each] for each in order}
        return await in_executor(_show_again, page, asked, 400, typed, errors)
    except StoreUnavailable:
        return await in_executor(_show_again, page, asked, 503, typed)
    path = page.path if page.address == CONTACT else action_of(page.locale, asked)
    return redirect_to(f"{path}?{SENT.name}=1#{name}-answer", 303, Caching.NEVER)


async def _read(asked: SiteForm) -> tuple[Mapping[str, str], submission.Files]:
    """Read what was typed into a form, and its files if it asks for any."""
    if not asked.files:
        return await bodies.read_form(), {}
    typed, sent = await bodies.read_form_with_files()
    chosen = ((each.name, sent[each.name]) for each in asked.files if each.name in sent)
    return typed, {
        name: [UploadedFile(one.filename or "", one.stream) for one in found]
        for name, found in chosen
    }


def _contact_fields(page: PageModel[Resource], typed: Mapping[str, str]) -> dict[str, Any]:
    """Return what was typed into the contact form as the API would get it.

    A topic of the site's own is the subject of the nearest one; the first of several products is
    the one of which systems learn that know only one.
    """
    chosen, asked = typed.get("topic", ""), _typed_products(typed)
    topic = lead_topics(page.view.snapshot).get(chosen, chosen)
    own = {"topic": topic, "subject": chosen} if topic != chosen else {}
    if not asked:
        return {**typed, **own}
    products = [{"slug": slug, "quantity": number} for slug, number in asked.items()]
    first = {} if typed.get("productService") else {"productService": next(iter(asked))}
    return {**typed, **own, **first, "products": products}


_PRODUCT = "product:"
"""What the names of the fields for quantities begin with."""


def _typed_products(typed: Mapping[str, str]) -> Enquiry:
    """Return the products of a form, without those of which there are to be none."""
    numbers = {
        name.removeprefix(_PRODUCT): text.strip()
        for name, text in typed.items()
        if name.startswith(_PRODUCT)
    }
    return {
        slug: search_requests.quantity(text)
        for slug, text in numbers.items()
        if text not in ("", "0")
    }


def _locale_fields(locale: Locale) -> dict[str, str]:
    country = {"localeCountry": locale.country.slug} if locale.country else {}
    return {**country, "localeLang": locale.language}


@in_site_texts
def _show_again(
    page: PageModel[Resource],
    asked: SiteForm,
    status: int,
    typed: Mapping[str, str],
    found: submission.LeadErrors = submission.NO_ERRORS,
) -> Response:
    """Return the form with its input; it keeps its token, as corrections are made fast."""
    locale = page.locale
    errors = {
        name: fault_text(asked, name, error.name.lower(), locale.language)
        if isinstance(error, FieldError)
        else choice_text(error, locale)
        for name, error in found.items()
    }
    path = _source_page(page, typed)
    points = _token_points(path, typed)
    has_token = not points or Reason.TOO_FAST in points
    is_contact = page.address == CONTACT
    form = FormState(
        page.path if is_contact else action_of(page.locale, asked),
        typed,
        errors,
        about=about_text(page.view, typed) if is_contact else None,
        products=enquired_products(page.view, _typed_products(typed)) if is_contact else (),
        token=typed[TOKEN_FIELD] if has_token else _new_token(path, services()),
        source_page=path,
        today=_today(services()),
        failed=status == 503,
        retry_after=current_request.get().retry_after,
        is_personal=True,
    )
    shown = html.render(page, {asked.name: _FORMS.with_proof(form)})
    return allow_scripts(represent(shown, Caching.NEVER, status), _FORMS.script_sources())


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
