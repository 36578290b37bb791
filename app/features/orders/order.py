"""The order model; field names on the wire are the camelCase aliases.

An `OrderDraft` is an order as imported from a shop. An `Order` is a stored one, with an id that
increases with each new order and a revision that increases with each change.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated

from pydantic import BeforeValidator, Field, StringConstraints
from pydantic.json_schema import WithJsonSchema

from app.features.orders.money import Amount, Quantity, Rate, SignedAmount
from app.platform.clock import parse_instant
from app.platform.submitted_fields import SubmittedFields, must
from knowledge.fields.field_types import Id, Omittable
from knowledge.locales import cldr
from knowledge.resources.base import Resource

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class OrderStatus(StrEnum):
    """State of an order."""

    PENDING = "pending"
    CONFIRMED = "confirmed"
    PROCESSING = "processing"
    COMPLETED = "completed"
    CANCELLED = "cancelled"


class TaxCategory(StrEnum):
    """Tax categories of UN/EDIFACT 5305, as e-invoices name them."""

    STANDARD = "S"
    ZERO = "Z"
    EXEMPT = "E"
    OUT_OF_SCOPE = "O"
    REVERSE_CHARGE = "AE"


def _utc(value: object) -> datetime:
    moment = value if isinstance(value, datetime) else parse_instant(str(value))
    if moment is None:
        raise ValueError("invalid instant (write it as 2026-05-01T09:30:00+04:00)")
    return moment.astimezone(UTC)


def _length(longest: int) -> StringConstraints:
    return StringConstraints(strip_whitespace=True, min_length=1, max_length=longest)


_PRINTABLE = must(lambda text: not _CONTROL.search(text), "must not contain control characters")
_ADDRESS = r"^[^@\s]+@[^@\s]+$"
_WITHOUT_BLANKS = r"^\S+$"
_STATE = r"^[a-z][a-z_]{0,31}$"
_COUNTRY = r"^[A-Z]{2}$"
FORMS: Mapping[str, str] = {
    _ADDRESS: "must be an e-mail address such as noor@example.com",
    _WITHOUT_BLANKS: "must not contain blanks",
    _STATE: "must be a word in small letters such as paid",
    _COUNTRY: "must be a code of ISO 3166 such as SA",
}
"""What each pattern of a field means."""

Short = Annotated[str, _length(16), _PRINTABLE]
Code = Annotated[str, _length(64), _PRINTABLE]
Text = Annotated[str, _length(255), _PRINTABLE]
Notes = Annotated[str, _length(5_000), _PRINTABLE]
Email = Annotated[str, _length(254), StringConstraints(pattern=_ADDRESS), _PRINTABLE]
Number = Annotated[Code, StringConstraints(pattern=_WITHOUT_BLANKS)]
"""The order number that the shop shows to people."""
Reference = Annotated[Id, Field(ge=0, lt=2**53)] | Code
"""An identifier of the shop, number or text; returned unchanged."""
Word = Annotated[str, StringConstraints(pattern=_STATE)]
"""A state as the shop names it: `paid`, `partially_refunded`."""
Instant = Annotated[
    datetime, BeforeValidator(_utc), WithJsonSchema({"type": "string", "format": "date-time"})
]
CurrencyCode = Annotated[str, must(cldr.is_currency, "unsupported currency (use an ISO 4217 code)")]
CountryCode = Annotated[str, StringConstraints(pattern=_COUNTRY)]


class Names(SubmittedFields, Resource):
    """One text in English, in Arabic, or in both."""

    en: Omittable[Text] = None
    """The text in English."""
    ar: Omittable[Text] = None
    """The text in Arabic."""


class Customer(SubmittedFields, Resource):
    """The buyer; `taxId` and its scheme (TRN, VAT, CRN …) if there is one."""

    id: Omittable[Reference] = None
    """Id of the customer in the shop."""
    name: Text
    """Name of the buyer."""
    email: Omittable[Email] = None
    """E-mail address of the buyer."""
    phone: Omittable[Code] = None
    """Telephone number of the buyer."""
    company: Omittable[Text] = None
    """Company of the buyer."""
    tax_id: Omittable[Code] = None
    """Tax registration number of the buyer."""
    tax_id_scheme: Omittable[Short] = None
    """Kind of that number, such as TRN, VAT or CRN."""


class PostalAddress(SubmittedFields, Resource):
    """A postal address; a Saudi tax invoice requires building number, district and postal code."""

    name: Omittable[Text] = None
    """Name of the recipient."""
    line1: Omittable[Text] = None
    """First line of the address."""
    line2: Omittable[Text] = None
    """Second line of the address."""
    building_number: Omittable[Short] = None
    """Number of the building."""
    district: Omittable[Text] = None
    """District of the city."""
    city: Omittable[Text] = None
    """City."""
    region: Omittable[Text] = None
    """Region, province or emirate."""
    postal_code: Omittable[Short] = None
    """Postal code."""
    country_code: CountryCode
    """ISO 3166 code of the country."""
    phone: Omittable[Code] = None
    """Telephone number for the delivery."""


class Taxed(SubmittedFields, Resource):
    """A taxed amount; `net` never includes tax."""

    net: Amount
    """Amount without tax."""
    tax_category: TaxCategory
    """Category of the tax."""
    tax_rate: Rate
    """Rate of the tax in percent."""
    tax: Amount
    """Amount of the tax."""
    total: Amount
    """Amount with tax."""


class _LineFields(SubmittedFields, Resource):
    """The product of a line; `unitPrice` includes tax if the order's `taxesIncluded` is true."""

    id: Reference
    """Id of the line in the shop."""
    sku: Code
    """Stock keeping unit of the product."""
    barcode: Omittable[Code] = None
    """Barcode (GTIN) of the product."""
    name: Annotated[
        Names,
        must(lambda names: names.en or names.ar, "must have a text under en, ar or both"),
    ]
    """Name of the product."""
    quantity: Quantity
    """How many units are sold."""
    unit: Short = "piece"
    """The unit of the quantity."""
    unit_price: Amount
    """Price of one unit; includes tax if `taxesIncluded` is true."""
    discount: Amount = Field(default_factory=Decimal, validate_default=True)
    """Discount on the whole line."""


