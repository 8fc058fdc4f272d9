"""The languages that are read, in the order in which ties are decided."""

from __future__ import annotations

from memflow.dates.english import ENGLISH
from memflow.dates.language import Language
from memflow.dates.portuguese import PORTUGUESE
from memflow.dates.spanish import SPANISH

LANGUAGES: tuple[Language, ...] = (ENGLISH, PORTUGUESE, SPANISH)
