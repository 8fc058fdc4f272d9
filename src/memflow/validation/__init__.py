"""Stage 6: does the answer rest on the evidence? Cheapest check first."""

from memflow.validation.validator import validate, validate_without_model

__all__ = ["validate", "validate_without_model"]
