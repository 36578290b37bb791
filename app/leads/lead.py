"""A lead: what a visitor may send, and the limits of it."""

from __future__ import annotations

import hashlib
from typing import Literal

import phonenumbers
from pydantic import ConfigDict, Field

from app.leads.fields import CountryCode, CountrySlug, Email, SitePath, Text
from knowledge.locale import DEFAULT_LOCALE, Country
from knowledge.resources.base import Omittable, Resource

Topic = Literal["demo", "pricing", "support", "other"]


class Lead(Resource):
    """A contact or demo enquiry; only `email` is required, and unknown fields are ignored."""

    model_config = ConfigDict(strict=True, populate_by_name=False)

    email: Email = Field(
        max_length=254,
        description="Where to answer to.",
        json_schema_extra={"format": "email"},
        examples=["noor@example.com"],
    )
    name: Omittable[Text] = Field(
        None, max_length=120, description="Who asks.", examples=["Noor Al Suwaidi"]
    )
    phone: Omittable[Text] = Field(
        None,
        max_length=32,
        description="A telephone number, in any style.",
        examples=["+971 50 123 4567"],
    )
    company: Omittable[Text] = Field(
        None, max_length=255, description="The asker's company.", examples=["Noor Trading LLC"]
    )
    topic: Omittable[Topic] = Field(None, description="What it is about.", examples=["demo"])
    message: Omittable[Text] = Field(
        None, max_length=5_000, description="What is asked.", examples=["May we see the POS?"]
    )
    source_page: Omittable[SitePath] = Field(
        None,
        max_length=2_048,
        description="Site path that the form was sent from.",
        json_schema_extra={"pattern": r"^/[^\x00]*$"},
        examples=["/ae/en/contact"],
    )
    source: Omittable[Text] = Field(
        None, max_length=120, description="Campaign or channel.", examples=["newsletter"]
    )
    product_service: Omittable[Text] = Field(
        None, max_length=160, description="Product or service of interest.", examples=["POS"]
    )
    country_code: Omittable[CountryCode] = Field(
        None,
        description="Two-letter code of the asker's country, in any case.",
        json_schema_extra={"pattern": "^[A-Za-z]{2}$"},
        examples=["AE"],
    )
    locale_country: Omittable[CountrySlug] = Field(
        None,
        description="Country of the page's locale, as in its path.",
        json_schema_extra={"enum": [country.slug for country in Country]},
        examples=["ae"],
    )
    locale_lang: Omittable[Literal["en", "ar"]] = Field(
        None, description="Language of the page's locale.", examples=["en"]
    )

    @property
    def email_folded(self) -> str:
        """The address as it is compared: its case does not tell people apart."""
        return normalize_email(self.email)

    @property
    def digest(self) -> str:
        """What tells this content from any other."""
        content = self.model_copy(update={"email": self.email_folded})
        return hashlib.sha256(content.model_dump_json().encode()).hexdigest()

    @property
    def phone_e164(self) -> str | None:
        """The telephone number in the form that machines dial, where it can be read as one."""
        region = self.country_code or (self.locale_country or DEFAULT_LOCALE.country).upper()
        try:
            number = phonenumbers.parse(self.phone or "", region)
        except phonenumbers.NumberParseException:
            return None
        if not phonenumbers.is_valid_number(number):
            return None
        return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def normalize_email(email: str) -> str:
    """An address as addresses are compared.

    >>> normalize_email(" Noor@Example.COM")
    'noor@example.com'
    """
    return email.strip().casefold()
