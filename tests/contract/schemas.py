"""JSON Schemas of all response bodies, written from the API contract, independent of the models.

A field is optional unless the contract marks it as required. Absent fields are omitted, so null is
valid only where a schema allows it.
"""

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

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

PAGE_SECTION = closed(
    ("id", "type"),
    id=IDENTIFIER,
    type=one_of("richText", "faq", "cta", "featureGrid", "bulletList", "image", "stats"),
    visible=BOOLEAN,
    heading=STRING,
    body=STRING,
    items=array(closed(question=STRING, answer=STRING)),
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

FOOTER_COLUMNS = closed(links=array(NAVIGATION_LINK))

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

SITE_SETTINGS = closed(
    header=closed(navLinks=array(NAVIGATION_LINK), logoUrl=STRING),
    seo=closed(pageTitle=BILINGUAL_STRING, metaDescription=BILINGUAL_STRING),
    footer=closed(columns=array(closed(title=STRING))),
    siteSettings=closed(
        primaryEmail=STRING,
        phoneDisplay=STRING,
        officeAddress=BILINGUAL_STRING,
        logoUrl=STRING,
        facebookUrl=URI,
        linkedinUrl=URI,
    ),
)

HOMEPAGE = closed(
    hero=closed(title=BILINGUAL_STRING, sub=BILINGUAL_STRING, body=BILINGUAL_STRING),
    stats=closed(
        title=BILINGUAL_STRING,
        items=array(closed(id=STRING, value=STRING, label=BILINGUAL_STRING)),
    ),
    modules=closed(
        title=TEXT,
        items=array(closed(id=STRING, title=TEXT, description=TEXT)),
    ),
    industries=closed(title=TEXT, items=array(closed(id=STRING, title=TEXT, name=TEXT))),
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

LOCALIZED_CONTENT = closed(
    ("page",),
    page=closed(
        ("id", "slug", "title", "heading"),
        id=IDENTIFIER,
        slug=IDENTIFIER,
        title=STRING,
        heading=STRING,
        contentType=STRING,
        globalIdentity=STRING,
        template=STRING,
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
    items=array(closed(id=STRING, slug=STRING, title=STRING, template=STRING, published=PUBLISHED)),
)

PAGE_DETAIL = closed(
    ("page",),
    page=closed(
        id=STRING,
        slug=STRING,
        title=STRING,
        heading=STRING,
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
    ("post",),
    post=closed(
        id=STRING,
        slug=STRING,
        title=STRING,
        excerpt=STRING,
        body=array(BODY_BLOCK),
        publishedAt=DATE_TIME,
        coverImage=STRING,
        tags=array(STRING),
    ),
    related=array(POST_SUMMARY, maxItems=3),
    prev=nullable(POST_SUMMARY),
    next=nullable(POST_SUMMARY),
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
        )
    ),
)

LOCALE_HINT = closed(countryCode=COUNTRY_CODE, source=one_of("header", "fallback"))

LOCALE_ROUTING = closed(redirect=nullable(SITE_PATH), country=COUNTRY_SLUG, lang=LANGUAGE)

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


ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        stable="/api/public/v1/health",
        legacy=("/api/health",),
        schema=HEALTH,
        example="/api/public/v1/health",
        locale=False,
        country=False,
    ),
    Endpoint(
        stable="/api/public/v1/site-settings",
        legacy=("/api/site-settings",),
        schema=SITE_SETTINGS,
        example="/api/public/v1/site-settings",
        locale=False,
        country=False,
    ),
    Endpoint(
        stable="/api/public/v1/countries",
        legacy=("/api/public/countries",),
        schema=COUNTRIES,
        example="/api/public/v1/countries?lang=ar",
        locale=True,
        country=False,
    ),
    Endpoint(
        stable="/api/public/v1/homepage",
        legacy=("/api/homepage", "/api/public/homepage"),
        schema=HOMEPAGE,
        example="/api/public/v1/homepage?country=SA&lang=ar",
        locale=True,
        country=True,
    ),
    Endpoint(
        stable="/api/public/v1/site",
        legacy=("/api/public/site",),
        schema=HOMEPAGE,
        example="/api/public/v1/site?country=SA&lang=ar",
        locale=True,
        country=True,
    ),
    Endpoint(
        stable="/api/public/v1/navigation",
        legacy=("/api/public/navigation",),
        schema=NAVIGATION,
        example="/api/public/v1/navigation?country=SA&lang=ar",
        locale=True,
        country=True,
    ),
    Endpoint(
        stable="/api/public/v1/pages",
        legacy=("/api/public/pages",),
        schema=PAGE_LIST,
        example="/api/public/v1/pages?country=SA&lang=ar",
        locale=True,
        country=True,
    ),
    Endpoint(
        stable="/api/public/v1/pages/{slug}",
        legacy=("/api/public/pages/{slug}", "/api/page/{slug}"),
        schema=PAGE_DETAIL,
        example="/api/public/v1/pages/pricing?country=SA&lang=ar",
        locale=True,
        country=True,
    ),
    Endpoint(
        stable="/api/public/v1/locale-content/{slug}",
        legacy=("/api/public/locale-content/{slug}",),
        schema=LOCALIZED_CONTENT,
        example="/api/public/v1/locale-content/erp?country=SA&lang=ar",
        locale=True,
        country=True,
    ),
    Endpoint(
        stable="/api/public/v1/locale-content/software/{kind}/{slug}",
        legacy=("/api/public/locale-content/software/{kind}/{slug}",),
        schema=LOCALIZED_CONTENT,
        example="/api/public/v1/locale-content/software/module/finance?country=SA&lang=ar",
        locale=True,
        country=True,
    ),
    Endpoint(
        stable="/api/public/v1/locale-content/city/{citySlug}/{pageSlug}",
        legacy=(),
        schema=LOCALIZED_CONTENT,
        example="/api/public/v1/locale-content/city/riyadh/erp?lang=ar",
        locale=True,
        country=False,
    ),
    Endpoint(
        stable="/api/public/v1/cities",
        legacy=("/api/public/cities",),
        schema=CITIES,
        example="/api/public/v1/cities?country=SA&lang=ar",
        locale=True,
        country=True,
    ),
    Endpoint(
        stable="/api/public/v1/testimonials",
        legacy=("/api/public/testimonials",),
        schema=TESTIMONIALS,
        example="/api/public/v1/testimonials?country=SA&lang=ar",
        locale=True,
        country=True,
    ),
    Endpoint(
        stable="/api/public/v1/blog/categories",
        legacy=("/api/public/blog/categories",),
        schema=BLOG_CATEGORIES,
        example="/api/public/v1/blog/categories?lang=ar",
        locale=True,
        country=False,
    ),
    Endpoint(
        stable="/api/public/v1/blog/posts",
        legacy=("/api/public/blog/posts",),
        schema=POST_LIST,
        example="/api/public/v1/blog/posts?country=SA&lang=en&category=erp-guides&pageSize=2",
        locale=True,
        country=True,
    ),
    Endpoint(
        stable="/api/public/v1/blog/posts/{slug}",
        legacy=("/api/public/blog/posts/{slug}",),
        schema=POST_DETAIL,
        example="/api/public/v1/blog/posts/choosing-an-erp-in-the-gulf?country=AE&lang=en",
        locale=True,
        country=True,
    ),
    Endpoint(
        stable="/api/public/v1/blog/homepage",
        legacy=("/api/public/blog/homepage",),
        schema=BLOG_HOMEPAGE,
        example="/api/public/v1/blog/homepage?country=SA&lang=en&limit=2",
        locale=True,
        country=True,
    ),
    Endpoint(
        stable="/api/public/v1/locale-hint",
        legacy=("/api/public/locale-hint",),
        schema=LOCALE_HINT,
        example="/api/public/v1/locale-hint",
        locale=False,
        country=False,
    ),
    Endpoint(
        stable="/api/public/v1/locale-routing",
        legacy=("/api/public/locale-routing",),
        schema=LOCALE_ROUTING,
        example="/api/public/v1/locale-routing",
        locale=False,
        country=False,
    ),
    Endpoint(
        stable="/api/public/v1/seo-page",
        legacy=("/api/public/seo-page",),
        schema=SEO_PAGE,
        example="/api/public/v1/seo-page?path=/sa/ar/pricing",
        locale=False,
        country=False,
    ),
)

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

    >>> example_in(ENDPOINTS[2], "KW", "en")
    '/api/public/v1/countries?lang=en'
    """
    path, _, query = row.example.partition("?")
    parameters = dict(parse_qsl(query))
    if row.country:
        parameters["country"] = country
    if row.locale:
        parameters["lang"] = lang
    return f"{path}?{urlencode(parameters, safe='/')}" if parameters else path
