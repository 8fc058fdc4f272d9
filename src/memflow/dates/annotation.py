"""Writes resolved dates into a text, for readers that cannot do so themselves."""

from __future__ import annotations

import re
from datetime import datetime

from memflow.dates.formatting import format_mention
from memflow.dates.joining import names_year
from memflow.dates.kinds import DateMention
from memflow.dates.mentions import find_dates

_POSSESSIVE = re.compile(r"['’]s(?!\w)")


def annotate(text: str, anchor: datetime, *, southern: bool = False) -> str:
    """The text with what it leaves open in brackets: "last Friday [Fri 5 May 2023]".

    Relative mentions and dates without a year are completed. A mention already followed by a
    bracket, or inside one, is left alone, so that annotating twice changes nothing more.
    """
    pieces: list[str] = []
    done = 0
    for mention in find_dates(text, anchor, southern=southern):
        end = mention.end
        if possessive := _POSSESSIVE.match(text, end):
            end = possessive.end()
        if _complete(mention) or text.startswith(" [", end) or _in_brackets(text, mention.start):
            continue
        pieces += [text[done:end], f" [{format_mention(mention, southern=southern)}]"]
        done = end
    return "".join((*pieces, text[done:]))


def _complete(mention: DateMention) -> bool:
    return not mention.relative and names_year(mention)


def _in_brackets(text: str, place: int) -> bool:
    line_start = text.rfind("\n", 0, place) + 1
    return text.rfind("[", line_start, place) > text.rfind("]", line_start, place)
