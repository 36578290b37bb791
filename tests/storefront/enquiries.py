"""Generated form spam of several families, and enquiries as customers write them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

HONEST = (
    (
        "We run 14 grocery stores in Dubai and want to replace our POS. Can you show us the "
        "inventory module?"
    ),
    "What does the ERP cost for 25 users, and is there a discount for yearly payment?",
    "Our accountant asks whether your invoices follow the ZATCA phase two rules. Please confirm.",
    "Hello, I would like a demo for our restaurant in Jumeirah next Tuesday after 4 pm.",
    "Can the till work offline? The internet at our site in Fujairah breaks down often.",
    "We have 3,200 items in Excel. How long does it take to move them into your system?",
    "Please call me about the pharmacy solution. We have two branches and a warehouse.",
    "I am comparing three suppliers for a retail chain. Could you send references from Bahrain?",
    (
        "Is there an API to connect our own online shop? It is at "
        "https://shop.alnoor-home.example and runs on Magento."
    ),
    (
        "We are a customer since 2023. The receipt printer prints only half of the Arabic "
        "text since the update."
    ),
    "Does the payroll part handle end of service benefits under UAE labour law?",
    "Can I pay by bank transfer? We need a quotation with our TRN on it.",
    (
        "Our company opens a branch in Riyadh in March. Do you have a team there to train "
        "six cashiers?"
    ),
    "I saw your stand at GITEX and lost the card of the man who showed me the kitchen display.",
    "How many warehouses can one licence have? We currently use five, two of them in free zones.",
    "We sell perfume by weight. Can the scale be read by the till directly?",
    "Good morning, who is the right person for a partnership as a reseller in Oman?",
    "Please send me the brochure in PDF, my manager wants to read it before we meet.",
    "Does your platform help with SEO of the product pages, or do we need another tool?",
    "My password no longer works and the reset mail does not arrive. User name is in my profile.",
    "We need VAT reports per emirate. Is that possible without an export?",
    "Are you hiring support engineers? I have six years with point of sale systems.",
    "Could we rent two tills for an exhibition of ten days in Abu Dhabi?",
    "The contract ends in June and we want to add four stores before. What are the steps?",
    "Do you support Tap and Telr as payment gateways?",
    "نملك أربعة محلات للملابس في الرياض ونحتاج إلى نظام نقاط بيع يدعم الفاتورة الإلكترونية.",
    "السلام عليكم، كم سعر الاشتراك السنوي لعشرة مستخدمين؟",
    "هل يمكن ربط النظام مع متجرنا على منصة سلة؟",
    "أرغب في عرض تجريبي لمطعمنا في الدوحة يوم الأحد القادم.",
    "لدينا مستودعان في جدة والدمام، هل يدعم النظام نقل المخزون بينهما؟",
    "نحن عملاء لديكم منذ سنتين، والطابعة لا تطبع الشعار بعد التحديث الأخير.",
    "من فضلكم أرسلوا لنا عرض سعر باسم الشركة مع الرقم الضريبي.",
    "هل يعمل نظام الكاشير عند انقطاع الإنترنت؟",
    "نريد تدريب ثمانية موظفين في فرع الكويت، ما المدة اللازمة؟",
    "ما الفرق بين الباقة الأساسية وباقة النمو؟",
    "هل النظام معتمد من هيئة الزكاة والضريبة والجمارك للمرحلة الثانية؟",
    "نستخدم حاليا برنامجا قديما وفيه خمسة آلاف صنف، كيف ننقل البيانات؟",
    "أحتاج إلى التواصل مع قسم المبيعات بخصوص صيدلية في مسقط.",
    "هل تدعمون ميزان الباركود لمحل خضار وفواكه؟",
    "نود تجديد العقد وإضافة فرعين جديدين قبل شهر رمضان.",
    "هل يوجد تطبيق للجوال يتابع المدير من خلاله المبيعات اليومية؟",
    "نسيت كلمة المرور ولا تصلني رسالة الاستعادة.",
    "شركتنا مقاولات ونبحث عن نظام ERP لإدارة المشاريع والمشتريات.",
    "هل يمكن الدفع على أقساط لأجهزة نقاط البيع؟",
    "نرغب في أن نكون موزعا لكم في البحرين، من المسؤول عن الشراكات؟",
    "هل يحسب نظام الرواتب مكافأة نهاية الخدمة حسب نظام العمل السعودي؟",
    "وصلنا الجهاز لكن درج النقود لا يفتح، نرجو المساعدة اليوم إن أمكن.",
    "نريد تقارير أرباح كل فرع على حدة، هل هذا متاح؟",
    "لدي سلسلة مقاه من ستة فروع وأريد شاشة للمطبخ وقائمة إلكترونية.",
    "كم يستغرق التركيب في أبوظبي، وهل تشمل الخدمة الصيانة؟",
)

_FIRST = ("Mark", "Elena", "Joanna", "Raj", "Steve", "Lily", "Omar", "Pavel", "Grace", "Ivy", "Tom")
_LAST = ("Miller", "Kovac", "Singh", "Brown", "Lopez", "Ford", "Haddad", "Novak", "Adams", "Wu")
_MAIL = ("gmail.com", "outlook.com", "yahoo.com", "hotmail.com", "proton.me", "mail.ru")
_HOSTS = ("best-dealz", "fastgrow", "promo24", "megahub", "toplist", "smartbuy", "clickzone")
_ENDINGS = ("com", "ru", "xyz", "top", "online", "shop", "info", "site")


def _link(random: Random) -> str:
    scheme = random.choice(("https://", "http://", "www."))
    host = f"{random.choice(_HOSTS)}{random.randrange(999)}.{random.choice(_ENDINGS)}"
    return f"{scheme}{host}/{random.randrange(10**6):x}"


def _made(*parts: Sequence[str]) -> Callable[[Random], str]:
    return lambda random: " ".join(random.choice(part) for part in parts)


def _links(random: Random) -> str:
    parts = ["Check this", "Look at it now", "The best prices", "Only today", "Thanks for the post"]
    random.shuffle(parts)
    return " ".join(f"{part} {_link(random)}" for part in parts[: random.randint(2, 4)])


def _gibberish(random: Random) -> str:
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    length = random.randint
    return " ".join("".join(random.choices(letters, k=length(8, 16))) for _ in range(length(1, 4)))


_seo = _made(
    ("Hi,", "Hello,", "Greetings,", "Dear owner,", "Hey there,"),
    (
        "I was looking at your website and it is not ranking on Google.",
        "We found several errors on your website.",
        "Your competitors are on the first page of Google and you are not.",
        "Do you want more traffic to your shop?",
        "We are a digital marketing agency from Pune.",
    ),
    (
        "Our SEO experts can fix it in 30 days.",
        "We build high authority backlinks with a guarantee.",
        "We offer guest posts on 2,000 news sites.",
        "I can send a free audit report and the cost.",
        "Our search engine optimization starts at 99 dollars.",
    ),
    ("May I send a quote?", "Reply for prices.", "Shall I call you?", "Waiting for your reply."),
)
_crypto = _made(
    ("Attention!", "Dear investor,", "My friend told me about it:", "Good day.", "News:"),
    (
        "Earn $900 a day with Bitcoin,",
        "Our crypto investment platform gives 12% daily,",
        "The new trading robot made $4,500 for me last week,",
        "Double your USDT in 48 hours,",
        "Get passive income from Ethereum,",
    ),
    ("guaranteed profits,", "no risk,", "withdraw any time,", "start with 250 dollars,"),
    ("register today.", "write me on WhatsApp.", "limited places.", "ask for the manager."),
)
_offers = _made(
    ("Hello,", "Hi friend,", "Sir or madam,", "Good evening,"),
    (
        "we give business loans at 3% interest without collateral.",
        "play in our online casino and get 200 free spins.",
        "hot girls in your city want to meet you on this dating site.",
        "cheap viagra and cialis without prescription.",
        "you are the beneficiary of an inheritance of 8 million dollars.",
        "buy our email list of 90,000 verified leads in the Gulf.",
        "we can send your ad to a million contact forms, see our explainer video.",
    ),
    ("Answer now.", "To opt out, reply STOP.", "Act fast.", "Contact our agent.", "Trust me."),
)
_COPIED = (
    (
        "{hi} we provide office cleaning and pest control all over the city with trained "
        "staff and fair monthly packages, let me know if {you} would like a visit this {day} "
        "to see our work {n}"
    ),
    (
        "{hi} our agents answer every phone call of your customers at night and on weekends "
        "so that {you} never miss an order again, can I tell you more about it on {day} "
        "number {n}"
    ),
    (
        "{hi} I draw logos, business cards and brochures for young companies and would love "
        "to make a new look for {you}, my prices are very low until {day} only {n} dollars"
    ),
    (
        "{hi} نقدم خدمات تنظيف المكاتب ومكافحة الحشرات في جميع أنحاء المدينة بفريق مدرب "
        "وأسعار شهرية مناسبة ويسعدنا زيارتكم {day} لمعاينة الموقع {n}"
    ),
)
_RUSSIAN = ("Купить", "дешево", "ссылки", "продвижение", "сайта", "гарантия", "быстро", "звоните")
_CHINESE = "我们提供高质量的产品和服务欢迎联系价格优惠工厂直销"
_LOOKALIKES = str.maketrans("aeopc", "аеорс")


def _copied(random: Random) -> str:
    return random.choice(_COPIED).format(
        hi=random.choice(("Hi", "Hello", "Dear team", "Good day")),
        you=random.choice(("you", "your company", "your team")),
        day=random.choice(("Monday", "Tuesday", "Thursday", "week")),
        n=random.randrange(10_000),
    )


def _scripts(random: Random) -> str:
    kind = random.randrange(3)
    if kind == 0:
        return " ".join(random.choices(_RUSSIAN, k=random.randint(3, 9)))
    if kind == 1:
        return "".join(random.choices(_CHINESE, k=random.randint(8, 30)))
    return "Please confirm your account and password".translate(_LOOKALIKES)


FAMILIES: dict[str, Callable[[Random], str]] = {
    "links": _links,
    "seo": _seo,
    "crypto": _crypto,
    "offers": _offers,
    "gibberish": _gibberish,
    "copied": _copied,
    "scripts": _scripts,
}


def spam(number: int, random: Random) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield family and fields of so many leads, each from another address."""
    for each in range(number):
        family = random.choice(tuple(FAMILIES))
        name = f"{random.choice(_FIRST)} {random.choice(_LAST)}"
        yield (
            family,
            {
                "email": f"{name.replace(' ', '.').lower()}{each}@{random.choice(_MAIL)}",
                "name": name,
                "message": FAMILIES[family](random),
            },
        )
