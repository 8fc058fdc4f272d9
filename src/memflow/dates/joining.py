"""Dates that stand together share the year: "31 May – 1 June 1916"."""

from __future__ import annotations

import re
from dataclasses import replace

from memflow.dates.arithmetic import add_months, month_end
from memflow.dates.kinds import DateMention, Precision

_NAMES_YEAR = re.compile(r"[0-9]{4}|/[0-9]{2}$")
_BETWEEN = re.compile(
    r"\s*(?:-|–|—|,|,?\s*(?:and|or|to|through|until|a|e|y|ou|o|al|até|hasta))\s*(?:the\s+|el\s+)?"
)


def names_year(mention: DateMention) -> bool:
    """Whether the year is written in the mention itself."""
    return _NAMES_YEAR.search(mention.text) is not None


def share_years(text: str, mentions: list[DateMention]) -> tuple[DateMention, ...]:
    """Gives a date without a year that of the date joined to it on the right, if that names one.

    "30 December to 2 January 2020" begins in 2019.
    """
    shared: list[DateMention] = []
    after: DateMention | None = None  # the mention on the right, when its year is certain
    for mention in reversed(mentions):
        certain = names_year(mention)
        if (
            after is not None
            and not mention.relative
            and not certain
            and _BETWEEN.fullmatch(text, mention.end, after.start)
        ):
            shared.append(_before(mention, after))
            after = shared[-1]
        else:
            shared.append(mention)
            after = mention if certain else None
    return tuple(reversed(shared))


def _before(mention: DateMention, after: DateMention) -> DateMention:
    """The last time that the mention's days come no later in the year than those of `after`."""
    later = (mention.first.month, mention.first.day) > (after.first.month, after.first.day)
    months = 12 * (after.first.year - later - mention.first.year)
    first, last = add_months(mention.first, months), add_months(mention.last, months)
    if mention.precision is Precision.MONTH and mention.last == month_end(mention.last):
        last = month_end(last)
    return replace(mention, first=first, last=last)
