"""Dates: reading the times of messages, finding dates in text, and calendar arithmetic.

    parse_time        the time of a message, however it was exported        times.py
    find_dates        date expressions in English, Portuguese and Spanish   mentions.py
    annotate          the text with relative dates resolved in brackets     annotation.py
    interval          days, weeks, months and years between two dates       arithmetic.py
    format_date       dates in words                                        formatting.py
    unit_asked        days, weeks, months or years?                         questions.py

The languages are tables (english.py, portuguese.py, spanish.py); language.py tells how to add
one. Nothing here reads the clock: every relative date is resolved against an anchor.
"""

from memflow.dates.annotation import annotate
from memflow.dates.arithmetic import (
    Interval,
    days_between,
    describe_interval,
    interval,
    months_between,
    weeks_between,
)
from memflow.dates.formatting import format_date, format_mention, format_time
from memflow.dates.kinds import DateMention, Precision, Unit
from memflow.dates.mentions import find_dates
from memflow.dates.questions import unit_asked
from memflow.dates.times import parse_time

__all__ = [
    "DateMention",
    "Interval",
    "Precision",
    "Unit",
    "annotate",
    "days_between",
    "describe_interval",
    "find_dates",
    "format_date",
    "format_mention",
    "format_time",
    "interval",
    "months_between",
    "parse_time",
    "unit_asked",
    "weeks_between",
]