class Line(Taxed, _LineFields):
    """One line of an order; `discount` applies to the whole line."""


class _Method(SubmittedFields, Resource):
    """The shipping method."""

    method: Text
    """The shipping method."""


class Shipping(Taxed, _Method):
    """A shipping charge."""


class Discount(SubmittedFields, Resource):
    """A discount, for information only: the discounts of the lines already include it."""

    code: Omittable[Code] = None
    """Code that the buyer used."""
    amount: Amount
    applies_to: Code = "order"
    """What the discount is for: `order`, or what the shop names."""


class Payment(SubmittedFields, Resource):
    """A payment received, or a refund if the amount is negative."""

    method: Code
    """How the payment was made."""
    reference: Omittable[Text] = None
    """Reference of the payment at its provider."""
    amount: SignedAmount
    """Amount of the payment; negative for a refund."""
    status: Word
    """State of the payment, as the shop names it."""
    paid_at: Omittable[Instant] = None
    """When the payment was made."""


class Totals(SubmittedFields, Resource):
    """Totals of the order; `tax` includes the tax on shipping, `net` excludes shipping."""

    net: Amount
    discount: Amount
    shipping: Amount
    tax: Amount
    grand: Amount


class OrderDraft(SubmittedFields, Resource):
    """An order as imported; `createdAt` is when it was placed."""

    number: Number
    """Number of the order, as the shop shows it."""
    created_at: Instant
    """When the order was placed."""
    status: OrderStatus
    """State of the order."""
    payment_status: Word = "pending"
    """State of the payment, as the shop names it."""
    fulfillment_status: Word = "unfulfilled"
    """State of the shipment, as the shop names it."""
    currency: CurrencyCode
    """ISO 4217 code of the currency of all amounts."""
    taxes_included: bool = False
    """Whether the unit prices of the lines include tax."""
    customer: Customer
    """The buyer."""
    billing_address: Omittable[PostalAddress] = None
    """Address for the invoice."""
    shipping_address: Omittable[PostalAddress] = None
    """Address to which the goods are sent."""
    lines: Annotated[tuple[Line, ...], Field(min_length=1, max_length=1_000)]
    """The lines of the order."""
    shipping: Annotated[tuple[Shipping, ...], Field(max_length=100)] = ()
    """The shipping charges."""
    discounts: Annotated[tuple[Discount, ...], Field(max_length=100)] = ()
    """The discounts, for information."""
    payments: Annotated[tuple[Payment, ...], Field(max_length=100)] = ()
    """The payments and refunds."""
    totals: Totals
    """The totals of the order."""
    notes: Omittable[Notes] = None
    """Notes of the buyer or of the shop."""
    po_number: Omittable[Code] = None
    """Purchase order number of the buyer."""
    source: Omittable[Code] = None
    """Where the order comes from."""


class _StoredFields(Resource):
    """The first fields of a stored order; `updatedAt` is when the order last changed here."""

    id: Id
    """Id of the order here; orders are sorted by it."""
    number: Number
    """Number of the order, as the shop shows it."""
    revision: int
    """Number of this state of the order, from 1."""
    created_at: Instant
    """When the order was placed."""
    updated_at: Instant
    """When the order last changed here."""


class Order(OrderDraft, _StoredFields):
    """A stored order."""


def to_order(draft: OrderDraft, order_id: int, revision: int, updated_at: datetime) -> Order:
    """Return a draft as a stored order."""
    return Order(**dict(draft), id=order_id, revision=revision, updated_at=updated_at)
