"""The texts of llms.txt in both languages.

Placeholders: `{site}` is the name of the site, `{country}` the country of the locale, `{locale}`
its country and language, and `{title}` the title of a page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from knowledge.locale import Language


class Heading(StrEnum):
    """The level-2 headings besides those of pages, in the order of the file."""

    MORE = "more"
    DEVELOPERS = "developers"
    PARTNERS = "partners"
    LOCALES = "locales"
    PRIVATE = "private"
    OPTIONAL = "optional"


@dataclass(frozen=True, slots=True)
class Link:
    """A link that is not part of the content; `path` starts at the root of the site."""

    title: str
    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Messages:
    """All texts of llms.txt that are not content, in one language."""

    headings: Mapping[Heading, str]
    use_when: str
    summary: str
    when_service: str
    when_locale: str
    how: str
    guide: Link
    contract: Link
    health: Link
    partners: tuple[Link, ...]
    private_reasons: Mapping[str, str]
    whole_service: Link
    locale_title: str
    locale_reason: str
    more_title: str
    more_reason: str
    part_title: str
    part_summary: str
    full_title: str
    full_summary: str
    full_cut: str


ENGLISH = Messages(
    headings={
        Heading.MORE: "More pages",
        Heading.DEVELOPERS: "API for developers",
        Heading.PARTNERS: "Partner interface",
        Heading.LOCALES: "Other countries and languages",
        Heading.PRIVATE: "Private paths",
        Heading.OPTIONAL: "Optional",
    },
    use_when="use when",
    summary="What {site} publishes for its readers: {country}.",
    when_service=(
        "Use this service when you need what {site} publishes for the Gulf in English or Arabic:"
        " products and prices, software modules, industries, cities, articles, contact details,"
        " or the public JSON API behind them, and when a person asks you to send an enquiry for"
        " them. Do not use it for customer accounts, carts, checkout or order tracking, for CMS"
        " administration, for the records of an ERP customer, or in place of legal or tax advice."
        " There is no MCP server, no sandbox, no command-line tool and no sign-up; the order and"
        " product interface for ERP systems needs a partner token that the operator issues."
    ),
    when_locale=(
        "Use this site when a question is about {site} and the reader's country ({country}):"
        " products and prices, software modules, industries, cities, articles and contact details."
        " Do not use it for another country, which has a file of its own below, for customer"
        " accounts, carts, checkout or order tracking, for the records of an ERP customer, or in"
        " place of legal or tax advice."
    ),
    how=(
        "Every link below leads to markdown. The same text answers `Accept: text/markdown` at the"
        " page's own address, which is the link without `.md`; cite that address. Reading needs"
        " no key; the JSON API allows 120 requests per client address in 60 seconds."
    ),
    guide=Link(
        "Guide to the API",
        "/developers.md",
        "you write a program that reads this content or sends enquiries",
    ),
    contract=Link(
        "OpenAPI 3.1 contract",
        "/openapi.json",
        "you need every path, parameter and schema; it is a description, not a sandbox",
    ),
    health=Link(
        "Health of the service",
        "/api/public/v1/health",
        "requests fail and you want to know whether the service is up",
    ),
    partners=(
        Link(
            "Status of the ERP integration",
            "/api/erp/status",
            "you need to know whether the partner interface is configured; it is open to all",
        ),
        Link(
            "Orders and products for ERP systems",
            "/developers.md#partner-interface",
            "you work for an approved partner: /api/orders, /api/products and"
            " /api/erp/orders/ need a partner token as bearer or as X-Ecom-Api-Token",
        ),
    ),
    private_reasons={
        "/api/admin/": "never; content administration, for signed-in staff only",
        "/cms/": "never; content administration and its assistant tools, for signed-in staff only",
        "/cart": "never; a customer's own session, not an interface for agents",
        "/checkout": "never; a customer's own session, not an interface for agents",
        "/account": "never; a customer's own data, behind a sign-in",
    },
    whole_service=Link("The whole service", "/llms.txt", "you need the API or all countries"),
    locale_title="{country}, {language}",
    locale_reason="the reader's country is {country} and the language {language}",
    more_title="More: {headings}",
    more_reason="what you look for is not listed above",
    part_title="{site}: {locale}, part {number}",
    part_summary="Pages for which the first file had no room.",
    full_title="{site}: {locale}, all pages as one text",
    full_summary="Each page begins with its title and its address. At most {limit} characters.",
    full_cut=(
        "This text ends here at its limit of {limit} characters: it holds {shown} of {total}"
        " pages. The others are listed in {url}"
    ),
)

ARABIC = Messages(
    headings={
        Heading.MORE: "صفحات أخرى",
        Heading.DEVELOPERS: "واجهة برمجة التطبيقات للمطورين",
        Heading.PARTNERS: "واجهة الشركاء",
        Heading.LOCALES: "بلدان ولغات أخرى",
        Heading.PRIVATE: "مسارات خاصة",
        Heading.OPTIONAL: "Optional",
    },
    use_when="يُستخدم عندما",
    summary="ما ينشره موقع {site} لقرّائه في {country}.",
    when_service=(
        "استخدم هذه الخدمة عندما تحتاج إلى ما ينشره موقع {site} لدول الخليج بالعربية أو"
        " الإنجليزية: المنتجات والأسعار ووحدات النظام والقطاعات والمدن والمقالات وبيانات التواصل،"
        " أو إلى واجهة JSON العامة التي تقدّمها، وعندما يطلب منك شخص إرسال استفسار نيابةً عنه. ولا"
        " تستخدمها لحسابات العملاء أو سلة المشتريات أو إتمام الشراء أو تتبّع الطلبات، ولا لإدارة"
        " المحتوى، ولا للوصول إلى سجلات عملاء النظام، ولا بديلًا عن الاستشارة القانونية أو"
        " الضريبية. ولا يوجد خادم MCP ولا بيئة تجريبية ولا أداة سطر أوامر ولا تسجيل ذاتي؛ أما"
        " واجهة الطلبات والمنتجات لأنظمة تخطيط الموارد فتتطلب رمز شريك يصدره المشغّل."
    ),
    when_locale=(
        "استخدم هذا الموقع عندما يتعلق السؤال بما يقدّمه {site} لقرّائه في {country}: المنتجات"
        " والأسعار ووحدات النظام والقطاعات والمدن والمقالات وبيانات التواصل. ولا تستخدمه لبلد آخر،"
        " فلكل بلد ملف خاص به أدناه، ولا لحسابات العملاء أو سلة المشتريات أو إتمام الشراء أو تتبّع"
        " الطلبات، ولا للوصول إلى سجلات عملاء النظام، ولا بديلًا عن الاستشارة القانونية أو"
        " الضريبية."
    ),
    how=(
        "كل رابط أدناه يؤدي إلى نص بصيغة markdown. ويُقدَّم النص نفسه عند إرسال"
        " `Accept: text/markdown` إلى عنوان الصفحة الأصلي، وهو الرابط من دون `.md`؛ واستشهد بذلك"
        " العنوان. ولا تحتاج القراءة إلى مفتاح، وتسمح واجهة JSON بعدد 120 طلبًا لكل عنوان عميل"
        " خلال 60 ثانية."
    ),
    guide=Link(
        "دليل واجهة البرمجة",
        "/developers.md",
        "تكتب برنامجًا يقرأ هذا المحتوى أو يرسل الاستفسارات",
    ),
    contract=Link(
        "عقد OpenAPI 3.1",
        "/openapi.json",
        "تحتاج إلى كل المسارات والمعاملات والبنى؛ وهو خريطة وليس بيئة تجريبية",
    ),
    health=Link(
        "حالة الخدمة",
        "/api/public/v1/health",
        "تتعذّر الإجابات وتريد أن تعرف هل الخدمة تعمل",
    ),
    partners=(
        Link(
            "حالة الربط مع أنظمة تخطيط الموارد",
            "/api/erp/status",
            "تريد أن تعرف هل واجهة الشركاء مهيّأة؛ وهي متاحة للجميع",
        ),
        Link(
            "الطلبات والمنتجات لأنظمة تخطيط الموارد",
            "/developers.md#partner-interface",
            "تعمل لدى شريك معتمد: تتطلب المسارات /api/orders و/api/products و/api/erp/orders/"
            " رمز شريك يُرسل بصيغة bearer أو في X-Ecom-Api-Token",
        ),
    ),
    private_reasons={
        "/api/admin/": "لا يُطلب أبدًا؛ إدارة المحتوى للموظفين المسجّلين فقط",
        "/cms/": "لا يُطلب أبدًا؛ إدارة المحتوى وأدواتها المساعدة للموظفين المسجّلين فقط",
        "/cart": "لا يُطلب أبدًا؛ جلسة العميل الخاصة وليست واجهة للوكلاء",
        "/checkout": "لا يُطلب أبدًا؛ جلسة العميل الخاصة وليست واجهة للوكلاء",
        "/account": "لا يُطلب أبدًا؛ بيانات العميل الخاصة خلف تسجيل الدخول",
    },
    whole_service=Link(
        "الخدمة كاملةً (بالإنجليزية)",
        "/llms.txt",
        "تحتاج إلى واجهة البرمجة أو إلى جميع البلدان",
    ),
    locale_title="{country}، {language}",
    locale_reason="يكون القارئ في {country} ويقرأ بهذه اللغة: {language}",
    more_title="المزيد: {headings}",
    more_reason="لا تجد ما تبحث عنه أعلاه",
    part_title="{site}: {locale}، الجزء {number}",
    part_summary="صفحات لم يتسع لها الملف الأول.",
    full_title="{site}: {locale}، جميع الصفحات في نص واحد",
    full_summary="تبدأ كل صفحة بعنوانها ورابطها. الحد الأقصى {limit} حرف.",
    full_cut=(
        "ينتهي هذا النص هنا عند حدّه البالغ {limit} حرف: يضم {shown} من أصل {total} صفحة."
        " وبقية الصفحات مذكورة في {url}"
    ),
)

MESSAGES: Mapping[Language, Messages] = {Language.EN: ENGLISH, Language.AR: ARABIC}
