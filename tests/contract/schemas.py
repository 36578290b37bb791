"""JSON Schemas of all response bodies, written from the API contract, independent of the models.

A field is optional unless the contract marks it as required. Absent fields are omitted, so null is
valid only where a schema allows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

from app.factory import create_app
from app.settings import Settings
from app.web.openapi.operation import route_specs

Schema = dict[str, Any]


def closed(required: tuple[str, ...] = (), /, **properties: Schema) -> Schema:
    """Return the schema of an object with these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def array(items: Schema, **bounds: int) -> Schema:
    """Return the schema of a list whose entries match `items`."""
    return {"type": "array", "items": items, **bounds}


def one_of(*words: str) -> Schema:
    """Return the schema of a string from a fixed set."""
    return {"type": "string", "enum": list(words)}


def nullable(schema: Schema) -> Schema:
    """Return a schema that also allows null."""
    return {**schema, "type": [schema["type"], "null"]}


# Scalars

STRING: Schema = {"type": "string"}
TEXT_FOR_PEOPLE: Schema = {"type": "string", "minLength": 1}
IDENTIFIER: Schema = {"type": "string", "minLength": 1}
BOOLEAN: Schema = {"type": "boolean"}
INTEGER: Schema = {"type": "integer"}
DATE_TIME: Schema = {"type": "string", "format": "date-time"}
URI: Schema = {"type": "string", "format": "uri"}
SITE_PATH: Schema = {"type": "string", "pattern": r"^/(?!/)\S*$"}
LINK_TARGET: Schema = {
    "type": "string",
    "pattern": r"^(/(?!/)\S*|https?://\S+|(mailto|tel):\S+)$",
}

COUNTRY_CODE = one_of("AE", "SA", "QA", "OM", "KW", "BH")
COUNTRY_SLUG = one_of("ae", "sa", "qa", "om", "kw", "bh")
LANGUAGE = one_of("en", "ar")

# Only published content is returned, so the flag is always true.
PUBLISHED: Schema = {"type": "boolean", "const": True}

# Shared parts

BILINGUAL_STRING: Schema = {
    "type": "object",
    "properties": {"en": STRING, "ar": STRING},
    "additionalProperties": STRING,
}

# A text that the contract allows to be plain or bilingual.
TEXT: Schema = {**BILINGUAL_STRING, "type": ["string", "object"]}

LOCALE_META = closed(
    resolvedFrom=one_of("global", "country_default", "locale_override", "city_override"),
    inherited=BOOLEAN,
    fallbackUsed=BOOLEAN,
    cityFallback=BOOLEAN,
    missing=BOOLEAN,
    requestedCity=STRING,
)

AMOUNT: Schema = {"type": "string", "pattern": r"^\d+(\.\d+)?$"}

SECTION_ENTRY = closed(
    title=STRING,
    text=STRING,
    role=STRING,
    image=closed(("src", "alt"), src=STRING, alt=STRING),
    links=array(closed(("label", "href"), label=STRING, href=STRING)),
    href=STRING,
    includes=STRING,
    call=one_of("trial", "demo", "quotation"),
    mediaType=STRING,
    size={"type": "integer", "minimum": 0},
    prices=array(
        closed(
            ("period", "amount", "currency"),
            period=one_of("month", "year", "once"),
            amount=AMOUNT,
            currency=STRING,
            vatRate=AMOUNT,
            amountWithVat=AMOUNT,
        )
    ),
    recommended=BOOLEAN,
    features=array(STRING),
    values=array(closed(("label", "value"), label=STRING, value=STRING)),
)

PAGE_SECTION = closed(
    ("id", "type"),
    id=IDENTIFIER,
    type=one_of("richText", "faq", "cta", "featureGrid", "bulletList", "image", "stats"),
    visible=BOOLEAN,
    heading=STRING,
    body=STRING,
    items=array(closed(("question", "answer"), question=STRING, answer=STRING)),
    layout=closed(("name", "entries"), name=IDENTIFIER, entries=array(SECTION_ENTRY)),
)

PAGE_SEO = closed(
    title=BILINGUAL_STRING,
    description=BILINGUAL_STRING,
    keywords=BILINGUAL_STRING,
    noIndex=BOOLEAN,
    robotsIndex=one_of("index", "noindex"),
    robotsFollow=one_of("follow", "nofollow"),
    canonicalUrl=URI,
)

