"""The systems that are compared.

SYSTEMS     name to what is built over a haystack and then asked (base.System)
compilers   name to what compiles a packed context without a model, for evidence covered
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from memflow.evals.systems.ablations import VARIANTS, without_validator
from memflow.evals.systems.base import Asker, Compiled, Compiler, Flow, Reply, System
from memflow.evals.systems.direct import FULL, SHORT, direct, direct_context
from memflow.evals.systems.memflow import product, product_context
from memflow.evals.systems.memgpt import memgpt
from memflow.evals.systems.memobase import memobase
from memflow.evals.systems.rag import rag, rag_context, rag_rrf
from memflow.evals.systems.react import react
from memflow.wiring import Assembly

SYSTEMS: Mapping[str, System] = MappingProxyType(
    {
        "memflow": product(),
        "direct-short": direct(SHORT),
        "direct-full": direct(FULL),
        "rag": rag,
        "react": react,
        "memgpt": memgpt,
        "memobase": memobase(),
        **{name: product(variant) for name, variant in VARIANTS.items()},
    }
)

compilers: Mapping[str, Callable[[Assembly, str], Compiler]] = MappingProxyType(
    {
        "memflow": product_context(),
        "direct-short": direct_context(SHORT),
        "direct-full": direct_context(FULL),
        "rag": rag_context,
        "rag-rrf": rag_rrf,
        **{
            name: product_context(variant)
            for name, variant in VARIANTS.items()
            if variant is not without_validator  # which packs what the product does
        },
    }
)

__all__ = ["SYSTEMS", "Asker", "Compiled", "Compiler", "Flow", "Reply", "System", "compilers"]
