"""The lead: its fields and their limits, the lead as stored, and its assessment as spam."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationInfo,
)
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict

from app.platform.submitted_fields import SubmittedFields, must, normalize_email
from knowledge.addresses.addresses import split_locale
from knowledge.fields.field_types import Omittable, e164, is_email
from knowledge.fields.form_fields import LEAD_LENGTHS
from knowledge.fields.site_fields import LeadTopic, is_topic
from knowledge.locales.locale import Country, Language, Locale
from knowledge.resources.base import (
    COUNTRY_KEYWORD,
    FORM_KEYWORD,
    PATH_KEYWORD,
    SUBJECT_KEYWORD,
    Resource,
)
from knowledge.resources.queries import MAX_ENQUIRED, MAX_QUANTITY

THRESHOLD = 100
"""A lead with this score or more goes to quarantine."""


class Reason(StrEnum):
    """Why a lead looks like spam, or, with `released_`, why it does not."""

    HONEYPOT = "honeypot"
    LINKS = "links"
    MARKUP = "markup"
    PHRASES = "phrases"
    GIBBERISH = "gibberish"
    SCRIPT = "script"
    MIXED_SCRIPTS = "mixed_scripts"
    DISPOSABLE = "disposable"
    SAME_TEXT = "same_text"
    NETWORK = "network"
    VOLUME = "volume"
    NO_TOKEN = "no_token"  # noqa: S105  # a word, not a secret
    FOREIGN_TOKEN = "foreign_token"  # noqa: S105
    EXPIRED_TOKEN = "expired_token"  # noqa: S105
    TOO_FAST = "too_fast"
    NO_PROOF = "no_proof"
    PROOF_UNAVAILABLE = "proof_unavailable"
    RELEASED_SENDER = "released_sender"
    RELEASED_DOMAIN = "released_domain"
    RELEASED_TEXT = "released_text"


Points = Mapping[Reason, int]
"""Points by reason; negative ones speak for the lead."""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Keyed digests by which leads of one origin are recognised; nothing can be read from them.

    Similar texts share most digests of a `sketch`, which is empty for a short text.
    """

    sender: str
    domain: str
    network: str | None = None
    sketch: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Assessment:
    """The points of a lead and its fingerprint."""

    points: Points
    fingerprint: Fingerprint

    @property
    def score(self) -> int:
        """The sum of the points, at least 0."""
        return max(sum(self.points.values()), 0)

    @property
    def is_spam(self) -> bool:
        """Whether the lead goes to quarantine: always with a filled honeypot."""
        return Reason.HONEYPOT in self.points or self.score >= THRESHOLD

    @property
    def reasons(self) -> str:
        """The reasons as they are stored: `links:50 no_token:60`."""
        return " ".join(f"{reason}:{number}" for reason, number in self.points.items())


_TEXT = StringConstraints(pattern=r"^[^\x00]*$")


@dataclass(frozen=True, slots=True)
class LeadOptions:
    """What a lead may name of a site: its countries by slug, and the own topics of its form.

    Without countries any country is allowed, and any subject if `subjects` is None.
    """

    countries: Sequence[str] = ()
    subjects: Sequence[str] | None = None


NO_OPTIONS = LeadOptions()


def _country_slug(text: str, info: ValidationInfo) -> str:
    """Refuse what is no country, or none of the site's, which the context of a new lead names."""
    country = Country.parse(text)
    countries = (info.context or NO_OPTIONS).countries
    if country is None or text not in (countries or (country.slug,)):
        raise PydanticCustomError("no_option", "refused")
    return text


def _subject(text: str, info: ValidationInfo) -> str:
    """Refuse what is none of the own topics of the site, which the context of a new lead names."""
    subjects = (info.context or NO_OPTIONS).subjects
    if not is_topic(text) or (subjects is not None and text not in subjects):
        raise PydanticCustomError("no_option", "refused")
    return text


CAMPAIGN_PARAMETERS = ("utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content")
"""The query parameters by which web analytics mark the links of a campaign."""

