"""Stage 3b: deterministic preparation of what was retrieved, one function per preparation."""

from memflow.evidence.material import Material
from memflow.evidence.prepare import prepare

__all__ = ["Material", "prepare"]
