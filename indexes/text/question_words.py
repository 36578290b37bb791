"""Words of questions and function words: they carry no meaning of their own in a query."""

from __future__ import annotations

from indexes.text.folding import fold

_ENGLISH = """
a about also am an and any are aren as at be been being but by can couldn could did didn do does
doesn doing don done for from had has hasn have haven he her here his how i if in into is isn it
its may me might must my no not of on or our shall she should shouldn so some than that the their
them then there these they this those to us was wasn we were weren what when where whether which
who whom whose why will with won would wouldn you your
"""
_ARABIC = """
أ أم أن أنا أنت أنه أنها أو أي أية أين أيضا إذا إلا إلى إن إنه إنها التي الذي الذين اللذان اللتان
اللاتي بأي بعد بل بماذا بم بين تلك ثم حتى ذلك سوف على عليه عليها عم عما عن عند عندما فهل في فيم
فيما فيه فيها قبل قد كان كانت كل كم كما كي كيف لا لأي لدى لقد لكن لكي لم لما لماذا لن له لها ليس
ليست ما ماذا ماهو ماهي متى مع مما ممن من منذ منه منها نحن نعم هؤلاء هذا هذه هل هم هما هن هنا هناك
هو هي و يكون تكون يتم تم يمكن يمكنني أستطيع
"""
_GULF = """
ابا ابغى ابي اكو أبا أبغى أبي أبى أقدر إحنا إيش احنا اللي ايش بس تبغى تبي تقدر جم حنا شلون شنهو شنو
شو عشان علشان عندكم عندنا عندهم عندي فيني لازم ليش ليه ماكو مب منو مو مين نبغى نبي نقدر هالحين هني
وش وين يبغى يبي يقدر
"""
QUESTION_WORDS = frozenset(map(fold, f"{_ENGLISH} {_ARABIC} {_GULF}".split()))
_CONJUNCTIONS = ("و", "ف")


def is_question_word(word: str) -> bool:
    """Return whether a folded word only asks or joins.

    >>> [is_question_word(word) for word in ("how", "rollout", "كيف", "وهل", "فاتوره")]
    [True, False, True, True, False]
    """
    bare = word[1:] if word.startswith(_CONJUNCTIONS) else word
    return word in QUESTION_WORDS or bare in QUESTION_WORDS
