"""Stage 5: one model call phrases the answer from the packed context, with bounded tools."""

from memflow.answering.answerer import Draft, answer, extract

__all__ = ["Draft", "answer", "extract"]