PAGINATION = closed(
    page={"type": "integer", "minimum": 1},
    pageSize={"type": "integer", "minimum": 1, "maximum": 24},
    total={"type": "integer", "minimum": 0},
    totalPages={"type": "integer", "minimum": 1},
)

NAVIGATION_LINK = closed(
    id=STRING,
    label=STRING,
    href=LINK_TARGET,
    active=BOOLEAN,
    sortOrder=INTEGER,
)

FOOTER_COLUMNS = closed(
    links=array(NAVIGATION_LINK),
    columns=array(closed(("title", "links"), title=STRING, links=array(NAVIGATION_LINK))),
)

# Errors

ERROR_CODE = one_of(
    "RESOURCE_NOT_FOUND",
    "VALIDATION_ERROR",
    "RATE_LIMITED",
    "CONFLICT",
    "SERVICE_UNAVAILABLE",
    "INTERNAL_ERROR",
)


def error_body(code: Schema) -> Schema:
    """Return the schema of `error` with this schema for its code."""
    return closed(
        ("code", "message", "resolution"),
        code=code,
        message=TEXT_FOR_PEOPLE,
        resolution=TEXT_FOR_PEOPLE,
    )


ERROR_ENVELOPE = closed(("error",), error=error_body(ERROR_CODE))

MISSING_LOCALE_ENVELOPE = closed(
    ("error", "slug", "countryCode", "lang", "meta"),
    error=error_body(one_of("RESOURCE_NOT_FOUND")),
    slug=STRING,
    countryCode=COUNTRY_CODE,
    lang=LANGUAGE,
    meta=LOCALE_META,
    fallback=closed(
        ("countryCode", "lang", "href"),
        countryCode=COUNTRY_CODE,
        lang=LANGUAGE,
        href=URI,
    ),
)

# Service and site

HEALTH = closed(
    ("ok",),
    ok=BOOLEAN,
    bootstrapReady=BOOLEAN,
    bootstrapError=nullable(STRING),
    dataDirReadable=BOOLEAN,
    dataDirCheckMs=INTEGER,
    distAssets=INTEGER,
    serveStatic=BOOLEAN,
    uptimeSec=INTEGER,
    time=DATE_TIME,
    cache=closed(hits=INTEGER, misses=INTEGER),
    env=closed(nodeEnv=STRING, port=INTEGER),
    service=STRING,
    timestamp=DATE_TIME,
)

SEO_PAGE = closed(
    path=STRING,
    canonical=URI,
    noIndex=BOOLEAN,
    robots=STRING,
    lang=LANGUAGE,
    dir=one_of("ltr", "rtl"),
    title=STRING,
    description=STRING,
    alternates=array(
        closed(
            hreflang={
                "type": "string",
                "pattern": "^(x-default|(en|ar)(-(AE|SA|QA|OM|KW|BH))?)$",
            },
            href=URI,
        )
    ),
)

COLOUR: Schema = {"type": "string", "pattern": "^#[0-9a-f]{6}$"}
COLOURS = closed(
    ("accent", "link", "ink", "soft", "paper", "sand", "line", "button", "onButton", "deep"),
    accent=COLOUR,
    link=COLOUR,
    ink=COLOUR,
    soft=COLOUR,
    paper=COLOUR,
    sand=COLOUR,
    line=COLOUR,
    button=COLOUR,
    onButton=COLOUR,
    deep=COLOUR,
    onDeep=COLOUR,
)
SCRIPT_FONTS = closed(body=STRING, bold=STRING, heading=STRING)
THEME = closed(
    ("accent", "light", "dark", "radius", "fonts", "logo", "hero"),
    accent=COLOUR,
    light=COLOURS,
    dark=COLOURS,
    radius=STRING,
    fonts=closed(latin=SCRIPT_FONTS, arabic=SCRIPT_FONTS),
    logo=closed(light=STRING, dark=STRING, square=STRING),
    hero=closed(
        ("style",),
        style={"enum": ["plain", "pattern", "picture"]},
        image=STRING,
        ground={"enum": ["accent", "paper"]},
    ),
    footer={"enum": ["accent", "paper"]},
    header={"enum": ["stacked"]},
    density={"enum": ["compact"]},
    scale={"enum": ["small", "large"]},
)

