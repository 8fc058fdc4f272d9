"""The product itself, through the flow that `context` uses."""

from __future__ import annotations

from datetime import datetime

from memflow.evals.systems.base import Compiled, Compiler
from memflow.pipeline import ask as flow
from memflow.pipeline import drivers
from memflow.wiring import Assembly


def memflow(assembly: Assembly, space: str) -> Compiler:
    stages = assembly.stages(use_model=False)

    def compile_(question: str, now: datetime) -> Compiled:
        request = flow.Request(question, space, now, use_model=False)
        context = drivers.run(flow.context(request, stages), None)
        return Compiled(context.packed, context.route)

    return compile_
