"""The systems that are compared: each compiles a packed context for a question."""

from collections.abc import Callable, Mapping

from memflow.evals.systems.base import Compiled, Compiler
from memflow.evals.systems.memflow import memflow
from memflow.evals.systems.rag import rag
from memflow.wiring import Assembly

compilers: Mapping[str, Callable[[Assembly, str], Compiler]] = {"memflow": memflow, "rag": rag}

__all__ = ["Compiled", "Compiler", "compilers"]
