"""Arabic facts: what the manual states of the API, in Arabic; code, paths and numbers stay.

A text that is not listed stays in English; a test finds those that are missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from llms.api_facts import ApiFacts

GROUPS: Mapping[str, str] = {
    "The blog": "المدونة",
    "Changes": "التغييرات",
    "The city registry": "سجل المدن",
    "The country list": "قائمة البلدان",
    "Feedback": "البلاغات",
    "Health": "حالة الخدمة",
    "Leads": "الاستفسارات",
    "Locale helpers": "أدوات البلد واللغة",
    "Localized content": "المحتوى المحلي",
    "CMS pages": "صفحات إدارة المحتوى",
    "Search": "البحث",
    "SEO metadata": "بيانات محركات البحث",
    "The site's own bundles": "حزم بيانات الموقع",
    "Testimonials": "آراء العملاء",
    "Status": "حالة واجهة الشركاء",
}
SUMMARIES: Mapping[str, str] = {
    "List the blog's categories": "قائمة تصنيفات المدونة",
    "List posts by date, or search them by relevance, in pages": (
        "قائمة المقالات حسب التاريخ، أو البحث فيها حسب الصلة، مقسمة إلى صفحات"
    ),
    "Get one post with the previous, next and related posts": (
        "مقال واحد مع السابق والتالي والمقالات ذات الصلة"
    ),
    "Get the blog preview for the home page": "معاينة المدونة للصفحة الرئيسية",
    "List what was published, changed, moved or taken away since a cursor": (
        "قائمة ما نُشر أو تغيّر أو نُقل أو أُزيل منذ مؤشر معيّن"
    ),
    "List the cities of a country": "قائمة مدن بلد",
    "List the countries with name and currency": "قائمة البلدان مع الاسم والعملة",
    "Report that something is wrong with a page; 200 means that the report is stored on disk": (
        "الإبلاغ عن خطأ في صفحة؛ وتعني الحالة 200 أن البلاغ حُفظ على القرص"
    ),
    "Get the health of the service: 200 if it is available, or 503 with the same body": (
        "حالة الخدمة: 200 إذا كانت متاحة، أو 503 بالمتن نفسه"
    ),
    "Send a contact or demo enquiry; 200 means that it is stored on disk": (
        "إرسال استفسار أو طلب عرض توضيحي؛ وتعني الحالة 200 أنه حُفظ على القرص"
    ),
    "Get an approximate country hint from a trusted proxy's header; nothing is stored": (
        "تقدير تقريبي للبلد من ترويسة وكيل موثوق؛ ولا يُخزَّن شيء"
    ),
    "Get where the site root would redirect this client; informational": (
        "الوجهة التي يحوّل إليها جذر الموقع هذا العميل؛ للعلم فقط"
    ),
    "Get one of the six localized registry pages, and how it was resolved": (
        "إحدى صفحات السجل المحلية الست، وكيفية تحديد نسختها"
    ),
    "Get an ERP module or industry page, and how it was resolved": (
        "صفحة وحدة من وحدات النظام أو صفحة قطاع، وكيفية تحديد نسختها"
    ),
    "Get the version of a page for a city; `index` is the landing page of the city": (
        "نسخة صفحة لمدينة؛ و`index` هي صفحة المدينة الرئيسية"
    ),
    "List the published CMS pages": "قائمة الصفحات المنشورة من إدارة المحتوى",
    "Get one published CMS page with its sections and SEO metadata": (
        "صفحة منشورة من إدارة المحتوى مع أقسامها وبيانات محركات البحث"
    ),
    "Search the text of all pages, and get the passages that answer": (
        "البحث في نصوص جميع الصفحات، والحصول على الفقرات التي تجيب"
    ),
    "Get title, robots, canonical URL and alternates of a public site path": (
        "عنوان مسار عام وتعليمات الزواحف والعنوان الأساسي والنسخ البديلة"
    ),
    "Get the company's settings, main menu, footer, words and contact form": (
        "إعدادات الشركة والقائمة الرئيسية والتذييل والعبارات ونموذج التواصل"
    ),
    "Get everything the home page shows": "كل ما تعرضه الصفحة الرئيسية",
    "Get the whole site bundle, in the same format as the home page": (
        "حزمة الموقع كاملة، بصيغة الصفحة الرئيسية نفسها"
    ),
    "Get the main menu, the footer and the list of pages": (
        "القائمة الرئيسية والتذييل وقائمة الصفحات"
    ),
    "List the testimonials in the requested language, with the texts of their section": (
        "قائمة آراء العملاء باللغة المطلوبة، مع نصوص قسمها"
    ),
    "Get which parts of the ERP integration are configured; needs no token": (
        "الأجزاء المهيأة من التكامل مع نظام تخطيط الموارد؛ لا تتطلب رمزًا"
    ),
    "List orders by ascending id; pages neither skip nor repeat orders during an import": (
        "قائمة الطلبيات تصاعديًا حسب المعرّف؛ ولا تتخطى الصفحات طلبية ولا تكررها أثناء الاستيراد"
    ),
    "Get one order by its id": "طلبية واحدة حسب معرّفها",
    "List the product catalogue by ascending id, including products no longer on sale": (
        "قائمة المنتجات تصاعديًا حسب المعرّف، ومنها ما لم يعد معروضًا للبيع"
    ),
    "Get the exact bytes that a push of the order would send": (
        "البايتات التي سيرسلها دفع الطلبية بالضبط"
    ),
    "Push an order to the webhook: 200 once delivered or failed, 202 while pending": (
        "دفع طلبية إلى الخطاف: 200 بعد التسليم أو الإخفاق، و202 ما دامت معلقة"
    ),
}
MEANINGS: Mapping[str, str] = {
    "A parameter or a field of the body has an invalid value, or the request is malformed.": (
        "قيمة معامل أو حقل في المتن غير صالحة، أو الطلب غير سليم البنية."
    ),
    "The request has no partner token, an invalid one, or several different ones.": (
        "لا يحمل الطلب رمز شريك، أو يحمل رمزًا غير صالح، أو عدة رموز مختلفة."
    ),
    "A browser sent a lead or feedback from an origin that is not allowed.": (
        "أرسل متصفح استفسارًا أو بلاغًا من مصدر غير مسموح به."
    ),
    "Nothing with that name is published; with `fallback`, it is published in another locale.": (
        "لا يوجد منشور بهذا الاسم؛ ومع `fallback` فهو منشور لبلد أو لغة أخرى."
    ),
    (
        "A request with the same Idempotency-Key is in progress, or the amounts of the order to"
        " push are inconsistent."
    ): "هناك طلب قيد التنفيذ بقيمة Idempotency-Key نفسها، أو مبالغ الطلبية المراد دفعها غير متسقة.",
    (
        "The changes after this cursor are no longer kept, or the cursor is unknown; the error"
        " says from where to go on."
    ): "لم تعد التغييرات بعد هذا المؤشر محفوظة، أو المؤشر غير معروف؛ ويبيّن الخطأ من أين تتابع.",
    "The body is larger than 64 KiB.": "المتن أكبر من 64 كيبيبايت.",
    "The body has an unsupported media type, or is compressed.": (
        "نوع وسائط المتن غير مدعوم، أو المتن مضغوط."
    ),
    "The same Idempotency-Key was already used with a different body.": (
        "استُخدمت قيمة Idempotency-Key نفسها من قبل مع متن مختلف."
    ),
    (
        "The rate limit is exceeded, or this address sent too many invalid partner tokens; wait"
        " for the seconds in Retry-After."
    ): (
        "تم تجاوز حد الطلبات، أو أرسل هذا العنوان رموز شركاء غير صالحة كثيرة؛ انتظر عدد الثواني"
        " المذكور في Retry-After."
    ),
    "An internal error of the service.": "خطأ داخلي في الخدمة.",
    (
        "The service cannot read or store the data at the moment, or is not configured for this;"
        " retry after the seconds in Retry-After."
    ): (
        "لا تستطيع الخدمة قراءة البيانات أو تخزينها الآن، أو لم تُهيأ لذلك؛ أعد المحاولة بعد عدد"
        " الثواني المذكور في Retry-After."
    ),
}
SCOPES: Mapping[str, str] = {
    "GET and HEAD under `/api/`, including aliases": (
        "GET وHEAD تحت `/api/`، بما فيها الأسماء البديلة"
    ),
    "Health, counted separately": "حالة الخدمة، وتُحسب على حدة",
    "Pages, maps and files, if the response is not in the cache, and OPTIONS at any path": (
        "الصفحات والخرائط والملفات، إذا لم تكن الاستجابة في الذاكرة المؤقتة، وOPTIONS على أي مسار"
    ),
    "Searches, of the API and the pages together, in addition to the limits above": (
        "عمليات البحث في الواجهة والصفحات معًا، إضافة إلى الحدود أعلاه"
    ),
    "Enquiries, through the API and the contact form together": (
        "الاستفسارات عبر الواجهة ونموذج التواصل معًا"
    ),
    "Feedback about pages": "البلاغات عن الصفحات",
    "The partner interface, per token instead of per address": (
        "واجهة الشركاء، لكل رمز بدلًا من كل عنوان"
    ),
}
SUBJECTS: Mapping[str, str] = {
    "The blog.": "المدونة.",
    "Changes: what was published, changed, moved or taken away since a cursor.": (
        "التغييرات: ما نُشر أو تغيّر أو نُقل أو أُزيل منذ مؤشر معيّن."
    ),
    "The city registry.": "سجل المدن.",
    "The country list.": "قائمة البلدان.",
    "Feedback: reports by readers and agents that something is wrong with a page.": (
        "البلاغات: ما يبلّغ به القراء والوكلاء من أخطاء في الصفحات."
    ),
    "Health: whether the service is available, and the first error in its content.": (
        "حالة الخدمة: هل هي متاحة، وأول خطأ في محتواها."
    ),
    "Leads: contact and demo enquiries, the only public write.": (
        "الاستفسارات: طلبات التواصل والعروض التوضيحية، وهي الكتابة العامة الوحيدة."
    ),
    "Locale helpers: the probable country and language of a client.": (
        "أدوات البلد واللغة: البلد واللغة المرجحان للعميل."
    ),
    "Localized content: registry pages, software pages, city pages.": (
        "المحتوى المحلي: صفحات السجل وصفحات البرامج وصفحات المدن."
    ),
    "CMS pages.": "صفحات إدارة المحتوى.",
    "Page formats: each page of the site as markdown, as JSON and as a sitemap.": (
        "صيغ الصفحات: كل صفحة من الموقع بصيغة Markdown وبصيغة JSON وبصيغة خريطة موقع."
    ),
    "Search: passages that answer a question.": "البحث: الفقرات التي تجيب عن سؤال.",
    "SEO metadata.": "بيانات محركات البحث.",
    "The site's own bundles.": "حزم بيانات الموقع.",
    "Testimonials.": "آراء العملاء.",
    "Status: the configuration of the partner interface; public, needs no token.": (
        "الحالة: تهيئة واجهة الشركاء؛ عامة، ولا تتطلب رمزًا."
    ),
    "Orders to pull: a paginated list, or one order by id.": (
        "طلبيات للسحب: قائمة مقسمة إلى صفحات، أو طلبية واحدة حسب معرّفها."
    ),
    "Products to pull: the product catalogue in the content.": (
        "منتجات للسحب: قائمة المنتجات في المحتوى."
    ),
    "Pushing an order to the webhook, and previewing what would be sent.": (
        "دفع طلبية إلى الخطاف (webhook)، ومعاينة ما سيُرسل."
    ),
    "The Model Context Protocol, for agents.": "بروتوكول سياق النموذج (MCP)، للوكلاء.",
}


def in_arabic(facts: ApiFacts) -> ApiFacts:
    """Return the facts with their texts in Arabic."""
    return replace(
        facts,
        endpoints=[
            replace(
                each,
                group=GROUPS.get(each.group, each.group),
                summary=SUMMARIES.get(each.summary, each.summary),
            )
            for each in facts.endpoints
        ],
        statuses=[
            replace(each, meaning=MEANINGS.get(each.meaning, each.meaning))
            for each in facts.statuses
        ],
        limits=[replace(each, scope=SCOPES.get(each.scope, each.scope)) for each in facts.limits],
        contracts=[
            replace(each, subject=SUBJECTS.get(each.subject, each.subject))
            for each in facts.contracts
        ],
    )
