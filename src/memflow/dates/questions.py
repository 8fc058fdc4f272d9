"""Which unit a question about elapsed time asks for."""

from __future__ import annotations

import re
from functools import cache

from memflow.dates.folding import fold
from memflow.dates.kinds import Period, Unit
from memflow.dates.tables import LANGUAGES

_UNITS = {
    Period.DAY: Unit.DAYS,
    Period.WEEK: Unit.WEEKS,
    Period.MONTH: Unit.MONTHS,
    Period.YEAR: Unit.YEARS,
}


def unit_asked(question: str) -> Unit | None:
    """The unit after "how many" or "in" at the end; None for "how long" and for frequencies.

    "How many days a week do I run?" asks for no elapsed time. Of several units the first counts.
    """
    folded = re.sub(r"\s+", " ", fold(question).text)
    found = [
        (match.start(), unit) for pattern, unit in _asked() for match in pattern.finditer(folded)
    ]
    return min(found)[1] if found else None


@cache
def _asked() -> tuple[tuple[re.Pattern[str], Unit], ...]:
    return tuple(
        (re.compile(r"(?<!\w)" + form.replace("{unit}", word + r"(?!\w)")), _UNITS[period])
        for language in LANGUAGES
        for word, period in language.units.items()
        for form in language.asked
        if period in _UNITS
    )