SITE_SETTINGS = closed(
    header=closed(navLinks=array(NAVIGATION_LINK), logoUrl=STRING),
    seo=closed(pageTitle=BILINGUAL_STRING, metaDescription=BILINGUAL_STRING),
    footer=closed(columns=array(closed(title=STRING)), legalLines=array(BILINGUAL_STRING)),
    words={"type": "object", "additionalProperties": BILINGUAL_STRING},
    contactForm=closed(
        enabled=BOOLEAN,
        fields=array(closed(name=STRING, label=BILINGUAL_STRING, required=BOOLEAN)),
        topics=array(
            closed(
                value=STRING,
                label=BILINGUAL_STRING,
                topic=one_of("demo", "pricing", "support", "other"),
            )
        ),
    ),
    siteSettings=closed(
        primaryEmail=STRING,
        phoneDisplay=STRING,
        officeAddress=BILINGUAL_STRING,
        logoUrl=STRING,
        facebookUrl=URI,
        linkedinUrl=URI,
        whatsapp=STRING,
        hours=BILINGUAL_STRING,
        mapUrl=URI,
        commercialRegistration=STRING,
        vatNumber=STRING,
        xUrl=URI,
        instagramUrl=URI,
        youtubeUrl=URI,
        snapchatUrl=URI,
    ),
    theme=THEME,
)

_BLOCK: Schema = {
    "type": "object",
    "properties": {
        "type": IDENTIFIER,
        "id": IDENTIFIER,
        "heading": TEXT_FOR_PEOPLE,
        "text": STRING,
        "links": array(closed(("text", "href"), text=STRING, href=STRING)),
        "pictures": array(
            closed(("url", "alt"), url=STRING, alt=STRING, width=INTEGER, height=INTEGER)
        ),
    },
    "required": ["type", "text", "links", "pictures"],
}
BLOCKS = array(_BLOCK)
"""What pages show; besides these, a type has fields of its own."""

HOMEPAGE = closed(
    ("blocks",),
    blocks=BLOCKS,
    hero=closed(title=BILINGUAL_STRING, sub=BILINGUAL_STRING, body=BILINGUAL_STRING),
    stats=closed(
        title=BILINGUAL_STRING,
        items=array(closed(id=STRING, value=STRING, label=BILINGUAL_STRING)),
    ),
    modules=closed(
        title=TEXT,
        items=array(closed(id=STRING, title=TEXT, description=TEXT, icon=STRING)),
    ),
    industries=closed(
        title=TEXT, items=array(closed(id=STRING, title=TEXT, name=TEXT, icon=STRING))
    ),
    about=closed(title=TEXT, paragraphs=array(BILINGUAL_STRING)),
    navigation=closed(
        headerLinks=array(NAVIGATION_LINK),
        footerColumns=FOOTER_COLUMNS,
        pages=array(closed(id=STRING, title=TEXT, active=BOOLEAN)),
    ),
    testimonials=closed(
        section=closed(enabled=BOOLEAN),
        items=array(closed(id=STRING, quote=STRING, customerName=STRING)),
    ),
    demoCta=closed(enabled=BOOLEAN, title=BILINGUAL_STRING),
    _locale=LOCALE_META,
)

NAVIGATION = closed(
    headerLinks=array(NAVIGATION_LINK),
    footerColumns=FOOTER_COLUMNS,
    pages=array(closed(slug=STRING, title=TEXT)),
)

# Pages

CONTACT = closed(
    ("profiles",),
    email=STRING,
    phone=STRING,
    phoneUrl=URI,
    whatsapp=STRING,
    whatsappUrl=URI,
    address=STRING,
    hours=STRING,
    mapUrl=URI,
    commercialRegistration=STRING,
    vatNumber=STRING,
    profiles=array(closed(network=STRING, url=URI)),
)

LISTED_PAGE = closed(("title", "path"), title=STRING, path=STRING, description=STRING)
LISTING = array(closed(("items",), title=STRING, items=array(LISTED_PAGE)))

LOCALIZED_CONTENT = closed(
    ("page", "blocks"),
    blocks=BLOCKS,
    listing=LISTING,
    contact=CONTACT,
    office=closed(
        ("people", "profiles"),
        **CONTACT["properties"],
        latitude={"type": "number"},
        longitude={"type": "number"},
        openingHours=array(STRING),
        people=array(
            closed(
                ("name",),
                name=STRING,
                role=STRING,
                image=STRING,
                phone=STRING,
                phoneUrl=STRING,
                email=STRING,
            )
        ),
    ),
    page=closed(
        ("id", "slug", "title", "heading", "template", "published"),
        id=IDENTIFIER,
        slug=IDENTIFIER,
        title=STRING,
        heading=STRING,
        contentType=STRING,
        globalIdentity=STRING,
        template=IDENTIFIER,
        published=PUBLISHED,
        shortDescription=STRING,
        sections=array(PAGE_SECTION),
        seo=PAGE_SEO,
        sortOrder=INTEGER,
        citySlug=nullable(STRING),
        _locale=LOCALE_META,
    ),
    meta=LOCALE_META,
)

