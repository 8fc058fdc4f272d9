"""A trace told stage by stage, for `memflow explain`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rich.text import Text

from memflow.cli import views
from memflow.cli.output import clean

if TYPE_CHECKING:
    from memflow.types import Trace

_CANDIDATES = 8
_ITEMS = 12


def tell(trace: Trace, width: int | None) -> Iterator[Text]:
    """Lines, in the order in which things happened."""
    stages = trace.stages
    yield Text.assemble(("question  ", "bold"), clean(trace.question))
    yield Text(f"          {views.when(trace.created)}, trace {trace.id}", style="dim")
    if "active" in stages:
        yield _stage(
            "active",
            f"the live conversation has {stages['active']['share']:.0%} of the question's words",
        )
    if "route" in stages:
        yield from _route(stages["route"])
    for number, attempt in enumerate(stages.get("attempts", []), start=1):
        yield from _attempt(number, attempt, width)
    told = [attempt.get("verdict") for attempt in stages.get("attempts", [])]
    if stages.get("verdict") not in told:
        yield from _verdict(stages.get("verdict"))
    answer = stages.get("answer", {})
    yield _stage("answer", answer.get("text", ""))
    if answer.get("reason"):
        yield _more(f"{'abstained: ' if answer.get('abstained') else ''}{answer['reason']}")
    yield from _costs(stages)


def _stage(name: str, text: str) -> Text:
    return Text.assemble((f"{name:<10}", "bold cyan"), clean(text))


def _more(text: str) -> Text:
    return Text(" " * 10 + clean(text))


def _route(route: Mapping[str, Any]) -> Iterator[Text]:
    yield _stage(
        "route", f"{route['intent']} ({route['layer']}) {route.get('reason', '')}".rstrip()
    )
    scores = sorted(route.get("scores", {}).items(), key=lambda pair: -pair[1])[:3]
    if scores:
        yield _more("scores: " + ", ".join(f"{name} {score:.2f}" for name, score in scores))


def _attempt(number: int, attempt: Mapping[str, Any], width: int | None) -> Iterator[Text]:
    operation = attempt.get("operation", "")
    yield _stage("attempt" if number == 1 else "retry", operation)
    retrieval = attempt.get("retrieval", {})
    candidates = retrieval.get("candidates", [])
    yield _stage("retrieve", f"{len(candidates)} candidates")
    for query in retrieval.get("passes", [])[:4]:
        yield views.line(" " * 10 + "pass:", query, width)
    for candidate in candidates[:_CANDIDATES]:
        legs = ", ".join(
            f"{name} {score:.2f}" for name, score in sorted(candidate["scores"].items())
        )
        yield views.line(
            " " * 9, f"{candidate['score']:.3f}  {candidate['turn_id']}  {legs}", width
        )
    if len(candidates) > _CANDIDATES:
        yield _more(f"… and {len(candidates) - _CANDIDATES} more (--json has them all)")
    yield from _packing(attempt.get("packing", {}), width)
    for tool in attempt.get("tools", []):
        arguments = ", ".join(map(str, tool["arguments"]))
        yield _stage("tool", f"{tool['name']}({arguments}) = {tool['result'] or tool['error']}")
    if "answer" in attempt:
        yield views.line(f"{'model':<9}", attempt["answer"] or "(nothing)", None)
    yield from _verdict(attempt.get("verdict"))


def _packing(packing: Mapping[str, Any], width: int | None) -> Iterator[Text]:
    if not packing:
        return
    items, dropped = packing.get("packed", []), packing.get("dropped", [])
    budget = packing.get("budget", {})
    yield _stage(
        "pack",
        f"{len(items)} items, {packing.get('tokens', 0):,} tokens "
        f"(room: {budget.get('raw', 0):,} raw, {budget.get('ceiling', 0):,} in all)",
    )
    for item in items[:_ITEMS]:
        stale = " stale" if item.get("stale") else ""
        yield views.line(" " * 10 + f"{item['slot']}{stale}:", item["text"], width)
    if len(items) > _ITEMS:
        yield _more(f"… and {len(items) - _ITEMS} more")
    for reason, count in Counter(row["reason"] for row in dropped).most_common(4):
        yield _more(f"left out {count}: {reason}")


def _verdict(verdict: Mapping[str, Any] | None) -> Iterator[Text]:
    if verdict is None:
        return
    word = "grounded" if verdict["grounded"] else "not grounded"
    reason = f": {verdict['reason']}" if verdict.get("reason") else ""
    yield _stage("check", f"{word} ({verdict['check']}){reason}")


def _costs(stages: Mapping[str, Any]) -> Iterator[Text]:
    for call in stages.get("calls", []):
        if "error" in call:
            yield _stage("call", f"{call['purpose']}: {call['error']}")
            continue
        yield _stage(
            "call",
            f"{call['purpose']}: {call['prompt_tokens']:,} + {call['completion_tokens']:,} tokens, "
            f"{call['milliseconds'] / 1000:.1f} s, ended by {call['finish']}",
        )
    times = stages.get("usage", {}).get("stages_ms", {})
    if times:
        yield _stage("time", ", ".join(f"{name} {ms:,.0f} ms" for name, ms in times.items()))
