"""Profile facts, extracted by rules alone: what a person says about themselves.

reading   the speaker's own statements in a turn, quotes and pastes left out
patterns  the form of the language tables (en, pt, es)
spans     which words after a pattern's lead are the value, and the fact's key
extract   the walk over a turn
"""

from memflow.ingest.profile.extract import extract_facts

__all__ = ["extract_facts"]