PAGE_LIST = closed(
    ("items",),
    items=array(
        closed(
            ("template", "published"),
            id=STRING,
            slug=STRING,
            title=STRING,
            template=IDENTIFIER,
            published=PUBLISHED,
        )
    ),
)

PAGE_DETAIL = closed(
    ("page", "blocks"),
    blocks=BLOCKS,
    listing=LISTING,
    page=closed(
        ("template", "published"),
        id=STRING,
        slug=STRING,
        title=STRING,
        heading=STRING,
        template=IDENTIFIER,
        published=PUBLISHED,
        shortDescription=STRING,
        sections=array(PAGE_SECTION),
        seo=PAGE_SEO,
    ),
)

SOFTWARE_DETAIL = closed(
    kind=one_of("module", "industry"),
    slug=STRING,
    title=STRING,
    heading=STRING,
    shortDescription=STRING,
    sections=array(PAGE_SECTION),
    seo=PAGE_SEO,
)

# Testimonials

TESTIMONIAL = closed(
    ("id", "quote", "customerName"),
    id=IDENTIFIER,
    quote=STRING,
    customerName=STRING,
    designation=STRING,
    company=STRING,
    image=STRING,
    imageAlt=STRING,
    industry=STRING,
    city=STRING,
    country=STRING,
    rating={"type": "number", "minimum": 1, "maximum": 5},
    verified=BOOLEAN,
    featuredOnHomepage=BOOLEAN,
    caseStudy=STRING,
)

TESTIMONIALS = closed(
    ("items",),
    items=array(TESTIMONIAL),
    schemaVersion=INTEGER,
    section=closed(
        enabled=BOOLEAN,
        eyebrow=STRING,
        heading=STRING,
        supportingText=STRING,
        viewAllLabel=STRING,
        viewAllUrl=STRING,
        showViewAll=BOOLEAN,
    ),
    page=closed(
        enabled=BOOLEAN,
        title=STRING,
        intro=STRING,
        seoTitle=STRING,
        seoDescription=STRING,
    ),
)

# Blog

BLOG_CATEGORIES = closed(
    ("items",),
    items=array(closed(id=STRING, slug=STRING, name=STRING, description=STRING)),
)

POST_AUTHOR = closed(("name",), name=STRING, slug=STRING, url=STRING, title=STRING, image=STRING)

POST_SUMMARY = closed(
    id=STRING,
    slug=STRING,
    title=STRING,
    excerpt=STRING,
    publishedAt=DATE_TIME,
    categoryName=STRING,
    categorySlug=STRING,
    coverImage=STRING,
    tags=array(STRING),
    tagTitles=array(STRING),
    authors=array(POST_AUTHOR),
    coverImageAlt=STRING,
    updatedAt=DATE_TIME,
    readingMinutes={"type": "integer", "minimum": 1},
)

POST_LIST = closed(
    ("items", "pagination"),
    items=array(POST_SUMMARY, maxItems=24),
    pagination=PAGINATION,
    section=closed(enabled=BOOLEAN, title=STRING),
)

BODY_BLOCK = closed(
    type=one_of(
        "heading",
        "paragraph",
        "list",
        "blockquote",
        "code",
        "table",
        "image",
        "thematicBreak",
        "html",
    ),
    text=STRING,
)

POST_DETAIL = closed(
    ("post", "blocks"),
    blocks=BLOCKS,
    post=closed(
        id=STRING,
        slug=STRING,
        title=STRING,
        excerpt=STRING,
        body=array(BODY_BLOCK),
        headings=array(closed(id=STRING, text=STRING, level={"type": "integer"})),
        readingMinutes={"type": "integer", "minimum": 1},
        publishedAt=DATE_TIME,
        updatedAt=DATE_TIME,
        authors=array(POST_AUTHOR),
        coverImage=STRING,
        tags=array(STRING),
    ),
    related=array(POST_SUMMARY, maxItems=3),
    prev=nullable(POST_SUMMARY),
    next=nullable(POST_SUMMARY),
    cta=closed(("href",), href=STRING, title=STRING, text=STRING, label=STRING),
)

