"""Stage 4: fit the evidence into a token budget, most important first."""

from memflow.packing.packer import Budget, pack

__all__ = ["Budget", "pack"]
