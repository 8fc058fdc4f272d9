"""The languages that cue tables exist for. Add a language here."""

from __future__ import annotations

from memflow.language.cues import CueWords
from memflow.language.en import ENGLISH
from memflow.language.es import SPANISH
from memflow.language.pt import PORTUGUESE

LANGUAGES: tuple[CueWords, ...] = (ENGLISH, PORTUGUESE, SPANISH)