BLOG_HOMEPAGE = closed(
    enabled=BOOLEAN,
    title=STRING,
    featured=POST_SUMMARY,
    items=array(POST_SUMMARY, maxItems=6),
)

# Locale registries

COUNTRIES = closed(
    ("items",),
    items=array(
        closed(
            code=COUNTRY_CODE,
            slug=COUNTRY_SLUG,
            name=STRING,
            currency=STRING,
            enabled=BOOLEAN,
        ),
    ),
)

CITIES = closed(
    ("cities",),
    cities=array(
        closed(
            ("slug", "countryCode", "name"),
            slug=IDENTIFIER,
            countryCode=COUNTRY_CODE,
            name=BILINGUAL_STRING,
            focus=BILINGUAL_STRING,
            industries=array(STRING),
            services=array(STRING),
            address=BILINGUAL_STRING,
            phone=STRING,
            whatsapp=STRING,
            hours=BILINGUAL_STRING,
            mapUrl=URI,
            latitude={"type": "number"},
            longitude={"type": "number"},
        )
    ),
)

LOCALE_HINT = closed(countryCode=COUNTRY_CODE, source=one_of("header", "fallback"))

LOCALE_ROUTING = closed(redirect=nullable(SITE_PATH), country=COUNTRY_SLUG, lang=LANGUAGE)

# Changes and search, additions to the contract

CHANGES = closed(
    ("items", "cursor", "more"),
    items=array(
        closed(
            ("path", "kind", "change", "at"),
            path=SITE_PATH,
            kind=IDENTIFIER,
            change={"enum": ["published", "changed", "moved", "gone"]},
            at=DATE_TIME,
            etag={"type": "string", "pattern": '^"[0-9a-f]{24}"$'},
            to=SITE_PATH,
        )
    ),
    cursor={"type": "string", "pattern": "^[0-9a-f]{8}-[0-9]+$"},
    more=BOOLEAN,
)

SEARCH = closed(
    ("query", "queryTruncated", "items", "tokens", "truncated", "relevance"),
    query=TEXT_FOR_PEOPLE,
    queryTruncated=BOOLEAN,
    relevance={"type": "number", "minimum": 0, "maximum": 1},
    notFound=array(TEXT_FOR_PEOPLE),
    note=TEXT_FOR_PEOPLE,
    contact=URI,
    items=array(
        closed(
            ("page", "section", "url", "text", "tokens", "truncated"),
            page=closed(
                ("kind", "slug", "title", "path", "url", "language"),
                kind=IDENTIFIER,
                slug=IDENTIFIER,
                title=TEXT_FOR_PEOPLE,
                path=SITE_PATH,
                url=URI,
                language=LANGUAGE,
                updatedAt=DATE_TIME,
                country=COUNTRY_SLUG,
                countryName=TEXT_FOR_PEOPLE,
            ),
            section=closed(
                ("id", "heading", "path"),
                id=IDENTIFIER,
                heading=TEXT_FOR_PEOPLE,
                path=array(TEXT_FOR_PEOPLE),
            ),
            url=URI,
            text=TEXT_FOR_PEOPLE,
            tokens=INTEGER,
            truncated=BOOLEAN,
        ),
        maxItems=20,
    ),
    tokens=INTEGER,
    truncated=BOOLEAN,
    suggestion=TEXT_FOR_PEOPLE,
    country=COUNTRY_SLUG,
    assumed=TEXT_FOR_PEOPLE,
)

# Leads

LEAD_RESPONSE = closed(ok=BOOLEAN, id=STRING)

# The endpoint table


@dataclass(frozen=True)
class Endpoint:
    """One GET endpoint of the API contract: its paths, response schema and a working request."""

    stable: str
    legacy: tuple[str, ...]
    schema: Schema
    example: str
    locale: bool
    """Whether it accepts the query parameter `lang`."""
    country: bool
    """Whether it accepts the query parameter `country`."""


