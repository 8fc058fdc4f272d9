"""Stage 6: does the answer rest on the evidence? Cheapest check first."""

from memflow.validation.validator import validate

__all__ = ["validate"]