Text = Annotated[str, _TEXT]
"""Any characters except NUL, which PostgreSQL cannot store, and lone surrogates."""
Email = Annotated[
    str, _TEXT, StringConstraints(strip_whitespace=True), must(is_email, "no address")
]
SitePath = Annotated[str, StringConstraints(pattern=r"^(\s*|/[^\x00]*)$")]
CountryCode = Annotated[str, StringConstraints(pattern=r"^(\s*|[A-Za-z]{2})$", to_upper=True)]
CountrySlug = Annotated[Text, AfterValidator(_country_slug)]
Subject = Annotated[Text, AfterValidator(_subject)]
MAX_CAMPAIGN = 120
"""How long the value of a campaign parameter may be."""


def _campaign_field(name: str, what: str, example: str) -> Any:
    """Return a field that is named as in addresses, unlike the others."""
    description = f"{what} of the campaign that led the sender here."
    return Field(
        None, alias=name, max_length=MAX_CAMPAIGN, description=description, examples=[example]
    )


def _whole(value: object) -> object:
    """Return a number such as `2.0`, which is an integer in JSON Schema, as one."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


class LeadProduct(TypedDict):
    """A product that is asked for."""

    slug: Annotated[
        Text,
        Field(
            min_length=1,
            max_length=LEAD_LENGTHS["productService"],
            description="Slug of the product.",
        ),
    ]
    quantity: Annotated[
        int,
        # Behind the validator, Pydantic would leave the bounds out of the JSON Schema.
        Field(ge=1, le=MAX_QUANTITY, description="How many are asked for."),
        BeforeValidator(_whole),
    ]


class Lead(SubmittedFields, Resource):
    """An enquiry; only `email` is required, and unknown fields are ignored.

    A field with an empty text counts as absent. A form of the site may do without `email`.
    """

    model_config = ConfigDict(
        strict=True, populate_by_name=False, json_schema_extra={"required": ["email"]}
    )

    email: Email = Field(
        default_factory=str,
        max_length=LEAD_LENGTHS["email"],
        json_schema_extra={"format": "email"},
        examples=["noor@example.com"],
    )
    """E-mail address for the reply."""
    name: Omittable[Text] = Field(
        None, max_length=LEAD_LENGTHS["name"], examples=["Noor Al Suwaidi"]
    )
    """Name of the sender."""
    phone: Omittable[Text] = Field(
        None, max_length=LEAD_LENGTHS["phone"], examples=["+971 50 123 4567"]
    )
    """Telephone number, in any notation."""
    company: Omittable[Text] = Field(
        None, max_length=LEAD_LENGTHS["company"], examples=["Noor Trading LLC"]
    )
    """Company of the sender."""
    topic: Omittable[LeadTopic] = Field(None, examples=["pricing"])
    """Topic of the enquiry."""
    message: Omittable[Text] = Field(
        None, max_length=LEAD_LENGTHS["message"], examples=["Please call me."]
    )
    """Text of the enquiry."""
    source_page: Omittable[SitePath] = Field(
        None, max_length=2_048, json_schema_extra={PATH_KEYWORD: "/contact"}
    )
    """Site path of the page with the form."""
    source: Omittable[Text] = Field(None, max_length=120, examples=["newsletter"])
    """Campaign or channel."""
    product_service: Omittable[Text] = Field(
        None, max_length=LEAD_LENGTHS["productService"], examples=["Delivery"]
    )
    """Product or service of interest."""
    country_code: Omittable[CountryCode] = Field(None, examples=["AE"])
    """Two-letter code of the sender's country, in upper or lower case."""
    locale_country: Omittable[CountrySlug] = Field(
        None, json_schema_extra={COUNTRY_KEYWORD: "option"}
    )
    """Country of the page's locale, as in the page's path."""
    locale_lang: Omittable[Literal["en", "ar"]] = Field(None, examples=["en"])
    """Language of the page's locale."""
    page: Omittable[SitePath] = Field(
        None, max_length=2_048, json_schema_extra={PATH_KEYWORD: "/pricing"}
    )
    """Site path of the page from which the sender came to the form."""
    utm_source: Omittable[Text] = _campaign_field("utm_source", "Site or sender", "newsletter")
    utm_medium: Omittable[Text] = _campaign_field("utm_medium", "Channel", "email")
    utm_campaign: Omittable[Text] = _campaign_field("utm_campaign", "Name", "spring-2026")
    utm_term: Omittable[Text] = _campaign_field("utm_term", "Search term", "opening hours")
    utm_content: Omittable[Text] = _campaign_field("utm_content", "Link or advert", "header")
    subject: Omittable[Subject] = Field(
        None, examples=["new-customer"], json_schema_extra={SUBJECT_KEYWORD: True}
    )
    """The site's own topic of its form, of which `topic` is the nearest."""

    form: Omittable[Text] = Field(
        None, max_length=200, examples=["booking"], json_schema_extra={FORM_KEYWORD: True}
    )
    """Name of a form of the site that asks for more."""
    answers: Omittable[dict[str, Any]] = Field(
        None, examples=[{"day": "2026-12-31"}], json_schema_extra={FORM_KEYWORD: True}
    )
    """Answers to what that form asks besides, by the names of its fields."""

    products: Omittable[list[LeadProduct]] = Field(
        None, max_length=MAX_ENQUIRED, examples=[[{"slug": "desk", "quantity": 2}]]
    )
    """Products that an offer is asked for, and how many of each."""

    @property
    def locale(self) -> Locale:
        """The locale in which the sender read: what the lead says, else that of its page."""
        page, _ = split_locale(self.source_page or "")
        country = Country.parse(self.locale_country or "") or (page and page.country)
        language = self.locale_lang or (page and page.language)
        return Locale(country or None, Language(language or Language.EN))

    @property
    def sender(self) -> str:
        """What tells one sender from another: the e-mail address, else the telephone number."""
        return self.email_folded or "".join(filter(str.isdigit, self.phone or ""))

    @property
    def product_list(self) -> str:
        """The products as addresses have them: slugs, each with its quantity."""
        return " ".join(f"{each['slug']}:{each['quantity']}" for each in self.products or ())

    @property
    def text(self) -> str:
        """What the sender wrote: the message, and the texts among the answers."""
        answers = (each for each in (self.answers or {}).values() if isinstance(each, str))
        return "\n".join(filter(None, (self.message, *answers)))

    @property
    def email_folded(self) -> str:
        """The e-mail address normalized for comparison."""
        return normalize_email(self.email)

    @property
    def digest(self) -> str:
        """SHA-256 of the content, in hexadecimal; used to detect duplicates."""
        content = self.model_copy(update={"email": self.email_folded})
        return hashlib.sha256(content.model_dump_json().encode()).hexdigest()

    def phone_e164(self, default: Country | None) -> str | None:
        """Return the telephone number in E.164 format, of the likely country; None if invalid."""
        region = phone_region(self.country_code, self.locale_country, default)
        return e164(self.phone or "", region)