API = "/api/public/v1"
SCHEMAS: dict[str, Schema] = {
    "/health": HEALTH,
    "/site-settings": SITE_SETTINGS,
    "/countries": COUNTRIES,
    "/homepage": HOMEPAGE,
    "/site": HOMEPAGE,
    "/navigation": NAVIGATION,
    "/pages": PAGE_LIST,
    "/pages/{slug}": PAGE_DETAIL,
    "/locale-content/{slug}": LOCALIZED_CONTENT,
    "/locale-content/software/{kind}/{slug}": LOCALIZED_CONTENT,
    "/locale-content/city/{citySlug}/{pageSlug}": LOCALIZED_CONTENT,
    "/cities": CITIES,
    "/testimonials": TESTIMONIALS,
    "/blog/categories": BLOG_CATEGORIES,
    "/blog/posts": POST_LIST,
    "/blog/posts/{slug}": POST_DETAIL,
    "/blog/homepage": BLOG_HOMEPAGE,
    "/locale-hint": LOCALE_HINT,
    "/locale-routing": LOCALE_ROUTING,
    "/seo-page": SEO_PAGE,
    "/search": SEARCH,
    "/changes": CHANGES,
}
"""The schema of each GET endpoint of the contract, and of the additions, by its stable path."""

_LOCALE = {"country": "SA", "lang": "ar"}
_VALUES = {
    "/pages/{slug}": {"slug": "pricing"},
    "/locale-content/{slug}": {"slug": "erp"},
    "/locale-content/software/{kind}/{slug}": {"kind": "module", "slug": "finance"},
    "/locale-content/city/{citySlug}/{pageSlug}": {"citySlug": "riyadh", "pageSlug": "erp"},
    "/blog/posts": {"lang": "en", "category": "erp-guides", "pageSize": "2"},
    "/blog/posts/{slug}": {"slug": "choosing-an-erp-in-the-gulf", "country": "AE", "lang": "en"},
    "/blog/homepage": {"lang": "en", "limit": "2"},
    "/seo-page": {"path": "/sa/ar/pricing"},
    "/search": {"q": "invoice", "limit": "3"},
}
"""Values of the variables and parameters in the example request; others are in _LOCALE."""


def _declared() -> Iterator[Endpoint]:
    """Yield the endpoints as the routes declare them."""
    specs = route_specs(create_app(Settings(_env_file=None)))
    for spec in specs:
        bare = spec.path.removeprefix(API)
        if spec.method != "GET" or bare not in SCHEMAS or bare == spec.path:
            continue
        values = _LOCALE | _VALUES.get(bare, {})
        names = [parameter.name for parameter in spec.operation.query]
        query = urlencode({name: values[name] for name in names if name in values}, safe="/")
        yield Endpoint(
            stable=spec.path,
            legacy=tuple(
                each.path for each in specs if each.is_alias and each.successor == spec.path
            ),
            schema=SCHEMAS[bare],
            example=spec.path.format_map(values) + (f"?{query}" if query else ""),
            locale="lang" in names,
            country="country" in names,
        )


ENDPOINTS: tuple[Endpoint, ...] = tuple(_declared())

# The only endpoint without a stable path: `stable` and `example` are those of its successor, which
# returns LOCALIZED_CONTENT; `schema` is that of the legacy path.
SOFTWARE_DETAIL_ENDPOINT = Endpoint(
    stable="/api/public/v1/locale-content/software/{kind}/{slug}",
    legacy=("/api/software-detail/{kind}/{slug}",),
    schema=SOFTWARE_DETAIL,
    example="/api/public/v1/locale-content/software/module/finance",
    locale=False,
    country=False,
)


def legacy_example(row: Endpoint, alias: str) -> str:
    """Return the URL of the example request of `row` under `alias`, including the query.

    >>> legacy_example(SOFTWARE_DETAIL_ENDPOINT, "/api/software-detail/{kind}/{slug}")
    '/api/software-detail/module/finance'
    """
    path, mark, query = row.example.partition("?")
    segments = zip(row.stable.split("/"), path.split("/"), strict=True)
    values = {name[1:-1]: value for name, value in segments if name.startswith("{")}
    return alias.format_map(values) + mark + query


def example_in(row: Endpoint, country: str, lang: str) -> str:
    """Return the example for another locale, as far as the endpoint has locale parameters.

    >>> countries = next(row for row in ENDPOINTS if row.stable.endswith("/countries"))
    >>> example_in(countries, "KW", "en")
    '/api/public/v1/countries?lang=en'
    """
    path, _, query = row.example.partition("?")
    parameters = dict(parse_qsl(query))
    if row.country:
        parameters["country"] = country
    if row.locale:
        parameters["lang"] = lang
    return f"{path}?{urlencode(parameters, safe='/')}" if parameters else path
