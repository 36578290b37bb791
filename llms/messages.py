"""The texts of llms.txt in both languages.

Placeholders: `{site}` is the name of the site, `{country}` the country of the locale, `{locale}`
its country and language, and `{title}` the title of a page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from knowledge.addresses import Page
from knowledge.locale import Language


class Heading(StrEnum):
    """The level-2 headings, in the order of the file."""

    COMPANY = "company"
    MODULES = "modules"
    INDUSTRIES = "industries"
    PRODUCTS = "products"
    CITIES = "cities"
    BLOG = "blog"


@dataclass(frozen=True, slots=True)
class Messages:
    """All texts of llms.txt that are not content, in one language."""

    headings: Mapping[Heading, str]
    reasons: Mapping[Page, str]
    slug_reasons: Mapping[str, str]
    list_titles: Mapping[Page, str]


ENGLISH = Messages(
    headings={
        Heading.COMPANY: "Company and service",
        Heading.MODULES: "Software modules",
        Heading.INDUSTRIES: "Industries",
        Heading.PRODUCTS: "Products",
        Heading.CITIES: "Cities",
        Heading.BLOG: "Blog",
    },
    reasons={
        Page.HOME: "you need an overview of {site}",
        Page.CONTENT: "the question is about “{title}”",
        Page.MODULE: "the question is about the software module {title}",
        Page.INDUSTRY: "someone in this line of business asks what fits: {title}",
        Page.CITY: "the reader is in this city: {title}",
        Page.CITY_CONTENT: "the reader is in this city and the question is about “{title}”",
        Page.BLOG: "you look for articles, newest first",
        Page.CATEGORY: "you look for articles on {title}",
        Page.POST: "the question is answered by this article",
        Page.TESTIMONIALS: "you need customers' own words",
        Page.PRODUCTS: "you compare products and their prices",
        Page.PRODUCT: "the price or details of this product are asked for",
    },
    slug_reasons={
        "erp": "someone asks what the ERP system does and for whom",
        "solutions": "someone has a task in mind and asks what solves it",
        "business-models": "someone asks how software and hardware are bought or rented",
        "faqs": "the question is a common one",
        "contact": "someone wants to call, write or visit",
        "industries": "you need an overview of the lines of business served",
        "about": "someone asks who stands behind {site}",
        "pricing": "someone asks what it costs",
        "support": "a customer needs help",
        "privacy": "someone asks how personal data is treated",
        "terms": "someone asks for the conditions of use or supply",
    },
    list_titles={
        Page.HOME: "Home",
        Page.BLOG: "Blog",
        Page.TESTIMONIALS: "Testimonials",
        Page.PRODUCTS: "Products",
    },
)

ARABIC = Messages(
    headings={
        Heading.COMPANY: "الشركة وخدماتها",
        Heading.MODULES: "وحدات النظام",
        Heading.INDUSTRIES: "القطاعات",
        Heading.PRODUCTS: "المنتجات",
        Heading.CITIES: "المدن",
        Heading.BLOG: "المدونة",
    },
    reasons={
        Page.HOME: "تحتاج إلى نظرة عامة على {site} في {country}",
        Page.CONTENT: "يدور السؤال حول «{title}»",
        Page.MODULE: "يدور السؤال حول وحدة النظام «{title}»",
        Page.INDUSTRY: "يسأل أحد العاملين في هذا القطاع عمّا يناسبه: {title}",
        Page.CITY: "يكون القارئ في هذه المدينة: {title}",
        Page.CITY_CONTENT: "يكون القارئ في هذه المدينة ويسأل عن «{title}»",
        Page.BLOG: "تبحث عن المقالات، والأحدث أولًا",
        Page.CATEGORY: "تبحث عن مقالات في موضوع «{title}»",
        Page.POST: "يجيب هذا المقال عن السؤال",
        Page.TESTIMONIALS: "تحتاج إلى آراء العملاء بكلماتهم",
        Page.PRODUCTS: "تقارن بين المنتجات وأسعارها",
        Page.PRODUCT: "يُسأل عن سعر هذا المنتج أو مواصفاته",
    },
    slug_reasons={
        "erp": "يُسأل عمّا يقدّمه نظام تخطيط الموارد ولمن يصلح",
        "solutions": "تكون هناك مهمة محددة ويُسأل عن الحل المناسب لها",
        "business-models": "يُسأل عن طرق شراء البرامج والأجهزة أو استئجارها",
        "faqs": "يكون السؤال من الأسئلة الشائعة",
        "contact": "يرغب أحد في الاتصال أو المراسلة أو الزيارة",
        "industries": "تحتاج إلى نظرة عامة على القطاعات التي تُخدَم",
        "about": "يُسأل عمّن يقف وراء {site}",
        "pricing": "يُسأل عن التكلفة",
        "support": "يحتاج أحد العملاء إلى المساعدة",
        "privacy": "يُسأل عن طريقة التعامل مع البيانات الشخصية",
        "terms": "يُسأل عن شروط الاستخدام أو التوريد",
    },
    list_titles={
        Page.HOME: "الصفحة الرئيسية",
        Page.BLOG: "المدونة",
        Page.TESTIMONIALS: "آراء العملاء",
        Page.PRODUCTS: "المنتجات",
    },
)

MESSAGES: Mapping[Language, Messages] = {Language.EN: ENGLISH, Language.AR: ARABIC}