def phone_region(*countries: object) -> str | None:
    """Return the likely country of a telephone number: the first one that is known."""
    return next((each.upper() for each in countries if isinstance(each, str) and each), None)


@dataclass(frozen=True, slots=True)
class Submission:
    """A lead as received; `id` becomes its id unless it is a duplicate.

    `key` is a digest of client and Idempotency-Key, or None without that header.
    """

    id: str
    lead: Lead
    received_at: datetime
    quarantined: bool = False
    key: str | None = None
    default_country: Country | None = None
    """The country of a telephone number if the lead names none."""
    assessment: Assessment | None = None
    files: tuple[bytes, ...] = ()
    """The files that the answers name, in their order."""
    notify: tuple[str, ...] = ()
    """Who is told by e-mail, instead of the recipients of all leads."""
    copy_to: str | None = None
    """The mailbox of the sender, if the form sends a copy."""

    @property
    def phone_e164(self) -> str | None:
        """The telephone number in E.164 format, or None if it is not a valid number."""
        return self.lead.phone_e164(self.default_country)

    @property
    def body_digest(self) -> str:
        """SHA-256 of the body, to detect a different body sent with the same key."""
        return hashlib.sha256(f"{self.lead.digest} {self.is_trapped}".encode()).hexdigest()

    @property
    def is_trapped(self) -> bool:
        """Whether the body itself puts the lead in quarantine, whenever it is sent."""
        if self.assessment is None:
            return self.quarantined
        return Reason.HONEYPOT in self.assessment.points


@dataclass(frozen=True, slots=True)
class StoredLead:
    """A stored lead with its metadata."""

    id: str
    received_at: datetime
    quarantined: bool
    phone_e164: str | None
    lead: Lead
    notify: tuple[str, ...] = ()
